/** Explains recorded runs: why each `if` took its branch, and why the run failed. */
import { listSteps, withNested } from '../../debugging/pipelines/steps.ts';
import type { RecordedStep, Recording } from '../../debugging/recording/format.ts';
import { LostValueError, type RecordedValue } from '../../debugging/recording/values.ts';
import { textOfSegments } from '../../debugging/why/inline-text.ts';
import type { ExplainedRow } from '../../debugging/why/explain-tree.ts';
import type { ConditionWhy } from '../../debugging/why/why-condition.ts';
import { type StepWhy, whyOf } from '../../debugging/why/why-of.ts';
import { CodedError } from '../../platform-api/coded-error.ts';
import { CANCELED } from './replay.ts';
import { type Branch, branchOf, endOf, recordedValue, type RunEnd, type StepPlace } from './recordings.ts';

export interface ExplainArgs {
  /** Explains only this step, with the values of each part. Of a step that isn’t an `if`, those around it. */
  step?: string | undefined;
  /** Only this iteration of the loops around the step. The outer ones are enough. */
  iteration?: readonly number[] | undefined;
}

/** Why an `if` took its branch in one iteration. */
export interface ExplainedStep extends StepPlace {
  /** Absent if a condition failed. */
  branch?: Branch;
  /** `forced`: a mock or the debugger chose the branch. `unknown`: the recording doesn’t have what the conditions read. */
  state: 'evaluated' | 'forced' | 'unknown';
  /** What forced it, or why it’s unknown. */
  why?: string;
  /** Each condition up to the one that decided. */
  conditions: ExplainedCondition[];
}

export interface ExplainedCondition {
  state: ConditionWhy['state'];
  /** Absent for a function. */
  source?: string;
  /** The condition on one line, with the values that it saw. */
  text?: string;
  /** Why it failed, and properties that it read and that are absent, with what was probably meant. */
  hints: string[];
  /** Only for one step. From the outside in. */
  parts?: ExplainedPart[];
}

export interface ExplainedPart {
  level: number;
  text: string;
  state: ExplainedRow['state'];
  /** Absent unless it was evaluated. Long values are cut. */
  value?: RecordedValue;
  /** Why it wasn’t evaluated, or why it failed. */
  why?: string;
}

export interface Explained {
  end: RunEnd;
  /** Why the run failed: the hint of the failed condition, or else the error’s message. Null if it didn’t fail. */
  failure: string | null;
  /** The `if` steps, in the order in which they ran. */
  steps: ExplainedStep[];
  /** Only for one step: whether it ran at all. Null if the recording ends before. */
  ran?: boolean | null;
}

/** Maximum size of a value of a part, in characters. */
const VALUE_LIMIT = 2_000;

/** @throws CodedError `STEP_NOT_FOUND`, `ABORTED` */
export async function explainRecording(
  recording: Recording,
  args: ExplainArgs = {},
  { signal }: { signal?: AbortSignal | undefined } = {},
): Promise<Explained> {
  const { step, iteration = [] } = args;
  const paths = step === undefined ? null : ifsFor(recording, step);
  const indexes = indexesOf(recording, paths, iteration);
  const failed = failedIf(recording);
  const asked = failed === null ? indexes : [...indexes, failed];
  const keep = paths ? keepValue : (): undefined => undefined;
  const found = await whyOf(recording, asked, { keep, signal }).catch((error: unknown) => {
    throw signal?.aborted ? CANCELED : error;
  });
  const explained = (index: number): ExplainedStep =>
    explainedStep(recording.steps, index, found.get(index), paths !== null);
  return {
    end: endOf(recording.end),
    failure: failureText(recording, failed === null ? null : explained(failed)),
    steps: indexes.map(explained),
    ...(step !== undefined && { ran: hasRun(recording, step, iteration) }),
  };
}

