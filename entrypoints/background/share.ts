/** Owns that callers who ask the same at the same time share one answer. */

export interface Share {
  /** Answers what `work` does, or joins the one that goes on under the same key already. */
  join<T>(key: readonly unknown[], work: () => Promise<T>): Promise<T>;
  /** Lets nobody join what goes on now: what it asks with is no longer so. */
  forget(): void;
}

export function createShare(): Share {
  const running = new Map<string, Promise<unknown>>();
  return {
    join<T>(parts: readonly unknown[], work: () => Promise<T>) {
      const key = JSON.stringify(parts);
      const current = running.get(key) as Promise<T> | undefined;
      if (current) return current;
      const started: Promise<T> = work().finally(() => {
        if (running.get(key) === started) running.delete(key);
      });
      running.set(key, started);
      return started;
    },
    forget: () => running.clear(),
  };
}
