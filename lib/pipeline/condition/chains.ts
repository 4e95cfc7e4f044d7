/** Builds the closures for the links of a chain: computed and optional members, method calls, and calls. */
import { ConditionError, describeThrown, quote } from '../errors.ts';
import { type Evaluate, type Item, type Scope, evaluateItems } from './evaluate.ts';
import { type SourceLocation, conditionFailed, excerpt, quoteKey } from './failures.ts';
import { spendOn } from './limits.ts';
import { methodOf } from './methods.ts';
import type { Context } from '../types.ts';
import type { Key } from './syntax/tree.ts';
import { isSafeFunction, readProperty, toKey, visible } from './values.ts';

/** One link of a chain. */
export interface Link {
  /** The expression before the link. */
  object: Evaluate;
  /** Whether the link is written with `?.`. */
  optional: boolean;
  /** Whether an earlier link of the chain is optional. */
  chained: boolean;
  /** The object’s location. */
  location: SourceLocation;
}

/** The value of a chain after an optional link has found nothing. Never visible outside the chain. */
export const NOTHING = Object.freeze({});

/** `use` receives the object’s value, which is neither undefined nor null. */
function link(
  { object, optional, chained, location }: Link,
  attempt: (source: string) => string,
  use: (value: unknown, context: Context, scope: Scope | null) => unknown,
): Evaluate {
  const fail = (value: unknown): never => {
    const source = excerpt(location.text);
    throw conditionFailed(`Couldn’t ${attempt(source)}: ${source} is ${String(value)}.`, location);
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

export const endChain =
  (chain: Evaluate): Evaluate =>
  (context, scope) => {
    const value = chain(context, scope);
    return value === NOTHING ? undefined : value;
  };

export function member(of: Link, key: Key | Evaluate): Evaluate {
  if (typeof key !== 'function')
    return link(
      of,
      () => `read ${quoteKey(key)}`,
      (value) => readProperty(value, key),
    );
  return link(
    of,
    () => 'read a member',
    (value, context, scope) => readProperty(value, toKey(key(context, scope))),
  );
}

/** `object.key(args)` and `object.key?.(args)`. `call` is the location of the entire call. */
export function methodCall(
  of: Link,
  key: Key | Evaluate,
  args: readonly Item[],
  optionalCall: boolean,
  call: SourceLocation,
): Evaluate {
  const attempt = (): string => (typeof key === 'function' ? 'call a method' : `call ${quote(String(key))}`);
  return link(of, attempt, (value, context, scope) => {
    const name = String(typeof key === 'function' ? toKey(key(context, scope)) : key);
    const method = methodOf(value, name);
    if (method) return invoke(method, evaluateItems(args, context, scope), call);
    if (optionalCall && isMissing(Object(value) as object, name)) return NOTHING;
    const object = excerpt(of.location.text);
    throw conditionFailed(
      `Couldn’t call ${quote(name)}: ${object} doesn’t have this method, or conditions can’t call it.`,
      call,
    );
  });
}

/** Whether JavaScript finds nothing to call. */
function isMissing(object: object, name: string): boolean {
  if (!Object.hasOwn(object, name)) return !(name in object);
  const value = (object as Record<string, unknown>)[name];
  return value === undefined || value === null;
}

/** `callee(args)`. `call` is the location of the entire call. */
export function plainCall(of: Link, args: readonly Item[], call: SourceLocation): Evaluate {
  return link(
    of,
    (source) => `call ${source}`,
    (fn, context, scope) => {
      if (isSafeFunction(fn)) return invoke((values) => fn(...values), evaluateItems(args, context, scope), call);
      const callee = excerpt(of.location.text);
      throw conditionFailed(`Couldn’t call ${callee}: it isn’t a function that conditions can call.`, call);
    },
  );
}

function invoke(fn: (args: unknown[]) => unknown, args: unknown[], call: SourceLocation): unknown {
  try {
    const value = fn(args);
    spendOn(value);
    return visible(value);
  } catch (thrown) {
    if (thrown instanceof ConditionError) throw thrown;
    throw conditionFailed(`${excerpt(call.text)} failed: ${describeThrown(thrown)}`, call, thrown);
  }
}
