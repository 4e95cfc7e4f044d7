/** Finds what a pipeline’s expressions read of the payload and of outcomes, with values that are worth trying. */
import { namedLists, nestedLists, packageOf } from '../../effects.ts';
import { ownSources } from '../../expressions.ts';
import { GLOBALS, itemsPath } from '../../../pipeline/syntax.ts';
import type { PipelineStep } from '../../../pipeline/types.ts';
import { type Chain, chainOfSource, findChains } from './chains.ts';

/** A place in the payload, or in the outcome of a step. */
export interface Slot {
  /** The step’s path. Empty for the payload. */
  source: string;
  /** `*` is any item of an array. */
  keys: readonly string[];
  values: Set<unknown>;
  /** Whether it’s an array: one that a loop goes through, for example. */
  isList: boolean;
}

/** A value that isn’t there. */
export const MISSING = Symbol('missing');

const MAX_SLOTS = 200;
const PACKAGE = 'com.platform.function.';
/** What outcomes have, by package. */
const OUTCOMES: ReadonlyMap<string, string> = new Map([
  ['records', `${PACKAGE}read-datasource`],
  ['response', `${PACKAGE}http-request`],
]);
/** Values of every kind: missing, of each type, on the edges, and with characters that HTML escapes. */
const ANY: readonly unknown[] = [
  MISSING,
  null,
  true,
  false,
  0,
  1,
  2,
  -1,
  '',
  '0',
  '1',
  'text',
  '<b>&"\'',
  [],
  {},
  { a: 1 },
];

/** @returns pairs of slots that the pipeline compares with each other, too */
export function slotsOf(pipeline: readonly PipelineStep[]): { slots: Slot[]; pairs: [Slot, Slot][] } {
  const finder = new SlotFinder(pipeline);
  finder.visit(pipeline, null);
  return { slots: finder.slots(), pairs: finder.pairs() };
}

class SlotFinder {
  readonly #slots = new Map<string, Slot>();
  /** Paths of the steps whose outcomes have a name. */
  readonly #sources = new Map<string, string[]>();
  /** Names that steps compute. */
  readonly #computed = new Map<string, Chain | null>();

  constructor(pipeline: readonly PipelineStep[]) {
    const visit = (steps: readonly PipelineStep[], path: string): void => {
      for (const [index, step] of steps.entries()) {
        for (const [name, used] of OUTCOMES)
          if (packageOf(step) === used)
            this.#sources.set(name, [...(this.#sources.get(name) ?? []), `${path}/${index}`]);
        for (const name of Object.keys(assignsIn(step))) this.#computed.set(name, null);
        for (const [list, name] of namedLists(step)) visit(list, `${path}/${index}/${name}`);
      }
    };
    visit(pipeline, '');
  }

  readonly #compared: [Chain, Chain][] = [];

  pairs(): [Slot, Slot][] {
    const slots = this.slots();
    const slotsAt = (chain: Chain): Slot[] => slots.filter(({ keys }) => keys.join('/') === chain.join('/'));
    return this.#compared
      .slice(0, MAX_SLOTS)
      .flatMap(([one, other]) => slotsAt(one).flatMap((a) => slotsAt(other).map((b): [Slot, Slot] => [a, b])));
  }

  slots(): Slot[] {
    return [...this.#slots.values()].slice(0, MAX_SLOTS);
  }

  /** @param item what a loop’s current item is; null outside of loops */
  visit(steps: readonly PipelineStep[], item: Chain | null): void {
    const resolve = (name: string): Chain | null => this.#resolve(name, item);
    for (const step of steps) {
      for (const source of ownSources(step)) findChains(source, resolve, this.#onChain);
      this.#assign(step, resolve);
      const { items } = step;
      const list = items === undefined ? null : chainOf(items, resolve);
      if (list) this.#add(list, [], true);
      const inner = step.type === 'loop' ? list && [...list, '*'] : item;
      for (const nested of nestedLists(step)) this.visit(nested, inner);
    }
  }

  readonly #onChain = (chain: Chain, values: readonly unknown[], other?: Chain): void => {
    if (other) this.#compared.push([chain, other]);
    else this.#add(chain, values);
  };

  /** A name that is only another name for something is not a value of its own. */
  #assign(step: PipelineStep, resolve: (name: string) => Chain | null): void {
    for (const [name, source] of Object.entries(assignsIn(step)))
      if (typeof source === 'string' && !this.#computed.get(name))
        this.#computed.set(name, chainOfSource(source, resolve));
  }

  #resolve(name: string, item: Chain | null): Chain | null {
    if (name === 'currentItem') return item;
    if (name === 'currentIndex' || name === 'context' || GLOBALS.has(name)) return null;
    return this.#computed.has(name) ? (this.#computed.get(name) ?? null) : [name];
  }

  #add(chain: Chain, values: readonly unknown[], isLoop = false): void {
    const [name = '', ...rest] = chain;
    const isLength = rest.at(-1) === 'length';
    const keys = isLength ? chain.slice(0, -1) : chain;
    const isList = isLoop || isLength;
    // The list that an item is in.
    for (const [index, key] of keys.entries()) if (key === '*') this.#slot(name, keys.slice(0, index), true, []);
    this.#slot(name, keys, isList, isLength ? [] : values.flatMap(near));
  }

  #slot(name: string, keys: Chain, isList: boolean, values: readonly unknown[]): void {
    for (const source of this.#sources.get(name) ?? ['']) {
      if (source !== '' && !canVary(keys)) continue;
      const id = JSON.stringify([source, keys]);
      const slot = this.#slots.get(id) ?? { source, keys, values: new Set(), isList: false };
      this.#slots.set(id, slot);
      slot.isList ||= isList;
      for (const value of values) slot.values.add(value);
    }
  }
}

/** Outcomes always have their form: entries have an ID and data, and responses a status. */
const canVary = ({ 0: name, 1: part, 2: field, length }: Chain): boolean => {
  if (name === 'response') return part === 'status' || part === 'body';
  return length === 1 || (field === 'data' && length > 3);
};

/** A value, its neighbors, and the same in another type. */
function near(value: unknown): unknown[] {
  if (typeof value === 'number') return [value, value + 1, value - 1, String(value)];
  if (typeof value === 'boolean') return [value, !value, Number(value), String(Number(value))];
  if (typeof value !== 'string') return [value ?? null, MISSING];
  const number = value.trim() === '' ? NaN : Number(value);
  return [value, `${value}x`, ...(Number.isFinite(number) ? [number] : [[value]])];
}

/** The values to try, those that the pipeline names first. */
export const valuesOf = ({ values, isList }: Slot): unknown[] => [...values, ...(isList ? [] : ANY)];

const assignsIn = (step: PipelineStep): object =>
  packageOf(step) === `${PACKAGE}set-context` ? (Object(step.settings?.assign) as object) : {};

function chainOf(items: string, resolve: (name: string) => Chain | null): Chain | null {
  const [first = '', ...rest] = itemsPath(items, () => false);
  const chain = resolve(first);
  return chain && [...chain, ...rest];
}
