/** Parses what the prover in the page returns. The page can have forged it. */
import * as v from 'valibot';
import { LostValueError, readValue, type RecordedValue } from '../../../debugging/recording/values.ts';
import type { Comparison } from '../../../migrate/index.ts';
import { PIECE, type RecordingPiece } from './protocol.ts';

const Text = v.pipe(v.string(), v.maxLength(20_000));
const Count = v.pipe(v.number(), v.safeInteger(), v.minValue(0));
const Path = v.pipe(v.string(), v.regex(/^(\/[A-Za-z0-9]+)*$/), v.maxLength(20_000));

const DifferenceSchema = v.object({
  what: v.picklist(['order', 'call', 'context', 'result', 'failure', 'code']),
  path: Path,
  iteration: v.array(Count),
  place: v.exactOptional(Text),
  v2: v.pipe(v.unknown(), v.transform(shownValue)),
  v3: v.pipe(v.unknown(), v.transform(shownValue)),
});

const ComparisonSchema = v.object({
  differences: v.pipe(v.array(DifferenceSchema), v.maxLength(10)),
  unknown: v.array(v.object({ path: Path, reason: Text })),
  steps: Count,
  isWhole: v.boolean(),
}) satisfies v.GenericSchema<unknown, Comparison>;

const responseOf = <T>(result: v.GenericSchema<unknown, T>) =>
  v.nullable(v.object({ results: v.array(result), failure: v.nullable(Text) }));

export const Compared = responseOf(ComparisonSchema);
export const Recorded = responseOf(
  v.object({ text: v.pipe(v.string(), v.maxLength(PIECE)), isLast: v.boolean() }) satisfies v.GenericSchema<
    unknown,
    RecordingPiece
  >,
);
export const Found = responseOf(v.boolean());

/** The value of a difference, or why it can’t be shown. */
function shownValue(written: unknown): unknown {
  try {
    return readValue(written as RecordedValue);
  } catch (thrown) {
    if (thrown instanceof LostValueError) return thrown.message;
    throw thrown;
  }
}
