/** Opens a page of the platform in a tab, and waits until it has loaded. */
import { CodedError } from '../../platform-api/index.ts';
import type { CallOptions, Connection } from '../../rest/index.ts';
import type { TokenRules } from './session-rule.ts';

interface TabState {
  status?: string | undefined;
  url?: string | undefined;
  pendingUrl?: string | undefined;
}
type Updated = (tabId: number, change: TabState, tab: TabState) => void;
type Removed = (tabId: number) => void;
interface Event<L> {
  addListener(listener: L): void;
  removeListener(listener: L): void;
}

/** The part of `browser.tabs` that is used. */
export interface Tabs {
  update(tabId: number, change: { url: string }): Promise<unknown>;
  get(tabId: number): Promise<TabState>;
  onUpdated: Event<Updated>;
  onRemoved: Event<Removed>;
}

export interface PlatformPage {
  tabId: number;
  /** Address below the base URL, such as `/v1/apps/1/preview`. */
  path: string;
  /** As sentences call it, such as `debug page`. */
  title: string;
  /** By way of `about:blank`. */
  leaveFirst?: boolean | undefined;
}

const LEAVE_LIMIT = 10_000;
const LOAD_LIMIT = 30_000;

type Check = (connection: Connection, page: { path: string; title: string }, options: CallOptions) => Promise<void>;

export interface PlatformPages {
  /**
   * Asks for the page by `check`, so that a refusal is told without the tab leaving where it is, then takes the tab there.
   * `signal` gives it up: the tab stays where it is by then.
   * @throws CodedError what `check` says, `TAB_GONE`, `TAB_REFUSED`, `PAGE_ELSEWHERE`, `PAGE_SLOW`, `PAGE_SUPERSEDED`
   */
  open(connection: Connection, page: PlatformPage, signal?: AbortSignal): Promise<string>;
  /** Answers when the rule stands for the tab's next load of this page, which the caller starts; waits for that load by itself. */
  allowReload(connection: Connection, page: PlatformPage): Promise<string>;
}

/** A tab that is asked for another page while it loads one gives that one up. */
export function createPlatformPages(
  tabs: Tabs,
  rules: TokenRules,
  check: Check,
  loadLimit = LOAD_LIMIT,
): PlatformPages {
  const waiting = new Map<number, AbortController>();

  async function inTurn<T>(tabId: number, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    waiting.get(tabId)?.abort();
    const mine = new AbortController();
    waiting.set(tabId, mine);
    try {
      return await work(mine.signal);
    } catch (error) {
      throw mine.signal.aborted ? superseded() : error;
    } finally {
      if (waiting.get(tabId) === mine) waiting.delete(tabId);
    }
  }

  return {
    open: (connection, { tabId, path, title, leaveFirst }, givenUp) =>
      inTurn(tabId, async (next) => {
        const signal = givenUp ? AbortSignal.any([next, givenUp]) : next;
        const url = connection.baseUrl + path;
        await check(connection, { path, title }, { signal });
        if (leaveFirst) await leave(tabs, tabId, title, signal);
        // By `tabs.update`, so that the page which the tab leaves is not the initiator: its host would need a permission too.
        const start = () => tabs.update(tabId, { url });
        await rules.during({ tabId, url, exact: true }, connection.token, () =>
          load(tabs, tabId, { url, title }, start, signal, loadLimit),
        );
        return url;
      }),
    allowReload: ({ baseUrl, token }, { tabId, path, title }) => {
      const url = baseUrl + path;
      const { promise, resolve, reject } = Promise.withResolvers<string>();
      const start = () => Promise.resolve(resolve(url));
      // Not exact: after a run the payload stands in the page's query.
      inTurn(tabId, (signal) =>
        rules.during({ tabId, url, exact: false }, token, () =>
          load(tabs, tabId, { url, title }, start, signal, loadLimit),
        ),
      ).catch(reject);
      return promise;
    },
  };
}

