import { expect, it } from 'vitest';
import type { PublishPreview } from '../../../../lib/extension/messaging/model/publishing.ts';
import { appsAge, confirmationSummary, noApps, publishSummary } from '../../../../lib/extension/popup/text.ts';

const preview = (
  version: number | null,
  audience: PublishPreview['audience'],
  isFromSessions = false,
): PublishPreview => ({
  appId: 1,
  name: 'Field Service',
  current: { version, updatedAt: '' },
  isFromSessions,
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
  [preview(1, { users: 0, behind: 0 }), 'version 1 to 2, forced. No sessions are listed.'],
  [
    preview(12, { users: 1, behind: 0 }, true),
    'version 12 or later to the next one, forced. 1 user, none of them two or more versions behind.',
  ],
  [preview(null, null), 'next version (the current one is unknown), forced. The number of users is unknown.'],
])('summarizes a publish (%#)', (about, sentence) => expect(publishSummary(about, 'forced')).toBe(sentence));

it.each([
  [preview(12, { users: 214, behind: 31 }), 'Forced release 13 of Field Service to 214 users on Acme EU'],
  [preview(12, { users: 1, behind: 0 }), 'Forced release 13 of Field Service to 1 user on Acme EU'],
  [preview(12, { users: 0, behind: 0 }), 'Forced release 13 of Field Service on Acme EU'],
  [preview(12, { users: 1, behind: 0 }, true), 'Forced release of Field Service to 1 user on Acme EU'],
  [preview(null, null), 'Forced release of Field Service on Acme EU'],
])('the confirmation says in one line what is known (%#)', (about, line) => {
  const { release, audience } = confirmationSummary(about, 'forced');
  expect(`${release} Field Service ${audience} Acme EU`).toBe(line);
});

const list = (unreadable: { id: null; item: string; why: string }[] = []) => ({ at: 100_000, apps: [], unreadable });
const UNREADABLE = { id: null, item: '“Field Service”', why: 'name: must be a string' };

it.each([
  [null, 'Refresh to load the apps'],
  [list(), 'No apps for this token'],
  [list([UNREADABLE]), 'Couldn’t read 1 app: “Field Service” (name: must be a string)'],
])('an empty list of apps says why it’s empty (%#)', (apps, text) => expect(noApps(apps)).toBe(text));

it.each([
  [list(), 130_000, '0 apps · Updated 30 seconds ago'],
  [list([UNREADABLE]), 90_000, '0 apps, 1 unreadable · Updated now'],
  [list(), 20_000, '0 apps · Updated at an unknown time'],
])('the age of a list says what it lacks, and is unknown after the clock was set back (%#)', (apps, now, text) =>
  expect(appsAge(apps, now)).toBe(text),
);
