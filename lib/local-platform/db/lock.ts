/** Owns the lock on a data folder: PGlite has none of its own, and two processes on one folder lose rows. */
import { mkdir, readFile, rm, rmdir, stat, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { dirname, join } from 'node:path';
import lockfile from 'proper-lockfile';
import { StartProblem } from '../problem.ts';

/** A lock that nobody renews for this long is free; creating a database can block a process for seconds. */
const STALE_AFTER = 15_000;

/** What taking the lock may leave in the folder. */
export const LOCK_FILES = ['owner', 'data.lock', 'gate.lock'];

/**
 * Takes the folder for this process and answers how to give it back. `onLost` is told when another process took it over, which
 * can happen after the machine slept.
 * @throws StartProblem when a living process holds it
 */
export async function lockFolder(
  folder: string,
  onLost: (error: Error) => void = () => {},
): Promise<() => Promise<void>> {
  await makeFolder(folder);
  // One process at a time decides who owns the folder, so that two cannot both clear away a dead owner's lock.
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
          `The data folder ${folder} is in use${who}; stop that one first, or start with another --data folder.`,
        );
      });
    await writeFile(ownerFile, JSON.stringify({ pid: process.pid, host: hostname() }));
    return async () => {
      await rm(ownerFile, { force: true });
      // Already lost to another process, or removed by hand: there is nothing left to give back.
      await release().catch(() => undefined);
    };
  } finally {
    await leave();
  }
}

/** As `mkdir` with `recursive`, which never ends where a parent that exists takes no folder, such as /proc. */
async function makeFolder(folder: string, withParents = true): Promise<void> {
  // What people do with their apps is for nobody else on this machine to read.
  const error = await mkdir(folder, 0o700).then(
    () => null,
    (thrown: NodeJS.ErrnoException) => thrown,
  );
  if (
    !error ||
    (await stat(folder).then(
      (found) => found.isDirectory(),
      () => false,
    ))
  )
    return;
  if (error.code !== 'ENOENT' || !withParents) throw error;
  await makeFolder(dirname(folder));
  await makeFolder(folder, false);
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

/** A process of another machine cannot be asked: it counts as alive, and only its silence frees the lock. */
function isAlive({ pid, host }: Owner): boolean {
  if (host !== hostname()) return true;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
