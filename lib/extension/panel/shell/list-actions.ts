/** Owns reading an app's actions, however many: at once, or in pages where one answer would be too large to be read. */
import type { Action } from '../../../platform-api/action.ts';
import type { Result } from '../../../platform-api/coded-error.ts';
import type { OfApp, Send } from '../../messaging/protocol.ts';

const PAGE = 20_000;

/** A platform that knows no pages answers all again; then that it is too large is all that can be said. */
export async function listActions(send: Send, of: OfApp): Promise<Result<Action[]>> {
  const whole = await send('actions.list', of);
  if (whole.ok || whole.error.code !== 'ANSWER_TOO_LARGE') return whole;
  const all = new Map<number, Action>();
  for (let offset = 0, limit = PAGE; ;) {
    const page = await send('actions.list', { ...of, limit, offset });
    if (page.ok) {
      for (const action of page.value) all.set(action.id, action);
      if (page.value.length !== limit) return { ok: true, value: [...all.values()] };
      offset += limit;
    } else if (page.error.code !== 'ANSWER_TOO_LARGE' || limit <= 1) return page;
    else limit = Math.ceil(limit / 4);
  }
}
