/** Owns the look at what the page offers under `Platform.OAuth2`, and at what its `configure()` answers, whatever form that has. */
import { cut, ownValue } from '../../agent/describe-cursor.ts';
import { describe } from '../../agent/describe.ts';
import { createHandles } from '../../agent/handles.ts';
import { apply, isArray, keys, mapEntries, mapNext, mapSize } from '../../agent/pristine.ts';
import { attempt, type Fn, isObject } from '../../agent/safe.ts';
import type { OAuth2Page } from '../contract.ts';
import type { Mask } from './mask.ts';
import { normalized } from './secrets.ts';

export interface FoundLibrary {
  library: OAuth2Page['library'];
  detail: string | null;
  /** `Platform`, and what stands there as `OAuth2`. */
  root: object | null;
  fn: Fn | null;
}

/** Reading it runs the page's getters, as any caller would. */
export function findLibrary(namespace: string, mask: Mask): FoundLibrary {
  try {
    const root = (globalThis as unknown as Record<string, unknown>)[namespace];
    if (!isObject(root)) return { library: 'absent', detail: null, root: null, fn: null };
    const fn = (root as Record<string, unknown>).OAuth2;
    if (fn === undefined || fn === null) return { library: 'absent', detail: null, root, fn: null };
    if (typeof fn !== 'function') return { library: 'not-a-function', detail: typeof fn, root, fn: null };
    return { library: 'ready', detail: null, root, fn: fn as Fn };
  } catch (thrown) {
    return { library: 'throws', detail: shortly(thrown, mask), root: null, fn: null };
  }
}

/** A property of the library as a reader of the page gets it; undefined when reading throws. */
export function memberOf(owner: unknown, name: string): unknown {
  return isObject(owner) ? attempt(() => (owner as Record<string, unknown>)[name]) : undefined;
}

export function textsOf(value: unknown, mask: Mask): string[] {
  const list: string[] = [];
  const length = isArray(value) ? (value as unknown[]).length : 0;
  for (let i = 0; i < length && i < 50; i++) {
    const item = (value as unknown[])[i];
    if (typeof item === 'string') list[list.length] = mask.word(item);
  }
  return list;
}

/** One service as the page names it. */
export interface Configured {
  name: string;
  configuration: object;
}

const OPTIONS = [
  'clientid',
  'clientsecret',
  'redirecturl',
  'authurl',
  'granttype',
  'granturl',
  'redirecturi',
  'authorizationurl',
  'tokenurl',
];

/** The configurations in an answer of `configure()`: an object or Map by name, or a list of objects that name themselves; null when it is none of these. */
export function readConfigurations(answer: unknown): Configured[] | null {
  if (!isObject(answer)) return null;
  const found: Configured[] = [];
  const add = (name: unknown, configuration: unknown): void => {
    if (typeof name === 'string' && isObject(configuration) && looksConfigured(configuration))
      found[found.length] = { name, configuration };
  };
  if (isArray(answer)) {
    const list = answer as unknown as unknown[];
    for (let i = 0; i < list.length && i < 1_000; i++) {
      const item = list[i];
      if (isObject(item))
        add(ownValue(item, 'service') ?? ownValue(item, 'name'), ownValue(item, 'configuration') ?? item);
    }
    return found.length > 0 || list.length === 0 ? found : null;
  }
  const size = attempt(() => mapSize(answer));
  if (size !== undefined) {
    const iterator = mapEntries(answer);
    for (let i = 0; i < size && i < 1_000; i++) {
      const pair = mapNext(iterator).value!;
      add(pair[0], pair[1]);
    }
    return found.length > 0 || size === 0 ? found : null;
  }
  const names = keys(answer);
  for (let i = 0; i < names.length && i < 1_000; i++) add(names[i], ownValue(answer, names[i]!));
  // An object without entries says that nothing is configured; a function, or one with other things, says nothing.
  return found.length > 0 || (typeof answer !== 'function' && names.length === 0) ? found : null;
}

/** Whether any option of the specification, or what others call it, is there. */
export function looksConfigured(configuration: object): boolean {
  const names = keys(configuration);
  for (let i = 0; i < names.length && i < 200; i++) {
    const bare = normalized(names[i]!);
    for (let j = 0; j < OPTIONS.length; j++) if (bare === OPTIONS[j]) return true;
  }
  return false;
}

/** The service as an object with the specified methods; null when the library gives none. */
export function instanceOf(fn: Fn, name: string): object | null {
  const given = attempt(() => apply(fn, undefined, [name]));
  return isObject(given) ? given : null;
}

/** What was thrown, in some words without secrets; and its code, where it has one. */
export function shortly(thrown: unknown, mask: Mask): string {
  if (typeof thrown === 'string') return mask.text(thrown);
  const inner = isObject(thrown) ? memberOf(thrown, 'error') : undefined;
  const message = isObject(thrown)
    ? (memberOf(thrown, 'message') ??
      memberOf(thrown, 'error_description') ??
      (isObject(inner) ? (memberOf(inner, 'message') ?? memberOf(inner, 'code')) : inner))
    : undefined;
  if (typeof message === 'string' && message !== '') return mask.text(message);
  const told = describe(thrown, { nodes: 5, chars: 300, depth: 1 }, createHandles());
  return cut('v' in told ? mask.text(`${told.v}`) : told.t, 300);
}

export function codeOf(thrown: unknown, mask: Mask): string | null {
  if (!isObject(thrown)) return null;
  const inner = memberOf(thrown, 'error');
  const code = memberOf(thrown, 'code') ?? (isObject(inner) ? memberOf(inner, 'code') : inner);
  return typeof code === 'string' ? mask.word(code) : typeof code === 'number' ? `${code}` : null;
}
