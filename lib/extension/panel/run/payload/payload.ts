/** Validates a payload while it's being typed, and finds where its JSON becomes invalid. */
import type { ErrorValue } from '../../../../platform-api/errors.ts';
import { truncate } from '../../../../shared/format.ts';
import { checkPayload } from '../../../../platform-api/runs/payload.ts';
import { findJsonError } from './json-error.ts';
import { findJsonLoss, type JsonLoss } from './json-loss.ts';

export interface PayloadCheck {
  /** Characters of `JSON.stringify(payload)`; null if the text isn't JSON. */
  length: number | null;
  problem: ErrorValue | null;
  /** Where the problem is in the text, as an offset in UTF-16 code units. */
  offset: number | null;
}

/** The code editor would need too much memory for longer text. */
export const EDITOR_LIMIT = 10_000_000;

/**
 * Treats blank text as `{}`. Problems: `PAYLOAD_NOT_JSON`, `PAYLOAD_NOT_OBJECT`, `PAYLOAD_TOO_LARGE`, and, because
 * another payload than the entered one would be sent, `PAYLOAD_DUPLICATE_NAME` and `PAYLOAD_NUMBER_CHANGED`.
 */
export function checkPayloadText(text: string): PayloadCheck {
  const { length, error } = checkPayload(payloadText(text));
  if (error?.code === 'PAYLOAD_NOT_JSON') return { length, ...syntaxProblem(text, error) };
  const loss = error ? null : findJsonLoss(text);
  return loss
    ? { length, problem: lossProblem(loss), offset: loss.at.offset }
    : { length, problem: error, offset: null };
}

function syntaxProblem(text: string, problem: ErrorValue): Pick<PayloadCheck, 'problem' | 'offset'> {
  const found = findJsonError(text);
  if (!found) return { problem, offset: null };
  const { expected, line, column, offset } = found;
  const message = `The payload isn’t valid JSON: expected ${expected} at line ${line}, column ${column}.`;
  return { problem: { ...problem, message }, offset };
}

function lossProblem(loss: JsonLoss): ErrorValue {
  const position = ({ line, column }: JsonLoss['at']): string => `line ${line}, column ${column}`;
  if (loss.kind === 'duplicate-name') {
    const name = truncate(loss.name, 60);
    return {
      code: 'PAYLOAD_DUPLICATE_NAME',
      message: `The name “${name}” occurs twice in one object: at ${position(loss.first)}, and at ${position(loss.at)}.`,
      hint: `Remove one of the two. Only the last value would be sent: ${truncate(loss.sent, 80)}.`,
    };
  }
  return {
    code: 'PAYLOAD_NUMBER_CHANGED',
    message: `The number ${truncate(loss.number, 60)} at ${position(loss.at)} would be sent as ${loss.sent}.`,
    hint: 'Enter it as a string, in double quotes. JavaScript keeps integers up to 9,007,199,254,740,991 exact.',
  };
}

/** The payload to run for the editor's text. Blank text means an empty object. */
export function payloadText(text: string): string {
  return text.trim() === '' ? '{}' : text;
}
