/** An in-memory background worker whose sessions can change, and a host page whose time is moved by the test. */
import { signal } from '@preact/signals';
import type { ErrorValue, Result } from '../../../../../../lib/platform-api/errors.ts';
import type { AnalyticsSession } from '../../../../../../lib/platform-api/sessions/session.ts';
import type { MessageName, Send } from '../../../../../../lib/extension/messaging/protocol.ts';
import type { HostPage } from '../../../../../../lib/extension/panel/apps/host-page.ts';

export const OF = { environmentId: 'e', appId: 7 };
export const refused = (error: Partial<ErrorValue>): Result<never> => ({
  ok: false,
  error: { code: 'NOT_FOUND', message: 'There is no such thing.', ...error },
});

export function use(
  id: number,
  {
    email = `user-${id}@example.com` as string | null,
    version = 12 as number | null,
    latest = 12 as number | null,
    at = '2026-11-20T10:00:00Z',
  } = {},
): AnalyticsSession {
  return {
    id,
    identifier: null,
    lastAccessedAt: at,
    user: email === null ? null : { email },
    appVersion: {
      isManualCheck: null,
      lastCheckedAt: null,
      latestVersion: latest,
      currentVersion: version,
      nrOfDownloads: null,
      lastUpdateType: null,
      localUpdatedAt: at,
      assetsToDownload: null,
    },
  };
}

type ApiResponse = (takes: never) => Result<unknown> | Promise<Result<unknown>>;

export function createFakePlatform(responses: Partial<Record<MessageName, ApiResponse>> = {}) {
  const platform = {
    sessions: [] as AnalyticsSession[],
    /** The worker splits the list of a platform without paging into pages, so requests are the same. */
    isPaged: true,
    /** Called before each page is returned; its result replaces the page. */
    onPiece: (
      _nth: number,
      _takes: { limit: number; offset: number },
    ): Result<never> | void | Promise<Result<never> | void> => {},
    sent: [] as [MessageName, unknown][],
    pieces: () =>
      platform.sent
        .filter(([name]) => name === 'sessions.list')
        .map(([, takes]) => takes as { limit: number; offset: number }),
    /** Whether each of those pages is still awaited. */
    signals: [] as (AbortSignal | undefined)[],
    /** All sessions at the time when each page was returned. */
    listed: new Map<readonly AnalyticsSession[], readonly AnalyticsSession[]>(),
    send: (async (name: MessageName, takes: never, signal?: AbortSignal): Promise<Result<unknown>> => {
      if (signal?.aborted) return refused({ code: 'ABORTED' });
      platform.sent.push([name, takes]);
      if (name === 'sessions.list') platform.signals.push(signal);
      if (name !== 'sessions.list') return responses[name] ? responses[name](takes) : refused({});
      const { limit, offset } = takes as { limit: number; offset: number };
      const refusal = await platform.onPiece(platform.pieces().length, { limit, offset });
      if (refusal) return refusal;
      const value = platform.isPaged ? platform.sessions.slice(offset, offset + limit) : platform.sessions;
      platform.listed.set(value, platform.sessions);
      return { ok: true, value };
    }) as Send,
  };
  return platform;
}

/** A clock that moves only on request. Due timers run in order, each followed by its microtasks. */
export function createPage(now = Date.parse('2026-11-20T12:00:00Z')) {
  let waiting: { at: number; work: () => void }[] = [];
  const isVisible = signal(true);
  const isOnline = signal(true);
  const host: HostPage = {
    now: () => now,
    later(work, milliseconds) {
      const one = { at: now + milliseconds, work };
      waiting.push(one);
      return () => void (waiting = waiting.filter((other) => other !== one));
    },
    isVisible,
    isOnline,
  };
  return {
    host,
    isVisible,
    isOnline,
    waiting: () => waiting.length,
    async advance(milliseconds: number): Promise<void> {
      const end = now + milliseconds;
      await settled();
      for (;;) {
        const [next] = waiting.filter(({ at }) => at <= end).sort((a, b) => a.at - b.at);
        if (!next) break;
        waiting = waiting.filter((one) => one !== next);
        now = Math.max(now, next.at);
        next.work();
        await settled();
      }
      now = Math.max(now, end);
    },
    /** Time that something takes. */
    spend: (milliseconds: number) => void (now += milliseconds),
  };
}

/** Waits for everything that earlier responses caused. */
export const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
