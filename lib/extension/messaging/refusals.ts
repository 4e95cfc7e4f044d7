/** Counts refused messages by code and reason. Counts survive worker restarts, until the browser exits. */
import * as v from 'valibot';
import type { Refusal, RefusedMessages } from './model/refusals.ts';

/** The part of `browser.storage.session` that this module uses. Without it, counts are lost when the worker stops. */
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

  /** Adds the counts of previous workers, unless they’re damaged or can’t be read. */
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

  const report = (): RefusedMessages => ({ since, refusals: [...counted.values()].sort((a, b) => b.last - a.last) });

  return {
    count(code, reason) {
      add({ code, reason, count: 1, last: now() });
      // A single write covers many counts during a flood of messages.
      writing ??= loaded
        .then(() => {
          writing = null;
          return session?.set({ [KEY]: report() });
        })
        .catch(() => {});
    },
    async read() {
      await loaded;
      return report();
    },
  };
}
