/** Runs asynchronous tasks one at a time. */

export class SerialQueue {
  #last: Promise<unknown> = Promise.resolve();

  /**
   * Starts `task` when all earlier tasks have settled. Resolves or rejects with its result. A rejection doesn’t stop
   * later tasks.
   */
  run<T>(task: () => T | Promise<T>): Promise<T> {
    const result = this.#last.then(task);
    this.#last = result.catch(() => {});
    return result;
  }

  /** Resolves when all tasks queued so far have settled. */
  async idle(): Promise<void> {
    await this.#last;
  }
}
