/** Says why a recording proves nothing about an action, so that it’s left out. */
import type { Recording } from '../../debugging/recording/format.ts';
import { RECORDING_LIMIT } from '../../debugging/recording/recorder.ts';
import { type RecordedValue, writeValue } from '../../debugging/recording/values.ts';
import { placeText } from '../../debugging/replay/recorded-steps.ts';
import { type Divergence, replay } from '../../debugging/replay/replay.ts';
import type { PipelineStep } from '../../pipeline/types.ts';
import { escapeToken } from '../../shared/json-pointer.ts';

/** Why something isn’t known, and the step that it’s about. */
export interface Reason {
  path: string;
  reason: string;
}

/** Why a recorded run is of another revision of the action. Null if it isn’t, as far as the recording has the pipeline. */
export function whyOtherRevision({ pipeline }: Recording, actual: readonly PipelineStep[]): Reason | null {
  const pointer = otherPlace(pipeline, writeValue(actual, { left: RECORDING_LIMIT, lost: 0 }), '');
  if (pointer === null) return null;
  const [path = ''] = STEP.exec(pointer) ?? [];
  const what = path === '' ? 'The pipeline' : `Step ${path}`;
  return { path, reason: `${what} was different when the run was recorded.` };
}

const STEP = /^\/\d+(?:\/(?:functions|elseFunctions|conditions\/\d+\/functions)\/\d+)*/;

/** JSON Pointer of the first place where values differ for certain: what is lost in one of them could be equal. */
function otherPlace(one: RecordedValue | undefined, other: RecordedValue | undefined, path: string): string | null {
  if (one === other || isMark(one, 'lost') || isMark(other, 'lost')) return null;
  if (isMark(one, 'rest') || isMark(other, 'rest')) return null;
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) {
    // JSON has no undefined.
    const isAbsent = (value: typeof one): boolean => value === undefined || isMark(value, 'undefined');
    return isAbsent(one) && isAbsent(other) ? null : path;
  }
  if (Array.isArray(one) !== Array.isArray(other)) return path;
  for (const name of new Set([...Object.keys(one), ...Object.keys(other)])) {
    const found = otherPlace(read(one, name), read(other, name), `${path}/${escapeToken(name)}`);
    if (found !== null) return found;
  }
  return null;
}

function read(value: object, name: string): RecordedValue | undefined {
  // The rest of an array that was too long is one mark, in place of all items from there on.
  if (Array.isArray(value) && isMark(value.at(-1), 'rest') && Number(name) >= value.length) return value.at(-1);
  return Object.hasOwn(value, name) ? (value as Record<string, RecordedValue>)[name] : undefined;
}

const isMark = (value: RecordedValue | undefined, kind: string): boolean =>
  typeof value === 'object' && value !== null && (value as { $?: unknown }).$ === kind;

/** Why V2 itself wouldn’t repeat a recorded run, so that the run proves nothing. */
export async function whyNotRepeated(recording: Recording): Promise<Reason | null> {
  const end = await replay(recording);
  if (end.state === 'unknown') return { path: end.path, reason: end.cause.message };
  if (end.state !== 'diverged') return null;
  const { path } = end.divergence;
  const runtime = recording.engine === 'platform' ? 'The page’s own runtime recorded it. ' : '';
  return { path, reason: `${runtime}V2 doesn’t repeat the run: ${divergenceText(end.divergence)}.` };
}

function divergenceText({ what, path, iteration, recorded, replayed }: Divergence): string {
  const at = path === '' ? '' : ` at ${placeText({ path, iteration })}`;
  if (what === 'step') return `it continues with ${replayed ?? 'no step'} instead of ${recorded ?? 'no step'}`;
  if (what === 'branch') return `another block runs${at}`;
  if (what === 'iterations') return `the loop${at} has ${String(replayed)} iterations instead of ${String(recorded)}`;
  if (what === 'context') return `the changes${at} don’t fit`;
  return what === 'result' ? 'it has another result' : `it ends in another way${at}`;
}
