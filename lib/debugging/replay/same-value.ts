/** Compares recorded values as far as they’re known. */
import type { RecordedValue } from '../recording/values.ts';

type Fields = { [name: string]: RecordedValue };

/** Whether two values differ for certain: what is lost in one of them could be equal. The order of properties is ignored. */
export function differ(one: RecordedValue, other: RecordedValue): boolean {
  if (one === other) return false;
  if (isLost(one) || isLost(other)) return false;
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return true;
  if (Array.isArray(one) || Array.isArray(other))
    return !Array.isArray(one) || !Array.isArray(other) || differInItems(one, other);
  const names = Object.keys(one);
  if (names.length !== Object.keys(other).length) return true;
  return names.some((name) => !Object.hasOwn(other, name) || differ(one[name]!, other[name]!));
}

function differInItems(one: readonly RecordedValue[], other: readonly RecordedValue[]): boolean {
  // The rest of an array that was too long is one mark.
  const isWhole = !isRest(one.at(-1)) && !isRest(other.at(-1));
  if (isWhole && one.length !== other.length) return true;
  const known = Math.min(one.length, other.length);
  for (let index = 0; index < known; index++) if (differ(one[index]!, other[index]!)) return true;
  return false;
}

const isLost = (value: RecordedValue): boolean => isMark(value, 'lost') || isRest(value);
const isRest = (value: RecordedValue | undefined): boolean => value !== undefined && isMark(value, 'rest');
const isMark = (value: RecordedValue, kind: string): boolean =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && (value as Fields)['$'] === kind;
