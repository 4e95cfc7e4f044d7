/** Chooses the payloads with which both versions of an action really run. */
import type { Recording } from '../../../debugging/recording/format.ts';
import { LostValueError, readValue } from '../../../debugging/recording/values.ts';
import { isRecord } from '../../../shared/objects.ts';

/** Each run takes about half a second on two platforms. */
const MOST = 20;

/** Those of the recordings, each once. An empty one if there are none. */
export function payloadsOf(recordings: readonly Recording[]): Record<string, unknown>[] {
  const byText = new Map<string, Record<string, unknown>>();
  for (const recording of recordings) {
    const payload = wholePayload(recording);
    if (payload) byText.set(JSON.stringify(payload), payload);
  }
  const payloads = [...byText.values()].slice(0, MOST);
  return payloads.length > 0 ? payloads : [{}];
}

/** Null if the recording doesn’t have all of it. */
function wholePayload({ payload }: Recording): Record<string, unknown> | null {
  try {
    // Reading each value fails for those that were lost.
    const value: unknown = JSON.parse(JSON.stringify(readValue(payload)));
    return isRecord(value) ? value : null;
  } catch (error) {
    if (error instanceof LostValueError) return null;
    throw error;
  }
}
