/**
 * Writes values as JSON, with marks for what JSON doesn't have, and reads them back. A value that can't be written is
 * marked as lost, with the reason: reading it throws, so that nothing is concluded from it.
 */

/** JSON. An object whose first key is `$` is a mark. */
export type RecordedValue = null | boolean | number | string | RecordedValue[] | { [name: string]: RecordedValue };

/** Why a value is lost. */
export type LossReason =
  /** Beyond the size limit of the recording. */
  | 'too-large'
  /** Deeper than the limit. */
  | 'too-deep'
  /** It contains itself. */
  | 'cycle'
  /** A function, a class instance, or another value that isn't data. */
  | 'not-data'
  /** Reading it threw an error. */
  | 'unreadable'
  /** A secret, masked when the run was recorded. */
  | 'masked'
  /** It changed at an unknown time. */
  | 'time-unknown';

export const MAX_DEPTH = 200;

/** The characters that can still be written, and the number of values that were lost so far. */
export interface Budget {
  left: number;
  lost: number;
  /** Nothing is written once no characters are left: the recording then ends. */
  isFinal?: boolean;
}

/** Thrown by reading a lost value. */
export class LostValueError extends Error {
  override readonly name = 'LostValueError';
  readonly reason: LossReason;
  constructor(reason: LossReason, why = LOSS_TEXTS[reason]) {
    super(`The recording doesn’t have this value: ${why}.`);
    this.reason = reason;
  }
}

const LOSS_TEXTS: Record<LossReason, string> = {
  'too-large': 'it was too large',
  'too-deep': `it was nested deeper than ${MAX_DEPTH} levels`,
  cycle: 'it contained itself',
  'not-data': 'it wasn’t data',
  unreadable: 'it couldn’t be read',
  masked: 'it was masked as a secret',
  'time-unknown': 'it changed at an unknown time',
};

const mark = (kind: string, value?: RecordedValue): RecordedValue =>
  value === undefined ? { $: kind } : { $: kind, value };
/** @param text what is shown instead of the value, such as the start of a long string */
export const lost = (reason: LossReason, text?: string): RecordedValue =>
  text === undefined ? mark('lost', reason) : { $: 'lost', value: reason, text };
/** Refers to an object that the context already has, by its JSON Pointer before the change. */
export const reference = (path: string): RecordedValue => mark('ref', path);
/** As the whole value of a change: refers to an object that the context has once the changes before it are made. */
export const laterReference = (path: string): RecordedValue => ({ $: 'ref', value: path, after: true });

/** What is written for an object that is already known; undefined to write it as a copy. */
export type KnownObject = (value: object) => RecordedValue | undefined;

/** Writes a value. `onCopy` receives each plain object and array that is written. */
export function writeValue(
  value: unknown,
  budget: Budget,
  known?: KnownObject,
  onCopy?: (value: object) => void,
): RecordedValue {
  const simple = writeSimple(value, budget);
  return simple === undefined ? new Writer(budget, known, onCopy).write(value) : simple;
}

/** Writes most values that contain no others. Undefined for all else. */
function writeSimple(value: unknown, budget: Budget): RecordedValue | undefined {
  const length = simpleLength(value);
  if (length === 0) return undefined;
  budget.left -= length;
  if (budget.left >= 0) return value as RecordedValue;
  budget.lost++;
  return lost('too-large');
}

/** The length of a value that JSON writes as it is, more or less. 0 for all else. */
function simpleLength(value: unknown): number {
  switch (typeof value) {
    case 'string':
      return value.length + 2;
    case 'number':
      return Number.isFinite(value) && !Object.is(value, -0) ? 4 : 0;
    case 'boolean':
      return 5;
    default:
      return value === null ? 4 : 0;
  }
}

// In a loop over an object's names, this one takes no time, unlike `Object.hasOwn`.
const { hasOwnProperty } = Object.prototype;

/** Of a property that is defined, because an inherited one, such as `__proto__`, could have a setter. */
const OWN = { writable: true, enumerable: true, configurable: true };

class Writer {
  readonly #budget: Budget;
  readonly #known: KnownObject | undefined;
  readonly #onCopy: ((value: object) => void) | undefined;
  readonly #ancestors: object[] = [];

