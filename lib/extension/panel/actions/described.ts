/** Owns JSON of the platform as a described value, so that one tree shows it and what a page told. */
import type { RemoteValue } from '../../inspector/contract.ts';

/** Everything is held; nothing is left to ask for. */
export function describeJson(value: unknown): RemoteValue {
  if (value === null || value === undefined) return { t: 'null' };
  if (typeof value === 'boolean') return { t: 'boolean', v: value };
  if (typeof value === 'number') return { t: 'number', v: value };
  if (typeof value === 'string') return { t: 'string', v: value, length: value.length };
  if (Array.isArray(value)) return { t: 'array', length: value.length, items: value.map(describeJson) };
  const entries = Object.entries(value);
  return { t: 'object', size: entries.length, entries: entries.map(([name, each]) => [name, describeJson(each)]) };
}
