/** Reads response bodies in chunks, up to a limit. */
import { responseError } from './failures.ts';

/** The body’s first `characters` characters. The rest isn’t downloaded. */
export async function readHead(response: Response, characters = 16_384): Promise<string> {
  let head = '';
  for await (const piece of pieces(response)) {
    head += piece;
    if (head.length >= characters) break;
  }
  return head.slice(0, characters);
}

/**
 * The JSON of a successful response. Stops at the first character if it can’t start an object or array.
 * @throws CodedError `ANSWER_EMPTY`, `ANSWER_HTML`, `ANSWER_NOT_JSON`, `ANSWER_CUT_OFF`, `ANSWER_TOO_LARGE`
 */
export async function readJson(response: Response, limit: number): Promise<unknown> {
  return (await readJsonText(response, limit)).value;
}

/** Like `readJson`, with the JSON’s text. */
export async function readJsonText(response: Response, limit: number): Promise<{ text: string; value: unknown }> {
  const texts: string[] = [];
  let length = 0;
  let begun = false;
  for await (const piece of pieces(response)) {
    const start = begun ? '' : piece.trimStart().charAt(0);
    if (start) begun = true;
    if (start === '<')
      throw responseError('ANSWER_HTML', 'The platform responded with a web page instead of data.', response.status);
    if (start && start !== '{' && start !== '[')
      throw responseError('ANSWER_NOT_JSON', 'The platform’s response isn’t JSON.', response.status);
    length += piece.length;
    if (length > limit)
      throw responseError(
        'ANSWER_TOO_LARGE',
        `The response is limited to ${Math.round(limit / 1024 / 1024)} MB. This one is larger.`,
        response.status,
      );
    texts.push(piece);
  }
  if (!begun) throw responseError('ANSWER_EMPTY', 'The platform’s response is empty.', response.status);
  try {
    const text = texts.join('');
    return { text, value: JSON.parse(text) };
  } catch {
    throw responseError(
      'ANSWER_CUT_OFF',
      'The platform’s response ended early or contains damaged JSON.',
      response.status,
    );
  }
}

/** Decoded chunks as they arrive. Breaking out of the loop cancels the download. */
async function* pieces(response: Response): AsyncGenerator<string> {
  if (!response.body) return;
  const reader = response.body.getReader();
  const decoder = new TextDecoder();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      yield decoder.decode(value, { stream: true });
    }
    yield decoder.decode();
  } finally {
    // Canceling a failed or finished body rejects.
    reader.cancel().catch(() => {});
  }
}
