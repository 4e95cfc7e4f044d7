/** Owns the closures that a condition is made of: each takes the context and the arrow functions' parameters, and answers a value. */
import type { Context } from '../types.ts';
import { ConditionError, describeThrown } from '../errors.ts';
import { type Evaluate, type Place, type Scope, brief, failed } from './closure.ts';
import { boundText, spend, spendOn } from './limits.ts';
import { type Key, extend, path } from './path.ts';
import { methodOf } from './methods.ts';
import { allow, isSafeFunction, own, toKey, visible } from './values.ts';

/** Items of a list: `spread` ones bring in all of theirs. */
export interface Item {
  value: Evaluate;
  spread: boolean;
}

/** What a chain answers once an optional link found nothing; it never leaves the chain. */
const NOTHING = Object.freeze({});

/** A link of a chain after `object`; `use` gets its value, which is neither undefined nor null. */
function link(
  object: Evaluate,
  optional: boolean,
  chained: boolean,
  place: Place,
  missing: string,
  use: (value: unknown, context: Context, scope: Scope | null) => unknown,
): Evaluate {
  const fail = (value: unknown): never => {
    throw failed(`${brief(place.text)} is ${String(value)}, so ${missing}.`, place);
  };
  if (!optional && !chained) {
    return (context, scope) => {
      const value = object(context, scope);
      return value === undefined || value === null ? fail(value) : use(value, context, scope);
    };
  }
  return (context, scope) => {
    const value = object(context, scope);
    if (value === NOTHING) return NOTHING;
    if (value === undefined || value === null) return optional ? NOTHING : fail(value);
    return use(value, context, scope);
  };
}

/** Ends a chain that has an optional link. */
export const endChain =
  (chain: Evaluate): Evaluate =>
  (context, scope) => {
    const value = chain(context, scope);
    return value === NOTHING ? undefined : value;
  };

export function member(
  object: Evaluate,
  key: Key | Evaluate,
  optional: boolean,
  chained: boolean,
  place: Place,
): Evaluate {
  if (typeof key === 'function') {
    return link(object, optional, chained, place, 'its members cannot be read', (value, context, scope) =>
      own(value, toKey(key(context, scope))),
    );
  }
  if (optional || chained)
    return link(object, optional, chained, place, `its member ${JSON.stringify(key)} cannot be read`, (value) =>
      own(value, key),
    );
  return extend(object, key, place);
}

/** `object.key(args)`; `call` is the whole call. */
export function methodCall(
  object: Evaluate,
  key: Key | Evaluate,
  args: readonly Item[],
  optional: { member: boolean; call: boolean; chained: boolean },
  place: Place,
  call: Place,
): Evaluate {
  return link(
    object,
    optional.member,
    optional.chained,
    place,
    'nothing can be called on it',
    (value, context, scope) => {
      const name = String(typeof key === 'function' ? toKey(key(context, scope)) : key);
      const method = methodOf(value, name);
      if (!method) {
        if (optional.call && own(value, name) === undefined) return NOTHING;
        throw failed(`${brief(place.text)} has no method ${JSON.stringify(name)} that a condition may call.`, call);
      }
      return invoke(method, list(args, context, scope), call);
    },
  );
}

/** `callee(args)` */
export function plainCall(
  callee: Evaluate,
  args: readonly Item[],
  optional: boolean,
  chained: boolean,
  place: Place,
  call: Place,
): Evaluate {
  return link(callee, optional, chained, place, 'it cannot be called', (fn, context, scope) => {
    if (!isSafeFunction(fn)) throw failed(`${brief(place.text)} is not a function that a condition may call.`, call);
    return invoke((given) => fn(...given), list(args, context, scope), call);
  });
}

function invoke(fn: (args: unknown[]) => unknown, args: unknown[], call: Place): unknown {
  try {
    const value = fn(args);
    spendOn(value);
    return visible(value);
  } catch (thrown) {
    throw thrown instanceof ConditionError
      ? thrown
      : failed(`${brief(call.text)} failed: ${describeThrown(thrown)}`, call, thrown);
  }
}

/** The values of a list of arguments or items. */
export function list(items: readonly Item[], context: Context, scope: Scope | null): unknown[] {
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

export const array =
  (items: readonly Item[]): Evaluate =>
  (context, scope) => {
    const values = list(items, context, scope);
    spendOn(values);
    return values;
  };

export const arrow =
  (body: Evaluate): Evaluate =>
  (context, parent) =>
    allow((...values: unknown[]) => {
      spend(1);
      return body(context, { values, parent });
    });

/** A parameter of the arrow function `depth` levels out. */
export const parameter =
  (depth: number, index: number): Evaluate =>
  (_context, scope) => {
    let at = scope;
    for (let level = depth; level > 0; level--) at = at?.parent ?? null;
    return visible(at?.values[index]);
  };

/** A name of the context; `fallback` is what it means when the context has none. */
export const name = (key: string, fallback: unknown): Evaluate =>
  fallback === undefined
    ? path(null, [key], [])
    : (context) => (Object.hasOwn(context, key) ? visible(context[key]) : fallback);

export const constant =
  (value: unknown): Evaluate =>
  () =>
    value;

/** Properties in order; a key of null spreads the value's own ones. */
export const object =
  (properties: readonly { key: Evaluate | null; value: Evaluate }[]): Evaluate =>
  (context, scope) => {
    const entries: [string | number, unknown][] = [];
    for (const { key, value } of properties) {
      if (key) entries.push([toKey(key(context, scope)), value(context, scope)]);
      else for (const entry of Object.entries((value(context, scope) ?? {}) as object)) entries.push(entry);
      spend(1);
    }
    // Defines own properties, also one named __proto__ that was spread in.
    return Object.fromEntries(entries);
  };

export const template =
  (texts: readonly string[], values: readonly Evaluate[]): Evaluate =>
  (context, scope) => {
    let text = texts[0] ?? '';
    values.forEach((value, index) => {
      text += `${value(context, scope) as string}${texts[index + 1] ?? ''}`;
      boundText(text.length);
    });
    return text;
  };
