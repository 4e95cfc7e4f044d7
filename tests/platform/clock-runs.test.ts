/** With a virtual clock, `Date` in a run on the server shows when the run was fired. */
import { expect, test } from 'vitest';
import { step } from './support/page.ts';
import { startForTest } from './support/platform.ts';

const TIME = '2026-03-29T01:30:00.000Z';
const CODE = `async function execute(context) {
  const now = new Date();
  await new Promise((resolve) => setTimeout(resolve, 20));
  return [
    now.toISOString(),
    new Date(Date.now()).toISOString(),
    Date() === String(now),
    now instanceof Date,
    now.constructor === Date,
    new Date(0).toISOString(),
    new Date(2020, 1, 2).getFullYear(),
    Date.UTC(1970, 0, 1),
  ];
}`;

test('in V2 and V3', async () => {
  const platform = await startForTest({ clock: new Date(TIME) });
  const run = async (version: string, body: object): Promise<unknown> => {
    const about = { environment: 'server', triggers: [{ trigger: 'manual' }], active: true, ...body };
    const path = `/${version}/apps/101/actions`;
    const { action } = (await platform.ask<{ action: { id: number } }>(path, { body: about })).body;
    return (await platform.ask<{ result: unknown }>(`${path}/${action.id}/run-with-result`, { body: {} })).body.result;
  };
  const v2 = [step('set-context', { assign: { now: 'Date.now()' } }), step('return-string', { message: '{{now}}' })];
  expect(await run('v1', { name: 'in-v2', functions: v2 })).toBe(String(Date.parse(TIME)));
  expect(await run('v3', { name: 'in-v3', code: CODE })).toEqual([
    TIME,
    TIME,
    true,
    true,
    true,
    '1970-01-01T00:00:00.000Z',
    2020,
    0,
  ]);
});
