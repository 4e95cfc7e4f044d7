/** Makes a mock of what a step of a recorded run did. */
import type { RecordedError, RecordedStep, Recording } from '../recording/format.ts';
import { toText } from '../../pipeline/index.ts';
import { readValue, type RecordedValue } from '../recording/values.ts';
import { itemChanges } from './item-paths.ts';
import type { Mock, MockOutcome } from './types.ts';

/**
 * A mock for the step in every iteration. It has no outcome if the recording has none: for a loop or an `if` that
 * was evaluated, and for a function that was stopped. Changes of the current item apply to the current item of each
 * iteration.
 */
export function mockOf(recording: Recording, index: number): Mock {
  const step = recording.steps[index]!;
  const outcome = outcomeOf(recording, step);
  const changes = itemChanges(recording.pipeline, step, step.changes ?? []);
  return { target: { path: step.path }, ...(outcome && { outcome }), ...(changes.length > 0 && { changes }) };
}

function outcomeOf({ end }: Recording, step: RecordedStep): MockOutcome | null {
  const { kind, path, iteration = [], state, error, value, replaced, branch } = step;
  if (error) return { error: errorOf(error) };
  if (state === 'skipped') return { skip: true };
  if (state === 'failed' && end.state === 'failed' && end.error.path === path)
    if (String(end.error.iteration ?? '') === String(iteration)) return { error: errorOf(end.error) };
  const isOwn = kind === 'function' || (replaced !== undefined && branch === undefined);
  return state === 'completed' && isOwn ? (value === undefined ? {} : { value }) : null;
}

/** Mocks throw errors. Another thrown value becomes the text of one. */
function errorOf({ name, message, thrown }: RecordedError): { name?: string; message: string } {
  return thrown === undefined ? { name, message } : { message: textOf(thrown) };
}

function textOf(thrown: RecordedValue): string {
  try {
    const value = readValue(thrown);
    return typeof value === 'object' && value !== null ? toText(value) : String(value);
  } catch (lost) {
    return (lost as Error).message;
  }
}
