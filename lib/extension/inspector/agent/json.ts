/** Writes JSON without `JSON.stringify` on objects, which would call the page's `toJSON`. */
import {
  ArrayPrototype,
  bigintText,
  charCodeAt,
  descriptorOf,
  getPrototypeOf,
  hasOwn,
  indexOf,
  isArray,
  isFinite,
  keys,
  ObjectPrototype,
  sourceOf,
  stringify,
} from './pristine.ts';

/** A response that is JSON text already. */
export class JsonText {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

/**
 * Writes the agent's own data: objects, arrays and primitives that it made itself; `undefined` is left out. Its objects'
 * keys are identifiers.
 */
export function write(value: unknown): string {
  // Where no prototype has a `toJSON`, nothing of the page can run in the native one.
  return hasOwn(ObjectPrototype, 'toJSON') || hasOwn(ArrayPrototype, 'toJSON') ? writeOwn(value) : stringify(value);
}

function writeOwn(value: unknown): string {
  if (typeof value === 'string') return stringify(value);
  if (typeof value === 'number') return isFinite(value) ? `${value}` : 'null';
  if (typeof value === 'boolean') return value ? 'true' : 'false';
  if (typeof value !== 'object' || value === null) return 'null';
  let text = '';
  if (isArray(value)) {
    const list = value as unknown[];
    for (let i = 0; i < list.length; i++) text += i ? `,${writeOwn(list[i])}` : writeOwn(list[i]);
    return `[${text}]`;
  }
  const names = keys(value);
  for (let i = 0; i < names.length; i++) {
    const item = (value as Record<string, unknown>)[names[i]!];
    if (item !== undefined) text += `${text ? ',' : ''}"${names[i]!}":${writeOwn(item)}`;
  }
  return `{${text}}`;
}

export type Written =
  | { ok: true; text: string }
  | { ok: false; why: 'cycle' | 'too-large' | 'not-json' | 'unreadable'; path: string };
interface Limits {
  chars: number;
  depth: number;
}

class Refused {
  readonly why: 'cycle' | 'too-large' | 'not-json' | 'unreadable';
  readonly path: string;
  constructor(why: Refused['why'], path: string) {
    this.why = why;
    this.path = path;
  }
}

/**
 * Writes a value of the page as `JSON.stringify` would, without running page code: getters, `toJSON` and instances of
 * classes are refused, with the JSON Pointer of the place. `functions: 'source'` writes functions as their source text.
 */
export function writeForeign(value: unknown, limits: Limits, functions: 'omit' | 'source'): Written {
  let left = limits.chars;
  const above: object[] = [];
  function put(text: string, path: string): string {
    left -= text.length;
    if (left < 0) throw new Refused('too-large', path);
    return text;
  }
  function quoted(text: string, path: string): string {
    if (text.length > left) throw new Refused('too-large', path);
    return put(stringify(text), path);
  }
  /** undefined: nothing that JSON has */
  function visit(item: unknown, path: string): string | undefined {
    switch (typeof item) {
      case 'string':
        return quoted(item, path);
      case 'number':
        return put(isFinite(item) ? `${item}` : 'null', path);
      case 'boolean':
        return put(item ? 'true' : 'false', path);
      case 'function':
        return functions === 'source' ? quoted(sourceOf(item as () => void), path) : undefined;
      case 'bigint':
        if (functions === 'source') return quoted(`${bigintText(item)}n`, path);
        throw new Refused('not-json', path);
      case 'object':
        return item === null ? put('null', path) : container(item, path);
      default:
        return undefined;
    }
  }
  function container(item: object, path: string): string {
    for (let i = 0; i < above.length; i++) if (above[i] === item) throw new Refused('cycle', path);
    if (above.length >= limits.depth) throw new Refused('too-large', path);
    above[above.length] = item;
    let text = '';
    if (isArray(item)) {
      const list = item as unknown[];
      for (let i = 0; i < list.length; i++)
        text += (i ? put(',', path) : '') + (visit(dataAt(list, `${i}`, path), `${path}/${i}`) ?? put('null', path));
      text = `[${text}]`;
    } else {
      const proto = getPrototypeOf(item) as object | null;
      // An object of another realm (an iframe) has a prototype of its own without one above it.
      if (proto !== null && proto !== ObjectPrototype && getPrototypeOf(proto) !== null)
        throw new Refused('not-json', path);
      const names = keys(item);
      for (let i = 0; i < names.length; i++) {
        const name = names[i]!;
        const value = dataAt(item, name, path);
        if (name === 'toJSON' && typeof value === 'function') throw new Refused('not-json', path);
        const written = visit(value, `${path}/${pointerPart(name)}`);
        if (written !== undefined) text += `${text ? put(',', path) : ''}${quoted(name, path)}:${written}`;
      }
      text = `{${text}}`;
    }
    above.length--;
    left -= 2;
    return text;
  }
  try {
    const text = visit(value, '');
    return text === undefined ? { ok: false, why: 'not-json', path: '' } : { ok: true, text };
  } catch (thrown) {
    return thrown instanceof Refused
      ? { ok: false, why: thrown.why, path: thrown.path }
      : { ok: false, why: 'unreadable', path: '' };
  }
}

function dataAt(item: object, key: string, path: string): unknown {
  const found = descriptorOf(item, key);
  if (found === undefined) return undefined;
  if (!hasOwn(found, 'value')) throw new Refused('unreadable', `${path}/${pointerPart(key)}`);
  return found.value;
}

/** One part of a JSON Pointer. */
export function pointerPart(name: string): string {
  if (indexOf(name, '~') < 0 && indexOf(name, '/') < 0) return name;
  let text = '';
  for (let i = 0; i < name.length; i++) {
    const char = name[i]!;
    text += char === '~' ? '~0' : char === '/' ? '~1' : char;
  }
  return text;
}

/** Bytes of a text in UTF-8. */
export function utf8Length(text: string): number {
  let bytes = 0;
  for (let i = 0; i < text.length; i++) {
    const code = charCodeAt(text, i);
    bytes += code < 0x80 ? 1 : code < 0x800 ? 2 : code >= 0xd800 && code <= 0xdfff ? 2 : 3;
  }
  return bytes;
}
