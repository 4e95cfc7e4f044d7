/** Reads and writes a draft as JSON text. Parts that don't parse are preserved as entered. */
import { escapeToken } from '../../../../shared/json-pointer.ts';
import { findJsonError, type JsonError } from '../../run/payload/json-error.ts';
import { Unparsed } from './draft-value.ts';

/** Largest action, in characters of compact JSON: what fits in one message to the background worker. */
export const SIZE_LIMIT = 1_000_000;
/** Longest text that is parsed. Whitespace doesn't count toward the size, but must not freeze the panel. */
export const TEXT_LIMIT = 3_000_000;
/** More than any pipeline that the platform accepts, and safe for recursion. */
const DEPTH_LIMIT = 1_000;

export type Read = { ok: true; value: unknown } | { ok: false; error: JsonError };

export function readDraft(text: string): Read {
  const error = findJsonError(text);
  if (error) return { ok: false, error };
  if (isTooDeep(text)) return { ok: false, error: { offset: 0, line: 1, column: 1, expected: 'less nesting' } };
  return { ok: true, value: JSON.parse(text) };
}

function isTooDeep(text: string): boolean {
  let depth = 0;
  for (const [token] of text.matchAll(/"(?:[^"\\]|\\.)*"|[[{\]}]/g)) {
    if (token === '[' || token === '{') depth++;
    else if (token === ']' || token === '}') depth--;
    if (depth > DEPTH_LIMIT) return true;
  }
  return false;
}

export function writeDraft(value: unknown): string {
  // A unique placeholder stands in for each unparsed text while the rest is serialized.
  const placeholder = crypto.randomUUID();
  const texts: string[] = [];
  const json = JSON.stringify(
    value,
    (_, each: unknown) => (each instanceof Unparsed ? `${placeholder} ${texts.push(each.text) - 1}` : each),
    2,
  );
  return texts.length === 0
    ? json
    : json.replaceAll(new RegExp(`"${placeholder} (\\d+)"`, 'g'), (_, index: string) => texts[Number(index)] ?? '');
}

/** The value of a JSON field: parsed, or preserved as entered. */
export function readField(text: string): unknown {
  const read = readDraft(text);
  return read.ok ? read.value : new Unparsed(text);
}

/** The text of a JSON field. */
export function writeField(value: unknown): string {
  if (value instanceof Unparsed) return value.text;
  return value === undefined ? '' : JSON.stringify(value, null, 2);
}

export const jsonErrorText = ({ line, column, expected }: JsonError): string =>
  `Invalid JSON at line ${line}, column ${column}: expected ${expected}.`;

/** Where the draft contains text that isn't JSON. */
export function unparsedProblems(value: unknown, path = ''): { path: string; message: string }[] {
  if (value instanceof Unparsed) {
    const read = readDraft(value.text);
    return [{ path, message: read.ok ? '' : jsonErrorText(read.error) }];
  }
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, each]) => unparsedProblems(each, `${path}/${escapeToken(key)}`));
}
