/** Reads the project file of an app’s repository, `platform-devtools.json`. It names an environment, and never has URLs or tokens. */
import { access } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import * as v from 'valibot';
import { readJsonFile } from './json-file.ts';

export const PROJECT_FILE = 'platform-devtools.json';

const ProjectContent = v.strictObject({
  /** One of the user’s environments. A URL here could lead the user’s token to someone else’s server. */
  environment: v.optional(v.pipe(v.string(), v.nonEmpty())),
  /** The ID of the app. */
  app: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1))),
  /** The folder of the actions as files, from the project file. */
  actions: v.optional(v.pipe(v.string(), v.nonEmpty()), 'actions'),
});

export interface Project extends v.InferOutput<typeof ProjectContent> {
  /** The project’s folder. The current folder if there’s no project file. */
  folder: string;
}

/** @throws CodedError `PROJECT_INVALID`, `FILE_NOT_READ` */
export async function readProject(cwd: string): Promise<Project> {
  const folder = await nearestFolder(cwd, [PROJECT_FILE]);
  const path = join(folder ?? cwd, PROJECT_FILE);
  const empty = v.parse(ProjectContent, {});
  return {
    ...(await readJsonFile({ path, schema: ProjectContent, code: 'PROJECT_INVALID', empty })),
    folder: folder ?? cwd,
  };
}

/** The folder, or the nearest one above it, that has a file or folder of one of these names. */
export async function nearestFolder(from: string, names: readonly string[]): Promise<string | null> {
  for (let folder = from; ; folder = dirname(folder)) {
    const found = await Promise.all(names.map((name) => exists(join(folder, name))));
    if (found.includes(true)) return folder;
    if (dirname(folder) === folder) return null;
  }
}

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );
