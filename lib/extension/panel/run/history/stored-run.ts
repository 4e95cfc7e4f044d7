/** Restores a run from its stored events, plus whatever its page still reports. */
import type { RunInspector } from '../../../inspector/run/types.ts';
import type { AgentEvent } from '../../../inspector/contract.ts';
import { readRunEvents } from '../../../inspector/run/run-events.ts';
import { createPauses } from '../../shared/pauses.ts';
import { toJson } from '../../shared/value-json.ts';
import { addEvents, endTrace } from '../build-trace.ts';
import { createTrace, type LoopSource, type Trace } from '../trace.ts';
import type { RunRecord, RunStore } from './run-store.ts';

/** Events to add without looking at the clock. */
const EVENTS = 200;

/** A past run's trace. If there's no end event, the trace ends in the record's state. */
export async function restoreTrace(
  record: RunRecord,
  events: readonly AgentEvent[],
  loopAt?: (path: string) => LoopSource | null,
): Promise<Trace> {
  const { pauseIfDue } = createPauses();
  const trace = createTrace(record.id, record.startedAt);
  const isPartial = record.cut || record.thinned === true;
  trace.dropped = missingEvents(record, events);
  if (isPartial) trace.unstored = { steps: null };
  for (let from = 0; from < events.length; from += EVENTS) {
    const pause = pauseIfDue();
    if (pause) await pause;
    addEvents(trace, events.slice(from, from + EVENTS), loopAt);
  }
  if (isPartial && record.steps) trace.unstored = { steps: Math.max(0, record.steps.total - trace.steps.size) };
  if (trace.state === 'running') endTrace(trace, record.state === 'running' ? 'interrupted' : record.state);
  return trace;
}

/** How many events of a run are known to be missing, other than those that weren’t stored. */
export function missingEvents(record: RunRecord, events: readonly AgentEvent[]): number {
  const { dropped = 0, state, tracing } = record;
  if (record.cut || record.thinned) return dropped;
  if (events.length === 0) return Math.max(dropped, tracing === 'bare' ? 0 : 1);
  const hasEnd = state === 'running' || state === 'interrupted' || events.at(-1)?.kind === 'run-ended';
  return Math.max(dropped, gapsIn(events) + (hasEnd ? 0 : 1));
}

/** The page numbers a run’s events without gaps. */
function gapsIn([first, ...rest]: readonly AgentEvent[]): number {
  if (!first) return 0;
  let missing = first.kind === 'run-started' ? 0 : 1;
  let last = first.n;
  for (const { n } of rest) {
    missing += Math.max(0, n - last - 1);
    last = n;
  }
  return missing;
}

/** The stored part of an unfinished run, and the number of its last event; null if no events are stored. */
export async function loadUnfinishedRun(
  store: RunStore,
  id: string,
  loopAt: (path: string) => LoopSource | null,
): Promise<{ record: RunRecord; trace: Trace; lastSeq: number } | null> {
  const record = await store.get(id);
  const events = record ? await store.events(id) : [];
  const lastSeq = events.at(-1)?.n;
  if (!record || lastSeq === undefined) return null;
  const trace = createTrace(id, record.startedAt);
  trace.dropped = gapsIn(events);
  return { record, trace: addEvents(trace, events, loopAt), lastSeq };
}

/**
 * Recovers a run that ended while no panel was watching, and stores the events that the page still has. Returns its
 * record: with the actual outcome, or interrupted if the page doesn't know the outcome. Null if the page can't be
 * queried or the stored events can't be read.
 */
export async function recoverRun(
  record: RunRecord,
  store: Pick<RunStore, 'events' | 'append'>,
  inspector: Pick<RunInspector, 'call' | 'namespace'>,
  read = readRunEvents,
): Promise<RunRecord | null> {
  const stored = await store.events(record.id).catch(() => null);
  const lastSeq = stored?.at(-1)?.n ?? 0;
  const rest = stored && (await read(inspector, record.id, lastSeq));
  if (!stored || !rest?.ok) return null;
  const events = [...stored, ...rest.value];
  const trace = createTrace(record.id, record.startedAt);
  trace.dropped = gapsIn(events);
  addEvents(trace, events);
  if (trace.state === 'running') return { ...record, state: 'interrupted' };
  const saved = rest.value.length > 0 ? await store.append(record.id, rest.value).catch(() => null) : record;
  const isLost = hasGap(lastSeq, rest.value[0]);
  const steps = isLost ? null : trace.steps.size;
  const ended = saved ?? { ...record, cut: true };
  return { ...ended, ...outcomeOf(trace), cut: isLost || ended.cut, steps: countSteps(ended, steps) };
}

/** @param total the number of steps that the run had, as far as is known; null if unknown */
export function countSteps({ steps }: RunRecord, total: number | null): RunRecord['steps'] {
  return total === null || !steps ? undefined : { ...steps, total: Math.max(steps.total, total) };
}

/** Whether events are missing between the last stored event and the next one. */
function hasGap(lastSeq: number, next: AgentEvent | undefined): boolean {
  return next !== undefined && next.kind !== 'run-started' && next.n !== lastSeq + 1;
}

/** A trace's outcome, in the form that the run's record stores. */
export function outcomeOf({
  state,
  milliseconds,
  error,
  result,
  dropped,
}: Trace): Pick<RunRecord, 'state' | 'milliseconds' | 'error' | 'result' | 'dropped'> {
  return {
    dropped: dropped > 0 ? dropped : undefined,
    state,
    milliseconds,
    error: error ? `${error.errorType}: ${error.errorMessage}`.slice(0, OUTCOME_LENGTH) : null,
    result: result && result.t !== 'undefined' ? toJson(result).slice(0, OUTCOME_LENGTH) : undefined,
  };
}

/** Maximum characters of an error or result in a record. */
const OUTCOME_LENGTH = 300;
