/** Whose lock of a data folder counts, without a database. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, rm, rmdir, unlink, utimes, writeFile } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { lockFolder } from '../../../lib/local-platform/db/lock.ts';

/** Far above the highest ID that systems give. */
const NO_PROCESS = 2 ** 30;
/** Long enough for a busy machine to renew a lock, and short enough to wait for. */
const times = { renew: 20, stale: 300 };
const OTHER_MACHINE = { pid: 1, host: `other-${hostname()}`, boot: 'another', started: '1' };
const HOUR = 3_600_000;

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'lock-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  return folder;
}

/** A folder whose owner was there this many milliseconds ago. It hasn’t locked the file. */
async function lockedBy(owner: object | string, ago = 0): Promise<string> {
  const folder = await newFolder();
  await mkdir(join(folder, 'data.lock'));
  await writeFile(join(folder, 'owner'), typeof owner === 'string' ? owner : JSON.stringify(owner));
  await showSign(folder, ago);
  return folder;
}

async function showSign(folder: string, ago: number): Promise<void> {
  const time = new Date(Date.now() - ago);
  for (const name of ['data.lock', 'owner']) await utimes(join(folder, name), time, time);
}

async function otherProcess(): Promise<ChildProcess & { pid: number }> {
  const child = spawn(process.execPath, ['-e', 'console.log(); setInterval(() => {}, 1000)'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  await once(child.stdout, 'data');
  return Object.assign(child, { pid: child.pid! });
}

/** What a process that locks the folder writes about itself. */
async function ownOwner(): Promise<{ boot: string; started: string }> {
  const folder = await newFolder();
  const lock = await lockFolder(folder);
  const owner = JSON.parse(await readFile(join(folder, 'owner'), 'utf8')) as { boot: string; started: string };
  await lock.release();
  return owner;
}

describe('the lock of a process on this machine', () => {
  test('that has ended is taken over at once, even right after it was renewed', async () => {
    for (const owner of [
      { pid: NO_PROCESS, host: hostname() },
      { ...(await ownOwner()), pid: NO_PROCESS },
    ]) {
      const lock = await lockFolder(await lockedBy(owner));
      expect(lock.verify()).toBe(true);
      await lock.release();
    }
  });

  test('is never taken over while the process lives, however long it hasn’t been renewed', async () => {
    const { pid } = await otherProcess();
    const folder = await lockedBy({ pid, host: hostname() }, HOUR);
    await expect(lockFolder(folder, { times })).rejects.toThrow(`in use by the process ${pid} on ${hostname()}.`);
  });

  test('is taken over if another process has got its ID, such as process 1 of a container that starts again', async () => {
    const { pid } = await otherProcess();
    for (const each of [pid, process.pid]) {
      const lock = await lockFolder(await lockedBy({ ...(await ownOwner()), pid: each, started: '1' }));
      expect(lock.verify()).toBe(true);
      await lock.release();
    }
    await (await lockFolder(await lockedBy({ pid: process.pid, host: hostname() }))).release();
  });

  test('is taken over from a zombie, whose parent hasn’t noticed that it ended', async () => {
    // The second `sleep` replaces the shell, and notices nothing.
    const parent = spawn('sh', ['-c', 'sleep 1000 & echo $!; exec sleep 1000'], {
      stdio: ['ignore', 'pipe', 'ignore'],
      detached: true,
    });
    onTestFinished(() => void process.kill(-parent.pid!, 'SIGKILL'));
    const [line] = (await once(parent.stdout, 'data')) as [Buffer];
    const pid = Number(line.toString());
    // Until `sleep` has replaced it, the shell would notice the end, and leave no zombie.
    await expect.poll(() => readFile(`/proc/${parent.pid}/comm`, 'utf8')).toBe('sleep\n');
    const stat = () => readFile(`/proc/${pid}/stat`, 'utf8');
    const started = (await stat()).split(') ')[1]!.split(' ')[19]!;
    const owner = { ...(await ownOwner()), pid, started };
    await expect(lockFolder(await lockedBy(owner))).rejects.toThrow(`in use by the process ${pid}`);
    process.kill(pid, 'SIGKILL');
    await expect.poll(stat).toContain(') Z ');
    await (await lockFolder(await lockedBy(owner))).release();
  });

  test('is held by the operating system, also where its ID isn’t known, as in two containers', async () => {
    const folder = await newFolder();
    const { href } = new URL('../../../lib/local-platform/db/lock.ts', import.meta.url);
    const script = `import { lockFolder } from ${JSON.stringify(href)}; await lockFolder(${JSON.stringify(folder)}); console.log('locked'); setInterval(() => {}, 1000)`;
    const holder = spawn(process.execPath, ['--input-type=module', '-e', script], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    onTestFinished(() => void holder.kill('SIGKILL'));
    await once(holder.stdout, 'data');
    holder.kill('SIGSTOP');
    const owner = JSON.parse(await readFile(join(folder, 'owner'), 'utf8')) as object;
    await writeFile(join(folder, 'owner'), JSON.stringify({ ...owner, pid: NO_PROCESS }));
    await showSign(folder, HOUR);
    await expect(lockFolder(folder, { times })).rejects.toThrow(`in use by the process ${NO_PROCESS}`);
    const gone = once(holder, 'exit');
    holder.kill('SIGKILL');
    await gone;
    await (await lockFolder(folder, { times })).release();
  });

  test('is released with everything but its file, and can then be locked again', async () => {
    const folder = await newFolder();
    for (let round = 1; round <= 2; round += 1) {
      const lock = await lockFolder(folder);
      await expect(lockFolder(folder)).rejects.toThrow(`in use by the process ${process.pid}`);
      await lock.release();
      expect(lock.isOurs()).toBe(false);
      expect(await readdir(folder)).toEqual(['lock']);
    }
  });
});

describe('the lock of a process on another machine, or of an unknown one', () => {
  test.each([
    ['behind', HOUR],
    ['ahead', -HOUR],
  ])('isn’t taken over while it’s renewed by a clock that is %s', async (_, ago) => {
    const folder = await lockedBy(OTHER_MACHINE, ago);
    const timer = setInterval(() => void showSign(folder, ago), times.renew);
    onTestFinished(() => clearInterval(timer));
    await expect(lockFolder(folder, { times })).rejects.toThrow(`on ${OTHER_MACHINE.host}.`);
  });

  test.each([
    ['behind', OTHER_MACHINE, HOUR],
    ['ahead', OTHER_MACHINE, -HOUR],
    ['behind, and its owner is unknown', '', HOUR],
    ['equal, such as by this machine before it crashed a moment ago', { ...OTHER_MACHINE, host: hostname() }, 0],
  ])('is taken over if it isn’t renewed, by a clock that is %s', async (_, owner, ago) => {
    const lock = await lockFolder(await lockedBy(owner, ago), { times });
    expect(lock.verify()).toBe(true);
    await lock.release();
  });

  test.each([
    [OTHER_MACHINE, `the process 1 on ${OTHER_MACHINE.host}`],
    ['', 'another process'],
  ])('is waited for, which is said, until that is interrupted: the folder stays as it is', async (owner, who) => {
    const folder = await lockedBy(owner);
    const controller = new AbortController();
    const onWait = vi.fn(() => setImmediate(() => controller.abort(new Error('interrupted'))));
    const locked = lockFolder(folder, { onWait, signal: controller.signal });
    await expect(locked).rejects.toThrow('interrupted');
    expect(onWait.mock.calls).toEqual([[`Waiting 15 s to check if ${who} still uses the data folder ${folder}.`]]);
    expect(await readdir(folder)).toEqual(['data.lock', 'lock', 'owner']);
    await rmdir(join(folder, 'data.lock'));
    await (await lockFolder(folder)).release();
  });
});

// What SQLite says depends on what the operating system says: for ENOLCK as if the file were locked.
describe.each([
  ['SQLITE_BUSY', 5],
  ['SQLITE_IOERR_LOCK', 3850],
  ['SQLITE_PERM', 3],
])('on a file system without locks (%s), the lock of a folder', (_, errcode) => {
  beforeEach(() => {
    vi.spyOn(DatabaseSync.prototype, 'exec').mockImplementation(() => {
      throw Object.assign(new Error('no locks'), { errcode });
    });
    onTestFinished(() => void vi.restoreAllMocks());
  });

  test('is had by one process until it’s released', async () => {
    const folder = await newFolder();
    const lock = await lockFolder(folder, { times });
    await expect(lockFolder(folder, { times })).rejects.toThrow(`in use by the process ${process.pid}`);
    expect(lock.verify()).toBe(true);
    await lock.release();
    expect(await readdir(folder)).toEqual(['lock']);
    await (await lockFolder(folder, { times })).release();
  });

  test('isn’t taken over while its process lives, or one of an unknown ID, such as in another container', async () => {
    const { pid } = await otherProcess();
    await expect(lockFolder(await lockedBy({ pid, host: hostname() }, HOUR), { times })).rejects.toThrow('in use by');
    const folder = await lockedBy({ ...(await ownOwner()), pid: NO_PROCESS });
    const timer = setInterval(() => void showSign(folder, 0), times.renew);
    onTestFinished(() => clearInterval(timer));
    await expect(lockFolder(folder, { times })).rejects.toThrow('in use by');
    clearInterval(timer);
    await (await lockFolder(folder, { times })).release();
  });
});

describe('a process that has lost its lock', () => {
  test.each([
    ['another machine has taken it over', (folder: string) => writeFile(join(folder, 'owner'), '{"pid":1,"host":"o"}')],
    ['its owner was removed', (folder: string) => unlink(join(folder, 'owner'))],
    ['its file was removed', (folder: string) => unlink(join(folder, 'lock'))],
    ['the mark of older versions was removed', (folder: string) => rmdir(join(folder, 'data.lock'))],
  ])('hears once that %s, and leaves the folder as it is', async (_, take) => {
    const folder = await newFolder();
    const onLost = vi.fn();
    const lock = await lockFolder(folder, { onLost, times });
    await take(folder);
    const left = await readdir(folder);
    await expect.poll(() => onLost.mock.calls.length).toBe(1);
    expect(lock.isOurs()).toBe(false);
    await lock.release();
    expect(await readdir(folder)).toEqual(left);
    expect(onLost).toHaveBeenCalledOnce();
    expect(onLost.mock.calls[0]![0]).toMatchObject({
      message: `The platform stopped, because another process took over the data folder ${folder}, or its lock was removed.`,
    });
  });

  test('knows it before anything else after a suspension', async () => {
    const folder = await newFolder();
    const onLost = vi.fn();
    const lock = await lockFolder(folder, { onLost, times: { renew: HOUR, stale: HOUR } });
    await writeFile(join(folder, 'owner'), '{}');
    vi.spyOn(Date, 'now').mockReturnValue(Date.now() + HOUR);
    onTestFinished(() => void vi.restoreAllMocks());
    expect(lock.isOurs()).toBe(false);
    await lock.release();
  });
});
