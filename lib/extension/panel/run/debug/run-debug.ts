/** The debugger of the *Run* tab: breakpoints, pauses, and what the next run is debugged with. */
import { batch, computed, effect, type ReadonlySignal } from '@preact/signals';
import type { ErrorValue } from '../../../../platform-api/errors.ts';
import type { DebugOptions } from '../../../inspector/contract.ts';
import type { RunInspector } from '../../../inspector/run/types.ts';
import type { PageStore } from '../../shell/page/page.ts';
import type { EngineChoice } from '../engine-choice.ts';
import type { RunStore } from '../history/run-store.ts';
import type { PipelineNode } from '../pipeline-tree.ts';
import type { PausedRun, Runs } from '../runs.ts';
import type { Selection } from '../selection.ts';
import { Breakpoints } from './breakpoints.ts';
import { ContextEdit, UNAPPLIED } from './context-edit.ts';
import { DebugSettings } from './debug-settings.ts';
import { isStep, stepLabel } from './match-breakpoints.ts';
import { NameChecks } from './name-checks.ts';
import { OutcomeForm } from './outcome-form.ts';
import { PauseControl } from './pause-control.ts';
import { RunPlaces, type RunPlacesOptions } from './run-places.ts';
import { Watches } from './watches.ts';

export const NEEDS_ENGINE = 'Breakpoints need our engine';

export interface RunDebugOptions {
  inspector: Pick<RunInspector, 'debugger'>;
  store: Pick<RunStore, 'debugging' | 'putDebugging' | 'recording'>;
  /** The action in the page; null if unknown. */
  subject: ReadonlySignal<string | null>;
  page: Pick<PageStore, 'nodes' | 'loaded' | 'state' | 'pause' | 'lost'>;
  starter: RunPlacesOptions['starter'];
  runs: Runs;
  selection: Selection;
  engine: Pick<EngineChoice, 'chosen' | 'choose'>;
}

