/** Where recordings go. */
import { chmod, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, it, onTestFinished } from 'vitest';
import { placeOf } from '../../../../lib/cli/files.ts';
import { requireWritable, saveRecording } from '../../../../lib/cli/run/files.ts';
import { testHost } from '../../../support/run-cli.ts';
import { record } from '../../debugging/record.ts';

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

it('is written without a token, also in its name', async () => {
  const host = testHost({ cwd });
  host.tokens.add('secret-token-1');
  const { recording } = await record([{ function: 'give' }], { give: () => ({ text: 'x secret-token-1' }) });
  const named = { ...recording, action: { name: 'secret-token-1', actionId: 7 } };
  const file = await saveRecording(placeOf('runs', cwd), named, { host });
  expect(file).not.toContain('secret-token');
  const text = await readFile(file, 'utf8');
  expect(text).toContain('x ••••');
  expect(text).not.toContain('secret-token-1');
});
