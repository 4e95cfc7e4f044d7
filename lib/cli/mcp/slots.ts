/** Limits how many calls work at the same time, and how many wait. */
import { CodedError } from '../../platform-api/coded-error.ts';

export class Slots {
  readonly #limit: number;
  readonly #maxWaiting: number;
  readonly #waiting = new Set<() => void>();
  #working = 0;

  constructor(limit: number, maxWaiting: number) {
    this.#limit = limit;
    this.#maxWaiting = maxWaiting;
  }

  /** @throws CodedError `TOO_MANY_CALLS`, `ABORTED`, and what `work` throws */
  async run<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    await this.#enter(signal);
    try {
      if (signal.aborted) throw aborted();
      return await work();
    } finally {
      this.#leave();
    }
  }

  #enter(signal: AbortSignal): Promise<void> {
    if (this.#working < this.#limit) {
      this.#working++;
      return Promise.resolve();
    }
    if (this.#waiting.size >= this.#maxWaiting)
      throw new CodedError({
        code: 'TOO_MANY_CALLS',
        message: `Couldn’t start the call: ${this.#maxWaiting} others are waiting already. Nothing was done.`,
        hint: 'Wait for the earlier calls, then try again.',
      });
    return new Promise((resolve, reject) => {
      const start = (): void => {
        signal.removeEventListener('abort', abort);
        resolve();
      };
      const abort = (): void => {
        if (this.#waiting.delete(start)) reject(aborted());
      };
      this.#waiting.add(start);
      signal.addEventListener('abort', abort, { once: true });
    });
  }

  /** Gives the slot to the one that has waited longest. */
  #leave(): void {
    const [next] = this.#waiting;
    if (!next) return void this.#working--;
    this.#waiting.delete(next);
    next();
  }
}

const aborted = (): CodedError =>
  new CodedError({ code: 'ABORTED', message: 'The call was canceled before it started.' });
