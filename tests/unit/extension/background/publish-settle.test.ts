/** Tests what a second read of the app reveals about a publish without a response. */
import { expect, it } from 'vitest';
import { STILL_POSSIBLE, judge } from '../../../../lib/extension/background/publish-settle.ts';
import type { App } from '../../../../lib/platform-api/index.ts';
import type { PublishRecord } from '../../../../lib/extension/messaging/model/publishing.ts';

const BEFORE = '2026-02-01T10:00:00.000Z';
const AFTER = '2026-02-01T10:05:00.000Z';
const SENT = 1_000_000;
const record = (version: number | null) =>
  ({ expected: { version, updatedAt: BEFORE }, sentAt: SENT, outcome: null }) as PublishRecord;
const app = (version: number | null, updatedAt: string) => ({ version, updatedAt }) as App;

it.each([
  ['the next version is there: published', 12, app(13, AFTER), null, 'published'],
  ['nothing has changed, long after: not published', 12, app(12, BEFORE), null, 'failed'],
  ['several versions more are there: anybody’s', 12, app(14, AFTER), null, 'unknown'],
  ['changed at the same version: by something else', 12, app(12, AFTER), null, 'unknown'],
  ['the app is gone from the list', 12, undefined, null, 'unknown'],
  ['no version listed, the sessions know the next one: published', 12, app(null, AFTER), 13, 'published'],
  ['no version listed, the sessions do not know the next yet', 12, app(null, AFTER), 12, 'unknown'],
  ['no version listed, no sessions, changed', 12, app(null, AFTER), null, 'unknown'],
  ['no version known before or now, unchanged: not published', null, app(null, BEFORE), null, 'failed'],
  ['no version known before, now the first: published', null, app(1, AFTER), null, 'published'],
  ['no version known before, the sessions know one now: an old or a new one', null, app(null, AFTER), 13, 'unknown'],
  ['sessions older than what was known tell nothing', 12, app(null, BEFORE), 9, 'failed'],
] as const)('%s', (_name, version, now, latest, state) => {
  const outcome = judge(record(version), now, latest, SENT + STILL_POSSIBLE);
  expect(outcome.state).toBe(state);
  if (outcome.state !== 'published')
    expect(outcome.error).toMatchObject({ message: expect.any(String), hint: expect.any(String) });
});

it('doesn’t report a request that may still run as failed', () => {
  expect(judge(record(12), app(12, BEFORE), null, SENT + STILL_POSSIBLE - 1).state).toBe('unknown');
});
