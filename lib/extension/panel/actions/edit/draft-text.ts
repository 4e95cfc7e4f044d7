/** Reads and writes a draft as JSON text. Keeps parts that don't parse exactly as entered. */
import { escapeToken } from '../../../../shared/json-pointer.ts';
import { truncate } from '../../../../shared/format.ts';
import { findJsonError, type JsonError, type TextPosition } from '../../run/payload/json-error.ts';
import { findJsonLoss, type JsonLoss } from '../../run/payload/json-loss.ts';
import { Unparsed } from './draft-value.ts';

/**
 * Maximum size of an action, in characters of compact JSON. An action must fit in one message to the background worker.
 */
export const SIZE_LIMIT = 1_000_000;
/**
 * Maximum length of text to parse. Whitespace doesn't count toward the size limit, but parsing it must not freeze the
 * panel.
 */
export const TEXT_LIMIT = 3_000_000;
/** Deeper than any pipeline the platform accepts, but still safe for recursion. */
const DEPTH_LIMIT = 1_000;

export interface DraftError extends TextPosition {
  message: string;
}

export type Read = { ok: true; value: unknown } | { ok: false; error: DraftError };

export function readDraft(text: string): Read {
  const invalid =
    findJsonError(text) ?? (isTooDeep(text) ? { offset: 0, line: 1, column: 1, expected: 'less nesting' } : null);
  if (invalid) return { ok: false, error: { ...invalid, message: jsonErrorText(invalid) } };
  const loss = findJsonLoss(text);
  if (loss) return { ok: false, error: { ...loss.at, message: lossText(loss) } };
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
  // Each unparsed part is replaced with a unique placeholder while the rest is serialized.
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

/** Parses a JSON field, or wraps its text if it doesn't parse, or parses to something else than it says. */
export function readField(text: string): unknown {
  const read = readDraft(text);
  return read.ok ? read.value : new Unparsed(text);
}

/** The text to show in a JSON field. */
export function writeField(value: unknown): string {
  if (value instanceof Unparsed) return value.text;
  return value === undefined ? '' : JSON.stringify(value, null, 2);
}

const jsonErrorText = ({ line, column, expected }: JsonError): string =>
  `Invalid JSON at line ${line}, column ${column}: expected ${expected}.`;

function lossText(loss: JsonLoss): string {
  const { line, column } = loss.at;
  return loss.kind === 'duplicate-name'
    ? `The name “${truncate(loss.name, 60)}” at line ${line}, column ${column} is a duplicate. Remove one of the two.`
    : `The number ${truncate(loss.number, 60)} at line ${line}, column ${column} would become ${loss.sent}.`;
}

/** Finds text in the draft that isn't valid JSON, or that would be saved changed. */
export function unparsedProblems(value: unknown, path = ''): { path: string; message: string }[] {
  if (value instanceof Unparsed) {
    const read = readDraft(value.text);
    return [{ path, message: read.ok ? '' : read.error.message }];
  }
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, each]) => unparsedProblems(each, `${path}/${escapeToken(key)}`));
}
