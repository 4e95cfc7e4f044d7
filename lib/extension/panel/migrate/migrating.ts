/** The migration of one action: its code, the proof beside it, and what is selected in both. */
import { batch, computed, signal } from '@preact/signals';
import {
  dependenciesOf,
  STATUSES,
  type Difference,
  type Migration,
  type V2Action,
  type V3Draft,
} from '../../../migrate/index.ts';
import type { Action } from '../../../platform-api/action.ts';
import type { OfApp } from '../../messaging/protocol.ts';
import { CodeEdit } from './code-edit.ts';
import { CodeLinks } from './code-links.ts';
import { ranText } from './describe-proof.ts';
import { IDLE, loaded, type Loadable } from '../shared/loadable.ts';
import { openNodes, pipelineNodes } from '../run/pipeline-tree.ts';
import type { Panel } from '../shell/panel.ts';
import { type Gathered, Gatherer, type LabeledAside } from './gather.ts';
import { type ShownStatus, shownSteps, stepsOfCode, worstStatus } from './migration-steps.ts';
import { migrateSlowly } from './migrate-slowly.ts';
import { openCompare } from './open-compare.ts';
import { whyNoPage } from './page-prover.ts';
import type { Prover } from './prover.ts';
import { Proving } from './proving.ts';
import { migrationFiles } from './report-file.ts';
import { pipelineHash, SavedWork } from './saved-work.ts';

export type MigrationTab = 'proof' | 'strength' | 'switch-over';

export interface MigratingOptions {
  panel: Panel;
  action: Action;
  prover: Prover;
  /** Where the action is; null if no app is selected. */
  environmentId: string;
  gatherer?: Gatherer;
  /** Called when a proof has ended, and wasn’t canceled. */
  onProved?: (migrating: Migrating) => void;
}

