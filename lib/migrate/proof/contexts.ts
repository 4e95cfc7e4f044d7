/** Compares the context of the recorded run with the code’s `data`. */
import { type ContextDifference, contextDifferences } from '../../debugging/compare/context-differences.ts';
import type { Context } from '../../pipeline/types.ts';

export interface ComparedContexts {
  /** The first difference. */
  difference: ContextDifference | null;
  /** JSON Pointer of the first value that the recording doesn’t have. */
  unknown: string | null;
}

export class ContextComparison {
  compare(context: Context, data: Context): ComparedContexts {
    const found = contextDifferences(withoutLoopNames(context), withoutLoopNames(data));
    return {
      difference: found.find(({ kind }) => kind !== 'unknown') ?? null,
      unknown: found.find(({ kind }) => kind === 'unknown')?.path ?? null,
    };
  }
}

/** In most code, the item of a loop is a variable. */
function withoutLoopNames(context: Context): Context {
  const { currentItem: _item, currentIndex: _index, ...rest } = Object.getOwnPropertyDescriptors(context);
  return Object.defineProperties({}, rest) as Context;
}
