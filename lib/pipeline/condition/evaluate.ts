/** Builds the closures for names, literals, and arrow functions. */
import type { Context } from '../types.ts';
import { boundLength, spend, spendOn, spendOnText } from './limits.ts';
import { allow, toKey, visible } from './values.ts';

/** The parameters of an arrow function, and of the functions around it. */
export interface Scope {
  readonly values: readonly unknown[];
  readonly parent: Scope | null;
}

/** The closure that a node of the syntax tree compiles to. */
export type Evaluate = (context: Context, scope: Scope | null) => unknown;

/** An argument, or an item of an array literal. `spread` inserts all of its items. */
export interface Item {
  readonly value: Evaluate;
  readonly spread: boolean;
}

export function evaluateItems(items: readonly Item[], context: Context, scope: Scope | null): unknown[] {
  const values: unknown[] = [];
  for (const { value, spread } of items) {
    const item = value(context, scope);
    if (!spread) values.push(item);
    else {
      for (const part of item as Iterable<unknown>) {
        spend(1);
        values.push(visible(part));
      }
    }
  }
  return values;
}

export const constant =
  (value: unknown): Evaluate =>
  () =>
    value;

/** A name in the context. `fallback` provides its value if the context has no such property. */
export const nameOr =
  (name: string, fallback: Evaluate): Evaluate =>
  (context, scope) =>
    Object.hasOwn(context, name) ? visible(context[name]) : fallback(context, scope);

export const parameter =
  (depth: number, index: number): Evaluate =>
  (_context, scope) => {
    let found = scope;
    for (let level = depth; level > 0; level--) found = found?.parent ?? null;
    return visible(found?.values[index]);
  };

export const conditional =
  (test: Evaluate, consequent: Evaluate, alternate: Evaluate): Evaluate =>
  (context, scope) =>
    test(context, scope) ? consequent(context, scope) : alternate(context, scope);

export const array =
  (items: readonly Item[]): Evaluate =>
  (context, scope) => {
    const values = evaluateItems(items, context, scope);
    spendOn(values);
    return values;
  };

/** Evaluates properties in order. A null key spreads the value’s own properties. */
export const object =
  (properties: readonly { key: Evaluate | null; value: Evaluate }[]): Evaluate =>
  (context, scope) => {
    const entries: [string | number, unknown][] = [];
    for (const { key, value } of properties) {
      if (key) entries.push([toKey(key(context, scope)), value(context, scope)]);
      else {
        const spread = Object.entries((value(context, scope) ?? {}) as object);
        spend(spread.length);
        for (const entry of spread) entries.push(entry);
      }
      spend(1);
    }
    // Defines own properties, even for `__proto__` from a spread.
    return Object.fromEntries(entries);
  };

export const template =
  (strings: readonly string[], values: readonly Evaluate[]): Evaluate =>
  (context, scope) => {
    let text = strings[0] ?? '';
    values.forEach((evaluate, index) => {
      const value = evaluate(context, scope);
      if (typeof value === 'object') spendOnText(value);
      text += `${value as string}${strings[index + 1] ?? ''}`;
      boundLength(text.length);
    });
    return text;
  };

export const arrow =
  (body: Evaluate): Evaluate =>
  (context, parent) =>
    allow((...values: unknown[]) => {
      spend(1);
      return body(context, { values, parent });
    });
