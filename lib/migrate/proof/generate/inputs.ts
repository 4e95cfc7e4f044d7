/** Makes inputs of generated runs: from recordings, with default values, and with single values replaced. */
import type { Recording } from '../../../debugging/recording/format.ts';
import { LostValueError, readValue } from '../../../debugging/recording/values.ts';
import type { Context } from '../../../pipeline/types.ts';
import type { Inputs, Outcome } from './simulate.ts';
import { MISSING, type Slot, valuesOf } from './slots.ts';

/** The payload and the outcomes of a recorded run. Null if the recording doesn’t have all of them. */
export function inputsOf({ payload, steps }: Recording): Inputs | null {
  const outcomes = new Map<string, Outcome[]>();
  try {
    for (const step of steps) {
      if (step.kind !== 'function') continue;
      const list = outcomes.get(step.path) ?? [];
      outcomes.set(step.path, list);
      list.push(valuesIn(step) ?? { step });
    }
    const found = readValue(payload);
    return isFields(found) ? { payload: structuredClone(found), outcomes } : null;
  } catch (thrown) {
    if (thrown instanceof LostValueError) return null;
    throw thrown;
  }
}

/** What the platform’s packages put into the context, so that parts of it can be replaced. */
function valuesIn({ name = '', changes = [] }: Recording['steps'][number]): Outcome | null {
  const key = KEYS.get(name);
  const change = changes.find(([path]) => path === `/${key}`);
  return key !== undefined && change?.length === 2 ? { values: { [key]: readValue(change[1]) } } : null;
}

const KEYS: ReadonlyMap<string, string> = new Map([
  ['com.platform.function.read-datasource', 'records'],
  ['com.platform.function.http-request', 'response'],
]);

/** A value for everything that the pipeline reads. */
export function defaultInputs(slots: readonly Slot[]): Inputs {
  let inputs: Inputs = { payload: {}, outcomes: new Map() };
  for (const slot of slots) if (slot.isList) inputs = withValue(inputs, slot, 2);
  for (const slot of slots) {
    const [first] = valuesOf(slot);
    if (!slot.isList) inputs = withValue(inputs, slot, first === MISSING ? 'text' : first);
  }
  return inputs;
}

/**
 * @param value for an array, its length
 * @param item which items of arrays have the value
 */
export function withValue(
  { payload, outcomes }: Inputs,
  { source, keys, isList }: Slot,
  value: unknown,
  item: 'all' | 'last' = 'all',
): Inputs {
  const change = (root: Context): Context => {
    const copy = structuredClone(root);
    put(copy, keys, isList && typeof value === 'number' ? { length: value } : { value }, item);
    return copy;
  };
  if (source === '') return { payload: change(payload), outcomes };
  const [first] = outcomes.get(source) ?? [];
  const values = first && 'values' in first ? first.values : {};
  return { payload, outcomes: new Map(outcomes).set(source, [{ values: asOutcome(change(values)) }]) };
}

type Fields = Record<string, unknown>;

function put(
  holder: Fields,
  [key = '', ...rest]: readonly string[],
  to: { value?: unknown; length?: number },
  item: 'all' | 'last',
): void {
  if (key === '*') {
    const items = holder as unknown as unknown[];
    const from = item === 'all' ? 0 : Math.max(0, items.length - 1);
    for (let index = from; index < items.length; index++) put(holder, [String(index), ...rest], to, item);
    return;
  }
  if (rest.length > 0) {
    const isItems = rest[0] === '*';
    const known = holder[key];
    if (isItems ? !Array.isArray(known) : !isFields(known)) define(holder, key, isItems ? [{}] : {});
    put(holder[key] as Fields, rest, to, item);
  } else if (to.length !== undefined) define(holder, key, resized(holder[key], to.length));
  else if (to.value !== MISSING) define(holder, key, structuredClone(to.value));
  // JSON has no arrays with holes.
  else if (Array.isArray(holder)) define(holder, key, null);
  else delete holder[key];
}

const define = (holder: Fields, key: string, value: unknown): void =>
  void Object.defineProperty(holder, key, { value, writable: true, enumerable: true, configurable: true });

/** Repeats the last item. */
function resized(list: unknown, length: number): unknown[] {
  const items = Array.isArray(list) ? list.slice(0, length) : [];
  while (items.length < length) items.push(structuredClone(items.at(-1) ?? {}));
  return items;
}

/** With the form that outcomes of the platform’s packages always have. */
function asOutcome(values: Context): Context {
  const { records, response } = values as { records?: Fields[]; response?: Fields };
  if (Array.isArray(records)) {
    const entries = records.map((entry, index) => ({ id: index + 1, data: isFields(entry?.data) ? entry.data : {} }));
    return { ...values, records: entries };
  }
  if (!isFields(response)) return values;
  const status = Number.isInteger(response.status) ? response.status : 200;
  const { body = '' } = response;
  const type = typeof body === 'string' ? 'text/plain' : 'application/json';
  return { ...values, response: { status, headers: { 'content-type': type }, body } };
}

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
