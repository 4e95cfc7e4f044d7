/** Opens a platform page in a tab, and waits until it has loaded. */
import { CodedError } from '../../../platform-api/index.ts';
import type { CallOptions, Connection } from '../../../rest/index.ts';
import type { EarlyAgents } from './early-agent.ts';
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

/** The subset of `browser.tabs` that this module uses. */
export interface Tabs {
  update(tabId: number, change: { url: string }): Promise<unknown>;
  get(tabId: number): Promise<TabState>;
  onUpdated: Event<Updated>;
  onRemoved: Event<Removed>;
}

export interface PlatformPage {
  tabId: number;
  /** Relative to the base URL, such as `/v1/apps/1/preview`. */
  path: string;
  /** The name to use in messages, such as `debug page`. */
  title: string;
  /** The token for the tab’s request. Default: the connection’s. */
  token?: ((options: CallOptions) => Promise<string>) | undefined;
  /** Whether to navigate to `about:blank` first. */
  leaveFirst?: boolean | undefined;
  /** The page’s global namespace, which the agent watches from the start. */
  namespace?: string | undefined;
}

/**
 * Which `tabs.onUpdated` event a browser fires when the response of a navigation has started. `loading`: any event with
 * this status (Chromium). `url`: one that also has a URL, because the navigation’s start is reported, too (Firefox).
 */
export type CommitEvent = 'loading' | 'url';

/** In milliseconds. */
const LEAVE_LIMIT = 10_000;
const LOAD_LIMIT = 30_000;

type Check = (connection: Connection, page: { path: string; title: string }, options: CallOptions) => Promise<void>;

export interface PageParts {
  tabs: Tabs;
  rules: TokenRules;
  agents: Pick<EarlyAgents, 'during'>;
}

/** Opening another page in a tab cancels a page that is still loading there. */
export class PlatformPages {
  readonly #tabs: Tabs;
  readonly #rules: TokenRules;
  readonly #agents: PageParts['agents'];
  readonly #check: Check;
  readonly #commitEvent: CommitEvent;
  readonly #loadLimit: number;
  readonly #loading = new Map<number, AbortController>();

  /** @param loadLimit in milliseconds */
  constructor({ tabs, rules, agents }: PageParts, check: Check, commitEvent: CommitEvent, loadLimit = LOAD_LIMIT) {
    this.#tabs = tabs;
    this.#rules = rules;
    this.#agents = agents;
    this.#check = check;
    this.#commitEvent = commitEvent;
    this.#loadLimit = loadLimit;
  }

  /**
   * Requests the page with `check` before navigating, so that errors are reported while the tab still shows its old
   * page.
   * @param caller aborting stops the wait, but leaves the tab as it is at that point
   * @throws CodedError from `check`, or `TAB_GONE`, `TAB_REFUSED`, `PAGE_ELSEWHERE`, `PAGE_SLOW`, `PAGE_SUPERSEDED`
   */
  open(connection: Connection, page: PlatformPage, caller?: AbortSignal): Promise<string> {
    const { tabId, path, title, leaveFirst, namespace } = page;
    return this.#supersede(tabId, async (next) => {
      const signal = caller ? AbortSignal.any([next, caller]) : next;
      const url = connection.baseUrl + path;
      await this.#check(connection, { path, title }, { signal });
      const token = (await page.token?.({ signal })) ?? connection.token;
      if (leaveFirst) await leave(this.#tabs, tabId, title, signal);
      // With `tabs.update`, the current page isn’t the initiator. Otherwise, the rule would need a permission for that
      // page’s host, too.
      const start = () => this.#tabs.update(tabId, { url });
      await this.#agents.during(url, () =>
        this.#rules.during({ tabId, url, exact: true, namespace }, token, (onSent) =>
          load(this.#tabs, tabId, { url, title, start, onCommit: onSent, ...this.#limits }, signal),
        ),
      );
      return url;
    });
  }

  /** Resolves when the rule for the tab’s next load of this page is active. The caller then starts the load. */
  allowReload(connection: Connection, { tabId, path, title, token }: PlatformPage): Promise<string> {
    const url = connection.baseUrl + path;
    const { promise, resolve, reject } = Promise.withResolvers<string>();
    const start = () => Promise.resolve(resolve(url));
    // The match isn’t exact, because the page’s query contains the payload after a run.
    this.#supersede(tabId, async (signal) => {
      const sent = (await token?.({ signal })) ?? connection.token;
      await this.#rules.during({ tabId, url, exact: false }, sent, (onSent) =>
        load(this.#tabs, tabId, { url, title, start, onCommit: onSent, ...this.#limits }, signal),
      );
    }).catch(reject);
    return promise;
  }

  get #limits(): Pick<Load, 'commitEvent' | 'limit'> {
    return { commitEvent: this.#commitEvent, limit: this.#loadLimit };
  }

  async #supersede<T>(tabId: number, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    this.#loading.get(tabId)?.abort();
    const controller = new AbortController();
    this.#loading.set(tabId, controller);
    try {
      return await work(controller.signal);
    } catch (error) {
      throw controller.signal.aborted ? superseded() : error;
    } finally {
      if (this.#loading.get(tabId) === controller) this.#loading.delete(tabId);
    }
  }
}

