/** Reads values, changes, and errors that a page described, in their full or compact form. */
import {
  count,
  type Fields,
  fields,
  flag,
  InvalidData,
  list,
  number,
  oneOf,
  optional,
  orNull,
  text,
} from '../bounded-reader.ts';
import type { Change, RemoteError, RemoteValue } from '../contract.ts';

/** Maximum depth of a value, and of a path in the context. The agent itself never sends anything deeper. */
const MAX_DEPTH = 60;
/** Maximum number of nested values in one value. The agent itself sends at most a tenth of this. */
const MAX_VALUES = 20_000;
/** Types of values that are described as text. */
const TEXT_TYPES = ['bigint', 'symbol', 'function', 'node', 'date', 'regexp'] as const;

export const remoteValue = (value: unknown): RemoteValue =>
  primitive(value) ?? readValue(value, 0, { values: MAX_VALUES });

/** A value in its full form. */
export function describedValue(value: unknown): RemoteValue {
  if (fields(value).t === undefined) throw new InvalidData();
  return remoteValue(value);
}

/** A value that stands for itself. */
function primitive(value: unknown): RemoteValue | null {
  switch (typeof value) {
    case 'string':
      return { t: 'string', v: value, length: value.length };
    case 'number':
      return { t: 'number', v: number(value) };
    case 'boolean':
      return { t: 'boolean', v: value };
    default:
      return value === null ? { t: 'null' } : null;
  }
}

function readValue(value: unknown, depth: number, left: { values: number }): RemoteValue {
  if (depth > MAX_DEPTH || left.values-- === 0) throw new InvalidData();
  const simple = primitive(value);
  if (simple) return simple;
  const v = fields(value);
  const inner = (item: unknown): RemoteValue => readValue(item, depth + 1, left);
  if (v.t !== undefined) return readDescribed(v, inner);
  if (v.o === undefined) {
    const items = list(v.a).map(inner);
    return { t: 'array', length: items.length, items };
  }
  const flat = list(v.o);
  const entries: [string, RemoteValue][] = [];
  for (let i = 0; i < flat.length; i += 2) entries.push([text(flat[i]), inner(flat[i + 1])]);
  return { t: 'object', size: entries.length, entries };
}

function readDescribed(v: Fields, inner: (item: unknown) => RemoteValue): RemoteValue {
  switch (v.t) {
    case 'undefined':
    case 'null':
      return { t: v.t };
    case 'boolean':
      return { t: v.t, v: flag(v.v) };
    case 'number':
      return { t: v.t, v: typeof v.v === 'string' ? v.v : number(v.v) };
    case 'string':
      return { t: v.t, v: text(v.v), length: count(v.length), handle: optional(count, v.handle) };
    case 'error':
      return { t: v.t, name: text(v.name), message: text(v.message), stack: text(v.stack) };
    case 'array':
      return { t: v.t, length: count(v.length), items: list(v.items).map(inner), handle: optional(count, v.handle) };
    case 'object':
      return {
        t: v.t,
        name: optional(text, v.name),
        size: count(v.size),
        handle: optional(count, v.handle),
        entries: list(v.entries).map((entry) => [text(list(entry)[0]), inner(list(entry)[1])]),
      };
    case 'cycle':
      return { t: v.t, up: count(v.up) };
    case 'unreadable':
      return { t: v.t, message: text(v.message) };
    default:
      return { t: oneOf(TEXT_TYPES, v.t), v: text(v.v) };
  }
}

/** Changes as objects, or as lists of path, value before, and value after. */
export function changeList(value: unknown): Change[] {
  return list(value).map((item) => {
    const [path, before, after] = Array.isArray(item) ? item : changeFields(fields(item));
    return { path: changePath(path), before: present(before), after: present(after) };
  });
}

const changeFields = ({ path, before = [], after = [] }: Fields): unknown[] => [path, before, after];

/** An empty list stands for a missing value. */
function present(value: unknown): RemoteValue | undefined {
  return Array.isArray(value) && value.length === 0 ? undefined : remoteValue(value);
}

/**
 * A JSON Pointer. Without a depth limit, applying one change after another could nest a value until the stack
 * overflows.
 */
function changePath(value: unknown): string {
  const path = text(value);
  if (path.length > MAX_DEPTH && path.split('/', MAX_DEPTH + 2).length > MAX_DEPTH + 1) throw new InvalidData();
  return path;
}

export function remoteError(value: unknown): RemoteError {
  const e = fields(value);
  return {
    code: orNull(text, e.code),
    errorType: text(e.errorType),
    errorMessage: text(e.errorMessage),
    trace: list(e.trace).map(text),
    path: orNull(text, e.path),
    iteration: list(e.iteration).map(number),
    thrown: optional(remoteValue, e.thrown),
  };
}
