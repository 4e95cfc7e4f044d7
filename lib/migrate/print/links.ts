/** Decides which links of a chain mean the same in JavaScript, and which need a helper. */
import {
  type Argument,
  type Call,
  type Expression,
  GLOBALS,
  type Key,
  kindsWithMethod,
  type Member,
  type MethodCall,
} from '../../pipeline/syntax.ts';
import { isInherited, kindsInJavaScript } from './inherited.ts';
import type { Kind } from './kinds.ts';
import { UntranslatableError } from './untranslatable.ts';

export type Link = Member | Call | MethodCall;

/** Names that conditions can’t use as members. */
export const FORBIDDEN: ReadonlySet<string> = new Set(['constructor', '__proto__', 'prototype']);
/** Methods that leave the array as it is in V2, under the names that they have in JavaScript. */
export const COPYING: ReadonlyMap<string, string> = new Map([
  ['sort', 'toSorted'],
  ['reverse', 'toReversed'],
]);
/** They convert strings to regular expressions in JavaScript, and refuse them in V2. */
const WITH_PATTERN: ReadonlySet<string> = new Set(['match', 'matchAll', 'search']);
/** Iterators have methods in JavaScript, but not in V2. */
const ITERATORS: ReadonlySet<string> = new Set(['entries', 'keys', 'values', 'matchAll']);

export const isLink = (node: Expression): node is Link =>
  node.kind === 'member' || node.kind === 'call' || node.kind === 'methodCall';

/** What a link follows. */
export const baseOf = (link: Link): Expression => (link.kind === 'call' ? link.callee : link.object);

export const isOptional = (link: Link): boolean => link.optional || (link.kind === 'methodCall' && link.optionalCall);

/** The links of a chain, first to last. */
export function linksOf(last: Link): Link[] {
  const links: Link[] = [];
  for (let node: Expression = last; isLink(node); node = baseOf(node)) links.unshift(node);
  return links;
}

/** @throws UntranslatableError for members of global names that V2 doesn’t have */
export function needsHelper(link: Link, kindOf: (node: Argument) => Kind): boolean {
  if (link.kind === 'call') return false;
  const { key, object } = link;
  if (object.kind === 'name' && GLOBALS.has(object.name)) {
    refuseUnknownMember(object.name, key);
    return false;
  }
  if (link.kind === 'member') return typeof key === 'object' ? kindOf(key) !== 'number' : isInherited(key);
  return typeof key === 'string' && methodNeedsHelper(link, key, kindOf(object));
}

function methodNeedsHelper({ object, args }: MethodCall, key: string, kind: Kind): boolean {
  if (key === 'hasOwnProperty') return true;
  if (object.kind === 'methodCall' && typeof object.key === 'string' && ITERATORS.has(object.key)) return true;
  if (WITH_PATTERN.has(key)) return args[0]?.kind !== 'regexp';
  const inV2: readonly string[] = kindsWithMethod(key);
  if (inV2.includes(kind)) return false;
  return inV2.length === 0 || kindsInJavaScript(COPYING.get(key) ?? key).some((other) => !inV2.includes(other));
}

function refuseUnknownMember(name: string, key: Key | Expression): void {
  const members = GLOBALS.get(name) as object;
  if (typeof key !== 'string' || !Object.hasOwn(members, key))
    throw new UntranslatableError(`Conditions have no ${name}.${typeof key === 'object' ? '[…]' : key}.`);
}
