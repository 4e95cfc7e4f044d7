/** State of the *Apps* tab: the table's search, sort order, and columns, the selected app, and its page. */
import { computed, effect, signal, type Signal, untracked } from '@preact/signals';
import { platformTime } from '../actions/platform-clock.ts';
import { STALE_FOR_SEARCH } from '../shell/catalog.ts';
import type { Panel } from '../shell/panel.ts';
import { registryKey } from '../shell/registry.ts';
import { AppPage } from './app-page.ts';
import { appRows, recallColumns, rememberColumns } from './app-rows.ts';
import { createHostPage, type HostPage } from './host-page.ts';
import type { AppColumn, AppSort, AppsView } from './types.ts';

const APPS_STATE = registryKey<AppsState>('apps');

/** The panel's single instance of this state, so that switching tabs loses nothing. */
export function appsStateOf(panel: Panel): AppsState {
  return panel.registry.get(APPS_STATE, () => new AppsState(panel, createHostPage()));
}

/** The tab and the toolbar share the selected app. */
export class AppsState {
  readonly view = signal<AppsView>('table');
  readonly query = signal('');
  readonly sort = signal<AppSort>({ by: 'name', descending: false });
  /** The visible columns, in order. The choice survives closing the panel. */
  readonly columns: Signal<readonly AppColumn[]>;
  /** The selected app's page. Selecting another app or environment creates a new page, with nothing loaded yet. */
  readonly page = signal<AppPage | null>(null);
  /** Milliseconds that the platform's virtual clock is ahead of this computer's clock; 0 without a virtual clock. */
  readonly clockOffset = signal(0);
  /** The environment whose clock was read last. */
  #clockOf: string | null = null;
  readonly isOnline: HostPage['isOnline'];

  readonly #panel: Panel;
  readonly #host: HostPage;
  readonly #stopEffects: (() => void)[];
  readonly #apps = computed(() => this.#panel.catalog.apps.value.value ?? []);
  readonly #found = computed(() => appRows(this.#apps.value, this.query.value, this.sort.value));
  readonly #environmentId = computed(() => this.#panel.catalog.environment.value?.id ?? null);
  readonly rows = computed(() => this.#found.value.filter(({ deletedAt }) => deletedAt === null));
  readonly deleted = computed(() => this.#found.value.filter(({ deletedAt }) => deletedAt !== null));
  /** Null if no app is selected, or if the selected one isn't listed. */
  readonly selected = computed(() => this.#apps.value.find(({ id }) => id === this.selectedId.value) ?? null);

  constructor(panel: Panel, host: HostPage) {
    this.#panel = panel;
    this.#host = host;
    this.isOnline = host.isOnline;
    this.columns = signal(recallColumns(panel.services.memory));
    this.#stopEffects = [
      effect(() => this.#openPage()),
      effect(() => this.#readClock()),
      effect(() => this.#followPublishes()),
      effect(() => this.#searchAgain()),
    ];
  }

  get selectedId(): Panel['catalog']['appId'] {
    return this.#panel.catalog.appId;
  }

  /** When the list was loaded, in epoch milliseconds. */
  get loadedAt(): Panel['catalog']['appsReadAt'] {
    return this.#panel.catalog.appsReadAt;
  }

  sortBy = (by: AppColumn): void => {
    const sort = this.sort.peek();
    this.sort.value = { by, descending: sort.by === by && !sort.descending };
  };

  /** The name column is always shown. */
  showColumns(columns: readonly AppColumn[]): void {
    this.columns.value = rememberColumns(this.#panel.services.memory, columns);
  }

  select(appId: number): void {
    if (this.selectedId.peek() !== appId) this.#panel.catalog.chooseApp(appId);
  }

  /** Selects an app and shows its page. */
  open = (appId: number): void => {
    this.select(appId);
    this.view.value = 'page';
  };

  refresh(): Promise<void> {
    return this.#panel.catalog.refreshApps();
  }

  dispose(): void {
    for (const stop of this.#stopEffects) stop();
  }

  #openPage(): (() => void) | undefined {
    const [environmentId, appId] = [this.#environmentId.value, this.selectedId.value];
    if (environmentId === null || appId === null) {
      this.page.value = null;
      this.view.value = 'table';
      return;
    }
    const { send, saveFile } = this.#panel.services;
    const page = untracked(
      () => new AppPage({ send, of: { environmentId, appId }, app: this.selected, saveFile, host: this.#host }),
    );
    this.page.value = page;
    return () => page.dispose();
  }

  /** A publish changes the app's version and its releases. */
  #followPublishes(): void {
    if (this.#panel.publishes.value === 0) return;
    untracked(() => {
      if (this.loadedAt.peek() !== null) void this.refresh();
      const page = this.page.peek();
      if (page && page.sessions.state.peek() !== 'idle') void page.loadReleases();
    });
  }

  /** Loads the list again when no app matches: the app can have been made elsewhere since. */
  #searchAgain(): void {
    const isMissing = this.#apps.value.length > 0 && this.#found.value.length === 0 && this.query.value.trim() !== '';
    if (isMissing) untracked(() => void this.#panel.catalog.refreshApps({ ifOlderThan: STALE_FOR_SEARCH }));
  }

  /** Reads the platform's clock, because the times of apps are based on it. */
  #readClock(): (() => void) | undefined {
    const id = this.#environmentId.value;
    if (id === null || this.loadedAt.value === null) return;
    const stop = new AbortController();
    const before = this.#host.now();
    const offset = this.#clockOf === id ? this.clockOffset.peek() : 0;
    this.#clockOf = id;
    const clock = { now: () => before, offset };
    void platformTime(this.#panel.services.send, id, clock, stop.signal).then((time) => {
      if (!stop.signal.aborted) this.clockOffset.value = time - before;
    });
    return () => stop.abort();
  }
}
