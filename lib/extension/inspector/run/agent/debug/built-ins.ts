/**
 * Notices whether the page has replaced built-ins since the agent was installed. Recording shares its code with servers and
 * tests, so it uses built-ins as they are, and doesn't start on such a page.
 */
import { descriptorOf, getPrototypeOf, hasOwn, split } from '../../../agent/pristine.ts';

/** What recording and comparing use. */
export const USED: readonly [holder: object, names: string][] = [
  [
    Array.prototype,
    'at concat entries every filter find findIndex findLast flatMap forEach includes indexOf join keys map pop push reverse slice some sort splice values',
  ],
  [Array, 'from isArray'],
  [
    Object,
    'assign create defineProperty entries freeze fromEntries getOwnPropertyDescriptor getPrototypeOf hasOwn is keys values',
  ],
  [String.prototype, 'charCodeAt endsWith includes indexOf lastIndexOf replace replaceAll slice split startsWith trim'],
  [Number, 'isFinite isInteger isNaN isSafeInteger'],
  [Math, 'ceil floor max min random round trunc'],
  [Map.prototype, 'clear delete entries forEach get has keys set values'],
  [Set.prototype, 'add delete has values'],
  [WeakMap.prototype, 'get has set'],
  [WeakSet.prototype, 'add has'],
  [Date, 'now'],
  [Date.prototype, 'getTime toISOString'],
];

/** Doesn't run getters, which a page can have put there. */
function valueOf(holder: object, name: PropertyKey): unknown {
  const found = descriptorOf(holder, name);
  return found && hasOwn(found, 'value') ? found.value : undefined;
}

const known: { holder: object; name: PropertyKey; value: unknown }[] = [];
function remember(holder: object, name: PropertyKey): void {
  known[known.length] = { holder, name, value: valueOf(holder, name) };
}
for (let i = 0; i < USED.length; i++) {
  const names = split(USED[i]![1], ' ');
  for (let j = 0; j < names.length; j++) remember(USED[i]![0], names[j]!);
}
const iterables = [[], '', new Map(), new Set()];
for (let i = 0; i < iterables.length; i++) {
  remember(getPrototypeOf(iterables[i]) as object, Symbol.iterator);
  remember(getPrototypeOf(iterables[i]![Symbol.iterator]()) as object, 'next');
}

export function hasReplacedBuiltIns(): boolean {
  for (let i = 0; i < known.length; i++) {
    const { holder, name, value } = known[i]!;
    if (valueOf(holder, name) !== value) return true;
  }
  return false;
}
