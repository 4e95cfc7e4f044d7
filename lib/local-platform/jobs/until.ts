/** Awaits work until a signal aborts. */

/** Settles as `work` does, or rejects with the signal’s reason if that comes first. `work` isn’t stopped. */
export function until<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return work;
  return new Promise<T>((resolve, reject) => {
    const abort = (): void => reject(signal.reason as Error);
    if (signal.aborted) return abort();
    signal.addEventListener('abort', abort, { once: true });
    void work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}

/** Knows which work hasn’t settled. */
export class PendingWork {
  readonly #all = new Set<Promise<void>>();

  /** @param work never rejects */
  async track(work: Promise<void>): Promise<void> {
    this.#all.add(work);
    await work;
    this.#all.delete(work);
  }

  /** Resolves once all of it has settled, or the signal aborts. */
  async settled(signal: AbortSignal): Promise<void> {
    await until(Promise.all(this.#all), signal).catch(() => undefined);
  }
}
