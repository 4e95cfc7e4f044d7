/** Owns the mark on the extension's button: a publish is under way, or ended in a way that the person has not seen yet. */
import type { PublishRecord } from '../../platform-api/index.ts';

/** The part of `browser.action` that is used. */
export interface ActionButton {
  setBadgeText(details: { text: string }): Promise<void>;
  setBadgeBackgroundColor(details: { color: string }): Promise<void>;
  setTitle(details: { title: string }): Promise<void>;
}

const TITLE = 'Publish an update';
const MARKS = {
  underWay: { text: '…', color: '#0b57d0', title: 'An update is being published' },
  unknown: { text: '?', color: '#795000', title: 'It is not known whether an update was published' },
  failed: { text: '!', color: '#b3261e', title: 'An update was not published' },
  published: { text: '✓', color: '#12652a', title: 'An update was published' },
} as const;

/** The gravest of what is unseen; what is under way shows when nothing else does. */
export function markOf(records: readonly PublishRecord[]): (typeof MARKS)[keyof typeof MARKS] | null {
  const unseen = (state: string): boolean => records.some(({ outcome, seen }) => outcome?.state === state && !seen);
  if (unseen('unknown')) return MARKS.unknown;
  if (unseen('failed')) return MARKS.failed;
  if (records.some(({ outcome }) => outcome === null)) return MARKS.underWay;
  return unseen('published') ? MARKS.published : null;
}

/** Never rejects: what a mark would say is in the popup too. */
export async function showMark(button: ActionButton, records: readonly PublishRecord[]): Promise<void> {
  const mark = markOf(records);
  try {
    await button.setBadgeText({ text: mark?.text ?? '' });
    await button.setTitle({ title: mark?.title ?? TITLE });
    if (mark) await button.setBadgeBackgroundColor({ color: mark.color });
  } catch {
    // A browser without badges shows none.
  }
}
