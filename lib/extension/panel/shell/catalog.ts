/** The available environments, apps, and actions, and which of them are selected. */
import { batch, computed, signal, type Signal } from '@preact/signals';
import type { Action } from '../../../platform-api/action.ts';
import type { App } from '../../../platform-api/app.ts';
import type { ErrorValue, Result } from '../../../platform-api/errors.ts';
import type { Unreadable } from '../../../platform-api/lists/unreadable.ts';
import { cleanUrl } from '../../../platform-api/runs/pasted-url.ts';
import { payloadInUrl } from '../../../platform-api/runs/compile-url.ts';
import { isRecent } from '../../../shared/format.ts';
import { readStored, writeStored, type StringStorage } from '../../../shared/stored-value.ts';
import type { PageState } from '../../inspector/contract.ts';
import { type Environment, hasPage } from '../../messaging/model/environment.ts';
import type { OfApp, Send } from '../../messaging/protocol.ts';
import { NO_PAGE } from '../actions/backend/no-page.ts';
import { SeenApps } from '../actions/backend/seen-apps.ts';
import type { ActionListing, BackendOf } from '../actions/backend/types.ts';
import { IDLE, loaded, type Loadable } from '../shared/loadable.ts';
import { pastedTarget, type DebugTarget } from './debug-target.ts';
import { debugSubject } from './page/page.ts';
import { TabNavigation } from './tab-navigation.ts';

/** IDs of environments for which the user dismissed the note, separated by spaces. */
const TOKEN_IN_LOG_KEY = 'platform-devtools.token-in-log';
/** An action's ID in place of a URL. */
const ACTION_ID = /^[1-9]\d{0,9}$/;
const ENVIRONMENT_KEY = 'platform-devtools.environment';

export interface CatalogOptions {
  send: Send;
  backendOf: BackendOf;
  /** ID of the inspected tab. */
  tabId: number;
  memory: StringStorage;
}

interface Choice extends OfApp {
  taskId?: number;
}

export interface ActionChoice {
  id: number;
  name: string;
  triggers?: Action['triggers'];
}

const originOf = (url: string): string | null => (URL.canParse(url) ? new URL(url).origin : null);
export interface RefreshOptions {
  /** Keeps a list that isn't older than this many milliseconds, or that is being loaded. */
  ifOlderThan?: number;
}

/** A list this old, in milliseconds, is loaded again when nothing in it matches. */
export const STALE_FOR_SEARCH = 2_000;
/** A list this old, in milliseconds, is loaded again when the panel gets focus. */
export const STALE_FOR_FOCUS = 10_000;

function isFresh<T>(
  list: Signal<Loadable<T>>,
  readAt: Signal<number | null>,
  ifOlderThan: number | undefined,
): boolean {
  if (ifOlderThan === undefined) return false;
  return list.peek().state === 'loading' || isRecent(readAt.peek() ?? 0, ifOlderThan, Date.now());
}

