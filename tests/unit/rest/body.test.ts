/** Reading response bodies: in pieces of any size, and up to a limit. */
import { describe, expect, it } from 'vitest';
import { readHead, readJson } from '../../../lib/rest/body.ts';

/** A response with these chunks; `pulled` counts the chunks that were read. */
function inPieces(...pieces: (string | Uint8Array)[]) {
  const response = { pulled: 0, response: new Response() };
  const body = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        const piece = pieces[response.pulled++];
        if (piece === undefined) controller.close();
        else controller.enqueue(typeof piece === 'string' ? new TextEncoder().encode(piece) : piece);
      },
    },
    { highWaterMark: 0 },
  );
  response.response = new Response(body);
  return response;
}
const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => 'ok',
    (error: { code?: string; message: string }) => `${error.code}: ${error.message}`,
  );

describe('JSON', () => {
  it('is joined from its chunks, after whitespace', async () => {
    expect(await readJson(inPieces('\n ', ' {"a"', ': [1', ', 2]} ').response, 100)).toEqual({ a: [1, 2] });
    expect(await readJson(inPieces('[', '"<", 3]').response, 100)).toEqual(['<', 3]);
  });

  it('decodes a character whose bytes are split between chunks', async () => {
    const bytes = new TextEncoder().encode('{"name": "Zoë"}');
    const middle = bytes.length - 3;
    expect(await readJson(inPieces(bytes.slice(0, middle), bytes.slice(middle)).response, 100)).toEqual({
      name: 'Zoë',
    });
  });

  it('reads a body of exactly the limit and stops reading a larger one', async () => {
    expect(await readJson(inPieces('[1,', '2]').response, 5)).toEqual([1, 2]);
    const larger = inPieces('[1,', '2,', '3]', 'x', 'y');
    expect(await codeOf(readJson(larger.response, 4))).toMatch(/^ANSWER_TOO_LARGE/);
    expect(larger.pulled).toBe(2);
    expect(await codeOf(readJson(inPieces(`["${'x'.repeat(2 * 1024 * 1024)}"]`).response, 2 * 1024 * 1024))).toBe(
      'ANSWER_TOO_LARGE: The response is limited to 2 MB. This one is larger.',
    );
  });

  it.each([
    ['<html>', 'ANSWER_HTML'],
    ['  <', 'ANSWER_HTML'],
    ['OK', 'ANSWER_NOT_JSON'],
    ['"text"', 'ANSWER_NOT_JSON'],
    ['', 'ANSWER_EMPTY'],
    ['\t\n', 'ANSWER_EMPTY'],
    ['{"a":', 'ANSWER_CUT_OFF'],
  ])('reads %j as %s', async (body, code) => {
    expect(await codeOf(readJson(inPieces(body).response, 100))).toMatch(new RegExp(`^${code}: `));
  });

  it('without a body fails with ANSWER_EMPTY', async () => {
    expect(await codeOf(readJson(new Response(null), 100))).toMatch(/^ANSWER_EMPTY/);
  });
});

describe('the head of a response', () => {
  it('has the requested length, for any chunks, and no more is read', async () => {
    const response = inPieces('<!do', 'ctype', ' html>', 'x');
    expect(await readHead(response.response, 9)).toBe('<!doctype');
    expect(response.pulled).toBe(2);
    expect(await readHead(inPieces('<!doctype html>').response, 5)).toBe('<!doc');
  });

  it('is the whole body when it is short', async () => {
    expect(await readHead(inPieces('a', 'b').response, 9)).toBe('ab');
  });
});
