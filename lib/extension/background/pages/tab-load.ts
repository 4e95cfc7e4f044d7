/** Navigates a tab and follows it until its page has loaded. */
import { CodedError } from '../../../platform-api/index.ts';

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

/** The subset of `browser.tabs` that this module uses. */
export interface Tabs {
  update(tabId: number, change: { url: string }): Promise<unknown>;
  get(tabId: number): Promise<TabState>;
  onUpdated: Event<Updated>;
  onRemoved: Event<Removed>;
}

/**
 * Which `tabs.onUpdated` event a browser fires when the response of a navigation has started. `loading`: any event with
 * this status (Chromium). `url`: one that also has a URL, because the navigation’s start is reported, too (Firefox).
 */
export type CommitEvent = 'loading' | 'url';

/** In milliseconds. */
export interface PageLimits {
  load: number;
  check: number;
  look: number;
}

/** In milliseconds. */
const LEAVE_LIMIT = 10_000;

/** Navigates to `about:blank`. This works even if the page is in an endless loop, since its process isn’t involved. */
export function leave(tabs: Tabs, tabId: number, title: string, signal: AbortSignal): Promise<void> {
  const onTimeout = () => refused(title, 'it stays on its page.');
  return follow(tabs, tabId, signal, LEAVE_LIMIT, onTimeout, {
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

export interface Load {
  url: string;
  title: string;
  start(): Promise<unknown>;
  /** Called when the response has started, so that the request was sent. */
  onCommit(): void;
  /** Whether the platform redirects the page, so that its URL isn’t known before. */
  isRedirected?: boolean;
  commitEvent: CommitEvent;
  limits: PageLimits;
}

/** Resolves when the tab has loaded `url`, or the page that it’s redirected to on the same origin. */
export async function load(tabs: Tabs, tabId: number, loading: Load, signal: AbortSignal): Promise<void> {
  const before = (await tabs.get(tabId).catch(() => null))?.url;
  const tab = new LoadingTab(tabs, tabId, loading, before);
  let timer: ReturnType<typeof setInterval> | undefined;
  const following: Following = {
    start: (resolve, reject) => {
      timer = setInterval(() => void tab.look(reject), loading.limits.look);
      return tab.start(resolve);
    },
    onUpdated: (change, now, resolve, reject) => tab.onUpdated(change, now, resolve, reject),
  };
  const { title, limits } = loading;
  try {
    await follow(tabs, tabId, signal, limits.load, () => slow(title, limits.load), following);
  } finally {
    clearInterval(timer);
  }
}

class LoadingTab {
  readonly #tabs: Tabs;
  readonly #tabId: number;
  readonly #loading: Load;
  readonly #before: string | undefined;
  #hasStarted = false;
  /** The tab has gone to another page. Without access to its site, its URL isn’t known. */
  #hasLeft = false;
  #isLoading = false;
  #hasCommitted = false;
  #wasPending = false;

  /** @param before the tab’s URL before the navigation */
  constructor(tabs: Tabs, tabId: number, loading: Load, before: string | undefined) {
    this.#tabs = tabs;
    this.#tabId = tabId;
    this.#loading = loading;
    this.#before = before;
  }

  async start(resolve: () => void): Promise<void> {
    try {
      const tab = (await this.#loading.start()) as TabState | undefined;
      this.#wasPending ||= Boolean(tab?.pendingUrl);
      this.#hasStarted = true;
    } catch (error) {
      this.#isLoading = true;
      const tab = await this.#tabs.get(this.#tabId).catch(() => {
        throw gone();
      });
      // Chromium rejects the update if the same navigation is already in progress, for example after two clicks on Open.
      if (!this.#isPage(tab.pendingUrl ?? tab.url)) throw refused(this.#loading.title, error);
      if (tab.status === 'complete') resolve();
    }
  }

  onUpdated(change: TabState, tab: TabState, resolve: () => void, reject: (error: CodedError) => void): void {
    const { url, commitEvent, onCommit } = this.#loading;
    if (change.status === 'loading') this.#isLoading = true;
    const isCommit = change.status === 'loading' && (commitEvent === 'loading' || change.url !== undefined);
    if (isCommit && !tab.pendingUrl) {
      if (this.#isPage(tab.url)) {
        this.#hasCommitted = true;
        onCommit();
      } else if (this.#hasStarted) {
        this.#hasLeft = true;
        // Its page could send the tab on, with the token.
        if (this.#loading.isRedirected) return reject(elsewhere(this.#loading));
      }
    }
    if (change.status !== 'complete' || !this.#isLoading) return;
    if (this.#isPage(tab.url) && (this.#hasCommitted || tab.url?.startsWith(url))) return resolve();
    // The event might belong to an earlier load or a redirect. Fail only if the tab stays on another page.
    void this.#tabs.get(this.#tabId).then(
      (now) => {
        if (!this.#isPage(now.url) && now.status === 'complete' && !now.pendingUrl) reject(this.#notOpened(now));
      },
      () => reject(gone()),
    );
  }

  /** A response without a page (204, or a download) ends the navigation. Chromium reports no event then. */
  async look(reject: (error: CodedError) => void): Promise<void> {
    const now = await this.#tabs.get(this.#tabId).catch(() => null);
    if (!now) return;
    const isPending = Boolean(now.pendingUrl);
    if (this.#wasPending && !isPending && !this.#hasCommitted && now.status === 'complete')
      reject(this.#notOpened(now));
    this.#wasPending ||= isPending;
  }

  #notOpened({ url }: TabState): CodedError {
    return url === this.#before && !this.#hasLeft ? stayed(this.#loading.title) : elsewhere(this.#loading);
  }

  /** A page may shorten its URL while it loads, and the platform may redirect it, both within its origin. */
  #isPage(at: string | undefined): boolean {
    const { url, isRedirected = false } = this.#loading;
    if (at?.startsWith(url)) return true;
    return (isRedirected || this.#hasCommitted) && at !== undefined && originOf(at) === new URL(url).origin;
  }
}

const originOf = (url: string): string | null => (URL.canParse(url) ? new URL(url).origin : null);

interface Following {
  start(resolve: () => void, reject: (error: CodedError) => void): Promise<unknown>;
  onUpdated(change: TabState, tab: TabState, resolve: () => void, reject: (error: CodedError) => void): void;
}

/**
 * Starts an operation in a tab and follows the tab until it settles, is closed, or `limit` milliseconds have passed.
 */
async function follow(
  tabs: Tabs,
  tabId: number,
  signal: AbortSignal,
  limit: number,
  onTimeout: () => CodedError,
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
  const timer = setTimeout(() => reject(onTimeout()), limit);
  tabs.onUpdated.addListener(onUpdated);
  tabs.onRemoved.addListener(onRemoved);
  signal.addEventListener('abort', onAbort);
  try {
    promise.catch(() => {});
    await following.start(resolve, reject);
    await promise;
  } finally {
    clearTimeout(timer);
    tabs.onUpdated.removeListener(onUpdated);
    tabs.onRemoved.removeListener(onRemoved);
    signal.removeEventListener('abort', onAbort);
  }
}

const pageError = (code: string, message: string, hint: string): CodedError => new CodedError({ code, message, hint });

const slow = (title: string, limit: number): CodedError =>
  pageError(
    'PAGE_SLOW',
    `Couldn’t open the ${title}: it didn’t load within ${Math.round(limit / 1000)} seconds.`,
    'Check the tab for a prompt or a paused debugger, then open the page again.',
  );
const elsewhere = ({ title, url, isRedirected }: Load): CodedError =>
  pageError(
    'PAGE_ELSEWHERE',
    `Couldn’t open the ${title}: the tab ended up on another page.`,
    isRedirected
      ? `The platform redirected it. The token was sent only to ${new URL(url).host}. Enter the new URL as the base URL if you trust it.`
      : 'Check the tab: the platform may have redirected it. Then open the page again.',
  );
const stayed = (title: string): CodedError =>
  pageError(
    'TAB_STAYED',
    `Couldn’t open the ${title}: the tab stayed on its page.`,
    'Check if the platform sent a download or an empty response, or if you chose to stay. Then open the page again.',
  );
const gone = (): CodedError =>
  pageError('TAB_GONE', 'Couldn’t open the page: the inspected tab is closed.', 'Open DevTools on another tab.');
const refused = (title: string, error: unknown): CodedError =>
  pageError(
    'TAB_REFUSED',
    `The browser didn’t open the ${title}: ${error instanceof Error ? error.message : String(error)}`,
    'Check the tab, then open the page again.',
  );
export const superseded = (): CodedError =>
  new CodedError({ code: 'PAGE_SUPERSEDED', message: 'Canceled: another page was opened in this tab.' });
