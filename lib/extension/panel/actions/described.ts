/** Converts platform JSON to described values, so that the same tree can show it and values from the page. */
import type { RemoteValue } from '../../inspector/contract.ts';

export function describeJson(value: unknown): RemoteValue {
  if (value === null || value === undefined) return { t: 'null' };
  if (typeof value === 'boolean') return { t: 'boolean', v: value };
  if (typeof value === 'number') return { t: 'number', v: value };
  if (typeof value === 'string') return { t: 'string', v: value, length: value.length };
  if (Array.isArray(value)) return { t: 'array', length: value.length, items: value.map(describeJson) };
  const entries = Object.entries(value);
  return { t: 'object', size: entries.length, entries: entries.map(([name, each]) => [name, describeJson(each)]) };
}
