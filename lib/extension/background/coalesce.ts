/** Lets concurrent callers of the same request share one response, for as long as one of them waits for it. */

interface Running {
  result: Promise<unknown>;
  waiting: number;
  controller: AbortController;
}

export class Coalescer {
  readonly #running = new Map<string, Running>();

  /**
   * Runs `work`, or joins what already runs under the same key. Aborting `signal` ends the waiting of this caller. When the last
   * caller has left, the signal of `work` is aborted, and the next caller starts again.
   */
  join<T>(parts: readonly unknown[], work: (signal: AbortSignal) => Promise<T>, signal?: AbortSignal): Promise<T> {
    const key = JSON.stringify(parts);
    const running = this.#running.get(key) ?? this.#start(key, work);
    running.waiting++;
    const leave = (): void => {
      if (--running.waiting > 0) return;
      this.#remove(key, running);
      running.controller.abort();
    };
    signal?.addEventListener('abort', leave, { once: true });
    return running.result as Promise<T>;
  }

  /** Later callers don’t join requests that run now. */
  clear(): void {
    this.#running.clear();
  }

  #start(key: string, work: (signal: AbortSignal) => Promise<unknown>): Running {
    const controller = new AbortController();
    const result = work(controller.signal).finally(() => this.#remove(key, running));
    const running: Running = { result, waiting: 0, controller };
    this.#running.set(key, running);
    return running;
  }

  #remove(key: string, running: Running): void {
    if (this.#running.get(key) === running) this.#running.delete(key);
  }
}