export class Migrating {
  readonly action: Action;
  readonly tab = signal<MigrationTab>('proof');
  readonly gathered = signal<Gathered | null>(null);
  readonly migration = signal<Loadable<Migration>>(IDLE);
  /** How many steps of the pipeline are migrated, while others aren’t. */
  readonly migrated = signal(0);
  readonly edit: CodeEdit;
  readonly proving: Proving;
  readonly nodes = computed(() => pipelineNodes(this.action.functions));
  readonly collapsed = signal<ReadonlySet<string>>(new Set());
  readonly rows = computed(() => openNodes(this.nodes.value, this.collapsed.value));
  readonly #links = computed(() => new CodeLinks(this.edit.code.value));
  readonly #generatedLinks = computed(() =>
    this.edit.isEdited.value ? new CodeLinks(this.edit.generated.value) : this.#links.value,
  );
  /** Path of the selected step or branch. */
  readonly selected = signal<string | null>(null);
  /** The selected step’s lines. */
  readonly highlighted = computed(() =>
    this.selected.value === null ? null : this.#links.value.rangeOf(this.selected.value),
  );
  /** The line to scroll to. A new object each time. */
  readonly revealed = signal<{ line: number } | null>(null);
  readonly #reports = computed(() => {
    const { code, generated } = this.edit;
    const before = { code: generated.value, links: this.#generatedLinks.value };
    const reports = this.migration.value.value?.report.steps ?? [];
    return stepsOfCode(reports, before, { code: code.value, links: this.#links.value });
  });
  /** By path. */
  readonly steps = computed(() =>
    shownSteps(this.#reports.value, this.proving.proved.value?.proof ?? null, this.#links.value),
  );
  /** In how many compared runs each block of an `if` step ran. */
  readonly blockTexts = computed(
    () =>
      new Map(
        this.proving.proved.value?.proof.branches
          .filter(({ path, block }) => path !== block)
          .map(({ block, runs, generated = 0 }) => [block, ranText(runs, generated)]),
      ),
  );
  /** The V3 action’s other properties. An edit can use other packages. */
  readonly properties = computed((): V3Draft | null => {
    const { value } = this.migration.value;
    if (!value || !this.edit.isEdited.value) return value && value.action;
    return { ...value.action, dependencies: dependenciesOf(this.edit.code.value) };
  });
  /** Whether the code was changed since it was proved. */
  readonly isStale = computed(() => {
    const proved = this.proving.proved.value;
    return proved !== null && proved.task.code !== this.edit.code.value;
  });
  /** The worst status of the steps, for the code as it is now. */
  readonly status = computed((): ShownStatus => {
    const proved = this.proving.proved.value;
    if (this.isStale.value) return 'unproved';
    return proved ? proved.proof.status : worstStatus(this.steps.value.values());
  });
  /** Runs that aren’t compared, and those that prove nothing. */
  readonly aside = computed((): readonly LabeledAside[] => {
    const proved = this.proving.proved.value;
    const found = proved?.proof.aside.map(({ recording, reason }) => ({
      label: proved.runs[recording]?.label ?? '',
      reason,
    }));
    return [...(this.gathered.value?.aside ?? []), ...(found ?? [])];
  });
  /** The action as it is now, if its pipeline was changed since it was migrated. */
  readonly replacement = computed((): Action | null => {
    const latest = this.#panel.catalog.actions.value.value?.find(({ id }) => id === this.action.id) ?? null;
    return latest && JSON.stringify(latest.functions) !== JSON.stringify(this.action.functions) ? latest : null;
  });
  readonly selectedStep = computed(() => this.steps.value.get(this.selected.value ?? '') ?? null);
  /** How many steps have each status, worst first. */
  readonly counts = computed(() => {
    const counts = new Map<ShownStatus, number>();
    for (const { status } of this.steps.value.values()) counts.set(status, (counts.get(status) ?? 0) + 1);
    const rank = (status: ShownStatus): number => (status === 'unproved' ? -1 : STATUSES.indexOf(status));
    return [...counts].sort(([one], [other]) => rank(other) - rank(one));
  });
  /** Why a difference can’t be opened in *Compare*; null if it can. */
  readonly cannotCompare = computed(() =>
    this.proving.progress.value ? 'Wait until the proof has ended' : this.noPage.value,
  );
  /** Why the tab has no page that can run the code; null if it has one. */
  readonly noPage = computed(() => whyNoPage(this.#panel, this.#of));
  /** Why nothing can be proved now; null if it can. */
  readonly cannotProve = computed((): string | null => {
    if (this.migration.value.state !== 'ready') return 'Wait until the action is migrated';
    if (this.edit.problems.value.length > 0) return 'Correct the code first';
    if (this.noPage.value !== null) return this.noPage.value;
    if (this.gathered.value?.runs.length !== 0) return null;
    return this.gathered.value.runsError ?? 'Record a run first';
  });
  readonly #panel: Panel;
  readonly #of: OfApp;
  readonly #gatherer: Gatherer;
  readonly #onProved: MigratingOptions['onProved'];
  #isDisposed = false;

  constructor({ panel, action, prover, environmentId, gatherer = new Gatherer(panel), onProved }: MigratingOptions) {
    this.#panel = panel;
    this.#of = { environmentId, appId: action.appId };
    this.#gatherer = gatherer;
    this.#onProved = onProved;
    this.action = action;
    this.proving = new Proving(prover);
    const location = { ...this.#of, actionId: action.id };
    this.edit = new CodeEdit(new SavedWork(panel.services.store, location));
  }

  /** Collects and migrates. A proof sends recorded runs to the page, so it’s up to the user. */
  async start(): Promise<void> {
    this.migration.value = { state: 'loading', value: null, error: null };
    const { action } = this;
    const gathered = await this.#gatherer.of(action);
    this.gathered.value = gathered;
    // Thousands of steps take a while, so the view is shown first.
    await nextFrame();
    const migrated = await migrateSlowly(action, gathered, {
      onProgress: (done) => (this.migrated.value = done),
      isCanceled: () => this.#isDisposed,
    });
    if (this.#isDisposed) return;
    if (migrated.ok) await this.edit.load(migrated.value.code, await pipelineHash(action.functions));
    if (this.#isDisposed) return;
    this.migration.value = loaded(migrated, null);
  }

  /** Compares the code as it is now with the collected runs. */
  readonly prove = async (): Promise<void> => {
    const gathered = this.gathered.peek();
    if (!gathered || this.#isDisposed || this.cannotProve.peek() !== null) return;
    const { runs, dataSources } = gathered;
    const task = {
      code: this.edit.code.peek(),
      steps: this.#reports.peek(),
      functions: this.action.functions as V2Action['functions'],
      recordings: runs.map(({ recording }) => recording),
      dataSources,
    };
    if (await this.proving.prove(task, runs)) this.#onProved?.(this);
  };

  /** Takes runs into account that were recorded since, and proves again. */
  readonly proveAgain = async (): Promise<void> => {
    const gathered = this.gathered.peek();
    if (gathered) this.gathered.value = { ...gathered, ...(await this.#gatherer.runs(this.action)) };
    await this.prove();
  };

  /** Selects a step in the tree, and shows its lines. */
  readonly select = (path: string): void => {
    batch(() => {
      this.selected.value = path;
      const range = this.highlighted.value;
      if (range) this.revealed.value = { line: range.from };
    });
  };

  /** Selects the step that has the line, and shows both. */
  readonly showLine = (line: number): void => {
    batch(() => {
      this.tab.value = 'proof';
      this.cursorAt(line);
      this.revealed.value = { line };
    });
  };

  /** The cursor has moved in the code. */
  readonly cursorAt = (line: number): void => {
    const path = this.#links.peek().pathAt(line);
    if (path === null || path === this.selected.peek()) return;
    const collapsed = [...this.collapsed.peek()].filter((one) => !path.startsWith(`${one}/`));
    batch(() => {
      if (collapsed.length < this.collapsed.peek().size) this.collapsed.value = new Set(collapsed);
      this.selected.value = path;
    });
  };

  setCollapsed(path: string, isCollapsed: boolean): void {
    const next = new Set(this.collapsed.peek());
    if (isCollapsed) next.add(path);
    else next.delete(path);
    this.collapsed.value = next;
  }

  /** The differences of a step, with the runs that have them. The first step has those that belong to none. */
  differencesAt(path: string): { difference: Difference; run: number }[] {
    const comparisons = this.proving.proved.value?.proof.comparisons ?? [];
    const steps = this.steps.value;
    const isFirst = steps.keys().next().value === path;
    const isAt = (difference: Difference): boolean =>
      difference.path === path || (isFirst && !steps.has(difference.path));
    return comparisons.flatMap(({ differences }, run) =>
      differences.filter(isAt).map((difference) => ({ difference, run })),
    );
  }

  /**
   * The branches of a step, and in how many runs each ran. `example`: the payload of the first generated run that took
   * it, if no recorded run did.
   */
  branchesAt(path: string): { name: string; runs: number; example: string | null }[] {
    const branches = this.proving.proved.value?.proof.branches ?? [];
    return branches
      .filter((branch) => branch.path === path)
      .map(({ name, runs, example }) => ({ name, runs, example: example?.payload ?? null }));
  }

  /** What the recordings don’t have at a step. */
  unknownsAt(path: string): string[] {
    const comparisons = this.proving.proved.value?.proof.comparisons ?? [];
    const reasons = comparisons.flatMap(({ unknown }) => unknown.filter((each) => each.path === path));
    return [...new Set(reasons.map(({ reason }) => reason))];
  }

  readonly saveFile = (name: MigrationFileName): void => {
    const text = this.#files()[name];
    if (text !== undefined) this.#panel.services.saveFile(name, text);
  };

  readonly saveFiles = (): void => {
    for (const [name, text] of Object.entries(this.#files())) this.#panel.services.saveFile(name, text);
  };

  #files(): Partial<Record<MigrationFileName, string>> {
    const migration = this.migration.peek().value;
    const properties = this.properties.peek();
    if (!migration || !properties) return {};
    const isStale = this.isStale.peek();
    return migrationFiles({
      report: { ...migration.report, steps: [...this.#reports.peek()] },
      properties,
      code: this.edit.code.peek(),
      isEdited: this.edit.isEdited.peek(),
      proved: isStale ? null : this.proving.proved.peek(),
      strength: isStale ? null : this.proving.strength.peek(),
      aside: this.aside.peek(),
      accepted: this.edit.accepted.peek(),
    });
  }

  /** Opens a run of the code beside the run of V2 that it was compared with. */
  async compare(index: number): Promise<void> {
    const error = await openCompare(this.#panel, this.proving, index);
    if (error) this.proving.error.value = error;
  }

  dispose(): void {
    this.#isDisposed = true;
    this.proving.cancel();
  }
}

export type MigrationFileName = keyof ReturnType<typeof migrationFiles>;

const nextFrame = (): Promise<void> =>
  new Promise((resolve) => {
    // Without a document that is shown, there are no frames.
    if (globalThis.document?.visibilityState !== 'visible') return void setTimeout(resolve);
    requestAnimationFrame(() => setTimeout(resolve));
  });
