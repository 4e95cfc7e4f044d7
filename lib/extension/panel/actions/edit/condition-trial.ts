/** Tries the condition that is being edited on a recorded run: at each visit of its step, in the context that it had. */
import { batch, computed, signal } from '@preact/signals';
import type { Recording } from '../../../../debugging/recording/format.ts';
import {
  conditionsUpTo,
  recordedPath,
  type Trial,
  tryConditions,
  visitsOf,
} from '../../../../debugging/why/try-conditions.ts';
import { toErrorValue } from '../../../../platform-api/coded-error.ts';
import type { ErrorValue } from '../../../../platform-api/errors.ts';
import { plural } from '../../../../shared/format.ts';
import type { RunRecord, RunStore } from '../../run/history/run-store.ts';
import { createPauses } from '../../shared/pauses.ts';
import { describeValue } from '../../run/why/describe-value.ts';

export interface TrialOf {
  /** The steps as they are edited. */
  functions: unknown;
  /** JSON Pointer to the block of an `if`, in `functions`. */
  path: string;
}

export interface ConditionTrialOptions {
  store: Pick<RunStore, 'list'>;
  recordingOf: (run: RunRecord) => Promise<Recording | null>;
  /** The action; null if it isn't saved yet. */
  subject: () => string | null;
}

/** `unvisited`: the run didn't come to the step. `other`: its pipeline didn't have the step. */
export type TrialState = 'loading' | 'none' | 'unreadable' | 'other' | 'unvisited' | 'ready' | 'failed';

export class ConditionTrial {
  /** Runs with a recording, newest first. */
  readonly runs = signal<readonly RunRecord[]>([]);
  readonly run = signal<RunRecord | null>(null);
  /** Index of the chosen visit. */
  readonly visit = signal(0);
  readonly state = signal<TrialState>('loading');
  readonly trial = signal<Trial | null>(null);
  /** Iteration of each visit, outermost first. */
  readonly iterations = signal<readonly (readonly number[])[]>([]);
  readonly error = signal<ErrorValue | null>(null);
  readonly summary = computed(() => (this.trial.value ? summaryOf(this.trial.value) : ''));
  readonly #options: ConditionTrialOptions;
  #of: TrialOf | null = null;
  /** Incremented by each change, so that outdated work gives up. */
  #version = 0;
  #working: Promise<void> | null = null;
  #listing: Promise<void> | null = null;

  constructor(options: ConditionTrialOptions) {
    this.#options = options;
  }

  /** Shows the condition at a path. Evaluates it later, so that typing isn't slowed down. */
  show(of: TrialOf): void {
    if (this.#of?.path !== of.path) this.visit.value = 0;
    this.#of = of;
    this.#change();
  }

  chooseRun(id: string): void {
    this.run.value = this.runs.peek().find((run) => run.id === id) ?? this.run.peek();
    this.visit.value = 0;
    this.#change();
  }

  chooseVisit(index: number): void {
    const { visits = [] } = this.trial.peek() ?? {};
    this.visit.value = Math.max(0, Math.min(index, visits.length - 1));
    this.#change();
  }

  /** Lists the runs again, because the action can have run in the meantime. */
  refresh(): Promise<void> {
    this.#listing = null;
    this.#change();
    return this.idle();
  }

  /** Resolves once everything shown is up to date. */
  async idle(): Promise<void> {
    while (this.#working) await this.#working;
  }

  #change(): void {
    this.#version++;
    this.#working ??= this.#work();
  }

  async #work(): Promise<void> {
    let version: number;
    do {
      // Not before the input is painted.
      await new Promise((resolve) => setTimeout(resolve));
      version = this.#version;
      await this.#update(version);
    } while (version !== this.#version);
    this.#working = null;
  }

  async #update(version: number): Promise<void> {
    try {
      await (this.#listing ??= this.#list());
      await this.#evaluate(() => version === this.#version);
    } catch (thrown) {
      this.#listing = null;
      batch(() => {
        this.error.value = toErrorValue(thrown);
        this.state.value = 'failed';
      });
    }
  }

  async #list(): Promise<void> {
    const { store } = this.#options;
    const subject = this.#options.subject();
    const all = subject === null ? [] : await store.list(subject);
    const runs = all.filter(({ recording }) => recording !== undefined);
    batch(() => {
      this.runs.value = runs;
      this.run.value = runs.find(({ id }) => id === this.run.peek()?.id) ?? runs[0] ?? null;
    });
  }

  async #evaluate(isCurrent: () => boolean): Promise<void> {
    const [run, of] = [this.run.peek(), this.#of];
    if (!run || !of) return this.#finish('none');
    const recording = await this.#options.recordingOf(run);
    if (!isCurrent()) return;
    if (!recording) return this.#finish('unreadable');
    const { step, block } = blockAt(of.path);
    const path = recordedPath(recording, of.functions, step);
    if (path === undefined) return this.#finish('other');
    const visits = visitsOf(recording, path);
    if (visits.length === 0) return this.#finish('unvisited');
    const { pauseIfDue } = createPauses();
    const trial = await tryConditions(recording, visits, conditionsUpTo(of.functions, step, block), {
      visit: this.visit.peek(),
      keep: describeValue,
      proceed: async () => {
        await pauseIfDue();
        return isCurrent();
      },
    });
    if (!trial || !isCurrent()) return;
    batch(() => {
      this.visit.value = Math.min(this.visit.peek(), visits.length - 1);
      this.iterations.value = visits.map((index) => recording.steps[index]?.iteration ?? []);
      this.#finish('ready', trial);
    });
  }

  #finish(state: TrialState, trial: Trial | null = null): void {
    batch(() => {
      this.error.value = null;
      this.trial.value = trial;
      this.state.value = state;
    });
  }
}

function blockAt(path: string): { step: string; block: number } {
  const [, step = path, block = '0'] = /^(.*)\/conditions\/(\d+)$/.exec(path) ?? [];
  return { step, block: Number(block) };
}

/** For example, `True in 12 of 40 visits`. */
function summaryOf({ outcomes, taken, why }: Trial): string {
  if (why?.state === 'invalid') return '';
  const count = (outcome: string): number => outcomes.filter((each) => each === outcome).length;
  const isTrue = count('true');
  const parts = [`True in ${isTrue} of ${plural(outcomes.length, 'visit')}`];
  if (taken !== isTrue) parts.push(`its branch runs in ${taken}`);
  if (count('failed') > 0) parts.push(`fails in ${count('failed')}`);
  if (count('unknown') > 0) parts.push(`unknown in ${count('unknown')}`);
  return parts.join(', ');
}
