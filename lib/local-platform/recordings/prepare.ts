/** Prepares what a run’s process has sent as its recording for the database. */
import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { RunRequest } from '../jobs/types.ts';
import { MISSING, type RunRecording } from '../runner/recording.ts';
import { maskedContent, type SentRecording } from './masked-content.ts';
import type { StoredRecording } from './store.ts';

/** In characters. A longer recording would keep the thread that serves requests for too long. */
const MAX_INLINE = 200_000;

/** @param secrets masked wherever they occur, beside credentials */
export async function prepareRecording(
  sent: RunRecording,
  { appId, actionId, actionName: name, revision }: RunRequest,
  secrets: readonly string[],
): Promise<StoredRecording> {
  if ('missing' in sent) return sent;
  const action = { appId, actionId, name, ...(revision !== undefined && { revision }) };
  const recording = { text: sent.text, action, secrets };
  try {
    return { content: await (sent.text.length > MAX_INLINE ? inWorker(recording) : maskedContent(recording)) };
  } catch {
    return { missing: MISSING.failed };
  }
}

function inWorker(recording: SentRecording): Promise<Uint8Array> {
  const url = new URL(`./mask-worker${extname(import.meta.url)}`, import.meta.url);
  const worker = new Worker(url, { workerData: recording });
  return new Promise((resolve, reject) => {
    worker.once('message', resolve).once('error', reject).once('exit', reject);
  });
}
