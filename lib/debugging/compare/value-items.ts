/** Reads the items of lists of JavaScript values, to align them. */
import { escapeToken } from '../../shared/json-pointer.ts';
import { LostValueError } from '../recording/values.ts';
import type { ItemReader } from './identify.ts';
import type { IsVolatile } from './volatile.ts';

/** Longer contents are the same item only if their starts and lengths are. */
const MAX_CONTENT = 20_000;

/** @param path the list’s JSON Pointer, so that what is volatile isn’t part of the content */
export function valueItems(path = '', isIgnored: IsVolatile = () => false): ItemReader<unknown> {
  return {
    *properties(item) {
      yield* simpleProperties(item, '');
      yield* simpleProperties(read(item, 'data'), 'data.');
    },
    property(item, name) {
      const isInData = name.startsWith('data.');
      const value = read(isInData ? read(item, 'data') : item, isInData ? name.slice(5) : name);
      return isSimple(value) ? `${typeof value} ${value}` : undefined;
    },
    content: (item) => contentText(item, `${path}/0`, isIgnored),
  };
}

const isSimple = (value: unknown): value is string | number | bigint =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint';

function* simpleProperties(holder: unknown, prefix: string): Generator<[string, string]> {
  if (typeof holder !== 'object' || holder === null || Array.isArray(holder)) return;
  for (const name of Object.keys(holder)) {
    const value = read(holder, name);
    if (isSimple(value)) yield [prefix + name, `${typeof value} ${value}`];
  }
}

/** Undefined for what the recording doesn’t have. */
function read(holder: unknown, name: string): unknown {
  if (typeof holder !== 'object' || holder === null || !Object.hasOwn(holder, name)) return undefined;
  try {
    return (holder as Record<string, unknown>)[name];
  } catch (thrown) {
    if (thrown instanceof LostValueError) return undefined;
    throw thrown;
  }
}

function contentText(item: unknown, path: string, isIgnored: IsVolatile): string {
  const parts: string[] = [];
  let room = MAX_CONTENT;
  const ancestors: object[] = [];
  const add = (text: string): void => {
    parts.push(text);
    room -= text.length;
  };
  const write = (value: unknown, pointer: string): void => {
    if (room < 0) return;
    if (isIgnored(pointer)) return add('ignored,');
    if (typeof value !== 'object' || value === null || value instanceof Date)
      return add(`${typeof value} ${String(value)},`);
    if (ancestors.includes(value)) return add('cycle,');
    ancestors.push(value);
    const names = Object.keys(value);
    add(Array.isArray(value) ? `[${value.length} ` : '{');
    for (const name of Array.isArray(value) ? names : names.toSorted()) {
      add(`${JSON.stringify(name)}:`);
      write(read(value, name), `${pointer}/${escapeToken(name)}`);
    }
    add('}');
    ancestors.pop();
  };
  write(item, path);
  return parts.join('');
}
