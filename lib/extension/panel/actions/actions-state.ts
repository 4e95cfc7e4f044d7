/** State of the *Actions* tab: the view, the table's search, sort order, and selection, and the action being edited. */
import { batch, computed, effect, signal, untracked } from '@preact/signals';
import type { Action, FunctionDescriptor } from '../../../platform-api/action.ts';
import type { ErrorValue } from '../../../platform-api/errors.ts';
import { Mocks } from '../run/mocks/mocks.ts';
import { STALE_FOR_SEARCH } from '../shell/catalog.ts';
import type { Panel } from '../shell/panel.ts';
import { registryKey } from '../shell/registry.ts';
import { actionRows, type ActionColumn, type ActionSort } from './action-rows.ts';
import { ActionWork } from './action-work.ts';
import { NO_PAGE } from './backend/no-page.ts';
import type { ActionsBackend, Payload } from './backend/types.ts';
import { Logs } from './logs.ts';
import { PlatformClock } from './platform-clock.ts';
import { Revisions } from './revisions.ts';

/** Errors that say nothing about the next page. */
const LEFT: ReadonlySet<string> = new Set([NO_PAGE, 'PAGE_LEFT']);

export type ActionsView = 'table' | 'logs' | 'lab' | 'migration';

/** What the editor is open on: a new action, a copy that isn't saved yet, or an action as it was when editing started. */
export type Editing = 'new' | { copyOf: Action } | { action: Action };

const ACTIONS_STATE = registryKey<ActionsState>('actions');

/** The panel's single instance of this state, so that switching tabs loses nothing. */
export function actionsStateOf(panel: Panel): ActionsState {
  return panel.registry.get(ACTIONS_STATE, () => new ActionsState(panel));
}

export class ActionsState {
  readonly view = signal<ActionsView>('table');
  readonly query = signal('');
  readonly sort = signal<ActionSort>({ by: 'name', descending: false });
  readonly selectedId = signal<number | null>(null);
  readonly editing = signal<Editing | null>(null);
  readonly work: ActionWork;
  /** The mocks of the selected action, which runs of its working copy get. */
  readonly mocks: Mocks;
  readonly logs: Logs;
  readonly clock: PlatformClock;
  readonly revisions: Revisions;
  /** The function packages; null until loaded. */
  readonly packages = signal<readonly FunctionDescriptor[] | null>(null);
  /** Why the function packages couldn't be loaded. */
  readonly packagesError = signal<ErrorValue | null>(null);

  readonly #panel: Panel;
  readonly #stopEffects: (() => void)[];
  readonly #list = computed(() => this.#panel.catalog.actions.value.value ?? []);
  readonly rows = computed(() => actionRows(this.#list.value, this.query.value, this.sort.value));
  /** Null if no action is selected, or if the selected one no longer exists. */
  readonly selected = computed(() => this.#list.value.find(({ id }) => id === this.selectedId.value) ?? null);
  /** Why nothing can be read or changed now; null if it can. */
  readonly cannotReach = computed(() =>
    this.#panel.catalog.backend.value?.way === 'none' ? 'Open a page of the app first' : null,
  );
  /** The selected action's last error, shown once the action is no longer in the list. */
  readonly missingActionError = computed((): ErrorValue | null => {
    const id = this.selectedId.value;
    if (id === null || this.selected.value || this.#panel.catalog.actions.value.state !== 'ready') return null;
    return this.work.of(id).error;
  });

  constructor(panel: Panel) {
    this.#panel = panel;
    const { catalog, services } = panel;
    const environmentId = computed(() => catalog.environment.value?.id ?? null);
    const backend = (): ActionsBackend | null => catalog.backend.peek();
    this.work = new ActionWork(backend, panel.guard, () => catalog.refreshActions());
    this.mocks = new Mocks({
      documents: panel.mockDocuments,
      subject: computed(() => (this.selectedId.value === null ? null : panel.subjectOfAction(this.selectedId.value))),
      pipeline: computed(() => this.selected.value?.functions ?? null),
      saveFile: services.saveFile,
    });
    this.logs = new Logs(backend, { now: () => this.clock.virtual.peek() ?? Date.now() });
    this.revisions = new Revisions(backend);
    this.clock = new PlatformClock(
      services.send,
      () => environmentId.peek(),
      panel.guard,
      async () => {
        await Promise.all([catalog.refreshActions(), this.logs.state.peek() === 'idle' ? null : this.logs.refresh()]);
      },
    );
    const key = computed(() => (environmentId.value === null ? '' : `${environmentId.value} ${catalog.appId.value}`));
    let lastKey = '';
    this.#stopEffects = [
      effect(() => {
        if (environmentId.value === null) return;
        untracked(() => this.clock.reset());
        void this.clock.refresh();
      }),
      effect(() => {
        const isReachable = this.cannotReach.value === null && panel.page.state.value?.documentId !== undefined;
        if (isReachable && LEFT.has(this.logs.error.peek()?.code ?? '')) untracked(() => void this.logs.refresh());
      }),
      effect(() => {
        // The action can have been made elsewhere since.
        const isMissing = this.#list.value.length > 0 && this.rows.value.length === 0 && this.query.value.trim() !== '';
        if (isMissing) untracked(() => void catalog.refreshActions({ ifOlderThan: STALE_FOR_SEARCH }));
      }),
      effect(() => {
        if (key.value === lastKey) return;
        lastKey = key.value;
        untracked(() => this.#reset());
      }),
    ];
  }

  /** When the list was loaded, in epoch milliseconds. */
  get loadedAt(): Panel['catalog']['actionsReadAt'] {
    return this.#panel.catalog.actionsReadAt;
  }

  /** Runs the working copy of the selected action, once it’s known which mocks are on. */
  run = async (how: 'run' | 'runWithResult', action: Action, payload: Payload): Promise<void> => {
    await this.mocks.whenLoaded();
    if (this.selectedId.peek() !== action.id || this.mocks.cannotApply.peek() !== null) return;
    await this.work[how](action, payload, this.mocks.activeMocks());
  };

  remove = async (action: Action): Promise<void> => {
    if (await this.work.remove(action)) this.selectedId.value = null;
  };

  /** Makes a stored revision the working copy again. */
  restore = async (action: Action, revision: number): Promise<void> => {
    if (await this.work.restore(action, revision)) await this.revisions.select(null);
  };

  /** Loads the function packages unless they’re loaded. */
  loadPackages = async (): Promise<void> => {
    const backend = this.#panel.catalog.backend.peek();
    if (!backend || this.packages.peek()) return;
    const response = await backend.functions();
    if (backend !== this.#panel.catalog.backend.peek()) return;
    this.packagesError.value = response.ok ? null : response.error;
    // An empty list doesn't mean that the platform has no packages.
    if (response.ok && response.value.length > 0) this.packages.value = response.value;
  };

  sortBy = (column: ActionColumn): void => {
    const { by, descending } = this.sort.peek();
    this.sort.value = { by: column, descending: by === column && !descending };
  };

  refresh = async (): Promise<void> => {
    await Promise.all([
      this.#panel.catalog.refreshActions(),
      this.clock.virtual.peek() === null ? null : this.clock.refresh(),
    ]);
  };

  dispose(): void {
    for (const stop of this.#stopEffects) stop();
    this.logs.setVisible(false);
    this.mocks.dispose();
  }

  #reset(): void {
    batch(() => {
      this.selectedId.value = null;
      this.editing.value = null;
      this.#panel.migrating.value = null;
      this.packages.value = null;
      this.packagesError.value = null;
      this.work.reset();
      this.logs.reset();
    });
  }
}
