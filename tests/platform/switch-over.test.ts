/**
 * Tests a switch-over on a real platform: while it goes to V3 and back, log records, scheduled times, and calls keep
 * coming, and each of them is handled exactly once, by the entries that the runs leave in a data source.
 */
import { describe, expect, it } from 'vitest';
import type { GapItem, Position, SwitchOver } from '../../lib/migrate/switch-over/index.ts';
import { LiveWorld } from './support/switch-over.ts';

const MINUTE = 60_000;

async function arrive(step: ReturnType<SwitchOver['forward']>, position: Position): Promise<void> {
  const result = await step;
  expect(result.ok ? result.value.journal.position : result.error).toBe(position);
}

async function gapOf(world: LiveWorld): Promise<GapItem[]> {
  const checked = await world.panel().checkGap();
  return checked.ok ? checked.value : expect.unreachable(checked.error.message);
}

/** Gives each missed event to the live version. Returns how many there were, and ends the check. */
async function handOverAll(world: LiveWorld): Promise<number> {
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
async function answering(world: LiveWorld): Promise<void> {
  await arrive(world.panel().start(world.draft), 'draft');
  await world.pass(45 * MINUTE);
  await arrive(world.panel().forward(), 'answering');
  world.callee = 'v3';
  await world.happen();
}

async function switchOver(world: LiveWorld): Promise<void> {
  await world.happen();
  await answering(world);
  await arrive(world.panel().forward(), 'switched');
}

describe('on a platform with endpoints', () => {
  it('every event is handled exactly once, to V3 and back, and an event is missed and given to V3', async () => {
    const world = await LiveWorld.start('rest');
    world.onMessage = () => world.happen();
    await switchOver(world);
    expect(await handOverAll(world)).toBeGreaterThan(0);
    await world.pass(60 * MINUTE);
    await world.happen();
    await arrive(world.panel().back(), 'answering');
    expect(await handOverAll(world)).toBeGreaterThan(0);
    await world.pass(60 * MINUTE);
    world.callee = 'v2';
    await arrive(world.panel().back(), 'draft');
    await world.happen();
    await arrive(world.panel().back(), 'none');
    await world.happen();
    expect(await world.mistakes()).toEqual([]);
  });

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

  it('every event is handled exactly once when the panel dies there, and the user goes back', async () => {
    const world = await LiveWorld.start('rest');
    await answering(world);
    world.onMessage = () => world.record();
    world.dieAfter = 'actions.publish .*"publish":false';
    expect(await world.panel().forward()).toMatchObject({ ok: false });
    await world.pass(120 * MINUTE);
    await arrive(world.panel().back(), 'answering');
    expect(await handOverAll(world)).toBeGreaterThanOrEqual(3);
    expect(await world.mistakes()).toEqual([]);
  });

  it('removes V2 at the end, and V3 continues', async () => {
    const world = await LiveWorld.start('rest');
    await switchOver(world);
    await arrive(world.panel().forward(), 'removed');
    await world.pass(60 * MINUTE);
    await world.happen();
    expect(await world.mistakes()).toEqual([]);
  });
});

describe('on a platform that offers only its pages', () => {
  it('no event is handled twice, to V3 and back, and those that the log doesn’t name are unsure', async () => {
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
});

describe('this test notices', () => {
  it('that V2 was never unpublished: events are handled twice', async () => {
    const world = await LiveWorld.start('rest');
    let isOff = false;
    world.sabotage = (ports) => ({
      ...ports,
      v2: {
        read: async () => {
          const read = await ports.v2.read();
          return read.ok && read.value && isOff ? { ok: true, value: { ...read.value, isLive: false } } : read;
        },
        setActive: (seen, active) => ports.v2.setActive(seen, active),
        publish: async () => {
          isOff = true;
          return { ok: true, value: null };
        },
        remove: (seen) => ports.v2.remove(seen),
        run: (payload) => ports.v2.run(payload),
      },
    });
    await switchOver(world);
    await world.happen();
    expect(await world.mistakes()).toContainEqual([expect.stringMatching(/^record/), 2]);
  });

  it('that missed events weren’t given to V3: they are lost', async () => {
    const world = await LiveWorld.start('rest');
    world.onMessage = () => world.happen();
    await switchOver(world);
    expect(await world.mistakes()).toContainEqual([expect.stringMatching(/^record/), 0]);
  });
});
