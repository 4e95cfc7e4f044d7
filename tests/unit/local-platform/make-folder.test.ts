import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { makeFolder } from '../../../lib/local-platform/make-folder.ts';

async function temporary(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'make-folder-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

it('makes a folder and those that it’s in, each with the mode, and leaves one that exists', async () => {
  const folder = join(await temporary(), 'a', 'b');
  await makeFolder(folder, 0o700);
  await makeFolder(folder, 0o755);
  for (const each of [folder, join(folder, '..')]) expect((await stat(each)).mode & 0o777).toBe(0o700);
});

it('refuses a folder in one that can’t contain it, and in a file', async () => {
  await expect(makeFolder('/proc/no/such')).rejects.toThrow('ENOENT');
  const file = join(await temporary(), 'file');
  await writeFile(file, '');
  await expect(makeFolder(file)).rejects.toThrow('EEXIST');
  await expect(makeFolder(join(file, 'in', 'it'))).rejects.toThrow('ENOTDIR');
});
