/** Whose lock of a data folder counts, without a database. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { lockFolder } from '../../../lib/local-platform/db/lock.ts';

/** Far above the highest ID that systems give. */
const NO_PROCESS = 2 ** 30;

/** A folder that another process has locked a moment ago. */
async function lockedBy(owner: { pid: number; host: string }): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'lock-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  await mkdir(join(folder, 'data.lock'));
  await writeFile(join(folder, 'owner'), JSON.stringify(owner));
  return folder;
}

test('the lock of a process that has ended is taken over', async () => {
  const unlock = await lockFolder(await lockedBy({ pid: NO_PROCESS, host: hostname() }));
  await unlock();
});

test('the lock of a process on another machine isn’t, because nobody here knows whether it runs', async () => {
  const folder = await lockedBy({ pid: NO_PROCESS, host: `other-${hostname()}` });
  await expect(lockFolder(folder)).rejects.toThrow(`in use by the process ${NO_PROCESS} on other-${hostname()}.`);
});
