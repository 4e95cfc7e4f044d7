/** Reads what a migration needs from files: actions, sources of packages, and recordings. */
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import * as v from 'valibot';
import { parseRecording } from '../../../debugging/index.ts';
import { recordingTooLarge } from '../../../debugging/recording/file/recording-error.ts';
import type { Recording } from '../../../debugging/recording/format.ts';
import { notRead, readText } from '../../files.ts';
import type { V2Action } from '../../../migrate/index.ts';
import { ActionEnvironment, CodedError, Trigger } from '../../../platform-api/index.ts';

const ActionFile = v.looseObject({
  name: v.pipe(v.string(), v.nonEmpty()),
  functions: v.array(v.unknown()),
  environment: v.optional(ActionEnvironment),
  triggers: v.optional(v.array(Trigger)),
  frequency: v.nullish(v.string()),
  timezone: v.nullish(v.string()),
  pageId: v.nullish(v.number()),
});

/** An action as REST and the panel’s editor show it. @throws CodedError `FILE_NOT_READ`, `ACTION_FILE_INVALID` */
export async function readActionFile(file: string): Promise<V2Action> {
  const text = await readText(file);
  const found = v.safeParse(ActionFile, unwrapped(parsed(text)));
  if (found.success) return found.output as V2Action;
  const [issue] = found.issues;
  throw new CodedError({
    code: 'ACTION_FILE_INVALID',
    message: `Couldn’t use ${file}: ${v.getDotPath(issue) ?? 'the file'} isn’t what an action has.`,
    hint: 'Copy the JSON of the action from the panel’s editor, with its name and functions.',
  });
}

/** A response has the action as a property. */
const unwrapped = (value: unknown): unknown =>
  typeof value === 'object' && value !== null && 'action' in value ? value.action : value;

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** @throws CodedError `FILE_NOT_READ` */
export async function readSources(files: ReadonlyMap<string, string>): Promise<Map<string, string>> {
  const sources = new Map<string, string>();
  for (const [name, file] of files) sources.set(name, await readText(file));
  return sources;
}

/**
 * All recordings in a folder, by file name. No link in it may lead out of it. Other JSON files are refused, so that no typo goes unnoticed.
 * @throws CodedError `FILE_NOT_READ`, and the codes of `parseRecording`
 */
export async function readRecordings(folder: string): Promise<Recording[]> {
  const names = await readdir(folder).catch((error: unknown) => {
    throw notRead(folder, error);
  });
  const recordings: Recording[] = [];
  for (const name of names.filter((each) => each.endsWith('.json')).sort()) {
    const file = join(folder, name);
    const tooLarge = recordingTooLarge(await sizeOf(file));
    const found = tooLarge ? null : parseRecording(await readText(file, { limit: Infinity, within: folder }));
    if (found?.ok) recordings.push(found.value);
    else {
      const error = found?.ok === false ? found.error : tooLarge!;
      throw new CodedError({ ...error, message: `${name}: ${error.message}` });
    }
  }
  return recordings;
}

const sizeOf = async (file: string): Promise<number> =>
  stat(file).then(
    ({ size }) => size,
    (error: unknown) => {
      throw notRead(file, error);
    },
  );
