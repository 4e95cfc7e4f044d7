/** Tests that a switch-over sees what others do to both actions meanwhile: late requests, people, and other panels. */
import { describe, expect, it } from 'vitest';
import type { Result } from '../../../../lib/platform-api/coded-error.ts';
import { type Situation, SwitchOver } from '../../../../lib/migrate/switch-over/index.ts';
import { isExhaustive } from '../../../support/exhaustive.ts';
import { type Browser, DRAFT, type Fault, FIRING, type Kind, ModelPlatform } from './model-platform.ts';

type Act = (over: SwitchOver) => Promise<Result<Situation>>;
const start: Act = (over) => over.start(DRAFT);
const forward: Act = (over) => over.forward();
const back: Act = (over) => over.back();
const NEW = { ...DRAFT, code: 'async function execute() {}' };
/** Of the pairs of operations, `npm test` stops at every third. */
const EVERY = isExhaustive() ? 1 : 3;
const KINDS = ['rest', 'page'] as const;

async function platformAfter(kind: Kind, ...acts: Act[]): Promise<ModelPlatform> {
  const platform = new ModelPlatform(kind);
  for (const act of acts) expect(await act(new SwitchOver(platform.ports()))).toMatchObject({ ok: true });
  return platform;
}

const seen = async (platform: ModelPlatform, browser: Browser = platform): Promise<Situation> => {
  const look = await new SwitchOver(platform.ports(undefined, browser)).look();
  return look.ok && look.value ? look.value : expect.unreachable();
};
const codeOf = (result: Result<unknown>): string => (result.ok ? 'done' : result.error.code);

describe('after going back, the plan says from what the platform has', () => {
  const gone = [start, forward, forward, back, back];
  const full = { ...FIRING, active: true };

  it('that both versions are live once someone publishes V3, and settling leaves V2 live', async () => {
    for (const acts of [gone, gone.slice(0, -1)]) {
      const platform = await platformAfter('rest', ...acts);
      Object.assign(platform.v3s[0]!, full, { published: full, revision: 99 });
      expect(platform.firing()).toEqual(['v2', 'v3']);
      const { position } = platform.journal!;
      expect((await seen(platform)).drift).toEqual({ live: 'both', to: position, isThere: false });
      for (const act of [forward, back])
        expect(codeOf(await act(new SwitchOver(platform.ports())))).toBe('SWITCH_DRIFTED');
      expect(codeOf(await new SwitchOver(platform.ports()).settle())).toBe('done');
      expect(platform.firing()).toEqual(['v2']);
      expect(await seen(platform)).toMatchObject({ drift: null, journal: { position, goal: null } });
    }
  });

  it('that neither is live once a late request unpublishes V2, and finds the events missed since', async () => {
    const platform = await platformAfter('rest', ...gone);
    await new SwitchOver(platform.ports()).dismissGap();
    const handled = platform.event();
    platform.v2!.published = null;
    const missed = platform.event();
    expect((await seen(platform)).drift).toEqual({ live: 'neither', to: 'draft', isThere: false });
    expect(codeOf(await new SwitchOver(platform.ports()).settle())).toBe('done');
    expect(platform.firing()).toEqual(['v2']);
    const gap = await new SwitchOver(platform.ports()).checkGap();
    const verdicts = gap.ok ? gap.value.map(({ key, verdict }) => [key, verdict]) : [];
    expect(verdicts).toContainEqual([`log:${handled}`, 'handled']);
    expect(verdicts).toContainEqual([`log:${missed}`, 'pending']);
  });

  it('that both are live once someone publishes V2 after the switch, however near a scheduled run is', async () => {
    const platform = await platformAfter('rest', start, forward, forward);
    platform.advance(29 * 60_000 + 1);
    platform.v2!.published = { ...FIRING, active: true };
    expect((await seen(platform)).drift).toEqual({ live: 'both', to: 'switched', isThere: false });
    expect(codeOf(await new SwitchOver(platform.ports()).settle())).toBe('done');
    expect(platform.firing()).toEqual(['v3']);
  });

  it('that V3 is gone, and settling leaves V2 live', async () => {
    for (const kind of KINDS) {
      const platform = await platformAfter(kind, start, forward, forward);
      platform.v3s = [];
      expect((await seen(platform)).drift).toMatchObject({ to: 'none', isThere: false });
      expect(codeOf(await new SwitchOver(platform.ports()).settle())).toBe('done');
      expect(platform.firing()).toEqual(['v2']);
    }
  });
});

