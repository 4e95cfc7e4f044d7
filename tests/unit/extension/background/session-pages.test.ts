/** Tests loading sessions page by page. A platform without paging gets a single request. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { SessionPages } from '../../../../lib/extension/background/session-pages.ts';
import { Coalescer } from '../../../../lib/extension/background/coalesce.ts';
import type { BadPlatform } from '../../rest/bad-platform.ts';
import { json, startBadPlatform } from '../../rest/bad-platform.ts';

let platform: BadPlatform;
/** What the platform lists. */
let ids: number[];
let paged: boolean;
let token: string;

beforeEach(async () => {
  platform = await startBadPlatform();
  ids = Array.from({ length: 10 }, (_, n) => n + 1);
  paged = false;
  token = 'secret-token-1234567890';
  platform.respond((request, response) => {
    const query = new URL(request.url ?? '', 'http://x').searchParams;
    const from = Number(query.get('offset'));
    json(response, 200, {
      sessions: (paged ? ids.slice(from, from + Number(query.get('limit'))) : ids).map((id) => ({
        id,
        lastAccessedAt: '2026-11-20T10:00:00Z',
      })),
    });
  });
});
afterEach(() => platform.close());

const worker = () => {
  const pieces = new SessionPages(new Coalescer());
  return async (offset: number, appId = 7) =>
    (await pieces.list({ baseUrl: platform.baseUrl, token }, { appId, limit: 4, offset })).map(({ id }) => id);
};
const urls = () => platform.requests.map(({ url }) => url);

describe('a platform that supports paging', () => {
  it('gets a request for each page', async () => {
    paged = true;
    const list = worker();
    expect([await list(0), await list(4), await list(8)]).toEqual([
      [1, 2, 3, 4],
      [5, 6, 7, 8],
      [9, 10],
    ]);
    expect(urls()).toEqual([
      '/v1/apps/7/analytics/sessions?limit=4&offset=0',
      '/v1/apps/7/analytics/sessions?limit=4&offset=4',
      '/v1/apps/7/analytics/sessions?limit=4&offset=8',
    ]);
  });
});

describe('a platform that always returns all sessions', () => {
  it('is requested once for all pages of one reading, and again for the next', async () => {
    const list = worker();
    expect([await list(0), await list(4), await list(8)]).toEqual([
      [1, 2, 3, 4],
      [5, 6, 7, 8],
      [9, 10],
    ]);
    expect(platform.requests).toHaveLength(1);
    ids = [1, 2, 3, 4, 5, 6];
    expect([await list(0), await list(4)]).toEqual([
      [1, 2, 3, 4],
      [5, 6],
    ]);
    expect(platform.requests).toHaveLength(2);
  });

  it('isn’t requested again for prefetched pages beyond the end', async () => {
    const list = worker();
    await list(0);
    expect(await Promise.all([list(4), list(8), list(12), list(16)])).toEqual([[5, 6, 7, 8], [9, 10], [], []]);
    expect(platform.requests).toHaveLength(1);
    // The list itself is no longer cached.
    expect(await list(4)).toEqual([5, 6, 7, 8]);
    expect(platform.requests).toHaveLength(2);
  });

  it('is requested again for a first page, even if the previous reading didn’t end', async () => {
    const list = worker();
    await list(0);
    ids = [1];
    expect({ list: await list(0), requestCount: platform.requests.length }).toEqual({ list: [1], requestCount: 2 });
  });

  it('is requested once for concurrent readers', async () => {
    const list = worker();
    expect(await Promise.all([list(0), list(0)])).toEqual([
      [1, 2, 3, 4],
      [1, 2, 3, 4],
    ]);
    expect(platform.requests).toHaveLength(1);
  });

  it('is requested separately for a reader with its own time limit, without a delay by another’s', async () => {
    const pieces = new SessionPages(new Coalescer());
    const ask = (timeoutMs?: number) =>
      pieces.list({ baseUrl: platform.baseUrl, token }, { appId: 7, limit: 4, offset: 0 }, { timeoutMs });
    await Promise.all([ask(), ask(5_000)]);
    expect(platform.requests).toHaveLength(2);
  });

  it('is requested again by a worker after the previous one was killed, and the pages continue', async () => {
    await worker()(0);
    const list = worker();
    expect([await list(4), await list(8)]).toEqual([
      [5, 6, 7, 8],
      [9, 10],
    ]);
    expect(platform.requests).toHaveLength(2);
  });

  it('is requested again when the list wasn’t used for half a minute, because it is too large to cache for long', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      const list = worker();
      await list(0);
      vi.advanceTimersByTime(29_999);
      await list(4);
      expect(platform.requests).toHaveLength(1);
      // Each page keeps it cached for the next.
      vi.advanceTimersByTime(29_999);
      await list(4);
      expect(platform.requests).toHaveLength(1);
      vi.advanceTimersByTime(30_000);
      await list(8);
      expect(platform.requests).toHaveLength(2);
    } finally {
      vi.useRealTimers();
    }
  });

  it('has at most the lists of two apps cached', async () => {
    const list = worker();
    for (const app of [1, 2, 3]) await list(0, app);
    expect(platform.requests).toHaveLength(3);
    await list(4, 2);
    await list(4, 3);
    expect(platform.requests).toHaveLength(3);
    await list(4, 1);
    expect(platform.requests).toHaveLength(4);
  });

  it('shows nothing that was read with another token', async () => {
    const list = worker();
    await list(0);
    token = 'another-token-1234567890';
    ids = [];
    expect(await list(4)).toEqual([]);
    expect(platform.requests.map(({ headers }) => headers['auth-token'])).toEqual(['secret-token-1234567890', token]);
  });
});
