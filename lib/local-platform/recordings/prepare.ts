/** Checks what a run’s process has sent as its recording, and prepares it for the database. */
import * as v from 'valibot';
import { RECORDING_FORMAT, RECORDING_VERSION, type Recording } from '../../debugging/recording/format.ts';
import { maskRecording } from '../../debugging/recording/mask.ts';
import { KnownSecrets } from '../../shared/secrets/known-secrets.ts';
import type { RunRequest } from '../jobs/types.ts';
import { MISSING, type RunRecording } from '../runner/recording.ts';
import { compressed, type StoredRecording } from './store.ts';

const Frame = v.looseObject({
  format: v.literal(RECORDING_FORMAT),
  version: v.literal(RECORDING_VERSION),
  steps: v.array(v.looseObject({})),
  end: v.looseObject({ state: v.string() }),
});

/** @param secrets masked wherever they occur, beside credentials */
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
    const masked = maskRecording({ ...parsed, engine: 'server', action }, secrets);
    // It can have other fields than a recording.
    const text = new KnownSecrets(secrets).mask(JSON.stringify(masked));
    return { content: await compressed(text) };
  } catch {
    return { missing: MISSING.failed };
  }
}
