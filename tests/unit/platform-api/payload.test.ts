/** Tests the validation of payloads (specification, "Limits"). */
import { describe, expect, it } from 'vitest';
import { checkPayload } from '../../../lib/platform-api/runs/payload.ts';

const payloadOf = (length: number): string => JSON.stringify({ a: 'x'.repeat(length - 8) }, null, 4);

describe('checkPayload', () => {
  it('measures the compact JSON, without the spaces between values', () => {
    expect(checkPayload('{ "a" : 1 }')).toEqual({ length: 7, error: null });
  });

  it('counts UTF-16 units, as JSON.stringify(payload).length does', () => {
    expect(checkPayload('{"a":"😀"}')).toEqual({ length: 10, error: null });
  });

  it('accepts a payload of 2,048 characters', () => {
    expect(checkPayload(payloadOf(2048))).toEqual({ length: 2048, error: null });
  });

  it('rejects a payload of 2,049 characters, and says how many to remove', () => {
    expect(checkPayload(payloadOf(2049))).toEqual({
      length: 2049,
      error: {
        code: 'PAYLOAD_TOO_LARGE',
        message: 'The payload is limited to 2,048 characters of compact JSON. This one has 2,049.',
        hint: 'Remove 1 character. Spaces between values don’t count.',
      },
    });
  });

  it.each([
    ['[1]', 'an array'],
    ['null', 'null'],
    ['7', 'a number'],
    ['"x"', 'a string'],
    ['true', 'a boolean'],
  ])('rejects %s, because it is %s', (text, found) => {
    expect(checkPayload(text).error).toMatchObject({
      code: 'PAYLOAD_NOT_OBJECT',
      message: `The payload must be an object. This one is ${found}.`,
    });
  });

  it.each(['', '{"a":', '{"a":1} x'])('rejects %j, which isn’t JSON', (text) => {
    expect(checkPayload(text)).toMatchObject({ length: null, error: { code: 'PAYLOAD_NOT_JSON' } });
  });
});
