/** Reads the files of the store packages: a built extension, and the sources that build it. */
import { readdir, readFile } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import type { Files } from './zip.ts';

/** What `npm ci` and the build read, and what explains it. Tests and pictures aren’t needed. */
const SOURCES = [
  '.npmrc',
  'CHANGELOG.md',
  'CONTRIBUTING.md',
  'LICENCES.md',
  'LICENSE',
  'PRIVACY.md',
  'README.md',
  'SECURITY.md',
  'assets',
  'components',
  'entrypoints',
  'lib',
  'package-lock.json',
  'package.json',
  'tsconfig.json',
  'wxt.config.ts',
];
/** Installed or built by the commands, or pictures for people. */
const NO_SOURCES = /(?:^|\/)(?:node_modules|dist|\.platform)(?:\/|$)|^assets\/(?:store\/)?pictures(?:\/|$)|\.log$/;

/** All files in a folder. */
export const filesIn = (folder: string): Promise<Files> => readAll(folder, ['.'], () => true);

/** The files that build the extension. */
export const sourceFiles = (root: string): Promise<Files> => readAll(root, SOURCES, (path) => !NO_SOURCES.test(path));

async function readAll(root: string, paths: string[], isWanted: (path: string) => boolean): Promise<Files> {
  const files = new Map<string, Uint8Array>();
  const visit = async (path: string): Promise<void> => {
    const name = relative(root, path).split(sep).join('/');
    if (!isWanted(name)) return;
    const content = await readFile(path).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'EISDIR') return null;
      throw error;
    });
    if (content) files.set(name, content);
    else for (const child of await readdir(path)) await visit(join(path, child));
  };
  for (const path of paths) await visit(join(root, path));
  return files;
}
