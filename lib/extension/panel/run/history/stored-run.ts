/** Restores a run from its stored events, and completes it with what its page still reports. */
import type { RunInspector } from '../../../inspector/run/types.ts';
import type { AgentEvent } from '../../../inspector/contract.ts';
import { readRunEvents } from '../../../inspector/run/run-events.ts';
import { addEvents, endTrace } from '../build-trace.ts';
import { createTrace, type LoopSource, type Trace } from '../trace.ts';
import type { RunRecord, RunStore } from './run-store.ts';

/** The trace of a past run. Without an end event, it ends in the state of its record. */
export function restoreTrace(
  record: RunRecord,
  events: readonly AgentEvent[],
  loopAt?: (path: string) => LoopSource | null,
): Trace {
  const trace = addEvents(createTrace(record.id, record.startedAt), events, loopAt);
  if (trace.state === 'running') endTrace(trace, record.state === 'running' ? 'interrupted' : record.state);
  return trace;
}

/** The stored part of a run, with the number of its newest event; null when none of its events is stored. */
export async function loadUnfinishedRun(
  store: RunStore,
  id: string,
  loopAt: (path: string) => LoopSource | null,
): Promise<{ record: RunRecord; trace: Trace; lastSeq: number } | null> {
  const record = await store.get(id);
  const events = record ? await store.events(id) : [];
  const lastSeq = events.at(-1)?.n;
  return record && lastSeq !== undefined
    ? { record, trace: addEvents(createTrace(id, record.startedAt), events, loopAt), lastSeq }
    : null;
}

/**
 * Stores what the page still reports of a run that no panel saw end. Returns its record: as it ended, or interrupted
 * when the page knows of no end. Null when the page can't be asked or the stored events can't be read.
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
  const trace = addEvents(createTrace(record.id, record.startedAt), [...stored, ...rest.value]);
  if (trace.state === 'running') return { ...record, state: 'interrupted' };
  const saved = rest.value.length > 0 ? await store.append(record.id, rest.value).catch(() => null) : record;
  const cut = hasGap(lastSeq, rest.value[0]) || !saved || saved.cut;
  return { ...(saved ?? record), ...outcomeOf(trace), cut };
}

/** Whether events are missing between the last stored one and the next. */
function hasGap(lastSeq: number, next: AgentEvent | undefined): boolean {
  return next !== undefined && next.kind !== 'run-started' && next.n !== lastSeq + 1;
}

/** How a run ended, according to its record. */
export function outcomeOf({ state, milliseconds, error }: Trace): Pick<RunRecord, 'state' | 'milliseconds' | 'error'> {
  return { state, milliseconds, error: error ? `${error.errorType}: ${error.errorMessage}`.slice(0, 300) : null };
}
