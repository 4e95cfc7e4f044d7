/** Owns that callers who ask the same at the same time share one answer. */

/** Answers a function that runs `work`, or joins the one that runs under the same key already. */
export function createShare(): <T>(key: readonly unknown[], work: () => Promise<T>) => Promise<T> {
  const running = new Map<string, Promise<unknown>>();
  return <T>(parts: readonly unknown[], work: () => Promise<T>) => {
    const key = JSON.stringify(parts);
    const current = running.get(key) as Promise<T> | undefined;
    if (current) return current;
    const started = work().finally(() => running.delete(key));
    running.set(key, started);
    return started;
  };
}
