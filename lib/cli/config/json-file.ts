/** Reads and replaces small JSON files: the user’s configuration, and what is remembered beside an app’s files. */
import { readFile, rmdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { lock } from 'proper-lockfile';
import * as v from 'valibot';
import { makeFolder } from '../../local-platform/make-folder.ts';
import { CodedError } from '../../platform-api/coded-error.ts';
import { commandSignal } from '../command/signal.ts';
import { notRead, notWritten, replaceFile } from '../files.ts';

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
export async function readJsonFile<T>({ path, schema, code, empty }: JsonFile<T>): Promise<T> {
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
  try {
    await makeFolder(dirname(path), isShared ? 0o777 : 0o700);
    const release = await lockFile(path, interrupted);
    try {
      const text = `${JSON.stringify(change(await readJsonFile(file)), null, 2)}\n`;
      await replaceFile(path, text, { isPrivate: !isShared, within: isShared ? dirname(path) : undefined });
    } finally {
      await release();
    }
  } catch (error) {
    throw notWritten(path, error);
  }
}

/** In milliseconds. Changes take a few of them, so an older lock is of a process that was killed. */
const STALE_AFTER = 5_000;
const RETRY_AFTER = 50;
/** How often, until a lock counts as one that doesn’t end. */
const RETRIES = 300;

/** Resolves with the function that unlocks it. @param signal ends a wait. @throws CodedError `FILES_NOT_WRITTEN` */
async function lockFile(path: string, signal: AbortSignal | undefined): Promise<() => Promise<void>> {
  for (let retries = 0; ; retries++) {
    try {
      return await lock(path, { realpath: false, stale: STALE_AFTER });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ELOCKED') throw error;
      if (retries === RETRIES || signal?.aborted)
        throw notWritten(
          path,
          'another process is changing it.',
          `Try again. If no other command is running, remove ${path}.lock.`,
        );
    }
    await removeFromFuture(`${path}.lock`);
    await setTimeout(RETRY_AFTER, undefined, signal ? { signal } : {}).catch(() => undefined);
  }
}

/** The clock was set back since then. */
async function removeFromFuture(lockFolder: string): Promise<void> {
  const found = await stat(lockFolder).catch(() => null);
  if (found && found.mtimeMs > Date.now() + STALE_AFTER) await rmdir(lockFolder).catch(() => undefined);
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
