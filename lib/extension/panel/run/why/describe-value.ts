/** Describes values of replayed and traced contexts as the page would, so that the same tree shows them. */
import { LostValueError } from '../../../../debugging/recording/values.ts';
import type { RemoteValue } from '../../../inspector/contract.ts';
import { UNDEFINED } from '../../shared/remote-value.ts';
import { remoteOf } from './trace-context.ts';

const MAX_DEPTH = 12;
/** Maximum number of nested values. The rest is only counted. */
const MAX_VALUES = 3_000;
const MAX_TEXT = 20_000;

export function describeValue(value: unknown): RemoteValue {
  return remoteOf(value) ?? describe(value, 0, { values: MAX_VALUES });
}

function describe(value: unknown, depth: number, left: { values: number }): RemoteValue {
  left.values--;
  switch (typeof value) {
    case 'undefined':
      return UNDEFINED;
    case 'boolean':
      return { t: 'boolean', v: value };
    case 'number':
      return { t: 'number', v: Number.isFinite(value) && !Object.is(value, -0) ? value : numberText(value) };
    case 'string':
      return { t: 'string', v: value.slice(0, MAX_TEXT), length: value.length };
    case 'bigint':
      return { t: 'bigint', v: String(value) };
    case 'object':
      return value === null ? { t: 'null' } : describeObject(value, depth, left);
    default:
      return { t: 'function', v: typeof value };
  }
}

const numberText = (value: number): string => (Object.is(value, -0) ? '-0' : String(value));

function describeObject(value: object, depth: number, left: { values: number }): RemoteValue {
  if (value instanceof Date)
    return { t: 'date', v: Number.isNaN(value.getTime()) ? 'Invalid Date' : value.toISOString() };
  if (value instanceof RegExp) return { t: 'regexp', v: String(value) };
  const inner = (key: string | number): RemoteValue => {
    try {
      return describe((value as Record<string | number, unknown>)[key], depth + 1, left);
    } catch (thrown) {
      return { t: 'unreadable', message: thrown instanceof LostValueError ? thrown.message : 'not recorded' };
    }
  };
  const isCut = (): boolean => depth >= MAX_DEPTH || left.values <= 0;
  if (Array.isArray(value)) {
    const items: RemoteValue[] = [];
    while (items.length < value.length && !isCut()) items.push(inner(items.length));
    return { t: 'array', length: value.length, items };
  }
  const names = Object.keys(value);
  const entries: [string, RemoteValue][] = [];
  for (const name of names) {
    if (isCut()) break;
    entries.push([name, inner(name)]);
  }
  return { t: 'object', size: names.length, entries };
}
