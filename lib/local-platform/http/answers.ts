/**
 * Owns the kept answers of lists: serialised once, forgotten with every change. Exact because all writes of a database pass
 * through this one process (the data folder is locked).
 */
const MOST = 200;

export function createAnswers() {
  const kept = new Map<string, string>();
  let changes = 0;
  return {
    /** The text under `key`, made when it is not kept. */
    async get(key: string, make: () => Promise<string>): Promise<string> {
      const known = kept.get(key);
      if (known !== undefined) return known;
      const before = changes;
      const text = await make();
      // A change while it was made could have missed it: then it is answered, but not kept.
      if (before === changes) {
        if (kept.size >= MOST) kept.clear();
        kept.set(key, text);
      }
      return text;
    },
    /** Every write goes through here. */
    async change<T>(write: () => Promise<T>): Promise<T> {
      try {
        return await write();
      } finally {
        changes += 1;
        kept.clear();
      }
    },
  };
}
export type Answers = ReturnType<typeof createAnswers>;
