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
  /** Of the last step. Steps of the same iteration share its list. */
  #iteration: number[] = [];
  #length = 0;

  get length(): number {
    return this.#length;
  }

  get last(): RecordedStep | undefined {
    return this.#last.at(-1);
  }

  /** @param at in milliseconds */
  add(info: StepInfo, at: number): RecordedStep {
    if (this.#length++ % CHUNK === 0) this.#chunks.push((this.#last = []));
    if (!isSameList(info.iteration, this.#iteration)) this.#iteration = info.iteration.slice();
    const step = started(info, this.#iteration, at);
    this.#last.push(step);
    return step;
  }

  steps(): RecordedStep[] {
    return this.#chunks.flat();
  }
}

/** Each kind has a literal of its own, which takes a fraction of the time of adding properties. */
function started({ kind, path, name }: StepInfo, iteration: number[], at: number): RecordedStep {
  const state = 'completed';
  if (iteration.length === 0)
    return kind === 'function'
      ? { kind, path, name, at, milliseconds: 0, state }
      : { kind, path, at, milliseconds: 0, state };
  return kind === 'function'
    ? { kind, path, iteration, name, at, milliseconds: 0, state }
    : { kind, path, iteration, at, milliseconds: 0, state };
}

function isSameList(one: readonly number[], other: readonly number[]): boolean {
  for (let index = 0; index < one.length; index++) if (one[index] !== other[index]) return false;
  return one.length === other.length;
}
