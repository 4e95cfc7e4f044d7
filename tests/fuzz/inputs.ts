/** Generates inputs: values that no caller should pass, valid samples with damaged parts, and texts with damaged bytes. */
import * as fc from 'fast-check';
import { anyCharacter } from '../support/any-character.ts';

/** Strings that often cause bugs. */
export const WORDS = [
  '',
  ' ',
  '0',
  '-1',
  '1e999',
  'null',
  'undefined',
  'NaN',
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'hasOwnProperty',
  'toJSON',
  'then',
  'length',
  '\u0000',
  '\ud800',
  'a\udc00b',
  '\u202e',
  '\ufeff',
  '\u2028',
  '<img src=x onerror=alert(1)>',
  '</script><script>alert(1)</script>',
  'javascript:alert(1)',
  '../../etc/passwd',
  '%00',
  '%',
  '/',
  '~',
  '/__proto__/x',
  '~1',
  '//',
  '🙂',
  'x'.repeat(5_000),
  '/x'.repeat(500),
  '9007199254740993',
  '2026-02-30T25:61:61Z',
  '+275760-09-13T00:00:01Z',
  '[',
  '{"a":',
  '(a+)+$',
  '${a}',
  "'",
  '"',
  '\\',
  '\n',
];
export const NUMBERS = [
  0,
  -0,
  1,
  -1,
  0.5,
  200,
  2 ** 31,
  -(2 ** 31),
  2 ** 32,
  2 ** 53,
  -(2 ** 53),
  1e21,
  8.64e15,
  8.64e15 + 1,
  1e300,
  5e-324,
  Number.MAX_VALUE,
  Infinity,
  -Infinity,
  NaN,
];

export const word: fc.Arbitrary<string> = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...WORDS) },
  fc.string({ maxLength: 20 }),
  fc.string({ unit: anyCharacter, maxLength: 20 }),
);
export const numeral: fc.Arbitrary<number> = fc.oneof(fc.constantFrom(...NUMBERS), fc.integer(), fc.double());

/** `levels` lists or objects, one in the other. */
export function deep(levels: number, wrap: (inner: unknown) => unknown = (inner) => [inner]): unknown {
  let value: unknown = null;
  for (let level = 0; level < levels; level++) value = wrap(value);
  return value;
}

/** Any JSON that can be written out again, with names that objects inherit among its keys. */
export const json: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 6, arbitrary: fc.oneof(word, numeral.filter(Number.isFinite), fc.boolean(), fc.constant(null)) },
  {
    weight: 4,
    arbitrary: fc.letrec<{ value: unknown }>((tie) => ({
      value: fc.oneof(
        { depthSize: 'small' },
        word,
        numeral.filter(Number.isFinite),
        fc.boolean(),
        fc.constant(null),
        fc.array(tie('value'), { maxLength: 4 }),
        fc.dictionary(word, tie('value'), { maxKeys: 4 }),
      ),
    })).value,
  },
  { weight: 1, arbitrary: fc.constantFrom(50, 200).map((levels) => deep(levels)) },
);

