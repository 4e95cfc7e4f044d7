/** `replay` and `explain` on the recordings that a platform stored. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { listLogs } from '../../lib/rest/index.ts';
import { type Ran, runCli } from '../support/run-cli.ts';
import { start, type TestPlatform } from './support/platform.ts';

let platform: TestPlatform;
let logId: number;
beforeAll(async () => {
  platform = await start();
  const failed = await platform.ask('/v1/apps/101/actions/1005/run-with-result?by=id', { body: { payload: {} } });
  expect(failed.status).toBe(424);
  const connection = { baseUrl: platform.baseUrl, token: platform.authToken };
  const { logs } = await listLogs(connection, { appId: 101, query: { id: 1005, limit: 1 } });
  logId = logs[0]!.id;
});
afterAll(() => platform?.close());

const cli = (args: string[], token = platform.authToken): Promise<Ran> =>
  runCli(args, { env: { PLATFORM_URL: platform.baseUrl, PLATFORM_TOKEN: token } });
const ofLog = (id: number | string): string[] => ['--app', '101', '--log', String(id)];

it('replays the recording of a log record', async () => {
  const { code, out } = await cli(['replay', ...ofLog(logId), '--json']);
  expect(code).toBe(0);
  expect(JSON.parse(out)).toEqual({
    replays: [
      {
        name: `log ${logId}`,
        outcome: 'same',
        steps: expect.any(Number),
        end: { state: 'failed', error: expect.objectContaining({ code: 'STEP_FAILED' }) },
      },
    ],
  });
});

it('explains it', async () => {
  const text = await cli(['explain', ...ofLog(logId)]);
  expect(text.out).toMatch(/^failed at \/1\/functions\/0\/conditions\/0\/functions\/0, iteration 12: /);
  const one = await cli(['explain', ...ofLog(logId), '--step', '/1/functions/0', '--iteration', '12', '--json']);
  expect(JSON.parse(one.out)).toMatchObject({
    explanation: { steps: [{ iteration: [11], branch: 0, conditions: [{ state: 'true' }] }] },
  });
});

it('has a code for a log record without a recording, a wrong ID, and a refused token', async () => {
  expect(await cli(['replay', ...ofLog(999_999)])).toMatchObject({
    code: 1,
    out: '',
    error: expect.stringMatching(/\([A-Z_]+\)\n$/),
  });
  expect(await cli(['replay', ...ofLog('first')])).toMatchObject({ code: 64 });
  expect(await cli(['explain', ...ofLog(logId)], 'unknown-token')).toMatchObject({
    code: 77,
    error: expect.stringContaining('(TOKEN_REFUSED)'),
  });
  expect(await runCli(['replay', '--app', '101', '--log', '1'])).toMatchObject({
    code: 77,
    error: expect.stringContaining('(TOKEN_MISSING)'),
  });
});
