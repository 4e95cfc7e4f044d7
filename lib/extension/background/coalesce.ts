/** Shares one response between concurrent callers of the same request. */

interface Running {
  result: Promise<unknown>;
  waiting: number;
  controller: AbortController;
}

export class Coalescer {
  readonly #running = new Map<string, Running>();

  /**
   * Runs `work`, or joins the call that is already running under the same key. Aborting `signal` only affects this
   * caller. When all callers have aborted, `work` is aborted too, and the next caller starts a new one.
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

  /** Makes later callers start new requests instead of joining running ones. */
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
