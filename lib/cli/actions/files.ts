/** Reads and writes the files of actions in an app’s repository. */
import { readdir, rm } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import * as v from 'valibot';
import { makeFolder } from '../../local-platform/make-folder.ts';
import { isInside, realPathIn } from '../../local-platform/real-path.ts';
import { validatePipeline } from '../../pipeline/index.ts';
import { actionProblems, CodedError, type ErrorValue, issueDetails, NewAction } from '../../platform-api/index.ts';
import { PROJECT_FILE, type Project } from '../config/project.ts';
import { notRead, notWritten, readText, replaceFile, requireWithin } from '../files.ts';
import { folderName } from '../migrate/output/folder-name.ts';
import { type ActionContent, contentOf, digestOf, textOf } from './content.ts';
import { jsonProblem } from './json-place.ts';

export interface ActionFile {
  /** Without its folder. */
  file: string;
  content: ActionContent;
}

/** A file that can’t be used, and why. */
export interface BrokenFile {
  file: string;
  problems: NonNullable<ErrorValue['details']>;
}

/** @throws CodedError `PROJECT_INVALID` if it isn’t inside the project’s folder */
export async function actionsFolder({ folder, actions }: Project): Promise<string> {
  const path = resolve(folder, actions);
  const real = await realPathIn(folder, path).catch((error: unknown) => {
    throw notRead(path, error);
  });
  // Also as it’s written, since it’s the same for all who clone the repository.
  if (real !== null && isInside(folder, path)) return path;
  throw new CodedError({
    code: 'PROJECT_INVALID',
    message: `Couldn’t use ${join(folder, PROJECT_FILE)}: “actions” must be a folder inside the project.`,
    hint: 'Correct the file.',
  });
}

/**
 * All files of actions, by name. A missing folder has none.
 * @param within what no link may lead out of
 * @throws CodedError `FILE_NOT_READ`
 */
export async function readActionFiles(
  folder: string,
  within: string = folder,
): Promise<{ files: ActionFile[]; broken: BrokenFile[] }> {
  const files: ActionFile[] = [];
  const broken: BrokenFile[] = [];
  for (const file of await namesIn(folder)) {
    const found = parseAction(await readText(join(folder, file), { within }));
    if (Array.isArray(found))
      broken.push({ file, problems: found.map((each) => ({ ...each, path: file + each.path })) });
    else files.push({ file, content: found });
  }
  return { files, broken };
}

/** Whether a file with this name, which has no folder, is an action’s. */
export const isActionFile = (name: string): boolean =>
  basename(name) === name && name.endsWith('.json') && !name.startsWith('.');

async function namesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw new CodedError({
      code: 'FILE_NOT_READ',
      message: `Couldn’t read ${folder}: ${error.message}`,
      hint: 'Check the folder.',
    });
  });
  return entries
    .filter((entry) => !entry.isDirectory() && isActionFile(entry.name))
    .map(({ name }) => name)
    .sort();
}

/** The content of a file, or its problems. A file from Windows can start with a byte order mark. */
export function parseAction(text: string): ActionContent | NonNullable<ErrorValue['details']> {
  const json = text.replace(/^\uFEFF/, '');
  const place = jsonProblem(json);
  if (place) return [{ path: '', message: `Line ${place.line}, column ${place.column} isn’t JSON.` }];
  const parsed = v.safeParse(NewAction, JSON.parse(json));
  if (!parsed.success) return issueDetails(parsed.issues);
  // Before the content is formed: what is nested too deeply can’t be.
  const steps = validatePipeline(parsed.output.functions ?? []);
  const problems = steps.map(({ path, message }) => ({ path: `/functions${path}`, message }));
  if (problems.length > 0) return problems;
  const content = contentOf(parsed.output);
  const conflicts = actionProblems(content);
  return conflicts.length > 0 ? conflicts : content;
}

/** Steps whose packages the platform doesn’t have. */
export const packageProblems = ({ file, content }: ActionFile, packages: ReadonlySet<string>): BrokenFile['problems'] =>
  validatePipeline(content.functions, { packages }).map(({ path, message }) => ({
    path: `${file}/functions${path}`,
    message,
  }));

/** @throws CodedError `ACTION_FILE_INVALID`, `ACTION_TWICE` */
export function requireUsable(folder: string, files: readonly ActionFile[], broken: readonly BrokenFile[]): void {
  if (broken.length > 0) throw invalidFiles(folder, broken);
  const names = new Map<string, string>();
  for (const { file, content } of files) {
    const other = names.get(content.name);
    if (other !== undefined)
      throw new CodedError({
        code: 'ACTION_TWICE',
        message: `Two files have the action “${content.name}”: ${other} and ${file}.`,
        hint: 'Remove one of them, or change its “name”.',
      });
    names.set(content.name, file);
  }
}

export function invalidFiles(folder: string, broken: readonly BrokenFile[]): CodedError {
  const which = broken.length === 1 ? join(folder, broken[0]!.file) : `${broken.length} files in ${folder}`;
  return new CodedError({
    code: 'ACTION_FILE_INVALID',
    message: `Couldn’t use ${which}. Nothing was changed.`,
    hint: 'Correct what is listed.',
    details: broken.flatMap(({ problems }) => problems).slice(0, 50),
  });
}

/** The name of a new file, which no file has, also not on a system that ignores case. */
export function newFileName({ name, ...content }: ActionContent, taken: Iterable<string>): string {
  const used = new Set([...taken].map((each) => each.toLowerCase()));
  const file = `${folderName(name)}.json`;
  return used.has(file) ? `${folderName(name)}-${digestOf({ name, ...content }).slice(0, 8)}.json` : file;
}

/** Replaces the file in one step. @param within what no link may lead out of. @throws CodedError `FILES_NOT_WRITTEN` */
export async function writeActionFile(
  folder: string,
  { file, content }: ActionFile,
  within: string = folder,
): Promise<void> {
  const path = join(folder, file);
  try {
    await requireWithin(path, within);
    await makeFolder(folder);
    await replaceFile(path, textOf(content), { within });
  } catch (error) {
    throw notWritten(path, error);
  }
}

/** @throws CodedError `FILES_NOT_WRITTEN` */
export async function removeActionFile(folder: string, file: string): Promise<void> {
  await rm(join(folder, file), { force: true }).catch((error: unknown) => {
    throw notWritten(join(folder, file), error);
  });
}
