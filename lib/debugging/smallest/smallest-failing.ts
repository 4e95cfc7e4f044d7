/**
 * Finds the smallest payload with which a recorded run still fails in the same way. Functions aren’t called: they have
 * their recorded outcomes, which become as small as possible, too. These count only for what the functions got when they were
 * recorded. So some removals can’t be judged, and aren’t made.
 */
import type { PipelineError } from '../../pipeline/index.ts';
import { Yielding } from '../../pipeline/yielding.ts';
import type { ErrorValue, Result } from '../../platform-api/coded-error.ts';
import { truncate } from '../../shared/format.ts';
import type { Mock } from '../mocks/types.ts';
import type { RecordedStep, Recording } from '../recording/format.ts';
import type { RecordedValue } from '../recording/values.ts';
import type { Assumptions } from '../replay/assumptions.ts';
import { isComputed } from '../replay/inputs/own-packages.ts';
import { inputSentence, inputTexts } from '../replay/inputs/input-texts.ts';
import { RecordedInputs } from '../replay/inputs/recorded-inputs.ts';
import { replayVariant, replayWith, type Variant, type WhatIfEnd, type WhatIfRun } from '../replay/what-if.ts';
import { placeText } from '../replay/recorded-steps.ts';
import { type Part, Reduction } from './reduction.ts';

export interface SmallestOptions {
  /** Instead of recorded outcomes. */
  mocks?: readonly Mock[];
  /** Ends the search. What was found until then is the result. */
  signal?: AbortSignal;
  onProgress?: (progress: SmallestProgress) => void;
  /** Whether a smaller run fails in the same way. By default: at the same step, with the same code and message. */
  isSameFailure?: (failure: PipelineError, original: PipelineError) => boolean;
  /** Maximum number of replays. Default 5,000. */
  limit?: number;
}

export interface SmallestProgress {
  /** The number of replays so far. */
  tried: number;
  /** Characters of the payload and the recorded data at the start. */
  size: number;
  /** Characters of the smallest ones so far. */
  best: number;
}

export interface SmallestFailure extends SmallestProgress {
  /** Of the smallest failing run. */
  recording: Recording;
  payload: RecordedValue;
  error: PipelineError;
  /** Why the search ended: nothing is left to try, it was canceled, or it reached the limit of replays. */
  ended: 'complete' | 'canceled' | 'limit';
  /** The removals of the last passes of which it isn’t known whether the run would still fail. Null if there are none. */
  unjudged: Unjudged | null;
  /** What the smallest failing run takes for granted. */
  assumes: Assumptions;
}

export interface Unjudged {
  count: number;
  /** Where the first of these replays ended. */
  first: UnjudgedEnd;
}

export type UnjudgedEnd = Exclude<WhatIfEnd, { state: 'completed' | 'failed' | 'stopped' }>;

const LIMIT = 5_000;

/** Errors: `SMALLEST_NOT_FAILED`, `SMALLEST_EDITED`, `SMALLEST_NOT_REPEATED`. */
export async function smallestFailing(
  recording: Recording,
  options: SmallestOptions = {},
): Promise<Result<SmallestFailure>> {
  if (recording.end.state !== 'failed') return refuse(NOT_FAILED);
  if (recording.steps.some(isByHand)) return refuse(EDITED);
  const inputs = new RecordedInputs(recording);
  const first = await replayWith(recording, { mocks: options.mocks });
  const original = failureOf(first);
  const { path } = recording.end.error;
  if (!original || (path !== undefined && path !== original.path)) return refuse(notRepeated(first.end));
  if (!isRecordedError(recording, original)) return refuse(otherError(original.message));
  return { ok: true, value: await new Search(inputs, first, original, options).run() };
}

/** In a run with the payload, nobody edits, retries, or forces anything. */
const isByHand = ({ edited, attempts, replaced, late = [] }: RecordedStep): boolean =>
  edited !== undefined || attempts !== undefined || replaced === 'debugger' || late.some(({ by }) => by === 'edit');

/** A function fails as recorded. What fails otherwise does so in our engine, which can differ from the run’s. */
function isRecordedError({ steps, end }: Recording, { path, message }: PipelineError): boolean {
  const failed = steps.findLast((step) => step.path === path);
  return failed?.kind === 'function' || (end.state === 'failed' && end.error.message === message);
}

const failureOf = ({ end }: WhatIfRun): PipelineError | null => (end.state === 'failed' ? end.error : null);

class Search {
  readonly #options: SmallestOptions;
  readonly #original: PipelineError;
  readonly #reduction: Reduction;
  readonly #yielding = new Yielding();
  #run: WhatIfRun;
  readonly #size: number;
  readonly #inputs: RecordedInputs;
  readonly #unjudged = new Map<Part, Unjudged>();
  #part: Part = 'payload';
  #tried = 0;

