/**
 * Collects the steps of a run in progress. Every run pays for it, so each step is a single object, which becomes part of the
 * recording as it is: nothing is copied at the end.
 */
import type { StepInfo } from '../../pipeline/index.ts';
import type { RecordedStep } from './format.ts';

/** A list that grows is copied each time, so steps are in many short ones. */
const CHUNK = 1_024;

export class StepLog {
  readonly #chunks: RecordedStep[][] = [];
  #last: RecordedStep[] = [];
  #length = 0;

  get length(): number {
    return this.#length;
  }

  /** @param at in milliseconds */
  add(info: StepInfo, at: number): RecordedStep {
    if (this.#length++ % CHUNK === 0) this.#chunks.push((this.#last = []));
    const step = started(info, at);
    this.#last.push(step);
    return step;
  }

  steps(): RecordedStep[] {
    return this.#chunks.flat();
  }
}

/** Each kind has a literal of its own, which takes a fraction of the time of adding properties. */
function started({ kind, path, name, iteration: indexes }: StepInfo, at: number): RecordedStep {
  const state = 'completed';
  if (indexes.length === 0)
    return kind === 'function'
      ? { kind, path, name, at, milliseconds: 0, state }
      : { kind, path, at, milliseconds: 0, state };
  const iteration = indexes.length === 1 ? [indexes[0]!] : indexes.slice();
  return kind === 'function'
    ? { kind, path, iteration, name, at, milliseconds: 0, state }
    : { kind, path, iteration, at, milliseconds: 0, state };
}
