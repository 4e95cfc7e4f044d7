/** Watches a target from another thread, because an endless loop can’t be noticed from within. */
import { setImmediate as turn } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';

/** Seconds that one input may take, on a machine that others use as well. */
export const LIMIT = 20;

/** Number of the current input, counted from 1. */
const count = new Int32Array(new SharedArrayBuffer(4));
let show = 0;
let slowest = { milliseconds: 0, input: 0 };
let startedAt = 0;
/** A target may replace the clock. */
const now = performance.now.bind(performance);

/** Records that an input starts; `text` describes it, and is called only when this input is to be shown. */
export function start(text: () => string): void {
  end();
  const number = Atomics.add(count, 0, 1) + 1;
  if (number === show) console.log(`Input ${number}: ${text()}`);
  startedAt = now();
}

function end(): void {
  const milliseconds = now() - startedAt;
  if (startedAt > 0 && milliseconds > slowest.milliseconds) slowest = { milliseconds, input: Atomics.load(count, 0) };
}

/**
 * Runs `work` under the watch: the process is killed when one input takes longer than `LIMIT`.
 * @param shown number of an input to print before it is judged; 0 for none
 */
export async function watched(
  work: () => Promise<void>,
  shown = 0,
): Promise<{ inputs: number; slowest: { milliseconds: number; input: number } }> {
  show = shown;
  const watch = new Worker(WATCH, { eval: true, workerData: { count, limit: LIMIT * 1000 } });
  try {
    await work();
    // Unhandled rejections are reported after this task.
    await turn();
    end();
  } finally {
    await watch.terminate();
  }
  return { inputs: Atomics.load(count, 0), slowest };
}

/** Kills rather than sets an exit code, which is of no use while the other thread loops. */
const WATCH = `
  const { workerData: { count, limit } } = require('node:worker_threads');
  const { writeSync } = require('node:fs');
  let last = -1, since = Date.now();
  setInterval(() => {
    const now = Atomics.load(count, 0);
    // Time before the first input doesn't count.
    if (now !== last || now === 0) { last = now; since = Date.now(); return; }
    if (Date.now() - since < limit) return;
    writeSync(2, 'Input ' + now + ' has not ended within ' + limit / 1000 + ' seconds: a hang. --show ' + now + ' prints it.\\n');
    process.kill(process.pid, 'SIGKILL');
  }, 250);
`;
