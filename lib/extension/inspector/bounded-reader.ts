/**
 * Validates data from a page field by field, and rejects the whole value if one field is invalid. Used on hot paths.
 */
import type { ErrorValue } from '../../platform-api/errors.ts';
import type { EventBatch } from './agent-protocol.ts';

/** Thrown by the readers in this file, and caught by `readOrNull`. */
export class InvalidData extends Error {}

/**
 * Maximum number of invalid events in one batch. More than that make the whole batch invalid, because each one costs
 * time.
 */
const MAX_INVALID_EVENTS = 1_000;

export type Fields = Record<string, unknown>;

/** Returns null if the data is invalid. */
export function readOrNull<T>(read: () => T): T | null {
  try {
    return read();
  } catch (thrown) {
    if (thrown instanceof InvalidData) return null;
    throw thrown;
  }
}

/** Adds what an item of a list reports to the events, in whole or not at all. */
export type ReadItem<E> = (item: unknown, events: E[]) => void;

/** Omits and counts invalid events. */
export function readBatch<E>(given: Fields, readItem: ReadItem<E>): EventBatch<E> & { invalid: number } {
  return {
    documentId: text(given.documentId),
    ...readEvents(given.events, readItem),
    lastSeq: count(given.lastSeq),
    dropped: count(given.dropped),
    fingerprint: text(given.fingerprint),
  };
}

export function readEvents<E>(given: unknown, readItem: ReadItem<E>): { events: E[]; invalid: number } {
  const events: E[] = [];
  let invalid = 0;
  for (const item of list(given)) {
    try {
      readItem(item, events);
    } catch (thrown) {
      if (!(thrown instanceof InvalidData)) throw thrown;
      if (++invalid > MAX_INVALID_EVENTS) throw thrown;
    }
  }
  return { events, invalid };
}

/** Reads `{ ok: true, … }` with `read`, or `{ ok: false, error }`. */
export function readOutcome<T extends object>(
  value: unknown,
  read: (given: Fields) => T,
): ({ ok: true } & T) | { ok: false; error: ErrorValue } {
  const given = fields(value);
  return given.ok === true ? { ok: true, ...read(given) } : { ok: false, error: errorValue(given.error) };
}

export function errorValue(value: unknown): ErrorValue {
  const { code, message, hint } = fields(value);
  return { code: text(code), message: text(message), hint: optional(text, hint) };
}

export function fields(value: unknown): Fields {
  if (typeof value !== 'object' || value === null) throw new InvalidData();
  return value as Fields;
}

export function list(value: unknown): unknown[] {
  if (!Array.isArray(value)) throw new InvalidData();
  return value;
}

export function text(value: unknown): string {
  if (typeof value !== 'string') throw new InvalidData();
  return value;
}

/** A finite number. JSON's `1e999` parses as Infinity. */
export function number(value: unknown): number {
  if (!Number.isFinite(value)) throw new InvalidData();
  return value as number;
}

/** A nonnegative integer. */
export function count(value: unknown): number {
  if (!Number.isSafeInteger(value) || (value as number) < 0) throw new InvalidData();
  return value as number;
}

export function flag(value: unknown): boolean {
  if (typeof value !== 'boolean') throw new InvalidData();
  return value;
}

export function oneOf<T extends string>(allowed: readonly T[], value: unknown): T {
  if (!allowed.includes(value as T)) throw new InvalidData();
  return value as T;
}

export function optional<T>(read: (value: unknown) => T, value: unknown): T | undefined {
  return value === undefined ? undefined : read(value);
}

export function orNull<T>(read: (value: unknown) => T, value: unknown): T | null {
  return value === null ? null : read(value);
}
