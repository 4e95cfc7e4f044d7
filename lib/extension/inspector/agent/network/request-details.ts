/** Reads headers and bodies of requests and responses, bounded and with secrets masked. Never runs page code. */
import type { RecordedBody, RecordedHeaders } from '../../contract.ts';
import { cut, ownValue } from '../describe/describe-cursor.ts';
import {
  chunkDecoder,
  headersForEach,
  indexOf,
  isArray,
  keys,
  later,
  parametersText,
  readerCancel,
  readerRead,
  responseBody,
  responseClone,
  slice,
  split,
  streamReader,
  toLowerCase,
  trim,
} from '../pristine.ts';
import { attempt, bareList } from '../safe.ts';
import { canBeSecret, isSecretName } from '../../../../shared/secrets/secret-names.ts';
import { inlineMask, maskForeignText, withoutUser } from '../../../../shared/secrets/secret-text.ts';

const MAX_HEADERS = 40;
const MAX_NAME = 100;
const MAX_VALUE = 500;
/** Characters of all headers of a run, of one body, and of all bodies of a run. */
const MAX_ALL_HEADERS = 1_000_000;
const MAX_BODY = 20_000;
const MAX_ALL_BODIES = 2_000_000;
/** Milliseconds after which a body that hasn't ended is reported as it is. */
const MAX_TIME = 10_000;
const BINARY = [
  'image/',
  'audio/',
  'video/',
  'font/',
  'application/octet-stream',
  'application/pdf',
  'application/zip',
];

/** What is left of a run's space. */
export class DetailBudget {
  #headers = MAX_ALL_HEADERS;
  #bodies = MAX_ALL_BODIES;

