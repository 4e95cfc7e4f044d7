/** Follows a run in a page until it ends: its steps, its end, and what keeps it from being followed. */
import { recordedOf } from '../../extension/inspector/run/recorded-of.ts';
import type { AgentEvent, InspectorEvent, RunInspector } from '../../extension/inspector/index.ts';
import type { RecordedStep } from '../../debugging/recording/format.ts';
import { CodedError } from '../../platform-api/coded-error.ts';
import type { ErrorValue } from '../../platform-api/errors.ts';
import { plural } from '../../shared/format.ts';

type EventOf<K extends AgentEvent['kind']> = Extract<AgentEvent, { kind: K }>;

/** A step as it’s known without a recording. */
export interface FollowedStep extends Pick<
  RecordedStep,
  'kind' | 'iteration' | 'name' | 'at' | 'milliseconds' | 'value' | 'branch' | 'iterations' | 'replaced'
> {
  /** Absent if the runtime doesn’t report it. */
  path?: string;
  state: RecordedStep['state'] | 'interrupted';
  /** What went wrong. */
  error?: string;
}

export interface Followed {
  steps: FollowedStep[];
  /** Events that the page had to drop, or that couldn’t be read. */
  missing: number;
  /** Null if the page was left, or didn’t respond anymore, so that it isn’t known how the run ended. */
  end: EventOf<'run-ended'> | null;
  /** Why there is no end, or why the run was stopped. */
  reason: ErrorValue | null;
}

export interface FollowOptions {
  /** Called as steps end. */
  onStep?: ((step: FollowedStep) => void) | undefined;
}

/** Create it before the run starts. */
export class FollowedRun {
  /** Resolves with the end, or with why there is none. */
  readonly ended: Promise<Pick<Followed, 'end' | 'reason'>>;
  readonly #steps = new Map<number, FollowedStep>();
  readonly #onStep: FollowOptions['onStep'];
  readonly #stop: () => void;
  readonly #settle: (value: Pick<Followed, 'end' | 'reason'>) => void;
  #missing = 0;

  constructor(inspector: Pick<RunInspector, 'subscribe'>, { onStep }: FollowOptions = {}) {
    const { promise, resolve } = Promise.withResolvers<Pick<Followed, 'end' | 'reason'>>();
    this.ended = promise;
    this.#settle = resolve;
    this.#onStep = onStep;
    this.#stop = inspector.subscribe((event) => this.#onEvent(event));
  }

  /** What is known of the run. @param outcome how it ended */
  finish(outcome: Pick<Followed, 'end' | 'reason'>): Followed {
    this.#stop();
    const steps = [...this.#steps.values()];
    return { ...outcome, steps, missing: this.#missing };
  }

  #onEvent(event: InspectorEvent): void {
    switch (event.kind) {
      case 'step-started':
        return void this.#steps.set(event.step, startedStep(event));
      case 'step-ended':
        return this.#endStep(event);
      case 'run-ended':
        return this.#settle({ end: event, reason: null });
      case 'run-lost':
        return this.#settle({ end: null, reason: lostBy(event.reason) });
      case 'events-dropped':
        this.#missing += event.count;
    }
  }

  #endStep(event: EventOf<'step-ended'>): void {
    const step = this.#steps.get(event.step);
    if (!step) return;
    const { state, at, value, error, branch, iterations, replaced } = event;
    Object.assign(step, {
      state,
      milliseconds: Math.max(0, at - step.at),
      ...(value && { value: recordedOf(value) }),
      ...(error && { error: error.errorMessage }),
      ...(branch !== undefined && { branch }),
      ...(iterations !== undefined && { iterations }),
      ...(replaced !== undefined && { replaced }),
    });
    this.#onStep?.(step);
  }
}

function startedStep({ path, iteration, stepKind, name, at }: EventOf<'step-started'>): FollowedStep {
  return {
    kind: stepKind,
    ...(path !== null && { path }),
    ...(iteration.length > 0 && { iteration }),
    ...(stepKind === 'function' && { name }),
    at,
    milliseconds: 0,
    state: 'interrupted',
  };
}

const lostBy = (reason: 'reload' | 'navigation'): ErrorValue => ({
  code: 'RUN_LOST',
  message: `Couldn’t follow the run to its end: the page ${reason === 'reload' ? 'was reloaded' : 'went to another page'}.`,
  hint: 'Check what the action has done before you run it again.',
});

/** How long the page may take to stop a run, in milliseconds. A page that is busy doesn’t respond. */
const STOP_LIMIT = 2_000;

export interface WaitOptions {
  /** In milliseconds. */
  timeout: number;
  signal: AbortSignal;
  /** Rejects when the page is gone. */
  lost: Promise<never>;
}

/**
 * Waits for the end of the run, and stops it in the page after the time limit.
 * @throws CodedError `ABORTED` because of the signal, once the run has ended or can’t be stopped
 */
export async function untilEnd(
  run: FollowedRun,
  inspector: Pick<RunInspector, 'stop'>,
  { timeout, signal, lost }: WaitOptions,
): Promise<Followed> {
  const gone = lost.catch((error: unknown) => {
    if (error instanceof CodedError) return { end: null, reason: error.value };
    throw error;
  });
  const { promise: limit, resolve } = Promise.withResolvers<'late' | 'canceled'>();
  const timer = setTimeout(() => resolve('late'), timeout);
  const cancel = (): void => resolve('canceled');
  signal.addEventListener('abort', cancel, { once: true });
  if (signal.aborted) cancel();
  try {
    const first = await Promise.race([run.ended, gone, limit]);
    if (typeof first !== 'string') return run.finish(first);
    const stopped = await Promise.race([stopIn(run, inspector), gone, nothingWithin(STOP_LIMIT)]);
    if (first === 'canceled') throw canceled(stopped);
    // It can end in another way before it’s stopped.
    if (stopped && stopped.end?.state !== 'stopped') return run.finish(stopped);
    return run.finish({ end: stopped?.end ?? null, reason: stopped ? overdue(timeout) : UNSTOPPED });
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', cancel);
  }
}

const UNSTOPPED: ErrorValue = {
  code: 'TIMEOUT',
  message: 'Couldn’t confirm whether the run stopped: its page didn’t respond, and was closed.',
  hint: 'Check what the action has done before you run it again.',
};

function canceled(stopped: Pick<Followed, 'end' | 'reason'> | null): CodedError {
  const { end, reason } = stopped ?? { end: null, reason: UNSTOPPED };
  if (!end) return new CodedError({ ...(reason ?? UNSTOPPED), code: 'ABORTED' });
  const message =
    end.state === 'stopped'
      ? 'The run was stopped. What its functions have done isn’t undone.'
      : `The run ${end.state} before it was stopped.`;
  return new CodedError({ code: 'ABORTED', message });
}

async function stopIn(run: FollowedRun, inspector: Pick<RunInspector, 'stop'>): FollowedRun['ended'] {
  await inspector.stop();
  return run.ended;
}

const nothingWithin = (milliseconds: number): Promise<null> =>
  new Promise((resolve) => void setTimeout(() => resolve(null), milliseconds).unref());

const overdue = (timeout: number): ErrorValue => ({
  code: 'TIMEOUT',
  message: `The action was stopped: it didn’t end within ${plural(Math.round(timeout / 1000), 'second')}.`,
  hint: 'Check the last step, or set a longer --timeout.',
});