it('going back is refused once V2 is removed, since nothing would handle events then', async () => {
  for (const kind of KINDS) {
    const platform = await platformAfter(kind, start, forward, forward);
    platform.v2 = null;
    expect(codeOf(await back(new SwitchOver(platform.ports())))).toBe('NOT_FOUND');
    expect(platform.firing()).toEqual(['v3']);
  }
});

describe('someone else unpublishes V2 while a switch is under way', () => {
  /** Stopped right after V2 was deactivated, and before the platform is asked again. */
  async function stopped(): Promise<{ platform: ModelPlatform; result: Result<Situation> }> {
    const platform = await platformAfter('rest', start, forward);
    const unpublish = async () => {
      if (platform.operations.at(-2) === 'v2.update') platform.v2!.published = null;
    };
    return { platform, result: await new SwitchOver(platform.ports(unpublish)).forward() };
  }

  it('so that the step stops', async () => {
    const { platform, result } = await stopped();
    expect(codeOf(result)).toBe('SWITCH_CHANGED');
    expect(platform.firing()).toEqual([]);
  });

  it('so that the events since then are found once the step is continued', async () => {
    const { platform } = await stopped();
    const missed = platform.event();
    expect(codeOf(await forward(new SwitchOver(platform.ports())))).toBe('done');
    expect(platform.firing()).toEqual(['v3']);
    const gap = await new SwitchOver(platform.ports()).checkGap();
    expect(gap).toMatchObject({ ok: true, value: [{ key: `log:${missed}`, verdict: 'pending' }] });
  });
});

describe('a panel that has an old picture of the switch-over', () => {
  it('takes no step that leads elsewhere than it has shown', async () => {
    const platform = await platformAfter('rest', start, forward, forward);
    const requests = () => platform.operations.filter((name) => !/^(journal|read)/.test(name)).length;
    const before = requests();
    const late: Act[] = [
      start,
      (over) => over.forward('switched'),
      (over) => over.back('draft'),
      (over) => over.replace(NEW),
    ];
    for (const act of late) expect(codeOf(await act(new SwitchOver(platform.ports())))).toBe('SWITCH_MOVED');
    expect(requests()).toBe(before);
  });

  it('says so if another panel has ended it', async () => {
    const platform = await platformAfter('rest', start, back);
    expect(await new SwitchOver(platform.ports()).forget()).toMatchObject({ ok: true });
    for (const act of [forward, back, (over: SwitchOver) => over.settle()])
      expect(codeOf(await act(new SwitchOver(platform.ports())))).toBe('SWITCH_MOVED');
  });

  it('in another browser, sees where the platform is, and takes that over without a request', async () => {
    const platform = await platformAfter('rest', start);
    const other: Browser = { journal: structuredClone(platform.journal) };
    for (const act of [forward, forward]) await act(new SwitchOver(platform.ports()));
    const over = new SwitchOver(platform.ports(undefined, other));
    expect((await seen(platform, other)).drift).toEqual({ live: 'one', to: 'switched', isThere: true });
    expect(codeOf(await over.forward())).toBe('SWITCH_DRIFTED');
    const before = platform.operations.length;
    expect(codeOf(await over.settle())).toBe('done');
    expect(platform.operations.slice(before).filter((name) => !/^(journal|read)/.test(name))).toEqual([]);
    expect(await seen(platform, other)).toMatchObject({ drift: null, journal: { position: 'switched' } });
  });
});

