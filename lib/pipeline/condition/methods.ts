/** Defines the methods that conditions can call. None of them changes its object. */
import { boundLength, isLong, spend, spendOnEquality, spendOnText } from './limits.ts';
import { bounded } from './patterns/bounded.ts';
import { isSafeFunction, ownProperty } from './values.ts';

type Method = (self: never, args: unknown[]) => unknown;

/** Array methods that change the array, and alternatives for each. */
export const MUTATORS: ReadonlyMap<string, string> = new Map([
  ['push', 'concat or [...array, item]'],
  ['unshift', '[item, ...array]'],
  ['pop', 'at(-1) or slice(0, -1)'],
  ['shift', 'at(0) or slice(1)'],
  ['splice', 'toSpliced'],
  ['fill', 'map'],
  ['copyWithin', 'slice'],
]);

function pick(prototype: object, names: string): Map<string, Method> {
  const methods = new Map<string, Method>();
  for (const name of names.split(' ')) {
    const fn: unknown = Reflect.get(prototype, name);
    if (typeof fn === 'function') methods.set(name, (self, args) => Reflect.apply(fn, self, args));
  }
  return methods;
}

const DATE_NAMES =
  'toISOString toJSON toString toDateString toTimeString toUTCString toLocaleString toLocaleDateString toLocaleTimeString ' +
  'valueOf getTime getTimezoneOffset' +
  ['FullYear', 'Month', 'Date', 'Day', 'Hours', 'Minutes', 'Seconds', 'Milliseconds']
    .map((part) => ` get${part} getUTC${part}`)
    .join('');

const string = pick(
  String.prototype,
  'at charAt charCodeAt codePointAt concat endsWith includes indexOf lastIndexOf localeCompare match matchAll normalize padEnd ' +
    'padStart repeat replace replaceAll search slice split startsWith substring substr toLowerCase toUpperCase ' +
    'toLocaleLowerCase toLocaleUpperCase trim trimStart trimEnd toString valueOf',
);
const number = pick(Number.prototype, 'toFixed toPrecision toExponential toString toLocaleString valueOf');
const boolean = pick(Boolean.prototype, 'toString valueOf');
const array = pick(
  Array.prototype,
  'at concat entries every filter find findIndex findLast findLastIndex forEach includes indexOf join keys lastIndexOf map ' +
    'reduce reduceRight slice some toReversed toSorted toSpliced toString toLocaleString values with',
);
const date = pick(Date.prototype, DATE_NAMES);
const regexp = pick(RegExp.prototype, 'exec test toString');

function wrap<Self>(
  methods: Map<string, Method>,
  names: string,
  around: (call: (args: unknown[], on?: Self) => unknown, self: Self, args: unknown[], name: string) => unknown,
): void {
  for (const name of names.split(' ')) {
    const method = methods.get(name);
    if (method)
      methods.set(name, (self: never, args) =>
        around((given, on) => method((on ?? self) as never, given), self, args, name),
      );
  }
}

wrap<string>(string, [...string.keys()].join(' '), (call, self, args) => (spend(self.length / 1024), call(args)));
// Engines search backward in a time of both lengths.
wrap<string>(string, 'lastIndexOf', (call, self, [text, ...rest]) => {
  const wanted = `${text as string}`;
  spend((self.length * wanted.length) / 256);
  return call([wanted, ...rest]);
});
wrap<string>(
  string,
  'padEnd padStart',
  (call, _self, [length, ...rest]) => (boundLength(Number(length)), call([Number(length), ...rest])),
);
wrap<string>(
  string,
  'repeat',
  (call, self, [count]) => (boundLength(self.length * Number(count)), call([Number(count)])),
);
// These would convert strings to regular expressions. Matching a copy preserves the state of the regular expression.
wrap<string>(string, 'match matchAll search', (call, self, [pattern], name) => {
  if (!(pattern instanceof RegExp)) throw new TypeError(`${name} needs a regular expression, such as /a+/.`);
  return call([bounded(pattern, self)]);
});
wrap<string>(string, 'replace replaceAll split', (call, self, [pattern, ...rest]) => {
  if (typeof rest[0] === 'string') boundLength((self.length + 1) * rest[0].length);
  return call([pattern instanceof RegExp ? bounded(pattern, self) : pattern, ...rest]);
});
wrap<RegExp>(regexp, 'exec test', (call, self, [given]) => {
  const text = `${given as string}`;
  spend(text.length / 1024);
  return call([text], bounded(self, text));
});
wrap<RegExp>(regexp, 'toString', (call, self) => call([], new RegExp(self)));

