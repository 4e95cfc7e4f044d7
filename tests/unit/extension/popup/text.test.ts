import { expect, it } from 'vitest';
import type { PublishPreview } from '../../../../lib/extension/messaging/model/publishing.ts';
import { confirmationSummary, publishSummary } from '../../../../lib/extension/popup/text.ts';

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
    'version 12 to 13, forced. 214 users, 31 of them two or more versions behind.',
  ],
  [
    preview(12, { users: 100_000, behind: 1 }),
    'version 12 to 13, forced. 100,000 users, 1 of them two or more versions behind.',
  ],
  [preview(12, { users: 1, behind: 0 }), 'version 12 to 13, forced. 1 user, none of them two or more versions behind.'],
  [preview(1, { users: 0, behind: 0 }), 'version 1 to 2, forced. No users yet.'],
  [preview(null, null), 'next version (the current one is unknown), forced. The number of users is unknown.'],
])('summarizes a publish (%#)', (about, sentence) => expect(publishSummary(about, 'forced')).toBe(sentence));

it.each([
  [preview(12, { users: 214, behind: 31 }), 'Forced release 13 of Field Service to 214 users on Acme EU'],
  [preview(12, { users: 1, behind: 0 }), 'Forced release 13 of Field Service to 1 user on Acme EU'],
  [preview(12, { users: 0, behind: 0 }), 'Forced release 13 of Field Service on Acme EU'],
  [preview(null, null), 'Forced release of Field Service on Acme EU'],
])('the confirmation says in one line what is known (%#)', (about, line) => {
  const { release, audience } = confirmationSummary(about, 'forced');
  expect(`${release} Field Service ${audience} Acme EU`).toBe(line);
});
