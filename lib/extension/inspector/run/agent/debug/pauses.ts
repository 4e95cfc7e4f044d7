/** Pauses a run at its steps, lets panels look at it and change it, and resumes it if no panel is left. */
import { Stepper } from '../../../../../debugging/stepper/stepper.ts';
import type { PipelineError, StepInfo } from '../../../../../pipeline/index.ts';
import type { DebuggerSettings, Pause, ResumeCommand } from '../../../../../debugging/stepper/types.ts';
import type { Result } from '../../../../../platform-api/errors.ts';
import { describe } from '../../../agent/describe/describe.ts';
import { cut } from '../../../agent/describe/describe-cursor.ts';
import { textOf } from '../../../agent/describe/describe-special.ts';
import type { Handles } from '../../../agent/handles.ts';
import { holdTime, releaseTime } from '../../../agent/page-status.ts';
import { ABSENCE, whenAbsent } from '../../../agent/panel-signs.ts';
import { now } from '../../../agent/pristine.ts';
import { attempt } from '../../../agent/safe.ts';
import type { Change, Evaluated } from '../../../contract.ts';
import type { Recorder } from '../recorder.ts';
import type { DebugRequest } from './panel-data.ts';
import type { RunRecording } from './run-recording.ts';

const WATCH = { nodes: 200, chars: 8_000, depth: 5 };
const MAX_SOURCES = 100;
const MAX_ERROR = 1_000;
/** Milliseconds after which no further expression is evaluated, because the page would be blocked. */
const EVALUATION_TIME = 1_000;
const pageConsole = globalThis.console;

export interface PausesOptions {
  trace: Recorder;
  recording: RunRecording | null;
  handles: Handles;
  request: Pick<DebugRequest, 'settings' | 'from' | 'runTo' | 'pausesFirst'>;
  /** The ID of the next pause in this document. */
  nextId: () => number;
  /** The page was left during the run, and no panel came back for it. */
  onAbandoned: () => void;
  /** Whether the runtime can run a failed step again. */
  canRetry: boolean;
}

export class Pauses {
  readonly #options: PausesOptions;
  readonly stepper: Stepper;
  #isAbsent = false;
  /** The page was left or frozen during the run, and no panel has resumed it since. */
  #isHeld = false;
  /** The step that failed last, and how often it has. */
  #failed: StepInfo | null = null;
  #failures = 0;
  #stopWatching = (): void => {};

  constructor(options: PausesOptions) {
    const { settings, from, runTo, pausesFirst } = options.request;
    this.#options = options;
    this.stepper = new Stepper({
      ...(settings && { settings }),
      nextId: options.nextId,
      canRetry: options.canRetry,
      onPause: (pause) => this.#onPause(pause),
      onResume: (pause) => this.#onResume(pause),
      onLog: (text) => {
        attempt(() => options.trace.console('logpoint', [text]));
        options.recording?.console('logpoint', [text]);
      },
    });
    if (from?.pauses) this.stepper.runTo(from.place);
    if (runTo) this.stepper.runTo(runTo);
    if (pausesFirst) this.stepper.pauseAtNext();
  }

  update(settings: DebuggerSettings): void {
    attempt(() => this.stepper.update(settings));
  }

  resume(id: number, command: ResumeCommand): Result<null> {
    const resumed = attempt(() => this.stepper.resume(id, command));
    // A page that has replaced built-ins since the run started can’t be debugged any further.
    if (!resumed) this.stepper.release();
    return resumed ?? { ok: true, value: null };
  }

  contextText(id: number): string | null {
    return attempt(() => this.stepper.contextText(id)) ?? null;
  }

