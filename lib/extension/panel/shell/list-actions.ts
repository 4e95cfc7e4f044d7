/** Lists all actions of an app: in one response, or in pages when that would be too large. */
import type { Action } from '../../../platform-api/action.ts';
import type { Result } from '../../../platform-api/coded-error.ts';
import type { OfApp, Send } from '../../messaging/protocol.ts';

const PAGE_SIZE = 20_000;

/** A platform without paging returns all actions each time: then `ANSWER_TOO_LARGE` is the result. */
export async function listActions(send: Send, app: OfApp): Promise<Result<Action[]>> {
  const whole = await send('actions.list', app);
  if (whole.ok || whole.error.code !== 'ANSWER_TOO_LARGE') return whole;
  const actions = new Map<number, Action>();
  for (let offset = 0, limit = PAGE_SIZE; ;) {
    const page = await send('actions.list', { ...app, limit, offset });
    if (page.ok) {
      for (const action of page.value) actions.set(action.id, action);
      if (page.value.length !== limit) return { ok: true, value: [...actions.values()] };
      offset += limit;
    } else if (page.error.code !== 'ANSWER_TOO_LARGE' || limit <= 1) return page;
    else limit = Math.ceil(limit / 4);
  }
}