/** The first stops before one of its operations, the second before one of its own. The first ends, then the second. */
async function interleave(
  platform: ModelPlatform,
  [first, second]: readonly [Act, Act],
  [i, j]: readonly [number, number],
  browser: Browser,
): Promise<{ counts: [number, number]; mostLive: number }> {
  const counts: [number, number] = [0, 0];
  let mostLive = 0;
  let release = (): void => {};
  const isFirstDone = new Promise<void>((resolve) => (release = resolve));
  let other: Promise<unknown> = Promise.resolve();
  const watch = () => (mostLive = Math.max(mostLive, platform.firing().length));
  const pauseSecond = (stopped: () => void) => async (number: number) => {
    watch();
    counts[1] = number;
    if (number !== j) return;
    stopped();
    await isFirstDone;
  };
  const pauseFirst = async (number: number): Promise<void> => {
    watch();
    counts[0] = number;
    if (number !== i) return;
    await new Promise<void>((stopped) => {
      other = second(new SwitchOver(platform.ports(pauseSecond(stopped), browser))).then(() => stopped());
    });
  };
  await first(new SwitchOver(platform.ports(pauseFirst)));
  release();
  await other;
  watch();
  return { counts, mostLive };
}

const PAIRS = { forward, back } as const;

describe.each(KINDS)('two browsers at once over %s, stopped at pairs of operations,', (kind) => {
  it('never make both versions live, and each plan that says nothing has one version live', async () => {
    for (const there of [
      [start, forward],
      [start, forward, forward],
    ])
      for (const first of Object.values(PAIRS))
        for (const second of Object.values(PAIRS)) await allPairs(kind, there, [first, second]);
  }, 240_000);
});

async function allPairs(kind: Kind, there: Act[], acts: readonly [Act, Act]): Promise<void> {
  let [isI, isJ] = [true, true];
  for (let i = 0; isI; i++, isJ = true)
    for (let j = i % EVERY; isJ; j += EVERY) {
      const platform = await platformAfter(kind, ...there);
      const browser: Browser = { journal: structuredClone(platform.journal) };
      const { counts, mostLive } = await interleave(platform, acts, [i, j], browser);
      const about = `${there.length} ${acts.map(({ name }) => name).join()} at ${i}, ${j}: ${platform.operations.join()}`;
      expect(mostLive, about).toBeLessThan(2);
      for (const each of [platform, browser]) await expectSeen(platform, each, about);
      isI = counts[0] >= i;
      isJ = counts[1] >= j && isI;
    }
}

/** A plan that says nothing is one with a version live. Otherwise, what it offers makes it so. */
async function expectSeen(platform: ModelPlatform, browser: Browser, about: string): Promise<void> {
  const { drift, journal } = await seen(platform, browser);
  const isQuiet = drift === null && journal.goal === null;
  if (isQuiet && platform.kind === 'rest') expect(platform.firing(), about).toHaveLength(1);
}

describe.each(KINDS)('updating the draft over %s', (kind) => {
  it.each(['die-before', 'die-after', 'unknown', 'late'] as const)(
    'leaves V2 live alone, and one draft in the end, after each operation: %s',
    async (what) => {
      const reference = await platformAfter(kind, start);
      const from = reference.operations.length;
      expect(codeOf(await new SwitchOver(reference.ports()).replace(NEW))).toBe('done');
      for (let at = from; at < reference.operations.length; at++) await update(kind, { at, what, by: 3 });
    },
  );
});

async function update(kind: Kind, fault: Fault): Promise<void> {
  const platform = await platformAfter(kind, start);
  platform.fault = fault;
  await new SwitchOver(platform.ports()).replace(NEW);
  const about = `${fault.what} at ${fault.at}`;
  expect(platform.firing(), about).toEqual(['v2']);
  for (let tries = 0; tries < 5 && !isUpdated(platform); tries++) await continueUpdate(platform);
  platform.doAllLateWork();
  expect(
    platform.v3s.map(({ code }) => code),
    about,
  ).toEqual([NEW.code]);
  expect(platform.firing(), about).toEqual(['v2']);
  expect((await seen(platform)).drift, about).toBeNull();
}

const isUpdated = ({ journal, v3s }: ModelPlatform): boolean =>
  journal?.position === 'draft' && journal.goal === null && v3s[0]?.code === NEW.code;

/** What the panel offers: *Continue*, *Create draft*, or *Update draft* again. */
async function continueUpdate(platform: ModelPlatform): Promise<void> {
  const over = new SwitchOver(platform.ports());
  const { journal } = platform;
  if (journal?.goal === 'none') await over.back();
  else if (journal?.position === 'draft') await over.replace(NEW);
  else await over.start(NEW);
}
