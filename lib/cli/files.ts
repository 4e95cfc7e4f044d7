/** Reads and replaces the files that commands work with. */
import { randomUUID } from 'node:crypto';
import { constants, createReadStream, openSync } from 'node:fs';
import { rename, rm, stat, writeFile } from 'node:fs/promises';
import { Socket } from 'node:net';
import { addAbortSignal, type Readable } from 'node:stream';
import { isatty, ReadStream } from 'node:tty';
import { CodedError } from '../platform-api/coded-error.ts';
import { commandSignal } from './command/signal.ts';

const FILE_LIMIT = 8 * 1024 * 1024;

/** @param limit in bytes. @throws CodedError `FILE_NOT_READ`, `ABORTED` */
export async function readText(file: string, limit = FILE_LIMIT): Promise<string> {
  try {
    return await textOf(await streamOf(file), file, limit);
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

export const notRead = (file: string, cause: unknown, hint = 'Check the path.'): CodedError =>
  new CodedError({ code: 'FILE_NOT_READ', message: `Couldn’t read ${file}: ${messageOf(cause)}`, hint }, { cause });

/**
 * Replaces a file in one step, so that no reader finds half of it, and a full disk leaves the earlier content.
 * @throws the error of the file system
 */
export async function replaceFile(path: string, text: string, mode = 0o666): Promise<void> {
  const draft = `${path}.${randomUUID()}.draft`;
  try {
    await writeFile(draft, text, { flag: 'wx', mode });
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true }).catch(() => undefined);
    throw error;
  }
}

export const notWritten = (
  path: string,
  cause: unknown,
  hint = 'Check the folder, and the space on the disk.',
): CodedError =>
  new CodedError(
    { code: 'FILES_NOT_WRITTEN', message: `Couldn’t write ${path}: ${messageOf(cause)}`, hint },
    { cause },
  );

const messageOf = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause));
