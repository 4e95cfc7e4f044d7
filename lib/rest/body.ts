/** Owns reading the body of an answer: in pieces, up to a limit, and no further than it makes sense. */
import { answerError } from './failures.ts';

/** The first `characters` of the body; the rest is not fetched. */
export async function readHead(response: Response, characters: number): Promise<string> {
  let head = '';
  for await (const piece of pieces(response)) {
    head += piece;
    if (head.length >= characters) break;
  }
  return head.slice(0, characters);
}

/**
 * The JSON of an answer of success. Gives up at the first character when that begins no object or array.
 * @throws CodedError `ANSWER_EMPTY`, `ANSWER_HTML`, `ANSWER_NOT_JSON`, `ANSWER_CUT_OFF`, `ANSWER_TOO_LARGE`
 */
export async function readJson(response: Response, limit: number): Promise<unknown> {
  const texts: string[] = [];
  let length = 0;
  let begun = false;
  for await (const piece of pieces(response)) {
    const start = begun ? '' : piece.trimStart().charAt(0);
    if (start) begun = true;
    if (start === '<')
      throw answerError('ANSWER_HTML', 'The platform answered with a page instead of data.', response.status);
    if (start && start !== '{' && start !== '[')
      throw answerError('ANSWER_NOT_JSON', 'The platform’s answer is no JSON.', response.status);
    length += piece.length;
    if (length > limit)
      throw answerError(
        'ANSWER_TOO_LARGE',
        `The answer is larger than the ${Math.round(limit / 1024 / 1024)} MB that are read.`,
        response.status,
      );
    texts.push(piece);
  }
  if (!begun) throw answerError('ANSWER_EMPTY', 'The platform’s answer is empty.', response.status);
  try {
    return JSON.parse(texts.join(''));
  } catch {
    throw answerError(
      'ANSWER_CUT_OFF',
      'The platform’s answer breaks off in the middle, or is damaged JSON.',
      response.status,
    );
  }
}

/** Decoded pieces as they arrive. Leaving the loop early cancels the download. */
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
    // A body that has failed or ended cannot be cancelled, and need not be.
    reader.cancel().catch(() => {});
  }
}
