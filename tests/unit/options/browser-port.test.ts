/** Owns the proof that erasing leaves nothing of the page's own storage, whatever else is still in use. */
import { expect, it } from 'vitest';
import { createOptionsPort } from '../../../entrypoints/options/browser.ts';
import type { Result } from '../../../lib/contract/index.ts';
import type { Send } from '../../../lib/messaging/protocol.ts';

const none = { contains: () => Promise.resolve(false), request: () => Promise.resolve(false) };

it.each<[string, Result<null>]>([
  ['done', { ok: true, value: null }],
  ['done but for the runs of an open panel', { ok: false, error: { code: 'DATA_IN_USE', message: 'In use.' } }],
])('is cleared when erasing is %s', async (_, answer) => {
  const stored = new Map([['environment', 'EU']]);
  const send = (() => Promise.resolve(answer)) as Send;
  expect(await createOptionsPort(send, none, stored).erase()).toEqual(answer);
  expect([...stored]).toEqual([]);
});
