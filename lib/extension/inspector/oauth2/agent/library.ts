/** Finds `Platform.OAuth2` in the page, and reads the result of its `configure()` in any supported shape. */
import { describe } from '../../agent/describe/describe.ts';
import { cut, ownValue } from '../../agent/describe/describe-cursor.ts';
import { createHandles } from '../../agent/handles.ts';
import { readNamespace } from '../../agent/namespace.ts';
import { apply, isArray, keys, mapEntries, mapNext, mapSize } from '../../agent/pristine.ts';
import { attempt, type Fn, includes, isObject, readProperty, stringsIn } from '../../agent/safe.ts';
import type { OAuth2Page } from '../contract.ts';
import type { Mask } from './mask.ts';
import { normalize } from '../../../../shared/secrets/secret-names.ts';

const MAX_FEATURES = 50;
const MAX_CONFIGURATIONS = 1_000;
const MAX_OPTIONS = 200;

export interface FoundLibrary {
  library: OAuth2Page['library'];
  detail: string | null;
  /** `Platform`, which contains `OAuth2`. */
  root: object | null;
  fn: Fn | null;
}

/** Reading the library runs the page's getters, as it would for any caller. */
export function findLibrary(namespace: string, mask: Mask): FoundLibrary {
  try {
    const root = readNamespace(namespace);
    if (!isObject(root)) return { library: 'absent', detail: null, root: null, fn: null };
    const fn = (root as Record<string, unknown>).OAuth2;
    if (fn === undefined || fn === null) return { library: 'absent', detail: null, root, fn: null };
    if (typeof fn !== 'function') return { library: 'not-a-function', detail: typeof fn, root, fn: null };
    return { library: 'ready', detail: null, root, fn: fn as Fn };
  } catch (thrown) {
    return { library: 'throws', detail: summarize(thrown, mask), root: null, fn: null };
  }
}

export function readFeatures(fn: Fn, mask: Mask): string[] {
  const features = stringsIn(readProperty(fn, 'features'), MAX_FEATURES);
  for (let i = 0; i < features.length; i++) features[i] = mask.word(features[i]!);
  return features;
}

/** A service's configuration with its name in the page. */
export interface Configured {
  name: string;
  configuration: object;
}

/** Options from the specification, and common alternative names for them. */
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

/**
 * Reads the configurations that `configure()` returned: an object or Map by name, or a list of objects with names.
 * Returns null for anything else.
 */
export function readConfigurations(returned: unknown): Configured[] | null {
  if (!isObject(returned)) return null;
  if (isArray(returned)) return readList(returned as unknown[]);
  const size = attempt(() => mapSize(returned));
  return size === undefined ? readObject(returned) : readMap(returned, size);
}

function readList(list: unknown[]): Configured[] | null {
  const found: Configured[] = [];
  for (let i = 0; i < list.length && i < MAX_CONFIGURATIONS; i++) {
    const item = list[i];
    if (!isObject(item)) continue;
    const name = ownValue(item, 'service') ?? ownValue(item, 'name');
    add(found, name, ownValue(item, 'configuration') ?? item);
  }
  return found.length > 0 || list.length === 0 ? found : null;
}

function readMap(map: object, size: number): Configured[] | null {
  const found: Configured[] = [];
  const iterator = mapEntries(map);
  for (let i = 0; i < size && i < MAX_CONFIGURATIONS; i++) {
    const pair = mapNext(iterator).value!;
    add(found, pair[0], pair[1]);
  }
  return found.length > 0 || size === 0 ? found : null;
}

function readObject(object: object): Configured[] | null {
  const found: Configured[] = [];
  const names = keys(object);
  for (let i = 0; i < names.length && i < MAX_CONFIGURATIONS; i++) add(found, names[i], ownValue(object, names[i]!));
  // An empty object means that nothing is configured. A function, or an object with other entries, is inconclusive.
  return found.length > 0 || (typeof object !== 'function' && names.length === 0) ? found : null;
}

function add(found: Configured[], name: unknown, configuration: unknown): void {
  if (typeof name === 'string' && isObject(configuration) && looksConfigured(configuration))
    found[found.length] = { name, configuration };
}

/** Whether an object has at least one known option. */
export function looksConfigured(configuration: object): boolean {
  const names = keys(configuration);
  for (let i = 0; i < names.length && i < MAX_OPTIONS; i++) if (includes(OPTIONS, normalize(names[i]!))) return true;
  return false;
}

/** The service as an object with the specified methods, or null if the library returns none. */
export function instanceOf(fn: Fn, name: string): object | null {
  const instance = attempt(() => apply(fn, undefined, [name]));
  return isObject(instance) ? instance : null;
}

/** A short description of a thrown value, without secrets. */
export function summarize(thrown: unknown, mask: Mask): string {
  if (typeof thrown === 'string') return mask.text(thrown);
  const inner = readProperty(thrown, 'error');
  const message =
    readProperty(thrown, 'message') ??
    readProperty(thrown, 'error_description') ??
    (isObject(inner) ? (readProperty(inner, 'message') ?? readProperty(inner, 'code')) : inner);
  if (typeof message === 'string' && message !== '') return mask.text(message);
  const value = describe(thrown, { nodes: 5, chars: 300, depth: 1 }, createHandles());
  return cut('v' in value ? mask.text(`${value.v}`) : value.t, 300);
}

/** A thrown value's code, or null if it has none. */
export function errorCode(thrown: unknown, mask: Mask): string | null {
  const inner = readProperty(thrown, 'error');
  const code = readProperty(thrown, 'code') ?? (isObject(inner) ? readProperty(inner, 'code') : inner);
  return typeof code === 'string' ? mask.word(code) : typeof code === 'number' ? `${code}` : null;
}
