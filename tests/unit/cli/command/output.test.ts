/** The one way out of a command: no token, and nothing that no reader sees. */
import { expect, it, vi } from 'vitest';
import { guardProcess, safely, Tokens } from '../../../../lib/cli/command/output.ts';
import { CliContext } from '../../../../lib/cli/command/context.ts';
import { runCli, testHost } from '../../../support/run-cli.ts';

const TOKEN = 'abc-DEF_123456789';
const ENCODED = Buffer.from(`user:${TOKEN}`).toString('base64');

function output() {
  const written: string[] = [];
  const write = (stream: string) => (text: string) => void written.push(`${stream} ${text}`);
  const given = testHost({ out: write('out'), error: write('error'), isTerminal: { error: true, out: true } });
  const { host, end } = safely(given);
  host.tokens.add(TOKEN);
  return { host, end, written };
}

it('a token is masked on both streams, also encoded, and standard error says that there was one', () => {
  const { host, end, written } = output();
  host.out(`{"a":"x${TOKEN}y"}\n`);
  host.error(`Basic ${ENCODED}\n`);
  end();
  expect(written).toEqual([
    'out {"a":"x••••y"}\n',
    'error Basic ••••\n',
    'error Warning: The output has a token, which is shown as ••••.\n',
  ]);
});

it('a token is masked that comes in two writes, also without an end of the line', () => {
  const { host, end, written } = output();
  host.out(`one\n${TOKEN.slice(0, 5)}`);
  host.out(TOKEN.slice(5));
  expect(written).toEqual(['out one\n']);
  end();
  expect(written.join('')).not.toContain(TOKEN.slice(5));
  expect(written[1]).toBe('out ••••');
});

it('the start of a token is masked where a text was cut', () => {
  const { mask } = output().host.tokens;
  expect(mask(`x ${TOKEN.slice(0, 9)}… y abc-DE… z abc-D… …`)).toBe('x ••••… y ••••… z abc-D… …');
});

it('a token isn’t in a progress line, also if the terminal is too narrow for it', () => {
  const { host, written } = output();
  const context = new CliContext({ ...host, columns: 20 }, {});
  context.progress(`Pushing ${TOKEN}…`);
  expect(written).toEqual(['error \r\u001b[KPushing ••••…']);
});

it('the token in PLATFORM_TOKEN is masked before a command has read it', async () => {
  const { error } = await runCli(['apps', '--app', TOKEN], { env: { PLATFORM_TOKEN: ` ${TOKEN} ` } });
  expect(error).toContain('(ARGUMENT_INVALID)');
  expect((await runCli([TOKEN], { env: { PLATFORM_TOKEN: TOKEN } })).error).toContain('Unknown command “••••”.');
});

it('a token that the command shows on purpose isn’t masked', () => {
  const { host, end, written } = output();
  host.tokens.forget(TOKEN);
  host.out(`Auth-token: ${TOKEN}\n`);
  end();
  expect(written).toEqual([`out Auth-token: ${TOKEN}\n`]);
});

it('what no reader sees is an escape, whatever a command writes, but not its own colors and progress', () => {
  const { host, end, written } = output();
  host.out('\u001b[31mred\u001b[39m \u202e\u{e0041}\u200b \u001b]0;title\u0007\n');
  host.error('\r\u001b[K\u00ad');
  end();
  expect(written).toEqual([
    'out \u001b[31mred\u001b[39m \\u202e\\udb40\\udc41\\u200b \\u001b]0;title\\u0007\n',
    'error \r\u001b[K\\u00ad',
  ]);
});

it('says where data has a token, in texts and in names', () => {
  const { tokens } = output().host;
  const data = { a: ['x', `y ${TOKEN}`], 'b/c': { [TOKEN]: { d: TOKEN } }, e: 1 };
  expect(tokens.placesIn(data)).toEqual(['/a/1', '/b~1c/••••']);
  expect(tokens.masked(data)).toEqual({ a: ['x', 'y ••••'], 'b/c': { '••••': { d: '••••' } }, e: 1 });
});

it('what libraries print is masked, and so is an error that nobody caught', () => {
  const tokens = new Tokens();
  tokens.add(TOKEN);
  const written: unknown[] = [];
  const listeners: ((error: unknown) => void)[] = [];
  const exit = vi.fn();
  const stream = () => ({
    write: (chunk: unknown, ended?: () => void) => {
      written.push(chunk);
      ended?.();
      return true;
    },
  });
  const process = {
    stdout: stream(),
    stderr: stream(),
    exit,
    on: (_: string, listener: (error: unknown) => void) => listeners.push(listener),
  };
  guardProcess(process, tokens);
  process.stderr.write(`puppeteer:send {"Auth-token":"${TOKEN}"}\n`);
  process.stdout.write(Buffer.from(TOKEN));
  listeners[0]!(new Error(`No ${TOKEN}\u202e`));
  expect(written.slice(0, 2)).toEqual(['puppeteer:send {"Auth-token":"••••"}\n', '••••']);
  expect(written[2]).toMatch(/^Error: No ••••\\u202e\n {4}at /);
  expect(exit).toHaveBeenCalledExactlyOnceWith(1);
});
