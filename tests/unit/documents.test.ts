/** Checks the documents: tests that SECURITY.md names exist, links lead somewhere, and nothing is left out. */
import { glob, readFile, readdir, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createProgram } from '../../lib/cli/command/program.ts';
import { testHost } from '../support/run-cli.ts';
import { ERROR_REFERENCE, errorReference } from '../support/error-reference.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const read = (path: string): Promise<string> => readFile(resolve(ROOT, path), 'utf8');
const withoutEscapes = (text: string): string => text.replaceAll(/\\(['"`])/g, '$1');

const promised = (await read('SECURITY.md'))
  .split('\n## ')
  .filter((section) => section.startsWith('Promised'))
  .join('\n');
const threats = promised.split('\n').filter((line) => /^\| (?!threat \|)/.test(line));
const named = [...promised.matchAll(/`(tests\/[\w./-]+)`(?: “([^”]+)”)?/g)].map(([, file = '', title = '']) => ({
  file,
  title,
}));

/** Commands with the options that they have in addition to the global ones, such as `--port`. */
const COMMANDS = (await createProgram(testHost(), () => {})).commands.map((command) => ({
  name: command.name(),
  options: [command, ...command.commands].flatMap((each) => each.options.map(({ long }) => long!)),
}));

describe('SECURITY.md', () => {
  it('has a test for every threat', () => {
    expect(threats.length).toBeGreaterThan(25);
    const withoutTest = threats.filter(
      (threat) => !/`tests\/[\w./-]+\.test\.tsx?` “[^”]+”|`tests\/support\/run-tests\.ts`/.test(threat),
    );
    expect(withoutTest).toEqual([]);
  });

  it.each(named)('names an existing test: “$title” in $file', async ({ file, title }) => {
    expect(withoutEscapes(await read(file))).toContain(title);
  });
});

describe('the first pages', () => {
  it('link to the README of every library', async () => {
    const links = linksOf((await read('README.md')) + (await read('CONTRIBUTING.md')));
    const pages = await pathsOf('{lib,tests}/*/README.md');
    expect(pages.filter((page) => !links.includes(page))).toEqual([]);
  });

  it('link only to files that exist', async () => {
    for (const page of [
      'README.md',
      'CONTRIBUTING.md',
      'SECURITY.md',
      'PRIVACY.md',
      ...(await pathsOf('assets/docs/*.md')),
    ])
      for (const link of linksOf(await read(page))) await stat(resolve(ROOT, dirname(page), link));
  });

  it('list every folder of tests', async () => {
    const table = (await read('CONTRIBUTING.md')).split('| `tests/` |')[1] ?? '';
    const folders = (await readdir(resolve(ROOT, 'tests'), { withFileTypes: true })).filter((each) =>
      each.isDirectory(),
    );
    expect(folders.map(({ name }) => name).filter((name) => !table.includes(`\`${name}/\``))).toEqual([]);
  });

  it('list every script of package.json that CONTRIBUTING needs', async () => {
    const { scripts } = JSON.parse(await read('package.json')) as { scripts: Record<string, string> };
    const commands = [...(await read('CONTRIBUTING.md')).matchAll(/`npm run ([\w:]+)/g)].map(([, name = '']) => name);
    expect(commands.filter((name) => !(name in scripts))).toEqual([]);
  });

  it.each(COMMANDS)('explain each option of the command $name', async ({ name, options }) => {
    const page = await read(name === 'platform' ? 'lib/local-platform/README.md' : 'lib/cli/README.md');
    expect(page).toContain(`\`${name}`);
    expect(options.filter((option) => !page.includes(`\`${option}`) && !page.includes(` ${option} `))).toEqual([]);
  });
});

it('has an error reference that is up to date (npm run docs)', async () => {
  expect(await read(ERROR_REFERENCE)).toBe(errorReference());
});

function linksOf(markdown: string): string[] {
  const links = [...markdown.matchAll(/\]\(([^)#]+)(?:#[^)]*)?\)/g)].map(([, link = '']) => link);
  return links.filter((link) => !link.startsWith('https:'));
}

async function pathsOf(pattern: string): Promise<string[]> {
  const paths: string[] = [];
  for await (const path of glob(pattern, { cwd: ROOT })) paths.push(path);
  return paths;
}
