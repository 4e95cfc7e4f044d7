/** Where recordings go. */
import { chmod, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, it, onTestFinished } from 'vitest';
import { placeOf } from '../../../../lib/cli/files.ts';
import { requireWritable } from '../../../../lib/cli/run/files.ts';

let folder: string;
let cwd: string;
beforeEach(async () => {
  const made = await mkdtemp(join(tmpdir(), 'recordings-'));
  onTestFinished(() => rm(made, { recursive: true, force: true }));
  [folder, cwd] = [made, join(made, 'project')];
  await mkdir(join(cwd, 'runs'), { recursive: true });
});

const check = (given: string): Promise<void> => requireWritable(placeOf(given, cwd));

it('is checked before anything runs: a file, a folder, a device, and a link in the current folder or elsewhere', async () => {
  await writeFile(join(folder, 'outside'), '');
  await symlink(join(folder, 'outside'), join(folder, 'link'));
  await symlink('runs', join(cwd, 'link'));
  for (const given of ['runs', 'runs/a.run.json', 'link', 'link/a.run.json', '../outside', '../link', '/dev/null'])
    await check(given);
});

it('can’t be a file that is write-protected, one in no folder, or one behind a link out of the current folder', async () => {
  await writeFile(join(cwd, 'protected'), '');
  await chmod(join(cwd, 'protected'), 0o444);
  await writeFile(join(folder, 'outside'), '');
  await symlink('../outside', join(cwd, 'link'));
  await symlink('..', join(cwd, 'folder'));
  for (const given of ['protected', 'missing/a.run.json', 'link', '/proc/no/such/run.json', 'folder', 'folder/new'])
    await expect(check(given)).rejects.toMatchObject({ code: 'FILES_NOT_WRITTEN' });
});
