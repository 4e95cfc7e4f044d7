import { mkdir, mkdtemp, readFile, readdir, readlink, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, it, onTestFinished } from 'vitest';
import { contentOf } from '../../../../lib/cli/actions/content.ts';
import {
  actionsFolder,
  newFileName,
  parseAction,
  readActionFiles,
  requireUsable,
  writeActionFile,
} from '../../../../lib/cli/actions/files.ts';
import { readEntries, STATE_FILE } from '../../../../lib/cli/actions/state.ts';

let folder: string;
beforeEach(async () => {
  const made = await mkdtemp(join(tmpdir(), 'actions-'));
  onTestFinished(() => rm(made, { recursive: true, force: true }));
  folder = made;
});

const named = (name: string) => contentOf({ name });

it.each([
  ['notify-admins', /^notify-admins\.json$/],
  ['con', /^con-[\da-f]{8}\.json$/],
  ['COM1', /^com1-[\da-f]{8}\.json$/],
  ['Notify', /^notify-[\da-f]{8}\.json$/],
  ['..', /^action-[\da-f]{8}\.json$/],
  ['../../etc/passwd', /^etc-passwd-[\da-f]{8}\.json$/],
  ['a\\b:c', /^a-b-c-[\da-f]{8}\.json$/],
  ['x'.repeat(255), /^x{71}-[\da-f]{8}\.json$/],
])('names the file of the action %s safely on each system', (name, expected) => {
  expect(newFileName(named(name), [])).toMatch(expected);
});

it('names a new file differently from those that exist, also where case is ignored', () => {
  expect(newFileName(named('report'), ['Report.json'])).toMatch(/^report-[\da-f]{8}\.json$/);
  expect(newFileName(named('report'), ['reports.json'])).toBe('report.json');
});

it.each([
  ['{"name": "a",}', [{ path: '', message: 'Line 1, column 14 isn’t JSON.' }]],
  ['{}', [{ path: '/name', message: expect.stringContaining('name') }]],
  ['{"name": "a b"}', [{ path: '/name', message: expect.stringContaining('letters, digits') }]],
  ['{"name": "a", "activ": true}', [{ path: '/activ', message: expect.stringContaining('Valid properties') }]],
  ['{"name": "a", "functions": [{}]}', [{ path: '/functions/0', message: expect.any(String) }]],
  [
    '{"name": "a", "environment": "client", "triggers": [{"trigger": "log"}]}',
    [{ path: '/triggers/0/trigger', message: expect.stringContaining('only on the server') }],
  ],
  [`{"name": "a", "functions": ${'['.repeat(50_000)}${']'.repeat(50_000)}}`, [expect.anything()]],
])('names the problems of file %# that isn’t an action', (text, problems) => {
  expect(parseAction(text)).toEqual(problems);
});

it('reads a file that it wrote, and ignores what isn’t an action’s file', async () => {
  const content = contentOf({ name: 'a', functions: [{ functionPackage: 'com.example.function.one' }] });
  await writeActionFile(folder, { file: 'a.json', content });
  await writeFile(join(folder, '.platform.json'), 'not an action');
  await writeFile(join(folder, 'README.md'), 'not an action');
  await mkdir(join(folder, 'folder.json'));
  await writeFile(join(folder, 'broken.json'), '{');
  expect(await readActionFiles(folder)).toEqual({
    files: [{ file: 'a.json', content }],
    broken: [{ file: 'broken.json', problems: [{ path: 'broken.json', message: 'Line 1, column 2 isn’t JSON.' }] }],
  });
});

it('keeps a link, and follows it inside the project only', async () => {
  const outside = join(folder, 'outside');
  await writeFile(outside, 'keep');
  const inside = join(folder, 'actions');
  await mkdir(inside);
  const link = join(inside, 'a.json');
  await symlink(outside, link);
  await expect(writeActionFile(inside, { file: 'a.json', content: named('a') })).rejects.toMatchObject({
    code: 'FILES_NOT_WRITTEN',
    message: `Couldn’t write ${link}: a link leads out of ${inside}.`,
  });
  expect(await readFile(outside, 'utf8')).toBe('keep');
  await writeActionFile(inside, { file: 'a.json', content: named('a') }, folder);
  expect(await readlink(link)).toBe(outside);
  expect(await readFile(outside, 'utf8')).toContain('"name": "a"');
  expect(await readdir(inside)).toEqual(['a.json']);
});

