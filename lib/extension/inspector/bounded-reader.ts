/** Owns reading one field of what a page says: it has the type that it should have, or the whole makes no sense. */
import type { ErrorValue } from '../../platform-api/index.ts';

/** Thrown by the readers of this file, and caught by `checked`: the answer makes no sense. */
export class Nonsense extends Error {}

/** Events of one reading that may make no sense; with more of them nothing of it is believed: each takes its time. */
export const MOST_NONSENSE = 1_000;

export type Fields = Record<string, unknown>;

/** What `read` makes of an answer; null when that makes no sense. */
export function checked<T>(read: () => T): T | null {
  try {
    return read();
  } catch (thrown) {
    if (thrown instanceof Nonsense) return null;
    throw thrown;
  }
}

export function errorValue(value: unknown): ErrorValue {
  const e = fields(value);
  return { code: text(e.code), message: text(e.message), hint: optional(text, e.hint) };
}

export function fields(value: unknown): Fields {
  if (typeof value !== 'object' || value === null) throw new Nonsense();
  return value as Fields;
}
export function list(value: unknown): unknown[] {
  if (!Array.isArray(value)) throw new Nonsense();
  return value;
}
export function text(value: unknown): string {
  if (typeof value !== 'string') throw new Nonsense();
  return value;
}
/** One that there is: JSON's `1e999` is read as infinity. */
export function number(value: unknown): number {
  if (!Number.isFinite(value)) throw new Nonsense();
  return value as number;
}
/** A whole number from 0. */
export function count(value: unknown): number {
  if (!Number.isSafeInteger(value) || (value as number) < 0) throw new Nonsense();
  return value as number;
}
export function flag(value: unknown): boolean {
  if (typeof value !== 'boolean') throw new Nonsense();
  return value;
}
export function one<T extends string>(allowed: readonly T[], value: unknown): T {
  if (!allowed.includes(value as T)) throw new Nonsense();
  return value as T;
}
export function optional<T>(parse: (value: unknown) => T, value: unknown): T | undefined {
  return value === undefined ? undefined : parse(value);
}
export function orNull<T>(parse: (value: unknown) => T, value: unknown): T | null {
  return value === null ? null : parse(value);
}