export type PageOpener = Pick<PlatformPages, 'open' | 'allowReload'>;

/** Navigates to `about:blank`. This works even if the page is in an endless loop, since its process isn’t involved. */
function leave(tabs: Tabs, tabId: number, title: string, signal: AbortSignal): Promise<void> {
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

interface Load {
  url: string;
  title: string;
  start(): Promise<unknown>;
  /** Called when the response has started, so that the request was sent. */
  onCommit(): void;
  commitEvent: CommitEvent;
  limit: number;
}

/** Resolves when the tab has loaded `url`. */
function load(tabs: Tabs, tabId: number, loading: Load, signal: AbortSignal): Promise<void> {
  const { url, title, start, onCommit, commitEvent, limit } = loading;
  let isLoading = false;
  return follow(tabs, tabId, signal, limit, () => slow(title, limit), {
    start: (resolve) =>
      start().catch(async (error: unknown) => {
        isLoading = true;
        const tab = await tabs.get(tabId).catch(() => {
          throw gone();
        });
        // Chromium rejects the update if the same navigation is already in progress, for example after two clicks on
        // Open.
        if (!(tab.pendingUrl ?? tab.url)?.startsWith(url)) throw refused(title, error);
        if (tab.status === 'complete') resolve();
      }),
    onUpdated: ({ status, url: changed }, tab, resolve, reject) => {
      if (status === 'loading') isLoading = true;
      const isCommit = status === 'loading' && (commitEvent === 'loading' || changed !== undefined);
      if (isCommit && tab.url?.startsWith(url)) onCommit();
      if (status !== 'complete' || !isLoading) return;
      if (tab.url?.startsWith(url)) return resolve();
      // The event might belong to an earlier load or a redirect. Fail only if the tab stays on another page.
      void tabs.get(tabId).then(
        (now) => {
          if (now.url?.startsWith(url) || now.status !== 'complete' || now.pendingUrl) return;
          reject(elsewhere(title));
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
    await following.start(resolve);
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
const elsewhere = (title: string): CodedError =>
  pageError(
    'PAGE_ELSEWHERE',
    `Couldn’t open the ${title}: the tab ended up on another page.`,
    'Check the tab: the platform may have redirected it. Then open the page again.',
  );
const gone = (): CodedError =>
  pageError('TAB_GONE', 'Couldn’t open the page: the inspected tab is closed.', 'Open DevTools on another tab.');
const refused = (title: string, error: unknown): CodedError =>
  pageError(
    'TAB_REFUSED',
    `The browser didn’t open the ${title}: ${error instanceof Error ? error.message : String(error)}`,
    'Check the tab, then open the page again.',
  );
const superseded = (): CodedError =>
  new CodedError({ code: 'PAGE_SUPERSEDED', message: 'Canceled: another page was opened in this tab.' });