it('refuses two files with the same action', () => {
  const files = ['a.json', 'b.json'].map((file) => ({ file, content: named('same') }));
  expect(() => requireUsable(folder, files, [])).toThrow('Two files have the action “same”: a.json and b.json.');
});

it.each(['..', '../other', '.', '/etc', 'a/../..'])('refuses the folder %s for actions', async (actions) => {
  await expect(actionsFolder({ folder, actions })).rejects.toMatchObject({ code: 'PROJECT_INVALID' });
});

it('refuses a folder for actions that is a link to another one', async () => {
  await symlink(tmpdir(), join(folder, 'actions'));
  await expect(actionsFolder({ folder, actions: 'actions' })).rejects.toMatchObject({ code: 'PROJECT_INVALID' });
});

it.each(['link/new', 'link/new/er', 'nowhere/new', 'nowhere'])(
  'refuses the folder %s for actions, which a link leads out of the project, also if it doesn’t exist yet',
  async (actions) => {
    await symlink(tmpdir(), join(folder, 'link'));
    await symlink(join(tmpdir(), 'nothing-here'), join(folder, 'nowhere'));
    await expect(actionsFolder({ folder, actions })).rejects.toMatchObject({ code: 'PROJECT_INVALID' });
  },
);

it('makes no folder behind a link that leads out of the project', async () => {
  const [outside, project] = [join(folder, 'outside'), join(folder, 'project')];
  await Promise.all([mkdir(outside), mkdir(project)]);
  await symlink(outside, join(project, 'link'));
  const actions = join(project, 'link', 'new');
  await expect(writeActionFile(actions, { file: 'a.json', content: named('a') }, project)).rejects.toMatchObject({
    code: 'FILES_NOT_WRITTEN',
    message: `Couldn’t write ${join(actions, 'a.json')}: a link leads out of ${project}.`,
  });
  expect(await readdir(outside)).toEqual([]);
});

it('reads no file of an action through a link that leads out of the project', async () => {
  const [outside, project] = [join(folder, 'outside.json'), join(folder, 'project')];
  await mkdir(project);
  await writeFile(outside, '{"name": "private"}');
  await symlink(outside, join(project, 'a.json'));
  await expect(readActionFiles(project)).rejects.toMatchObject({
    code: 'FILE_NOT_READ',
    message: `Couldn’t read ${join(project, 'a.json')}: a link leads out of ${project}.`,
  });
  expect((await readActionFiles(project, folder)).files).toMatchObject([{ content: { name: 'private' } }]);
});

it.each(['../../new.json', '/tmp/new.json', 'a/b.json', '..', '.platform.json', 'new.js'])(
  'accepts no state that names the file %s, to which a pull would write',
  async (file) => {
    const entry = { id: 1, revision: 1, digest: null };
    const platforms = { 'https://example.com': { 1: { [file]: entry } } };
    await writeFile(join(folder, STATE_FILE), JSON.stringify({ version: 1, platforms }));
    await expect(readEntries({ folder, baseUrl: 'https://example.com', appId: 1 })).rejects.toMatchObject({
      code: 'SYNC_STATE_INVALID',
      message: expect.stringContaining('A file must be a name that ends with “.json”.'),
    });
  },
);

it('reads no state through a link that leads out of its folder', async () => {
  await writeFile(join(folder, 'outside'), '{}');
  await mkdir(join(folder, 'actions'));
  await symlink(join(folder, 'outside'), join(folder, 'actions', STATE_FILE));
  await expect(
    readEntries({ folder: join(folder, 'actions'), baseUrl: 'https://example.com', appId: 1 }),
  ).rejects.toMatchObject({ code: 'FILE_NOT_READ' });
});

it('accepts a folder for actions inside the project, which may not exist yet', async () => {
  expect(await actionsFolder({ folder, actions: 'app/actions' })).toBe(join(folder, 'app', 'actions'));
});
