/** Converts a described value to JSON text for copying. */
import type { RemoteValue } from '../../inspector/contract.ts';

/**
 * Values that JSON can't express and parts that were cut off become strings in `«»`, so they can't be mistaken for real
 * values.
 */
export function toJson(value: RemoteValue, indent?: number): string {
  return JSON.stringify(toPlain(value), null, indent) ?? 'undefined';
}

function toPlain(value: RemoteValue): unknown {
  switch (value.t) {
    case 'undefined':
      return undefined;
    case 'null':
      return null;
    case 'boolean':
      return value.v;
    case 'number':
      return typeof value.v === 'number' ? value.v : `«${value.v}»`;
    case 'string':
      return value.v.length < value.length ? `${value.v}«… ${value.length} characters in total»` : value.v;
    case 'array': {
      const items = value.items.map((item) => toPlain(item) ?? null);
      return items.length < value.length ? [...items, `«… ${value.length - items.length} more»`] : items;
    }
    case 'object': {
      const entries = value.entries.map(([name, item]) => [name, toPlain(item)] as const);
      const rest = value.size - entries.length;
      return Object.fromEntries(rest > 0 ? [...entries, ['«…»', `«${rest} more»`] as const] : entries);
    }
    case 'error':
      return `«${value.name}: ${value.message}»`;
    case 'cycle':
      return '«circular»';
    case 'unreadable':
      return `«unreadable: ${value.message}»`;
    default:
      return `«${value.t}: ${value.v}»`;
  }
}
