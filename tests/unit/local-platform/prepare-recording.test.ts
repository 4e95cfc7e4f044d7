/** Tests how recordings of runs are prepared for the database. */
import { gunzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { RECORDING_FORMAT, RECORDING_VERSION } from '../../../lib/debugging/recording/format.ts';
import type { RunRequest } from '../../../lib/local-platform/jobs/types.ts';
import { prepareRecording } from '../../../lib/local-platform/recordings/prepare.ts';

const TOKEN = 'tok-7f3a9c2e1b';
const run = { appId: 1, actionId: 2, actionName: 'Hello' } as unknown as RunRequest;

const sent = (text: string) => ({
  text: JSON.stringify({
    format: RECORDING_FORMAT,
    version: RECORDING_VERSION,
    startedAt: '2026-01-01T00:00:00Z',
    milliseconds: 1,
    engine: 'ours',
    pipeline: [],
    payload: null,
    steps: [],
    end: { state: 'stopped' },
    lost: 0,
    console: [{ at: 0, level: 'log', args: [text, 'password:', 'hunter2'] }],
  }),
});

/** The text that is stored, and the microseconds for which it kept this thread busy. */
async function prepared(text: string): Promise<{ stored: string; busy: number }> {
  const before = process.threadCpuUsage().user;
  const recording = await prepareRecording(sent(text), run, [TOKEN]);
  const busy = process.threadCpuUsage().user - before;
  return { stored: 'content' in recording ? gunzipSync(recording.content).toString() : '', busy };
}

it('a large recording is masked on another thread, so that requests don’t wait for it, and like any other', async () => {
  const short = JSON.stringify({ token: 'x', text: `a "b" ${TOKEN} \n` }).repeat(1_000);
  const long = short.repeat(4);
  const [, inline, elsewhere] = [await prepared(short), await prepared(short), await prepared(long)];
  expect(elsewhere.busy / long.length).toBeLessThan(inline.busy / short.length / 2);
  for (const { stored } of [inline, elsewhere]) {
    expect(stored).toMatch(/"••••\\",\\"text\\":\\"a .*","password:","••••"/);
    expect(stored).not.toContain(TOKEN);
  }
});

it('a large recording that isn’t one is reported as failed', async () => {
  expect(await prepareRecording({ text: 'x'.repeat(250_000) }, run, [])).toMatchObject({ missing: {} });
});
