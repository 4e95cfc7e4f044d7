/** Records a run of our engine, in a page, on a server, or in a test. */
import type { ConditionSources, Observer, PipelineError, StepInfo, StepOutcome } from '../../pipeline/index.ts';
import { ContextChanges } from './context-changes.ts';
import {
  type LateChanges,
  type RecordedAction,
  type RecordedEnd,
  type RecordedError,
  type RecordedStep,
  type Recording,
  RECORDING_FORMAT,
  RECORDING_VERSION,
  type RecordedLine,
  type StepEnd,
} from './format.ts';
import { RecordedLog, type RequestEnd, type RequestStart } from './recorded-log.ts';
import { StepLog } from './step-log.ts';
import { type Budget, lost, type RecordedValue, writeValue } from './values.ts';

/** In characters of JSON, more or less. */
export const RECORDING_LIMIT = 32 * 1024 * 1024;

/** Characters of a step without its values, about. */
const STEP_LENGTH = 120;

export interface RecorderOptions {
  pipeline: unknown;
  payload: Readonly<Record<string, unknown>>;
  engine: Recording['engine'];
  action?: RecordedAction;
  /** In characters of JSON. Values beyond it are lost. */
  limit?: number;
  /** Ends the recording at the limit, as interrupted. The recorder then needs no more memory or time. */
  endsAtLimit?: boolean;
  now?: () => number;
  /** What conditions read. By default, the system’s. */
  sources?: ConditionSources;
}

/** How a run ended. Interrupted: by what runs it, such as at a time limit. */
export type RunEnd = { result: unknown } | { error: unknown } | { stopped: true } | { interrupted: true };

interface OpenStep {
  info: StepInfo;
  step: RecordedStep;
  index: number;
  /** In microseconds. */
  at: number;
  /** Whether its function is still running, so that changes are its own. */
  isCalling: boolean;
  /** What changed after it had failed, while it can still be retried. */
  edits: LateChanges[];
}

export class RunRecorder {
  readonly #options: RecorderOptions;
  readonly #time: () => number;
  readonly #budget: Budget;
  readonly #startedAt: number;
  readonly #start: number;
  readonly #pipeline: RecordedValue;
  readonly #payload: RecordedValue;
  readonly #steps = new StepLog();
  readonly #open: OpenStep[] = [];
  readonly #log = new RecordedLog();
  #changes: ContextChanges | null = null;
  /** What the user has changed before the next step. */
  #edits: LateChanges[] = [];
  /** When the last step ended, in microseconds. The steps around it that end with it end at once. */
  #lastEnd: number | null = null;
  /** When the recording ended at its limit, in microseconds since the start. */
  #endedAt: number | null = null;

  constructor(options: RecorderOptions) {
    this.#options = options;
    this.#time = options.now ?? (() => performance.now());
    this.#budget = { left: options.limit ?? RECORDING_LIMIT, lost: 0, isFinal: options.endsAtLimit === true };
    this.#startedAt = Date.now();
    this.#start = this.#time();
    this.#pipeline = writeValue(options.pipeline, this.#budget);
    this.#payload = writeValue(options.payload, this.#budget);
  }

