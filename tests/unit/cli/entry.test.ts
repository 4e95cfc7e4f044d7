/** The file that npm links as the command. Any Node must get as far as its check of the version. */
import { spawnSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { type ImportDeclaration, parse } from 'acorn';
import { expect, it, onTestFinished } from 'vitest';
import { startPlatform } from '../../../lib/cli/index.ts';

const FILE = 'lib/cli/platform-devtools.js';

it('parses on Node 14, and imports nothing that an older Node may lack before it has checked the version', async () => {
  const { body } = parse(await readFile(FILE, 'utf8'), {
    ecmaVersion: 2020,
    sourceType: 'module',
    allowHashBang: true,
  });
  expect(body.filter(({ type }) => /^(Import|Export)/.test(type)) as unknown as ImportDeclaration[]).toEqual([]);
  expect(body[0]!.type).toBe('IfStatement');
});

it.each(['14.21.3', '20.20.2', '22.18.0'])('says on Node %s in one sentence that it’s too old', (version) => {
  const older = `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '${version}' } })`;
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['--import', `data:text/javascript,${encodeURIComponent(older)}`, FILE, 'platform'],
    { encoding: 'utf8' },
  );
  expect({ status, stdout, stderr }).toEqual({
    status: 1,
    stdout: '',
    stderr: `Platform DevTools needs Node 24 or later. This is Node ${version}.\n`,
  });
});

it('is what the npm scripts for users start', async () => {
  const { scripts } = JSON.parse(await readFile('package.json', 'utf8')) as { scripts: Record<string, string> };
  for (const name of ['start', 'platform', 'migrate']) expect(scripts[name]).toBe(`node ${FILE} ${name}`);
});

it('has a library that says so, too', async () => {
  const { versions } = process;
  Object.defineProperty(process, 'versions', { value: { ...versions, node: '20.20.2' } });
  onTestFinished(() => void Object.defineProperty(process, 'versions', { value: versions }));
  await expect(startPlatform()).rejects.toThrow('Platform DevTools needs Node 24 or later. This is Node 20.20.2.');
});
