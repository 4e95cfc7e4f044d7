/**
 * Tests a switch-over on a real platform: while it goes to V3 and back, log records, scheduled times, and calls keep
 * coming, and each of them is handled exactly once, by the entries that the runs leave in a data source.
 */
import { describe, expect, it } from 'vitest';
import { LiveWorld } from '../../platform/support/switch-over.ts';
import { answering, arrive, handOverAll, MINUTE, switchOver } from '../../platform/support/switch-over-steps.ts';

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
