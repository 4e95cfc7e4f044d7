/** Sends long texts to the page in pieces. */
import type { Result } from '../../../platform-api/errors.ts';
import type { AgentDebugOptions, DebugOptions } from './debug-options.ts';
import { parseFlag } from './parse.ts';
import type { RunInspector } from './types.ts';

const PIECE = 500_000;

type Caller = Pick<RunInspector, 'call'>;

/** Resolves with the ID under which the agent has the text. Fails with `TEXT_REFUSED`. */
export async function sendText(inspector: Caller, text: string): Promise<Result<string>> {
  const id = crypto.randomUUID();
  for (let from = 0; from === 0 || from < text.length; from += PIECE) {
    const piece = text.slice(from, from + PIECE);
    const sent = await inspector.call('putText', [id, from, piece], parseFlag);
    if (!sent.ok) return sent;
    if (!sent.value)
      return {
        ok: false,
        error: {
          code: 'TEXT_REFUSED',
          message: 'Couldn’t send the text to the page: it’s too long, or the page was reloaded. Nothing was changed.',
          hint: 'Try again with a smaller text.',
        },
      };
  }
  return { ok: true, value: id };
}

/** Sends the long texts of the options, and resolves with what the agent gets. */
export async function sendDebugOptions(
  inspector: Caller,
  { mocks = [], from, ...options }: DebugOptions,
): Promise<Result<AgentDebugOptions>> {
  const sent: AgentDebugOptions = { ...options };
  if (mocks.length > 0) {
    const text = await sendText(inspector, JSON.stringify(mocks));
    if (!text.ok) return text;
    sent.mocks = text.value;
  }
  if (from) {
    const { recording, ...rest } = from;
    const text = await sendText(inspector, recording);
    if (!text.ok) return text;
    sent.from = { ...rest, text: text.value };
  }
  return { ok: true, value: sent };
}
