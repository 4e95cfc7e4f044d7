/** Describes plain data as the agent does. */
import type { RemoteValue } from '../../../../../lib/extension/inspector/contract.ts';

export function remote(value: unknown): RemoteValue {
  if (value === undefined || value === null) return { t: value === null ? 'null' : 'undefined' };
  if (Array.isArray(value)) return { t: 'array', length: value.length, items: value.map(remote) };
  switch (typeof value) {
    case 'boolean':
      return { t: 'boolean', v: value };
    case 'number':
      return { t: 'number', v: Object.is(value, -0) ? '-0' : value };
    case 'bigint':
      return { t: 'bigint', v: `${value}n` };
    case 'string':
      return { t: 'string', v: value, length: value.length };
    default: {
      if (value instanceof Date) return { t: 'date', v: value.toISOString() };
      const entries = Object.entries(value).map(([name, item]): [string, RemoteValue] => [name, remote(item)]);
      return { t: 'object', size: entries.length, entries };
    }
  }
}
