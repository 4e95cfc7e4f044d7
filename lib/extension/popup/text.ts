/** Describes in one or two sentences what publishing will do. */
import type { ReleaseType } from '../../platform-api/app.ts';
import { formatAge, formatCount, plural, truncate } from '../../shared/format.ts';
import { isTwice, type PublishPreview, type PublishRecord } from '../messaging/model/publishing.ts';
import type { Audience } from '../../platform-api/sessions/audience.ts';
import type { SavedApps } from './saved-state.ts';

export const RELEASE_TYPES: readonly { type: ReleaseType; description: string }[] = [
  { type: 'silent', description: 'Users get the update the next time they start the app, without a message.' },
  { type: 'visible', description: 'Users see a message and choose when to update.' },
  { type: 'forced', description: 'Users must update before they can continue.' },
];

/**
 * The text that follows the app’s name: `version 12 to 13, forced. 214 users, 31 of them two or more versions behind.`
 */
export function publishSummary(preview: PublishPreview, type: ReleaseType): string {
  const { current, isFromSessions, audience } = preview;
  const { version } = current;
  const next = nextVersion(preview);
  const step =
    version === null
      ? 'next version (the current one is unknown)'
      : `version ${version}${isFromSessions ? ' or later' : ''} to ${next ?? 'the next one'}`;
  return `${step}, ${type}. ${audience === null ? 'The number of users is unknown.' : audienceSummary(audience)}`;
}

/** The version that publishing makes. Null if it’s unknown: sessions can have an older version than the app. */
export const nextVersion = ({ current: { version }, isFromSessions }: PublishPreview): number | null =>
  version === null || isFromSessions ? null : version + 1;

const RELEASE_NAMES: Record<ReleaseType, string> = { silent: 'Silent', visible: 'Visible', forced: 'Forced' };

/** What surrounds the names of the app and the environment: `Forced release 13 of … to 214 users on …`. */
export function confirmationSummary(preview: PublishPreview, type: ReleaseType): { release: string; audience: string } {
  const { audience } = preview;
  const next = nextVersion(preview);
  return {
    release: `${RELEASE_NAMES[type]} release${next === null ? '' : ` ${next}`} of`,
    audience: audience === null || audience.users === 0 ? 'on' : `to ${plural(audience.users, 'user')} on`,
  };
}

function audienceSummary({ users, behind }: Audience): string {
  if (users === 0) return 'No sessions are listed.';
  const distant = behind === 0 ? 'none' : formatCount(behind);
  return `${plural(users, 'user')}, ${distant} of them two or more versions behind.`;
}

/** What an empty list of apps shows. */
export function noApps(apps: SavedApps | null): string {
  if (!apps) return 'Refresh to load the apps';
  const [first] = apps.unreadable;
  return first
    ? `Couldn’t read ${plural(apps.unreadable.length, 'app')}: ${first.item} (${first.why})`
    : 'No apps for this token';
}

/** How many apps are listed, and since when: `3 apps, 1 unreadable · Updated now`. */
export function appsAge({ at, apps, unreadable }: SavedApps, now: number): string {
  const count = `${plural(apps.length, 'app')}${unreadable.length > 0 ? `, ${unreadable.length} unreadable` : ''}`;
  return `${count} · Updated ${formatAge(at, now)}`;
}

/** What is known about a publish, for a view that can’t show it. */
export function publishDone(record: PublishRecord | null): string {
  if (!record) return '';
  const { appName, outcome } = record;
  const app = truncate(appName, 80);
  if (!outcome) return `An update of ${app} is being published. The toolbar badge shows the outcome.`;
  if (outcome.state === 'failed') return `The update of ${app} wasn’t published.`;
  if (outcome.state === 'unknown')
    return isTwice(outcome) ? `${app} was possibly published twice.` : `Couldn’t confirm whether ${app} was published.`;
  return `Published ${outcome.app.version === null ? 'an update' : `version ${outcome.app.version}`} of ${app}.`;
}
