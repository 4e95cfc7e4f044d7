/** What a command gets from its process: arguments aside, everything that differs between a terminal, a script, and a test. */
import { fstatSync, writeFileSync } from 'node:fs';
import type { Readable, Writable } from 'node:stream';
import type { Confinement } from '../../local-platform/runner/confinement.ts';
import { setImmediate } from 'node:timers/promises';
import type { Keychain } from '../config/keychain.ts';
import { textOf } from '../files.ts';
import type { StartBrowser } from '../run/browser.ts';
import { EXIT } from './exit-codes.ts';
import { Tokens } from './output.ts';

export interface Host {
  env: NodeJS.ProcessEnv;
  /** The current folder. */
  cwd: string;
  out(text: string): void;
  error(text: string): void;
  /** Masked in all output. */
  tokens: Tokens;
  /** Which streams are terminals. */
  isTerminal: { in: boolean; out: boolean; error: boolean };
  /** Width of the terminal, in characters. */
  columns: number;
  /** All of standard input, as text. @throws CodedError `FILE_NOT_READ`, `ABORTED` */
  readInput(): Promise<string>;
  /** Standard input and output, for a command that talks over them. */
  streams: { input: Readable; output: Writable };
  /** Aborted by Ctrl+C, by a signal to end, and when the output is closed. */
  signal: AbortSignal;
  /** Starts the browser of a run. Default: an installed one, for this run alone. */
  startBrowser?: StartBrowser | undefined;
  /** Default: the system’s, unless the user has turned it off. */
  keychain?: Keychain | undefined;
  /** Of code of others. Default: the system’s strongest one. */
  confinement?: Confinement | undefined;
}

/** Why a command has to stop: the reason of its aborted signal. */
export class Interruption extends Error {
  readonly exitCode: number;
  constructor(exitCode: number) {
    super('The command was interrupted.');
    this.name = 'Interruption';
    this.exitCode = exitCode;
  }
}

/** Whether what was printed so far didn’t arrive: its reader has ended, or the disk is full. */
export async function isOutputLost({ signal }: Pick<Host, 'signal'>): Promise<boolean> {
  // Streams report it in a later turn.
  await setImmediate();
  return lostOutputCode(signal) !== undefined;
}

/** The exit code of a command whose output is lost, because its result isn’t known to anyone. */
export const lostOutputCode = ({ reason }: AbortSignal): number | undefined =>
  reason instanceof Interruption && LOST_OUTPUT.has(reason.exitCode) ? reason.exitCode : undefined;
const LOST_OUTPUT: ReadonlySet<number> = new Set([EXIT.closedPipe, EXIT.files]);

const SIGNALS = { SIGINT: EXIT.interrupted, SIGTERM: 143, SIGHUP: 129 } as const;

/** Variables that processes which a command starts don’t get: the browser, esbuild, the keychain’s. */
const SECRETS = ['PLATFORM_TOKEN', 'PLATFORM_AUTH_TOKEN', 'DATABASE_URL', 'SMTP_URL'];

/** For a process that is started. */
export const withoutSecrets = (env: NodeJS.ProcessEnv): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(env).filter(([name]) => !SECRETS.includes(name)));

/** The first signal lets the command finish what can’t be undone. The second one ends the process. */
export function processHost(): Host {
  const controller = new AbortController();
  for (const [signal, code] of Object.entries(SIGNALS))
    process.on(signal, () => {
      if (controller.signal.aborted) process.exit(code);
      controller.abort(new Interruption(code));
    });
  for (const stream of [process.stdout, process.stderr])
    stream.on('error', (error: NodeJS.ErrnoException) => {
      const isClosed = error.code === 'EPIPE';
      if (!isClosed && stream === process.stdout && !controller.signal.aborted)
        process.stderr.write(`Couldn’t write the output: ${error.message} (OUTPUT_NOT_WRITTEN)\n`);
      process.exitCode = isClosed ? EXIT.closedPipe : EXIT.files;
      controller.abort(new Interruption(process.exitCode));
    });
  const env = { ...process.env };
  for (const name of SECRETS) delete process.env[name];
  return {
    env,
    cwd: process.cwd(),
    out: writerTo(process.stdout),
    error: writerTo(process.stderr),
    tokens: new Tokens(),
    isTerminal: { in: process.stdin.isTTY, out: process.stdout.isTTY, error: process.stderr.isTTY },
    columns: process.stdout.columns || 80,
    readInput: () => textOf(process.stdin, 'standard input'),
    streams: { input: process.stdin, output: process.stdout },
    signal: controller.signal,
  };
}

/** Node’s stream to a file writes once, and doesn’t notice when the disk had space for a part only. */
function writerTo(stream: NodeJS.WriteStream): (text: string) => void {
  const { fd } = stream as { fd?: number };
  if (fd === undefined || !fstatSync(fd).isFile()) return (text) => void stream.write(text);
  return (text) => {
    try {
      writeFileSync(fd, text);
    } catch (error) {
      stream.emit('error', error);
    }
  };
}
