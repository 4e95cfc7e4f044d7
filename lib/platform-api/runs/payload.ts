/** Validates the payload of an on-demand run (specification, "Limits"). */
import type { ErrorValue } from '../errors.ts';
import { PAYLOAD_LIMIT } from '../limits.ts';

export interface PayloadCheck {
  /** Characters of `JSON.stringify(payload)`, or null if the text isn’t JSON. */
  length: number | null;
  /** `PAYLOAD_NOT_JSON`, `PAYLOAD_NOT_OBJECT`, or `PAYLOAD_TOO_LARGE`, or null if the payload is valid. */
  error: ErrorValue | null;
}

/** @param text the payload’s JSON text */
export function checkPayload(text: string): PayloadCheck {
  let payload: unknown;
  try {
    payload = JSON.parse(text);
  } catch {
    return {
      length: null,
      error: {
        code: 'PAYLOAD_NOT_JSON',
        message: 'The payload isn’t valid JSON.',
        hint: 'Check for missing double quotes and trailing commas.',
      },
    };
  }
  const { length } = JSON.stringify(payload);
  return { length, error: checkType(payload) ?? checkLength(length) };
}

function checkType(payload: unknown): ErrorValue | null {
  if (typeof payload === 'object' && payload !== null && !Array.isArray(payload)) return null;
  const found = payload === null ? 'null' : Array.isArray(payload) ? 'an array' : `a ${typeof payload}`;
  return {
    code: 'PAYLOAD_NOT_OBJECT',
    message: `The payload must be an object. This one is ${found}.`,
    hint: 'Enter an object, such as {"items": []}.',
  };
}

function checkLength(length: number): ErrorValue | null {
  if (length <= PAYLOAD_LIMIT) return null;
  const over = length - PAYLOAD_LIMIT;
  return {
    code: 'PAYLOAD_TOO_LARGE',
    message:
      `The payload is limited to ${PAYLOAD_LIMIT.toLocaleString('en')} characters of compact JSON. ` +
      `This one has ${length.toLocaleString('en')}.`,
    hint: `Remove ${over.toLocaleString('en')} ${over === 1 ? 'character' : 'characters'}. Spaces between values don’t count.`,
  };
}
