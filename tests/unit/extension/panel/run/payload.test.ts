/** Checks payloads as they are typed (specification, "Limits"; decisions, "REST"). */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findJsonError } from '../../../../../lib/extension/panel/run/payload/json-error.ts';
import { checkPayloadText, payloadText } from '../../../../../lib/extension/panel/run/payload/payload.ts';
import { cpuTime } from '../../../../support/cpu-time.ts';

const payloadOf = (length: number): string => JSON.stringify({ a: 'x'.repeat(length - 8) }, null, 4);

describe('checking a payload', () => {
  it('treats blank text as an empty object', () => {
    expect(checkPayloadText(' \n')).toMatchObject({ length: 2, problem: null });
    expect(payloadText('')).toBe('{}');
  });

  it('counts characters of compact JSON', () => {
    expect(checkPayloadText('{ "a" : 1 }').length).toBe(7);
    expect(checkPayloadText('{"a":"😀"}').length).toBe(10);
  });

  it('accepts 2,048 characters and rejects 2,049', () => {
    expect(checkPayloadText(payloadOf(2048))).toMatchObject({ length: 2048, problem: null });
    expect(checkPayloadText(payloadOf(2049)).problem).toMatchObject({
      code: 'PAYLOAD_TOO_LARGE',
      message: expect.stringContaining('2,049'),
    });
  });

  it.each([
    ['[1]', 'an array'],
    ['null', 'null'],
    ['7', 'a number'],
    ['"x"', 'a string'],
    ['true', 'a boolean'],
  ])('rejects %s, which is %s, not an object', (text, found) => {
    expect(checkPayloadText(text).problem).toMatchObject({
      code: 'PAYLOAD_NOT_OBJECT',
      message: expect.stringContaining(found),
    });
  });

  it.each([
    ['{"a":1,}', 'line 1, column 8', 'a name in double quotes'],
    ['{\n  a: 1\n}', 'line 2, column 3', 'a name in double quotes or “}”'],
    ['{"a" 1}', 'line 1, column 6', 'a colon'],
    ['{"a":1} x', 'line 1, column 9', 'the end of the text'],
    ['[1 2]', 'line 1, column 4', 'a comma or the closing bracket'],
    ["{'a':1}", 'line 1, column 2', 'a name in double quotes or “}”'],
    ['{"a":', 'line 1, column 6', 'a value'],
    ['{"a":"b\nc"}', 'line 1, column 6', 'a value'],
  ])('locates the error in %j', (text, where, expected) => {
    const { problem } = checkPayloadText(text);
    expect(problem?.code).toBe('PAYLOAD_NOT_JSON');
    expect(problem?.message).toContain(where);
    expect(problem?.message).toContain(expected);
  });

  it.each([
    [
      '{"a": 1,\n "a": [2, {"b": 3}]}',
      'The name “a” occurs twice in one object: at line 1, column 2, and at line 2, column 2.',
      '[2, {"b": 3}]',
    ],
    ['{"x": [{"\\u0061": 1, "b": {"a": 0}, "a": null}]}', 'line 1, column 9, and at line 1, column 37', 'null'],
  ])('rejects the duplicate name in %j, and says what would be sent', (text, where, sent) => {
    const { problem, offset } = checkPayloadText(text);
    expect(problem).toMatchObject({
      code: 'PAYLOAD_DUPLICATE_NAME',
      message: expect.stringContaining(where),
      hint: expect.stringContaining(sent),
    });
    expect(offset).toBe(text.lastIndexOf('"a"'));
  });

  it.each([
    ['9007199254740993', '9007199254740992'],
    ['-12345678901234567890', '-12345678901234567000'],
    ['1e400', 'null'],
  ])('rejects the number %s, which would be sent as %s', (number, sent) => {
    const { problem, offset } = checkPayloadText(`{"id": ${number}}`);
    expect(problem).toMatchObject({ code: 'PAYLOAD_NUMBER_CHANGED' });
    expect(problem?.message).toBe(`The number ${number} at line 1, column 8 would be sent as ${sent}.`);
    expect(offset).toBe(7);
  });

  it('accepts names that occur in different objects, long numbers in strings, and numbers that stay the same', () => {
    const text =
      '{"a": {"a": [{"a": 1}, {"a": "a"}]}, "b": "9007199254740993", "c": [9007199254740992, 1152921504606847000, -0.1, 1e3, true]}';
    expect(checkPayloadText(text)).toMatchObject({ problem: null, offset: null });
  });

  it('checks 1 MB quickly', () => {
    const took = cpuTime(() => {
      expect(checkPayloadText(JSON.stringify({ a: 'x'.repeat(1_000_000) })).problem?.code).toBe('PAYLOAD_TOO_LARGE');
      expect(checkPayloadText(`{"a": ${'[1,'.repeat(300_000)}`).problem?.code).toBe('PAYLOAD_NOT_JSON');
    });
    expect(took).toBeLessThan(2_000);
  });
});

describe('the JSON error', () => {
  const refuses = (text: string): boolean => {
    try {
      JSON.parse(text);
      return false;
    } catch {
      return true;
    }
  };
  it('is found for exactly the texts that JSON.parse rejects', () => {
    const broken = fc
      .tuple(fc.json(), fc.nat(), fc.constantFrom('', ',', '}', '[', '"', 'x', '\\', ' ', '1', ':'))
      .map(([json, at, mark]) => {
        const position = at % (json.length + 1);
        return json.slice(0, position) + mark + json.slice(position + (mark === '' ? 1 : 0));
      });
    fc.assert(
      fc.property(fc.oneof(broken, fc.json(), fc.string()), (text) => {
        expect(findJsonError(text) !== null).toBe(refuses(text));
      }),
      { numRuns: 2_000 },
    );
  });
});
