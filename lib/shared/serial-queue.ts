/** Runs asynchronous tasks one after the other. */

export class SerialQueue {
  #last: Promise<unknown> = Promise.resolve();

  /**
   * Starts `task` when all earlier ones have settled. Resolves or rejects as the task does; a rejection doesn’t stop
   * later tasks.
   */
  run<T>(task: () => T | Promise<T>): Promise<T> {
    const result = this.#last.then(task);
    this.#last = result.catch(() => {});
    return result;
  }

  /** Resolves when every task queued so far has settled. */
  async idle(): Promise<void> {
    await this.#last;
  }
}
