/** Reads long strings from the page in chunks. */
import type { ErrorValue, Result } from '../../../platform-api/errors.ts';
import type { RunInspector } from './types.ts';

const PIECE = 500_000;
/** Maximum length of one string, in characters. The agent keeps at most this much text for all strings combined. */
const MAX_TEXT = 64 * 1024 * 1024;

export const HANDLE_GONE: ErrorValue = {
  code: 'HANDLE_GONE',
  message: 'The page no longer has this value.',
  hint: 'Try running the action again.',
};

export async function readText(inspector: Pick<RunInspector, 'call'>, handle: number): Promise<Result<string>> {
  let text = '';
  for (;;) {
    const piece = await inspector.call('text', [handle, text.length, PIECE], parsePiece);
    if (!piece.ok) return piece;
    if (piece.value.text === null) return { ok: false, error: HANDLE_GONE };
    text += piece.value.text;
    if (text.length > MAX_TEXT)
      return {
        ok: false,
        error: {
          code: 'TEXT_TOO_LARGE',
          message: `A string is limited to ${MAX_TEXT.toLocaleString('en')} characters. This one has more.`,
          hint: 'Try reading it in the page’s console.',
        },
      };
    if (piece.value.text.length < PIECE) return { ok: true, value: text };
  }
}

function parsePiece(value: unknown): { text: string | null } | null {
  if (value === null) return { text: null };
  return typeof value === 'string' && value.length <= PIECE ? { text: value } : null;
}
