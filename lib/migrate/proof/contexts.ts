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
  /** @param isInLoop whether the item of a loop is a variable in most code */
  compare(context: Context, data: Context, isInLoop: boolean): ComparedContexts {
    const found = isInLoop
      ? contextDifferences(withoutLoopNames(context), withoutLoopNames(data))
      : contextDifferences(context, data);
    return {
      difference: found.find(({ kind }) => kind !== 'unknown') ?? null,
      unknown: found.find(({ kind }) => kind === 'unknown')?.path ?? null,
    };
  }
}

function withoutLoopNames(context: Context): Context {
  const { currentItem: _item, currentIndex: _index, ...rest } = Object.getOwnPropertyDescriptors(context);
  return Object.defineProperties({}, rest) as Context;
}
