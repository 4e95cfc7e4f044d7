/** Reads payloads and pipelines, and writes recordings. */
import { access, constants, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { fileNameOf } from '../../debugging/recording/file/file-name.ts';
import { writeRecording } from '../../debugging/recording/file/parse.ts';
import type { Recording } from '../../debugging/recording/format.ts';
import type { CliContext } from '../command/context.ts';
import { invalidArgument } from '../command/usage.ts';
import { notWritten, type Place, readText, replaceFile, requireReplaceable, requireWithin } from '../files.ts';

export interface PayloadOptions {
  payload?: string;
  payloadFile?: string;
}

/** The payload as JSON text; undefined if none is given. @throws CodedError `ARGUMENT_INVALID`, `FILE_NOT_READ` */
export async function payloadText(
  { payload, payloadFile }: PayloadOptions,
  { host }: CliContext,
): Promise<string | undefined> {
  if (payload !== undefined && payloadFile !== undefined)
    throw invalidArgument('--payload and --payload-file can’t be used together.');
  if (payloadFile === undefined) return payload;
  const text = payloadFile === '-' ? await host.readInput() : await readText(resolve(host.cwd, payloadFile));
  return text.replace(/^\uFEFF/, '');
}

/** The steps in a file: an array, or an action with `functions`. @throws CodedError `ARGUMENT_INVALID`, `FILE_NOT_READ` */
export async function pipelineOfFile(file: string): Promise<unknown> {
  const value = parsedJson(await readText(file), `${file} isn’t JSON.`);
  const { functions, action } = (value ?? {}) as { functions?: unknown; action?: { functions?: unknown } };
  const steps = Array.isArray(value) ? value : (functions ?? action?.functions);
  if (Array.isArray(steps)) return steps;
  throw invalidArgument(`${file} has no pipeline.`, 'Use a file with an array of steps, or with an action.');
}

/** @throws CodedError `ARGUMENT_INVALID` */
export function parsedJson(text: string, message: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw invalidArgument(message, 'Check for missing double quotes and trailing commas.');
  }
}

/**
 * Before anything runs, because a run can’t be undone.
 * @param place a file, or a folder in which the recording is named as the panel names it
 * @throws CodedError `FILES_NOT_WRITTEN`
 */
export async function requireWritable({ path, within }: Place): Promise<void> {
  try {
    if (await isFolder(path)) await access(await requireWithin(path, within), constants.W_OK);
    else await requireReplaceable(path, { within });
  } catch (error) {
    throw notWritten(path, error);
  }
}

/**
 * Replaces a file in one step, so that a full disk leaves the earlier one. Tokens are masked.
 * @returns the path of the file. @throws CodedError `FILES_NOT_WRITTEN`
 */
export async function saveRecording(
  { path, within }: Place,
  given: Recording,
  { host }: Pick<CliContext, 'host'>,
): Promise<string> {
  const recording = host.tokens.masked(given);
  const file = (await isFolder(path)) ? join(path, fileNameOf(recording)) : path;
  try {
    await replaceFile(file, writeRecording(recording), { within });
    return file;
  } catch (error) {
    throw notWritten(file, error);
  }
}

const isFolder = (path: string): Promise<boolean> =>
  stat(path).then(
    (info) => info.isDirectory(),
    () => false,
  );