export class Catalog {
  readonly environments = signal<Loadable<Environment[]>>(IDLE);
  readonly apps = signal<Loadable<App[]>>(IDLE);
  /** When the apps were loaded, in epoch milliseconds. */
  readonly appsReadAt = signal<number | null>(null);
  readonly actions = signal<Loadable<Action[]>>(IDLE);
  /** When the selected app's actions were loaded, in epoch milliseconds. */
  readonly actionsReadAt = signal<number | null>(null);
  readonly #environmentId = signal<string | null>(null);
  readonly environment = computed(
    () => this.environments.value.value?.find(({ id }) => id === this.#environmentId.value) ?? null,
  );
  readonly appId = signal<number | null>(null);
  /** The current way to the selected app's actions; null if no app is selected. */
  readonly backend = computed(() => {
    const environmentId = this.environment.value?.id;
    const appId = this.appId.value;
    return environmentId === undefined || appId === null ? null : this.#options.backendOf({ environmentId, appId });
  });
  /** More actions that the app has, which can't be read. */
  readonly unreadable = signal<readonly Unreadable[]>([]);
  readonly actionId = signal<number | null>(null);
  /** The URL field's text. */
  readonly url = signal('');
  /** The most recent error. */
  readonly error = signal<ErrorValue | null>(null);
  readonly #navigation: TabNavigation;
  /** The action of the selected app whose debug page was open last, if only the app's pages list its actions. */
  readonly lastDebugPage = computed((): ActionChoice | null => {
    const of = this.backend.value?.of;
    const id = of ? this.seen.of(of)?.taskId : null;
    if (id == null) return null;
    return this.choices.value.find((choice) => choice.id === id) ?? { id, name: `action ${id}` };
  });
  readonly opening;
  /** For how many seconds a page has been opening; null if that isn't long. */
  readonly openingFor;
  /** What's known of apps whose actions only their pages list. */
  readonly seen: SeenApps;
  /** The actions to choose from: the loaded ones, or else those that were loaded through a page before. */
  readonly choices = computed((): readonly ActionChoice[] => {
    const of = this.backend.value?.of;
    const { value } = this.actions.value;
    if (value) return value;
    return of ? (this.seen.of(of)?.actions ?? []) : [];
  });
  /** When they were loaded: the loaded ones, or those that were loaded through a page before. Null if it's unknown. */
  readonly choicesReadAt = computed(() => {
    const of = this.backend.value?.of;
    if (this.actions.value.value) return this.actionsReadAt.value;
    return of ? (this.seen.of(of)?.readAt ?? null) : null;
  });
  /** Why *Open* is disabled; null if it's enabled. */
  readonly cannotOpen = computed(() => {
    if (this.opening.value) return 'Wait for the page to open';
    if (!this.environment.value) return 'Choose an environment';
    if (this.url.value.trim()) return null;
    if (this.appId.value === null) return 'Choose an app, or paste a URL';
    return this.actionId.value === null ? 'Choose an action' : null;
  });
  /** The page that *Open* would open; null if there's none, or if the pasted URL is invalid. */
  readonly target = computed((): DebugTarget | null => {
    try {
      return this.#chosenTarget();
    } catch {
      return null;
    }
  });
  /** The payload of the pasted URL of a debug page, and the key under which its action's payloads are stored. */
  readonly pastedPayload = computed((): { subject: string; text: string } | null => {
    const target = this.target.value;
    const text = payloadInUrl(this.url.value);
    const environment = this.environments.value.value?.find(({ id }) => id === target?.environmentId);
    if (text === null || !target || !environment || !('taskId' in target)) return null;
    return { subject: debugSubject(new URL(environment.baseUrl).origin, target.appId, target.taskId), text };
  });
  /** Whether to say that the tab's network log has the environment's token. */
  readonly saysTokenInLog = computed(() => {
    const id = this.#navigation.tokenInLogOf.value;
    return id !== null && !this.#saidTokenInLog.value.has(id);
  });
  readonly #saidTokenInLog = signal<ReadonlySet<string>>(new Set());
  readonly #options: CatalogOptions;
  /** ID of the last document whose action was selected. */
  #followed: string | null = null;
  /** What came first: the tab's first document, or the user's choice of an environment. Null until then. */
  #first: 'document' | 'choice' | null = null;
  /** Each list's last error, which is dismissed once that list loads again. */
  readonly #failures = new Map<unknown, ErrorValue>();

  constructor(options: CatalogOptions) {
    this.#options = options;
    this.seen = new SeenApps(options.memory);
    this.#navigation = new TabNavigation(options, this.error, () => this.environments.value.value ?? []);
    this.opening = this.#navigation.opening;
    this.openingFor = this.#navigation.openingFor;
    const said = readStored(options.memory, TOKEN_IN_LOG_KEY)?.split(' ') ?? [];
    this.#saidTokenInLog.value = new Set(said);
  }

  /** Loads the environments, and then apps and actions if they're missing or failed to load. */
  async refresh(): Promise<void> {
    const oldBaseUrl = this.environment.value?.baseUrl;
    const { send, memory } = this.#options;
    await this.#load(this.environments, () => send('environments.list', undefined));
    if (this.environments.value.state !== 'ready') return;
    const environments = this.environments.value.value;
    this.seen.keepOnly(environments.map(({ id }) => id));
    const wanted = this.#environmentId.value ?? readStored(memory, ENVIRONMENT_KEY);
    const environment = environments.find(({ id }) => id === wanted) ?? environments[0];
    if (!environment) {
      this.#environmentId.value = null;
      return;
    }
    // Under another base URL, the same IDs belong to other apps.
    const isOther = environment.id !== this.#environmentId.value || environment.baseUrl !== oldBaseUrl;
    if (isOther) return this.#useEnvironment(environment.id);
    // The error stays until the response: otherwise, its buttons would vanish under the click that focuses the window.
    if (this.apps.value.state === 'failed') await this.refreshApps();
    if (this.actions.value.state === 'failed') await this.refreshActions();
  }

  chooseEnvironment(id: string): Promise<void> {
    this.#first ??= 'choice';
    return this.#useEnvironment(id);
  }

  async #useEnvironment(id: string): Promise<void> {
    batch(() => {
      this.#environmentId.value = id;
      this.#resetApp(null);
      this.apps.value = IDLE;
      this.appsReadAt.value = null;
    });
    writeStored(this.#options.memory, ENVIRONMENT_KEY, id);
    await this.refreshApps();
  }

  /** Doesn't load the app's actions. `refreshActions` loads them when they're needed. */
  chooseApp(id: number): void {
    if (this.#environmentId.value === null) return;
    batch(() => {
      this.#resetApp(id);
      this.url.value = '';
    });
  }

  #resetApp(id: number | null): void {
    this.appId.value = id;
    this.actionId.value = null;
    this.actions.value = IDLE;
    this.actionsReadAt.value = null;
    this.unreadable.value = [];
    this.error.value = null;
  }

  chooseAction(id: number): void {
    batch(() => {
      this.actionId.value = id;
      this.url.value = '';
    });
  }

  setUrl(text: string): void {
    this.url.value = text;
  }

  /** Reloads the selected environment's apps. Keeps the selection. */
  async refreshApps({ ifOlderThan }: RefreshOptions = {}): Promise<void> {
    const environmentId = this.#environmentId.value;
    if (environmentId === null || isFresh(this.apps, this.appsReadAt, ifOlderThan)) return;
    const isCurrent = (): boolean => this.#environmentId.value === environmentId;
    const list = (): Promise<Result<App[]>> => this.#options.send('apps.list', { environmentId });
    await this.#load(this.apps, list, isCurrent, this.appsReadAt);
  }

  /** Reloads the selected app's actions. Keeps the selection. */
  async refreshActions({ ifOlderThan }: RefreshOptions = {}): Promise<void> {
    const environmentId = this.#environmentId.value;
    const appId = this.appId.value;
    if (environmentId === null || appId === null) return;
    if (isFresh(this.actions, this.actionsReadAt, ifOlderThan)) return;
    const isCurrent = (): boolean => this.appId.value === appId && this.#environmentId.value === environmentId;
    const list = async (): Promise<Result<Action[]>> => {
      const listed = await this.#listActions({ environmentId, appId });
      if (!listed.ok) return listed;
      if (isCurrent()) this.unreadable.value = listed.value.unreadable;
      return { ok: true, value: listed.value.actions };
    };
    await this.#load(this.actions, list, isCurrent, this.actionsReadAt);
  }

  async #listActions(of: OfApp): Promise<Result<ActionListing>> {
    const { backendOf } = this.#options;
    const listed = await backendOf(of).list();
    if (listed.ok && backendOf(of).way === 'page') this.seen.noteActions(of, listed.value.actions);
    if (listed.ok || listed.error.code !== 'ENDPOINT_MISSING') return listed;
    this.#noteSpecifiedOnly(of.environmentId);
    return backendOf(of).way === 'rest' ? listed : this.#listActions(of);
  }

