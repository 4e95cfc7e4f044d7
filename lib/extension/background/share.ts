/** Owns that callers who ask the same at the same time share one answer, for which somebody still waits. */

export interface Share {
  /**
   * Answers what `work` does, or joins the one that goes on under the same key already. `signal` tells that this caller waits no more:
   * with the last of them the work's own signal is aborted, and who asks then begins anew.
   */
  join<T>(key: readonly unknown[], work: (signal: AbortSignal) => Promise<T>, signal?: AbortSignal): Promise<T>;
  /** Lets nobody join what goes on now: what it asks with is no longer so. */
  forget(): void;
}

interface Going {
  answer: Promise<unknown>;
  waiting: number;
  stop: AbortController;
}

export function createShare(): Share {
  const running = new Map<string, Going>();

  function drop(key: string, going: Going): void {
    if (running.get(key) === going) running.delete(key);
  }

  function begin(key: string, work: (signal: AbortSignal) => Promise<unknown>): Going {
    const stop = new AbortController();
    const going: Going = { answer: work(stop.signal).finally(() => drop(key, going)), waiting: 0, stop };
    running.set(key, going);
    return going;
  }

  return {
    join<T>(parts: readonly unknown[], work: (signal: AbortSignal) => Promise<T>, signal?: AbortSignal) {
      const key = JSON.stringify(parts);
      const going = running.get(key) ?? begin(key, work);
      going.waiting++;
      signal?.addEventListener(
        'abort',
        () => {
          if (--going.waiting > 0) return;
          drop(key, going);
          going.stop.abort();
        },
        { once: true },
      );
      return going.answer as Promise<T>;
    },
    forget: () => running.clear(),
  };
}
