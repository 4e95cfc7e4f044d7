/** Makes a mock of what a step of a recorded run did. */
import type { RecordedChange } from '../recording/context-changes.ts';
import type { RecordedError, RecordedStep, Recording } from '../recording/format.ts';
import { readValue, type RecordedValue } from '../recording/values.ts';
import { itemPaths } from './item-paths.ts';
import type { Mock, MockOutcome } from './types.ts';

/**
 * A mock for the step in every iteration. It has no outcome if the recording has none: for a loop or an `if` that
 * was evaluated, and for a function that was stopped. Changes of the current item apply to the current item of each
 * iteration.
 */
export function mockOf(recording: Recording, index: number): Mock {
  const step = recording.steps[index]!;
  const outcome = outcomeOf(recording, step);
  const rename = itemPaths(recording.pipeline, step);
  const changes = (step.changes ?? []).map((change) => renamed(change, rename));
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
    return typeof value === 'string' ? value : (JSON.stringify(value) ?? String(value));
  } catch (lost) {
    return (lost as Error).message;
  }
}

type Rename = (path: string) => string;

function renamed([path, ...value]: RecordedChange, rename: Rename): RecordedChange {
  const now = rename(path);
  // Another item in the array is not another current item.
  const place = now === '/currentItem' ? path : now;
  return value.length === 0 ? [place] : [place, renamedIn(value[0], rename)];
}

/** References are to paths, too. */
function renamedIn(value: RecordedValue, rename: Rename): RecordedValue {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => renamedIn(item, rename));
  if (value['$'] === 'ref' && typeof value['value'] === 'string') return { ...value, value: rename(value['value']) };
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, renamedIn(item, rename)]));
}
