/** Owns the choice of what to look at: environment, app, action, or a pasted address; and opening it in the inspected tab. */
import { batch, computed, signal, type ReadonlySignal } from '@preact/signals';
import type { Action } from '../contract/action.ts';
import type { App } from '../contract/app.ts';
import type { AppPage } from '../contract/app-page-url.ts';
import { parseCompileUrl } from '../contract/compile-url.ts';
import type { Environment } from '../contract/environment.ts';
import { type Result, toErrorValue } from '../contract/coded-error.ts';
import type { ErrorValue } from '../contract/errors.ts';
import type { Send } from '../messaging/protocol.ts';
import { listActions } from './list-actions.ts';
import { IDLE, loaded, type Loadable } from './loadable.ts';

/** Remembers small choices across openings of the panel; `localStorage` has this shape. */
export interface Memory {
  getItem(key: string): string | null;
  setItem(key: string, value: string): void;
}

interface AppPageChoice { environmentId: string; appId: number; page: AppPage; screen?: number }
export interface DebugPageChoice { environment: Environment; appId: number; taskId: number }

export interface Catalog {
  readonly environments: ReadonlySignal<Loadable<Environment[]>>;
  readonly apps: ReadonlySignal<Loadable<App[]>>;
  /** When the apps were read, in epoch milliseconds. */
  readonly appsReadAt: ReadonlySignal<number | null>;
  readonly actions: ReadonlySignal<Loadable<Action[]>>;
  readonly environment: ReadonlySignal<Environment | null>;
  readonly appId: ReadonlySignal<number | null>;
  readonly actionId: ReadonlySignal<number | null>;
  readonly url: ReadonlySignal<string>;
  readonly opening: ReadonlySignal<boolean>;
  /** The newest failure of anything here. */
  readonly error: ReadonlySignal<ErrorValue | null>;
  /** Why *Open* can't be pressed; null when it can. */
  readonly cannotOpen: ReadonlySignal<string | null>;
  /** Reads the environments again, and what hangs on them when it is not there yet. */
  refresh(): Promise<void>;
  chooseEnvironment(id: string): Promise<void>;
  /** Its actions are read when they are needed: by `refreshActions`. */
  chooseApp(id: number): void;
  chooseAction(id: number): void;
  /** Reads the apps of the chosen environment again; the choice stays. */
  refreshApps(): Promise<void>;
  /** Reads the actions of the chosen app again; the choice stays. */
  refreshActions(): Promise<void>;
  setUrl(text: string): void;
  dismiss(): void;
  /** Takes the inspected tab to the debug page, or to the app's page at the pasted address; true when it is there. `leaveFirst`: by way of about:blank, for a page that no longer answers. */
  open(leaveFirst?: boolean): Promise<boolean>;
  /** Shows in the boxes which action the page at this address is of, unless the person has chosen already. */
  follow(address: string): Promise<void>;
  /** Opens the debug page at this address anew, for a page that no longer answers; null when no environment has it. */
  reopen(address: string): Promise<boolean | null>;
  /** Lets the page of an environment at this address be loaded again by the browser's own reload; false when that was refused, which `error` tells. */
  allowReload(address: string): Promise<boolean>;
}

const ENVIRONMENT_KEY = 'platform-devtools.environment';

