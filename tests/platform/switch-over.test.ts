/**
 * Tests a switch-over on a real platform: while it goes to V3 and back, log records, scheduled times, and calls keep
 * coming, and each of them is handled exactly once, by the entries that the runs leave in a data source.
 */
import { expect, it } from 'vitest';
import { LiveWorld } from './support/switch-over.ts';
import { answering, arrive, gapOf, handOverAll, MINUTE, switchOver } from './support/switch-over-steps.ts';

it('every event is handled exactly once when the panel dies between the versions for two hours', async () => {
  // Its log has no payloads, so only `logId` says which event a run has handled.
  const world = await LiveWorld.start('rest', 'envelope');
  await answering(world);
  world.onMessage = () => world.happen();
  world.dieAfter = 'actions.publish .*"publish":false';
  expect(await world.panel().forward()).toMatchObject({ ok: false });
  await world.pass(120 * MINUTE);
  await world.happen();
  await arrive(world.panel().forward(), 'switched');
  expect(await handOverAll(world)).toBeGreaterThanOrEqual(3);
  expect(await world.mistakes()).toEqual([]);
});

it('on a platform that offers only its pages, no event is handled twice, to V3 and back, and those that the log doesn’t name are unsure', async () => {
  const world = await LiveWorld.start('page');
  await switchOver(world);
  expect((await gapOf(world)).filter(({ verdict }) => verdict === 'missed')).toEqual([]);
  await world.happen();
  await arrive(world.panel().back(), 'answering');
  world.callee = 'v2';
  await arrive(world.panel().back(), 'draft');
  await world.happen();
  expect(await world.mistakes()).toEqual([]);
});