/* oxlint-disable unicorn/no-thenable -- what is awaited by mistake is the point */
/** Makers of values that code on the page, or a caller in the same process, can pass. */
const LIVE: Record<string, () => unknown> = {
  undefined: () => undefined,
  bigint: () => 12n,
  symbol: () => Symbol('s'),
  function: () => () => 'called',
  asyncFunction: () => () => Promise.resolve('called'),
  throwing: () => () => {
    throw new Error('called');
  },
  throwsNothing: () => () => {
    throw undefined;
  },
  cycle: () => {
    const cycle: Record<string, unknown> = {};
    cycle.self = cycle;
    cycle.list = [cycle];
    return cycle;
  },
  getter: () => ({
    get a() {
      throw new Error('read');
    },
    get type() {
      throw Object.create(null);
    },
    get name() {
      throw new Error('read');
    },
  }),
  throwsSymbol: () => ({
    toJSON() {
      throw Symbol('thrown');
    },
    toString() {
      throw Symbol('thrown');
    },
  }),
  errorThatThrows: () =>
    Object.defineProperty(new Error('x'), 'message', {
      get() {
        throw new Error('read');
      },
    }),
  bare: () => Object.assign(Object.create(null) as object, { a: 1 }),
  protoKey: () =>
    JSON.parse('{"__proto__": {"polluted": true}, "constructor": {"prototype": {"polluted": true}}}') as unknown,
  revoked: () => {
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    return proxy;
  },
  revokedList: () => {
    const { proxy, revoke } = Proxy.revocable([], {});
    revoke();
    return proxy;
  },
  lyingProxy: () =>
    new Proxy(
      {},
      {
        get: (_, key) => (key === Symbol.toPrimitive ? undefined : `lie ${String(key)}`),
        has: () => true,
        ownKeys: () => ['a', 'b'],
        getOwnPropertyDescriptor: () => ({ value: 1, configurable: true, enumerable: true }),
      },
    ),
  changing: () => {
    let reads = 0;
    return {
      get type() {
        return reads++ % 2 ? 'loop' : 'function';
      },
      get functions() {
        return reads++ > 3 ? [] : 7;
      },
      get length() {
        return reads++;
      },
    };
  },
  thenable: () => ({ then: (resolve: (value: unknown) => void) => resolve(1) }),
  thenableThatThrows: () => ({
    get then() {
      throw new Error('read');
    },
  }),
  rejected: () => ({ then: (_: unknown, reject: (reason: unknown) => void) => reject(new Error('no')) }),
  date: () => new Date(NaN),
  map: () => new Map([[{}, 1]]),
  bytes: () => new Uint8Array(3),
  buffer: () => new ArrayBuffer(8),
  sparse: () => {
    const list: unknown[] = [];
    list.length = 100_000;
    return list;
  },
  listWithNames: () => Object.assign([1, 2], { type: 'function' }),
  deepList: () => deep(20_000),
  deepSteps: () => deep(20_000, (inner) => ({ functions: [inner] })),
  deepProto: () => deep(20_000, (inner) => Object.defineProperty({}, '__proto__', { value: inner, enumerable: true })),
  longText: () => 'm'.repeat(300_000),
  error: () => new TypeError('mine'),
  regexp: () => /(a+)+$/,
  frozen: () => Object.freeze({ a: 1 }),
  inherited: () => Object.create({ type: 'function', name: 'inherited' }) as unknown,
};

/**
 * A placeholder for one of these values, so that inputs can be printed and shrunk. `made` replaces it with a new value.
 */
class Stand {
  readonly of: string;
  constructor(of: string) {
    this.of = of;
  }
  [fc.toStringMethod](): string {
    return `<${this.of}>`;
  }
}
export const live: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...Object.keys(LIVE).map((of) => new Stand(of))) },
  { weight: 3, arbitrary: json },
  {
    weight: 1,
    arbitrary: fc.anything({
      withBigInt: true,
      withDate: true,
      withMap: true,
      withNullPrototype: true,
      withObjectString: true,
      withSet: true,
      withSparseArray: true,
      withTypedArray: true,
      maxDepth: 3,
    }),
  },
);

/** The input with placeholders replaced by their values. */
export function made<T>(input: T): T {
  if (input instanceof Stand) return LIVE[input.of]?.() as T;
  if (Array.isArray(input)) return Array.from(input, made) as T;
  if (
    typeof input !== 'object' ||
    input === null ||
    ![Object.prototype, null].includes(Object.getPrototypeOf(input) as object | null)
  )
    return input;
  const copy = {};
  for (const [key, value] of Object.entries(input)) define(copy, key, made(value));
  return copy as T;
}

/** Also where the key is `__proto__`. */
function define(holder: object, key: string, value: unknown): void {
  Object.defineProperty(holder, key, { value, enumerable: true, configurable: true, writable: true });
}

/** The value as JSON. The largest number becomes one that is too large, which parses as Infinity. */
export function written(value: unknown): string {
  return (JSON.stringify(value) ?? 'null').replaceAll(String(Number.MAX_VALUE), '1e999');
}

