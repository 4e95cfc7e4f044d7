/**
 * Caches lists and token lookups between requests. Every write clears the cache, which is exact because all writes
 * pass through this one process: the data folder is locked. A database that other processes also use isn’t cached, so
 * that their changes, such as a revoked token, apply at once.
 */
const MOST = 200;

/** @param shared other processes may change the database too */
export function createAnswers(shared = false) {
  const kept = new Map<string, unknown>();
  let changes = 0;
  return {
    /** The value under `key`, made when it is not kept; a failure to make it is not kept. */
    async get<T>(key: string, make: () => Promise<T>): Promise<T> {
      const known = kept.get(key) as T | undefined;
      if (known !== undefined) return known;
      const before = changes;
      const value = await make();
      // A change while it was made could have missed it: then it is answered, but not kept.
      if (!shared && before === changes) {
        if (kept.size >= MOST) kept.clear();
        kept.set(key, value);
      }
      return value;
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
