/**
 * Lists an app’s sessions in pages, because messages are limited to 64 MB and some platforms return all sessions at
 * once.
 */
import type { AnalyticsSession } from '../../platform-api/index.ts';
import { unreadableOf, withUnreadable } from '../../platform-api/lists/unreadable.ts';
import type { CallOptions, Connection } from '../../rest/index.ts';
import { listSessions } from '../../rest/index.ts';
import type { Coalescer } from './coalesce.ts';

export interface PageOptions {
  appId: number;
  limit: number;
  offset: number;
}

/**
 * In milliseconds. Long enough to load 60 MB, and below the 30 seconds after which browsers stop a worker that’s
 * waiting for a response.
 */
const TIMEOUT = 28_000;
/**
 * How long (in milliseconds) and for how many apps to cache a list that the platform returned in one piece. A list can
 * take 200 MB.
 */
const CACHE_TIME = 30_000;
const CACHE_SIZE = 2;

interface CachedList {
  /** Null after the last page. The length alone then answers for prefetched pages beyond the end. */
  all: AnalyticsSession[] | null;
  length: number;
  timer: ReturnType<typeof setTimeout>;
}

export class SessionPages {
  readonly #coalescer: Coalescer;
  readonly #cache = new Map<string, CachedList>();

  constructor(coalescer: Coalescer) {
    this.#coalescer = coalescer;
  }

  /** Always requests the first page from the platform, even if it’s cached. */
  async list(
    connection: Connection,
    { appId, limit, offset }: PageOptions,
    { timeoutMs, signal }: CallOptions = {},
  ): Promise<AnalyticsSession[]> {
    // The token is part of the key, so a token never gets data that was requested with another token.
    const key = JSON.stringify([connection, appId]);
    const page = (all: AnalyticsSession[]): AnalyticsSession[] => {
      this.#save(key, { all: offset + limit < all.length ? all : null, length: all.length });
      // With the first page, because their places are unknown.
      return withUnreadable(all.slice(offset, offset + limit), offset === 0 ? unreadableOf(all) : []);
    };
    const cached = offset === 0 ? undefined : this.#cache.get(key);
    if (cached && offset >= cached.length) return [];
    if (cached?.all) return page(cached.all);
    const request = (until?: AbortSignal): Promise<AnalyticsSession[]> =>
      listSessions(connection, { appId, limit, offset }, { timeoutMs: timeoutMs ?? TIMEOUT, signal: until });
    // A caller with a custom timeout doesn’t join a request that might take longer.
    const found = await (timeoutMs === undefined
      ? this.#coalescer.join(['sessions', key, limit, offset], request, signal)
      : request(signal));
    return found.length + unreadableOf(found).length > limit ? page(found) : found;
  }

  #save(key: string, list: Omit<CachedList, 'timer'>): void {
    this.#remove(key);
    this.#cache.set(key, { ...list, timer: setTimeout(() => this.#cache.delete(key), CACHE_TIME) });
    for (const oldest of this.#cache.keys()) if (this.#cache.size > CACHE_SIZE) this.#remove(oldest);
  }

  #remove(key: string): void {
    clearTimeout(this.#cache.get(key)?.timer);
    this.#cache.delete(key);
  }
}
