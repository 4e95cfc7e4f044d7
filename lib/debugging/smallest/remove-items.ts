/**
 * Removes items that loops iterate over from a recording, as if the run hadn’t had them: with their iterations, and with
 * other indexes in the paths of what follows.
 */
import { parsePointer, valueAt } from '../../shared/json-pointer.ts';
import { currentItemOf } from '../mocks/item-paths.ts';
import type { RecordedChange } from '../recording/context-changes.ts';
import type { RecordedStep, Recording } from '../recording/format.ts';
import type { RecordedValue } from '../recording/values.ts';
import type { Variant, VariantStep } from '../replay/what-if.ts';

/** An array of the context that loops iterate over. */
export interface LoopedArray {
  /** Its JSON Pointer in the context. */
  path: string;
  /** The most items that it has. */
  length: number;
}

/** The arrays that loops of the recorded run iterate over, outer ones first. */
export function loopedArrays(recording: Recording): LoopedArray[] {
  const arrays = new Map<string, number>();
  for (const step of recording.steps) {
    const path = step.kind === 'loop' ? arrayOf(recording.pipeline, step) : null;
    if (path !== null && !arrays.has(path)) arrays.set(path, 0);
  }
  for (const path of arrays.keys()) arrays.set(path, lengthOf(recording, path));
  return [...arrays].map(([path, length]) => ({ path, length })).filter(({ length }) => length > 0);
}

/** @param kept the indexes of the items that stay, in order */
export function keepItems(recording: Variant, { path }: LoopedArray, kept: readonly number[]): Variant {
  return new Keeper(recording.pipeline, path, kept).keepIn(recording);
}

/** Where the context has the array of a loop; null if it’s a range or can’t be known. */
function arrayOf(pipeline: RecordedValue, { path, iteration = [] }: RecordedStep): string | null {
  const item = currentItemOf(pipeline, { path: `${path}/functions/0`, iteration: [...iteration, 0] });
  return item === null ? null : item.slice(0, item.lastIndexOf('/'));
}

function lengthOf({ payload, steps }: Recording, path: string): number {
  let length = itemsAt(payload, path);
  for (const { changes = [], late = [] } of steps)
    for (const [place, value] of [...late.flatMap((one) => one.changes), ...changes]) {
      if (value !== undefined && (path === place || path.startsWith(`${place}/`)))
        length = Math.max(length, itemsAt(value, path.slice(place.length)));
      if (place.startsWith(`${path}/`))
        length = Math.max(length, Number(parsePointer(place.slice(path.length))[0]) + 1 || 0);
    }
  return length;
}

function itemsAt(value: RecordedValue, path: string): number {
  const items = valueAt(value, path);
  return Array.isArray(items) ? items.length : 0;
}

class Keeper {
  readonly #pipeline: RecordedValue;
  readonly #path: string;
  /** The new index of each item that stays. */
  readonly #indexes: ReadonlyMap<number, number>;

  constructor(pipeline: RecordedValue, path: string, kept: readonly number[]) {
    this.#pipeline = pipeline;
    this.#path = path;
    this.#indexes = new Map(kept.map((index, now) => [index, now]));
  }

  keepIn(recording: Variant): Variant {
    const steps: VariantStep[] = [];
    /** The loops over the array that are open, and those that were: their steps have an iteration of them. */
    let loops: RecordedStep[] = [];
    for (const step of recording.steps) {
      loops = loops.filter((loop) => isInside(step, loop));
      const moved = this.#move(step, loops);
      if (moved) steps.push(moved);
      if (step.kind === 'loop' && arrayOf(this.#pipeline, step) === this.#path) loops.push(step);
    }
    return { ...recording, payload: this.#keepAt(recording.payload, this.#path), steps };
  }

  /** Null if it’s in an iteration that is removed. */
  #move(step: VariantStep, loops: readonly RecordedStep[]): VariantStep | null {
    const { iteration = [], changes, edited: _, late, ...rest } = step;
    const moved = [...iteration];
    for (const { iteration: outer = [] } of loops) {
      const index = this.#indexes.get(iteration[outer.length]!);
      if (index === undefined) return null;
      moved[outer.length] = index;
    }
    return {
      ...rest,
      ...(moved.length > 0 && { iteration: moved }),
      ...(changes && { changes: this.#moveAll(changes) }),
      // Indexes of steps are others now.
      ...(late && { late: late.map(({ since: _since, ...one }) => ({ ...one, changes: this.#moveAll(one.changes) })) }),
    };
  }

  #moveAll(changes: readonly RecordedChange[]): RecordedChange[] {
    return changes.flatMap((change): RecordedChange[] => {
      const path = this.#movePath(change[0]);
      if (path === null) return [];
      if (change.length === 1) return [[path]];
      const isAround = this.#path === change[0] || this.#path.startsWith(`${change[0]}/`);
      const value = isAround ? this.#keepAt(change[1], this.#path.slice(change[0].length)) : change[1];
      return [[path, this.#moveReferences(value)]];
    });
  }

  /** Null if it’s in an item that is removed. */
  #movePath(path: string): string | null {
    if (!path.startsWith(`${this.#path}/`)) return path;
    const [token, ...rest] = path.slice(this.#path.length + 1).split('/');
    const index = this.#indexes.get(Number(token));
    return index === undefined ? null : [this.#path, index, ...rest].join('/');
  }

  #moveReferences(value: RecordedValue): RecordedValue {
    if (typeof value !== 'object' || value === null) return value;
    if (Array.isArray(value)) return value.map((item) => this.#moveReferences(item));
    if (value['$'] === 'ref' && typeof value['value'] === 'string')
      return { ...value, value: this.#movePath(value['value']) ?? value['value'] };
    return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, this.#moveReferences(item)]));
  }

  /** The value with fewer items in the array at a path. */
  #keepAt(value: RecordedValue, path: string): RecordedValue {
    if (typeof value !== 'object' || value === null) return value;
    if (path === '') return Array.isArray(value) ? value.filter((_, index) => this.#indexes.has(index)) : value;
    const token = parsePointer(path)[0]!;
    const rest = path.slice(path.indexOf('/', 1) < 0 ? path.length : path.indexOf('/', 1));
    if (!Object.hasOwn(value, token)) return value;
    if (Array.isArray(value)) return value.with(Number(token), this.#keepAt(value[Number(token)]!, rest));
    return Object.fromEntries(
      Object.entries(value).map(([name, item]) => [name, name === token ? this.#keepAt(item, rest) : item]),
    );
  }
}

const isInside = ({ path, iteration = [] }: RecordedStep, outer: RecordedStep): boolean =>
  path.startsWith(`${outer.path}/`) && (outer.iteration ?? []).every((index, level) => iteration[level] === index);
