/**
 * Starts, monitors, and kills a child process that has no files, environment, or network, and communicates line by
 * line.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { confinedCommand, findConfinement } from './confinement.ts';
import { runtimeScript } from './script.ts';
import { openStepFile, type StepFile } from './step-file.ts';
import type { StepPlace } from '../../actions/run-failure.ts';

export interface ChildOptions {
  /** V8’s heap limit, in MB. Buffers outside the heap can use the same amount again. */
  memory: number;
  /** Time limit for a run, in milliseconds. */
  time: number;
  /** Maximum length of a line from the child, in bytes. */
  lineLimit: number;
}

/** Resolves when the child is ready for a run. Rejects if the child can’t be started. */
export type StartChild = (options: ChildOptions) => Promise<Child>;

/** How a child ended. */
export type End = 'exited' | 'out-of-memory' | 'flooded' | 'killed';

/** @param lastSteps reads the last started steps, oldest first */
type OnEnd = (end: End, detail: string, lastSteps: () => StepPlace[]) => void;

export interface Child {
  readonly pid: number;
  /** Resolves when the child has received the line or has exited. */
  send(line: string): Promise<void>;
  /** Sets the listeners, replacing earlier ones. `onEnd` is called once, after the last line. */
  listen(onLine: (line: string) => void, onEnd: OnEnd): void;
  kill(): void;
  /** Resolves when the process has exited. */
  readonly gone: Promise<void>;
}

const MB = 1024 * 1024;
const START_TIMEOUT = 30_000;
const MEMORY_POLL_INTERVAL = 50;
/** Memory that Node needs in addition to the heap. */
const BASE_MB = 120;
/** A run’s total output is limited to this multiple of the maximum line length. */
const FLOOD = 8;
const CHILD = new URL('child.cjs', import.meta.url);

const watched = new Map<number, { limit: number; tooMuch: () => void }>();
let watch: NodeJS.Timeout | undefined;

/**
 * Starts a process.
 * @param contextScript starts its context. Default: that of runs
 */
export async function startChild(options: ChildOptions, contextScript = runtimeScript): Promise<Child> {
  const [confinement, script, boot] = await Promise.all([findConfinement(), contextScript(), readFile(CHILD, 'utf8')]);
  // V8 aborts cleanly only if it can still write the reason.
  const flags = [
    '--permission',
    '--disallow-code-generation-from-strings',
    `--max-old-space-size=${options.memory}`,
    `--max-semi-space-size=8`,
    '--no-warnings',
    '-e',
    boot,
  ];
  const [program, args] = confinedCommand(confinement, Math.ceil(options.time / 1000) + 10, [
    process.execPath,
    ...flags,
  ]);
  const steps = openStepFile();
  const child = spawn(program, args, { env: {}, cwd: '/', stdio: ['pipe', 'pipe', 'pipe', steps.stdio] });
  return new Promise((resolve, reject) => {
    const late = setTimeout(() => child.kill('SIGKILL'), START_TIMEOUT);
    const made = connect(child, steps, options);
    made.listen(
      () => {
        clearTimeout(late);
        resolve(made);
      },
      (_, detail) => {
        clearTimeout(late);
        reject(new Error(`Couldn’t start a process for runs: ${detail || 'it ended without a word'}.`));
      },
    );
    void made.send(JSON.stringify(script));
  });
}

function connect(child: ChildProcess, steps: StepFile, { memory, lineLimit }: ChildOptions): Child {
  let onLine: (line: string) => void = () => {};
  let onEnd: OnEnd = () => {};
  let end: End = 'exited';
  let said = 0;
  let parts: Buffer[] = [];
  let length = 0;
  let stderrTail = '';
  const { pid = -1 } = child;

  const kill = (why: End): void => {
    if (end === 'exited') end = why;
    child.kill('SIGKILL');
  };
  child.stdout!.on('data', (chunk: Buffer) => {
    said += chunk.length;
    let from = 0;
    for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, from)) {
      parts.push(chunk.subarray(from, at));
      onLine(Buffer.concat(parts).toString());
      parts = [];
      length = 0;
      from = at + 1;
    }
    parts.push(chunk.subarray(from));
    length += chunk.length - from;
    if (length > lineLimit || said > FLOOD * lineLimit) {
      parts = [];
      kill('flooded');
    }
  });
  child.stderr!.on('data', (chunk: Buffer) => {
    stderrTail = (stderrTail + chunk.toString()).slice(-4_000);
    if (stderrTail.includes('heap out of memory')) end = 'out-of-memory';
  });
  // Writing to an exited child fails. The `close` event reports the exit.
  child.stdin!.on('error', () => {});
  const gone = new Promise<void>((resolve) => {
    const finish = (detail: string): void => {
      watched.delete(pid);
      onEnd(end, detail, steps.read);
      steps.close();
      resolve();
    };
    child.once('error', (error) => finish(error.message));
    child.once('close', (code, signal) => finish(signal ?? (code === 0 ? '' : `exit code ${code}`)));
  });
  watchMemory(pid, (2 * memory + BASE_MB) * MB, () => kill('out-of-memory'));
  return {
    pid,
    send: (line) => new Promise((resolve) => child.stdin!.write(`${line}\n`, () => resolve())),
    listen: (line, ended) => {
      onLine = line;
      onEnd = ended;
    },
    kill: () => kill('killed'),
    gone,
  };
}

/** Buffers aren’t on V8’s heap, so on Linux this polls the memory of the whole process. */
function watchMemory(pid: number, limit: number, tooMuch: () => void): void {
  if (process.platform !== 'linux' || pid < 0) return;
  watched.set(pid, { limit, tooMuch });
  try {
    // If the machine runs out of memory, makes the kernel kill a run first.
    writeFileSync(`/proc/${pid}/oom_score_adj`, '1000');
  } catch {
    // Not permitted everywhere.
  }
  watch ??= setInterval(() => {
    for (const [each, { limit, tooMuch }] of watched) if (residentBytes(each) > limit) tooMuch();
    if (watched.size === 0) {
      clearInterval(watch);
      watch = undefined;
    }
  }, MEMORY_POLL_INTERVAL).unref();
}

function residentBytes(pid: number): number {
  try {
    return Number(readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')[1]) * 4096;
  } catch {
    return 0;
  }
}
