/** Checks, masks, and compresses a recording that a run’s process has sent. */
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import * as v from 'valibot';
import {
  type RecordedAction,
  RECORDING_FORMAT,
  RECORDING_VERSION,
  type Recording,
} from '../../debugging/recording/format.ts';
import { maskRecording } from '../../debugging/recording/mask.ts';
import { KnownSecrets } from '../../shared/secrets/known-secrets.ts';

export interface SentRecording {
  /** JSON. The process can’t be trusted. */
  text: string;
  action: RecordedAction;
  /** Masked wherever they occur, beside credentials. */
  secrets: readonly string[];
}

const Frame = v.looseObject({
  format: v.literal(RECORDING_FORMAT),
  version: v.literal(RECORDING_VERSION),
  steps: v.array(v.looseObject({})),
  end: v.looseObject({ state: v.string() }),
});

const compress = promisify(gzip);

/** @throws if it isn’t a recording */
export async function maskedContent({ text, action, secrets }: SentRecording): Promise<Uint8Array> {
  const parsed = v.parse(Frame, JSON.parse(text)) as unknown as Recording;
  const masked = maskRecording({ ...parsed, engine: 'server', action }, secrets);
  // It can have other fields than a recording.
  const content = new KnownSecrets(secrets).mask(JSON.stringify(masked));
  // A higher level takes three times as long, and saves a tenth.
  return compress(content, { level: 4 });
}
