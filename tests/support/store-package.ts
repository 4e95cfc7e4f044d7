/** Unpacks packages for the extension stores. */
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { unzipSync } from 'fflate';

export async function unpack(archive: Uint8Array, folder: string): Promise<string> {
  for (const [name, content] of Object.entries(unzipSync(archive))) {
    const path = join(folder, name);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, content);
  }
  return folder;
}
