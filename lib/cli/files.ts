/** Reads and replaces the files that commands work with. */
import { randomUUID } from 'node:crypto';
import { readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { CodedError } from '../platform-api/coded-error.ts';

const FILE_LIMIT = 8 * 1024 * 1024;

/** @param limit in bytes. @throws CodedError `FILE_NOT_READ` */
export async function readText(file: string, limit = FILE_LIMIT): Promise<string> {
  try {
    if ((await stat(file)).size > limit) throw new Error(`files are limited to ${limit / 1024 / 1024} MB.`);
    return await readFile(file, 'utf8');
  } catch (error) {
    throw notRead(file, error);
  }
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
