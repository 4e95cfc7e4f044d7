/** Decides how a loop is written, and names its variables. */
import { keysIn } from '../pipeline/syntax.ts';
import type { PipelineStep } from '../pipeline/types.ts';
import type { Writes } from './effects.ts';
import { readsName } from './expressions.ts';
import { isIdentifier } from './print/literals.ts';

/** Why the current item has to be in the context. Null if it can be a local variable. */
export function whyInContext(body: readonly PipelineStep[], writes: Writes): string | null {
  if (writes === 'anything') return 'A package in the loop can read and change the current item and the array.';
  if (writes.has('currentItem') || writes.has('currentIndex')) return 'A step in the loop replaces the current item.';
  if (readsName(body, 'context')) return 'An expression in the loop reads the context as a whole.';
  return null;
}

/** A name for the item of a loop: `record` for `records`, `entry` for `data.entries`. */
export function itemName(items: string): string {
  const plural = keysIn(items).at(-1) ?? '';
  const singular = plural.endsWith('ies') ? plural.replace(/ies$/, 'y') : plural.replace(/(?<=[^s])s$/, '');
  return singular !== plural && isIdentifier(singular) && singular.length > 1 ? singular : 'item';
}
