/** Runs `platform-devtools` in this process, with a host whose output, terminal, and folder the test chooses. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import type { Host } from '../../lib/cli/command/host.ts';
import { Tokens } from '../../lib/cli/command/output.ts';
import { main } from '../../lib/cli/main.ts';

export interface Ran {
  code: number;
  out: string;
  error: string;
}

export interface CliOptions {
  env?: NodeJS.ProcessEnv;
  cwd?: string;
  input?: string;
  isTerminal?: Partial<Host['isTerminal']>;
  signal?: AbortSignal;
  /** Default: a client that has nothing to say. */
  streams?: Host['streams'];
  startBrowser?: Host['startBrowser'];
  keychain?: Host['keychain'];
  confinement?: Host['confinement'];
  /** Called with each piece of output. */
  onOutput?: (text: string) => void;
}

/** Without the user’s configuration: each call without `PLATFORM_DEVTOOLS_HOME` gets an empty folder for it. */
export async function runCli(args: readonly string[], options: CliOptions = {}): Promise<Ran> {
  const ran: Ran = { code: -1, out: '', error: '' };
  const write = (stream: 'out' | 'error') => (text: string) => {
    ran[stream] += text;
    options.onOutput?.(text);
  };
  const host = testHost({ ...options, out: write('out'), error: write('error') });
  ran.code = await main(args, host);
  return ran;
}

const ignore = (): void => {};

export const testHost = ({
  env,
  cwd = emptyFolder(),
  input = '',
  isTerminal,
  signal = new AbortController().signal,
  out = ignore,
  error = ignore,
  startBrowser,
  keychain,
  confinement,
  streams = { input: Readable.from([]), output: new PassThrough().resume() },
}: CliOptions & Partial<Pick<Host, 'out' | 'error'>> = {}): Host => ({
  env: { PLATFORM_DEVTOOLS_HOME: emptyFolder(), PLATFORM_DEVTOOLS_KEYCHAIN: 'off', ...env },
  cwd,
  out,
  error,
  tokens: new Tokens(),
  isTerminal: { in: false, out: false, error: false, ...isTerminal },
  columns: 100,
  readInput: () => Promise.resolve(input),
  startBrowser,
  keychain,
  confinement,
  streams,
  signal,
});

const made: string[] = [];
process.on('exit', () => made.forEach((folder) => rmSync(folder, { recursive: true, force: true })));

function emptyFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'cli-'));
  made.push(folder);
  return folder;
}
