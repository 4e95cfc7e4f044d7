/** Reads and replaces the files that commands work with. */
import { randomUUID } from 'node:crypto';
import { constants, createReadStream, openSync, type Stats } from 'node:fs';
import { access, chmod, chown, lstat, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import { Socket } from 'node:net';
import { dirname, resolve } from 'node:path';
import { addAbortSignal, type Readable } from 'node:stream';
import { isatty, ReadStream } from 'node:tty';
import { isInside, realPathIn } from '../local-platform/real-path.ts';
import { CodedError } from '../platform-api/coded-error.ts';
import { commandSignal } from './command/signal.ts';

const FILE_LIMIT = 8 * 1024 * 1024;

export interface ReadOptions {
  /** In bytes. Default: 8 MB. */
  limit?: number;
  /** The folder that no link may lead out of. Default: links may lead anywhere. */
  within?: string | undefined;
}

/** @throws CodedError `FILE_NOT_READ`, `ABORTED` */
export async function readText(file: string, { limit, within }: ReadOptions = {}): Promise<string> {
  try {
    const real = within === undefined ? file : await realPathIn(within, file);
    if (real === null) throw notRead(file, `a link leads out of ${within}.`, 'Remove the link.');
    return await textOf(await streamOf(real), file, limit);
  } catch (error) {
    throw error instanceof CodedError ? error : notRead(file, error);
  }
}

/** Reads pipes and terminals as standard input is read: a thread that waits in `read` can’t be ended, not even by `exit`. */
async function streamOf(file: string): Promise<Readable> {
  const info = await stat(file);
  if (!info.isFIFO() && !info.isCharacterDevice()) return createReadStream(file);
  const fd = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK);
  if (isatty(fd)) return new ReadStream(fd);
  return info.isFIFO() ? new Socket({ fd }) : createReadStream(file, { fd });
}

/**
 * All of a stream. The signal of the command ends it.
 * @param name such as “standard input”
 * @param limit in bytes
 * @throws CodedError `FILE_NOT_READ`, `ABORTED`
 */
export async function textOf(stream: Readable, name: string, limit = FILE_LIMIT): Promise<string> {
  const signal = commandSignal.getStore();
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of signal ? addAbortSignal(signal, stream) : stream) {
      chunks.push(chunk as Buffer);
      size += (chunk as Buffer).length;
      if (size > limit) throw new Error(`files are limited to ${limit / 1024 / 1024} MB.`);
    }
  } catch (error) {
    if (signal?.aborted) throw new CodedError({ code: 'ABORTED', message: 'Nothing was changed.' }, { cause: error });
    throw notRead(name, error);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** Where the path leads. @throws CodedError `FILES_NOT_WRITTEN` if that’s out of the folder */
export async function requireWithin(path: string, within: string | undefined): Promise<string> {
  const real = within === undefined ? path : await realPathIn(within, path);
  if (real === null) throw notWritten(path, `a link leads out of ${within}.`, REMOVE_LINK);
  return real;
}

export const notRead = (file: string, cause: unknown, hint = 'Check the path.'): CodedError =>
  new CodedError({ code: 'FILE_NOT_READ', message: `Couldn’t read ${file}: ${messageOf(cause)}`, hint }, { cause });

export interface ReplaceOptions {
  /** Only its owner can read it then. */
  isPrivate?: boolean;
  /** The folder that no link may lead out of. Default: links may lead anywhere. */
  within?: string | undefined;
  /** An empty file on the same disk, which becomes the file. Default: a new one beside it. */
  draft?: string;
}

/**
 * Replaces a file in one step, so that no reader finds half of it, and a full disk leaves the earlier content. A link
 * stays one, and what it leads to keeps its mode and, if possible, its owner. Other names of the same file (hard links)
 * keep the earlier content. A pipe or a device is written to.
 * @throws CodedError `FILES_NOT_WRITTEN`, and the error of the file system
 */
export async function replaceFile(path: string, text: string, options: ReplaceOptions = {}): Promise<void> {
  const { target, info } = await requireReplaceable(path, options);
  if (info && !info.isFile()) return writeFile(target, text);
  const draft = options.draft ?? `${target}.${randomUUID()}.draft`;
  const mode = (info ? info.mode & 0o777 : 0o666) & (options.isPrivate ? 0o600 : 0o777);
  try {
    await writeFile(draft, text, { flag: options.draft === undefined ? 'wx' : 'r+', mode });
    if (info) {
      // Only an administrator can give a file to someone else.
      await chown(draft, info.uid, info.gid).catch(() => undefined);
      await chmod(draft, mode);
    }
    await rename(draft, target);
  } catch (error) {
    await rm(draft, { force: true }).catch(() => undefined);
    throw error;
  }
}

/** What `replaceFile` would replace: where a link leads to, and null if there is no such file yet. @throws as it does */
export async function requireReplaceable(
  path: string,
  { within }: ReplaceOptions = {},
): Promise<{ target: string; info: Stats | null }> {
  const info = await stat(path).catch(async (error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
    const isLink = await lstat(path).then(
      (found) => found.isSymbolicLink(),
      () => false,
    );
    if (isLink) throw notWritten(path, 'it’s a link to a file that doesn’t exist.', REMOVE_LINK);
    return null;
  });
  if (info && !info.isFile() && within === undefined) {
    await access(path, constants.W_OK);
    return { target: path, info };
  }
  const target = info && within === undefined ? await realpath(path) : await requireWithin(path, within);
  if (info && !info.isFile()) throw notWritten(path, 'it isn’t a file.', 'Choose another path.');
  // An administrator could write to it nevertheless.
  if (info && (info.mode & 0o222) === 0)
    throw notWritten(path, 'it’s write-protected.', 'Make it writable, or choose another path.');
  if (info) await access(target, constants.W_OK);
  await access(dirname(target), constants.W_OK);
  return { target, info };
}

const REMOVE_LINK = 'Remove the link, or choose another path.';

/** Where a command writes. */
export interface Place {
  path: string;
  /** The current folder, if the path is in there: what it has, such as a link, must not lead out of it. */
  within: string | undefined;
}

/** @param given by the user, who can choose any place */
export function placeOf(given: string, cwd: string): Place {
  const path = resolve(cwd, given);
  return { path, within: isInside(cwd, path) && dirname(cwd) !== cwd ? cwd : undefined };
}

/** @param cause returned as it is if it’s a CodedError */
export const notWritten = (
  path: string,
  cause: unknown,
  hint = 'Check the folder, and the space on the disk.',
): CodedError =>
  cause instanceof CodedError
    ? cause
    : new CodedError(
        { code: 'FILES_NOT_WRITTEN', message: `Couldn’t write ${path}: ${messageOf(cause)}`, hint },
        { cause },
      );

/** A sentence ends with a period. Node’s messages have none. */
const messageOf = (cause: unknown): string =>
  (cause instanceof Error ? cause.message : String(cause)).replace(/\w$/, '$&.');
