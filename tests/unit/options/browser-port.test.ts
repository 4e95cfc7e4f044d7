/** Owns the proof that erasing leaves nothing of the page's own storage, whatever else is still in use. */
import { expect, it } from 'vitest';
import { createOptionsPort } from '../../../lib/extension/options/browser.ts';
import type { Result } from '../../../lib/platform-api/index.ts';
import { Lock } from '../../../lib/extension/messaging/lock.ts';
import type { Send } from '../../../lib/extension/messaging/protocol.ts';

const none = { contains: () => Promise.resolve(false), request: () => Promise.resolve(false) };

it.each<[string, Result<null>]>([
  ['done', { ok: true, value: null }],
  ['done but for the runs of an open panel', { ok: false, error: { code: 'DATA_IN_USE', message: 'In use.' } }],
])('is cleared when erasing is %s', async (_, answer) => {
  const stored = new Map([['environment', 'EU']]);
  const send = ((name) =>
    Promise.resolve(
      name === 'data.erase' ? answer : { ok: true, value: { quarantined: 0, lock: { kind: 'open' } } },
    )) as Send;
  expect(
    await createOptionsPort(
      new Lock(send, { postMessage: () => {}, addEventListener: () => {} }),
      none,
      stored,
    ).erase(),
  ).toEqual(answer);
  expect([...stored]).toEqual([]);
});
