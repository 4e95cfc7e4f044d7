/** Asks once per repository before its code runs on a system that can’t keep that code from the network. */
import { realpath, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import * as v from 'valibot';
import { findConfinement } from '../../local-platform/runner/confinement.ts';
import { CodedError } from '../../platform-api/coded-error.ts';
import type { CliContext } from '../command/context.ts';
import { oneLine } from '../command/text.ts';
import { trustFile } from '../config/home.ts';
import { changeJsonFile, type JsonFile, readJsonFile } from '../config/json-file.ts';
import { nearestFolder, PROJECT_FILE } from '../config/project.ts';

/** Real paths of folders. */
const Trust = v.strictObject({ folders: v.optional(v.array(v.string()), []) });

const trustOf = (env: NodeJS.ProcessEnv): JsonFile<v.InferOutput<typeof Trust>> => ({
  path: trustFile(env),
  schema: Trust,
  code: 'CONFIG_INVALID',
  empty: { folders: [] },
});

/**
 * @param places files and folders with code that a repository can have
 * @param isTrusted whether the user has just said so
 * @throws CodedError `CODE_NOT_TRUSTED`, `ABORTED`, `CONFIG_INVALID`, `FILES_NOT_WRITTEN`
 */
export async function requireTrust(context: CliContext, places: readonly string[], isTrusted: boolean): Promise<void> {
  if (places.length === 0 || (context.host.confinement ?? (await findConfinement())).network) return;
  const file = trustOf(context.host.env);
  for (const folder of new Set(await Promise.all(places.map(repositoryOf)))) {
    if (folder === null || (await readJsonFile(file)).folders.includes(folder)) continue;
    if (!isTrusted) await confirm(context, folder);
    await changeJsonFile(file, ({ folders }) => ({ folders: [...folders, folder] }));
  }
}

async function confirm({ host, signal }: CliContext, folder: string): Promise<void> {
  if (!host.isTerminal.in || !host.isTerminal.error)
    throw new CodedError({
      code: 'CODE_NOT_TRUSTED',
      message: `Couldn’t run the code in ${folder}: this system can’t keep it from the network.`,
      hint: 'Add --trust if you trust the code in this folder.',
    });
  const { confirmOnTerminal } = await import('../command/prompts.ts');
  if (
    !(await confirmOnTerminal(
      `Run the code in ${oneLine(folder)}? This system can’t keep it from the network.`,
      signal,
    ))
  )
    throw new CodedError({ code: 'ABORTED', message: 'Nothing was run.' });
}

/** The nearest folder of a repository or a project, otherwise the place’s own. Null if the place doesn’t exist. */
async function repositoryOf(place: string): Promise<string | null> {
  const real = await realpath(place).catch(() => null);
  return real && ((await nearestFolder(real, ['.git', PROJECT_FILE])) ?? (await folderOf(real)));
}

const folderOf = async (path: string): Promise<string> => ((await stat(path)).isDirectory() ? path : dirname(path));
