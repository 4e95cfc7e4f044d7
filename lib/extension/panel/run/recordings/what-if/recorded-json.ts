/** Recorded values as JSON text that can be edited. */
import { type RecordedValue, readValue } from '../../../../../debugging/recording/values.ts';

export interface RecordedJson {
  text: string;
  /** Whether the recording doesn’t have all of it. What it lacks is null. */
  isPartial: boolean;
}

export function recordedJson(recorded: RecordedValue): RecordedJson {
  const known = withoutLost(recorded);
  const value = readValue(known);
  const text = JSON.stringify(value, (_name, each: unknown) => (typeof each === 'bigint' ? String(each) : each), 2);
  return { text: text ?? 'null', isPartial: known !== recorded };
}

/** Returns the same value if nothing in it is lost. */
function withoutLost(value: RecordedValue): RecordedValue {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    const items = value.map(withoutLost);
    return items.some((item, index) => item !== value[index]) ? items : value;
  }
  if (value['$'] === 'lost' || value['$'] === 'rest') return null;
  let copy: { [name: string]: RecordedValue } | null = null;
  for (const [name, item] of Object.entries(value)) {
    const known = withoutLost(item);
    // Defined, because an own `__proto__` has no setter then.
    if (known !== item) Object.defineProperty((copy ??= { ...value }), name, { ...FIELD, value: known });
  }
  return copy ?? value;
}

const FIELD = { writable: true, enumerable: true, configurable: true };