  editContext(id: number, text: string): Result<null> {
    const info = this.stepper.paused?.info;
    const { recording } = this.#options;
    if (info) {
      recording?.editing(info);
      attempt(() => this.#report('context-changed', info));
    }
    const edited = this.stepper.editContext(id, text);
    if (edited.ok && info) {
      recording?.edited(info);
      attempt(() => this.#report('context-edited', info));
    }
    return edited;
  }

  /** A failed step runs again. */
  retried(info: StepInfo, error: PipelineError): void {
    const { trace, recording } = this.#options;
    recording?.retried(info, error);
    attempt(() => {
      this.#report('context-changed', info);
      const described = trace.describeError(error);
      trace.add({ kind: 'step-retried', step: trace.currentStep() ?? 0, attempt: this.#failures, error: described });
    });
  }

  evaluate(id: number, sources: readonly string[]): Evaluated[] | null {
    if (this.stepper.paused?.id !== id) return null;
    const values: Evaluated[] = [];
    const until = now() + EVALUATION_TIME;
    for (let i = 0; i < sources.length && i < MAX_SOURCES; i++)
      values[i] = now() < until ? this.#evaluate(id, sources[i]!) : { error: 'The expressions before took too long.' };
    return values;
  }

  #evaluate(id: number, source: string): Evaluated {
    try {
      const found = this.stepper.evaluate(id, source);
      if ('error' in found) return { error: errorText(found.error) };
      return { value: describe(found.value, WATCH, this.#options.handles) };
    } catch (thrown) {
      return { error: errorText(thrown) };
    }
  }

  /** The page is left or frozen. If the browser brings it back, the run waits at its step, or at the next one. */
  hold(): void {
    this.#isHeld = true;
    if (!this.stepper.paused) this.stepper.pauseAtNext('page-left');
  }

  /** The run has ended. */
  stop(): void {
    this.stepper.release();
  }

  #onPause({ id, info, reason, error, canRetry }: Pause): void {
    if (reason === 'failure') this.#countFailure(info);
    holdTime();
    this.#stopWatching = whenAbsent(() => this.#onAbsence());
    attempt(() => {
      const { trace } = this.#options;
      const described = error === undefined ? undefined : trace.describeError(error);
      const retry = canRetry || undefined;
      trace.add({
        kind: 'paused',
        pause: id,
        step: trace.currentStep() ?? 0,
        reason,
        error: described,
        canRetry: retry,
      });
    });
  }

  #countFailure(info: StepInfo): void {
    this.#failures = this.#failed === info ? this.#failures + 1 : 1;
    this.#failed = info;
  }

  #onResume({ id }: Pause): void {
    releaseTime();
    this.#stopWatching();
    const by = !this.#isAbsent ? 'panel' : this.#isHeld ? 'page-left' : 'absence';
    this.#isHeld = false;
    attempt(() => this.#options.trace.add({ kind: 'resumed', pause: id, by }));
  }

  #report(kind: 'context-changed' | 'context-edited', info: StepInfo): void {
    const { trace } = this.#options;
    const changes = trace.changesOf(info.context) as unknown as Change[];
    const attemptNumber = this.#failed === info ? this.#failures : undefined;
    if (changes.length > 0) trace.add({ kind, step: trace.currentStep() ?? 0, attempt: attemptNumber, changes });
  }

  /** A run that the panel gave up when its page was left never acts later. Any other one goes on. */
  #onAbsence(): void {
    const end = this.#isHeld ? 'stopped, because its page was left' : 'resumed, and won’t pause again';
    this.#isAbsent = true;
    if (this.#isHeld) this.#options.onAbandoned();
    else this.stepper.release();
    this.#isAbsent = false;
    attempt(() =>
      pageConsole.warn(
        `Platform DevTools: the run was paused, but no panel has responded for ${ABSENCE} s. The run was ${end}.`,
      ),
    );
  }
}

function errorText(thrown: unknown): string {
  const message = typeof thrown === 'object' && thrown !== null ? attempt(() => textOf(thrown, 'message')) : null;
  return cut(message ?? 'The expression threw a value that isn’t an Error.', MAX_ERROR);
}
