/** Checks that erasing clears the page’s local storage, even when a database is in use. */
import { expect, it } from 'vitest';
import { createOptionsPort } from '../../../lib/extension/options/browser.ts';
import type { Result } from '../../../lib/platform-api/index.ts';
import { Lock } from '../../../lib/extension/messaging/lock.ts';
import { fakeBrowser } from '../../support/fake-storage.ts';
import type { Send } from '../../../lib/extension/messaging/protocol.ts';

const UNHEARD = { subscribe: () => () => {} };
const none = { contains: () => Promise.resolve(false), request: () => Promise.resolve(false) };

it.each<[string, Result<null>]>([
  ['done', { ok: true, value: null }],
  ['refused because a panel is open', { ok: false, error: { code: 'DATA_IN_USE', message: 'In use.' } }],
])('is cleared when erasing is %s', async (_, response) => {
  const stored = new Map([['environment', 'EU']]);
  const send = ((name) =>
    Promise.resolve(
      name === 'data.erase' ? response : { ok: true, value: { quarantined: 0, lock: { kind: 'open' } } },
    )) as Send;
  expect(
    await createOptionsPort(
      new Lock(send, { postMessage: () => {}, addEventListener: () => {} }),
      UNHEARD,
      fakeBrowser({ permissions: none }),
      { clear: () => stored.clear() },
      {
        inspectQuarantine: () => Promise.resolve([]),
        exportQuarantine: () => Promise.resolve({ text: '', unread: [] }),
      },
    ).erase(),
  ).toEqual(response);
  expect([...stored]).toEqual([]);
});
