/** Counts refused messages by code and reason. The counts outlive the worker, until the browser exits. */
import * as v from 'valibot';
import type { Refusal, RefusedMessages } from './model/refusals.ts';

/** The part of `browser.storage.session` that is used; without it the count begins with the worker. */
export interface SessionArea {
  get(key: string): Promise<Record<string, unknown>>;
  set(items: Record<string, unknown>): Promise<void>;
}

export interface Refusals {
  count(code: string, reason: string): void;
  read(): Promise<RefusedMessages>;
}

const KEY = 'messages.refused';
const Stored = v.object({
  since: v.number(),
  refusals: v.array(v.object({ code: v.string(), reason: v.string(), count: v.number(), last: v.number() })),
});

export function createRefusals(session: SessionArea | undefined, now: () => number = Date.now): Refusals {
  const counted = new Map<string, Refusal>();
  let since = now();
  let writing: Promise<void> | null = null;
  const loaded = load();

  /** Adds what an earlier worker has counted; what is damaged, or cannot be had, is begun anew. */
  async function load(): Promise<void> {
    const stored = v.safeParse(
      Stored,
      ((await session?.get(KEY).catch(() => ({}))) as Record<string, unknown> | undefined)?.[KEY],
    );
    if (!stored.success) return;
    since = Math.min(since, stored.output.since);
    for (const refusal of stored.output.refusals) add(refusal);
  }

  function add({ code, reason, count, last }: Refusal): void {
    const key = `${code} ${reason}`;
    const before = counted.get(key);
    counted.set(key, { code, reason, count: count + (before?.count ?? 0), last: Math.max(last, before?.last ?? 0) });
  }

  const told = (): RefusedMessages => ({ since, refusals: [...counted.values()].sort((a, b) => b.last - a.last) });

  return {
    count(code, reason) {
      add({ code, reason, count: 1, last: now() });
      // A flood is written as often as the browser gets it done, not as often as it comes.
      writing ??= loaded
        .then(() => {
          writing = null;
          return session?.set({ [KEY]: told() });
        })
        .catch(() => {});
    },
    async read() {
      await loaded;
      return told();
    },
  };
}
