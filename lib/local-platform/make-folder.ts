/** Makes folders. */
import { mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * Makes the folder and those that it’s in, unless they exist. Recursive `mkdir` never returns if a parent can’t contain
 * folders, such as /proc.
 * @param mode of each new folder
 * @throws the error of the file system
 */
export async function makeFolder(folder: string, mode = 0o777): Promise<void> {
  const make = (): Promise<void> => makeOne(folder, mode);
  await make().catch(async (error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT' || dirname(folder) === folder) throw error;
    await makeFolder(dirname(folder), mode);
    await make();
  });
}

async function makeOne(folder: string, mode: number): Promise<void> {
  try {
    await mkdir(folder, mode);
  } catch (error) {
    const isFolder = await stat(folder).then(
      (found) => found.isDirectory(),
      () => false,
    );
    if (!isFolder) throw error;
  }
}
