/** Recordings of server runs: which runs have one, what it has, how long it’s stored, and who can read it. */
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { replay } from '../../lib/debugging/replay/replay.ts';
import type { LogList } from '../../lib/platform-api/index.ts';
import { isExhaustive } from '../support/exhaustive.ts';
import { onDatabase } from './support/databases.ts';
import { step } from './support/page.ts';
import { rawRequest, start, startForTest, type TestPlatform } from './support/platform.ts';
import { APP, created, packagesFolder, recordingOf, recordOf } from './support/recorded-runs.ts';
import { BLOCKS } from './support/runner.ts';

/** Function packages of these tests. */
const PACKAGES = {
  blocks: `function () { ${BLOCKS} }`,
};

const FAILING = [
  step('set-context', { assign: { items: '[1, 2, 3]', now: 'Date.now()' } }),
  {
    type: 'loop' as const,
    items: 'items',
    functions: [
      {
        type: 'if' as const,
        conditions: [
          {
            condition: 'currentItem === 2 && Math.random() >= 0',
            functions: [step('fail', { message: 'two is too many' })],
          },
        ],
        elseFunctions: [step('return-string', { message: 'item {{currentItem}}' })],
      },
    ],
  },
];

onDatabase(({ url }) => {
  let platform: TestPlatform;
  beforeAll(async () => {
    platform = await start({ databaseUrl: await url() });
  });
  afterAll(() => platform.close());

  describe('a failed run', () => {
    it('is recorded, which its log record says, and its replay fails in the same way', async () => {
      const id = await created(platform, FAILING);
      const record = await recordOf(platform, id, { payload: { a: 1 } });
      expect(record).toMatchObject({ type: 'app.task.failed', hasRecording: true });
      const { status, headers, body } = await recordingOf(platform, record);
      expect({ status, type: headers.get('content-type') }).toEqual({
        status: 200,
        type: 'application/json; charset=utf-8',
      });
      expect(body).toMatchObject({
        format: 'platform-devtools/run',
        engine: 'server',
        action: { appId: 103, actionId: id, name: expect.any(String), revision: 1 },
        pipeline: FAILING,
        payload: { a: 1 },
        end: { state: 'failed', error: { code: 'STEP_FAILED', iteration: [1] } },
        lost: 0,
      });
      expect(body.steps.map(({ path, iteration = [], state }) => [path, ...iteration, state].join(' '))).toEqual([
        '/0 completed',
        '/1 failed',
        '/1/functions/0 0 completed',
        '/1/functions/0/elseFunctions/0 0 completed',
        '/1/functions/0 1 failed',
        '/1/functions/0/conditions/0/functions/0 1 failed',
      ]);
      expect(await replay(body)).toMatchObject({
        state: 'failed',
        error: { message: 'com.platform.function.fail failed: two is too many', path: body.steps.at(-1)!.path },
      });
    });

    it('that was queued is recorded, too', async () => {
      const id = await created(platform, FAILING);
      await platform.ask(`${APP}/actions/${id}/run`, { body: {} });
      const record = await vi.waitFor(
        async () => {
          const { logs } = (await platform.ask<LogList>(`${APP}/logs?id=${id}`)).body;
          expect(logs).toHaveLength(1);
          return logs[0]!;
        },
        { timeout: 20_000, interval: 50 },
      );
      expect((await recordingOf(platform, record)).body.end.state).toBe('failed');
    });

    if (isExhaustive())
      it('whose result is too large has a recording that completes', async () => {
        const small = await startForTest({ databaseUrl: await url(), limits: { result: 10 } });
        const id = await created(small, [step('return-string', { message: 'longer than ten bytes' })]);
        const record = await recordOf(small, id);
        expect(record.data!.result).toMatchObject({ errorType: 'RESULT_TOO_LARGE' });
        expect((await recordingOf(small, record)).body.end).toEqual({
          state: 'completed',
          result: 'longer than ten bytes',
        });
      });
  });

  it('a completed run is recorded only on request', async () => {
    const id = await created(platform, [step('return-string', { message: 'x' })]);
    const record = await recordOf(platform, id);
    expect(record).not.toHaveProperty('hasRecording');
    expect((await recordingOf(platform, record)).body).toMatchObject({
      error: 'NOT_FOUND',
      message: `Log record ${record.id} has no recording: it wasn’t asked for, or newer recordings have replaced it.`,
      hint: expect.stringContaining('record: true'),
    });
    const recorded = await recordOf(platform, id, { record: true });
    expect(recorded).toMatchObject({ type: 'app.action.completed', hasRecording: true });
    const { body } = await recordingOf(platform, recorded);
    expect(await replay(body)).toEqual({ state: 'completed', result: 'x' });
  });

  describe('a run that was stopped', () => {
    let stopping: TestPlatform;
    beforeAll(async () => {
      stopping = await start({
        databaseUrl: await url(),
        functions: await packagesFolder(PACKAGES),
        limits: { time: 1_500 },
        hasRunProcesses: true,
      });
    });
    afterAll(() => stopping.close());

    it('has a recording until then, with its open steps as stopped', async () => {
      const id = await created(stopping, [
        step('return-string', { message: 'x' }),
        { type: 'loop', range: { from: 1, to: 2 }, functions: [step('wait', { ms: 60_000 })] },
      ]);
      const record = await recordOf(stopping, id);
      expect(record).toMatchObject({ data: { result: { errorType: 'TIMEOUT' } }, hasRecording: true });
      const { body } = await recordingOf(stopping, record);
      expect(body.end).toEqual({ state: 'interrupted' });
      expect(body.steps.map(({ path, state }) => `${path} ${state}`)).toEqual([
        '/0 completed',
        '/1 stopped',
        '/1/functions/0 stopped',
      ]);
      expect(await replay(body)).toEqual({ state: 'stopped' });
    });

    if (isExhaustive())
      it('in a loop of short steps has one, too', async () => {
        const functions = [step('return-string', { message: '{{currentItem}}' })];
        const id = await created(stopping, [{ type: 'loop', range: { from: 1, to: 1e9 }, functions }]);
        const record = await recordOf(stopping, id);
        expect(record).toMatchObject({ data: { result: { errorType: 'TIMEOUT' } }, hasRecording: true });
        const { body } = await recordingOf(stopping, record);
        expect(body.end.state).toBe('interrupted');
        expect(body.steps.length).toBeGreaterThan(1);
        expect(await replay(body)).toEqual({ state: 'stopped' });
      });

    it('has none if its process didn’t respond any more, and the response says why', async () => {
      const id = await created(stopping, [{ functionPackage: 'test.blocks' }]);
      const record = await recordOf(stopping, id);
      expect(record.data!.result).toMatchObject({ errorType: 'TIMEOUT' });
      expect(record).not.toHaveProperty('hasRecording');
      expect((await recordingOf(stopping, record)).body).toMatchObject({
        error: 'NOT_FOUND',
        message: expect.stringContaining('has no recording: the run’s process didn’t respond'),
      });
    });
  });

  it('is compressed for clients that accept it', async () => {
    const record = await recordOf(platform, await created(platform, FAILING));
    const path = `${platform.baseUrl}${APP}/logs/${record.id}/recording`;
    const compressed = await rawRequest(path, { 'auth-token': platform.authToken, 'accept-encoding': 'br, gzip' });
    expect(compressed.headers).toMatchObject({ 'content-encoding': 'gzip', vary: 'Accept-Encoding' });
    for (const accepts of ['identity', 'gzip;q=0', 'br']) {
      const plain = await rawRequest(path, { 'auth-token': platform.authToken, 'accept-encoding': accepts });
      expect(plain.headers).not.toHaveProperty('content-encoding');
      expect(plain.body).toEqual(gunzipSync(compressed.body));
    }
  });
});
