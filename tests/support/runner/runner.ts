/** Runs tools as child processes, and ends all of them when none makes progress. */
import { type ChildProcess, spawn } from 'node:child_process';
import { resolve } from 'node:path';
import type { Progress } from './progress.ts';
import { endProcesses, newRunId, RUN_VARIABLE } from './processes.ts';

const ROOT = resolve(import.meta.dirname, '../../..');
/** In milliseconds. */
const START_LIMIT = 300_000;
const IS_WINDOWS = process.platform === 'win32';

export class Runner {
  readonly runId = newRunId();
  private readonly children = new Set<ChildProcess>();
  /** Tools, test files, and tests that have started and not finished. */
  private readonly underway = new Set<string>();
  private readonly stallLimit: number;
  private watchdog: NodeJS.Timeout | undefined;
  private hasReported = false;
  private ending: Promise<void> | undefined;

  /** @param stallLimit milliseconds without any test starting or finishing after which everything is ended */
  constructor(stallLimit: number) {
    this.stallLimit = stallLimit;
  }

  /**
   * Runs one of the project’s tools, or Node; resolves with its exit code.
   * @param onProgress called with what Vitest reports
   */
  run(
    title: string,
    program: string,
    args: string[],
    env: Record<string, string> = {},
    onProgress: (progress: Progress) => void = () => {},
  ): Promise<number> {
    if (this.ending) return Promise.resolve(1);
    const bin = resolve(ROOT, 'node_modules/.bin');
    const child = spawn(program, args, {
      cwd: ROOT,
      stdio: ['ignore', 'inherit', 'inherit', ...(program === process.execPath ? (['ipc'] as const) : [])],
      env: {
        ...process.env,
        ...env,
        [RUN_VARIABLE]: this.runId,
        PATH: `${bin}${IS_WINDOWS ? ';' : ':'}${process.env.PATH}`,
        CI: '1',
      },
      shell: IS_WINDOWS && program !== process.execPath,
    });
    this.children.add(child);
    this.note({ event: 'started', what: title });
    child.on('message', (progress: Progress) => {
      this.hasReported = true;
      this.note(progress);
      onProgress(progress);
    });
    child.once('error', (error) => console.error(error.message));
    return new Promise((done) => {
      child.once('close', (code) => {
        this.children.delete(child);
        this.note({ event: 'finished', what: title });
        if (this.children.size === 0) clearTimeout(this.watchdog);
        done(code ?? 1);
      });
    });
  }

  /** Ends everything that was started, browsers and platforms included. */
  end(): Promise<void> {
    clearTimeout(this.watchdog);
    // Only who has killed a process knows that it's still ending.
    return (this.ending ??= endProcesses(this.runId));
  }

  private note({ event, what }: Progress): void {
    if (event === 'started') this.underway.add(what);
    else this.underway.delete(what);
    clearTimeout(this.watchdog);
    // How long tools take to start depends on the machine, also when the limit is short.
    const limit = this.hasReported ? this.stallLimit : Math.max(this.stallLimit, START_LIMIT);
    if (!this.ending) this.watchdog = setTimeout(() => this.stalled(limit), limit);
  }

  private stalled(limit: number): void {
    const list = [...this.underway].map((what) => `  ${what}`).join('\n');
    console.error(`Nothing has happened for ${limit / 1000} seconds, so this run was ended. Still running:\n${list}`);
    void this.end();
  }
}
