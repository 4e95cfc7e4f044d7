/** Lists any number of actions: in one response, or in pages. */
import { expect, it } from 'vitest';
import type { Action } from '../../../../../lib/platform-api/action.ts';
import { fakeSend } from '../../../../support/fake-send.ts';
import { RestActions } from '../../../../../lib/extension/panel/actions/backend/rest.ts';

const OF = { environmentId: 'e', appId: 1 };
const tooLarge = { ok: false, error: { code: 'ANSWER_TOO_LARGE', message: 'Too large.' } };

/** @param room how many actions fit into one response */
function platform(count: number, room: number, paged = true) {
  const all = Array.from({ length: count }, (_, n) => ({ id: n + 1 }) as Action);
  const limits: (number | undefined)[] = [];
  const send = fakeSend((_name, { limit, offset = 0 }: { limit?: number; offset?: number }) => {
    limits.push(limit);
    const page = paged && limit !== undefined ? all.slice(offset, offset + limit) : all;
    return page.length > room ? tooLarge : { ok: true, value: page };
  });
  return { send, limits, all };
}

it('lists actions with one request when one response holds them', async () => {
  const { send, limits, all } = platform(50, 1_000);
  expect(await new RestActions(send, OF).list()).toEqual({ ok: true, value: { actions: all, unreadable: [] } });
  expect(limits).toEqual([undefined]);
});

it('lists actions in pages, and in smaller ones when a page is too large', async () => {
  const { send, limits, all } = platform(100_000, 25_000);
  expect(await new RestActions(send, OF).list()).toEqual({ ok: true, value: { actions: all, unreadable: [] } });
  expect(limits).toEqual([undefined, 20_000, 20_000, 20_000, 20_000, 20_000, 20_000]);
  const large = platform(12_000, 6_000);
  expect(await new RestActions(large.send, OF).list()).toEqual({
    ok: true,
    value: { actions: large.all, unreadable: [] },
  });
  expect(large.limits).toEqual([undefined, 20_000, 5_000, 5_000, 5_000]);
});

it('reports ANSWER_TOO_LARGE on a platform without paging, and other errors unchanged', async () => {
  const { send } = platform(100_000, 25_000, false);
  expect(await new RestActions(send, OF).list()).toEqual(tooLarge);
  const failing = { ok: false, error: { code: 'TOKEN_REFUSED', message: 'No.' } };
  const refused = fakeSend(() => failing);
  expect(await new RestActions(refused, OF).list()).toEqual(failing);
});
