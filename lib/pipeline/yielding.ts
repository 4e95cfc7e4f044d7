/** Yields to the event loop, so that a long run keeps the page responsive and can be aborted. */

/** Maximum time between two yields, in milliseconds. */
const INTERVAL = 10;
/** Maximum number of steps between two readings of the clock. */
const MAX_STEPS = 32;

type Immediate = { setImmediate?(callback: () => void): unknown };

// Captured when the module loads, since a page might replace its timers later.
const { performance, setImmediate, setTimeout, MessageChannel } = globalThis as Partial<typeof globalThis> & Immediate;
const now = performance ? () => performance.now() : Date.now;

const callbacks: (() => void)[] = [];
let post: (() => void) | undefined;

/** Calls `callback` in a separate macrotask. */
function queueMacrotask(callback: () => void): void {
  if (setImmediate) return void setImmediate(callback);
  callbacks.push(callback);
  post ??= createPost();
  post();
}

function createPost(): () => void {
  const runNext = (): void => callbacks.shift()?.();
  if (!MessageChannel) return () => setTimeout?.(runNext, 0);
  const { port1, port2 } = new MessageChannel();
  port1.addEventListener('message', runNext);
  port1.start();
  return () => port2.postMessage(null);
}

/** Decides when a run should yield. Reads the clock every few steps, or more often if steps are slow. */
export class Yielding {
  private steps = 1;
  private every = 1;
  private lastReading = now();
  private lastYield = this.lastReading;

  /** Called at each step. Returns true if the run should yield. */
  isDue(): boolean {
    if (--this.steps > 0) return false;
    const time = now();
    this.every = time - this.lastReading > 1 ? 1 : Math.min(this.every * 2, MAX_STEPS);
    this.steps = this.every;
    this.lastReading = time;
    return time - this.lastYield >= INTERVAL;
  }

  yield(): Promise<void> {
    return new Promise((resolve) => {
      queueMacrotask(() => {
        this.lastYield = this.lastReading = now();
        resolve();
      });
    });
  }
}
