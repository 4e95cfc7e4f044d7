/** The steps of a switch-over on a real platform, as a user of the panel takes them. */
import { expect } from 'vitest';
import type { GapItem, Position, SwitchOver } from '../../../lib/migrate/switch-over/index.ts';
import type { LiveWorld } from './switch-over.ts';

export const MINUTE = 60_000;

export async function arrive(step: ReturnType<SwitchOver['forward']>, position: Position): Promise<void> {
  const result = await step;
  expect(result.ok ? result.value.journal.position : result.error).toBe(position);
}

export async function gapOf(world: LiveWorld): Promise<GapItem[]> {
  const checked = await world.panel().checkGap();
  return checked.ok ? checked.value : expect.unreachable(checked.error.message);
}

/** Gives each missed event to the live version. Returns how many there were, and ends the check. */
export async function handOverAll(world: LiveWorld): Promise<number> {
  // V2 can still end queued runs after the first check.
  await world.settle();
  await gapOf(world);
  await world.wait();
  const missed = (await gapOf(world)).filter(({ verdict }) => verdict === 'missed');
  for (const { key } of missed) expect(await world.panel().handOver(key)).toEqual({ ok: true, value: null });
  expect((await gapOf(world)).filter(({ verdict }) => verdict === 'pending' || verdict === 'unsure')).toEqual([]);
  expect(await world.panel().dismissGap()).toMatchObject({ ok: true });
  return missed.length;
}

/** To the position in which both versions answer, with a caller that then moves to V3. */
export async function answering(world: LiveWorld): Promise<void> {
  await arrive(world.panel().start(world.draft), 'draft');
  await world.pass(45 * MINUTE);
  await arrive(world.panel().forward(), 'answering');
  world.callee = 'v3';
  await world.happen();
}

export async function switchOver(world: LiveWorld): Promise<void> {
  await world.happen();
  await answering(world);
  await arrive(world.panel().forward(), 'switched');
}
