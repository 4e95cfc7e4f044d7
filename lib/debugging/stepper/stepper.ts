/** Pauses a run of our engine at breakpoints, steps, and failures. It's an observer: pass it to the run, or call it from one. */
import {
  compileCondition,
  type Observer,
  type PipelineError,
  type Replacement,
  type Retry,
  type StepInfo,
} from '../../pipeline/index.ts';
import type { ErrorValue, Result } from '../../platform-api/coded-error.ts';
import { branchesOf, Breakpoints } from './breakpoints.ts';
import { editContext, type ShownContext, showContext } from './edit-context.ts';
import type { ChosenOutcome, DebuggerSettings, Pause, PauseReason, ResumeCommand, StepPlace } from './types.ts';

export interface StepperOptions {
  settings?: DebuggerSettings;
  onPause?: (pause: Pause) => void;
  /** Also called when the stepper lets go, because the run was stopped. */
  onResume?: (pause: Pause) => void;
  onLog?: (text: string, info: StepInfo) => void;
  /** The ID of the next pause. By default, pauses are counted from 1. */
  nextId?: () => number;
  /** Whether what runs the pipeline can run a failed step again. Default true. */
  canRetry?: boolean;
}

type Chosen = Replacement | Retry;

/** What the user has chosen, once they have. */
export type Paused = Promise<void | Chosen>;

interface OpenPause {
  pause: Pause;
  shown: ShownContext | null;
  resume: (chosen: Chosen | undefined) => void;
}

/**
 * Where stepping pauses next: before the next step, or before the first one after this step, or the iteration of this loop,
 * has ended.
 */
type Stepping = 'next' | { after: StepInfo; iteration?: number } | null;

export class Stepper {
  readonly #options: StepperOptions;
  readonly #breakpoints = new Breakpoints();
  /** The steps that have started and haven't ended, outermost first. */
  readonly #open: StepInfo[] = [];
  #pauseOnFailure = false;
  #stepping: Stepping = null;
  /** What asked for the next pause; null if it’s stepping. */
  #requested: 'request' | 'page-left' | null = null;
  readonly #targets: StepPlace[] = [];
  #paused: OpenPause | null = null;
  #pauses = 0;
  #isReleased = false;

  constructor(options: StepperOptions = {}) {
    this.#options = options;
    if (options.settings) this.update(options.settings);
  }

  readonly observer: Required<Observer> = {
    before: (info) => this.#before(info),
    failed: (info, error) => this.failed(info, error),
    after: (info) => this.#after(info),
  };

  get paused(): Pause | null {
    return this.#paused?.pause ?? null;
  }

  update({ breakpoints, pauseOnFailure }: DebuggerSettings): void {
    this.#breakpoints.set(breakpoints);
    this.#pauseOnFailure = pauseOnFailure;
  }

  /** Pauses before the next step, even if the run was released. */
  pauseAtNext(reason: 'request' | 'page-left' = 'request'): void {
    this.#isReleased = false;
    this.#stepping = 'next';
    this.#requested = reason;
  }

  /** Pauses once, at this step. */
  runTo(place: StepPlace): void {
    this.#targets.push(place);
  }

  /** A step starts that isn’t executed, so that it neither pauses nor logs. Call it instead of `before`. */
  enter(info: StepInfo): void {
    this.#open.push(info);
  }

  /** Ends a pause. Errors: `PAUSE_GONE`, `OUTCOME_IMPOSSIBLE`. */
  resume(pauseId: number, { go, outcome, runTo }: ResumeCommand): Result<null> {
    const open = this.#openPause(pauseId);
    if (!open) return gone();
    const { info } = open.pause;
    const reason = outcome && impossible(open.pause, outcome);
    if (reason) return refuse('OUTCOME_IMPOSSIBLE', reason, 'Choose another outcome.');
    this.#stepping = go === 'resume' ? null : this.#steppingFrom(info, go);
    if (runTo) this.runTo(runTo);
    this.#end(open, outcome && replacementOf(outcome));
    return { ok: true, value: null };
  }

  /** Lets the run go on without pausing again, because it was stopped, or because nobody could resume it. */
  release(): void {
    this.#isReleased = true;
    if (this.#paused) this.#end(this.#paused, undefined);
  }

  /** The context of a pause as JSON text. Null if the pause has ended. */
  contextText(pauseId: number): string | null {
    const open = this.#openPause(pauseId);
    if (!open) return null;
    open.shown = showContext(open.pause.info.context);
    return open.shown.text;
  }

  /** Applies an edited text of the context. Errors: `PAUSE_GONE`, and those of `editContext`. */
  editContext(pauseId: number, text: string): Result<null> {
    const open = this.#openPause(pauseId);
    if (!open) return gone();
    const { context } = open.pause.info;
    const edited = editContext(context, open.shown ?? showContext(context), text);
    if (edited.ok) open.shown = showContext(context);
    return edited;
  }

  /** The value of an expression in the condition language. It can't change the context. */
  evaluate(pauseId: number, source: string): { value: unknown } | { error: unknown } {
    const open = this.#openPause(pauseId);
    if (!open) return { error: new Error(GONE) };
    try {
      return { value: compileCondition(source)(open.pause.info.context) };
    } catch (error) {
      return { error };
    }
  }

  #openPause(id: number): OpenPause | null {
    return this.#paused?.pause.id === id ? this.#paused : null;
  }