  /** Undefined if the run has no space left. */
  headers(pairs: RecordedHeaders): RecordedHeaders | undefined {
    if (this.#headers <= 0) return undefined;
    const masked: RecordedHeaders = [];
    for (let i = 0; i < pairs.length && i < MAX_HEADERS; i++) {
      const pair = maskedHeader(pairs[i]![0], pairs[i]![1]);
      this.#headers -= pair[0].length + pair[1].length;
      masked[masked.length] = pair;
    }
    return masked;
  }

  body(text: string, reason?: RecordedBody['cut']): RecordedBody {
    const room = this.#bodies < MAX_BODY ? this.#bodies : MAX_BODY;
    if (room <= 0) return { text: '', cut: 'total' };
    const isLong = text.length > room;
    const kept = maskForeignText(isLong ? cut(text, room) : text, false);
    this.#bodies -= kept.length;
    const why = isLong ? (room < MAX_BODY ? 'total' : 'length') : reason;
    return why === undefined ? { text: kept } : { text: kept, cut: why };
  }
}

function maskedHeader(name: string, value: string): RecordedHeaders[number] {
  const isSecret = isSecretName(name) && value !== '';
  return [cut(name, MAX_NAME), isSecret ? inlineMask(value) : maskForeignText(cut(value, MAX_VALUE), false)];
}

/** A URL without a user and a password, and without secrets in its path, its query, and its fragment. */
export function maskedUrl(given: string): string {
  const url = withoutUser(given);
  const hash = indexOf(url, '#');
  const end = hash < 0 ? url.length : hash;
  const question = indexOf(slice(url, 0, end), '?');
  const path = maskForeignText(slice(url, 0, question < 0 ? end : question), false);
  const query = question < 0 ? '' : `?${maskedPairs(slice(url, question + 1, end))}`;
  return `${path}${query}${hash < 0 ? '' : `#${maskedPairs(slice(url, hash + 1))}`}`;
}

function maskedPairs(text: string): string {
  let masked = '';
  const parts = split(text, '&');
  for (let i = 0; i < parts.length; i++) {
    const name = slice(parts[i]!, 0, indexOf(parts[i]!, '=') + 1);
    const value = slice(parts[i]!, name.length);
    const isSecret = isSecretName(name) && canBeSecret(value, name);
    masked += `${i > 0 ? '&' : ''}${name}${isSecret ? inlineMask(value) : maskForeignText(value, false)}`;
  }
  return masked;
}

/** Headers as the page passes them: `Headers`, pairs, or an object. Getters and other values are left out. */
export function readHeaders(given: unknown): RecordedHeaders {
  const pairs: RecordedHeaders = bareList();
  const add = (name: unknown, value: unknown): void => {
    if (
      pairs.length < MAX_HEADERS &&
      typeof name === 'string' &&
      (typeof value === 'string' || typeof value === 'number')
    )
      pairs[pairs.length] = [name, `${value}`];
  };
  if (typeof given !== 'object' || given === null) return pairs;
  if (attempt(() => (headersForEach!(given, (value, name) => add(name, value)), true))) return pairs;
  attempt(() => {
    const names = keys(given);
    for (let i = 0; i < names.length && i < MAX_HEADERS; i++) {
      const value = ownValue(given, names[i]!);
      if (!isArray(given)) add(names[i], value);
      else if (isArray(value)) add(ownValue(value as object, '0'), ownValue(value as object, '1'));
    }
  });
  return pairs;
}

/** The headers of an XMLHttpRequest’s response: lines of text. */
export function readHeaderLines(text: string): RecordedHeaders {
  const pairs: RecordedHeaders = bareList();
  const lines = split(text, '\n');
  for (let i = 0; i < lines.length && pairs.length < MAX_HEADERS; i++) {
    const colon = indexOf(lines[i]!, ':');
    if (colon > 0) pairs[pairs.length] = [slice(lines[i]!, 0, colon), trim(slice(lines[i]!, colon + 1))];
  }
  return pairs;
}

/** A body that the page sends, if it's text. Undefined if there is none. */
export function sentBody(body: unknown, budget: DetailBudget): RecordedBody | undefined {
  if (body === undefined || body === null) return undefined;
  if (typeof body === 'string') return budget.body(body);
  const parameters = typeof body === 'object' ? attempt(() => parametersText!(body)) : undefined;
  return parameters === undefined ? { text: '', cut: 'binary' } : budget.body(parameters);
}

/** Why a response's body isn't read; null if it's text that ends. */
export function unreadable(contentType: string | null | undefined): 'stream' | 'binary' | null {
  const type = toLowerCase(contentType ?? '');
  if (indexOf(type, 'text/event-stream') === 0) return 'stream';
  for (let i = 0; i < BINARY.length; i++) if (indexOf(type, BINARY[i]!) === 0) return 'binary';
  return null;
}

/** Reads a copy of a response's body. The page's own body stays unread. */
export class BodyCopy {
  #reader: object | null = null;
  #text = '';
  #isDone = false;
  readonly #report: (text: string, why?: RecordedBody['cut']) => void;

  /** @param report called once */
  constructor(response: object, report: (text: string, why?: RecordedBody['cut']) => void) {
    this.#report = report;
    const decode = chunkDecoder();
    const stream = attempt(() => responseBody!(responseClone!(response)));
    this.#reader = (stream && attempt(() => streamReader!(stream))) ?? null;
    if (this.#reader && decode && readerRead) {
      later(() => this.finish('time'), MAX_TIME);
      void this.#read(this.#reader, decode);
    } else this.finish();
  }

  async #read(reader: object, decode: (chunk: unknown) => string): Promise<void> {
    try {
      while (!this.#isDone) {
        const { done, value } = await readerRead!(reader);
        if (done) return this.finish();
        this.#text += decode(value);
        if (this.#text.length > MAX_BODY) return this.finish('length');
      }
    } catch {
      // The page aborted the request, or the connection was lost.
      this.finish('time');
    }
  }

  /** Reports what has been read so far. The copy is canceled, so that it doesn't keep the response in memory. */
  finish(why?: RecordedBody['cut']): void {
    if (this.#isDone) return;
    this.#isDone = true;
    if (why && this.#reader) void cancel(this.#reader);
    this.#report(this.#text, why);
  }
}

async function cancel(reader: object): Promise<void> {
  try {
    await readerCancel!(reader);
  } catch {
    // The response has failed, too.
  }
}
