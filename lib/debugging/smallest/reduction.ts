/** Makes a recording as small as possible, step by step: each smaller one must pass a test. */
import type { RecordedChange } from '../recording/context-changes.ts';
import type { RecordedStep, Recording } from '../recording/format.ts';
import type { RecordedValue } from '../recording/values.ts';
import { ddmin } from './ddmin.ts';
import { reduceValue } from './reduce-value.ts';
import { keepItems, loopedArrays } from './remove-items.ts';

/** Where a recording has a value. */
interface Place {
  get(recording: Recording): RecordedValue;
  set(recording: Recording, value: RecordedValue): Recording;
}

/** Passes over everything. What is removed in one can allow to remove more in the next. */
const MAX_PASSES = 4;

export class Reduction {
  readonly #test: (candidate: Recording) => Promise<boolean>;
  #best: Recording;
  #size: number;

  /** @param test whether a smaller recording is good enough */
  constructor(recording: Recording, test: (candidate: Recording) => Promise<boolean>) {
    this.#test = test;
    this.#best = recording;
    this.#size = sizeOf(recording);
  }

  /** Characters of the payload and of what functions returned and changed. */
  get size(): number {
    return this.#size;
  }

  async run(): Promise<void> {
    // A failed run has no result, so it doesn't depend on what functions returned.
    await this.#try({ ...this.#best, steps: this.#best.steps.map(withoutValue) });
    for (let pass = 0, before = Infinity; pass < MAX_PASSES && this.#size < before; pass++) {
      before = this.#size;
      await this.#removeItems();
      await this.#removeChanges();
      for (const place of [PAYLOAD, ...changePlaces(this.#best)])
        await reduceValue(place.get(this.#best), (value) => this.#try(place.set(this.#best, value)));
    }
  }

  async #removeItems(): Promise<void> {
    for (let index = 0; ; index++) {
      // Each removal can change the paths of others.
      const array = loopedArrays(this.#best)[index];
      if (!array) return;
      const whole = this.#best;
      await ddmin(array.length, (kept) => this.#try(keepItems(whole, array, kept)));
    }
  }

  async #removeChanges(): Promise<void> {
    const whole = this.#best;
    const count = changePlaces(whole).length;
    await ddmin(count, (kept) => this.#try(withChanges(whole, new Set(kept))));
  }

  async #try(candidate: Recording): Promise<boolean> {
    const isEnough = await this.#test(candidate);
    if (isEnough) {
      this.#best = candidate;
      this.#size = sizeOf(candidate);
    }
    return isEnough;
  }
}

const PAYLOAD: Place = {
  get: ({ payload }) => payload,
  set: (recording, payload) => ({ ...recording, payload }),
};

function withoutValue({ value: _value, shared: _shared, ...step }: RecordedStep): RecordedStep {
  return step;
}

/** All changes of a step, in the order in which they apply: first those before it. */
const batchesOf = ({ late = [], changes = [] }: RecordedStep): readonly (readonly RecordedChange[])[] => [
  ...late.map((one) => one.changes),
  changes,
];

function withBatches(step: RecordedStep, batches: readonly RecordedChange[][]): RecordedStep {
  const { late = [], changes: _changes, ...rest } = step;
  const changes = batches.at(-1)!;
  const kept = late.map((one, nth) => ({ ...one, changes: batches[nth]! })).filter((one) => one.changes.length > 0);
  return { ...rest, ...(kept.length > 0 && { late: kept }), ...(changes.length > 0 && { changes }) };
}

/** The recording with those of its changes that have these numbers. */
function withChanges(recording: Recording, kept: ReadonlySet<number>): Recording {
  let number = 0;
  const steps = recording.steps.map((step) =>
    withBatches(
      step,
      batchesOf(step).map((batch) => batch.filter(() => kept.has(number++))),
    ),
  );
  return { ...recording, steps };
}

function changePlaces(recording: Recording): Place[] {
  return recording.steps.flatMap((step, index) =>
    batchesOf(step).flatMap((batch, nth) => batch.map((_, at) => changePlace(index, nth, at))),
  );
}

function changePlace(index: number, nth: number, at: number): Place {
  return {
    get: ({ steps }) => batchesOf(steps[index]!)[nth]![at]![1] ?? null,
    set: (recording, value) => {
      const step = recording.steps[index]!;
      const batches = batchesOf(step).map((batch) => [...batch]);
      batches[nth]![at] = [batches[nth]![at]![0], value];
      return { ...recording, steps: recording.steps.with(index, withBatches(step, batches)) };
    },
  };
}

function sizeOf({ payload, steps }: Recording): number {
  let size = JSON.stringify(payload).length;
  for (const { value, changes = [], late = [] } of steps) {
    if (value !== undefined) size += JSON.stringify(value).length;
    if (changes.length > 0) size += JSON.stringify(changes).length;
    if (late.length > 0) size += JSON.stringify(late).length;
  }
  return size;
}
