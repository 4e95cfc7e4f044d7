import { isTwice, type PublishRecord } from '../messaging/model/publishing.ts';

/** The subset of `browser.action` that this module uses. */
export interface ActionButton {
  setBadgeText(details: { text: string }): Promise<void>;
  setBadgeBackgroundColor(details: { color: string }): Promise<void>;
  setTitle(details: { title: string }): Promise<void>;
}

const TITLE = 'Publish an update';
const BADGES = {
  running: { text: '…', color: '#0b57d0', title: 'Publishing an update…' },
  twice: { text: '!', color: '#b3261e', title: 'Update possibly published twice' },
  unknown: { text: '?', color: '#795000', title: 'Publish outcome unknown' },
  failed: { text: '!', color: '#b3261e', title: 'Update not published' },
  published: { text: '✓', color: '#12652a', title: 'Update published' },
} as const;

/** Shows the most severe unseen outcome, or else a running publish. */
export function badgeOf(records: readonly PublishRecord[]): (typeof BADGES)[keyof typeof BADGES] | null {
  const unseen = (state: string): boolean => records.some(({ outcome, seen }) => outcome?.state === state && !seen);
  if (records.some(({ outcome, seen }) => isTwice(outcome) && !seen)) return BADGES.twice;
  if (unseen('unknown')) return BADGES.unknown;
  if (unseen('failed')) return BADGES.failed;
  if (records.some(({ outcome }) => outcome === null)) return BADGES.running;
  return unseen('published') ? BADGES.published : null;
}

/** Never rejects, since the popup shows the same information. */
export async function showBadge(button: ActionButton, records: readonly PublishRecord[]): Promise<void> {
  const badge = badgeOf(records);
  try {
    await button.setBadgeText({ text: badge?.text ?? '' });
    await button.setTitle({ title: badge?.title ?? TITLE });
    if (badge) await button.setBadgeBackgroundColor({ color: badge.color });
  } catch {
    // Some browsers have no badges.
  }
}