  /** Before the worker's own list of environments says so. */
  #noteSpecifiedOnly(environmentId: string): void {
    const { value } = this.environments.peek();
    const environments = value?.map((one) =>
      one.id === environmentId ? { ...one, endpoints: 'specified' as const } : one,
    );
    if (environments) this.environments.value = { state: 'ready', value: environments, error: null };
  }

  /** Loads into `target`. Drops responses that arrive after the selection has changed. */
  async #load<T>(
    target: Signal<Loadable<T>>,
    request: () => Promise<Result<T>>,
    isCurrent: () => boolean = () => true,
    readAt?: Signal<number | null>,
  ): Promise<void> {
    target.value = { state: 'loading', value: target.value.value, error: null };
    const result = await request();
    if (!isCurrent()) return;
    // Whoever follows the list can ask how old it is.
    batch(() => {
      target.value = loaded(result, target.value.value);
      if (readAt && result.ok) readAt.value = Date.now();
    });
    const oldError = this.#failures.get(target);
    if (!result.ok) {
      this.#failures.set(target, result.error);
      // The tab says how to get a way to the actions.
      if (result.error.code !== NO_PAGE) this.error.value = result.error;
    } else if (oldError && this.error.value === oldError) this.error.value = null;
  }

  readonly dismiss = (): void => {
    this.error.value = null;
  };

  /** Doesn't say again that this environment's token is in the tab's network log. */
  readonly dismissTokenInLog = (): void => {
    const id = this.#navigation.tokenInLogOf.peek();
    if (id === null) return;
    this.#saidTokenInLog.value = new Set([...this.#saidTokenInLog.peek(), id]);
    writeStored(this.#options.memory, TOKEN_IN_LOG_KEY, [...this.#saidTokenInLog.peek()].join(' '));
  };

  /**
   * Opens the selected action's debug page, or the pasted URL, in the inspected tab. Resolves to true once it's open.
   */
  async open(leaveFirst = false): Promise<boolean> {
    if (this.cannotOpen.value) return false;
    const target = await this.#navigation.open(() => this.#chosenTarget(), { leaveFirst });
    if (target && this.url.value) await this.#showChoice(target);
    return Boolean(target);
  }

  /** @throws CodedError from `pastedTarget` */
  #chosenTarget(): DebugTarget | null {
    const environment = this.environment.value;
    if (!environment) return null;
    const text = cleanUrl(this.url.value);
    if (ACTION_ID.test(text) && this.appId.value !== null)
      return { environmentId: environment.id, appId: this.appId.value, taskId: Number(text) };
    if (text) return pastedTarget(text, this.environments.value.value ?? [], environment);
    return this.appId.value === null || this.actionId.value === null
      ? null
      : { environmentId: environment.id, appId: this.appId.value, taskId: this.actionId.value };
  }

  /** Cancels *Open*. The tab stays on its page. */
  readonly cancelOpening = (): void => this.#navigation.cancel();

  /**
   * Opens the debug page at this URL again, if the page has stopped responding. Resolves to null if it isn't a debug
   * page.
   */
  reopen(url: string, payload?: string): Promise<boolean | null> {
    return this.#navigation.reopen(url, payload);
  }

  /** The URL of the debug page in the tab, even if the page has changed its own. */
  debugPageUrl(page: PageState | null): string {
    const { url = '', loadedUrl } = page ?? {};
    if (loadedUrl === undefined || this.#navigation.targetOf(url) || !this.#navigation.targetOf(loadedUrl)) return url;
    // The browser's URL says whose page it is.
    return new URL(loadedUrl).origin === originOf(url) ? loadedUrl : url;
  }

  /**
   * Prepares a reload of a page that needs its environment's token. Resolves to false on failure, with the reason in
   * `error`.
   */
  async allowReload(url: string): Promise<boolean> {
    // If the environments aren't loaded yet, it's unknown whether the URL needs a token.
    if (!this.environments.value.value) await this.refresh();
    return this.#navigation.allowReload(url);
  }

  /**
   * Selects the page's action, unless an app is already selected or a URL was pasted. Only once for each document, so that
   * the user can then choose another environment. The first document doesn't undo a choice made before it was known.
   */
  async follow({ documentId, url, env }: Pick<PageState, 'documentId' | 'url' | 'env'>): Promise<void> {
    if (this.#first === 'choice') this.#followed = documentId;
    this.#first = 'document';
    if (this.opening.value || documentId === this.#followed) return;
    const target = this.#navigation.targetOf(url) ?? this.#targetOfEnv(url, env);
    if (!target) return;
    this.#followed = documentId;
    if (this.appId.value === null && !this.url.value.trim()) await this.#showChoice(target);
  }

  /** Remembers the debug page at this URL if the platform doesn’t list actions itself. */
  noteDebugPage(url: string): void {
    const target = this.#navigation.targetOf(url);
    const environment = this.environments.peek().value?.find(({ id }) => id === target?.environmentId);
    if (target && 'taskId' in target && environment?.endpoints === 'specified')
      this.seen.noteDebugPage({ environmentId: target.environmentId, appId: target.appId }, target.taskId);
  }

  /** A page of an environment at a URL of unknown form: its `ENV` says which app it belongs to. */
  #targetOfEnv(url: string, env: PageState['env']): Choice | null {
    const environment = this.environments.peek().value?.find((one) => hasPage(one, url));
    if (!environment || env?.appId == null) return null;
    return { environmentId: environment.id, appId: env.appId, ...(env.taskId !== null && { taskId: env.taskId }) };
  }

  async #showChoice(target: Choice): Promise<void> {
    if (target.environmentId !== this.#environmentId.value) await this.#useEnvironment(target.environmentId);
    if (target.appId !== this.appId.value) this.chooseApp(target.appId);
    if (target.appId !== this.appId.value) return;
    if (target.taskId !== undefined) this.actionId.value = target.taskId;
    this.url.value = '';
  }
}