  constructor(budget: Budget, known?: KnownObject, onCopy?: (value: object) => void) {
    this.#budget = budget;
    this.#known = known;
    this.#onCopy = onCopy;
  }

  write(value: unknown): RecordedValue {
    const simple = writeSimple(value, this.#budget);
    if (simple !== undefined) return simple;
    switch (typeof value) {
      case 'number':
        return mark('number', Object.is(value, -0) ? '-0' : String(value));
      case 'undefined':
        return mark('undefined');
      case 'bigint':
        return mark('bigint', String(value));
      case 'object':
        return this.#object(value as object);
      default:
        return this.#lose('not-data');
    }
  }

  #lose(reason: LossReason): RecordedValue {
    this.#budget.lost++;
    return lost(reason);
  }

  #rest(count: number): RecordedValue {
    this.#budget.lost += count;
    return mark('rest', count);
  }

  #spend(characters: number): boolean {
    this.#budget.left -= characters;
    return this.#budget.left >= 0;
  }

  #object(value: object): RecordedValue {
    const depth = this.#ancestors.length;
    try {
      return this.#known?.(value) ?? this.#plain(value);
    } catch {
      // A Proxy can throw whatever is done with it.
      this.#ancestors.length = depth;
      return this.#lose('unreadable');
    }
  }

  #plain(value: object): RecordedValue {
    if (value instanceof Date) return mark('date', value.getTime());
    if (!isPlain(value)) return this.#lose('not-data');
    if (this.#ancestors.includes(value)) return this.#lose('cycle');
    if (this.#ancestors.length >= MAX_DEPTH) return this.#lose('too-deep');
    if (!this.#spend(2)) return this.#lose('too-large');
    this.#ancestors.push(value);
    this.#onCopy?.(value);
    const written = Array.isArray(value)
      ? this.#array(value)
      : (this.#copy(value as Record<string, unknown>) ?? this.#entries(value as Record<string, unknown>));
    this.#ancestors.pop();
    return written;
  }

  #array(value: readonly unknown[]): RecordedValue {
    const items: RecordedValue[] = [];
    for (let index = 0; index < value.length; index++) {
      // The rest of a long array would be one mark for each item.
      if (this.#budget.left < 0) return [...items, this.#rest(value.length - index)];
      items.push(this.#property(value, index));
    }
    return items;
  }

  /** Copies an object by spreading, which is fastest, and then writes what is in the copy. Null if that isn't possible. */
  #copy(value: Record<string, unknown>): RecordedValue | null {
    let copy: Record<string, unknown>;
    try {
      copy = { ...value };
    } catch {
      // A property can't be read.
      return null;
    }
    if ('$' in copy) return null;
    for (const name in copy) {
      if (!hasOwnProperty.call(copy, name)) break;
      this.#budget.left -= name.length + 3;
      const item = copy[name];
      const length = simpleLength(item);
      if (length > 0 && this.#budget.left >= length) this.#budget.left -= length;
      else copy[name] = this.write(item);
    }
    return copy as { [name: string]: RecordedValue };
  }

  #entries(value: Record<string, unknown>): RecordedValue {
    const names = Object.keys(value);
    if (names.includes('$'))
      return mark(
        'entries',
        names.map((name) => [name, this.#entry(value, name)]),
      );
    const written: Record<string, RecordedValue> = {};
    for (let index = 0; index < names.length; index++) {
      const name = names[index]!;
      const entry = this.#entry(value, name);
      if (name in Object.prototype) Object.defineProperty(written, name, { ...OWN, value: entry });
      else written[name] = entry;
    }
    return written;
  }

  #entry(holder: object, name: string): RecordedValue {
    this.#spend(name.length + 3);
    return this.#property(holder, name);
  }

  #property(holder: object, key: string | number): RecordedValue {
    let value: unknown;
    try {
      value = (holder as Record<string | number, unknown>)[key];
    } catch (thrown) {
      return this.#lose(thrown instanceof LostValueError ? thrown.reason : 'unreadable');
    }
    return this.write(value);
  }
}

/** Whether an object is an array, or has the prototype of object literals, from any realm, or none. */
export function isPlain(value: object): boolean {
  try {
    if (Array.isArray(value)) return true;
    const prototype: unknown = Object.getPrototypeOf(value);
    return prototype === Object.prototype || prototype === null || Object.getPrototypeOf(prototype) === null;
  } catch {
    return false;
  }
}

/** Where a value is put: a property, or nowhere if it's needed by itself. */
export interface Slot {
  holder: object;
  key: string | number;
}

/** The object at a JSON Pointer; undefined if there is none. */
export type FindObject = (path: string) => object | undefined;

/** Reads a value into a property. A lost value becomes a property that throws `LostValueError` when it's read. */
export function putValue({ holder, key }: Slot, recorded: RecordedValue, find?: FindObject): void {
  let value: unknown;
  try {
    value = readValue(recorded, find);
  } catch (thrown) {
    if (!(thrown instanceof LostValueError)) throw thrown;
    return loseProperty({ holder, key }, thrown.reason);
  }
  defineValue({ holder, key }, value);
}

const defineValue = ({ holder, key }: Slot, value: unknown): void =>
  void Object.defineProperty(holder, key, { value, writable: true, enumerable: true, configurable: true });

/** Makes a property throw when it's read, until it's set again. */
export function loseProperty(slot: Slot, reason: LossReason): void {
  Object.defineProperty(slot.holder, slot.key, {
    enumerable: true,
    configurable: true,
    get() {
      throw new LostValueError(reason);
    },
    set: (value: unknown) => defineValue(slot, value),
  });
}

/**
 * Reads a value.
 * @throws LostValueError if the value itself is lost; lost values inside of it throw when they're read
 */
export function readValue(recorded: RecordedValue, find?: FindObject): unknown {
  if (typeof recorded !== 'object' || recorded === null) return recorded;
  if (Array.isArray(recorded)) return readArray(recorded, find);
  if (Object.hasOwn(recorded, '$')) return readMark(recorded, find);
  return readEntries(Object.entries(recorded), find);
}

function readArray(recorded: readonly RecordedValue[], find?: FindObject): unknown[] {
  const items: unknown[] = [];
  recorded.forEach((item, index) => {
    const missing = restOf(item);
    if (missing === null) return putValue({ holder: items, key: index }, item, find);
    for (let nth = 0; nth < missing; nth++) putValue({ holder: items, key: index + nth }, lost('too-large'));
  });
  return items;
}

function readEntries(entries: readonly (readonly [string, RecordedValue])[], find?: FindObject): object {
  const holder: Record<string, unknown> = {};
  for (const [name, value] of entries) {
    const isSimple = (typeof value !== 'object' || value === null) && name !== '__proto__';
    if (isSimple) holder[name] = value;
    else putValue({ holder, key: name }, value, find);
  }
  return holder;
}

type Mark = { [name: string]: RecordedValue };

function readMark({ $: kind, value }: Mark, find?: FindObject): unknown {
  switch (kind) {
    case 'undefined':
      return undefined;
    case 'number':
      return Number(value);
    case 'bigint':
      return readBigInt(value);
    case 'date':
      return new Date(typeof value === 'number' ? value : NaN);
    case 'ref':
      return (typeof value === 'string' ? find?.(value) : undefined) ?? fail('unreadable');
    case 'entries':
      return Array.isArray(value) ? readEntries(value.filter(isEntry), find) : fail('not-data');
    case 'lost':
      return fail(isLossReason(value) ? value : 'unreadable');
    default:
      return fail('not-data');
  }
}

function readBigInt(value: RecordedValue | undefined): bigint {
  return typeof value === 'string' && /^-?\d+$/.test(value) ? BigInt(value) : fail('not-data');
}

function fail(reason: LossReason): never {
  throw new LostValueError(reason);
}

export const isLossReason = (value: unknown): value is LossReason =>
  typeof value === 'string' && Object.hasOwn(LOSS_TEXTS, value);
const isEntry = (value: RecordedValue): value is [string, RecordedValue] =>
  Array.isArray(value) && typeof value[0] === 'string';

function restOf(recorded: RecordedValue): number | null {
  if (typeof recorded !== 'object' || recorded === null || Array.isArray(recorded)) return null;
  const { $: kind, value } = recorded;
  // An array that a damaged file claims to be endless isn't built.
  return kind === 'rest' && typeof value === 'number' ? Math.min(Math.max(0, Math.floor(value)), 1_000_000) : null;
}
