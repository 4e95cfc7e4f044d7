/** The *Run* tab's selection: step, path, details tab, comparison, and collapsed rows. */
import { batch, computed, effect, signal } from '@preact/signals';
import type { Runs } from './runs.ts';
import { nextFailure, type StepChoice } from './timeline/filter.ts';
import { iterationKey } from './timeline/rows.ts';
import type { Trace, TraceStep } from './trace.ts';

export type DetailTab = 'result' | 'context' | 'settings' | 'watch' | 'console' | 'network';

/** Which steps the timeline lists. */
export interface TimelineFilter {
  choice: StepChoice;
  query: string;
  hidesUnmatched: boolean;
}
const NO_FILTER: TimelineFilter = { choice: { kind: 'all' }, query: '', hidesUnmatched: false };

export class Selection {
  /** ID of the selected step in the displayed run. */
  readonly step = signal<number | null>(null);
  /** Key of the selected iteration's row; null if a step's own row is selected. */
  readonly iteration = signal<string | null>(null);
  /** Path of the selected node in the pipeline tree. */
  readonly path = signal<string | null>(null);
  /**
   * Path of the node whose definition the details show, because it has no step in the displayed run. Null if they show a
   * step or the whole run.
   */
  readonly unrun = signal<string | null>(null);
  /** Whether the details are of a step, not of the whole run. */
  readonly hasDetails = computed(() => this.step.value !== null || this.unrun.value !== null);
  readonly tab = signal<DetailTab>('result');
  /** Whether the details should be shown and get focus, because the user asked for them. */
  readonly wantsDetails = signal(false);
  /** ID of the run to compare with the displayed run; empty for the suggested run; null while not comparing. */
  readonly comparing = signal<string | null>(null);
  /** Keys of the timeline's collapsed rows. */
  readonly collapsedRows = signal<ReadonlySet<string>>(new Set());
  readonly filter = signal<TimelineFilter>(NO_FILTER);
  readonly collapsedPaths = signal<ReadonlySet<string>>(new Set());
  readonly #runs: Pick<Runs, 'shown' | 'version'>;
  #shownRun: string | null = null;
  #hasShownFailure = false;
  readonly dispose: () => void;

  constructor(runs: Pick<Runs, 'shown' | 'version'>) {
    this.#runs = runs;
    this.dispose = effect(() => {
      void runs.version.value;
      const run = runs.shown.value;
      batch(() => {
        this.#reset(run?.record.id ?? null);
        const path = this.unrun.peek();
        // A run in progress can reach the node that was selected before.
        if (path !== null && this.#firstStepAt(path)) this.selectPath(path);
        if (run?.trace.state === 'failed') this.#showFailure(run.trace.failedStep);
      });
    });
  }

  #reset(shownRun: string | null): void {
    if (shownRun === this.#shownRun) return;
    this.#shownRun = shownRun;
    this.#hasShownFailure = false;
    this.step.value = null;
    this.iteration.value = null;
    this.unrun.value = null;
    this.tab.value = 'result';
    this.comparing.value = null;
    this.collapsedRows.value = new Set();
    // Another run hardly has steps that match the same text, but hiding unmatched iterations is a preference.
    this.filter.value = { ...NO_FILTER, hidesUnmatched: this.filter.peek().hidesUnmatched };
  }

  /** Keeps the error visible, and reveals the failed step in the tree and the timeline. */
  #showFailure(failedStep: number | null): void {
    if (failedStep === null || this.#hasShownFailure) return;
    this.#hasShownFailure = true;
    this.step.value = failedStep;
    this.path.value = this.#pathOf(failedStep);
    // A pause has opened the step’s context.
    this.tab.value = 'result';
  }

  #pathOf(step: number): string | null {
    return this.#runs.shown.peek()?.trace.steps.get(step)?.path ?? null;
  }

  selectStep(id: number): void {
    batch(() => {
      this.path.value = this.#pathOf(id);
      this.#setStep(id);
    });
  }

  /** Selects an iteration's row. The details are of its first step. */
  selectIteration(firstStep: number): void {
    batch(() => {
      this.selectStep(firstStep);
      this.iteration.value = iterationKey({ id: firstStep });
    });
  }

