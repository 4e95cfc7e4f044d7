/** Lets the page work while a proof lasts, and notices when the code under proof waits for something that never happens. */

/** Time to work without a pause, in milliseconds. */
const SLICE = 20;
/** The code waits for nothing but the prover. It’s given up after this many checks without a step. */
const MAX_IDLE_CHECKS = 4;
const CHECK_INTERVAL = 500;

const now = performance.now.bind(performance);
const later = setTimeout.bind(globalThis);

export class Slices {
  readonly #channel = new MessageChannel();
  #resume: () => void = () => undefined;
  #since = now();
  #steps = 0;

  constructor() {
    // Unlike timers, messages aren’t delayed in a page in the background.
    this.#channel.port1.addEventListener('message', () => this.#resume());
    this.#channel.port1.start();
  }

  /** Something happened. */
  step(): void {
    this.#steps++;
  }

  pauseIfDue(): Promise<void> | undefined {
    return now() - this.#since < SLICE ? undefined : this.pause();
  }

  pause(): Promise<void> {
    return new Promise((resolve) => {
      this.#resume = () => {
        this.#since = now();
        resolve();
      };
      this.#channel.port2.postMessage(null);
    });
  }

  /** Calls the listener as long as nothing happens. A page that is paused or busy for long isn’t waiting. */
  watch(onIdle: () => void): void {
    let seen = this.#steps;
    let checks = 0;
    const check = (): void => {
      if (this.#isClosed) return;
      checks = seen === this.#steps ? checks + 1 : 0;
      seen = this.#steps;
      if (checks >= MAX_IDLE_CHECKS) onIdle();
      later(check, CHECK_INTERVAL);
    };
    later(check, CHECK_INTERVAL);
  }
  #isClosed = false;

  close(): void {
    this.#isClosed = true;
    this.#channel.port1.close();
  }
}
