/** Owns the proof of the popup's sentences. */
import { expect, it } from 'vitest';
import type { PublishPreview } from '../../../../lib/extension/messaging/model/publishing.ts';
import { ago, whatWillHappen } from '../../../../lib/extension/popup/words.ts';

const preview = (version: number | null, audience: PublishPreview['audience']): PublishPreview => ({
  appId: 1,
  name: 'Field Service',
  current: { version, updatedAt: '' },
  audience,
  audienceError: null,
});

it.each([
  [
    preview(12, { users: 214, behind: 31 }),
    'version 12 to 13, forced, 214 users of whom 31 are two or more versions behind',
  ],
  [
    preview(12, { users: 100_000, behind: 1 }),
    'version 12 to 13, forced, 100,000 users of whom 1 is two or more versions behind',
  ],
  [preview(12, { users: 1, behind: 0 }), 'version 12 to 13, forced, 1 user, none of them two or more versions behind'],
  [preview(1, { users: 0, behind: 0 }), 'version 1 to 2, forced, no users yet'],
  [
    preview(null, null),
    'the next version (the platform does not tell which), forced, to a number of users that is not known',
  ],
])('says what will happen: %#', (about, sentence) => expect(whatWillHappen(about, 'forced')).toBe(sentence));

it.each([
  [0, 'just now'],
  [59_999, 'just now'],
  [120_000, '2 min ago'],
  [3 * 3_600_000, '3 h ago'],
  [25 * 3_600_000, 'yesterday'],
  [50 * 3_600_000, '2 days ago'],
  [-5_000, 'just now'],
  [Number.NaN, 'just now'],
])('says how long ago %d ms are', (passed, words) => expect(ago(1_000_000, 1_000_000 + passed)).toBe(words));
