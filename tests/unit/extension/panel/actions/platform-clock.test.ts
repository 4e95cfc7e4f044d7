/** Tests the panel's virtual clock. */
import { describe, expect, it } from 'vitest';
import type { Send } from '../../../../../lib/extension/messaging/protocol.ts';
import { PlatformClock } from '../../../../../lib/extension/panel/actions/platform-clock.ts';
import { ALWAYS_ALLOWED } from '../../../../support/always-allowed.ts';

const START = Date.parse('2026-03-27T12:00:00Z');
const DAY = 86_400_000;

/** A platform whose schedules fire ten runs a day. */
function platformAt(start: number, { virtual = true, fails = (): object | null => null } = {}) {
  const platform = { now: start, moves: [] as string[], read: 0, onMove: (): void => {} };
  const send = (async (name: string, takes: { to: string }) => {
    platform.onMove();
    const error = fails();
    if (name === 'clock.get') platform.read++;
    if (error && name === 'clock.move') return { ok: false, error };
    const state = { virtual, now: new Date(platform.now).toISOString() };
    if (name === 'clock.get') return { ok: true, value: state };
    const queued = Math.round((10 * (Date.parse(takes.to) - platform.now)) / DAY);
    platform.moves.push(takes.to);
    platform.now = Date.parse(takes.to);
    return { ok: true, value: { ...state, now: takes.to, queued } };
  }) as Send;
  const environment = { id: 'local' as string | null };
  let looked = 0;
  const clock = new PlatformClock(
    send,
    () => environment.id,
    ALWAYS_ALLOWED,
    async () => void looked++,
  );
  return { platform, clock, environment, looked: () => looked };
}

describe('the clock of a platform', () => {
  it('has no virtual time where the platform has none, or doesn’t report it', async () => {
    const real = platformAt(START, { virtual: false });
    await real.clock.refresh();
    await real.clock.moveTo(START + DAY);
    expect(real.clock.virtual.value).toBe(null);
    expect(real.platform.moves).toEqual([]);
    const silent = new PlatformClock(
      (async () => ({ ok: false, error: { code: 'NOT_FOUND', message: 'No.' } })) as Send,
      () => 'prod',
      ALWAYS_ALLOWED,
      async () => {},
    );
    await silent.refresh();
    expect(silent.virtual.value).toBe(null);
    expect(silent.error.value).toBe(null);
  });

  it('moves through a week one day at a time, and reports how many runs were queued', async () => {
    const { clock, platform, looked } = platformAt(START);
    await clock.refresh();
    expect(clock.virtual.value).toBe(START);
    await clock.moveTo(START + 7 * DAY);
    expect(platform.moves).toEqual(
      [28, 29, 30, 31, 32, 33, 34].map((day) => new Date(Date.UTC(2026, 2, day, 12)).toISOString()),
    );
    expect(clock.virtual.value).toEqual(START + 7 * DAY);
    expect(clock.summary.value).toBe('Queued 70 scheduled runs.');
    expect(clock.moving.value).toBe(false);
    expect(looked()).toBe(1);
  });

  it('keeps the time at which it was stopped', async () => {
    const { clock, platform, looked } = platformAt(START);
    await clock.refresh();
    platform.onMove = () => {
      if (platform.moves.length === 2) clock.stop();
    };
    await clock.moveTo(START + 300 * DAY);
    expect(platform.moves.length).toBe(3);
    expect(clock.virtual.value).toEqual(START + 3 * DAY);
    expect(looked()).toBe(1);
  });

  it('ignores a move during another one', async () => {
    const { clock, platform } = platformAt(START);
    await clock.refresh();
    await Promise.all([clock.moveTo(START + 1), clock.moveTo(START + 2)]);
    expect(platform.moves).toHaveLength(1);
  });

  it('reports a failed move, and reads the time again', async () => {
    const { clock, platform } = platformAt(START, { fails: () => ({ code: 'OUTCOME_UNKNOWN', message: 'Lost.' }) });
    await clock.refresh();
    platform.onMove = () => void (platform.now = START + 5);
    await clock.moveTo(START + DAY);
    expect(clock.error.value).toMatchObject({ code: 'OUTCOME_UNKNOWN' });
    expect(clock.virtual.value).toEqual(START + 5);
    expect(clock.summary.value).toBe('');
    expect(clock.moving.value).toBe(false);
  });

  it('says how many runs were queued as far as is known if a later day fails', async () => {
    const moved = { day: 0 };
    const { clock } = platformAt(START, {
      fails: () => (moved.day++ > 1 ? { code: 'OUTCOME_UNKNOWN', message: 'Lost.' } : null),
    });
    await clock.refresh();
    await clock.moveTo(START + 3 * DAY);
    expect(clock.summary.value).toBe('Queued 10 scheduled runs, as far as is known.');
  });

  it('isn’t shown in another environment', async () => {
    const { clock, environment, platform, looked } = platformAt(START);
    await clock.refresh();
    platform.onMove = () => {
      environment.id = 'other';
      clock.reset();
    };
    await clock.moveTo(START + DAY);
    expect(clock.virtual.value).toBe(null);
    expect(clock.moving.value).toBe(false);
    expect(looked()).toBe(0);
  });
});
