/**
 * Owns what is kept of the database between requests: serialised lists, and who a token is. All of it is forgotten with every
 * change; that is exact because all writes pass through this one process (the data folder is locked). Of a database that other
 * processes use too nothing is kept: what they change, a token revoked there above all, holds here from the same moment on.
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
