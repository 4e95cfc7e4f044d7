/** Chooses the payloads with which both versions of an action really run. */
import type { Recording } from '../../../debugging/recording/format.ts';
import { LostValueError, readValue } from '../../../debugging/recording/values.ts';
import type { GeneratedRun } from '../../../migrate/index.ts';
import { PAYLOAD_LIMIT } from '../../../platform-api/limits.ts';
import { isRecord } from '../../../shared/objects.ts';
import { isOfEngine } from './differences.ts';
import type { EffectsInput } from './types.ts';

/** Each run takes about half a second on two platforms. */
const MOST = 20;
const MOST_GENERATED = 10;

/** Those of the recordings, or an empty one if there are none, then generated ones. Each once. */
export function payloadsOf(
  recordings: readonly Recording[],
  generated: readonly Pick<GeneratedRun, 'recording' | 'reached'>[] = [],
): EffectsInput[] {
  const known = new Set<string>();
  const isNew = (text: string): boolean => {
    const isKnown = known.has(text);
    known.add(text);
    return !isKnown;
  };
  const chosen = (from: readonly Recording[], most: number): Record<string, unknown>[] =>
    from
      .map(wholePayload)
      .filter((payload) => payload !== null)
      .filter((payload) => isNew(JSON.stringify(payload)))
      .slice(0, most);
  const recorded = chosen(recordings, MOST);
  if (recorded.length === 0) recorded.push(...chosen([NO_PAYLOAD], 1));
  const further = generated.filter(({ recording }) => isComparable(recording));
  // Those that take a new branch first.
  further.sort((one, other) => Number(other.reached.length > 0) - Number(one.reached.length > 0));
  const others = chosen(
    further.map(({ recording }) => recording),
    MOST_GENERATED,
  );
  return [...recorded.map((payload) => ({ payload })), ...others.map((payload) => ({ payload, generated: true }))];
}

const NO_PAYLOAD = { payload: {} } as Recording;

/** Nothing is known about how V3 ends if V2’s engine fails. */
const isComparable = ({ end, steps }: Recording): boolean =>
  (end.state === 'completed' || end.state === 'failed') &&
  !steps.some((step) => 'error' in step && step.error !== undefined && isOfEngine(step.error));

/** Null if the recording doesn’t have all of it, or a platform refuses it. */
function wholePayload({ payload }: Recording): Record<string, unknown> | null {
  try {
    // Reading each value fails for those that were lost.
    const text = JSON.stringify(readValue(payload));
    const value: unknown = JSON.parse(text);
    return isRecord(value) && text.length <= PAYLOAD_LIMIT ? value : null;
  } catch (error) {
    if (error instanceof LostValueError) return null;
    throw error;
  }
}
