/**
 * Caches lists and token lookups between requests. Every write clears the cache, which is exact because all writes
 * pass through this one process: the data folder is locked. A database that other processes also use isn’t cached, so
 * that their changes, such as a revoked token, apply at once.
 */
const MAX_ENTRIES = 200;

export class ResponseCache {
  readonly #shared: boolean;
  readonly #values = new Map<string, unknown>();
  #changes = 0;

  /** @param shared other processes may change the database too */
  constructor(shared = false) {
    this.#shared = shared;
  }

  /** The cached value of `key`, or the one that `load` resolves with. */
  async get<T>(key: string, load: () => Promise<T>): Promise<T> {
    const cached = this.#values.get(key) as T | undefined;
    if (cached !== undefined) return cached;
    const before = this.#changes;
    const value = await load();
    // The value may lack a change that was made while it was loading.
    if (!this.#shared && before === this.#changes) {
      if (this.#values.size >= MAX_ENTRIES) this.#values.clear();
      this.#values.set(key, value);
    }
    return value;
  }

  /** Every write goes through here. */
  async change<T>(write: () => Promise<T>): Promise<T> {
    try {
      return await write();
    } finally {
      this.#changes += 1;
      this.#values.clear();
    }
  }
}
