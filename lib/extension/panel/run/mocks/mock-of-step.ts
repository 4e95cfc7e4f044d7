/** Makes a mock of what a step of a past run did: from its recording, or from its trace, which can lack values. */
import { itemChanges } from '../../../../debugging/mocks/item-paths.ts';
import { mockOf } from '../../../../debugging/mocks/mock-of.ts';
import type { Mock, MockOutcome } from '../../../../debugging/mocks/types.ts';
import type { RecordedChange } from '../../../../debugging/recording/context-changes.ts';
import type { Recording } from '../../../../debugging/recording/format.ts';
import type { RecordedValue } from '../../../../debugging/recording/values.ts';
import type { RemoteError } from '../../../inspector/contract.ts';
import type { Trace, TraceStep } from '../trace.ts';
import { recordedIndex } from '../why/recorded-index.ts';
import { countLost, recordedOf } from '../../../inspector/run/recorded-of.ts';

export interface MadeMock {
  mock: Mock;
  /** The number of values that aren't known in whole. */
  lost: number;
}

/**
 * @param recording the run's recording; null if there's none
 * @param pipeline the run's pipeline; null if it's unknown
 */
export function mockOfStep(recording: Recording | null, trace: Trace, step: TraceStep, pipeline: unknown): MadeMock {
  const index = recording ? recordedIndex(recording, step) : undefined;
  const mock = recording && index !== undefined ? mockOf(recording, index) : mockOfTrace(trace, step, pipeline);
  const { outcome, changes = [] } = mock;
  const value = outcome && 'value' in outcome ? outcome.value : undefined;
  return { mock, lost: changes.reduce((sum, [, each]) => sum + countLost(each), countLost(value)) };
}

function mockOfTrace(trace: Trace, step: TraceStep, pipeline: unknown): Mock {
  const changes = withoutRepeated(ownChanges(trace, step), pipeline, step);
  return {
    target: step.path === null ? { package: step.name } : { path: step.path },
    outcome: outcomeOf(step),
    ...(changes.length > 0 && { changes }),
  };
}

/**
 * The page reports a change of the current item twice: there, and in the loop’s array. What it reports only in the array
 * is another item that was put there.
 */
function withoutRepeated(
  changes: readonly RecordedChange[],
  pipeline: unknown,
  { path, iteration }: TraceStep,
): RecordedChange[] {
  const reported = new Set(changes.map((change) => JSON.stringify(change)));
  const place = { path: path ?? '', iteration: [...iteration] };
  const renamed = itemChanges(pipeline as RecordedValue, place, changes);
  return changes.filter(([at], index) => renamed[index]![0] === at || !reported.has(JSON.stringify(renamed[index])));
}

function outcomeOf({ state, value, error }: TraceStep): MockOutcome {
  if (state === 'skipped') return { skip: true };
  if (error) return { error: errorOf(error) };
  return value === undefined || value.t === 'undefined' ? {} : { value: recordedOf(value) };
}

const errorOf = ({ errorType, errorMessage }: RemoteError): { name: string; message: string } => ({
  name: errorType,
  message: errorMessage,
});

/** What the function itself changed: everything before its first nested step started. */
function ownChanges(trace: Trace, { changesBefore, changesAfter, children }: TraceStep): RecordedChange[] {
  const first = trace.steps.get(children[0] ?? -1);
  return trace.changes
    .slice(changesBefore, first ? first.changesBefore : changesAfter)
    .map(({ path, after }): RecordedChange => (after === undefined ? [path] : [path, recordedOf(after)]));
}
