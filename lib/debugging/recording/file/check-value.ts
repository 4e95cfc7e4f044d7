/** Checks recorded values of a file: each mark has its form, and nothing is deeper or longer than readers can take. */
import { isLossReason, MAX_DEPTH } from '../values.ts';

/**
 * What is wrong with a value, to be appended to where it is: `.a[3] must be a string`, or ` must be a string` for the value
 * itself. Null if nothing is.
 */
export type Problem = string | null;

const MOST_LEVELS = MAX_DEPTH * 2;
/** Maximum number of items that all marks for the rest of an array can count. */
const MAX_REST = 4_000_000;
const MAX_DIGITS = 10_000;
const NUMBERS: readonly unknown[] = ['NaN', 'Infinity', '-Infinity', '-0'];
const NO_MARK = ' isn’t a mark of this format';

export class ValueChecker {
  #rest = 0;

  /** The form of a recorded value. */
  readonly check = (value: unknown): Problem =>
    typeof value === 'object' && value !== null ? this.#object(value, 0) : null;

  #object(value: object, level: number): Problem {
    if (level > MOST_LEVELS) return ` is nested deeper than ${MOST_LEVELS} levels`;
    if (Array.isArray(value)) return this.#items(value, level);
    if (Object.hasOwn(value, '$')) return this.#mark(value as Record<string, unknown>, level);
    for (const name of Object.keys(value)) {
      const problem = this.#member(name, (value as Record<string, unknown>)[name], level);
      if (problem !== null) return problem;
    }
    return null;
  }

  #items(items: readonly unknown[], level: number): Problem {
    for (let index = 0; index < items.length; index++) {
      const problem = this.#member(index, items[index], level);
      if (problem !== null) return problem;
    }
    return null;
  }

  #member(key: string | number, value: unknown, level: number): Problem {
    if (typeof value !== 'object' || value === null) return null;
    const problem = this.#object(value, level + 1);
    return problem === null ? null : at(key, problem);
  }

  #mark({ $: kind, value, text, more }: Record<string, unknown>, level: number): Problem {
    if (kind === 'entries') return more === undefined || isCount(more) ? this.#entries(value, level) : NO_MARK;
    if (!isMark(kind, value, text)) return NO_MARK;
    return kind === 'rest' && (this.#rest += value as number) > MAX_REST ? ' counts too many items' : null;
  }

  #entries(entries: unknown, level: number): Problem {
    if (!Array.isArray(entries)) return NO_MARK;
    for (const entry of entries as unknown[]) {
      if (!Array.isArray(entry) || entry.length !== 2 || typeof entry[0] !== 'string') return NO_MARK;
      const problem = this.#member(entry[0], entry[1], level);
      if (problem !== null) return problem;
    }
    return null;
  }
}

function isMark(kind: unknown, value: unknown, text: unknown): boolean {
  switch (kind) {
    case 'undefined':
      return value === undefined;
    case 'number':
      return NUMBERS.includes(value);
    case 'bigint':
      return typeof value === 'string' && value.length <= MAX_DIGITS && /^-?\d+$/.test(value);
    case 'date':
      return value === null || Number.isFinite(value);
    case 'ref':
      return typeof value === 'string';
    case 'lost':
      return isLossReason(value) && (text === undefined || typeof text === 'string');
    case 'rest':
      return isCount(value);
    default:
      return false;
  }
}

export const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;

/** The problem of a property or an item. The middle of a long path is left out. */
export function at(key: string | number, problem: string): string {
  const short = problem.length < 300 ? problem : `${problem.slice(0, 150)}…${problem.slice(-100)}`;
  if (typeof key === 'number') return `[${key}]${short}`;
  return /^\w{1,40}$/.test(key) ? `.${key}${short}` : `[${JSON.stringify(key.slice(0, 40))}]${short}`;
}
