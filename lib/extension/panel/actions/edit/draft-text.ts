/** Owns a draft as text: JSON, with what is no JSON standing in it as it was typed. */
import { findJsonError, type JsonError } from '../../run/payload/json-error.ts';
import { escapeKey, Unparsed } from './pointer.ts';

/** Largest action, in characters of compact JSON: as much as one message to the background worker takes, with room for its frame. */
export const SIZE_LIMIT = 1_000_000;
/** Longest text that is read at all: spaces do not count, but a panel must not freeze on them. */
export const TEXT_LIMIT = 3_000_000;

export type Read = { ok: true; value: unknown } | { ok: false; error: JsonError };

/** Deeper than any pipeline that the platform takes, and not too deep to walk through. */
const DEEPEST = 1_000;

export function readDraft(text: string): Read {
  const error = findJsonError(text);
  if (error) return { ok: false, error };
  if (isTooDeep(text)) return { ok: false, error: { offset: 0, line: 1, column: 1, expected: 'less nesting' } };
  return { ok: true, value: JSON.parse(text) };
}

function isTooDeep(text: string): boolean {
  let depth = 0;
  for (const [mark] of text.matchAll(/"(?:[^"\\]|\\.)*"|[[{\]}]/g)) {
    if (mark === '[' || mark === '{') depth++;
    else if (mark === ']' || mark === '}') depth--;
    if (depth > DEEPEST) return true;
  }
  return false;
}

export function writeDraft(value: unknown): string {
  // A token that no text of the draft can hold stands for each text that is no JSON, until all is written.
  const token = crypto.randomUUID();
  const texts: string[] = [];
  const written = JSON.stringify(
    value,
    (_, each: unknown) => (each instanceof Unparsed ? `${token} ${texts.push(each.text) - 1}` : each),
    2,
  );
  return texts.length === 0
    ? written
    : written.replaceAll(new RegExp(`"${token} (\\d+)"`, 'g'), (_, index: string) => texts[Number(index)] ?? '');
}

/** What stands in a field of JSON: parsed, or kept as it is. */
export function readField(text: string): unknown {
  const read = readDraft(text);
  return read.ok ? read.value : new Unparsed(text);
}

/** The text of a field of JSON. */
export function writeField(value: unknown): string {
  if (value instanceof Unparsed) return value.text;
  return value === undefined ? '' : JSON.stringify(value, null, 2);
}

export const jsonSentence = ({ line, column, expected }: JsonError): string =>
  `This is not JSON: at line ${line}, column ${column}, ${expected} is expected.`;

/** Places of texts that are no JSON. */
export function unparsedProblems(value: unknown, path = ''): { path: string; message: string }[] {
  if (value instanceof Unparsed) {
    const read = readDraft(value.text);
    return [{ path, message: read.ok ? '' : jsonSentence(read.error) }];
  }
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, each]) => unparsedProblems(each, `${path}/${escapeKey(key)}`));
}
