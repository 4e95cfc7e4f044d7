/** Marks what a condition was. A failure has its own mark, because a step can fail after its condition was true. */
import type { ConditionWhy } from './why-condition.ts';

export const CONDITION_MARKS: Readonly<Record<ConditionWhy['state'], string>> = {
  true: '✓',
  false: '✗',
  failed: '!',
  invalid: '!',
  unknown: '?',
  function: 'ƒ',
};
