/** Tests that a switch-over handles every event exactly once, whatever it's interrupted by. */
import { describe, expect, it } from 'vitest';
import { RUN_WAIT, SwitchOver } from '../../../../lib/migrate/switch-over/index.ts';
import { isExhaustive } from '../../../support/exhaustive.ts';
import { DRAFT, type Fault, type Kind, ModelPlatform } from './model-platform.ts';

const MINUTE = 60_000;
const IS_EXHAUSTIVE = isExhaustive();

/** What a user does, each time with a new panel if the last one died. */
type Act = 'start' | 'forward' | 'back';
const THERE: readonly Act[] = ['start', 'forward', 'forward'];
const AND_BACK: readonly Act[] = [...THERE, 'back', 'back'];

/** Where a user goes after a fault. In `npm test`, they take turns. */
const ENDS = ['forward', 'back'] as const;
/** After how many other requests a late one arrives. In `npm test`, they take turns. */
const LATE = [1, 2, 5, 11];

const act = (over: SwitchOver, what: Act) => (what === 'start' ? over.start(DRAFT) : over[what]());

/** A platform on which an event happens before each operation that can change something. */
function busyPlatform(kind: Kind): ModelPlatform {
  const platform = new ModelPlatform(kind);
  platform.onOperation = () => void platform.event();
  return platform;
}

/** Each event that more than one version handled, or one twice. */
const twice = ({ effects }: ModelPlatform) => [...effects].filter(([, versions]) => versions.length > 1);
const never = ({ effects }: ModelPlatform) => [...effects].filter(([, versions]) => versions.length === 0);

/** Gives all missed events to the live version. Returns the events that the check was unsure of. */
async function handOverAll(platform: ModelPlatform): Promise<string[]> {
  const over = new SwitchOver(platform.ports());
  await over.checkGap();
  platform.advance(RUN_WAIT);
  const checked = await over.checkGap();
  if (!checked.ok) return expect.unreachable(checked.error.code);
  for (const { key } of checked.value.filter(({ verdict }) => verdict === 'missed')) {
    platform.handing = key;
    expect(await over.handOver(key)).toEqual({ ok: true, value: null });
    platform.handing = null;
  }
  return checked.value.filter(({ verdict }) => verdict === 'unsure').map(({ key }) => key);
}

/** Repeats an act until it succeeds, as a user would who opens the panel again. */
async function insist(platform: ModelPlatform, what: Act): Promise<void> {
  for (let tries = 0; tries < 5; tries++) {
    const over = new SwitchOver(platform.ports());
    const goal = platform.journal?.goal;
    const before = platform.journal?.position;
    const done = await act(over, what);
    if (done.ok) return;
    if (done.error.code === 'SWITCH_DRIFTED') await over.settle();
    // A step whose last entry is missing is complete by what the journal says.
    if (goal === null && platform.journal?.goal === null && platform.journal.position !== before) return;
  }
  expect.unreachable(`Couldn’t go ${what}`);
}

const operationsOf = async (kind: Kind, acts: readonly Act[]): Promise<string[]> => {
  const platform = busyPlatform(kind);
  for (const what of acts) expect(await act(new SwitchOver(platform.ports()), what)).toMatchObject({ ok: true });
  return platform.operations;
};

describe.each(['rest', 'page'] as const)('on a platform reached over %s', (kind) => {
  it('goes to V3 and back with never two versions firing, and lists each missed event', async () => {
    const platform = busyPlatform(kind);
    for (const what of THERE) expect(await act(new SwitchOver(platform.ports()), what)).toMatchObject({ ok: true });
    expect(platform.firing()).toEqual(['v3']);
    expect(twice(platform)).toEqual([]);
    expect(never(platform).length).toBeGreaterThan(0);
    const unsure = await handOverAll(platform);
    expect(never(platform).filter(([key]) => !unsure.includes(key))).toEqual([]);
    for (const what of ['back', 'back'] as const)
      expect(await act(new SwitchOver(platform.ports()), what)).toMatchObject({ ok: true });
    expect(platform.firing()).toEqual(['v2']);
    expect(platform.journal?.position).toBe('draft');
    expect(twice(platform)).toEqual([]);
  });

  it('takes a version off with one request between it and the other going live', async () => {
    const operations = (await operationsOf(kind, THERE)).filter((name) => !/^(journal|read)/.test(name));
    expect(operations).toEqual([
      'v3.create',
      'v3.update',
      'v3.publish',
      'v3.update',
      'v2.update',
      'v2.publish',
      'v3.publish',
    ]);
  });

  it.each(['die-before', 'die-after', 'unknown'] as const)(
    'ends with one live version and no event handled twice after each operation: %s',
    async (what) => {
      const count = (await operationsOf(kind, AND_BACK)).length;
      for (let at = 0; at < count; at++)
        for (const end of IS_EXHAUSTIVE ? ENDS : [ENDS[at % 2]!]) await survive(kind, { at, what }, end);
    },
    120_000,
  );

  it('handles no event twice when a request arrives late', async () => {
    const names = await operationsOf(kind, AND_BACK);
    const changes = names.flatMap((name, at) => (/^(journal|read)/.test(name) ? [] : [at]));
    for (const [turn, at] of changes.entries())
      for (const by of IS_EXHAUSTIVE ? LATE : [LATE[turn % LATE.length]!])
        for (const end of ENDS) await survive(kind, { at, what: 'late', by }, end);
  }, 120_000);
});

