/** Reads all of an app's sessions in pages, from a list that can change while it's being read. */
import type { Result } from '../../platform-api/coded-error.ts';
import type { AnalyticsSession } from '../../platform-api/sessions/session.ts';
import { unreadableOf } from '../../platform-api/lists/unreadable.ts';
import { formatCount } from '../../shared/format.ts';

/** Sessions per page. A page is about 3 MB, small enough to show progress often. */
const PAGE_SIZE = 5_000;
/** The page size shrinks to this number when sessions are large. */
const SMALLEST_PAGE_SIZE = 50;
/** Pages to prefetch, so that the platform, the worker, and the panel work at the same time. */
const PREFETCH_COUNT = 2;
/** Protects against a platform that never stops returning pages. */
const SESSION_LIMIT = 1_000_000;
/** Platforms that cap their page size use a multiple of one of these. */
const CAP_MULTIPLES = [50, 64];
const TOO_LARGE: ReadonlySet<string> = new Set(['ANSWER_TOO_LARGE', 'ANSWER_UNSENDABLE']);

type Page = Result<readonly AnalyticsSession[]>;

interface Prefetched {
  offset: number;
  limit: number;
  page: Promise<Page>;
}

/** Requests `limit` sessions starting at `offset`, ordered by ID. */
export type RequestPage = (page: { limit: number; offset: number }) => Promise<Page>;

/**
 * Passes each page to `take`, along with the platform's time (epoch milliseconds). If a session appears twice, the
 * later copy is newer. Each page starts with the previous page's last session. If it doesn't, sessions were removed and
 * others moved to pages already read, so reading goes back.
 * @returns null if `take` returned false, which stops reading
 */
export async function readSessions(
  request: RequestPage,
  time: Promise<number>,
  take: (page: readonly AnalyticsSession[], now: number) => boolean,
): Promise<Result<null> | null> {
  const ids = new Set<number>();
  const pages = new Prefetcher(request);
  for (let offset = 0, limit = PAGE_SIZE; ;) {
    const page = await pages.page(offset, limit);
    if (!page.ok) {
      if (!canShrink(page.error.code, limit)) return page;
      limit /= 10;
      continue;
    }
    const sessions = page.value;
    const unreadable = unreadableOf(sessions);
    const given = [...sessions, ...unreadable];
    // The first one can be unreadable, and without an ID.
    const hasOverlap = offset === 0 || given.some(({ id }) => id === null || ids.has(id));
    if (!hasOverlap) {
      offset = Math.max(0, offset - limit + 1);
      continue;
    }
    const before = ids.size;
    for (const { id } of given) if (id !== null) ids.add(id);
    if (given.length === limit && ids.size > before) pages.prefetchAfter(offset, limit);
    if (!take(sessions, await time)) return null;
    if (ids.size > SESSION_LIMIT) return { ok: false, error: TOO_MANY };
    if (ids.size === before || isLastPage(given.length, limit)) return { ok: true, value: null };
    offset += given.length - 1;
  }
}

/** Requests pages, and the next ones while the current one is processed. */
class Prefetcher {
  readonly #request: RequestPage;
  #prefetched: Prefetched[] = [];

  constructor(request: RequestPage) {
    this.#request = request;
  }

  /** Discards the prefetched pages if this isn't the first of them. */
  page(offset: number, limit: number): Promise<Page> {
    const next = this.#prefetched.shift();
    if (next?.offset === offset && next.limit === limit) return next.page;
    this.#prefetched = [];
    return this.#request({ limit, offset });
  }

  prefetchAfter(offset: number, limit: number): void {
    while (this.#prefetched.length < PREFETCH_COUNT) {
      const nextOffset = offset + (this.#prefetched.length + 1) * (limit - 1);
      this.#prefetched.push({ offset: nextOffset, limit, page: this.#request({ limit, offset: nextOffset }) });
    }
  }
}

const canShrink = (code: string, limit: number): boolean => TOO_LARGE.has(code) && limit > SMALLEST_PAGE_SIZE;

/** A page with fewer sessions than requested is the last one, unless the platform caps its page size. */
function isLastPage(length: number, limit: number): boolean {
  return length === 0 || (length < limit && CAP_MULTIPLES.every((multiple) => length % multiple !== 0));
}

const TOO_MANY = {
  code: 'ANSWER_TOO_LARGE',
  message: `Couldn’t load the sessions: the platform lists more than ${formatCount(SESSION_LIMIT)}.`,
  hint: 'Check with the platform’s operator.',
};
