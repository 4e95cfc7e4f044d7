/** Owns what the person looks at: the selected step, what is folded, and which tab of the details is open. */
import { batch, effect, signal, type ReadonlySignal } from '@preact/signals';
import type { Runs } from './runs.ts';

export type DetailTab = 'result' | 'context' | 'settings' | 'console' | 'network';

export interface Selection {
  /** Of the shown run's timeline. */
  readonly step: ReadonlySignal<number | null>;
  /** Of the pipeline's tree. */
  readonly path: ReadonlySignal<string | null>;
  readonly tab: ReadonlySignal<DetailTab>;
  /** The shown run is being compared: with the run of this id, or with the one that suggests itself when it is empty; null when it is not. */
  readonly comparing: ReadonlySignal<string | null>;
  readonly foldedSteps: ReadonlySignal<ReadonlySet<number>>;
  readonly foldedPaths: ReadonlySignal<ReadonlySet<string>>;
  selectStep(id: number): void;
  /** Selects a place of the pipeline, and in the shown run the first step that failed there, or else the first. */
  selectPath(path: string): void;
  /** Nothing selected: the details are those of the whole run. */
  clear(): void;
  openTab(tab: DetailTab): void;
  compare(id: string | null): void;
  foldStep(id: number, folded: boolean): void;
  foldPath(path: string, folded: boolean): void;
  dispose(): void;
}

const toggled = <T>(set: ReadonlySet<T>, item: T, on: boolean): ReadonlySet<T> => {
  const next = new Set(set);
  if (on) next.add(item);
  else next.delete(item);
  return next;
};

export function createSelection(runs: Pick<Runs, 'shown' | 'version'>): Selection {
  const step = signal<number | null>(null);
  const path = signal<string | null>(null);
  const tab = signal<DetailTab>('result');
  const comparing = signal<string | null>(null);
  const foldedSteps = signal<ReadonlySet<number>>(new Set());
  const foldedPaths = signal<ReadonlySet<string>>(new Set());
  let shownRun: string | null = null;
  let failureTold = false;

  const dispose = effect(() => {
    const run = runs.shown.value;
    void runs.version.value;
    const id = run?.record.id ?? null;
    batch(() => {
      if (id !== shownRun) {
        step.value = null;
        tab.value = 'result';
        comparing.value = null;
        foldedSteps.value = new Set();
        failureTold = false;
      }
      shownRun = id;
      // The error stays in sight; tree and timeline go to the step that failed.
      const failed = run?.trace.state === 'failed' ? run.trace.failedStep : null;
      if (failed === null || failed === undefined || failureTold) return;
      failureTold = true;
      step.value = failed;
      path.value = run?.trace.steps.get(failed)?.path ?? null;
    });
  });
  const look = (id: number | null): void => {
    step.value = id;
    if (id !== null && tab.value === 'result') tab.value = 'context';
  };
  return {
    step,
    path,
    tab,
    comparing,
    foldedSteps,
    foldedPaths,
    dispose,
    selectStep: (id) =>
      batch(() => {
        path.value = runs.shown.peek()?.trace.steps.get(id)?.path ?? null;
        look(id);
      }),
    selectPath: (of) =>
      batch(() => {
        path.value = of;
        let found: number | null = null;
        for (const one of runs.shown.peek()?.trace.steps.values() ?? []) {
          if (one.path !== of) continue;
          if (one.state === 'failed') {
            found = one.id;
            break;
          }
          found ??= one.id;
        }
        look(found);
      }),
    clear: () =>
      batch(() => {
        step.value = null;
        tab.value = 'result';
      }),
    openTab(next) {
      tab.value = next;
    },
    compare(id) {
      comparing.value = id;
    },
    foldStep(id, folded) {
      foldedSteps.value = toggled(foldedSteps.value, id, folded);
    },
    foldPath(of, folded) {
      foldedPaths.value = toggled(foldedPaths.value, of, folded);
    },
  };
}