export function createCatalog({ send, tabId, memory }: { send: Send; tabId: number; memory: Memory }): Catalog {
  const environments = signal<Loadable<Environment[]>>(IDLE);
  const apps = signal<Loadable<App[]>>(IDLE);
  const appsReadAt = signal<number | null>(null);
  const actions = signal<Loadable<Action[]>>(IDLE);
  const environmentId = signal<string | null>(null);
  const appId = signal<number | null>(null);
  const actionId = signal<number | null>(null);
  const url = signal('');
  const opening = signal(false);
  const error = signal<ErrorValue | null>(null);
  const environment = computed(() => environments.value.value?.find((one) => one.id === environmentId.value) ?? null);
  const cannotOpen = computed(() => {
    if (opening.value) return 'The debug page is being opened.';
    if (!environment.value) return 'Choose an environment first.';
    if (url.value.trim()) return null;
    if (appId.value === null) return 'Choose an app, or paste an address.';
    return actionId.value === null ? 'Choose an action.' : null;
  });

  /** What each of them failed with last: it is told no more once it can be read again. */
  const failures = new Map<unknown, ErrorValue>();

  /** Fetches into `target`; an answer that comes after the choice has changed is dropped. */
  async function load<T>(target: { value: Loadable<T> }, ask: () => Promise<Result<T>>, stillWanted: () => boolean): Promise<void> {
    target.value = { state: 'loading', value: target.value.value, error: null };
    const result = await ask();
    if (!stillWanted()) return;
    target.value = loaded(result, target.value.value);
    const told = failures.get(target);
    if (!result.ok) {
      failures.set(target, result.error);
      error.value = result.error;
    } else if (told && error.value === told) error.value = null;
  }

  async function chooseEnvironment(id: string): Promise<void> {
    batch(() => {
      environmentId.value = id;
      appId.value = null;
      actionId.value = null;
      actions.value = IDLE;
      apps.value = IDLE;
      error.value = null;
    });
    remember(memory, id);
    await loadApps(id);
  }

  async function loadApps(chosen: string): Promise<void> {
    await load(apps, () => send('apps.list', { environmentId: chosen }), () => environmentId.value === chosen);
    if (environmentId.value === chosen && apps.value.state === 'ready') appsReadAt.value = Date.now();
  }

  async function refreshApps(): Promise<void> {
    if (environmentId.value !== null) await loadApps(environmentId.value);
  }

  function chooseApp(id: number): void {
    if (environmentId.value === null) return;
    batch(() => {
      appId.value = id;
      actionId.value = null;
      actions.value = IDLE;
      error.value = null;
      url.value = '';
    });
  }

  const loadActions = (chosen: string, id: number): Promise<void> =>
    load(actions, () => listActions(send, { environmentId: chosen, appId: id }), () => appId.value === id && environmentId.value === chosen);

  async function refreshActions(): Promise<void> {
    if (environmentId.value !== null && appId.value !== null) await loadActions(environmentId.value, appId.value);
  }

  async function refresh(): Promise<void> {
    const address = environment.value?.baseUrl;
    await load(environments, () => send('environments.list', undefined), () => true);
    const all = environments.value.value ?? [];
    const wanted = environmentId.value ?? recall(memory);
    const chosen = all.find((one) => one.id === wanted) ?? all[0];
    if (environments.value.state !== 'ready') return;
    if (!chosen) environmentId.value = null;
    // At another address the same numbers are other apps.
    else if (chosen.id !== environmentId.value || chosen.baseUrl !== address || apps.value.state === 'failed') await chooseEnvironment(chosen.id);
    else if (actions.value.state === 'failed') await refreshActions();
  }

  /** What *Open* would open. @throws CodedError of `parseCompileUrl` */
  function target(): DebugPageChoice | null {
    const chosen = environment.value;
    if (!chosen) return null;
    if (!url.value.trim()) return appId.value === null || actionId.value === null ? null : { environment: chosen, appId: appId.value, taskId: actionId.value };
    // The URL says by its host which environment it belongs to; only when none has that host is it refused.
    return debugPageAt(url.value) ?? { environment: chosen, ...parseCompileUrl(url.value, chosen.baseUrl) };
  }

  function debugPageAt(address: string): DebugPageChoice | null {
    for (const one of environments.value.value ?? []) {
      try {
        return { environment: one, ...parseCompileUrl(address, one.baseUrl) };
      } catch {
        continue;
      }
    }
    return null;
  }

  async function open(leaveFirst = false): Promise<boolean> {
    if (cannotOpen.value) return false;
    error.value = null;
    let to: ReturnType<typeof target>;
    try {
      to = target();
    } catch (thrown) {
      const at = await appPageAt(url.value);
      if (at) return openAppPage(at);
      error.value = toErrorValue(thrown);
      return false;
    }
    if (!to || !(await takeTab(to, leaveFirst))) return false;
    if (url.value) await showChoice(to);
    return true;
  }

  async function reopen(address: string): Promise<boolean | null> {
    const at = debugPageAt(address);
    return at && takeTab(at, true);
  }

  /** Most who open the panel never need it. */
  async function appPageAt(address: string): Promise<AppPageChoice | null> {
    const module = await import('./app-page-at.ts').catch(() => null);
    return module?.appPageAt(address, environments.value.value ?? []) ?? null;
  }

  async function openAppPage(at: AppPageChoice): Promise<boolean> {
    opening.value = true;
    const answer = await send('pages.open', { ...at, tabId });
    opening.value = false;
    error.value = answer.ok ? null : answer.error;
    if (!answer.ok) return false;
    if (at.environmentId !== environmentId.value) await chooseEnvironment(at.environmentId);
    chooseApp(at.appId);
    return true;
  }

  async function takeTab({ environment, appId, taskId }: DebugPageChoice, leaveFirst: boolean): Promise<boolean> {
    opening.value = true;
    const answer = await send('debugPage.open', { environmentId: environment.id, tabId, appId, taskId, ...(leaveFirst && { leaveFirst }) });
    opening.value = false;
    error.value = answer.ok ? null : answer.error;
    return answer.ok;
  }

  async function allowReload(address: string): Promise<boolean> {
    const at = debugPageAt(address);
    const page = at ? null : await appPageAt(address);
    const answer = at ? await send('debugPage.allowReload', { environmentId: at.environment.id, tabId, appId: at.appId, taskId: at.taskId })
      : page ? await send('pages.allowReload', { ...page, tabId }) : null;
    if (answer?.ok === false) error.value = answer.error;
    return answer?.ok !== false;
  }

  /** Shows in the boxes what a pasted URL has opened. */
  async function showChoice(opened: DebugPageChoice): Promise<void> {
    if (opened.environment.id !== environmentId.value) await chooseEnvironment(opened.environment.id);
    if (opened.appId !== appId.value) chooseApp(opened.appId);
    if (opened.appId !== appId.value) return;
    actionId.value = opened.taskId;
    url.value = '';
  }

  async function follow(address: string): Promise<void> {
    if (appId.value !== null || opening.value) return;
    const at = debugPageAt(address);
    if (at) await showChoice(at);
  }

  return {
    follow,
    environments, apps, appsReadAt, actions, environment, appId, actionId, url, opening, error, cannotOpen, refresh, chooseEnvironment, chooseApp, open, reopen, allowReload,
    refreshApps, refreshActions,
    chooseAction(id) {
      actionId.value = id;
      url.value = '';
    },
    setUrl(text) {
      url.value = text;
    },
    dismiss() {
      error.value = null;
    },
  };
}

function recall(memory: Memory): string | null {
  try {
    return memory.getItem(ENVIRONMENT_KEY);
  } catch {
    return null;
  }
}

function remember(memory: Memory, id: string): void {
  try {
    memory.setItem(ENVIRONMENT_KEY, id);
  } catch {
    // A browser that stores nothing forgets the choice, no more.
  }
}
