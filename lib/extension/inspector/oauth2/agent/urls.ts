/** Owns comparing and reading addresses and what redirect pages post, for the sight from outside; what is read here is masked before it is told. */
import { descriptorOf, indexOf, isArray, keys, optionalGetter, slice } from '../../agent/pristine.ts';
import { attempt, isObject } from '../../agent/safe.ts';
import type { Mask } from './mask.ts';

/** Without query and fragment. */
export function bare(url: string): string {
  const hash = indexOf(url, '#');
  const whole = hash < 0 ? url : slice(url, 0, hash);
  const question = indexOf(whole, '?');
  return question < 0 ? whole : slice(whole, 0, question);
}
/** Whether it is the other address, their queries apart. */
export function isOf(url: string, other: string): boolean {
  return other !== '' && url === bare(absolute(other));
}
const Address = URL;
const hrefOf = optionalGetter<string>(Address, 'href')!;
/** A full address, as the page's own is the base. */
export function absolute(url: string): string {
  return indexOf(url, '://') > 0 ? url : (attempt(() => hrefOf(new Address(url, location.href))) ?? url);
}
/** As the specification joins a relative path to `baseUrl`. */
export function joined(base: string, path: string): string {
  if (indexOf(path, '://') > 0 || base === '') return absolute(path);
  const end = base[base.length - 1] === '/' ? slice(base, 0, -1) : base;
  return `${end}${path[0] === '/' ? '' : '/'}${path}`;
}

/** Names of parameters, and the service's error code, in what a redirect page posted. */
export function namesIn(data: unknown, mask: Mask): { parameters: string[]; error: string | null } {
  const parameters: string[] = [];
  let error: string | null = null;
  const add = (name: string, value: unknown): void => {
    if (parameters.length < 20) parameters[parameters.length] = mask.word(name);
    if (name === 'error' && typeof value === 'string') error = mask.word(value);
  };
  if (typeof data === 'string') readQuery(data, add);
  else if (isObject(data) && !isArray(data)) {
    const names = keys(data);
    for (let i = 0; i < names.length && i < 30; i++) {
      const value: unknown = descriptorOf(data, names[i]!)?.value;
      if (
        typeof value === 'string' &&
        (names[i] === 'query' ||
          names[i] === 'fragment' ||
          names[i] === 'url' ||
          names[i] === 'search' ||
          names[i] === 'hash')
      )
        readQuery(value, add);
      else add(names[i]!, value);
    }
  }
  return { parameters, error };
}
function readQuery(text: string, add: (name: string, value: string) => void): void {
  let from = 0;
  for (let i = 0; i < text.length && i < 5_000; i++) if (text[i] === '?' || text[i] === '#') from = i + 1;
  for (let count = 0; count < 30 && from < text.length; count++) {
    let end = indexOf(text, '&', from);
    if (end < 0) end = text.length;
    const part = slice(text, from, end);
    const equals = indexOf(part, '=');
    if (equals > 0) add(slice(part, 0, equals), slice(part, equals + 1));
    from = end + 1;
  }
}
