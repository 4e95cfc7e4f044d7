/** Writes JSON without passing objects to `JSON.stringify`, which would call the page's `toJSON`. */
import {
  ArrayPrototype,
  charCodeAt,
  hasOwn,
  indexOf,
  isArray,
  isFinite,
  keys,
  ObjectPrototype,
  stringify,
} from './pristine.ts';

/** A response that is already JSON text. */
export class JsonText {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

/** Writes the agent's own data: plain objects, arrays, and primitives. Omits `undefined`. */
export function write(value: unknown): string {
  // If no prototype has a `toJSON`, the native function doesn't run page code.
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
    if (item !== undefined) text += `${text ? ',' : ''}${stringify(names[i]!)}:${writeOwn(item)}`;
  }
  return `{${text}}`;
}

/** The length of `write(value)`, more or less: escapes count as one character, and numbers as eight. */
export function writtenLength(value: unknown): number {
  if (typeof value === 'string') return value.length + 2;
  if (typeof value !== 'object' || value === null) return 8;
  let length = 2;
  if (isArray(value)) {
    const list = value as unknown[];
    for (let i = 0; i < list.length; i++) length += 1 + writtenLength(list[i]);
    return length;
  }
  const names = keys(value);
  for (let i = 0; i < names.length; i++)
    length += 4 + names[i]!.length + writtenLength((value as Record<string, unknown>)[names[i]!]);
  return length;
}

/** An escaped reference token of a JSON Pointer. */
export function pointerToken(name: string): string {
  if (indexOf(name, '~') < 0 && indexOf(name, '/') < 0) return name;
  let text = '';
  for (let i = 0; i < name.length; i++) {
    const char = name[i]!;
    text += char === '~' ? '~0' : char === '/' ? '~1' : char;
  }
  return text;
}

/** The length of a string in UTF-8 bytes. */
export function utf8Length(text: string): number {
  let bytes = 0;
  for (let i = 0; i < text.length; i++) {
    const code = charCodeAt(text, i);
    bytes += code < 0x80 ? 1 : code < 0x800 ? 2 : code >= 0xd800 && code <= 0xdfff ? 2 : 3;
  }
  return bytes;
}
