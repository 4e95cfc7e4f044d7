/** Owns the popup's few values and who is told when one changes: with `.value` as signals have, which alone would be a fifth of what the popup loads. */

export interface Cell<T> {
  value: T;
}

export function createCells() {
  const listeners = new Set<() => void>();
  let told = true;
  /** Once for all changes that are made together. */
  const tell = (): void => {
    if (!told) return;
    told = false;
    queueMicrotask(() => {
      told = true;
      for (const listener of listeners) listener();
    });
  };
  return {
    cell<T>(first: T): Cell<T> {
      let now = first;
      return {
        get value() {
          return now;
        },
        set value(next) {
          if (Object.is(next, now)) return;
          now = next;
          tell();
        },
      };
    },
    derived: <T>(work: () => T): Readonly<Cell<T>> => ({
      get value() {
        return work();
      },
    }),
    subscribe(listener: () => void): () => void {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}
