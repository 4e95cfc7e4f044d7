/** Owns which run another is compared with when nobody chose one. */
import type { RunRecord } from '../history/run-store.ts';

/** The last one before it, of the same action, that ended the other way; else the one before it, else the nearest after. */
export function defaultOther(records: readonly RunRecord[], of: RunRecord): RunRecord | null {
  const others = records
    .filter((one) => one.id !== of.id && one.subject === of.subject && one.state !== 'running')
    .sort((a, b) => b.startedAt - a.startedAt);
  const earlier = others.filter((one) => one.startedAt <= of.startedAt);
  const later = others.filter((one) => one.startedAt > of.startedAt).toReversed();
  const isOtherWay = (one: RunRecord): boolean =>
    of.state === 'completed' ? one.state === 'failed' : one.state === 'completed';
  return earlier.find(isOtherWay) ?? earlier[0] ?? later.find(isOtherWay) ?? later[0] ?? null;
}

/** Others to choose from: of the same action first, newest first. */
export function otherRuns(records: readonly RunRecord[], of: RunRecord): RunRecord[] {
  const rank = (one: RunRecord): number => (one.subject === of.subject ? 0 : 1);
  return records
    .filter((one) => one.id !== of.id && one.state !== 'running')
    .sort((a, b) => rank(a) - rank(b) || b.startedAt - a.startedAt);
}
