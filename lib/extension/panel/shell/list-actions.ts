/** Lists all of an app's actions in a single response, or in pages if that's too large. */
import type { Action } from '../../../platform-api/action.ts';
import type { Result } from '../../../platform-api/coded-error.ts';
import type { OfApp, Send } from '../../messaging/protocol.ts';

const PAGE_SIZE = 20_000;

/** A platform that doesn't support paging returns all actions every time. The result is then `ANSWER_TOO_LARGE`. */
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
