/** Owns giving the event loop a turn, so that a long run leaves the page alive and an abort is heard. */

/** How long a run goes on without one, in milliseconds. */
const LONGEST = 10;
/** Most steps between two looks at the clock. */
const MOST_STEPS = 32;

// Taken when the module loads: a page may replace its timers later.
const { performance, setImmediate, setTimeout, MessageChannel } = globalThis as Partial<typeof globalThis>;
const now = performance ? () => performance.now() : Date.now;

const waiting: (() => void)[] = [];
let wake: (() => void) | undefined;

/** Calls `then` in a macrotask of its own. */
function giveTurn(then: () => void): void {
  if (setImmediate) return void setImmediate(then);
  waiting.push(then);
  if (!wake) {
    const next = (): void => waiting.shift()?.();
    if (MessageChannel) {
      const { port1, port2 } = new MessageChannel();
      port1.addEventListener('message', next);
      port1.start();
      wake = () => port2.postMessage(null);
    } else wake = () => setTimeout?.(next, 0);
  }
  wake();
}

/** Tells a run when a turn is due. It looks at the clock every few steps, more often when steps are slow. */
export class Turns {
  private steps = 1;
  private every = 1;
  private lookedAt = now();
  private since = this.lookedAt;

  /** Called at each step; true when `take` is due. */
  due(): boolean {
    if (--this.steps > 0) return false;
    const time = now();
    this.every = time - this.lookedAt > 1 ? 1 : Math.min(this.every * 2, MOST_STEPS);
    this.steps = this.every;
    this.lookedAt = time;
    return time - this.since >= LONGEST;
  }

  take(): Promise<void> {
    return new Promise((resolve) => {
      giveTurn(() => {
        this.since = this.lookedAt = now();
        resolve();
      });
    });
  }
}
