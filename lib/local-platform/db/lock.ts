/**
 * Locks a data folder. PGlite doesn’t, and rows are lost when two processes use the same folder. On one machine, the
 * operating system has the lock until the process ends, even while that is suspended. Another machine might not see it,
 * and some file systems have no locks. There, a process counts as ended when it doesn’t renew the times of its files.
 */
import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { access, constants, mkdir, open, readFile, rm, rmdir, stat, utimes, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { setTimeout as delay } from 'node:timers/promises';
import { makeFolder } from '../make-folder.ts';
import { StartProblem } from '../problem.ts';

/** In milliseconds. */
export interface LockTimes {
  /** How often a process shows that it lives. */
  renew: number;
  /** Without that for so long, a process on another machine has ended. Creating a database can block one for seconds. */
  stale: number;
}
const TIMES: LockTimes = { renew: 3_000, stale: 15_000 };

/** The operating system’s lock. Stays in the folder, because removing it would let two processes lock two files. */
const LOCK_FILE = 'lock';
const OWNER_FILE = 'owner';
/** An empty folder, which older versions respect too. */
const MARK = 'data.lock';
/** What locking can leave behind in the folder. Older versions had the last one. */
export const LOCK_FILES = [LOCK_FILE, OWNER_FILE, MARK, 'gate.lock'];
/** What SQLite would read with the lock’s file, though it writes none. One names other files, which it would remove. */
export const JOURNALS = ['-journal', '-wal', '-shm'].map((end) => LOCK_FILE + end);

export interface FolderLock {
  /**
   * Whether this process still has the folder, which it can lose while its machine sleeps, or by hand. If not, leave the
   * folder alone. As of the last `renew` milliseconds.
   */
  isOurs(): boolean;
  /** As of now. */
  verify(): boolean;
  /** Unlocks the folder, unless it’s no longer ours. */
  release(): Promise<void>;
}

export interface LockOptions {
  /** Called once when the folder is no longer ours. */
  onLost?: ((problem: StartProblem) => void) | undefined;
  /** Called with a sentence before a wait for a process that might still have the folder. */
  onWait?: ((sentence: string) => void) | undefined;
  /** Ends that wait. */
  signal?: AbortSignal | undefined;
  times?: LockTimes;
}

/**
 * Locks the folder for this process.
 * @throws StartProblem when another running process has the lock, and the reason of the signal
 */
export async function lockFolder(folder: string, options: LockOptions = {}): Promise<FolderLock> {
  const { onLost = () => {}, times = TIMES } = options;
  // Other users of this machine must not read the data.
  await makeFolder(folder, 0o700);
  await access(folder, constants.W_OK | constants.X_OK);
  const file = await lockFile(folder);
  if (file === 'taken') throw inUse(folder, await readOwner(folder));
  try {
    await claim(folder, file !== null, { ...options, times });
    const owner = await writeOwner(folder).catch(async (error: unknown) => {
      await rmdir(join(folder, MARK));
      throw error;
    });
    return new OwnLock({ folder, file, onLost, times, owner });
  } catch (error) {
    file?.close();
    options.signal?.throwIfAborted();
    throw error;
  }
}

interface OwnLockOptions {
  folder: string;
  /** Null on a file system without locks. */
  file: DatabaseSync | null;
  onLost: (problem: StartProblem) => void;
  times: LockTimes;
  /** The content of the owner’s file. */
  owner: string;
}

class OwnLock implements FolderLock {
  readonly #options: OwnLockOptions;
  readonly #timer: NodeJS.Timeout;
  readonly #inode: number;
  #state: 'ours' | 'lost' | 'released' = 'ours';
  /** By two clocks: one stands still while the machine sleeps, the other one can be set back. */
  #verifiedAt = [Date.now(), performance.now()] as const;

  constructor(options: OwnLockOptions) {
    this.#options = options;
    this.#inode = statSync(this.#path(LOCK_FILE)).ino;
    this.#timer = setInterval(() => void this.#renew(), options.times.renew).unref();
  }

  isOurs(): boolean {
    const { renew } = this.#options.times;
    const [wall, monotonic] = this.#verifiedAt;
    const isRecent = Math.abs(Date.now() - wall) < renew && performance.now() - monotonic < renew;
    return isRecent ? this.#state === 'ours' : this.verify();
  }

  verify(): boolean {
    if (this.#state !== 'ours') return false;
    try {
      const isOurs =
        readFileSync(this.#path(OWNER_FILE), 'utf8') === this.#options.owner &&
        statSync(this.#path(LOCK_FILE)).ino === this.#inode &&
        existsSync(this.#path(MARK));
      if (!isOurs) return this.#lose();
      this.#verifiedAt = [Date.now(), performance.now()];
    } catch (error) {
      // Any other error, such as too many open files, shows nothing.
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return this.#lose();
    }
    return true;
  }

  async release(): Promise<void> {
    clearInterval(this.#timer);
    if (this.verify()) {
      await rm(this.#path(OWNER_FILE), { force: true });
      await rmdir(this.#path(MARK)).catch(() => undefined);
    }
    if (this.#state !== 'released') this.#options.file?.close();
    this.#state = 'released';
  }

  async #renew(): Promise<void> {
    if (this.verify()) await renew(this.#options.folder).catch(() => undefined);
  }

  #lose(): false {
    const { folder, onLost } = this.#options;
    this.#state = 'lost';
    clearInterval(this.#timer);
    onLost(
      new StartProblem(
        `The platform stopped, because another process took over the data folder ${folder}, or its lock was removed.`,
        'Start the platform again when no other process uses the folder.',
      ),
    );
    return false;
  }

  #path(name: string): string {
    return join(this.#options.folder, name);
  }
}

/** Locks the folder’s file. Null if the file system has no locks: then it has none for a new file, either. */
async function lockFile(folder: string): Promise<DatabaseSync | 'taken' | null> {
  try {
    return await lockedFile(join(folder, LOCK_FILE));
  } catch (error) {
    if (!NOT_LOCKED.has(codeOf(error))) throw error;
  }
  const probe = join(folder, `${LOCK_FILE}-${randomUUID()}`);
  try {
    (await lockedFile(probe)).close();
    return 'taken';
  } catch (error) {
    if (NOT_LOCKED.has(codeOf(error))) return null;
    throw error;
  } finally {
    await rm(probe, { force: true });
  }
}

/** SQLITE_PERM, SQLITE_BUSY, and SQLITE_IOERR: which one it is depends on the operating system’s error. */
const NOT_LOCKED: ReadonlySet<number> = new Set([3, 5, 10]);
/** Without what extended codes add to it. */
const codeOf = (error: unknown): number => ((error as { errcode?: number }).errcode ?? 0) & 0xff;

/**
 * Locks the file until this process ends or closes it. Node has no other lock that ends with its process, on every
 * system. Nothing is stored in the file. Don’t open it otherwise: on Unix, closing it would unlock it.
 * @throws an error of SQLite
 */
async function lockedFile(path: string): Promise<DatabaseSync> {
  const { DatabaseSync } = await import('node:sqlite');
  const file = new DatabaseSync(path, { timeout: 0 });
  try {
    file.exec('PRAGMA journal_mode = MEMORY');
    file.exec('BEGIN EXCLUSIVE');
    return file;
  } catch (error) {
    file.close();
    throw error;
  }
}

type ClaimOptions = LockOptions & { times: LockTimes };

/** Makes the folder ours, once no other process has it. @throws StartProblem */
async function claim(folder: string, isLocked: boolean, options: ClaimOptions): Promise<void> {
  const owner = await readOwner(folder);
  const isRunning = owner ? isAlive(owner) : undefined;
  if (isRunning) throw inUse(folder, owner);
  const isMade = await mkdir(join(folder, MARK)).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'EEXIST') return false;
      throw error;
    },
  );
  if (isMade) return;
  // Without the lock, the owner can also run in another container, where its ID is another one.
  if (isRunning === undefined || !isLocked) await takeOver(folder, owner, options);
  await renew(folder, [MARK]);
}

/** Waits until the owner has certainly ended, by its signs alone: the clocks of two machines can differ. @throws StartProblem */
async function takeOver(folder: string, owner: Owner | null, options: ClaimOptions): Promise<void> {
  const { onWait, signal, times } = options;
  const who = owner ? nameOf(owner) : 'another process';
  onWait?.(`Waiting ${times.stale / 1000} s to check if ${who} still uses the data folder ${folder}.`);
  const pause = (): Promise<void> => delay(times.stale / 15, undefined, signal ? { signal } : {});
  const sign = await lastSign(folder);
  for (const until = performance.now() + times.stale; performance.now() < until;) {
    await pause();
    if ((await lastSign(folder)) !== sign) throw inUse(folder, await readOwner(folder));
  }
  // Of two processes that have waited, the last one gets it.
  const ours = await writeOwner(folder);
  await pause();
  if ((await readFile(join(folder, OWNER_FILE), 'utf8')) !== ours) throw inUse(folder, await readOwner(folder));
}

/** Opens what it looks at, because network file systems have a cache of times. Older versions renew only the mark. */
async function lastSign(folder: string): Promise<string> {
  const times = [MARK, OWNER_FILE].map(async (name) => {
    const path = join(folder, name);
    const handle = await open(path).catch(() => null);
    const { mtimeMs = 0 } = (await (handle ? handle.stat() : stat(path)).catch(() => null)) ?? {};
    await handle?.close();
    return mtimeMs;
  });
  return (await Promise.all(times)).join(' ');
}

/** Shows others that this process lives. */
async function renew(folder: string, names = [MARK, OWNER_FILE]): Promise<void> {
  const now = new Date();
  await Promise.all(names.map((name) => utimes(join(folder, name), now, now)));
}

interface Owner {
  pid: number;
  host: string;
  /** The ID that Linux has given itself at its start. */
  boot?: string | undefined;
  /** When the process started, in ticks since then. Null if it’s unknown. Older versions don’t write it. */
  started?: string | null | undefined;
}

/** Resolves with its content, which is another one each time. */
async function writeOwner(folder: string): Promise<string> {
  const { pid } = process;
  const owner: Owner = { pid, host: hostname(), boot: bootId(), started: startOf(pid) };
  const content = JSON.stringify({ ...owner, lock: randomUUID() });
  await writeFile(join(folder, OWNER_FILE), content);
  return content;
}

async function readOwner(folder: string): Promise<Owner | null> {
  try {
    const owner = JSON.parse(await readFile(join(folder, OWNER_FILE), 'utf8')) as Owner;
    return Number.isInteger(owner.pid) && typeof owner.host === 'string' ? owner : null;
  } catch {
    return null;
  }
}

/**
 * Whether the owner of a folder runs, though it hasn’t locked the file: older versions don’t, and the file can have been
 * removed. Undefined if it’s on another machine.
 */
function isAlive({ pid, host, boot, started }: Owner): boolean | undefined {
  const own = bootId();
  const isHere = boot === undefined || own === undefined ? host === hostname() : boot === own;
  if (!isHere) return undefined;
  if (pid === process.pid || started === null) return false;
  if (started !== undefined) return startOf(pid) === started;
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function bootId(): string | undefined {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  } catch {
    return undefined;
  }
}

/** Null if the process has ended, or the system doesn’t show it. */
function startOf(pid: number): string | null {
  try {
    // The name, in parentheses, can contain anything.
    const [, fields = ''] = /^.*\) (.*)$/s.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? [];
    const { 0: state, 19: started = null } = fields.split(' ');
    // A zombie has ended, but its parent doesn’t know yet.
    return state === 'Z' || state === 'X' ? null : started;
  } catch {
    return null;
  }
}

const nameOf = ({ pid, host }: Owner): string => `the process ${pid} on ${host}`;

function inUse(folder: string, owner: Owner | null): StartProblem {
  const who = owner ? ` by ${nameOf(owner)}` : '';
  return new StartProblem(
    `The data folder ${folder} is in use${who}.`,
    'Stop that process, or choose another folder with --data.',
  );
}
