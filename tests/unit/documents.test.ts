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
const named = testsOf(promised);

/** A test that shows a row of the table of platforms, for each row. */
const PLATFORM_ROWS: Record<string, string> = {
  '**Apps** tab: apps, versions, sessions, charts':
    '`tests/e2e/modes/modes.test.ts` “an app’s sessions are shown with its users”',
  'Popup: publish, audience, outcome':
    '`tests/e2e/modes/modes.test.ts` “an update is published from the popup, and other pages hear what the platform offers”',
  '**Run** tab: open a debug page, run, steps, history':
    '`tests/e2e/modes/modes.test.ts` “an action is chosen or its URL pasted, opened, and run, which shows each step and the result”',
  'Choose an action by name':
    '`tests/unit/extension/panel/actions/backend-choice.test.ts` “remembers the last debug page and the actions’ names, so that an action can be opened by name”',
  '"Changed since its page was loaded"':
    '`tests/unit/extension/panel/shell/run-starter.test.ts` “is noticed when the panel is used again, and after each run, with what changed”',
  "The token in the tab's network log":
    '`tests/unit/extension/panel/shell/catalog.test.ts` “says once per environment that the tab’s network log has its token, and not for one-time tokens”',
  'Preview and live pages':
    '`tests/unit/extension/panel/actions/backend-choice.test.ts` “lists actions through a live page at one of the environment’s page URLs”',
  '**Actions** tab: list, create, edit, publish, remove':
    '`tests/e2e/modes/modes.test.ts` “the app’s actions are listed, and one is changed, published, and run, and its log record shown”',
  'Two people change an action':
    '`tests/unit/extension/panel/actions/backend.test.ts` “aren’t changed or published if they have changed since they were shown”',
  'What live apps use, and how the working copy differs':
    '`tests/unit/extension/panel/actions/actions.test.ts` “says what publishing would change for live apps”',
  'Earlier revisions, restore':
    '`tests/unit/extension/panel/actions/revisions.test.ts` “are listed once for each revision of the action”',
  '*Run now*, *Run with result*':
    '`tests/unit/extension/panel/actions/backend.test.ts` “run with a payload, and return the result”',
  'Log record of a queued run':
    '`tests/unit/extension/panel/actions/backend.test.ts` “has the first record on demand since its run, not one of its schedule”',
  Logs: '`tests/unit/extension/panel/actions/backend.test.ts` “the log of an app through a page ends where the page’s functions end, and says so”',
  'Log by outcome and time':
    '`tests/unit/extension/panel/actions/actions.test.ts` “filters the loaded records if the platform can’t, and asks it for all of them”',
  'Settings of functions':
    '`tests/unit/extension/panel/actions/settings-problems.test.ts` “in a package that the platform describes is checked by that description”',
  'Trigger lab: which actions match':
    '`tests/unit/extension/panel/actions/actions-lab.test.ts` “fires actions whose published copy has a matching log trigger”',
  'Trigger lab: add log records':
    '`tests/unit/extension/panel/actions/actions-lab.test.ts` “fires no log records if they can’t be added this way, and says why, but still shows what they match”',
  'Data sources, virtual clock':
    '`tests/unit/extension/panel/actions/backend.test.ts` “has nothing that the specification doesn’t show, even if the page reports it”',
  '**OAuth2** tab': '`tests/e2e/modes/modes.test.ts` “a login of an app’s page is shown as it happens”',
};

/** Commands with the options that they have in addition to the global ones, such as `--port`. */
const COMMANDS = (await createProgram(testHost(), () => {})).commands.map((command) => ({
  name: command.name(),
  options: [command, ...command.commands].flatMap((each) => each.options.map(({ long }) => long!)),
}));

describe('SECURITY.md', () => {
  it('has a test in `npm test` for every threat', () => {
    expect(threats.length).toBeGreaterThan(25);
    const withoutTest = threats.filter(
      (threat) => !threat.includes('`tests/support/run-tests.ts`') && !testsOf(threat).some(isInNpmTest),
    );
    expect(withoutTest).toEqual([]);
  });

  it.each(named)('names an existing test: “$title” in $file', async ({ file, title }) => {
    expect(withoutEscapes(await read(file))).toContain(title);
  });
});

describe('what works on which platform', () => {
  it('has a test in `npm test` for each row of its table', async () => {
    const [table = ''] = (await read('assets/docs/platforms.md')).split('\n## ');
    const rows = [...table.matchAll(/^\| ([^|]*\w[^|]*) \|/gm)].map(([, row = '']) => row);
    expect(rows.length).toBeGreaterThan(15);
    expect(Object.keys(PLATFORM_ROWS)).toEqual(rows);
    expect(Object.values(PLATFORM_ROWS).flatMap(testsOf).filter(isInNpmTest)).toHaveLength(rows.length);
  });

  it.each(Object.values(PLATFORM_ROWS).flatMap(testsOf))('is shown by “$title” in $file', async ({ file, title }) => {
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

it('LICENCES.md lists every package that users get, also those of a workspace', async () => {
  const { packages } = JSON.parse(await read('package-lock.json')) as {
    packages: Record<string, { version: string; dev?: boolean; optional?: boolean; link?: boolean }>;
  };
  const names = Object.entries(packages).flatMap(([path, { version, dev, optional, link }]) =>
    path.includes('node_modules/') && !dev && !optional && !link
      ? `${path.split('node_modules/').at(-1)} ${version}`
      : [],
  );
  const listed = new Set((await read('LICENCES.md')).split(/[,.]?\s*\n|, /));
  expect(names).toContain('commander 15.1.0');
  expect(names.filter((name) => !listed.has(name))).toEqual([]);
});

it('has an error reference that is up to date (npm run docs)', async () => {
  expect(await read(ERROR_REFERENCE)).toBe(errorReference());
});

/** The tests that a text names, as `tests/unit/x.test.ts` “title”. */
function testsOf(text: string): { file: string; title: string }[] {
  const found = text.matchAll(/`(tests\/[\w./-]+)`(?: “([^”]+)”)?/g);
  return [...found].map(([, file = '', title = '']) => ({ file, title }));
}

function isInNpmTest({ file, title }: { file: string; title: string }): boolean {
  return /^tests\/(unit|platform|e2e)\/.*\.test\.tsx?$/.test(file) && title !== '';
}

function linksOf(markdown: string): string[] {
  const links = [...markdown.matchAll(/\]\(([^)#]+)(?:#[^)]*)?\)/g)].map(([, link = '']) => link);
  return links.filter((link) => !link.startsWith('https:'));
}

async function pathsOf(pattern: string): Promise<string[]> {
  const paths: string[] = [];
  for await (const path of glob(pattern, { cwd: ROOT })) paths.push(path);
  return paths;
}
