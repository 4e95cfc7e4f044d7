/**
 * Caches lists and token lookups between requests. Every write clears the cache. That is enough because the data folder
 * is locked, so all writes go through this process. A database that other processes also use isn’t cached, so that
 * their changes, such as revoking a token, take effect at once.
 */
const MAX_ENTRIES = 200;

export class ResponseCache {
  readonly #shared: boolean;
  readonly #values = new Map<string, unknown>();
  #changes = 0;

  /** @param shared whether other processes can change the database too */
  constructor(shared = false) {
    this.#shared = shared;
  }

  /** Returns the cached value for `key`, or loads it. */
  async get<T>(key: string, load: () => Promise<T>): Promise<T> {
    const cached = this.#values.get(key) as T | undefined;
    if (cached !== undefined) return cached;
    const before = this.#changes;
    const value = await load();
    // The value might lack a change that was made while it was loading.
    if (!this.#shared && before === this.#changes) {
      if (this.#values.size >= MAX_ENTRIES) this.#values.clear();
      this.#values.set(key, value);
    }
    return value;
  }

  /** All writes must go through here. */
  async change<T>(write: () => Promise<T>): Promise<T> {
    try {
      return await write();
    } finally {
      this.#changes += 1;
      this.#values.clear();
    }
  }
}
