/** Checks what a run’s process has sent as its recording, and prepares it for the database. */
import * as v from 'valibot';
import { RECORDING_FORMAT, RECORDING_VERSION, type Recording } from '../../debugging/recording/format.ts';
import type { RunRequest } from '../jobs/types.ts';
import { MISSING, type RunRecording } from '../runner/recording.ts';
import { compressed, type StoredRecording } from './store.ts';

const Frame = v.looseObject({
  format: v.literal(RECORDING_FORMAT),
  version: v.literal(RECORDING_VERSION),
  steps: v.array(v.looseObject({})),
  end: v.looseObject({ state: v.string() }),
});

/** @param secrets masked wherever they occur */
export async function prepareRecording(
  sent: RunRecording,
  { appId, actionId, actionName: name, revision }: RunRequest,
  secrets: readonly string[],
): Promise<StoredRecording> {
  if ('missing' in sent) return sent;
  // The process can’t be trusted.
  try {
    const parsed = v.parse(Frame, JSON.parse(sent.text)) as unknown as Recording;
    const action = { appId, actionId, name, ...(revision !== undefined && { revision }) };
    let text = JSON.stringify({ ...parsed, engine: 'server', action });
    for (const secret of secrets) text = text.replaceAll(secret, '••••');
    return { content: await compressed(text) };
  } catch {
    return { missing: MISSING.failed };
  }
}