wrap<unknown[]>(array, 'includes indexOf lastIndexOf', (call, self, args) => {
  const [wanted] = args;
  if (typeof wanted === 'string' && isLong(wanted))
    for (let index = 0; index < self.length; index++) {
      const item = self[index];
      if (typeof item === 'string') spendOnEquality(item, wanted);
    }
  return call(args);
});
wrap<unknown[]>(
  array,
  [...array.keys()].filter((name) => name !== 'at').join(' '),
  (call, self, args) => (spend(self.length / 64), call(args)),
);
wrap<unknown[]>(array, 'concat', (call, self, args) => {
  for (const part of [self, ...args]) spend(Array.isArray(part) ? part.length : 1);
  return call(args);
});
wrap<unknown[]>(
  array,
  'toSpliced toSorted toReversed with slice join',
  (call, self, args) => (spend(self.length), call(args)),
);
wrap<unknown[]>(array, 'join', (call, self, args) => {
  if (args[0] !== undefined) args[0] = String(args[0]);
  boundLength(self.length * String(args[0] ?? ',').length);
  return call(args);
});
// In JavaScript, these two change the array. Conditions get the same value, computed from a copy.
for (const name of ['sort', 'toSorted']) array.set(name, sorted);
array.set('reverse', (self: unknown[]) => (spend(self.length), Array.from(self).reverse()));
array.set('flat', (self: unknown[], [depth]) => flatten(self, depth === undefined ? 1 : Number(depth), []));
array.set('flatMap', (self: unknown[], args) => flatten(array.get('map')?.(self as never, args) as unknown[], 1, []));

function sorted(self: unknown[], args: unknown[]): unknown[] {
  spend(self.length);
  const copy = Array.from(self);
  // How often each item is compared as text, more or less. A given function counts its own work.
  const times = args[0] === undefined ? Math.log2(copy.length) : 0;
  for (const item of copy)
    if (typeof item === 'object' || isLong(item)) for (let n = 0; n < times; n++) spendOnText(item);
  return Reflect.apply(Array.prototype.sort, copy, args) as unknown[];
}

function flatten(list: unknown[], depth: number, into: unknown[]): unknown[] {
  spend(list.length + 1);
  list.forEach((item) => {
    if (depth >= 1 && Array.isArray(item)) flatten(item, depth - 1, into);
    else into.push(item);
  });
  return into;
}

const METHODS = { string, number, boolean, array, date, regexp };
/** A kind of value that has methods. */
export type MethodKind = keyof typeof METHODS;

/** The kinds of values on which conditions can call this method. */
export function kindsWithMethod(name: string): MethodKind[] {
  return (Object.keys(METHODS) as MethodKind[]).filter((kind) => METHODS[kind].has(name));
}

function methodsOf(self: unknown): Map<string, Method> | undefined {
  if (typeof self === 'string') return string;
  if (typeof self === 'number') return number;
  if (typeof self === 'boolean') return boolean;
  if (Array.isArray(self)) return array;
  if (self instanceof Date) return date;
  return self instanceof RegExp ? regexp : undefined;
}

/** Binds method `name` of `self`, which is neither undefined nor null. Undefined if there is no such method. */
export function methodOf(self: unknown, name: string): ((args: unknown[]) => unknown) | undefined {
  const property = ownProperty(self, name);
  if (isSafeFunction(property)) return (args) => property(...args);
  if (name === 'hasOwnProperty')
    return ([key]) => (spendOnText(key), Object.hasOwn(self as object, key as PropertyKey));
  const method = methodsOf(self)?.get(name);
  if (!method) return undefined;
  const isList = Array.isArray(self);
  return (args) => {
    for (let index = 0; index < args.length; index++) {
      const arg = args[index];
      // Methods of arrays hardly ever convert an array.
      if (typeof arg === 'string' ? isLong(arg) : !isList && typeof arg === 'object') spendOnText(arg);
    }
    return method(self as never, args);
  };
}