  /** Pass it to the run. */
  readonly observer: Observer = {
    before: (info) => {
      if (this.#endedAt !== null) return;
      this.#before(info);
      this.#endAtLimit();
    },
    after: (info, outcome) => {
      if (this.#endedAt !== null) return;
      this.#after(info, outcome);
      this.#endAtLimit();
    },
  };

  /** Pass them to the run, so that conditions can be replayed with the same times and random numbers. */
  readonly sources: ConditionSources = {
    now: () => this.#read('now', (this.#options.sources?.now ?? Date.now)()),
    random: () => this.#read('random', (this.#options.sources?.random ?? Math.random)()),
  };

  /** The user is about to edit the context: before this step, or after it has failed. Call `edited` then. */
  editing(info: StepInfo): void {
    if (this.#endedAt !== null) return;
    this.#changes ??= new ContextChanges(info.context, this.#budget);
    const open = this.#open.at(-1);
    if (open?.info === info) return this.#look(open.edits, { attempt: attemptOf(open) });
    if (open?.isCalling) return this.#called(open);
    this.#changes.skipLoopNames();
    this.#look(this.#edits);
  }

  edited(info: StepInfo): void {
    if (this.#endedAt !== null) return;
    const open = this.#open.at(-1);
    if (open?.info === info) this.#look(open.edits, { by: 'edit', attempt: attemptOf(open) });
    else this.#look(this.#edits, { by: 'edit' });
  }

  /** A failed step runs again. */
  retried(info: StepInfo, error: PipelineError): void {
    const open = this.#open.at(-1);
    if (this.#endedAt !== null || open?.info !== info) return;
    const { step, edits } = open;
    this.#look(edits, { attempt: attemptOf(open) });
    this.#keepEdits(open);
    (step.attempts ??= []).push(recordError(info.kind === 'function' ? error.cause : error, this.#budget));
    // What its conditions read was the failed attempt’s.
    delete step.now;
    delete step.random;
  }

  console(level: RecordedLine['level'], args: readonly unknown[]): void {
    if (this.#endedAt === null) this.#log.line(this.#elapsed(), this.#open.at(-1)?.index, level, args);
  }

  /** @param id identifies the request in the later call of `requestEnded` */
  requestStarted(id: number, request: RequestStart): void {
    if (this.#endedAt === null) this.#log.requestStarted(id, this.#elapsed(), this.#open.at(-1)?.index, request);
  }

  /** Can be called again if the body becomes known later. */
  requestEnded(id: number, end: RequestEnd): void {
    if (this.#endedAt === null) this.#log.requestEnded(id, this.#elapsed(), end);
  }

  /** The run has ended. Returns what builds the recording, which takes time and can wait. */
  end(end: RunEnd): () => Recording {
    const ended = this.#endedAt === null ? this.#endOf(end) : { state: 'interrupted' as const };
    this.#addUnseen();
    const milliseconds = (this.#endedAt ?? this.#microseconds()) / 1_000;
    return () => this.#build(ended, milliseconds);
  }

  /** The recording, once the run has ended. */
  finish(end: RunEnd): Recording {
    return this.end(end)();
  }

  #build(end: RecordedEnd, milliseconds: number): Recording {
    const { engine, action } = this.#options;
    return {
      format: RECORDING_FORMAT,
      version: RECORDING_VERSION,
      startedAt: new Date(this.#startedAt).toISOString(),
      milliseconds,
      engine,
      ...(action && { action }),
      pipeline: this.#pipeline,
      payload: this.#payload,
      steps: this.#steps.steps(),
      end,
      ...this.#log.finish(),
      lost: this.#budget.lost,
    };
  }

  #endOf(end: RunEnd): RecordedEnd {
    if ('result' in end) return { state: 'completed', result: writeValue(end.result, this.#budget) };
    if ('error' in end) return { state: 'failed', error: recordError(end.error, this.#budget) };
    return { state: 'stopped' in end ? 'stopped' : 'interrupted' };
  }

  /** What no step has found since it changed. It’s lost, because the last step can have changed it, too. */
  #addUnseen(): void {
    const step = this.#steps.last;
    if (!step || !this.#changes) return;
    const { paths, since } = this.#changes.unseen(this.#lastStep);
    if (paths.length === 0) return;
    addLate(step, { changes: paths.map((path) => [path, lost('time-unknown')]), since });
    this.#budget.lost += paths.length;
  }

  #microseconds(): number {
    return Math.round((this.#time() - this.#start) * 1_000);
  }

  /** Milliseconds since the start, with microseconds. */
  #elapsed(): number {
    return this.#microseconds() / 1_000;
  }

  #endAtLimit(): void {
    if (!this.#budget.isFinal || this.#budget.left >= 0) return;
    this.#endedAt = this.#microseconds();
    for (const open of this.#open) endStep(open, this.#endedAt, 'stopped');
    this.#open.length = 0;
    this.#changes = null;
  }

  #before(info: StepInfo): void {
    const at = this.#microseconds();
    this.#lastEnd = null;
    this.#changes ??= new ContextChanges(info.context, this.#budget);
    const outer = this.#open.at(-1);
    const isNested = outer?.isCalling === true;
    // A step within another one that had failed: that one got another outcome.
    if (outer) this.#keepEdits(outer);
    if (isNested) this.#called(outer);
    const index = this.#steps.length;
    const step = this.#steps.add(info, at / 1_000);
    for (const edit of this.#edits.splice(0)) addLate(step, edit);
    if (!isNested) this.#late(step, this.#changes);
    if (this.#budget.isFinal) this.#budget.left -= STEP_LENGTH + info.path.length;
    this.#open.push({ info, step, index, at, isCalling: info.kind === 'function', edits: [] });
  }

  #after(info: StepInfo, outcome: StepOutcome): void {
    const open = this.#open.pop();
    if (open?.info !== info) return;
    const { step, isCalling } = open;
    if (open.edits.length > 0) this.#endEdits(open, outcome);
    if (open.isCalling) this.#called(open);
    endStep(open, (this.#lastEnd ??= this.#microseconds()), outcome.state);
    this.#ended(step, outcome, isCalling);
  }

  /** @param isCalling whether its function was still running */
  #ended(step: RecordedStep, outcome: StepOutcome, isCalling: boolean): void {
    const { replaced } = outcome;
    const branch = outcome.state === 'skipped' ? undefined : outcome.branch;
    if (replaced !== undefined) step.replaced = replaced;
    if (branch !== undefined) step.branch = branch;
    if (outcome.state === 'failed') {
      const isOwn = isCalling || (replaced !== undefined && branch === undefined);
      if (isOwn) step.error = recordError(outcome.error.cause, this.#budget);
      return;
    }
    if (outcome.state !== 'completed') return;
    const { value, iterations } = outcome;
    if (value !== undefined) this.#returned(step, value);
    if (iterations !== undefined) step.iterations = iterations;
  }

  #returned(step: RecordedStep, value: unknown): void {
    const changes = this.#changes!;
    let isShared = false;
    step.value = writeValue(value, this.#budget, undefined, (object) => (isShared ||= changes.has(object)));
    if (!isShared) return;
    // A loop inside of the step can have restored them since.
    changes.skipLoopNames();
    const shared = changes.sharedIn(value);
    if (shared.length > 0) step.shared = shared;
  }

  /** Notes what has changed since the last look. */
  #look(noted: LateChanges[], origin: Omit<LateChanges, 'changes' | 'since'> = {}): void {
    const { changes, late, since } = this.#changes!.look(this.#lastStep, 'whole');
    if (late.length > 0) noted.push({ changes: late, since });
    if (changes.length > 0) noted.push({ changes, ...origin });
  }

  /** A failure doesn’t depend on what was edited since. An outcome that was chosen instead follows it. */
  #endEdits(open: OpenStep, { replaced }: StepOutcome): void {
    if (replaced !== undefined) return this.#keepEdits(open);
    // Nothing runs after an if or a loop has failed.
    if (!open.isCalling) return;
    this.#called(open);
    addEdits(open.step, open.edits);
  }

  /** What was edited since a step failed is from before its outcome. */
  #keepEdits({ step, edits }: OpenStep): void {
    for (const edit of edits.splice(0)) addLate(step, edit);
  }

  /** Records what a function has changed, once it has ended. */
  #called(open: OpenStep): void {
    open.isCalling = false;
    const { changes, late, since } = this.#changes!.look(this.#lastStep, 'exact');
    if (changes.length > 0) open.step.changes = changes;
    if (late.length > 0) addLate(open.step, { changes: late, since });
  }

  /** Records what has changed since the last step, other than the engine's own names. */
  #late(step: RecordedStep, tracker: ContextChanges): void {
    tracker.skipLoopNames();
    const { changes, late, since } = tracker.look(this.#lastStep, 'due');
    if (changes.length > 0) addLate(step, { changes });
    if (late.length > 0) addLate(step, { changes: late, since });
  }

  /** Index of the last step that has started. */
  get #lastStep(): number {
    return Math.max(0, this.#steps.length - 1);
  }

  /** Notes a value that a condition of the innermost `if` has read. */
  #read(kind: 'now' | 'random', value: number): number {
    const open = this.#open.at(-1);
    if (open?.info.kind === 'if') (open.step[kind] ??= []).push(value);
    return value;
  }
}

function addLate(step: RecordedStep, late: LateChanges): void {
  (step.late ??= []).push(late);
}

/** What changed after a function had failed for good, and before its other changes that are known by now. */
export function addEdits(step: RecordedStep, late: readonly LateChanges[]): void {
  const before = late.flatMap(({ changes, by }) => changes.map((change) => ({ change, by })));
  const changes = [...before.map(({ change }) => change), ...(step.changes ?? [])];
  const edited = before.flatMap(({ by }, nth) => (by === 'edit' ? [nth] : []));
  if (changes.length > 0) step.changes = changes;
  if (edited.length > 0) step.edited = edited;
}

/** The number of the attempt that has failed. */
const attemptOf = ({ step: { attempts = [] } }: OpenStep): number => attempts.length + 1;

/** @param at in microseconds: whole numbers have no rounding errors */
function endStep(open: OpenStep, at: number, state: StepEnd): void {
  open.step.milliseconds = (at - open.at) / 1_000;
  open.step.state = state;
}

/** Records what was thrown. */
export function recordError(thrown: unknown, budget: Budget): RecordedError {
  if (!(thrown instanceof Error)) return { name: '', message: '', thrown: writeValue(thrown, budget) };
  const { name, message } = thrown;
  const { code, path, iteration } = thrown as { code?: unknown; path?: unknown; iteration?: unknown };
  return {
    name: String(name),
    message: String(message),
    ...(typeof code === 'string' && { code }),
    ...(typeof path === 'string' && { path }),
    ...(Array.isArray(iteration) && { iteration: iteration.map(Number) }),
  };
}
