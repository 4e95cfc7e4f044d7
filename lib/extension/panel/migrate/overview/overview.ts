/** The migrations of all actions of an app: checks them one after the other, and keeps what was found. */
import { batch, computed, effect, signal, untracked } from '@preact/signals';
import type { Action } from '../../../../platform-api/action.ts';
import { toErrorValue } from '../../../../platform-api/coded-error.ts';
import type { ErrorValue } from '../../../../platform-api/errors.ts';
import { navigated } from '../../../inspector/migrate/prover-errors.ts';
import { tableFileName } from '../../shared/table-file.ts';
import type { Panel } from '../../shell/panel.ts';
import { Gatherer } from '../gather.ts';
import { Migrating } from '../migrating.ts';
import { whyNoPage } from '../page-prover.ts';
import type { Prover } from '../prover.ts';
import { type Checked, checkedOf, SavedChecks } from './checked.ts';
import { overviewCsv } from './overview-file.ts';
import {
  countsOf,
  NO_FILTER,
  type OverviewColumn,
  type OverviewFilter,
  type OverviewRow,
  type OverviewSort,
  type OverviewStatus,
  shownRows,
  summaryOf,
} from './overview-rows.ts';

export interface OverviewOptions {
  panel: Panel;
  prover: Prover;
  environmentId: string;
  appId: number;
}

export interface CheckProgress {
  /** How many are done. */
  done: number;
  total: number;
  /** Being checked. */
  action: Action;
}

interface KnownCheck {
  checked: Checked;
  /** Whether it’s of the action and its code as they are now. */
  isCurrent: boolean;
}

interface Running {
  migrating: Migrating | null;
}

/** Columns whose default sort order is descending: the worst status, and the latest check. */
const DESCENDING_FIRST: ReadonlySet<OverviewColumn> = new Set(['status', 'runs', 'checkedAt']);

/** Errors that are the page’s. The next action would get them, too. */
const OF_PAGE: ReadonlySet<string> = new Set([
  'APP_PAGE_MISSING',
  'PAGE_LEFT',
  'PAGE_BUSY',
  'PAGE_UNREACHABLE',
  'PROOF_TOO_SLOW',
  'PROOF_SUPERSEDED',
  'BUILT_INS_REPLACED',
]);

