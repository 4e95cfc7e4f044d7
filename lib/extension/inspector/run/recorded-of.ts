/** Converts a value that the page described to a recorded one. What wasn't transferred is marked as lost. */
import { lost, type LossReason, type RecordedValue } from '../../../debugging/recording/values.ts';
import type { RemoteValue } from '../contract.ts';

export function recordedOf(value: RemoteValue): RecordedValue {
  if (value.t === 'array' || value.t === 'object') return recordedOfComposite(value);
  const scalar = recordedScalar(value);
  return scalar === undefined ? lost(LOSSES[value.t] ?? 'not-data') : scalar;
}

/** Undefined if it isn't a scalar, or was cut. */
export function recordedScalar(value: RemoteValue): RecordedValue | undefined {
  switch (value.t) {
    case 'undefined':
      return { $: 'undefined' };
    case 'null':
      return null;
    case 'boolean':
      return value.v;
    case 'number':
      return typeof value.v === 'number' ? value.v : { $: 'number', value: value.v };
    case 'string':
      return value.v.length < value.length ? undefined : value.v;
    case 'bigint':
      return { $: 'bigint', value: value.v.replace(/n$/, '') };
    case 'date': {
      const time = Date.parse(value.v);
      return { $: 'date', value: Number.isNaN(time) ? null : time };
    }
    default:
      return undefined;
  }
}

const LOSSES: Partial<Record<RemoteValue['t'], LossReason>> = {
  cycle: 'cycle',
  unreadable: 'unreadable',
  string: 'too-large',
};

function recordedOfComposite(value: Extract<RemoteValue, { t: 'array' | 'object' }>): RecordedValue {
  if (value.t === 'array') {
    const rest = value.length - value.items.length;
    const items = value.items.map(recordedOf);
    return rest > 0 ? [...items, { $: 'rest', value: rest }] : items;
  }
  if (value.name && value.name !== 'Object') return lost('not-data');
  // The names of the rest aren't known.
  if (value.entries.length < value.size) return lost('too-large');
  const entries = value.entries.map(([name, item]): [string, RecordedValue] => [name, recordedOf(item)]);
  return Object.hasOwn(Object.fromEntries(entries), '$')
    ? { $: 'entries', value: entries }
    : Object.fromEntries(entries);
}

/** The number of lost values in a recorded one. */
export function countLost(value: RecordedValue | undefined): number {
  if (typeof value !== 'object' || value === null) return 0;
  if (Array.isArray(value)) return value.reduce<number>((sum, item) => sum + countLost(item), 0);
  if (value['$'] === 'lost') return 1;
  if (value['$'] === 'rest') return typeof value['value'] === 'number' ? value['value'] : 1;
  return Object.values(value).reduce<number>((sum, item) => sum + countLost(item), 0);
}
