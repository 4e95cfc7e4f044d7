/**
 * `kill -9` of the platform, of a worker and of a runner at random moments: every queued run ends in exactly one log
 * record, and none completes twice.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'vitest';
import type { LogList } from '../../../lib/platform-api/index.ts';
import type { TestDatabases } from './databases.ts';
import { temporaryFolder } from './platform.ts';
import { ask, command, end, type Running } from './processes.ts';

/** Its last step writes an entry, so each completed run has left one. */
const MARK = `
/** The function mark: waits, and adds an entry. */
Platform.Functions.register('test.mark', async function (settings, context) {
  await new Promise((resolve) => setTimeout(resolve, 10 + Math.random() * 60));
  await Platform.request('data-sources/502/entries', { method: 'POST', body: { entries: [{ mark: context.n }] } });
  return context.n;
});`;

/** The run processes that are children of `parent`. */
function runnersOf(parent: number): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      try {
        const [, after] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ');
        return (
          Number(after!.split(' ')[1]) === parent &&
          readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('--permission')
        );
      } catch {
        return false;
      }
    });
}

const kill = (running: Running): Promise<unknown> => end(running, 'SIGKILL');
function killIfThere(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    // It ended after it was found and before it was killed.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
const any = <T>(all: readonly T[]): T | undefined => all[Math.floor(Math.random() * all.length)];

export interface KillRounds {
  runs: number;
  /** How many moments of kills there are before the last, when everything is killed. */
  kills: number;
  /** How many runs a platform without workers does at once. Default: 4. */
  concurrency?: number;
}

/** Queues runs while processes are killed, and checks what has become of them. */
export async function killRounds(
  { kind, url }: TestDatabases,
  { runs, kills, concurrency = 4 }: KillRounds,
): Promise<void> {
  const folder = await temporaryFolder();
  await writeFile(join(folder, 'mark.js'), MARK);
  const databaseUrl = await url();
  const env = databaseUrl === undefined ? {} : { DATABASE_URL: databaseUrl };
  const data = databaseUrl === undefined ? ['--data', join(await temporaryFolder(), 'data')] : [];
  const shared = kind === 'Postgres';
  const startPlatform = () =>
    command(
      ['--port', '0', '--json', '--functions', folder, '--concurrency', String(shared ? 1 : concurrency), ...data],
      env,
    );
  const startWorker = () => command(['--role', 'worker', '--functions', folder, '--concurrency', '2'], env);

  let platform = await startPlatform();
  const workers: Running[] = shared ? await Promise.all([startWorker(), startWorker()]) : [];
  await ask(platform.baseUrl, 'apps/101/actions', {
    name: 'mark',
    environment: 'server',
    functions: [{ functionPackage: 'test.mark' }],
  });

  const queued: string[] = [];
  const every = Math.floor(runs / kills);
  for (let n = 0; n < runs; n += 1) {
    // A missing response doesn’t show whether the run was queued.
    const run = await ask<{ runId: string }>(platform.baseUrl, 'apps/101/actions/mark/run', { payload: { n } }).catch(
      () => null,
    );
    if (run) queued.push(run.runId);
    if (n % every !== Math.floor(every / 2)) continue;
    await pause(Math.random() * 150);
    const phase = Math.floor(n / every) % 3;
    if (phase === 0) {
      await kill(platform);
      platform = await startPlatform();
    } else if (phase === 1 && shared) {
      await kill(workers.shift()!);
      workers.push(await startWorker());
    } else {
      const runner = any([platform, ...workers].flatMap(({ child }) => runnersOf(child.pid!)));
      if (runner !== undefined) killIfThere(runner);
    }
  }
  // Once more, killing all of them at the same moment.
  await Promise.all([platform, ...workers].map(kill));
  platform = await startPlatform();
  if (shared) workers.push(await startWorker());

  const records = async (): Promise<LogList['logs']> =>
    (await ask<LogList>(platform.baseUrl, 'apps/101/logs?limit=1000')).logs.filter(
      ({ data }) => data!.runId !== undefined,
    );
  const until = Date.now() + 60_000;
  let found = await records();
  while (!queued.every((runId) => found.some(({ data }) => data!.runId === runId))) {
    if (Date.now() > until) break;
    await pause(100);
    found = await records();
  }
  const perRun = Map.groupBy(found, ({ data }) => data!.runId as string);
  expect(queued.filter((runId) => !perRun.has(runId))).toEqual([]);
  expect([...perRun.values()].filter((all) => all.length !== 1)).toEqual([]);
  expect(queued.length).toBeGreaterThan(runs / 2);

  const { entries } = await ask<{ entries: { data: { mark?: number } }[] }>(
    platform.baseUrl,
    'data-sources/502/entries',
  );
  const marks = entries.flatMap(({ data: { mark } }) => (mark === undefined ? [] : [mark]));
  expect(marks.length).toBe(new Set(marks).size);
  // A run that is logged as completed really ran to its end.
  const completed = found.filter(({ type }) => type === 'app.action.completed').length;
  expect(completed).toBeGreaterThan(runs / 4);
  expect(marks.length).toBeGreaterThanOrEqual(completed);
  await Promise.all([platform, ...workers].map(kill));
}