export class RunDebug {
  readonly #options: RunDebugOptions;
  readonly settings: DebugSettings;
  readonly breakpoints: Breakpoints;
  readonly pause: PauseControl;
  readonly watches: Watches;
  readonly context: ContextEdit;
  readonly outcome: OutcomeForm;
  readonly places: RunPlaces;
  readonly names: NameChecks;
  readonly pauseOnFailure = computed(() => this.settings.data.value.pauseOnFailure);
  /** Whether breakpoints apply only to runs with our engine. */
  readonly needsEngine = computed(() => this.#needsEngine());
  /** Why runs can’t pause; null if they can. */
  readonly cannotPause = computed(() => (this.needsEngine.value ? NEEDS_ENGINE : null));
  /** What is set, although it doesn’t apply. */
  readonly isIgnored = computed(
    () =>
      this.needsEngine.value &&
      (this.pauseOnFailure.value || this.settings.data.value.breakpoints.some(({ isOff }) => !isOff)),
  );
  /** Whether the keys of the debugger control a run. DevTools itself controls a page that it has paused. */
  readonly isControlled = computed(() => this.#options.runs.live.value !== null && !this.#options.page.pause.value);
  readonly #disposers: (() => void)[];

  constructor(options: RunDebugOptions) {
    this.#options = options;
    const { store, subject, page, runs, inspector, starter } = options;
    this.settings = new DebugSettings({
      store,
      subject,
      // Right after navigation, the pipeline is still that of the previous page.
      nodes: computed(() => (page.loaded.value?.documentId === page.state.value?.documentId ? page.nodes.value : null)),
      onChange: () => void this.#update(),
    });
    this.breakpoints = new Breakpoints(this.settings);
    this.context = new ContextEdit(inspector.debugger, runs.paused);
    this.pause = new PauseControl({
      debugger: inspector.debugger,
      runs,
      blocked: computed(() => this.#blocked()),
      unfinished: () => this.#unfinished(),
    });
    this.outcome = new OutcomeForm(this.pause, page.nodes);
    this.names = new NameChecks(runs);
    const cannotPause = (): string | null => this.cannotPause.value;
    this.places = new RunPlaces({ store, runs, starter, pause: this.pause, cannotPause });
    this.watches = new Watches({
      settings: this.settings,
      debugger: inspector.debugger,
      paused: runs.paused,
      edits: this.context.version,
    });
    const stopRevealing = effect(() => {
      const paused = runs.paused.value;
      // The selection is first reset if another run was shown.
      if (paused) queueMicrotask(() => this.#reveal(paused));
    });
    const stopDismissing = effect(() => {
      if (this.context.isUnapplied.value) return;
      for (const { error } of [this.pause, this.outcome]) if (error.peek() === UNAPPLIED) error.value = null;
    });
    // Why a command failed concerns the run that it was for.
    const stopForgetting = effect(() => {
      if (runs.live.value) this.pause.dismiss();
    });
    const parts = [this.settings, this.context, this.outcome, this.watches];
    this.#disposers = [stopRevealing, stopDismissing, stopForgetting, ...parts.map((part) => () => part.dispose())];
  }

  /** What the next run of the page's action is debugged with. */
  async options(): Promise<DebugOptions> {
    await this.settings.ready();
    const settings = this.settings.settings.peek();
    return settings.breakpoints.length > 0 || settings.pauseOnFailure ? { settings } : {};
  }

  readonly setPauseOnFailure = (pauseOnFailure: boolean): void =>
    this.settings.change((data) => ({ ...data, pauseOnFailure }));

  readonly chooseEngine = (): void => this.#options.engine.choose('ours');

  /** Shows the run that’s paused, and its step. */
  readonly showPause = (): void => {
    const paused = this.#options.runs.paused.peek();
    if (!paused) return;
    this.#options.runs.shown.value = paused.run;
    queueMicrotask(() => this.#reveal(paused));
  };

  /** Toggles the breakpoint of the selected step. Returns false if no step of the page's pipeline is selected. */
  toggleSelected(): boolean {
    const node = this.nodeAt(this.#options.selection.path.peek());
    if (node) this.breakpoints.toggle(node);
    return node !== undefined;
  }

  /** The step at a path in the page's pipeline. */
  nodeAt(path: string | null): PipelineNode | undefined {
    return this.#options.page.nodes.value.find((node) => node.path === path && isStep(node));
  }

  /** The name of a step, as the tree shows it. */
  labelOf({ path, name }: { path: string | null; name: string }): string {
    const node = this.nodeAt(path);
    return node ? stepLabel(node) : name;
  }

  #needsEngine(): boolean {
    const { page, engine } = this.#options;
    const state = page.state.value;
    return state?.platform === 'ready' && state.tracing !== 'observed' && engine.chosen.value !== 'ours';
  }

  #blocked(): string | null {
    const { page } = this.#options;
    if (page.lost.value) return page.lost.value.message;
    return page.pause.value ? 'Resume the page in the debugger first' : null;
  }

  #unfinished(): ErrorValue | null {
    if (!this.context.isUnapplied.peek()) return null;
    this.#options.selection.openTab('context');
    return UNAPPLIED;
  }

  /** A run in progress follows changes of the breakpoints. */
  async #update(): Promise<void> {
    const { runs, inspector } = this.#options;
    if (!runs.live.peek()) return;
    const updated = await inspector.debugger.update(this.settings.settings.peek());
    if (!updated.ok) this.pause.error.value = updated.error;
  }

  #reveal(paused: PausedRun): void {
    const { runs, selection } = this.#options;
    if (runs.paused.peek() !== paused) return;
    const { run, at } = paused;
    if (runs.shown.peek() !== run) runs.shown.value = run;
    batch(() => {
      selection.revealStep(at.step);
      if (at.reason === 'failure') selection.openTab('result');
    });
  }

  dispose(): void {
    for (const dispose of this.#disposers) dispose();
  }
}