const checkedOf = async (platform: ModelPlatform) => {
  const checked = await new SwitchOver(platform.ports()).checkGap();
  return checked.ok ? checked.value : expect.unreachable(checked.error.code);
};

describe('handing a missed event over', () => {
  const switched = async (): Promise<ModelPlatform> => {
    const platform = busyPlatform('rest');
    for (const what of THERE) await act(new SwitchOver(platform.ports()), what);
    platform.onOperation = () => {};
    await checkedOf(platform);
    platform.advance(RUN_WAIT);
    return platform;
  };

  it('waits until no queued run can handle it anymore', async () => {
    const platform = busyPlatform('rest');
    for (const what of THERE) await act(new SwitchOver(platform.ports()), what);
    platform.onOperation = () => {};
    const missed = never(platform).map(([key]) => key);
    await checkedOf(platform);
    platform.advance(RUN_WAIT - 1);
    expect((await checkedOf(platform)).map(({ verdict }) => verdict)).not.toContain('missed');
    platform.advance(1);
    expect((await checkedOf(platform)).flatMap(({ key, verdict }) => (verdict === 'missed' ? [key] : []))).toEqual(
      missed,
    );
  });

  it('waits again after each run that V2 still ends', async () => {
    const platform = busyPlatform('rest');
    for (const what of THERE) await act(new SwitchOver(platform.ports()), what);
    platform.onOperation = () => {};
    platform.advance(RUN_WAIT);
    platform.endQueuedRun(1);
    expect((await checkedOf(platform)).map(({ verdict }) => verdict)).toContain('pending');
    platform.advance(RUN_WAIT);
    expect((await checkedOf(platform)).map(({ verdict }) => verdict)).not.toContain('pending');
  });

  it('doesn’t wait for calls of V2, which go on', async () => {
    const platform = await switched();
    platform.endCall();
    expect((await checkedOf(platform)).map(({ verdict }) => verdict)).toContain('missed');
  });

  it.each(['die-before', 'die-after', 'unknown', 'late'] as const)(
    'runs it exactly once after each operation: %s',
    async (what) => {
      const reference = await switched();
      const [missed] = (await checkedOf(reference)).filter(({ verdict }) => verdict === 'missed');
      const from = reference.operations.length;
      await new SwitchOver(reference.ports()).handOver(missed!.key);
      for (let at = from; at < reference.operations.length; at++) {
        const platform = await switched();
        await checkedOf(platform);
        platform.fault = { at, what, by: 2 };
        await new SwitchOver(platform.ports()).handOver(missed!.key);
        platform.advance(1);
        await handOverAll(platform);
        expect({ at, twice: twice(platform), never: never(platform) }).toEqual({ at, twice: [], never: [] });
      }
    },
    60_000,
  );

  it('doesn’t run it again while the run that it doesn’t know of might still be running', async () => {
    const platform = await switched();
    const missed = (await checkedOf(platform)).find(({ verdict }) => verdict === 'missed')!;
    platform.isSlow = true;
    platform.fault = { at: 'v3.run', what: 'die-after' };
    for (let n = 0; n < 2; n++) await new SwitchOver(platform.ports()).handOver(missed.key);
    expect(platform.operations.filter((name) => name === 'v3.run')).toEqual(['v3.run']);
    expect(await checkedOf(platform)).toContainEqual({ ...missed, verdict: 'pending' });
    expect(twice(platform)).toEqual([]);
  });

  it('refuses an event that a version has handled', async () => {
    const platform = await switched();
    const handled = (await checkedOf(platform)).find(({ verdict }) => verdict === 'handled');
    const over = new SwitchOver(platform.ports());
    expect(await over.handOver(handled!.key)).toMatchObject({ ok: false, error: { code: 'EVENT_NOT_MISSED' } });
    expect(await over.handOver(handled!.key, 'unsure')).toMatchObject({ error: { code: 'EVENT_NOT_MISSED' } });
  });

  it('lists scheduled times that neither version ran, and gives each one over once', async () => {
    const platform = new ModelPlatform('rest');
    for (const what of ['start', 'forward'] as const) await act(new SwitchOver(platform.ports()), what);
    // The panel dies between the versions, and the user comes back three hours later.
    platform.fault = { at: 'v2.publish', what: 'die-after' };
    await new SwitchOver(platform.ports()).forward();
    platform.fault = null;
    expect(platform.firing()).toEqual([]);
    platform.advance(3 * 60 * MINUTE);
    expect(await new SwitchOver(platform.ports()).forward()).toMatchObject({ ok: true });
    expect(never(platform).map(([key]) => key)).toEqual([
      'due:2026-03-02T01:00:00.000Z',
      'due:2026-03-02T02:00:00.000Z',
      'due:2026-03-02T03:00:00.000Z',
    ]);
    expect(await handOverAll(platform)).toEqual([]);
    expect({ never: never(platform), twice: twice(platform) }).toEqual({ never: [], twice: [] });
  });
});

