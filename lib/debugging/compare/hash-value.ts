/** Hashes values, so that steps of two recordings can be compared without keeping their contexts. */
import { escapeToken } from '../../shared/json-pointer.ts';
import { LostValueError } from '../recording/values.ts';
import type { IsVolatile } from './volatile.ts';

/** Deeper values are unknown. */
const MAX_DEPTH = 200;
/** Of one value, if there’s a budget. In characters. */
const MAX_SIZE = 100_000_000;
/** Of a value or name, beside its text. */
const LEAST_SIZE = 50;

/** What can still be hashed, in characters, more or less. Values that refer to others can be endless. */
export interface HashBudget {
  left: number;
}

/** 53 bits. Null if a part of the value is lost, or beyond the budget. What is volatile isn’t part of the hash. */
export function hashValue(value: unknown, path = '', isIgnored?: IsVolatile, budget?: HashBudget): number | null {
  const hasher = new Hasher(budget ? Math.min(MAX_SIZE, budget.left) : Infinity, isIgnored);
  try {
    hasher.add(value, path);
  } catch (thrown) {
    if (thrown instanceof LostValueError) return null;
    throw thrown;
  } finally {
    if (budget) budget.left -= hasher.size;
  }
  return hasher.hash;
}

class Hasher {
  /** As in cyrb53. */
  #one = 0xdeadbeef;
  #two = 0x41c6ce57;
  readonly #isIgnored: IsVolatile | undefined;
  readonly #ancestors: object[] = [];
  readonly #maxSize: number;
  size = 0;

  constructor(maxSize: number, isIgnored?: IsVolatile) {
    this.#maxSize = maxSize;
    this.#isIgnored = isIgnored;
  }

  get hash(): number {
    const one =
      Math.imul(this.#one ^ (this.#one >>> 16), 2246822507) ^ Math.imul(this.#two ^ (this.#two >>> 13), 3266489909);
    const two =
      Math.imul(this.#two ^ (this.#two >>> 16), 2246822507) ^ Math.imul(this.#one ^ (this.#one >>> 13), 3266489909);
    return 4294967296 * (2097151 & two) + (one >>> 0);
  }

  add(value: unknown, path: string): void {
    if (typeof value !== 'object' || value === null || value instanceof Date) return this.#text(leafText(value));
    if (this.#ancestors.includes(value)) return this.#text('cycle');
    if (this.#ancestors.length > MAX_DEPTH) throw new LostValueError('too-deep');
    this.#ancestors.push(value);
    const names = Object.keys(value);
    this.#text(Array.isArray(value) ? `[${value.length}` : `{${names.length}`);
    for (const name of Array.isArray(value) ? names : names.toSorted()) {
      this.#text(name);
      // Paths are needed only to find what is ignored.
      const inner = this.#isIgnored ? `${path}/${escapeToken(name)}` : '';
      if (!this.#isIgnored?.(inner)) this.add((value as Record<string, unknown>)[name], inner);
    }
    this.#ancestors.pop();
  }

  #text(text: string): void {
    this.size += text.length + LEAST_SIZE;
    if (this.size > this.#maxSize) throw new LostValueError('too-large');
    for (let at = 0; at < text.length; at++) this.#code(text.charCodeAt(at));
    this.#code(0x10000);
  }

  #code(code: number): void {
    this.#one = Math.imul(this.#one ^ code, 2654435761);
    this.#two = Math.imul(this.#two ^ code, 1597334677);
  }
}

function leafText(value: unknown): string {
  if (value instanceof Date) return `date ${value.getTime()}`;
  return `${typeof value} ${Object.is(value, -0) ? '-0' : String(value)}`;
}
