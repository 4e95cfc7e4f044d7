/** Owns the popup's sentences: what each type of release means to users, what will happen, how old something is. */
import type { ReleaseType } from '../../platform-api/app.ts';
import type { PublishPreview } from '../messaging/model/publishing.ts';

/** What users will see of a release of this type. */
export const TYPES: readonly { type: ReleaseType; says: string }[] = [
  { type: 'silent', says: 'Users have it the next time they start the app, and are told nothing.' },
  { type: 'visible', says: 'Users are told that there is an update, and choose when to take it.' },
  { type: 'forced', says: 'Users can go on only once they have taken the update.' },
];

/** What publishing would do, after the app's name: `version 12 to 13, forced, 214 users of whom 31 are two or more versions behind`. */
export function whatWillHappen({ current: { version }, audience }: PublishPreview, type: ReleaseType): string {
  const step =
    version === null ? 'the next version (the platform does not tell which)' : `version ${version} to ${version + 1}`;
  return `${step}, ${type}, ${audience === null ? 'to a number of users that is not known' : audienceSays(audience)}`;
}

function audienceSays({ users, behind }: { users: number; behind: number }): string {
  if (users === 0) return 'no users yet';
  const all = `${users.toLocaleString('en')} ${users === 1 ? 'user' : 'users'}`;
  if (behind === 0) return `${all}, none of them two or more versions behind`;
  return `${all} of whom ${behind.toLocaleString('en')} ${behind === 1 ? 'is' : 'are'} two or more versions behind`;
}

/** How long ago, in words: `just now`, `2 min ago`, `3 h ago`, `5 days ago`. */
export function ago(at: number, now: number): string {
  const minutes = Math.floor((now - at) / 60_000);
  if (!(minutes >= 1)) return 'just now';
  if (minutes < 60) return `${minutes} min ago`;
  const hours = Math.floor(minutes / 60);
  if (hours < 24) return `${hours} h ago`;
  const days = Math.floor(hours / 24);
  return days === 1 ? 'yesterday' : `${days} days ago`;
}
