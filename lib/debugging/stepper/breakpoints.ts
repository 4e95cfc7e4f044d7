/** Decides at which steps breakpoints pause or log. Conditions are compiled once, and can't change the context. */
import {
  compileCondition,
  type Condition,
  type ConditionError,
  type Context,
  type PipelineStep,
} from '../../pipeline/index.ts';
import { compileLogText, type LogText } from './logpoint.ts';
import type { Breakpoint } from './types.ts';

/** Why a breakpoint is invalid. */
export interface BreakpointProblem {
  field: 'condition' | 'hits' | 'log';
  message: string;
  /** 1-based position in the condition. */
  column?: number;
}

export const HITS_FORM = 'The hit count must be a whole number of at least 1, such as = 100, >= 100, or % 100.';

/** Null if the breakpoint is valid. */
export function checkBreakpoint({ condition, hits, log }: Breakpoint): BreakpointProblem | null {
  if (hits !== undefined && !(Number.isSafeInteger(hits) && hits >= 1)) return { field: 'hits', message: HITS_FORM };
  return problemOf('condition', condition, compileCondition) ?? problemOf('log', log, compileLogText);
}

function problemOf(
  field: 'condition' | 'log',
  text: string | undefined,
  compile: (text: string) => unknown,
): BreakpointProblem | null {
  try {
    if (text !== undefined) compile(text);
    return null;
  } catch (thrown) {
    const { message, column } = thrown as ConditionError;
    return { field, message, ...(field === 'condition' && { column }) };
  }
}

interface Compiled {
  breakpoint: Breakpoint;
  condition: Condition | null;
  log: LogText | null;
  /** Set if it couldn't be compiled. */
  error: unknown;
  hits: number;
}

/** What a breakpoint does when its step is about to run. */
export type Hit = { kind: 'log'; text: string } | { kind: 'pause'; error?: unknown } | null;

export class Breakpoints {
  readonly #byPath = new Map<string, Compiled>();

  /** Hits are still counted for breakpoints that haven't changed. */
  set(breakpoints: readonly Breakpoint[]): void {
    const before = new Map(this.#byPath);
    this.#byPath.clear();
    for (const breakpoint of breakpoints) {
      const known = before.get(breakpoint.path);
      const isSame = known && JSON.stringify(known.breakpoint) === JSON.stringify(breakpoint);
      if (!breakpoint.isOff) this.#byPath.set(breakpoint.path, isSame ? known : compile(breakpoint));
    }
  }

  get isEmpty(): boolean {
    return this.#byPath.size === 0;
  }

  hit(path: string, context: Context): Hit {
    const found = this.#byPath.get(path);
    if (!found) return null;
    const { breakpoint, condition, log, error } = found;
    if (error !== undefined) return { kind: 'pause', error };
    try {
      if (condition && !condition(context)) return null;
    } catch (thrown) {
      return { kind: 'pause', error: thrown };
    }
    if (!isHit(++found.hits, breakpoint)) return null;
    return log ? { kind: 'log', text: log(context) } : { kind: 'pause' };
  }
}

function isHit(count: number, { hits = 1, hitRule = 'from' }: Breakpoint): boolean {
  if (hitRule === 'at') return count === hits;
  return hitRule === 'every' ? count % hits === 0 : count >= hits;
}

function compile(breakpoint: Breakpoint): Compiled {
  const { condition, log } = breakpoint;
  try {
    return {
      breakpoint,
      condition: condition === undefined ? null : compileCondition(condition),
      log: log === undefined ? null : compileLogText(log),
      error: undefined,
      hits: 0,
    };
  } catch (error) {
    return { breakpoint, condition: null, log: null, error, hits: 0 };
  }
}

/** The blocks of an `if` that can be chosen. */
export function branchesOf({ conditions = [], elseFunctions }: PipelineStep): (number | 'else' | null)[] {
  return [...conditions.keys(), ...(elseFunctions ? ['else' as const] : []), null];
}
