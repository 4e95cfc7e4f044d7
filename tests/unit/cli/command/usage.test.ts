/** How mistakes in arguments are named, and what every command has. */
import { describe, expect, it, test, vi } from 'vitest';
import { printError } from '../../../../lib/cli/command/print-error.ts';
import { createProgram } from '../../../../lib/cli/command/program.ts';
import { fitted, oneLine, printableJson, table } from '../../../../lib/cli/command/text.ts';
import { runCli, testHost } from '../../../support/run-cli.ts';

describe('a mistake in the arguments', () => {
  test.each([
    [['apps', '--jso'], 'Unknown option “--jso”. Did you mean “--json”? Try platform-devtools apps --help.'],
    [['publsh'], 'Unknown command “publsh”. Did you mean “publish”? Try platform-devtools --help.'],
    [['actions', 'lst'], 'Unknown command “lst”. Did you mean “list”? Try platform-devtools actions --help.'],
    [['actions', 'get'], 'Missing required argument “action”. Try platform-devtools actions get --help.'],
    [['apps', '--env'], 'Option “--env <name>” argument missing. Try platform-devtools apps --help.'],
    [['apps', 'x'], 'Too many arguments'],
    [['publish', '--type', 'loud'], 'Allowed choices are silent, visible, forced.'],
    [['apps', '--token', 'secret'], 'Unknown option “--token”.'],
    [['apps', '--env', 'local', '--url', 'http://localhost:1'], '--url and --env can’t be used together.'],
    [['sessions', '--app', '1e3', '--env', 'local'], '--app must be an ID such as 101, not “1e3”.'],
    [['sessions', '--app', '1', '--limit', '0'], '--limit must be an integer from 1 to 100000, not “0”.'],
    [['publish', '--app', '1'], 'Either --notes or --notes-file is required.'],
    [['publish', '--app', '1', '--notes', ' '], 'The release notes must not be empty.'],
  ])('%j is one line with a hint, and exit code 64', async (args, message) => {
    const { code, out, error } = await runCli(args);
    expect(error).toContain(message);
    expect(error).toMatch(/^[^\n]+ \(ARGUMENT_INVALID\)\n$/);
    expect([code, out]).toEqual([64, '']);
  });
  test('is JSON with --json', async () => {
    const { out, error } = await runCli(['apps', '--jsn', '--json']);
    expect(JSON.parse(out)).toEqual({ error: expect.objectContaining({ code: 'ARGUMENT_INVALID' }) });
    expect(error).toBe('');
  });
});

const commands = (await createProgram(testHost(), () => {})).commands;

test.each(commands.map((command) => command.name()))('%s has help that fits an 80-column terminal', async (name) => {
  const { code, out, error } = await runCli([name, '--help']);
  expect([code, error]).toEqual([0, '']);
  expect(out).toMatch(new RegExp(`^Usage: platform-devtools ${name}`));
  expect(out).toContain('--json');
});

test('without arguments, the help is shown', async () => {
  const { code, out } = await runCli([]);
  expect(code).toBe(0);
  for (const { name } of commands.map((command) => ({ name: command.name() }))) expect(out).toContain(`  ${name}`);
});

test('--version is that of the package', async () =>
  expect((await runCli(['--version'])).out).toMatch(/^\d+\.\d+\.\d+\n$/));

describe('completion', () => {
  const completed = async (...args: string[]): Promise<string> => {
    const print = vi.spyOn(console, 'log').mockImplementation(() => {});
    try {
      expect((await runCli(['complete', ...args])).code).toBe(0);
      return print.mock.calls.flat().join('\n');
    } finally {
      print.mockRestore();
    }
  };
  test.each(['bash', 'zsh', 'fish', 'powershell'])('has a script for %s', async (shell) =>
    expect(await completed(shell)).toContain('platform-devtools'),
  );
  test('knows commands and options', async () => {
    expect(await completed('--', 'ac')).toContain('actions');
    expect(await completed('--', 'publish', '--n')).toContain('--notes');
  });
  test('of an unknown shell names those that it has', async () => {
    const { code, error } = await runCli(['complete', 'tcsh']);
    expect([code, error]).toEqual([64, expect.stringContaining('zsh, bash, fish, powershell')]);
  });
});

describe('text from a platform', () => {
  test('can’t control the terminal', () => {
    expect(
      table([
        ['a\nb\tc', '\u001b[2J'],
        ['x', 'y'],
      ]),
    ).toBe('a b c  \\u001b[2J\nx      y\n');
  });
  test('can’t control the terminal as JSON, which has the same value', () => {
    const value = { name: 'a\u009b2J\u202e\u2028' };
    expect(printableJson(value)).toBe(String.raw`{"name":"a\u009b2J\u202e\u2028"}`);
    expect(JSON.parse(printableJson(value))).toEqual(value);
  });
  test('can’t control the terminal from any part of an error', () => {
    const lines: string[] = [];
    const value = { code: 'A\u001b', message: 'b', hint: 'c\nd', details: [{ path: '/e\u009b', message: 'f' }] };
    printError(value, testHost({ error: (text) => void lines.push(text) }), false);
    expect(lines.join('')).toBe('b c d (A\\u001b)\n  /e\\u009b: f\n');
  });
  test.each([
    ['wide characters', '会議室', 6],
    ['emoji', '👩‍👩‍👧 🇩🇪 👍🏽', 8],
    ['combining marks', 'Cafe\u0301', 4],
    ['decomposed Hangul', '한글'.normalize('NFD'), 4],
    ['halves of characters', 'a\ud83d', 2],
  ])('is aligned by the columns that a terminal shows: %s', (_, name, columns) => {
    const [wide, narrow] = table([
      [name, 'x'],
      ['longest cell', 'y'],
    ]).split('\n');
    expect(wide).toBe(`${name.toWellFormed()}${' '.repeat('longest cell'.length - columns)}  x`);
    expect(narrow).toBe('longest cell  y');
  });
  it('is on one line in time that its length bounds, also if it’s nearly all spaces', () => {
    const spaces = ' '.repeat(1_000_000);
    expect(oneLine(`a${spaces}b \n c`)).toBe(`a${spaces}b c`);
  });
  test.each([
    ['会議室', 6, '会議室'],
    ['会議室', 5, '会議…'],
    ['会議室', 4, '会…'],
    ['a👩‍👩‍👧b', 3, 'a…'],
    ['Cafe\u0301s', 4, 'Caf…'],
    ['Cafe\u0301s', 5, 'Cafe\u0301s'],
  ])('%s in %i columns is %s', (text, columns, expected) => expect(fitted(text, columns)).toBe(expected));
});