function hasRun({ steps, end }: Recording, path: string, iteration: readonly number[]): boolean | null {
  if (steps.some((one) => one.path === path && isIn(one, iteration))) return true;
  return end.state === 'interrupted' ? null : false;
}

/** The step itself if it’s an `if`, or else all around it. */
function ifsFor({ pipeline }: Recording, path: string): Set<string> {
  const steps = withNested(listSteps(pipeline));
  const found = steps.find((one) => one.path === path);
  if (!found)
    throw new CodedError({
      code: 'STEP_NOT_FOUND',
      message: `Couldn’t explain ${path}: the recorded pipeline has no step there.`,
      hint: 'Try explain without --step to see the paths of all if steps.',
    });
  if (found.kind === 'if') return new Set([path]);
  return new Set(steps.filter((one) => one.kind === 'if' && path.startsWith(`${one.path}/`)).map((one) => one.path));
}

function indexesOf({ steps }: Recording, paths: Set<string> | null, iteration: readonly number[]): number[] {
  return steps.flatMap((step, index) =>
    step.kind === 'if' && (paths?.has(step.path) ?? true) && isIn(step, iteration) ? [index] : [],
  );
}

/** Whether a step ran in these iterations, as far as both have some. */
const isIn = ({ iteration = [] }: RecordedStep, wanted: readonly number[]): boolean =>
  iteration.every((nth, level) => wanted[level] === undefined || nth === wanted[level]);

/** The index of the `if` that the run failed at, in one of its conditions. */
function failedIf({ steps, end }: Recording): number | null {
  if (end.state !== 'failed' || end.error.path === undefined) return null;
  const { path, iteration = [] } = end.error;
  const at = steps.findLastIndex((one) => one.path === path && String(one.iteration ?? []) === String(iteration));
  return at >= 0 && steps[at]!.kind === 'if' ? at : null;
}

function failureText({ end }: Recording, failed: ExplainedStep | null): string | null {
  if (end.state !== 'failed') return null;
  return failed?.conditions.findLast(({ state }) => state === 'failed')?.hints[0] ?? end.error.message;
}

function explainedStep(
  steps: readonly RecordedStep[],
  index: number,
  why: StepWhy | undefined,
  hasParts: boolean,
): ExplainedStep {
  const { path, iteration = [] } = steps[index]!;
  const branch = branchOf(steps, index);
  const place = { path, iteration, ...(branch !== undefined && { branch }) };
  if (why?.state === 'evaluated') {
    const conditions = why.conditions.map((condition) => explainedCondition(condition, hasParts));
    return { ...place, state: 'evaluated', conditions };
  }
  if (why?.state === 'forced') return { ...place, state: 'forced', why: why.by, conditions: [] };
  return { ...place, state: 'unknown', why: why?.why ?? 'The recording doesn’t have this step.', conditions: [] };
}

function explainedCondition(why: ConditionWhy, hasParts: boolean): ExplainedCondition {
  if (why.state === 'function') return { state: 'function', hints: [] };
  if (why.state === 'invalid') return { state: 'invalid', source: why.source, hints: [why.message] };
  const { state, source, segments, rows, failed, hints } = why;
  const texts = [...(failed ? [failed.message] : []), ...hints.map(({ message }) => message)];
  return {
    state,
    source,
    text: textOfSegments(segments),
    hints: [...new Set(texts)],
    ...(hasParts && { parts: rows.map(explainedPart) }),
  };
}

function explainedPart({ level, text, state, value, reason, error }: ExplainedRow): ExplainedPart {
  const why = reason ?? error;
  return {
    level,
    text,
    state,
    ...(state === 'evaluated' && { value: value as RecordedValue }),
    ...(why !== undefined && { why }),
  };
}

/** As it is now: the replay continues and changes it. */
function keepValue(value: unknown): RecordedValue {
  try {
    return recordedValue(value, VALUE_LIMIT);
  } catch (thrown) {
    if (thrown instanceof LostValueError) return recordedValue(undefined);
    throw thrown;
  }
}
