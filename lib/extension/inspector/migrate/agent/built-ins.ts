/** Finds the built-ins that a page replaced before the prover came, as far as the page doesn’t hide it. */
import { USED } from '../../run/agent/debug/built-ins.ts';

const ALSO_USED: readonly (readonly [holder: object, names: string])[] = [
  [globalThis, 'Array Error Map Object Promise Set WeakMap WeakSet'],
  [Promise, 'race resolve'],
  [Promise.prototype, 'then'],
  [JSON, 'parse stringify'],
];

const sourceOf = Function.prototype.toString;

export function replacedBuiltIns(): string[] {
  const added = [Object.prototype, Array.prototype].some((prototype) => 'toJSON' in prototype) ? ['toJSON'] : [];
  const replaced = [...USED, ...ALSO_USED].flatMap(([holder, names]) =>
    names
      .split(' ')
      .filter((name) => name in holder && !isNative(Object.getOwnPropertyDescriptor(holder, name)?.value)),
  );
  return [...replaced, ...added];
}

function isNative(value: unknown): boolean {
  return typeof value === 'function' && /\{\s*\[native code\]\s*\}$/.test(sourceOf.call(value));
}
