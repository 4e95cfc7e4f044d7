/** Owns what makes a payload fit to run: JSON, an object, within the specification's limit. */
import type { ErrorValue } from '../../../../platform-api/errors.ts';
import { PAYLOAD_LIMIT } from '../../../../platform-api/limits.ts';
import type { findJsonError } from './json-error.ts';

export interface PayloadCheck {
  /** Characters of `JSON.stringify(payload)`; null when the text is not JSON. */
  length: number | null;
  problem: ErrorValue | null;
  /** Where the text stops being JSON, in UTF-16 units from its start. */
  offset: number | null;
}

/** A text longer than this stays out of the code editor, whose linter would freeze on it. */
export const EDITOR_LIMIT = 100_000;

/**
 * Checks a payload as it is typed. A blank text is `{}`, as an absent payload is.
 * Problems: `PAYLOAD_NOT_JSON`, `PAYLOAD_NOT_OBJECT`, `PAYLOAD_TOO_LARGE`.
 * @param findError says where a text is not JSON; left out, that is not told
 */
export function checkPayload(text: string, findError: typeof findJsonError | null = null): PayloadCheck {
  let payload: unknown;
  try {
    payload = JSON.parse(payloadText(text));
  } catch {
    const error = findError?.(text);
    const where = error ? ` at line ${error.line}, column ${error.column}: ${error.expected} is expected there` : '';
    return {
      length: null,
      offset: error?.offset ?? 0,
      problem: {
        code: 'PAYLOAD_NOT_JSON',
        message: `The payload is not JSON${where}.`,
        hint: 'Names and texts stand in double quotes; nothing follows the last entry.',
      },
    };
  }
  const length = JSON.stringify(payload).length;
  if (typeof payload !== 'object' || payload === null || Array.isArray(payload)) {
    const found = payload === null ? 'null' : Array.isArray(payload) ? 'a list' : `a ${typeof payload}`;
    return {
      length,
      offset: null,
      problem: {
        code: 'PAYLOAD_NOT_OBJECT',
        message: `The payload is ${found}, not an object.`,
        hint: 'Wrap it in an object, such as {"items": …}.',
      },
    };
  }
  if (length > PAYLOAD_LIMIT) {
    const over = (length - PAYLOAD_LIMIT).toLocaleString('en');
    return {
      length,
      offset: null,
      problem: {
        code: 'PAYLOAD_TOO_LARGE',
        message: `The payload has ${length.toLocaleString('en')} characters as compact JSON; at most ${PAYLOAD_LIMIT.toLocaleString('en')} are allowed.`,
        hint: `Take out ${over}; spaces and line breaks do not count.`,
      },
    };
  }
  return { length, offset: null, problem: null };
}

/** The text that is run for what stands in the editor. */
export function payloadText(text: string): string {
  return text.trim() === '' ? '{}' : text;
}
