/**
 * Tests runs of pages that were closed during the run: each still ends in exactly one log record (decisions,
 * "Actions").
 */
import { expect, it, onTestFinished } from 'vitest';
import { beginPageRun, endLostPageRuns, endPageRun } from '../../lib/local-platform/apps/actions/page-runs.ts';
import type { RunRequest } from '../../lib/local-platform/jobs/types.ts';
import { listLogs } from '../../lib/local-platform/logs/read.ts';
import { createWriteRunLog } from '../../lib/local-platform/logs/run-log.ts';
import { createLogs } from '../../lib/local-platform/logs/write.ts';
import { pooledDatabase } from './support/pooled-database.ts';

const REQUEST: RunRequest = {
  appId: 102,
  actionId: 1103,
  actionName: 'count-page-views',
  trigger: 'analytics',
  mode: 'on-demand',
  copy: 'working',
  pipeline: [],
  pageId: null,
  payload: { a: 1 },
  depth: 0,
};

it('fail with TIMEOUT long after the time limit, and not before', async () => {
  const { db, close } = await pooledDatabase();
  onTestFinished(close);
  let now = Date.parse('2026-11-20T12:00:00Z');
  const clock = (): Date => new Date(now);
  const logs = createLogs(() => Promise.reject(new Error('Nothing is fired here.')), clock);
  const writeRunLog = createWriteRunLog(logs, { virtual: false, now: clock, moveTo: () => {} });
  const stored = { db, clock, limits: { payload: 2048, time: 120_000, result: 1000, entries: 1, data: 1 } };
  const list = () => listLogs(db, 102, { id: 1103, before: null });

  const lost = await beginPageRun(stored, REQUEST, 'analytics');
  const ended = await beginPageRun(stored, REQUEST, 'analytics');
  await endPageRun(stored, writeRunLog, 102, ended.runId, { state: 'completed', milliseconds: 5 });

  now += 149_000;
  await endLostPageRuns(stored, writeRunLog);
  expect((await list()).count).toBe(1);

  now += 2_000;
  await Promise.all([endLostPageRuns(stored, writeRunLog), endLostPageRuns(stored, writeRunLog)]);
  const { count, logs: records } = await list();
  expect(count).toBe(2);
  expect(records[0]).toMatchObject({
    type: 'app.task.failed',
    data: {
      runId: lost.runId,
      duration: 120_000,
      payload: { a: 1 },
      result: { errorType: 'TIMEOUT', errorMessage: expect.stringContaining('closed') },
    },
  });
  await expect(
    endPageRun(stored, writeRunLog, 102, lost.runId, { state: 'completed', milliseconds: 1 }),
  ).rejects.toMatchObject({ status: 409, code: 'RUN_ENDED' });
});
