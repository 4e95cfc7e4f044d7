/** Finds the recordings that a command is about: files, or the one that a platform stored. */
import { glob, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Recording } from '../../debugging/recording/format.ts';
import type { CliContext } from '../command/context.ts';
import { invalidArgument, parseId } from '../command/usage.ts';
import { recordingOfFile, recordingOfLog } from '../operations/recordings.ts';

export interface LogOptions {
  app?: string;
  log?: string;
}

export interface ChosenRecording {
  /** As it was given. */
  name: string;
  read(): Promise<Recording>;
}

/** At least one. @throws CodedError `ARGUMENT_INVALID`, and the codes of choosing an environment and an app */
export async function recordingsFor(
  files: readonly string[],
  { app, log }: LogOptions,
  context: CliContext,
): Promise<ChosenRecording[]> {
  if (files.length > 0 === (log !== undefined))
    throw invalidArgument(
      'Either files of recordings or --log is required.',
      'Use files that the panel or run --record wrote.',
    );
  if (log !== undefined) {
    const logId = parseId(log, '--log');
    const appId = await context.app(app);
    const { connection } = await context.connect();
    const { signal } = context;
    return [{ name: `log ${logId}`, read: () => recordingOfLog(connection, { appId, logId }, { signal }) }];
  }
  const names = (await Promise.all(files.map((file) => expanded(file, context.host.cwd)))).flat();
  return names.map((name) => ({ name, read: () => recordingOfFile(resolve(context.host.cwd, name)) }));
}

/** Not every shell expands patterns. A file with this name has precedence. */
async function expanded(file: string, cwd: string): Promise<string[]> {
  if (!/[*?[{]/.test(file) || (await exists(resolve(cwd, file)))) return [file];
  const found: string[] = [];
  for await (const name of glob(file, { cwd })) found.push(name);
  return found.length > 0 ? found.sort() : [file];
}

const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  );
