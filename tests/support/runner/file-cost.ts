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
  const children = new Map<number, number[]>();
  const ticks = new Map<number, number>();
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    try {
      const stat = readFileSync(`/proc/${name}/stat`, 'latin1');
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      const parent = Number(fields[1]);
      children.set(parent, [...(children.get(parent) ?? []), Number(name)]);
      ticks.set(
        Number(name),
        fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0),
      );
    } catch {
      // It ended in between.
    }
  }
  const sum = (pid: number): number =>
    (children.get(pid) ?? []).reduce((total, child) => total + sum(child), ticks.get(pid) ?? 0);
  return (sum(process.pid) * 1000) / TICKS_PER_SECOND;
}

/**
 * In milliseconds. What a process used since then is lost when it’s killed, as browsers are. Each measurement takes about
 * 10 ms of processor time.
 */
const INTERVAL = 2_000;

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