  /** Selects the next or previous failed step, even if it's filtered out or below a collapsed row. */
  selectFailure(direction: 1 | -1): void {
    const trace = this.#runs.shown.peek()?.trace;
    const failure = trace && nextFailure(trace, this.step.peek(), direction);
    if (failure) this.revealStep(failure.id);
  }

  /** Selects a step, and makes sure that the timeline and the tree list it. */
  revealStep(id: number): void {
    const trace = this.#runs.shown.peek()?.trace;
    const step = trace?.steps.get(id);
    if (!trace || !step) return;
    batch(() => {
      const collapsed = new Set(this.collapsedRows.peek());
      for (let at: TraceStep | undefined = step; at; at = trace.steps.get(at.parent ?? -1)) {
        if (at !== step) collapsed.delete(String(at.id));
        const first = firstOfIteration(trace, at);
        if (first) collapsed.delete(iterationKey(first));
      }
      this.collapsedRows.value = collapsed;
      const { path } = step;
      if (path !== null) this.collapsedPaths.value = withoutAncestors(this.collapsedPaths.peek(), path);
      if (this.filter.peek().choice.kind !== 'failed') this.clearFilter();
      else this.setFilter({ query: '' });
      this.selectStep(id);
    });
  }

  /** Selects a pipeline node, and makes sure that the tree lists it. */
  readonly revealPath = (path: string): void =>
    batch(() => {
      this.collapsedPaths.value = withoutAncestors(this.collapsedPaths.peek(), path);
      this.selectPath(path);
    });

  setFilter(change: Partial<TimelineFilter>): void {
    this.filter.value = { ...this.filter.peek(), ...change };
  }

  readonly clearFilter = (): void => {
    this.filter.value = NO_FILTER;
  };

  /** Selects a pipeline node, and its first failed step, or its first step if none failed. */
  selectPath(path: string): void {
    const step = this.#firstStepAt(path);
    batch(() => {
      this.path.value = path;
      if (step) return this.#setStep(step.id);
      this.step.value = null;
      this.unrun.value = path;
    });
  }

  #firstStepAt(path: string): TraceStep | undefined {
    const trace = this.#runs.shown.peek()?.trace;
    if (!trace?.paths.has(path)) return undefined;
    const steps = trace.order.filter((step) => step.path === path);
    return steps.find(({ state }) => state === 'failed') ?? steps[0];
  }

  #setStep(id: number): void {
    this.step.value = id;
    this.iteration.value = null;
    this.unrun.value = null;
    if (this.tab.peek() === 'result') this.tab.value = 'context';
  }

  showStepDetails(id: number): void {
    this.selectStep(id);
    this.wantsDetails.value = true;
  }

  showPathDetails(path: string): void {
    this.selectPath(path);
    this.wantsDetails.value = true;
  }

  /** Returns to the details of the whole run. */
  readonly clear = (): void => {
    batch(() => {
      this.step.value = null;
      this.iteration.value = null;
      this.unrun.value = null;
      this.tab.value = 'result';
    });
  };

  readonly openTab = (tab: DetailTab): void => {
    this.tab.value = tab;
  };

  readonly compare = (id: string | null): void => {
    this.comparing.value = id;
  };

  setRowCollapsed(key: string, collapsed: boolean): void {
    this.collapsedRows.value = withMember(this.collapsedRows.peek(), key, collapsed);
  }

  setPathCollapsed(path: string, collapsed: boolean): void {
    this.collapsedPaths.value = withMember(this.collapsedPaths.peek(), path, collapsed);
  }
}

/** The first step of the iteration that the step is in; undefined if its parent isn't a loop. */
function firstOfIteration(trace: Trace, step: TraceStep): TraceStep | undefined {
  const siblings = trace.steps.get(step.parent ?? -1)?.children ?? [];
  for (let index = siblings.indexOf(step.id); index >= 0; index--) {
    const sibling = trace.steps.get(siblings[index] as number);
    if (sibling?.opensIteration) return sibling;
  }
  return undefined;
}

function withoutAncestors(paths: ReadonlySet<string>, path: string): ReadonlySet<string> {
  const others = [...paths].filter((one) => !path.startsWith(`${one}/`));
  return others.length === paths.size ? paths : new Set(others);
}

function withMember<T>(set: ReadonlySet<T>, item: T, isMember: boolean): ReadonlySet<T> {
  const next = new Set(set);
  if (isMember) next.add(item);
  else next.delete(item);
  return next;
}
