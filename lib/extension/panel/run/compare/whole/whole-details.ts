/** A compared step’s whole values: its contexts, settings, and returned value in both recordings. */
import { type ContextDifference, contextDifferences } from '../../../../../debugging/compare/context-differences.ts';
import { readOptional } from '../../../../../debugging/compare/step-digests.ts';
import type { RecordedStep, Recording } from '../../../../../debugging/recording/format.ts';
import { contextsAt, type StepContexts } from '../../../../../debugging/replay/contexts-at.ts';
import { LostValueError, readValue } from '../../../../../debugging/recording/values.ts';
import { valueAt } from '../../../../../shared/json-pointer.ts';
import type { RemoteValue } from '../../../../inspector/contract.ts';
import { describeValue } from '../../why/describe-value.ts';
import type { ComparedRow, Comparison } from '../compare-runs.ts';
import { MAX_DIFFERENCES, type ValueDifference } from '../compare-values.ts';
import type { StepInput } from '../align/step-inputs.ts';
import type { Ignore } from '../align/remote-items.ts';
import { placeOf, type Recordings } from './whole-rows.ts';

export interface WholeValue {
  before?: RemoteValue;
  now?: RemoteValue;
  differences: ValueDifference[];
}

/** Absent if the recordings don’t have them. */
export interface WholeDetails {
  contextBefore?: WholeValue;
  contextAfter?: WholeValue;
  settings?: WholeValue;
  value?: WholeValue;
  result?: WholeValue;
}

/** Null if the recordings don’t have the step. */
export async function wholeDetails(
  comparison: Comparison,
  recordings: Recordings,
  row: ComparedRow,
): Promise<WholeDetails | null> {
  const { volatility } = comparison;
  if (row.what === 'end')
    return compact({ result: compareWhole((side) => resultOf(recordings[side]), volatility.in('result')) });
  const place = placeOf(row, recordings);
  if (!place) return null;
  const contextsOf = async (side: 'before' | 'now'): Promise<StepContexts | undefined> =>
    (await contextsAt(recordings[side], [place[side]])).get(place[side]);
  const contexts = { before: await contextsOf('before'), now: await contextsOf('now') };
  const stepOf = (side: 'before' | 'now'): RecordedStep | undefined => recordings[side].steps[place[side]];
  const settings = (side: 'before' | 'now'): unknown => settingsOf(recordings[side], stepOf(side)?.path ?? '');
  return compact({
    contextBefore: compareWhole((side) => contexts[side]?.before, volatility.in('context')),
    contextAfter: compareWhole((side) => contexts[side]?.after, volatility.in('context')),
    settings: compareWhole(settings, volatility.in('settings')),
    value: compareWhole((side) => readOptional(stepOf(side)?.value), volatility.in('value')),
  });
}

/** The differences of an aspect; undefined if the recordings don’t have it. */
export function wholeDifferences(
  whole: WholeDetails,
  { input, changes }: ComparedRow,
  aspect: string,
): ValueDifference[] | undefined {
  if (aspect === 'input') return whole.contextBefore && below(whole.contextBefore, input);
  if (aspect === 'changes') return whole.contextAfter && below(whole.contextAfter, changes);
  return whole[aspect as keyof WholeDetails]?.differences;
}

/** The differences in what has changed. */
function below({ differences }: WholeValue, { before, now }: StepInput): ValueDifference[] {
  const changed = new Set([...before, ...now].map(({ path }) => path));
  return differences.filter(({ path }) => {
    for (let at = path; at !== ''; at = at.slice(0, at.lastIndexOf('/'))) if (changed.has(at)) return true;
    return changed.has('');
  });
}

const compact = (details: { [Name in keyof WholeDetails]: WholeDetails[Name] | undefined }): WholeDetails =>
  Object.fromEntries(Object.entries(details).filter(([, value]) => value !== undefined));

function settingsOf({ pipeline }: Recording, path: string): unknown {
  return (valueAt(readValue(pipeline), path) as { settings?: unknown } | undefined)?.settings;
}

const resultOf = ({ end }: Recording): unknown => (end.state === 'completed' ? readValue(end.result) : undefined);

/** Undefined if one of the values is lost, or if neither run has one. */
function compareWhole(
  read: (side: 'before' | 'now') => unknown,
  isIgnored: Ignore | undefined,
): WholeValue | undefined {
  try {
    const [before, now] = [read('before'), read('now')];
    if (before === undefined && now === undefined) return undefined;
    const found = contextDifferences(before, now, { limit: MAX_DIFFERENCES, ...(isIgnored && { isIgnored }) });
    const keep = found.map((one) => shown({ ...one, ...describedValues(one) }));
    return { before: describeValue(before), now: describeValue(now), differences: keep };
  } catch (thrown) {
    if (thrown instanceof LostValueError) return undefined;
    throw thrown;
  }
}

const describedValues = (one: ContextDifference): { before?: RemoteValue; now?: RemoteValue } => ({
  ...('before' in one && { before: describeValue(one.before) }),
  ...('now' in one && { now: describeValue(one.now) }),
});

const shown = ({ path, kind, before, now }: ContextDifference): ValueDifference => ({
  path,
  kind,
  ...(before !== undefined && { before: before as RemoteValue }),
  ...(now !== undefined && { now: now as RemoteValue }),
});
