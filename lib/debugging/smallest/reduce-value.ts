/** Makes a recorded value as small as possible: removes items, properties, and characters, from the outside in. */
import type { RecordedValue } from '../recording/values.ts';
import { ddmin } from './ddmin.ts';

type Fields = { [name: string]: RecordedValue };

/** @param test whether it’s enough to have this value instead. It isn’t called for the value itself */
export function reduceValue(
  value: RecordedValue,
  test: (value: RecordedValue) => Promise<boolean>,
): Promise<RecordedValue> {
  if (typeof value === 'string') return reduceText(value, test);
  if (typeof value !== 'object' || value === null || isMark(value)) return Promise.resolve(value);
  return Array.isArray(value) ? reduceItems(value, test) : reduceFields(value, test);
}

async function reduceText(text: string, test: (value: RecordedValue) => Promise<boolean>): Promise<RecordedValue> {
  const characters = [...text];
  const joined = (kept: readonly number[]): string => kept.map((index) => characters[index]).join('');
  return joined(await ddmin(characters.length, (kept) => test(joined(kept))));
}

async function reduceItems(
  items: readonly RecordedValue[],
  test: (value: RecordedValue) => Promise<boolean>,
): Promise<RecordedValue> {
  const kept = await ddmin(items.length, (indexes) => test(indexes.map((index) => items[index]!)));
  const smaller: RecordedValue[] = kept.map((index) => items[index]!);
  for (let index = 0; index < smaller.length; index++)
    smaller[index] = await reduceValue(smaller[index]!, (item) => test(smaller.with(index, item)));
  return smaller;
}

async function reduceFields(fields: Fields, test: (value: RecordedValue) => Promise<boolean>): Promise<RecordedValue> {
  const names = Object.keys(fields);
  // Defines own properties, even `__proto__`.
  const picked = (indexes: readonly number[]): Fields =>
    Object.fromEntries(indexes.map((index) => [names[index]!, fields[names[index]!]!]));
  let smaller = picked(await ddmin(names.length, (indexes) => test(picked(indexes))));
  for (const name of Object.keys(smaller)) {
    const others = Object.entries(smaller);
    const withField = (value: RecordedValue): Fields =>
      Object.fromEntries(others.map(([other, own]) => [other, other === name ? value : own]));
    smaller = withField(await reduceValue(smaller[name]!, (value) => test(withField(value))));
  }
  return smaller;
}

const isMark = (value: object): boolean => Object.hasOwn(value, '$');
