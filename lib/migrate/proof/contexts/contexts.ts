/** Compares the context of the recorded run with the code’s `data`. */
import { type ContextDifference, contextDifferences } from '../../../debugging/compare/context-differences.ts';
import type { Context } from '../../../pipeline/types.ts';
import { DIFFERENT, EqualPairs } from './equal-pairs.ts';

export interface ComparedContexts {
  /** The first difference. */
  difference: ContextDifference | null;
  /** JSON Pointer of the first value that the recording doesn’t have. */
  unknown: string | null;
}

export class ContextComparison {
  readonly #pairs = new EqualPairs();

  /** @param isInLoop whether the item of a loop is a variable in most code */
  compare(context: Context, data: Context, isInLoop: boolean): ComparedContexts {
    this.#pairs.forget();
    // Aligning lists takes long, and is only needed to name a difference.
    const unknown = this.#pairs.compare(context, data, isInLoop ? LOOP_NAMES : NO_NAMES);
    if (unknown !== DIFFERENT) return { difference: null, unknown };
    const found = isInLoop
      ? contextDifferences(withoutLoopNames(context), withoutLoopNames(data))
      : contextDifferences(context, data);
    return {
      difference: found.find(({ kind }) => kind !== 'unknown') ?? null,
      unknown: found.find(({ kind }) => kind === 'unknown')?.path ?? null,
    };
  }
}

const NO_NAMES: ReadonlySet<string> = new Set();
const LOOP_NAMES: ReadonlySet<string> = new Set(['currentItem', 'currentIndex']);

function withoutLoopNames(context: Context): Context {
  const { currentItem: _item, currentIndex: _index, ...rest } = Object.getOwnPropertyDescriptors(context);
  return Object.defineProperties({}, rest) as Context;
}
