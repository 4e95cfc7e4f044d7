/** Opens a run of V3 code beside the run of V2 that it was compared with. */
import type { ErrorValue } from '../../../platform-api/errors.ts';
import type { Panel } from '../shell/panel.ts';
import type { GatheredRun } from './gather.ts';
import type { Proving } from './proving.ts';

/** @returns why it can’t be opened, or null */
export async function openCompare(panel: Panel, proving: Proving, index: number): Promise<ErrorValue | null> {
  const run = proving.proved.peek()?.runs[index];
  if (!run) return null;
  const recorded = await proving.record(index);
  if (!recorded.ok) return recorded.error;
  const { id, subject, title } = await storedRun(panel, run);
  const own = `v3-${id}`;
  // An earlier version of the code had another run.
  await panel.runs.remove(own);
  await panel.recordings.open(recorded.value, { id: own, origin: 'v3', madeFrom: id, subject, title });
  panel.selection.compare(id);
  return null;
}

/** The run of V2. A run of the platform’s server might not be stored yet. */
async function storedRun(panel: Panel, { record, recording, label }: GatheredRun) {
  if (record) return record;
  const id = `server-${recording.startedAt}-${label}`;
  const stored = await panel.services.store.get(id);
  if (stored) return stored;
  const opened = await panel.recordings.open(recording, { id, origin: 'server' });
  return opened.record;
}