interface Edit {
  where: number;
  how: 'replace' | 'remove' | 'rename' | 'double' | 'add';
  name: string;
  value: unknown;
}

/** A valid sample with up to four parts replaced, removed, renamed, duplicated, or extended; sometimes unchanged. */
export function spoiled(samples: readonly unknown[], value: fc.Arbitrary<unknown> = json): fc.Arbitrary<unknown> {
  const edit = fc.record({
    where: fc.nat({ max: 10_000 }),
    how: fc.constantFrom<Edit['how']>('replace', 'replace', 'replace', 'remove', 'rename', 'double', 'add'),
    name: word,
    value,
  });
  return fc.tuple(fc.constantFrom(...samples), fc.array(edit, { maxLength: 4 })).map(([sample, edits]) => {
    const root = { value: structuredClone(sample) };
    const slots = slotsOf(root);
    for (const { where, how, name, value } of edits) {
      const slot = slots[where % slots.length];
      if (slot) change(slot, how, name, value);
    }
    return root.value;
  });
}

type Slot = [holder: Record<string, unknown>, key: string];

/** Every path of a value. */
function slotsOf(root: object): Slot[] {
  const slots: Slot[] = [];
  const holders: object[] = [root];
  for (const holder of holders) {
    for (const [key, value] of Object.entries(holder)) {
      slots.push([holder as Record<string, unknown>, key]);
      if (
        Array.isArray(value) ||
        (typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype)
      )
        holders.push(value as object);
    }
  }
  return slots;
}

function change([holder, key]: Slot, how: Edit['how'], name: string, value: unknown): void {
  if (Array.isArray(holder)) return changeList(holder, Number(key), how, value);
  const put = (at: string, it: unknown): void => define(holder, at, it);
  if (how === 'replace') return put(key, value);
  if (how === 'add') return put(name, value);
  if (how !== 'remove') put(name, holder[key]);
  if (how !== 'double') delete holder[key];
}

function changeList(holder: unknown[], index: number, how: Edit['how'], value: unknown): void {
  if (how === 'remove') holder.splice(index, 1);
  else if (how === 'add') holder.push(value);
  else if (how === 'double') holder.push(holder[index]);
  else holder[index] = value;
}

const INSERTS = [
  ...WORDS,
  '"__proto__":{"a":1},',
  '"id":1,"id":2,',
  '1e400',
  '-',
  '9'.repeat(400),
  ',',
  ':',
  '}',
  ']',
  '{',
  '[',
  '['.repeat(20_000),
  '{"a":'.repeat(20_000),
  '"\\ud800"',
  '\\u0000',
  'true',
  '[]',
  '{}',
  'null,',
  '/*',
  '//',
];

/** A valid text that was cut, doubled, inserted into, or damaged in single characters, up to six times. */
export function damaged(samples: readonly string[]): fc.Arbitrary<string> {
  const position = fc.double({ min: 0, max: 1, noNaN: true });
  const edit = fc.record({
    from: position,
    length: fc.nat({ max: 40 }),
    how: fc.constantFrom('cut', 'keep', 'double', 'insert', 'flip', 'swap'),
    insert: fc.constantFrom(...INSERTS),
    bit: fc.nat({ max: 15 }),
  });
  return fc.tuple(fc.constantFrom(...samples), fc.array(edit, { maxLength: 6 })).map(([sample, edits]) => {
    let text = sample;
    for (const { from, length, how, insert, bit } of edits) {
      const at = Math.floor(from * text.length);
      const [head, part, tail] = [text.slice(0, at), text.slice(at, at + length), text.slice(at + length)];
      if (how === 'cut') text = head + tail;
      else if (how === 'keep') text = head;
      else if (how === 'double') text = head + part + part + tail;
      else if (how === 'insert') text = head + insert + text.slice(at);
      else if (how === 'flip') text = head + String.fromCharCode(text.charCodeAt(at) ^ (1 << bit)) + text.slice(at + 1);
      else text = head + insert + tail;
    }
    return text;
  });
}