/** Takes the tab to `about:blank`, from which a page in an endless loop can't keep it: that page's process is not asked. */
function leave(tabs: Tabs, tabId: number, title: string, signal: AbortSignal): Promise<void> {
  const late = () => refused(title, 'it stays on the page that it shows');
  return follow(tabs, tabId, signal, LEAVE_LIMIT, late, {
    start: () =>
      tabs.update(tabId, { url: 'about:blank' }).then(
        () => undefined,
        (error: unknown) => Promise.reject(refused(title, error)),
      ),
    onUpdated: ({ status }, _tab, resolve) => {
      if (status === 'complete') resolve();
    },
  });
}

/** Waits until the tab shows `url` loaded. */
function load(
  tabs: Tabs,
  tabId: number,
  { url, title }: { url: string; title: string },
  start: () => Promise<unknown>,
  signal: AbortSignal,
  limit: number,
): Promise<void> {
  let loading = false;
  const late = () =>
    new CodedError({
      code: 'PAGE_SLOW',
      message: `The ${title} did not finish loading within ${Math.round(limit / 1000)} seconds.`,
      hint: 'Look at the tab: it may ask whether to leave the page, or be paused in the debugger. Then open it again.',
    });
  return follow(tabs, tabId, signal, limit, late, {
    start: (resolve) =>
      start().catch(async (error: unknown) => {
        loading = true;
        const tab = await tabs.get(tabId).catch(() => {
          throw gone();
        });
        // Chromium refuses a navigation that it is doing already, as after pressing Open twice.
        if (!(tab.pendingUrl ?? tab.url)?.startsWith(url)) throw refused(title, error);
        if (tab.status === 'complete') resolve();
      }),
    onUpdated: ({ status }, tab, resolve, reject) => {
      if (status === 'loading') loading = true;
      if (status !== 'complete' || !loading) return;
      if (tab.url?.startsWith(url)) return resolve();
      // The end of an earlier load, or of a redirect away: only a tab that rests elsewhere has failed.
      void tabs.get(tabId).then(
        (now) => {
          if (now.url?.startsWith(url) || now.status !== 'complete' || now.pendingUrl) return;
          reject(
            new CodedError({
              code: 'PAGE_ELSEWHERE',
              message: `The tab ended on another page than the ${title}.`,
              hint: 'Look at the tab: the platform may have sent it on. Then open it again.',
            }),
          );
        },
        () => reject(gone()),
      );
    },
  });
}

interface Following {
  start(resolve: () => void): Promise<unknown>;
  onUpdated(change: TabState, tab: TabState, resolve: () => void, reject: (error: CodedError) => void): void;
}

/** Starts something in a tab and follows the tab until it is settled, closed, given up, or `limit` milliseconds have passed. */
async function follow(
  tabs: Tabs,
  tabId: number,
  signal: AbortSignal,
  limit: number,
  late: () => CodedError,
  following: Following,
): Promise<void> {
  signal.throwIfAborted();
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const onUpdated: Updated = (id, change, tab) => {
    if (id === tabId) following.onUpdated(change, tab, resolve, reject);
  };
  const onRemoved: Removed = (id) => {
    if (id === tabId) reject(gone());
  };
  const onAbort = (): void => reject(superseded());
  const timer = setTimeout(() => reject(late()), limit);
  tabs.onUpdated.addListener(onUpdated);
  tabs.onRemoved.addListener(onRemoved);
  signal.addEventListener('abort', onAbort);
  try {
    promise.catch(() => {});
    await following.start(resolve);
    await promise;
  } finally {
    clearTimeout(timer);
    tabs.onUpdated.removeListener(onUpdated);
    tabs.onRemoved.removeListener(onRemoved);
    signal.removeEventListener('abort', onAbort);
  }
}

const gone = (): CodedError =>
  new CodedError({ code: 'TAB_GONE', message: 'The inspected tab is closed.', hint: 'Open DevTools on another tab.' });
const refused = (title: string, error: unknown): CodedError =>
  new CodedError({
    code: 'TAB_REFUSED',
    message: `The browser did not take the tab to the ${title}: ${error instanceof Error ? error.message : String(error)}`,
    hint: 'Look at the tab, then open it again.',
  });
const superseded = (): CodedError =>
  new CodedError({
    code: 'PAGE_SUPERSEDED',
    message: 'Another page was opened in this tab meanwhile.',
    hint: 'Nothing is to be done.',
  });
