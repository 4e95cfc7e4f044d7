/** What the command writes: its own files only, and nothing outside of its folder. */
import { mkdir, mkdtemp, readdir, readFile, readlink, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { placeOf } from '../../../../lib/cli/files.ts';
import { readRecordings } from '../../../../lib/cli/migrate/inputs/files.ts';
import { digestsOf, readCode, writeAction } from '../../../../lib/cli/migrate/output/write.ts';
import type { Written } from '../../../../lib/cli/migrate/types.ts';

const NORMAL = { force: false, prove: false };

function written(code: string): Written {
  const draft = { name: 'a', active: false } as Written['draft'];
  const report = { format: 'platform-devtools/migration', generated: digestsOf({ code, draft }) } as Written['report'];
  return { code, draft, report };
}

async function folder(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'migrated-'));
  onTestFinished(() => rm(path, { recursive: true, force: true }));
  return path;
}

const at = (path: string, within?: string) => ({ path, within });

const failure = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => null,
    (error: { code: string }) => error.code,
  );

test('writes three files, and no others', async () => {
  const out = await folder();
  await writeAction(at(join(out, 'new')), 'a', written('one'), NORMAL);
  expect((await readdir(join(out, 'new/a'))).sort()).toEqual(['action.v3.js', 'action.v3.json', 'report.json']);
  expect(await readFile(join(out, 'new/a/action.v3.js'), 'utf8')).toBe('one');
});

test('replaces what it has written', async () => {
  const out = await folder();
  await writeAction(at(out), 'a', written('one'), NORMAL);
  await writeAction(at(out), 'a', written('two'), NORMAL);
  expect(await readCode(at(out), 'a')).toBe('two');
});

test.each(['action.v3.js', 'action.v3.json', 'report.json'])('leaves a %s that isn’t its own', async (name) => {
  const out = await folder();
  await mkdir(join(out, 'a'));
  await writeFile(join(out, 'a', name), '{"mine": true}');
  expect(await failure(writeAction(at(out), 'a', written('one'), NORMAL))).toBe('FILE_CHANGED');
  expect(await readdir(join(out, 'a'))).toEqual([name]);
  await writeAction(at(out), 'a', written('one'), { ...NORMAL, force: true });
  expect(await readFile(join(out, 'a', name), 'utf8')).not.toContain('mine');
});

test('leaves edited code, also after it was proved again', async () => {
  const out = await folder();
  await writeAction(at(out), 'a', written('one'), NORMAL);
  await writeFile(join(out, 'a/action.v3.js'), 'edited');
  expect(await failure(writeAction(at(out), 'a', written('one'), NORMAL))).toBe('FILE_CHANGED');
  await writeAction(at(out), 'a', written('one'), { force: false, prove: true });
  expect(await failure(writeAction(at(out), 'a', written('one'), NORMAL))).toBe('FILE_CHANGED');
  expect(await readCode(at(out), 'a')).toBe('edited');
});

test('doesn’t follow a link out of the folder', async () => {
  const [out, elsewhere] = [await folder(), await folder()];
  await symlink(elsewhere, join(out, 'a'));
  expect(await failure(writeAction(at(out), 'a', written('one'), { ...NORMAL, force: true }))).toBe(
    'FILES_NOT_WRITTEN',
  );
  expect(await readdir(elsewhere)).toEqual([]);
});

test('doesn’t write to a folder that a link leads out of the project, also if it doesn’t exist yet', async () => {
  const [project, elsewhere] = [await folder(), await folder()];
  await symlink(elsewhere, join(project, 'migrated'));
  for (const path of [join(project, 'migrated'), join(project, 'migrated/new')])
    expect(await failure(writeAction(placeOf(path, project), 'a', written('one'), NORMAL))).toBe('FILES_NOT_WRITTEN');
  expect(await readdir(elsewhere)).toEqual([]);
  await writeAction(placeOf(elsewhere, project), 'a', written('one'), NORMAL);
  expect(await readdir(elsewhere)).toEqual(['a']);
});

test('proves no code that a link leads to', async () => {
  const [out, elsewhere] = [await folder(), await folder()];
  await writeFile(join(elsewhere, 'private'), 'theirs');
  await mkdir(join(out, 'a'));
  await symlink(join(elsewhere, 'private'), join(out, 'a/action.v3.js'));
  expect(await failure(readCode(at(out), 'a'))).toBe('CODE_MISSING');
});

test('reads no recording through a link that leads out of the folder', async () => {
  const [given, elsewhere] = [await folder(), await folder()];
  await writeFile(join(elsewhere, 'private.json'), '{}');
  await symlink(join(elsewhere, 'private.json'), join(given, 'a.json'));
  expect(await failure(readRecordings(given))).toBe('FILE_NOT_READ');
});

test('doesn’t write through a file that is a link', async () => {
  const [out, elsewhere] = [await folder(), await folder()];
  await writeFile(join(elsewhere, 'target'), 'theirs');
  await mkdir(join(out, 'a'));
  await symlink(join(elsewhere, 'target'), join(out, 'a/action.v3.js'));
  expect(await failure(writeAction(at(out), 'a', written('one'), NORMAL))).toBe('FILE_CHANGED');
  expect(await failure(writeAction(at(out), 'a', written('one'), { ...NORMAL, force: true }))).toBe(
    'FILES_NOT_WRITTEN',
  );
  expect(await readFile(join(elsewhere, 'target'), 'utf8')).toBe('theirs');
  expect(await readlink(join(out, 'a/action.v3.js'))).toBe(join(elsewhere, 'target'));
});

test('says that there is no code to prove', async () => {
  expect(await failure(readCode(at(await folder()), 'a'))).toBe('CODE_MISSING');
});
