/** Owns a run as it is stored, and what its page still tells of one that no panel saw end. */
import type { RunInspector } from '../../../inspector/run/types.ts';
import { readRunEvents } from '../../../inspector/run/run-events.ts';
import type { RunRecord, RunStore } from './run-store.ts';
import { addEvents, createTrace, type LoopSource, type Trace } from '../trace.ts';

/** The run as far as it is stored, and its newest event; null when nothing is. */
export async function storedRun(
  store: RunStore,
  id: string,
  loopAt: (path: string) => LoopSource | null,
): Promise<{ record: RunRecord; trace: Trace; last: number } | null> {
  const record = await store.get(id);
  const events = record ? await store.events(id) : [];
  const last = events.at(-1)?.n;
  return record && last !== undefined
    ? { record, trace: addEvents(createTrace(id, record.startedAt), events, loopAt), last }
    : null;
}

/**
 * Stores what the page still tells of a run and answers its record: as it ended, or interrupted where the page knows of no end.
 * Null when the page cannot be asked, or the events cannot be read.
 */
export async function takeUp(
  record: RunRecord,
  store: RunStore,
  inspector: Pick<RunInspector, 'call' | 'namespace'>,
  read = readRunEvents,
): Promise<RunRecord | null> {
  const known = await store.events(record.id).catch(() => null);
  const last = known?.at(-1)?.n ?? 0;
  const rest = known && (await read(inspector, record.id, last));
  if (!known || !rest?.ok) return null;
  const trace = addEvents(createTrace(record.id, record.startedAt), [...known, ...rest.value]);
  if (trace.state === 'running') return { ...record, state: 'interrupted' };
  const [next] = rest.value;
  const hasGap = next !== undefined && next.kind !== 'run-started' && next.n !== last + 1;
  const kept = next ? await store.append(record.id, rest.value).catch(() => null) : record;
  return { ...(kept ?? record), ...endOf(trace), cut: hasGap || !kept || kept.cut };
}

/** What a record says of how its run ended. */
export function endOf({ state, milliseconds, error }: Trace): Pick<RunRecord, 'state' | 'milliseconds' | 'error'> {
  return { state, milliseconds, error: error ? `${error.errorType}: ${error.errorMessage}`.slice(0, 300) : null };
}
