/** Masks secrets before the panel stores anything of a run. Tokens never leave the worker, so it’s asked for them. */
import type { Recording } from '../../../../debugging/recording/format.ts';
import { TokenLike } from '../../../../shared/secrets/credentials.ts';
import { MASK } from '../../../../shared/secrets/known-secrets.ts';
import { lateModule } from '../../shared/late-module.ts';
import { createPauses, mapInBackground } from '../../shared/pauses.ts';
import { DataMask, maskRecord } from './mask-data.ts';
import type { Send } from '../../../messaging/protocol.ts';
import type { FileRun } from '../history/run-file.ts';
import type { RunRecord } from '../history/run-store.ts';

/** No token is shorter. In characters. */
const MIN_TOKEN = 6;
/** Characters of the texts in one message. JSON can need six times as many. */
const MESSAGE = 600_000;
/** Pieces of a long text overlap by more than a token has, URL-encoded. */
const OVERLAP = 20_000;

/** Steps to mask without looking at the clock. */
const STEPS = 200;

/** Returns a text with its secrets masked. */
export type MaskText = (text: string) => string;

export class RunMask {
  readonly #send: Send;

  constructor(send: Send) {
    this.#send = send;
  }

  recording(recording: Recording): Promise<Recording> {
    return this.#masked(recording, (given, known) => maskInParts(given, known));
  }

  record(record: RunRecord): Promise<RunRecord> {
    return this.#masked(record, maskRecord);
  }

  async run({ record, events }: FileRun): Promise<FileRun> {
    return { record: await this.record(record), events: await this.data(events) };
  }

  /** Events of a run, of which there can be 100,000. */
  async data<T>(items: readonly T[]): Promise<T[]> {
    const texts = new Set<string>();
    const credentials = new DataMask((text) => (texts.add(text), text));
    const masked = await mapInBackground(items, (item) => credentials.value(item) as T);
    const known = await this.#knownIn(texts);
    if (known === null) return masked;
    const tokens = new DataMask(known);
    return mapInBackground(masked, (item) => tokens.value(item) as T);
  }

  async #masked<T>(given: T, maskWith: (given: T, known: MaskText) => T | Promise<T>): Promise<T> {
    const texts = new Set<string>();
    const masked = await maskWith(given, (text) => (texts.add(text), text));
    const known = await this.#knownIn(texts);
    return known === null ? masked : maskWith(masked, known);
  }

  /** Masks tokens in these texts. Null if none has one. While the worker can’t read tokens, masks what looks like one. */
  async #knownIn(texts: Iterable<string>): Promise<MaskText | null> {
    const masked = new Map<string, string>();
    for (const message of messagesOf(texts)) {
      const response = await this.#send('secrets.mask', { texts: message.map(({ piece }) => piece) });
      if (!response.ok) return tokenLike();
      for (const [index, text] of response.value.masked) {
        const part = message[index];
        // Pieces overlap, so they can’t be joined again.
        if (part) masked.set(part.text, part.piece === part.text ? text : MASK);
      }
    }
    return masked.size === 0 ? null : (text) => masked.get(text) ?? text;
  }
}

/** Masks the steps in parts, because there can be 100,000. Rejects once it’s canceled. */
export async function maskInParts(recording: Recording, known: MaskText, signal?: AbortSignal): Promise<Recording> {
  const { maskRecordingWith } = await lateModule(import('../../../../debugging/recording/mask.ts'));
  const masked = maskRecordingWith({ ...recording, steps: [] }, known);
  const { action: _, console: __, requests: ___, ...rest } = recording;
  const nothing: Recording = { ...rest, pipeline: null, payload: null, end: { state: 'stopped' }, lost: 0 };
  const { pauseIfDue } = createPauses(true);
  for (let from = 0; from < recording.steps.length; from += STEPS) {
    const pause = pauseIfDue();
    if (pause) await pause;
    signal?.throwIfAborted();
    const { steps, lost } = maskRecordingWith({ ...nothing, steps: recording.steps.slice(from, from + STEPS) }, known);
    masked.steps.push(...steps);
    masked.lost += lost;
  }
  return masked;
}

interface Part {
  text: string;
  /** The text, or a piece of it if it’s long. */
  piece: string;
}

function* messagesOf(texts: Iterable<string>): Generator<Part[]> {
  let message: Part[] = [];
  let room = MESSAGE;
  for (const text of texts) {
    if (text.length < MIN_TOKEN) continue;
    for (const piece of piecesOf(text)) {
      if (piece.length > room) {
        yield message;
        message = [];
        room = MESSAGE;
      }
      message.push({ text, piece });
      // Commas and quotes.
      room -= piece.length + 3;
    }
  }
  if (message.length > 0) yield message;
}

function* piecesOf(text: string): Generator<string> {
  if (text.length <= MESSAGE) yield text;
  else for (let from = 0; from < text.length; from += MESSAGE - OVERLAP) yield text.slice(from, from + MESSAGE);
}

function tokenLike(): MaskText {
  const like = new TokenLike();
  return (text) => like.mask(text);
}
