/** Reads and replaces small JSON files: the user’s configuration, and what is remembered beside an app’s files. */
import { randomUUID } from 'node:crypto';
import { mkdir, readFile, rename, rm, rmdir, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import * as v from 'valibot';
import { makeFolder } from '../../local-platform/make-folder.ts';
import { realPathIn } from '../../local-platform/real-path.ts';
import { CodedError } from '../../platform-api/coded-error.ts';
import { commandSignal } from '../command/signal.ts';
import { notRead, notWritten, replaceFile, requireReplaceable } from '../files.ts';

export interface JsonFile<T> {
  path: string;
  schema: v.GenericSchema<unknown, T>;
  /** The code when the content can’t be used. */
  code: 'CONFIG_INVALID' | 'TOKENS_INVALID' | 'PROJECT_INVALID' | 'SYNC_STATE_INVALID';
  empty: T;
  /** Whether others than its owner may read it. It’s in a repository then, so that no link may lead out of its folder. */
  isShared?: boolean;
}

/** What a missing file means is `empty`. @throws CodedError `code`, `FILE_NOT_READ` */
export async function readJsonFile<T>({ path, schema, code, empty, isShared }: JsonFile<T>): Promise<T> {
  if (isShared && (await realPathIn(dirname(path), path)) === null)
    throw notRead(path, 'a link leads out of its folder.', 'Remove the link.');
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw notRead(path, error, 'Check the file and who may read it.');
  });
  if (text === null) return empty;
  const value = parseJson(text);
  const parsed = v.safeParse(schema, value);
  if (parsed.success) return parsed.output;
  const [issue] = parsed.issues;
  const place = v.getDotPath(issue);
  throw new CodedError({
    code,
    message: `Couldn’t use ${path}: ${value === undefined ? 'it isn’t JSON.' : `${place ? `${place}: ` : ''}${issue.message}`}`,
    hint: 'Correct the file, or remove it to start again.',
  });
}

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch {
    return undefined;
  }
};

/**
 * Replaces the file in one step with the changed content. Only its owner can read it, unless it’s shared. Two processes
 * change it one after the other.
 * @throws CodedError as `readJsonFile`, and `FILES_NOT_WRITTEN`
 */
export async function changeJsonFile<T>(file: JsonFile<T>, change: (value: T) => T): Promise<void> {
  const { path, isShared = false } = file;
  const signal = commandSignal.getStore();
  // A command that was interrupted before still stores what it has done.
  const interrupted = signal?.aborted ? undefined : signal;
  const options = { isPrivate: !isShared, within: isShared ? dirname(path) : undefined };
  try {
    await makeFolder(dirname(path), isShared ? 0o777 : 0o700);
    const { target } = await requireReplaceable(path, options);
    while (!(await changeOnce(file, change, await lockFile(target, isShared ? 0o666 : 0o600, interrupted), options)));
  } catch (error) {
    throw notWritten(path, error);
  }
}

/** Resolves with false if the lock was lost, while this process was suspended. Then nothing is changed. */
async function changeOnce<T>(
  file: JsonFile<T>,
  change: (value: T) => T,
  draft: string,
  options: { isPrivate: boolean; within: string | undefined },
): Promise<boolean> {
  try {
    const text = `${JSON.stringify(change(await readJsonFile(file)), null, 2)}\n`;
    await replaceFile(file.path, text, { ...options, draft });
    return true;
  } catch (error) {
    const { code, path } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' && path === draft) return false;
    throw error;
  } finally {
    await rm(draft, { force: true });
    // Another process’s lock isn’t empty.
    await rmdir(dirname(draft)).catch(() => undefined);
  }
}

/** In milliseconds. Changes take a few of them, so an older lock is of a process that was killed or suspended. */
const STALE_AFTER = 5_000;
const RETRY_AFTER = 50;
/** How often, until a lock counts as one that doesn’t end. */
const RETRIES = 300;

/**
 * Locks the file with a folder that contains its draft. Moving the draft to its place works only while the lock is ours,
 * also after a suspension.
 * @param mode of the draft
 * @param signal ends a wait
 * @returns the path of the draft
 * @throws CodedError `FILES_NOT_WRITTEN`
 */
async function lockFile(path: string, mode: number, signal: AbortSignal | undefined): Promise<string> {
  const lock = `${path}.lock`;
  for (let retries = 0; ; retries++) {
    const draft = (await isTaken(lock)) ? null : await makeLock(lock, mode);
    if (draft !== null) return draft;
    if (retries === RETRIES || signal?.aborted)
      throw notWritten(
        path,
        'another process is changing it.',
        `Try again. If no other command is running, remove ${lock}.`,
      );
    await setTimeout(RETRY_AFTER, undefined, signal ? { signal } : {}).catch(() => undefined);
  }
}

/** Null if another process has it. */
async function makeLock(lock: string, mode: number): Promise<string | null> {
  const folder = `${lock}-${randomUUID()}`;
  const draft = `${randomUUID()}.draft`;
  await mkdir(folder, 0o700);
  try {
    await writeFile(join(folder, draft), '', { flag: 'wx', mode });
    await rename(folder, lock);
    return join(lock, draft);
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    if (EXISTS.has((error as NodeJS.ErrnoException).code)) return null;
    throw error;
  }
}

/** Why a folder can’t replace another one. The last two are of Windows. */
const EXISTS: ReadonlySet<string | undefined> = new Set(['ENOTEMPTY', 'EEXIST', 'EPERM', 'EACCES']);

/** Removes a lock that is too old, or too far in the future, because the clock was set back since then. */
async function isTaken(lock: string): Promise<boolean> {
  const found = await stat(lock).catch(() => null);
  if (!found) return false;
  if (!found.isDirectory() || Math.abs(Date.now() - found.mtimeMs) < STALE_AFTER) return true;
  const removed = `${lock}-${randomUUID()}`;
  await rename(lock, removed).then(
    () => rm(removed, { recursive: true, force: true }),
    () => undefined,
  );
  return false;
}

/** What other users of this machine can do with a file. On Windows, the user’s folder protects it instead of modes. */
export async function accessOfOthers(path: string): Promise<'none' | 'read' | 'write'> {
  if (process.platform === 'win32') return 'none';
  const mode = await stat(path).then(
    (info) => info.mode,
    () => 0,
  );
  return mode & 0o022 ? 'write' : mode & 0o044 ? 'read' : 'none';
}
