/** Finds out where a path really leads. What a repository has, such as a link, must not lead out of its folder. */
import { lstat, realpath } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';

/** Whether a path is below a folder, as both are written. */
export const isInside = (folder: string, path: string): boolean => {
  const way = relative(folder, path);
  return way !== '' && way !== '..' && !way.startsWith(`..${sep}`) && resolve(way) !== way;
};

/**
 * Where a path really leads, through all links. Of one that doesn’t exist yet, the nearest folder that exists decides.
 * Null if that’s outside of the folder, or unknown, because a link leads to nothing.
 * @throws the error of the file system
 */
export async function realPathIn(folder: string, path: string): Promise<string | null> {
  const [root, real] = await Promise.all([realPathOf(resolve(folder)), realPathOf(resolve(path))]);
  return root !== null && real !== null && isInside(root, real) ? real : null;
}

async function realPathOf(path: string): Promise<string | null> {
  try {
    return await realpath(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ELOOP') return null;
    if (code !== 'ENOENT' && code !== 'ENOTDIR') throw error;
    const isLink = await lstat(path).then(
      (found) => found.isSymbolicLink(),
      () => false,
    );
    const parent = isLink || dirname(path) === path ? null : await realPathOf(dirname(path));
    return parent && join(parent, basename(path));
  }
}