  #steppingFrom(info: StepInfo, go: 'into' | 'over' | 'out'): Stepping {
    if (go === 'into') return 'next';
    if (go === 'over') return { after: info };
    const outer = this.#open[this.#open.indexOf(info) - 1];
    if (!outer) return null;
    return outer.kind === 'loop' ? { after: outer, iteration: info.iteration.at(-1) ?? 0 } : { after: outer };
  }

  #before(info: StepInfo): void | Promise<void | Replacement> {
    this.#endIteration(info);
    this.#open.push(info);
    if (this.#stepping === null && this.#targets.length === 0 && this.#breakpoints.isEmpty) return undefined;
    if (this.#isReleased) return undefined;
    const hit = this.#breakpoints.hit(info.path, info.context);
    if (hit?.kind === 'log') this.#options.onLog?.(hit.text, info);
    const reason = this.#reasonAt(info, hit?.kind === 'pause');
    if (!reason) return undefined;
    const error = hit?.kind === 'pause' ? hit.error : undefined;
    // Only a failed step has a retry.
    return this.#pause(info, reason, { error, canRetry: false }) as Promise<void | Replacement>;
  }

  #reasonAt(info: StepInfo, isBreakpoint: boolean): PauseReason | null {
    if (isBreakpoint) return 'breakpoint';
    if (this.#stepping === 'next') return this.#requested ?? 'step';
    return this.#targets.some((target) => isAt(info, target)) ? 'run-to' : null;
  }

  /** The step is the first one of another iteration of its loop. */
  #endIteration(info: StepInfo): void {
    const stepping = this.#stepping;
    if (typeof stepping !== 'object' || stepping?.iteration === undefined) return;
    if (this.#open.at(-1) === stepping.after && info.iteration.at(-1) !== stepping.iteration) this.#stepping = 'next';
  }

  /** @param canRetry whether the step can run again */
  failed(info: StepInfo, error: PipelineError, canRetry = this.#options.canRetry !== false): Paused | void {
    if (this.#pauseOnFailure && !this.#isReleased) return this.#pause(info, 'failure', { error, canRetry });
  }

  #after(info: StepInfo): void {
    this.#open.pop();
    if (typeof this.#stepping === 'object' && this.#stepping?.after === info) this.#stepping = 'next';
  }

  #pause(info: StepInfo, reason: PauseReason, { error, canRetry }: { error: unknown; canRetry: boolean }): Paused {
    this.#pauses++;
    const id = this.#options.nextId?.() ?? this.#pauses;
    const pause: Pause = { id, info, reason, canRetry, ...(error !== undefined && { error }) };
    this.#stepping = null;
    this.#requested = null;
    const target = this.#targets.findIndex((each) => isAt(info, each));
    if (target >= 0) this.#targets.splice(target, 1);
    return new Promise((resume) => {
      this.#paused = { pause, shown: null, resume };
      this.#options.onPause?.(pause);
    });
  }

  #end(open: OpenPause, chosen: Chosen | undefined): void {
    this.#paused = null;
    this.#options.onResume?.(open.pause);
    open.resume(chosen);
  }
}

const isAt = ({ path, iteration }: StepInfo, target: StepPlace): boolean =>
  path === target.path && (target.iteration === undefined || String(iteration) === String(target.iteration));

/** Why a step can't have an outcome; null if it can. */
function impossible({ info: { kind, step }, reason, canRetry }: Pause, outcome: ChosenOutcome): string | null {
  if ('retry' in outcome) {
    if (reason !== 'failure') return 'only a failed step can be retried';
    return canRetry ? null : 'the page’s runtime can’t run a failed step again';
  }
  if (!('branch' in outcome)) return null;
  if (kind !== 'if') return 'only an if step has branches';
  return branchesOf(step).includes(outcome.branch) ? null : `the if step has no branch ${outcome.branch}`;
}

function replacementOf(outcome: ChosenOutcome): Chosen {
  if ('retry' in outcome) return outcome;
  if (!('error' in outcome)) return { ...outcome, by: 'debugger' };
  const { name = 'Error', message } = outcome.error;
  return { error: Object.assign(new Error(message), { name }), by: 'debugger' };
}

const GONE = 'the run isn’t paused there anymore';

const gone = (): Result<never> => refuse('PAUSE_GONE', GONE, 'Check where the run is now.');

const refuse = (code: string, why: string, hint: string): { ok: false; error: ErrorValue } => ({
  ok: false,
  error: { code, message: `Couldn’t resume the run: ${why}.`, hint },
});
