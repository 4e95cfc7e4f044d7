/** Kills a platform while it makes changes that have a key, and repeats them. */
import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'vitest';
import type { LogList } from '../../../lib/platform-api/index.ts';
import type { TestDatabases } from './databases.ts';
import { temporaryFolder } from './platform.ts';
import { command, end, TOKEN } from './processes.ts';

/** @param delays how long after the changes were sent the platform is killed, in milliseconds, one for each round */
export async function killWhileChanging({ kind, url }: TestDatabases, delays: readonly number[]): Promise<void> {
  const databaseUrl = await url();
  const env = databaseUrl === undefined ? {} : { DATABASE_URL: databaseUrl };
  const folder = databaseUrl === undefined ? join(await temporaryFolder(), 'data') : null;
  const data = folder === null ? [] : ['--data', folder];
  const startCommand = () => command(['--port', '0', '--json', ...data], env);
  let platform = await startCommand();
  const post = (path: string, body: unknown, key: string) =>
    fetch(`${platform.baseUrl}/v1/${path}`, {
      method: 'POST',
      headers: { 'auth-token': TOKEN, 'content-type': 'application/json', 'idempotency-key': key },
      body: JSON.stringify(body),
    });
  for (const [round, delay] of delays.entries()) {
    const repeated = (): Promise<unknown>[] => [
      post('apps/101/logs', { type: 'killed', data: { round } }, `log ${round}`),
      post('apps/101/publish', { release: { type: 'silent', changelog: 'Killed' } }, `publish ${round}`),
    ];
    const first = Promise.allSettled(repeated());
    await pause(delay);
    await end(platform, 'SIGKILL');
    await first;
    // The next process takes over the lock of the killed one at once.
    if (folder !== null) await expect(access(join(folder, 'data.lock'))).resolves.toBeUndefined();
    platform = await startCommand();
    await Promise.all(repeated());
  }
  const count = async (type: string): Promise<number> => {
    const where = encodeURIComponent(JSON.stringify({ type }));
    const response = await fetch(`${platform.baseUrl}/v1/apps/101/logs?where=${where}`, {
      headers: { 'auth-token': TOKEN },
    });
    return ((await response.json()) as LogList).count;
  };
  expect([kind, await count('killed'), await count('app.publish')]).toEqual([kind, delays.length, delays.length]);
}
