/** Owns what tab *Apps* shows: the table's search, order and columns, the chosen app and its page. */
import { computed, effect, signal, untracked } from '@preact/signals';
import type { Panel } from '../shell/panel.ts';
import { createAppPage } from './app-page.ts';
import { appRows, recallColumns, rememberColumns } from './app-rows.ts';
import { createHostPage, type HostPage } from './host-page.ts';
import { platformTime } from './platform-time.ts';
import type { AppPage, AppSort, AppsView, AppsState } from './types.ts';

const states = new WeakMap<Panel, AppsState>();

/** One for each panel: going to another tab and back loses nothing. */
export function appsStateOf(panel: Panel): AppsState {
  let state = states.get(panel);
  if (!state) states.set(panel, (state = create(panel, createHostPage())));
  return state;
}

function create(panel: Panel, world: HostPage): AppsState {
  const { catalog, services } = panel;
  const place = signal<AppsView>('table');
  const words = signal('');
  const sort = signal<AppSort>({ by: 'name', descending: false });
  const columns = signal(recallColumns(services.memory));
  const page = signal<AppPage | null>(null);
  const list = computed(() => catalog.apps.value.value ?? []);
  const found = computed(() => appRows(list.value, words.value, sort.value));
  const selected = computed(() => list.value.find(({ id }) => id === catalog.appId.value) ?? null);
  const ahead = signal(0);
  const environmentId = computed(() => catalog.environment.value?.id ?? null);

  const ends = [
    effect(() => {
      const of =
        environmentId.value !== null && catalog.appId.value !== null
          ? { environmentId: environmentId.value, appId: catalog.appId.value }
          : null;
      const made =
        of &&
        untracked(() => createAppPage({ send: services.send, of, app: selected, saveFile: services.saveFile, world }));
      page.value = made;
      // Where a page comes by going through the table, it does not come in front of it.
      if (!made) place.value = 'table';
      return () => made?.dispose();
    }),
    // The times of apps are the platform's, and told by its clock.
    effect(() => {
      const id = environmentId.value;
      if (id === null || catalog.appsReadAt.value === null) return;
      const stop = new AbortController();
      const before = world.now();
      void platformTime(services.send, id, () => before, stop.signal).then(
        (time) => stop.signal.aborted || (ahead.value = time - before),
      );
      return () => stop.abort();
    }),
  ];
  panel.onDispose(() => ends.forEach((end) => end()));

  function select(appId: number): void {
    if (catalog.appId.peek() !== appId) catalog.chooseApp(appId);
  }

  return {
    view: place,
    query: words,
    sort,
    columns,
    page,
    selected,
    loadedAt: catalog.appsReadAt,
    ahead,
    selectedId: catalog.appId,
    isOnline: world.isOnline,
    rows: computed(() => found.value.filter(({ deletedAt }) => deletedAt === null)),
    deleted: computed(() => found.value.filter(({ deletedAt }) => deletedAt !== null)),
    sortBy(by) {
      sort.value = { by, descending: sort.value.by === by && !sort.value.descending };
    },
    showColumns: (chosen) => void (columns.value = rememberColumns(services.memory, chosen)),
    select,
    open(appId) {
      select(appId);
      place.value = 'page';
    },
    refresh: () => catalog.refreshApps(),
  };
}