export class Overview {
  readonly filter = signal<OverviewFilter>(NO_FILTER);
  readonly sort = signal<OverviewSort>({ by: 'status', descending: true });
  readonly selectedId = signal<number | null>(null);
  /** Null while nothing is checked. */
  readonly progress = signal<CheckProgress | null>(null);
  /** Why the last check has stopped, or what couldn’t be stored. */
  readonly error = signal<ErrorValue | null>(null);
  readonly isLoaded = signal(false);
  /** By the action’s ID. */
  readonly #checks = signal<ReadonlyMap<number, KnownCheck>>(new Map());
  readonly #actions = computed(() =>
    (this.#options.panel.catalog.actions.value.value ?? []).filter((action) => action['actionVersion'] !== 'v3'),
  );
  readonly all = computed((): readonly OverviewRow[] => this.#actions.value.map((action) => this.#rowOf(action)));
  /** Filtered and sorted. */
  readonly rows = computed(() => shownRows(this.all.value, this.filter.value, this.sort.value));
  readonly counts = computed(() => countsOf(this.all.value));
  readonly summary = computed(() => summaryOf(this.all.value));
  /** Whether everything that was checked has no recorded run. */
  readonly hasNoRuns = computed(() => {
    const checks = [...this.#checks.value.values()].filter(({ checked }) => checked.error === null);
    return checks.length > 0 && checks.every(({ checked: { runs } }) => runs.recorded + runs.aside === 0);
  });
  /** Why nothing can be checked now; null if it can. */
  readonly cannotCheck = computed((): string | null => {
    if (this.progress.value) return 'Wait until the check has ended';
    return this.noPage.value;
  });
  /** Why the tab has no page that can run the code; null if it has one. */
  readonly noPage = computed(() => whyNoPage(this.#options.panel, this.#options));
  readonly #options: OverviewOptions;
  readonly #saved: SavedChecks;
  readonly #stop: () => void;
  /** The check that runs. Another object means that it was canceled. */
  #running: Running | null = null;

  constructor(options: OverviewOptions) {
    this.#options = options;
    this.#saved = new SavedChecks(options.panel.services.store, options.environmentId);
    const { catalog, migrating } = options.panel;
    this.#stop = effect(() => {
      const isSelected =
        catalog.appId.value === options.appId && catalog.environment.value?.id === options.environmentId;
      // Runs and packages would be those of another app.
      if (!isSelected) return untracked(this.cancel);
      // The view of an action changes and proves its code, too.
      const isOpen = migrating.value !== null;
      if (this.#actions.value.length > 0 && !isOpen) untracked(() => void this.load());
    });
  }

  #rowOf(action: Action): OverviewRow {
    const known = this.#checks.value.get(action.id);
    const status: OverviewStatus = !known ? 'unchecked' : known.isCurrent ? known.checked.status : 'changed';
    const isChecking = this.progress.value?.action.id === action.id;
    return { action, status, checked: known?.checked ?? null, isChecking };
  }

  /** Reads what is stored, and compares it with the actions as they are now. */
  async load(): Promise<void> {
    const loaded = new Map<number, KnownCheck>();
    try {
      for (const action of this.#actions.peek()) {
        const checked = newer(await this.#saved.read(action), this.#checks.peek().get(action.id)?.checked ?? null);
        if (checked) loaded.set(action.id, { checked, isCurrent: await this.#saved.isCurrent(action, checked) });
      }
    } catch (thrown) {
      this.error.value = toErrorValue(thrown);
    }
    // What was checked while this was reading is newer.
    for (const [id, known] of this.#checks.peek())
      if (known.checked.at > (loaded.get(id)?.checked.at ?? 0)) loaded.set(id, known);
    batch(() => {
      this.#checks.value = loaded;
      this.isLoaded.value = true;
    });
  }

  readonly checkAll = (): Promise<void> => this.#check(this.#actions.peek());

  readonly check = (action: Action): Promise<void> => this.#check([action]);

  async #check(actions: readonly Action[]): Promise<void> {
    if (this.cannotCheck.peek() !== null || actions.length === 0) return;
    const running: Running = (this.#running = { migrating: null });
    this.error.value = null;
    const { panel, prover, environmentId } = this.#options;
    const gatherer = new Gatherer(panel);
    for (const [done, action] of actions.entries()) {
      this.progress.value = { done, total: actions.length, action };
      const migrating = (running.migrating = new Migrating({ panel, action, prover, environmentId, gatherer }));
      await migrating.start();
      await migrating.prove();
      const error = this.#running === running ? this.#pageError(migrating) : null;
      // What is proved stays proved, even if its strength wasn’t measured anymore.
      if (migrating.proving.proved.peek() || (this.#running === running && !error)) await this.note(migrating);
      migrating.dispose();
      if (this.#running !== running) return;
      this.error.value ??= error;
      if (error) break;
    }
    this.cancel();
  }

  /** What keeps the page from running the code of any action; null if nothing does. */
  #pageError({ action, proving, migration }: Migrating): ErrorValue | null {
    if (migration.peek().error) return null;
    const left = this.noPage.peek() === null ? null : toErrorValue(navigated());
    const error = proving.error.peek() ?? left;
    return error && OF_PAGE.has(error.code) ? { ...error, message: `${action.name}: ${error.message}` } : null;
  }

  /** Keeps and stores what a migration that was started has found. Never rejects. */
  async note(migrating: Migrating): Promise<void> {
    const { action } = migrating;
    const checked = await checkedOf(migrating);
    this.#checks.value = new Map(this.#checks.peek()).set(action.id, { checked, isCurrent: true });
    await this.#saved.write(action, checked).catch((thrown: unknown) => {
      this.error.value = toErrorValue(thrown);
    });
  }

  /** What is known by now stays. */
  readonly cancel = (): void => {
    this.#running?.migrating?.dispose();
    this.#running = null;
    this.progress.value = null;
  };

  readonly sortBy = (by: OverviewColumn): void => {
    const sort = this.sort.peek();
    this.sort.value = { by, descending: by === sort.by ? !sort.descending : DESCENDING_FIRST.has(by) };
  };

  readonly dismiss = (): void => {
    this.error.value = null;
  };

  /** Opens the action’s migration. */
  readonly open = ({ action }: OverviewRow): void => {
    this.selectedId.value = action.id;
    this.#options.panel.migrating.value = action;
  };

  /** Saves the listed rows. */
  readonly saveCsv = (): void => {
    const { panel, appId: id } = this.#options;
    const name = panel.catalog.apps.peek().value?.find((app) => app.id === id)?.name ?? '';
    const file = tableFileName({ app: { id, name }, what: 'migration', format: 'csv', now: Date.now() });
    panel.services.saveFile(file, overviewCsv(this.rows.peek()));
  };

  dispose(): void {
    this.#stop();
    this.cancel();
  }
}

const newer = (one: Checked | null, other: Checked | null): Checked | null =>
  (one?.at ?? 0) >= (other?.at ?? 0) ? one : other;