describe('switching over is refused, and nothing is sent,', () => {
  const ready = async (): Promise<ModelPlatform> => {
    const platform = new ModelPlatform('rest');
    for (const what of ['start', 'forward'] as const) await act(new SwitchOver(platform.ports()), what);
    return platform;
  };
  const refused = async (platform: ModelPlatform): Promise<unknown> => {
    const result = await new SwitchOver(platform.ports()).forward();
    expect(platform.firing()).toEqual(['v2']);
    return result.ok || result.error.code;
  };

  it('within a minute of a scheduled run', async () => {
    const platform = await ready();
    platform.advance(29 * MINUTE + 1);
    expect(await refused(platform)).toBe('SCHEDULE_NEAR');
    platform.advance(2 * MINUTE);
    expect(await new SwitchOver(platform.ports()).forward()).toMatchObject({ ok: true });
  });

  it('while V2 has unpublished changes, which going back would make live', async () => {
    const platform = await ready();
    platform.edits = ['functions'];
    expect(await refused(platform)).toBe('V2_EDITED');
  });

  it('when the V3 action is gone', async () => {
    const platform = await ready();
    platform.v3s = [];
    expect(await refused(platform)).toBe('V3_GONE');
  });

  it('if the name of the draft is taken', async () => {
    const platform = new ModelPlatform('rest');
    await new SwitchOver(platform.ports()).start(DRAFT);
    platform.journal = null;
    const other = { ...DRAFT, code: 'async function execute() {}' };
    expect(await new SwitchOver(platform.ports()).start(other)).toMatchObject({ error: { code: 'NAME_TAKEN' } });
    expect(platform.v3s.length).toBe(1);
  });

  it('if the journal can’t be written', async () => {
    const platform = await ready();
    const ports = platform.ports();
    const full = {
      ...ports,
      journal: { ...ports.journal, write: () => Promise.reject(new Error('The disk is full.')) },
    };
    expect(await new SwitchOver(full).forward()).toMatchObject({ error: { code: 'JOURNAL_FAILED' } });
    expect(platform.firing()).toEqual(['v2']);
  });
});

/** @param end where the user goes after the fault: on, or back and then on */
async function survive(kind: Kind, fault: Fault, end: 'forward' | 'back'): Promise<void> {
  const platform = busyPlatform(kind);
  platform.fault = fault;
  const about = `${fault.what} at ${fault.at} (${fault.by ?? ''}), then ${end}`;
  for (const what of AND_BACK) {
    const done = await act(new SwitchOver(platform.ports()), what);
    if (!done.ok) break;
  }
  platform.advance(MINUTE);
  if (platform.journal === null) await insist(platform, 'start');
  if (platform.journal!.position === 'none') await insist(platform, 'start');
  if (end === 'back' && ['answering', 'switched'].includes(platform.journal!.position)) await insist(platform, 'back');
  while (platform.journal!.position !== 'switched' || platform.journal!.goal) await insist(platform, 'forward');
  platform.doAllLateWork();
  const seen = await new SwitchOver(platform.ports()).look();
  // Over a page, the plan can’t see a production copy that a late request has removed.
  if (kind === 'rest' && platform.firing().length !== 1)
    expect(seen, about).toMatchObject({ value: { drift: { live: 'neither', to: 'switched', isThere: false } } });
  platform.event();
  expect(await new SwitchOver(platform.ports()).settle(), about).toMatchObject({ ok: true });
  const look = await new SwitchOver(platform.ports()).look();
  expect(look, about).toMatchObject({ ok: true, value: { journal: { position: 'switched', v3Live: 'full' } } });
  if (fault.what !== 'late' || kind === 'rest') expect(platform.firing(), about).toEqual(['v3']);
  expect(platform.firing().length, about).toBeLessThan(2);
  const unsure = await handOverAll(platform);
  expect(twice(platform), about).toEqual([]);
  const lost = never(platform).filter(([key]) => !unsure.includes(key));
  if (fault.what !== 'late' || kind === 'rest') expect(lost, about).toEqual([]);
}
