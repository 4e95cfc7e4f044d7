/** Reads and replaces small JSON files: the user’s configuration, and what is remembered beside an app’s files. */
import { mkdir, readFile, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { lock } from 'proper-lockfile';
import * as v from 'valibot';
import { CodedError } from '../../platform-api/coded-error.ts';
import { notRead, notWritten, replaceFile } from '../files.ts';

export interface JsonFile<T> {
  path: string;
  schema: v.GenericSchema<unknown, T>;
  /** The code when the content can’t be used. */
  code: 'CONFIG_INVALID' | 'TOKENS_INVALID' | 'PROJECT_INVALID' | 'SYNC_STATE_INVALID';
  empty: T;
  /** Whether others than its owner may read it. */
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
  try {
    await mkdir(dirname(path), { recursive: true, mode: isShared ? 0o777 : 0o700 });
    const release = await lock(dirname(path), {
      lockfilePath: `${path}.lock`,
      retries: { retries: 20, minTimeout: 50 },
    });
    try {
      const text = `${JSON.stringify(change(await readJsonFile(file)), null, 2)}\n`;
      await replaceFile(path, text, isShared ? 0o666 : 0o600);
    } finally {
      await release();
    }
  } catch (error) {
    if (error instanceof CodedError) throw error;
    throw notWritten(path, error);
  }
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