  constructor(inputs: RecordedInputs, run: WhatIfRun, original: PipelineError, options: SmallestOptions) {
    this.#options = options;
    this.#original = original;
    this.#run = run;
    this.#inputs = inputs;
    this.#reduction = new Reduction(inputs.recording, {
      test: (candidate) => this.#test(candidate),
      isFixed: ({ name = '' }) => isComputed(name),
      onPass: (part) => {
        this.#part = part;
        this.#unjudged.delete(part);
      },
    });
    this.#size = this.#reduction.size;
  }

  async run(): Promise<SmallestFailure> {
    this.#report();
    let ended: SmallestFailure['ended'] = 'complete';
    try {
      await this.#reduction.run();
    } catch (thrown) {
      if (!(thrown instanceof SearchEnded)) throw thrown;
      ended = thrown.reason;
    }
    const { recording, assumes } = this.#run;
    const error = failureOf(this.#run)!;
    const unjudged = this.#allUnjudged();
    return { ...this.#progress(), recording, payload: recording.payload, error, ended, unjudged, assumes };
  }

  #allUnjudged(): Unjudged | null {
    const all = [...this.#unjudged.values()];
    const count = all.reduce((sum, one) => sum + one.count, 0);
    return all[0] ? { count, first: all[0].first } : null;
  }

  #progress(): SmallestProgress {
    return { tried: this.#tried, size: this.#size, best: this.#reduction.size };
  }

  #report(): void {
    this.#options.onProgress?.(this.#progress());
  }

  async #test(candidate: Variant): Promise<boolean> {
    const { signal, limit = LIMIT, mocks, isSameFailure = isSame } = this.#options;
    if (this.#yielding.isDue()) {
      this.#report();
      await this.#yielding.yield();
    }
    if (signal?.aborted) throw new SearchEnded('canceled');
    if (this.#tried >= limit) throw new SearchEnded('limit');
    this.#tried++;
    const run = await replayVariant(candidate, this.#inputs, mocks ?? [], { ...(signal && { signal }) });
    this.#judge(run.end);
    const failure = failureOf(run);
    if (!failure || !isSameFailure(failure, this.#original)) return false;
    this.#run = run;
    return true;
  }

  #judge(end: WhatIfEnd): void {
    if (end.state === 'completed' || end.state === 'failed' || end.state === 'stopped') return;
    const known = this.#unjudged.get(this.#part);
    this.#unjudged.set(this.#part, { count: (known?.count ?? 0) + 1, first: known?.first ?? end });
  }
}

class SearchEnded extends Error {
  readonly reason: 'canceled' | 'limit';
  constructor(reason: 'canceled' | 'limit') {
    super('The search has ended.');
    this.reason = reason;
  }
}

const isSame = (failure: PipelineError, original: PipelineError): boolean =>
  failure.code === original.code && failure.path === original.path && failure.message === original.message;

const refuse = (error: ErrorValue): Result<never> => ({ ok: false, error });

const NOT_FAILED: ErrorValue = {
  code: 'SMALLEST_NOT_FAILED',
  message: 'Couldn’t look for a smaller payload: the run didn’t fail.',
  hint: 'Choose a run that failed.',
};

const EDITED: ErrorValue = {
  code: 'SMALLEST_EDITED',
  message: 'Couldn’t look for a smaller payload: the run was edited, retried, or forced in a pause.',
  hint: 'Run the action with the edited values in its payload, then try again.',
};

const otherError = (message: string): ErrorValue => ({
  code: 'SMALLEST_NOT_REPEATED',
  message: `Couldn’t look for a smaller payload: when the run is replayed, it fails with another error: ${truncate(message, 300)}`,
  hint: 'Run the action with Our engine, then try again with that run.',
});

const notRepeated = (end: WhatIfEnd): ErrorValue => ({
  code: 'SMALLEST_NOT_REPEATED',
  message: `Couldn’t look for a smaller payload: it doesn’t fail in the same way when it’s replayed. ${endText(end)}`,
  hint: 'Choose other mocks, or none, so that the replay fails at the same step.',
});

function endText(end: WhatIfEnd): string {
  switch (end.state) {
    case 'failed':
      return `The replay fails at ${placeText({ path: end.error.path ?? 'the start', iteration: end.error.iteration ?? [] })}.`;
    case 'no-outcome':
      return `The recording has no outcome for ${end.package} at ${placeText(end)}.`;
    case 'other-input':
      return `${end.package} at ${placeText(end)} would get other input. ${inputSentence(inputTexts(end.difference))}`;
    case 'unknown':
      return end.cause.message;
    case 'misfit':
      return `A recorded change at ${placeText(end)} doesn’t fit the context.`;
    default:
      return `The replay ${end.state === 'completed' ? 'completes' : 'is stopped'}.`;
  }
}
