/** What the details say of each block of an `if`: its condition with values, and whether it ran. */
import type { ConditionWhy } from '../../../../debugging/why/why-condition.ts';
import type { ExplainedRow } from '../../../../debugging/why/explain-tree.ts';
import type { RemoteValue } from '../../../inspector/contract.ts';
import { UNDEFINED } from '../../shared/remote-value.ts';

export type { ConditionWhy, ExplainedRow };

export interface WhyBlock {
  /** `when`, `or when`, or `else`. */
  label: string;
  /** Null for `else`, and for a block that an earlier one decided. */
  why: ConditionWhy | null;
  /** The condition as written; null for `else`. */
  source: string | null;
  result: { text: string; tone: 'plain' | 'success' | 'danger' | 'warning' };
}

const RESULTS: Record<ConditionWhy['state'], WhyBlock['result']> = {
  true: { text: 'true', tone: 'success' },
  false: { text: 'false', tone: 'plain' },
  failed: { text: 'failed', tone: 'danger' },
  unknown: { text: 'unknown', tone: 'warning' },
  invalid: { text: 'invalid', tone: 'danger' },
  function: { text: 'a function', tone: 'plain' },
};
const NOT_EVALUATED: WhyBlock['result'] = { text: 'not evaluated', tone: 'plain' };

/**
 * @param sources the conditions as written, of all blocks
 * @param hasElse whether the `if` has an `else`
 */
export function whyBlocks(
  conditions: readonly ConditionWhy[],
  sources: readonly string[],
  hasElse: boolean,
): WhyBlock[] {
  const count = Math.max(conditions.length, sources.length);
  const blocks = Array.from({ length: count }, (_, index): WhyBlock => {
    const why = conditions[index] ?? null;
    return {
      label: index === 0 ? 'when' : 'or when',
      why,
      source: sources[index] ?? (why && 'source' in why ? why.source : ''),
      result: why ? RESULTS[why.state] : NOT_EVALUATED,
    };
  });
  if (hasElse) blocks.push({ label: 'else', why: null, source: null, result: elseResult(conditions) });
  return blocks;
}

function elseResult(conditions: readonly ConditionWhy[]): WhyBlock['result'] {
  const isFalse = conditions.every(({ state }) => state === 'false');
  return isFalse ? { text: 'no condition was true', tone: 'success' } : { text: 'didn’t run', tone: 'plain' };
}

/** The value of a part, as it was kept. */
export const valueOf = ({ value }: ExplainedRow): RemoteValue => (value as RemoteValue | undefined) ?? UNDEFINED;

/** Parts that aren't below a collapsed one. */
export function openParts(rows: readonly ExplainedRow[], collapsed: ReadonlySet<number>): ExplainedRow[] {
  let hiddenBelow = Infinity;
  return rows.filter(({ id, level }) => {
    if (level > hiddenBelow) return false;
    hiddenBelow = collapsed.has(id) ? level : Infinity;
    return true;
  });
}

/** What is missing, each once, and what was probably meant. */
export function missingTexts(why: ConditionWhy): string[] {
  if (!('hints' in why)) return [];
  const texts = [...(why.failed ? [why.failed.message] : []), ...why.hints.map(({ message }) => message)];
  return [...new Set(texts)];
}
