/** Locks a data folder. PGlite doesn’t, and rows are lost when two processes use the same folder. */
import { readFile, rm, rmdir, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import lockfile from 'proper-lockfile';
import { makeFolder } from '../make-folder.ts';
import { StartProblem } from '../problem.ts';

/**
 * A lock that hasn’t been renewed for this many milliseconds counts as free. Creating a database can block a process
 * for seconds.
 */
const STALE_AFTER = 15_000;

/** Files that locking can leave behind in the folder. */
export const LOCK_FILES = ['owner', 'data.lock', 'gate.lock'];

/**
 * Locks the folder for this process, and returns a function that unlocks it. `onLost` is called when another process
 * takes over the lock, which can happen after the machine has slept.
 * @throws StartProblem when another running process has the lock
 */
export async function lockFolder(
  folder: string,
  onLost: (error: Error) => void = () => {},
): Promise<() => Promise<void>> {
  // Other users of this machine must not read the data.
  await makeFolder(folder, 0o700);
  // Only one process at a time checks the lock, so that two can’t both remove a dead owner’s lock.
  const leave = await lockfile.lock(join(folder, 'gate'), {
    realpath: false,
    stale: 5_000,
    retries: { retries: 40, minTimeout: 50, maxTimeout: 200 },
  });
  const ownerFile = join(folder, 'owner');
  try {
    const owner = await readOwner(ownerFile);
    if (owner && !isAlive(owner)) await rmdir(join(folder, 'data.lock')).catch(() => undefined);
    const release = await lockfile
      .lock(join(folder, 'data'), { realpath: false, stale: STALE_AFTER, update: 3_000, onCompromised: onLost })
      .catch(() => {
        const who = owner ? ` by the process ${owner.pid} on ${owner.host}` : '';
        throw new StartProblem(
          `The data folder ${folder} is in use${who}.`,
          'Stop that process, or choose another folder with --data.',
        );
      });
    await writeFile(ownerFile, JSON.stringify({ pid: process.pid, host: hostname() }));
    return async () => {
      await rm(ownerFile, { force: true });
      // The lock might have been lost to another process, or removed by hand.
      await release().catch(() => undefined);
    };
  } finally {
    await leave();
  }
}

interface Owner {
  pid: number;
  host: string;
}

async function readOwner(file: string): Promise<Owner | null> {
  try {
    const value: unknown = JSON.parse(await readFile(file, 'utf8'));
    const { pid, host } = value as Owner;
    return Number.isInteger(pid) && typeof host === 'string' ? { pid, host } : null;
  } catch {
    return null;
  }
}

/** We can’t check a process on another machine, so it counts as alive until its lock is stale. */
function isAlive({ pid, host }: Owner): boolean {
  if (host !== hostname()) return true;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
