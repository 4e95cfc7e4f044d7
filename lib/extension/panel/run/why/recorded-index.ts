/** Finds the steps of a trace in a recording of the same run. */
import type { Recording } from '../../../../debugging/recording/format.ts';
import type { TraceStep } from '../trace.ts';

/** Index of a step in a recording; undefined if it isn't there. */
export function recordedIndex(recording: Recording, { path, iteration }: TraceStep): number | undefined {
  let indexes = byPlace.get(recording);
  if (!indexes) {
    indexes = new Map(recording.steps.map((step, index) => [placeKey(step.path, step.iteration ?? []), index]));
    byPlace.set(recording, indexes);
  }
  return path === null ? undefined : indexes.get(placeKey(path, iteration));
}

const byPlace = new WeakMap<Recording, Map<string, number>>();
const placeKey = (path: string, iteration: readonly number[]): string => `${iteration.join('.')} ${path}`;
