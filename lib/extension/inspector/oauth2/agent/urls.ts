/** Compares and parses URLs and messages from redirect pages. All results are masked before they are reported. */
import { descriptorOf, indexOf, isArray, keys, slice, urlHref, UrlOf } from '../../agent/pristine.ts';
import { attempt, includes, isObject } from '../../agent/safe.ts';
import type { Mask } from './mask.ts';

const MAX_PARAMETERS = 30;
/** Message properties that contain a whole query or URL. */
const QUERY_PROPERTIES = ['query', 'fragment', 'url', 'search', 'hash'];

/** The URL without its query and fragment. */
export function withoutQuery(url: string): string {
  const hash = indexOf(url, '#');
  const whole = hash < 0 ? url : slice(url, 0, hash);
  const question = indexOf(whole, '?');
  return question < 0 ? whole : slice(whole, 0, question);
}

/** Whether `url`, which has no query, equals `other` without its query. */
export function isSameUrl(url: string, other: string): boolean {
  return other !== '' && url === withoutQuery(absoluteUrl(other));
}

export function absoluteUrl(url: string): string {
  return indexOf(url, '://') > 0 ? url : (attempt(() => urlHref!(new UrlOf(url, location.href))) ?? url);
}

/** Joins a relative path to `baseUrl` according to the specification. */
export function joinUrl(base: string, path: string): string {
  if (indexOf(path, '://') > 0 || base === '') return absoluteUrl(path);
  const end = base[base.length - 1] === '/' ? slice(base, 0, -1) : base;
  return `${end}${path[0] === '/' ? '' : '/'}${path}`;
}

/** The parameter names and the service's error code in a message from a redirect page. */
export function parameterNames(data: unknown, mask: Mask): { parameters: string[]; error: string | null } {
  const parameters: string[] = [];
  let error: string | null = null;
  const add = (name: string, value: unknown): void => {
    if (parameters.length < 20) parameters[parameters.length] = mask.word(name);
    if (name === 'error' && typeof value === 'string') error = mask.word(value);
  };
  if (typeof data === 'string') readQuery(data, add);
  else if (isObject(data) && !isArray(data)) {
    const names = keys(data);
    for (let i = 0; i < names.length && i < MAX_PARAMETERS; i++) {
      const value: unknown = descriptorOf(data, names[i]!)?.value;
      if (typeof value === 'string' && includes(QUERY_PROPERTIES, names[i]!)) readQuery(value, add);
      else add(names[i]!, value);
    }
  }
  return { parameters, error };
}

function readQuery(text: string, add: (name: string, value: string) => void): void {
  let from = 0;
  for (let i = 0; i < text.length && i < 5_000; i++) if (text[i] === '?' || text[i] === '#') from = i + 1;
  for (let count = 0; count < MAX_PARAMETERS && from < text.length; count++) {
    let end = indexOf(text, '&', from);
    if (end < 0) end = text.length;
    const part = slice(text, from, end);
    const equals = indexOf(part, '=');
    if (equals > 0) add(slice(part, 0, equals), slice(part, equals + 1));
    from = end + 1;
  }
}
