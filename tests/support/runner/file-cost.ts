/** Measures the processor time of each test file, with what its worker process started: a setup file of every test project. */
import { readdirSync, readFileSync } from 'node:fs';
import { afterAll, TestRunner } from 'vitest';

declare module 'vitest' {
  interface TaskMeta {
    cost?: Cost;
  }
}

/** What a test file took, in milliseconds. */
export interface Cost {
  wall: number;
  /** Of the worker process and all that it started. Missing where only Linux can tell. */
  processor?: number;
}

/** What Linux counts processor time in, on all of its platforms. */
const TICKS_PER_SECOND = 100;

/** Milliseconds of processor time so far, of this process and all below it, including those that have ended. */
function treeTime(): number | undefined {
  if (process.platform !== 'linux') return undefined;
  return (ticksBelow(process.pid) * 1000) / TICKS_PER_SECOND;
}

/** Reads only what is below a process: to read all processes each second would take 1% of a core for each worker. */
function ticksBelow(pid: number): number {
  const stat = orEnded(() => readFileSync(`/proc/${pid}/stat`, 'latin1'), '');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const own = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
  return childrenOf(pid).reduce((sum, child) => sum + ticksBelow(child), own);
}

function childrenOf(pid: number): number[] {
  const threads = orEnded(() => readdirSync(`/proc/${pid}/task`), []);
  return threads.flatMap((thread) => {
    const text = orEnded(() => readFileSync(`/proc/${pid}/task/${thread}/children`, 'latin1'), '');
    return text.split(' ').filter(Boolean).map(Number);
  });
}

/** A process or thread can end before it’s read. */
function orEnded<T>(read: () => T, ended: T): T {
  try {
    return read();
  } catch {
    return ended;
  }
}

/** In milliseconds. What a process used since then is lost when it’s killed, as browsers are. */
const INTERVAL = 1_000;

const start = performance.now();
let last = treeTime();
let processor = 0;
const measure = (): void => {
  const now = treeTime();
  if (now !== undefined) processor += Math.max(0, now - last!);
  last = now;
};
const timer = setInterval(measure, INTERVAL).unref();

const { file } = TestRunner.getCurrentSuite();
afterAll(() => {
  clearInterval(timer);
  measure();
  file!.meta.cost = { wall: performance.now() - start, ...(last !== undefined && { processor }) };
});
