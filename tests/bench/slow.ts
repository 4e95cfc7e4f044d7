/**
 * Slows down what a bench measures, on purpose: `npm run bench -- --self-check` asserts that every speed target is then missed.
 * Child processes load this module with `--import` and slow themselves down, so that a bench which measures its own process passes.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { Server } from 'node:http';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

/** Inherited by child processes. */
const VARIABLE = 'PLATFORM_DEVTOOLS_BENCH_SLOW';
const CHILD_VARIABLE = 'PLATFORM_DEVTOOLS_BENCH_SLOW_CHILD';

export const isSlow = (): boolean => process.env[VARIABLE] === '1';

export function slowDown(): void {
  process.env[VARIABLE] = '1';
}

/** Waits this long if the subject is slowed down. */
export async function delay(milliseconds: number): Promise<void> {
  if (isSlow()) await pause(milliseconds);
}

/** The same work, and ten times as much processor time after it. */
export function slowed(run: () => unknown): () => unknown {
  if (!isSlow()) return run;
  return async () => {
    const start = performance.now();
    await run();
    const end = performance.now() + Math.max(300, (performance.now() - start) * 10);
    while (performance.now() < end);
  };
}

/** What the subject’s child process is started with. */
export const childArguments = (): string[] => (isSlow() ? ['--import', import.meta.url] : []);
export const childEnvironment = (): Record<string, string> => (isSlow() ? { [CHILD_VARIABLE]: '1' } : {});

/** Slows down loading, and each frame after user input. */
const SLOW_PAGE = `{
  const work = () => { for (const end = performance.now() + 400; performance.now() < end; ); };
  work();
  for (const type of ['input', 'click', 'scroll']) addEventListener(type, () => requestAnimationFrame(work), true);
}
`;

/** Slows down scripts of a built extension. */
export async function slowScripts(extension: string, scripts: readonly string[]): Promise<void> {
  if (!isSlow()) return;
  for (const script of scripts) {
    const file = join(extension, script);
    await writeFile(file, SLOW_PAGE + (await readFile(file, 'utf8')));
  }
}

const START_DELAY = 6_000;
const REQUEST_DELAY = 50;

/** A sleep, not work: a bench that counts processor time, or only that of its own process, doesn’t notice it. */
function slowThisProcess(): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, START_DELAY);
  const emit = Reflect.get(Server.prototype, 'emit') as (...args: unknown[]) => boolean;
  const slowEmit = function (this: Server, event: string, ...args: unknown[]): boolean {
    if (event !== 'request') return Reflect.apply(emit, this, [event, ...args]);
    setTimeout(() => Reflect.apply(emit, this, [event, ...args]), REQUEST_DELAY);
    return true;
  };
  Reflect.set(Server.prototype, 'emit', slowEmit);
}

if (process.env[CHILD_VARIABLE] === '1') slowThisProcess();
