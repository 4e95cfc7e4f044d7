/** Makes a recording as small as possible, step by step: each smaller one must pass a test. */
import type { RecordedChange } from '../recording/context-changes.ts';
import type { RecordedStep, Recording } from '../recording/format.ts';
import type { RecordedValue } from '../recording/values.ts';
import type { Variant, VariantStep } from '../replay/what-if.ts';
import { valueAt } from '../../shared/json-pointer.ts';
import { ddmin } from './ddmin.ts';
import { reduceValue } from './reduce-value.ts';
import { keepItems, type LoopedArray, loopedArrays } from './remove-items.ts';

/** Where a recording has a value. */
interface Place {
  get(recording: Variant): RecordedValue;
  set(recording: Variant, value: RecordedValue): Variant;
}

/** First the payload, with the outcomes as they were recorded, and then these. */
export type Part = 'payload' | 'outcomes';

export interface ReductionOptions {
  /** Whether a smaller recording is good enough. */
  test: (candidate: Variant) => Promise<boolean>;
  /** What a step has changed is computed from what it gets, so it can’t become smaller. */
  isFixed: (step: RecordedStep) => boolean;
  /** Called before each pass over a part. Nothing is left to remove if a pass has removed nothing. */
  onPass: (part: Part) => void;
}

export class Reduction {
  readonly #options: ReductionOptions;
  #best: Variant;
  #size: number;

  constructor(recording: Recording, options: ReductionOptions) {
    this.#options = options;
    this.#best = { ...recording, steps: recording.steps.map((step, origin) => ({ ...step, origin })) };
    this.#size = this.#sizeOf(this.#best);
  }

  /** Characters of the payload and of what functions returned and changed, other than what is computed. */
  get size(): number {
    return this.#size;
  }

  async run(): Promise<void> {
    // A failed run has no result, so it doesn't depend on what functions returned.
    await this.#try({ ...this.#best, steps: this.#best.steps.map(withoutValue) });
    // What is removed in one pass can allow to remove more in the next.
    for (const part of ['payload', 'outcomes'] as const)
      for (let before = Infinity; this.#size < before;) {
        before = this.#size;
        this.#options.onPass(part);
        await this.#removeItems(part);
        if (part === 'outcomes') await this.#removeChanges();
        for (const place of part === 'payload' ? [PAYLOAD] : this.#changePlaces())
          await reduceValue(place.get(this.#best), (value) => this.#try(place.set(this.#best, value)));
      }
  }

  async #removeItems(part: Part): Promise<void> {
    for (let index = 0; ; index++) {
      // Each removal can change the paths of others.
      const array = this.#arraysOf(part)[index];
      if (!array) return;
      const whole = this.#best;
      await ddmin(array.length, (kept) => this.#try(keepItems(whole, array, kept)));
    }
  }

  #arraysOf(part: Part): LoopedArray[] {
    const { payload } = this.#best;
    return loopedArrays(this.#best).filter(
      ({ path }) => Array.isArray(valueAt(payload, path)) === (part === 'payload'),
    );
  }

  async #removeChanges(): Promise<void> {
    const whole = this.#best;
    const places = this.#changePlaces();
    await ddmin(places.length, (kept) => this.#try(withChanges(whole, new Set(kept), this.#options.isFixed)));
  }

  #changePlaces(): Place[] {
    return this.#best.steps.flatMap((step, index) =>
      this.#options.isFixed(step)
        ? []
        : batchesOf(step).flatMap((batch, nth) => batch.map((_, at) => changePlace(index, nth, at))),
    );
  }

  async #try(candidate: Variant): Promise<boolean> {
    const isEnough = await this.#options.test(candidate);
    if (isEnough) {
      this.#best = candidate;
      this.#size = this.#sizeOf(candidate);
    }
    return isEnough;
  }

  #sizeOf({ payload, steps }: Variant): number {
    let size = JSON.stringify(payload).length;
    for (const step of steps) {
      if (this.#options.isFixed(step)) continue;
      const { value, changes = [], late = [] } = step;
      if (value !== undefined) size += JSON.stringify(value).length;
      if (changes.length > 0) size += JSON.stringify(changes).length;
      if (late.length > 0) size += JSON.stringify(late).length;
    }
    return size;
  }
}

const PAYLOAD: Place = {
  get: ({ payload }) => payload,
  set: (recording, payload) => ({ ...recording, payload }),
};

function withoutValue({ value: _value, shared: _shared, ...step }: VariantStep): VariantStep {
  return step;
}

/** All changes of a step, in the order in which they apply: first those before it. */
const batchesOf = ({ late = [], changes = [] }: RecordedStep): readonly RecordedChange[][] => [
  ...late.map((one) => one.changes),
  changes,
];

function withBatches(step: VariantStep, batches: readonly RecordedChange[][]): VariantStep {
  const { late = [], changes: _changes, edited: _edited, ...rest } = step;
  const changes = batches.at(-1)!;
  const kept = late.map((one, nth) => ({ ...one, changes: batches[nth]! })).filter((one) => one.changes.length > 0);
  return { ...rest, ...(kept.length > 0 && { late: kept }), ...(changes.length > 0 && { changes }) };
}

/** The recording with those of its changes that have these numbers, and all that are fixed. */
function withChanges(recording: Variant, kept: ReadonlySet<number>, isFixed: ReductionOptions['isFixed']): Variant {
  let number = 0;
  // The same list if all of it is kept: it’s known by its identity that nothing else has been changed.
  const keep = (batch: RecordedChange[]): RecordedChange[] => {
    const some = batch.filter(() => kept.has(number++));
    return some.length < batch.length ? some : batch;
  };
  const steps = recording.steps.map((step) => (isFixed(step) ? step : withBatches(step, batchesOf(step).map(keep))));
  return { ...recording, steps };
}

function changePlace(index: number, nth: number, at: number): Place {
  return {
    get: ({ steps }) => batchesOf(steps[index]!)[nth]![at]![1] ?? null,
    set: (recording, value) => {
      const step = recording.steps[index]!;
      const batches = batchesOf(step).map((batch, index) =>
        index === nth ? batch.with(at, [batch[at]![0], value]) : batch,
      );
      return { ...recording, steps: recording.steps.with(index, withBatches(step, batches)) };
    },
  };
}
