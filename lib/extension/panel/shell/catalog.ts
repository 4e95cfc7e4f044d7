/** Owns the choice of what to look at: environment, app, action, or a pasted address; and opening it in the inspected tab. */
import { batch, computed, signal, type ReadonlySignal } from '@preact/signals';
import type { Action } from '../../../platform-api/action.ts';
import type { App } from '../../../platform-api/app.ts';
import type { Environment } from '../../messaging/model/environment.ts';
import { type Result, toErrorValue } from '../../../platform-api/coded-error.ts';
import type { ErrorValue } from '../../../platform-api/errors.ts';
import type { Send } from '../../messaging/protocol.ts';
import { listActions } from './list-actions.ts';
import { IDLE, loaded, type Loadable } from '../shared/loadable.ts';
import type * as places from './places.ts';
import { outdated } from '../run/history/run-store.ts';

/** Remembers small choices across openings of the panel; `localStorage` has this shape. */
export interface Memory {
  getItem(key: string): string | null;
  setItem(key: string, value: string): void;
}

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
  /** Gives up what is being opened; the tab stays where it is. */
  cancelOpening(): void;
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
    if (opening.value) return 'The page is being opened.';
    if (!environment.value) return 'Choose an environment first.';
    if (url.value.trim()) return null;
    if (appId.value === null) return 'Choose an app, or paste an address.';
    return actionId.value === null ? 'Choose an action.' : null;
  });

  /** What each of them failed with last: it is told no more once it can be read again. */
  const failures = new Map<unknown, ErrorValue>();

  /** Fetches into `target`; an answer that comes after the choice has changed is dropped. */
  async function load<T>(
    target: { value: Loadable<T> },
    ask: () => Promise<Result<T>>,
    stillWanted: () => boolean,
  ): Promise<void> {
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
    await load(
      apps,
      () => send('apps.list', { environmentId: chosen }),
      () => environmentId.value === chosen,
    );
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
    load(
      actions,
      () => listActions(send, { environmentId: chosen, appId: id }),
      () => appId.value === id && environmentId.value === chosen,
    );

  async function refreshActions(): Promise<void> {
    if (environmentId.value !== null && appId.value !== null) await loadActions(environmentId.value, appId.value);
  }

  async function refresh(): Promise<void> {
    const address = environment.value?.baseUrl;
    await load(
      environments,
      () => send('environments.list', undefined),
      () => true,
    );
    const all = environments.value.value ?? [];
    const wanted = environmentId.value ?? recall(memory);
    const chosen = all.find((one) => one.id === wanted) ?? all[0];
    if (environments.value.state !== 'ready') return;
    if (!chosen) environmentId.value = null;
    // At another address the same numbers are other apps.
    else if (chosen.id !== environmentId.value || chosen.baseUrl !== address || apps.value.state === 'failed')
      await chooseEnvironment(chosen.id);
    else if (actions.value.state === 'failed') await refreshActions();
  }

  /** Addresses are read only where one is pasted or stands in the tab. @throws CodedError `PANEL_OUTDATED` */
  const loadPlaces = (): Promise<typeof places> =>
    import('./places.ts').catch(() => {
      throw outdated();
    });
  const placeAt = async (address: string): Promise<places.Place | null> =>
    (await loadPlaces()).placeAt(address, environments.value.value ?? []);

  /** What *Open* would open. @throws CodedError of `pastedPlace` */
  async function chosenPlace(): Promise<places.Place | null> {
    const chosen = environment.value;
    if (!chosen) return null;
    if (url.value.trim()) return (await loadPlaces()).pastedPlace(url.value, environments.value.value ?? [], chosen);
    return appId.value === null || actionId.value === null
      ? null
      : { environmentId: chosen.id, appId: appId.value, taskId: actionId.value };
  }

  let stop: AbortController | null = null;
  /** Takes the tab to the page that `find` tells; null when it tells none. */
  async function take(
    find: () => Promise<places.Place | null>,
    leaveFirst: boolean,
  ): Promise<places.Place | false | null> {
    error.value = null;
    opening.value = true;
    stop = new AbortController();
    const { signal } = stop;
    try {
      const place = await find();
      if (!place) return null;
      const answer =
        'taskId' in place
          ? await send('debugPage.open', { ...place, tabId, ...(leaveFirst && { leaveFirst }) }, signal)
          : await send('pages.open', { ...place, tabId }, signal);
      if (answer.ok) return place;
      if (!signal.aborted) error.value = answer.error;
    } catch (thrown) {
      error.value = toErrorValue(thrown);
    } finally {
      opening.value = false;
    }
    return false;
  }

  async function open(leaveFirst = false): Promise<boolean> {
    if (cannotOpen.value) return false;
    const place = await take(chosenPlace, leaveFirst);
    if (place && url.value) await showChoice(place);
    return Boolean(place);
  }

  async function reopen(address: string): Promise<boolean | null> {
    const place = await take(async () => {
      const found = await placeAt(address);
      return found && 'taskId' in found ? found : null;
    }, true);
    return place && true;
  }

  async function allowReload(address: string): Promise<boolean> {
    try {
      // Pressed at once: which address needs a token is not known yet.
      if (!environments.value.value) await refresh();
      const place = await placeAt(address);
      const answer =
        place &&
        ('taskId' in place
          ? await send('debugPage.allowReload', { ...place, tabId })
          : await send('pages.allowReload', { ...place, tabId }));
      if (answer?.ok !== false) return true;
      error.value = answer.error;
    } catch (thrown) {
      error.value = toErrorValue(thrown);
    }
    return false;
  }

  /** Shows in the boxes what was opened. */
  async function showChoice(opened: places.Place): Promise<void> {
    if (opened.environmentId !== environmentId.value) await chooseEnvironment(opened.environmentId);
    if (opened.appId !== appId.value) chooseApp(opened.appId);
    if (opened.appId !== appId.value) return;
    if ('taskId' in opened) actionId.value = opened.taskId;
    url.value = '';
  }

  async function follow(address: string): Promise<void> {
    if (appId.value !== null || opening.value) return;
    const place = await placeAt(address).catch(() => null);
    if (place && appId.value === null && !opening.value) await showChoice(place);
  }

  return {
    follow,
    environments,
    apps,
    appsReadAt,
    actions,
    environment,
    appId,
    actionId,
    url,
    opening,
    error,
    cannotOpen,
    refresh,
    chooseEnvironment,
    chooseApp,
    open,
    reopen,
    allowReload,
    refreshApps,
    refreshActions,
    chooseAction(id) {
      actionId.value = id;
      url.value = '';
    },
    cancelOpening: () => stop?.abort(),
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
