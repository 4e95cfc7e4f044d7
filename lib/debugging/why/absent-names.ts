/** Checks the names in an expression against contexts that a run had, before it’s evaluated in another run. */
import { ConditionError, type Context, explainCondition, type Explanation } from '../../pipeline/index.ts';
import { type Missing, readsOf } from './missing.ts';

/** A name that was in none of the contexts. */
export interface AbsentName {
  /** As written, such as `currentItem.emial`. */
  text: string;
  /** What was probably meant. */
  suggestion?: string;
  /** In how many contexts it was looked for. */
  times: number;
}

interface Seen {
  missing: Missing;
  isChecked: boolean;
  times: number;
}

/**
 * Names that some context had, or about which nothing is known, are left out. So are those that the expression allows to be
 * absent, unless another name was probably meant. Empty if the expression isn’t valid.
 */
export function absentNames(source: string, contexts: readonly Context[]): AbsentName[] {
  const absent = new Map<string, Seen>();
  const present = new Set<string>();
  for (const context of contexts) {
    const explanation = explain(source, context);
    if (!explanation) return [];
    const texts = new Set<string>();
    for (const { text, missing, isChecked } of readsOf(explanation, context)) {
      if (!missing) present.add(text);
      else if (!texts.has(text)) {
        texts.add(text);
        const before = absent.get(text);
        absent.set(text, {
          missing,
          isChecked: isChecked && (before?.isChecked ?? true),
          times: (before?.times ?? 0) + 1,
        });
      }
    }
  }
  return [...absent].flatMap(
    ([
      text,
      {
        missing: { suggestion },
        isChecked,
        times,
      },
    ]): AbsentName[] => {
      if (present.has(text) || (isChecked && suggestion === undefined)) return [];
      return [{ text, ...(suggestion !== undefined && { suggestion }), times }];
    },
  );
}

function explain(source: string, context: Context): Explanation | null {
  try {
    return explainCondition(source, context);
  } catch (error) {
    if (error instanceof ConditionError) return null;
    throw error;
  }
}
