/** Gives the steps of the code’s run the ends that they had in V2, as far as the code has ended them like that. */
import type { RecordedChange } from '../../debugging/recording/context-changes.ts';
import type { RecordedStep, Recording } from '../../debugging/recording/format.ts';
import { recordError, RECORDING_LIMIT } from '../../debugging/recording/recorder.ts';
import { branchTo } from '../../debugging/replay/recorded-steps.ts';
import { isInside } from '../../debugging/replay/walk.ts';
import type { Context } from '../../pipeline/types.ts';
import type { Call } from './expected-calls.ts';

/** How the code’s run ended. */
export type CodeEnd = { result: unknown } | { error: unknown };

export interface CodeStep {
  /** With its place, its time, and what the code has changed. */
  step: RecordedStep;
  /** The same step in V2. Null if V2 didn’t run it then. */
  recorded: RecordedStep | null;
  /** Whether the run was stopped in it. */
  isOpen: boolean;
}

/** Sees the code’s run: each step that it starts, and its end, if it gets there. */
export interface CodeObserver {
  /** @param recorded null if V2 didn’t run this step next */
  started(path: string, recorded: RecordedStep | null, data: Context | undefined): void;
  /** The last step, whose calls are known now. Null if they aren’t. */
  called(expected: Call[] | null, made: Call[]): void;
  ended(end: CodeEnd): void;
}

/** A step that ended as in V2. */
export function likeRecorded({ step, recorded }: CodeStep): RecordedStep {
  const { changes: _changes, late: _late, attempts: _attempts, ...end } = recorded ?? step;
  const { kind, path, late } = step;
  const changes = ownChanges(step, recorded);
  return { ...end, kind, path, ...(changes.length > 0 && { changes }), ...(late && { late }) };
}

/** What the code has changed. Loops set their names before the next step is known, so these are V2’s. */
function ownChanges({ changes = [] }: RecordedStep, recorded: RecordedStep | null): RecordedChange[] {
  return [
    ...changes.filter(([path]) => !LOOP_NAMES.has(path)),
    ...(recorded?.changes ?? []).filter(([path]) => LOOP_NAMES.has(path)),
  ];
}

const LOOP_NAMES: ReadonlySet<string> = new Set(['/currentItem', '/currentIndex']);

/** @param end null if the code’s run was stopped at a difference */
export function endedSteps(run: readonly CodeStep[], { steps }: Recording, end: CodeEnd | null): RecordedStep[] {
  const last = run.findLastIndex(({ recorded }) => recorded !== null);
  // What V2 ran next, and the code didn’t.
  const missed = steps[last + 1];
  const failed = end && 'error' in end ? run[last]?.step : undefined;
  return run.map((each, index) => {
    const { step, recorded, isOpen } = each;
    const nested = (): RecordedStep[] =>
      run.slice(index + 1).flatMap((one) => (isInside(one.step, step) ? one.step : []));
    if (isOpen || !recorded) return opened(step, nested(), isOpen ? 'stopped' : 'completed');
    if (failed && (step === failed || isInside(failed, step))) return failedStep(step, step === failed ? end : null);
    const ended = likeRecorded(each);
    if (missed && isInside(missed, recorded)) return endedEarly(ended, nested());
    if (ended.state !== 'failed') return ended;
    const { error: _error, ...completed } = ended;
    return { ...completed, state: 'completed' };
  });
}

function opened(step: RecordedStep, nested: readonly RecordedStep[], state: 'completed' | 'stopped'): RecordedStep {
  const [first] = nested;
  const branch = step.kind === 'if' && first ? { branch: branchTo(first.path, step.path) } : {};
  return { ...step, milliseconds: 0, state, ...branch };
}

function failedStep(step: RecordedStep, end: CodeEnd | null): RecordedStep {
  const isOwn = end && 'error' in end;
  return {
    ...step,
    state: 'failed',
    ...(isOwn && { error: recordError(end.error, { left: RECORDING_LIMIT, lost: 0 }) }),
  };
}

/** A step whose nested steps, or the rest of them, the code didn’t run. */
function endedEarly(step: RecordedStep, nested: readonly RecordedStep[]): RecordedStep {
  const { error: _error, iterations: _iterations, branch, ...ended } = step;
  if (step.kind === 'function') return { ...ended, state: nested.length > 0 ? 'completed' : 'skipped' };
  if (step.kind === 'if') return { ...ended, state: 'completed', branch: nested.length > 0 ? (branch ?? null) : null };
  const depth = step.iteration?.length ?? 0;
  const iterations = nested.length > 0 ? (nested.at(-1)?.iteration?.[depth] ?? 0) + 1 : 0;
  return { ...ended, state: 'completed', iterations };
}
