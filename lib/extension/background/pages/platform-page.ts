/** Opens a platform page in a tab, and waits until it has loaded. */
import { CodedError } from '../../../platform-api/index.ts';
import type { CallOptions, Connection } from '../../../rest/index.ts';
import type { EarlyAgents } from './early-agent.ts';
import type { TokenRules } from './session-rule.ts';
import { type CommitEvent, leave, type Load, load, type PageLimits, superseded, type Tabs } from './tab-load.ts';

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
  /** JSON text for the `payload` parameter of the URL. */
  payload?: string | undefined;
  /** The page’s global namespace, which the agent watches from the start. */
  namespace?: string | undefined;
}

/** In milliseconds. A platform may compile a page for minutes, and the user can cancel. */
const LOAD_LIMIT = 300_000;
/** How long the rule waits for a reload that the browser may never start. */
const RELOAD_LIMIT = 30_000;
/** A page that takes longer isn’t requested first, so that the platform compiles it once. */
const CHECK_LIMIT = 3_000;
/** Between looks at a tab that might have given up, which browsers don’t report. */
const LOOK_INTERVAL = 500;

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
  readonly #limits: PageLimits;
  /** URLs of pages that took longer than the check may take. */
  readonly #slow = new Set<string>();
  readonly #loading = new Map<number, AbortController>();

  constructor(
    { tabs, rules, agents }: PageParts,
    check: Check,
    commitEvent: CommitEvent,
    { load = LOAD_LIMIT, check: checkLimit = CHECK_LIMIT, look = LOOK_INTERVAL }: Partial<PageLimits> = {},
  ) {
    this.#tabs = tabs;
    this.#rules = rules;
    this.#agents = agents;
    this.#check = check;
    this.#commitEvent = commitEvent;
    this.#limits = { load, check: checkLimit, look };
  }

  /**
   * Requests the page with `check` before navigating, so that errors are reported while the tab still shows its old
   * page. A slow page is requested by the tab only.
   * @param caller aborting stops the wait, but leaves the tab as it is at that point
   * @throws CodedError from `check`, or `TAB_GONE`, `TAB_REFUSED`, `TAB_STAYED`, `PAGE_ELSEWHERE`, `PAGE_SLOW`,
   * `PAGE_SUPERSEDED`
   */
  open(connection: Connection, page: PlatformPage, caller?: AbortSignal): Promise<string> {
    const { tabId, path, title, leaveFirst, payload, namespace } = page;
    return this.#supersede(tabId, async (next) => {
      const signal = caller ? AbortSignal.any([next, caller]) : next;
      const url = connection.baseUrl + path;
      const isRedirected = (await this.#checked(connection, { path, title }, signal)) === 'redirected';
      const token = (await page.token?.({ signal })) ?? connection.token;
      if (leaveFirst) await leave(this.#tabs, tabId, title, signal);
      // With `tabs.update`, the current page isn’t the initiator. Otherwise, the rule would need a permission for that
      // page’s host, too.
      const query = payload === undefined ? '' : `&payload=${encodeURIComponent(payload)}`;
      const start = () => this.#tabs.update(tabId, { url: url + query });
      // The page that the platform redirects to gets the token only below the base URL.
      const scope = isRedirected ? `${connection.baseUrl}/` : url;
      const target = { tabId, url: scope, exact: !isRedirected && payload === undefined, namespace };
      await this.#agents.during(scope, () =>
        this.#rules.during(target, token, (onCommit) =>
          this.#load(tabId, { url, title, start, onCommit, isRedirected }, signal),
        ),
      );
      return url;
    });
  }

  /** Never follows a redirect itself: the new URL can be another site’s. */
  async #checked(
    connection: Connection,
    page: { path: string; title: string },
    signal: AbortSignal,
  ): Promise<'ok' | 'redirected' | 'slow'> {
    const url = connection.baseUrl + page.path;
    if (this.#slow.has(url)) return 'slow';
    const tooSlow = new AbortController();
    const timer = setTimeout(() => tooSlow.abort(), this.#limits.check);
    try {
      await this.#check(connection, page, { signal: AbortSignal.any([signal, tooSlow.signal]) });
      return 'ok';
    } catch (error) {
      if (!signal.aborted && tooSlow.signal.aborted) {
        this.#slow.add(url);
        return 'slow';
      }
      if (error instanceof CodedError && error.code === 'ANSWER_REDIRECTED') return 'redirected';
      throw error;
    } finally {
      clearTimeout(timer);
    }
  }

  /** Resolves when the rule for the tab’s next load of this page is active. The caller then starts the load. */
  allowReload(connection: Connection, { tabId, path, title, token }: PlatformPage): Promise<string> {
    const url = connection.baseUrl + path;
    const { promise, resolve, reject } = Promise.withResolvers<string>();
    const start = () => Promise.resolve(resolve(url));
    // The match isn’t exact, because the page’s query contains the payload after a run.
    this.#supersede(tabId, async (signal) => {
      const sent = (await token?.({ signal })) ?? connection.token;
      await this.#rules.during({ tabId, url, exact: false }, sent, (onCommit) =>
        this.#load(tabId, { url, title, start, onCommit }, signal, RELOAD_LIMIT),
      );
    }).catch(reject);
    return promise;
  }

  #load(
    tabId: number,
    loading: Omit<Load, 'commitEvent' | 'limits'>,
    signal: AbortSignal,
    limit = this.#limits.load,
  ): Promise<void> {
    const limits = { ...this.#limits, load: Math.min(limit, this.#limits.load) };
    return load(this.#tabs, tabId, { ...loading, commitEvent: this.#commitEvent, limits }, signal);
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
