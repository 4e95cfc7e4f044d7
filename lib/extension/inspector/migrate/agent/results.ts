/** Makes the results of comparisons small enough to send, however large the values are that differ. */
import { writeValue } from '../../../../debugging/recording/values.ts';
import type { Comparison, Difference } from '../../../../migrate/index.ts';

/** Maximum size of a value, in characters. */
const MAX_VALUE = 20_000;
const MAX_TEXT = 10_000;

/** The values of differences are written as in recordings. */
export function sendable({ differences, unknown, steps, isWhole }: Comparison): Comparison {
  return {
    differences: differences.map(sendableDifference),
    unknown: [...new Map(unknown.map((each) => [each.path, each])).values()],
    steps,
    isWhole,
  };
}

const sendableDifference = (difference: Difference): Difference => ({
  ...difference,
  v2: sendableValue(difference.v2),
  v3: sendableValue(difference.v3),
});

function sendableValue(value: unknown): unknown {
  if (typeof value === 'string' && value.length > MAX_TEXT) return `${value.slice(0, MAX_TEXT)}…`;
  return writeValue(value, { left: MAX_VALUE, lost: 0 });
}
