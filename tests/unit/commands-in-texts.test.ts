/** Checks the commands that documents and messages name: a clone has them, with these options. */
import { execFile } from 'node:child_process';
import { constants } from 'node:fs';
import { access, glob, readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { createProgram } from '../../lib/cli/command/program.ts';
import { testHost } from '../support/run-cli.ts';
import { collectUiTexts } from '../support/ui-text.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const json = async (path: string): Promise<Manifest> => JSON.parse(await readFile(resolve(ROOT, path), 'utf8'));

interface Manifest {
  version: string;
  bin?: Record<string, string>;
  scripts: Record<string, string>;
  workspaces: string[];
  devDependencies: Record<string, string>;
}
interface Text {
  location: string;
  text: string;
}

const root = await json('package.json');
const workspaces = await Promise.all(
  root.workspaces.map(async (folder) => ({ folder, ...(await json(`${folder}/package.json`)) })),
);
/** What npm links into `node_modules/.bin`, as a path in the repository. */
const LINKED = workspaces.flatMap(({ folder, bin = {} }) =>
  Object.entries(bin).map(([name, path]) => ({ name, path: resolve(ROOT, folder, path) })),
);

const pages: string[] = [];
for await (const page of glob(['*.md', 'assets/**/*.md', '{lib,tests}/*/README.md'], { cwd: ROOT })) pages.push(page);
const TEXTS: Text[] = [
  ...(await Promise.all(
    pages.map(async (location) => ({ location, text: await readFile(resolve(ROOT, location), 'utf8') })),
  )),
  ...collectUiTexts(['components/**', 'entrypoints/**', 'lib/**']),
];

/** Each match of the pattern's group, with where it is. */
function found(pattern: RegExp): { location: string; match: string }[] {
  return TEXTS.flatMap(({ location, text }) =>
    [...text.matchAll(pattern)].map(([, match = '']) => ({ location, match: match.trim() })),
  );
}

const program = await createProgram(testHost(), () => {});
type Command = typeof program;

/** The arguments that the command line doesn't have, such as a misspelled option. */
function unknownArguments(line: string): string[] {
  const words = line
    .replaceAll(/'[^']*'|"[^"]*"/g, 'VALUE')
    .split(/\s+/)
    .map((word) => word.replace(/[.,:]+$/, ''));
  let command: Command = program;
  const known = new Set(['--help', '--version']);
  const add = ({ options }: Command): void => options.forEach(({ long }) => long && known.add(long));
  add(program);
  const [first = ''] = words;
  for (const word of words) {
    const next = command.commands.find((one) => one.name() === word);
    if (!next) break;
    command = next;
    add(command);
  }
  const isUnknown = command === program && first !== '' && !first.startsWith('--');
  return [...(isUnknown ? [first] : []), ...words.filter((word) => word.startsWith('--') && !known.has(word))];
}

describe('the commands of the workspaces', () => {
  it.each(LINKED)('npm links $name at install, because its file exists in a clone and can be run', async ({ path }) => {
    await access(path, constants.X_OK);
    expect(await readFile(path, 'utf8')).toMatch(/^#!\/usr\/bin\/env node\n/);
  });

  it('start from their source', async () => {
    const [cli] = LINKED;
    const { stdout } = await promisify(execFile)(process.execPath, [cli!.path, '--version']);
    expect(stdout.trim()).toBe(root.version);
  });
});

describe('the commands that documents and messages name', () => {
  const npx = found(/\bnpx ([\w@/…-]+)/g);
  const lines = found(/(?:\bnpx |`)platform-devtools((?: +[^\s`#|)]+)+)/g);
  const scripts = found(/\bnpm run ([\w:]+)/g);

  it('are found', () => expect(Math.min(npx.length, lines.length, scripts.length)).toBeGreaterThan(10));

  it('are linked by npm, which would ask a registry for any other', () => {
    const names = new Set([...LINKED.map(({ name }) => name), ...Object.keys(root.devDependencies), 'drizzle-kit']);
    expect(npx.filter(({ match }) => !names.has(match))).toEqual([]);
  });

  it('have these subcommands and options', () => {
    const wrong = lines.map(({ location, match }) => ({ location, match, unknown: unknownArguments(match) }));
    expect(wrong.filter(({ unknown }) => unknown.length > 0)).toEqual([]);
    expect(unknownArguments('platfrom --port 0')).toEqual(['platfrom', '--port']);
    expect(unknownArguments('actions push --publsh')).toEqual(['--publsh']);
  });

  it('are scripts of package.json', () => {
    expect(scripts.filter(({ match }) => !(match in root.scripts))).toEqual([]);
  });
});
