/** Owns what tab *Actions* shows: which of its places, the table's search, order and selection, and when the list was read. */
import { batch, computed, effect, signal, untracked, type ReadonlySignal, type Signal } from '@preact/signals';
import type { Action } from '../../../platform-api/action.ts';
import type { ErrorValue } from '../../../platform-api/errors.ts';
import type { Panel } from '../shell/panel.ts';
import { actionRows, type ActionColumn, type ActionSort } from './action-rows.ts';
import { createActionWork, type ActionWork } from './action-work.ts';
import { createLogs, type Logs } from './logs.ts';
import { createPlatformClock, type PlatformClock } from './platform-clock.ts';

export type ActionsView = 'table' | 'logs' | 'lab';

export interface ActionsState {
  readonly view: Signal<ActionsView>;
  readonly query: Signal<string>;
  readonly sort: ReadonlySignal<ActionSort>;
  readonly rows: ReadonlySignal<readonly Action[]>;
  readonly selectedId: Signal<number | null>;
  /** Null when none is selected, or the selected one is gone. */
  readonly selected: ReadonlySignal<Action | null>;
  /** What is being created (`new`) or changed, as it was when that began. */
  readonly editing: Signal<Action | 'new' | null>;
  /** When the list was read, in epoch milliseconds. */
  readonly loadedAt: ReadonlySignal<number | null>;
  readonly work: ActionWork;
  readonly logs: Logs;
  readonly clock: PlatformClock;
  /** Why the selected action is shown no more, when the platform refused something about it and the list has it no longer. */
  readonly missingActionError: ReadonlySignal<ErrorValue | null>;
  remove(action: Action): Promise<void>;
  sortBy(column: ActionColumn): void;
  refresh(): Promise<void>;
}

const states = new WeakMap<Panel, ActionsState>();

/** One for each panel: going to another tab and back loses nothing. */
export function actionsStateOf(panel: Panel): ActionsState {
  let state = states.get(panel);
  if (!state) states.set(panel, (state = create(panel)));
  return state;
}

function create(panel: Panel): ActionsState {
  const { catalog } = panel;
  const words = signal('');
  const sort = signal<ActionSort>({ by: 'name', descending: false });
  const selectedId = signal<number | null>(null);
  const editing = signal<Action | 'new' | null>(null);
  const readAt = signal<number | null>(null);
  const list = computed(() => catalog.actions.value.value ?? []);
  const app = computed(() =>
    catalog.environment.value && catalog.appId.value !== null
      ? { environmentId: catalog.environment.value.id, appId: catalog.appId.value }
      : null,
  );
  const environmentId = computed(() => catalog.environment.value?.id ?? null);
  const key = computed(() => (app.value ? `${app.value.environmentId} ${app.value.appId}` : ''));
  const work = createActionWork(
    panel.services.send,
    () => app.peek(),
    () => catalog.refreshActions(),
  );
  const logs = createLogs(panel.services.send, () => app.peek());
  const clock = createPlatformClock(
    panel.services.send,
    () => environmentId.peek(),
    async () => {
      await Promise.all([catalog.refreshActions(), logs.state.peek() === 'idle' ? null : logs.refresh()]);
    },
  );
  effect(() => {
    // Each installation has its own.
    if (environmentId.value === null) return;
    untracked(clock.reset);
    void clock.refresh();
  });
  effect(() => {
    if (catalog.actions.value.state === 'ready') readAt.value = Date.now();
  });
  let shown = '';
  effect(() => {
    // Of another app nothing stays.
    if (key.value === shown) return;
    shown = key.value;
    untracked(() =>
      batch(() => {
        selectedId.value = null;
        editing.value = null;
        work.reset();
        logs.reset();
      }),
    );
  });
  return {
    view: signal<ActionsView>('table'),
    query: words,
    sort,
    selectedId,
    editing,
    loadedAt: readAt,
    work,
    logs,
    clock,
    rows: computed(() => actionRows(list.value, words.value, sort.value)),
    selected: computed(() => list.value.find(({ id }) => id === selectedId.value) ?? null),
    missingActionError: computed(() => {
      const id = selectedId.value;
      return id === null || catalog.actions.value.state !== 'ready' || list.value.some((one) => one.id === id)
        ? null
        : work.of(id).error;
    }),
    async remove(action) {
      if (await work.remove(action)) selectedId.value = null;
    },
    sortBy(column) {
      sort.value = { by: column, descending: sort.value.by === column && !sort.value.descending };
    },
    async refresh() {
      await Promise.all([catalog.refreshActions(), clock.virtual.peek() === null ? null : clock.refresh()]);
    },
  };
}
