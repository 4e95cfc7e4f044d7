/** Validates a payload while it's being typed, and finds where its JSON becomes invalid. */
import type { ErrorValue } from '../../../../platform-api/errors.ts';
import { checkPayload } from '../../../../platform-api/runs/payload.ts';
import { findJsonError } from './json-error.ts';

export interface PayloadCheck {
  /** Characters of `JSON.stringify(payload)`; null if the text isn't JSON. */
  length: number | null;
  problem: ErrorValue | null;
  /** Where the text stops being JSON, as an offset in UTF-16 code units. */
  offset: number | null;
}

/** The code editor would freeze on longer text. */
export const EDITOR_LIMIT = 100_000;

/** Treats blank text as `{}`. Problems: `PAYLOAD_NOT_JSON`, `PAYLOAD_NOT_OBJECT`, `PAYLOAD_TOO_LARGE`. */
export function checkPayloadText(text: string): PayloadCheck {
  const { length, error } = checkPayload(payloadText(text));
  const found = error?.code === 'PAYLOAD_NOT_JSON' ? findJsonError(text) : null;
  if (!error || !found) return { length, problem: error, offset: null };
  const { expected, line, column } = found;
  const message = `The payload isn’t valid JSON: expected ${expected} at line ${line}, column ${column}.`;
  return { length, problem: { ...error, message }, offset: found.offset };
}

/** The payload to run for the editor's text. Blank text means an empty object. */
export function payloadText(text: string): string {
  return text.trim() === '' ? '{}' : text;
}
