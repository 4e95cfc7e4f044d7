/** Tests what panels can do while a run is paused in the page, and what ends a pause without a panel. */
import { afterEach, describe, expect, it } from 'vitest';
import { replay } from '../../../../lib/debugging/replay/replay.ts';
import { breakAt, DebuggedPage, onFailure } from './support/debugged-page.ts';

let page: DebuggedPage;
afterEach(() => page.page.close());

const STEPS = [{ functionPackage: 'first' }, { functionPackage: 'second' }];
const FUNCTIONS = `
  first(settings, context) { context.list = [{ name: 'Ada' }]; return 1; },
  second: (settings, context) => { if (context.fails) throw new RangeError('too much'); return 'second'; },
`;

/** Paused before the second step. */
async function openPaused(functions = FUNCTIONS, options = {}): Promise<void> {
  page = await DebuggedPage.open(STEPS, functions, options);
  page.start(breakAt('/1'));
  await page.paused();
}

describe('a failing step', () => {
  it('pauses the run before it ends, with the failure, and can have another outcome', async () => {
    page = await DebuggedPage.open(STEPS, FUNCTIONS);
    page.start(onFailure, { payload: { fails: true } });
    expect(await page.paused()).toMatchObject({
      reason: 'failure',
      step: 2,
      error: { errorType: 'RangeError', errorMessage: 'too much', path: '/1' },
    });
    page.resume({ go: 'resume', outcome: { value: 'mine' } });
    expect(await page.ended()).toMatchObject({ state: 'completed', result: { v: 'mine' } });
    expect(await replay(page.recording())).toMatchObject({ state: 'completed', result: 'mine' });
  });

  it('ends the run when it’s resumed without an outcome', async () => {
    page = await DebuggedPage.open(STEPS, FUNCTIONS);
    page.start(onFailure, { payload: { fails: true } });
    await page.paused();
    page.resume();
    expect(await page.ended()).toMatchObject({ state: 'failed', error: { errorMessage: 'too much', path: '/1' } });
  });

  it('can be an if step, which then takes a branch', async () => {
    const pipeline = [{ type: 'if', conditions: [{ condition: 'missing.name', functions: STEPS.slice(1) }] }];
    page = await DebuggedPage.open(pipeline, FUNCTIONS);
    page.start(onFailure);
    expect(await page.paused()).toMatchObject({ reason: 'failure', error: { code: 'CONDITION_FAILED' } });
    page.resume({ go: 'resume', outcome: { branch: 0 } });
    expect(await page.ended()).toMatchObject({ state: 'completed', result: { v: 'second' } });
    expect(page.all('step-ended').at(-1)).toMatchObject({ branch: 0, replaced: 'debugger' });
  });
});

describe('a breakpoint', () => {
  it('that logs writes console lines of its step, and never pauses', async () => {
    page = await DebuggedPage.open(STEPS, FUNCTIONS);
    page.start(breakAt('/1', { log: 'Name: {{list[0].name}}, {{missing.name}}' }));
    expect(await page.ended()).toMatchObject({ state: 'completed' });
    expect(page.all('console')).toMatchObject([{ level: 'logpoint', step: 2 }]);
    expect(page.all('console')[0]!.args).toMatchObject([{ v: expect.stringMatching(/^Name: Ada, <.*missing.*>$/) }]);
  });

  it.each([
    ['throws', 'missing.name', /missing/],
    ['isn’t valid', 'a +', /incomplete/],
    ['takes too long', 'Array.from({ length: 6000000 })', /limited to 5,000,000 operations/],
  ])('whose condition %s pauses with the reason', async (_what, condition, message) => {
    page = await DebuggedPage.open(STEPS, FUNCTIONS);
    page.start(breakAt('/1', { condition }));
    const { reason, error } = await page.paused();
    expect(reason).toBe('breakpoint');
    expect(error!.errorMessage).toMatch(message);
    page.resume();
    expect(await page.ended()).toMatchObject({ state: 'completed' });
  });

  it('whose condition would change the context doesn’t change it', async () => {
    page = await DebuggedPage.open(STEPS, FUNCTIONS);
    page.start(breakAt('/1', { condition: 'list.push(1) > 0' }));
    expect((await page.paused()).error!.errorMessage).toContain('concat');
    expect(page.context()).toEqual({ list: [{ name: 'Ada' }] });
  });

  it('can be added and removed during the run', async () => {
    await openPaused();
    expect(page.update(breakAt('/0'))).toBe(true);
    page.resume();
    await page.ended();
    expect(page.update(breakAt('/0'))).toBe(false);
  });

  it('can be replaced by a request to pause at the next step', async () => {
    page = await DebuggedPage.open(STEPS, `first: () => new Promise((go) => (globalThis.go = go)), second() {}`);
    page.start();
    await page.page.until(() => page.calls().length === 1);
    expect(page.pauseNext()).toEqual({ ok: true, value: true });
    page.page.run('go()');
    expect(await page.place()).toBe('/1 request');
    page.resume();
    await page.ended();
    expect(page.pauseNext()).toEqual({ ok: true, value: false });
  });
});

describe('during a pause', () => {
  it('expressions have values, or the reason why they have none, and change nothing', async () => {
    await openPaused();
    const values = page.evaluate('list[0].name', 'list', 'missing.name', 'list.push(2)', 'a b', 'x = 1');
    expect(values!.slice(0, 2)).toMatchObject([{ value: { t: 'string', v: 'Ada' } }, { value: { t: 'array' } }]);
    expect(values!.slice(2)).toEqual(
      Array.from({ length: 4 }, () => ({ error: expect.stringMatching(/\w/) as string })),
    );
    expect(page.context()).toEqual({ list: [{ name: 'Ada' }] });
  });

  it('expressions that take long don’t keep the page from responding', async () => {
    await openPaused();
    const slow = 'Array.from({ length: 2000 }).map(() => Array.from({ length: 2000 }).length).length';
    const values = page.evaluate(...Array.from({ length: 100 }, () => slow));
    expect(values).toHaveLength(100);
    expect(values!.at(-1)).toEqual({ error: 'The expressions before took too long.' });
  });

  it.each([
    ['isn’t JSON', '{', 'CONTEXT_NOT_JSON'],
    ['isn’t an object', '[1]', 'CONTEXT_NOT_OBJECT'],
    ['has a mark that stands for no value', '{"list":{"$":"ref","value":"/a"}}', 'CONTEXT_VALUE_LOST'],
  ])('a context that %s is refused, and nothing changes', async (_what, text, code) => {
    await openPaused();
    expect(page.edit(text)).toBe(code);
    expect(page.all('context-edited')).toEqual([]);
    expect(page.context()).toEqual({ list: [{ name: 'Ada' }] });
  });

  it('a context with objects that refuse everything can be shown and edited', async () => {
    await openPaused(`
      first(settings, context) {
        const boom = () => { throw new Error('mine'); };
        context.trap = new Proxy({}, { get: boom, ownKeys: boom, getPrototypeOf: boom, defineProperty: boom, has: boom });
        const { proxy, revoke } = Proxy.revocable({}, {});
        revoke();
        context.revoked = proxy;
        context.count = 1;
      },
      second: (settings, context) => context.count`);
    expect(page.context()).toMatchObject({ count: 1, trap: { $: 'lost' }, revoked: { $: 'lost' } });
    expect(page.evaluate('trap.a', 'count')).toMatchObject([{ error: 'trap.a failed: mine' }, { value: { v: 1 } }]);
    expect(page.change((context) => Object.assign(context, { count: 2 }))).toBeNull();
    page.resume();
    expect(await page.ended()).toMatchObject({ state: 'completed', result: { v: 2 } });
    expect(page.recording().steps[1]).toMatchObject({ value: 2, late: [{ changes: [['/count', 2]] }] });
  });

  it('a context that refuses a part of an edit is changed in no part', async () => {
    await openPaused(`
      first(settings, context) {
        context.count = 1;
        context.closed = new Proxy({ a: 1 }, { defineProperty() { throw new Error('mine'); } });
        context.last = 1;
      },
      second() {}`);
    expect(page.edit('{"count":2,"closed":{"a":2},"last":2}')).toBe('CONTEXT_READ_ONLY');
    expect(page.context()).toEqual({ count: 1, closed: { a: 1 }, last: 1 });
  });

  it('the later of two panels learns that the pause has ended', async () => {
    await openPaused();
    page.resume();
    const commands = [
      () => page.resume(),
      () => expect(page.edit('{}')).toBeNull(),
      () => expect(page.evaluate('1')).not.toBeNull(),
    ];
    expect(() => commands[0]!()).toThrow('PAUSE_GONE');
    expect(page.edit('{}')).toBe('PAUSE_GONE');
    expect(page.evaluate('1')).toBeNull();
    await page.ended();
    page.start(breakAt('/1'));
    await page.page.until(() => page.all('paused').length > 0);
    expect(page.all('paused')).toMatchObject([{ pause: 2 }]);
  });

  it.each([
    ['a branch of a function', { branch: 0 }],
    ['a branch that an if step doesn’t have', { branch: 'else' as const }],
  ])('%s is refused as an outcome, and the run stays paused', async (_what, outcome) => {
    await openPaused();
    expect(() => page.resume({ go: 'resume', outcome })).toThrow('OUTCOME_IMPOSSIBLE');
    page.resume({ go: 'resume', outcome: { skip: true } });
    expect(await page.ended()).toMatchObject({ state: 'completed', result: { v: 1 } });
  });

  it.each([
    ['undefined', { value: undefined }, { state: 'completed', result: { v: 1 } }],
    ['an error', { error: { name: 'MineError', message: 'mine' } }, { error: { errorType: 'MineError' } }],
  ])('%s can be the outcome', async (_what, outcome, end) => {
    await openPaused();
    page.resume({ go: 'resume', outcome });
    expect(await page.ended()).toMatchObject(end);
    expect(page.all('step-ended').at(-1)).toMatchObject({ replaced: 'debugger' });
  });

  it('no time passes for the run', async () => {
    const before = `offset = 0; now = performance.now.bind(performance); performance.now = () => now() + offset;`;
    await openPaused(FUNCTIONS, { before });
    page.page.run('offset += 3_600_000');
    const { now, isHeld } = JSON.parse(page.page.port().status(false)) as { now: number; isHeld: boolean };
    expect(isHeld).toBe(true);
    expect(now).toBeLessThan(Date.now() - 3_000_000);
    page.resume();
    expect((await page.ended()).milliseconds).toBeLessThan(3_000_000);
    const [, second] = page.all('step-ended');
    expect(second!.at).toBeLessThan(3_000_000);
    expect(page.recording().milliseconds).toBeLessThan(3_000_000);
  });
});

describe('a page whose panel is gone', () => {
  /** Timers of 5 s run only when the test wants. */
  const CLOCK = `
    due = [];
    const later = setTimeout;
    setTimeout = (run, milliseconds) => (milliseconds === 5000 ? due.push(run) : later(run, milliseconds));
    const stop = clearTimeout;
    clearTimeout = (timer) => stop(timer);`;
  const check = () => page.page.run('due.pop()()');

  it('resumes the run after 30 s without pausing again, and says so in the console', async () => {
    page = await DebuggedPage.open(STEPS, FUNCTIONS, { before: `${CLOCK} console.warn = (text) => warned = text;` });
    page.start({ settings: { breakpoints: [{ path: '/0' }, { path: '/1' }], pauseOnFailure: true } });
    await page.paused();
    check();
    for (let i = 0; i < 5; i++) check();
    expect(page.calls()).toEqual([]);
    check();
    expect(await page.ended()).toMatchObject({ state: 'completed' });
    expect(page.all('paused')).toHaveLength(1);
    expect(page.all('resumed')).toMatchObject([{ by: 'absence' }]);
    expect(page.page.run('warned')).toContain('no panel has responded for 30 s');
    expect(page.page.run('due.length')).toBe(0);
  });

  it('waits as long as any panel calls', async () => {
    await openPaused(FUNCTIONS, { before: CLOCK });
    for (let i = 0; i < 20; i++) {
      for (let j = 0; j < 5; j++) check();
      page.page.agent('read', 0, 1, 'Platform');
    }
    expect(page.all('resumed')).toEqual([]);
    page.resume();
    await page.ended();
  });

  it('pauses again when a panel is back and asks for it', async () => {
    page = await DebuggedPage.open(
      [...STEPS, { functionPackage: 'wait' }, { functionPackage: 'second' }],
      `${FUNCTIONS} wait: () => new Promise((go) => (globalThis.go = go)),`,
      { before: CLOCK },
    );
    page.start(breakAt('/1'));
    await page.paused();
    for (let i = 0; i < 7; i++) check();
    await page.page.until(() => page.calls().includes('wait'));
    page.pauseNext();
    page.page.run('go()');
    expect(await page.place()).toBe('/3 request');
    page.resume();
    await page.ended();
  });
});

describe('a page that has replaced built-ins', () => {
  const replaced = `Array.prototype.map = function map() { return []; };`;

  it('runs without breakpoints, which its run and a request to pause say', async () => {
    page = await DebuggedPage.open(STEPS, FUNCTIONS);
    page.page.run(replaced);
    page.start(breakAt('/1'));
    expect(page.pauseNext()).toMatchObject({ ok: false, error: { code: 'DEBUGGER_UNAVAILABLE' } });
    expect(page.update(breakAt('/1'))).toBe(false);
    await page.ended();
    expect(page.all('run-started')).toMatchObject([
      {
        debuggerError: {
          code: 'DEBUGGER_UNAVAILABLE',
          message: 'Couldn’t pause at steps: the page has replaced built-in functions. The run ignores breakpoints.',
        },
      },
    ]);
  });

  it.each([
    ['run to a step', { runTo: { path: '/1' } }],
    ['pause at the first step', { pausesFirst: true }],
  ])('isn’t run if it should %s', async (_what, debug) => {
    page = await DebuggedPage.open(STEPS, FUNCTIONS);
    page.page.run(replaced);
    expect(() => page.start(debug)).toThrow(/DEBUGGER_UNAVAILABLE: Couldn’t .* Nothing was run\./);
    expect(page.calls()).toEqual([]);
  });

  it('during a pause can still be resumed and stopped', async () => {
    await openPaused();
    page.page.run(
      'for (const name of ["findIndex", "indexOf", "push", "splice", "some"]) Array.prototype[name] = () => { throw 1; }',
    );
    expect(page.evaluate('1')).toHaveLength(1);
    page.page.agent('resume', page.runId, 1, { go: 'out', runTo: { path: '/1' } });
    await page.page.until(() => JSON.stringify(page.page.agent('read', 0, 1e9, 'Platform')).includes('run-ended'));
  });
});

describe('a page that adds properties to all objects', () => {
  it('changes neither breakpoints nor outcomes', async () => {
    page = await DebuggedPage.open(STEPS, FUNCTIONS);
    page.page.run(
      `for (const [name, value] of Object.entries({ isOff: true, log: 'mine', condition: 'false', hits: 9, runTo: {}, pausesFirst: true })) Object.defineProperty(Object.prototype, name, { value, configurable: true, writable: true });`,
    );
    page.start(breakAt('/1'));
    expect(await page.place()).toBe('/1 breakpoint');
    page.resume({ go: 'resume', outcome: { value: 'mine' } });
    expect(await page.ended()).toMatchObject({ state: 'completed', result: { v: 'mine' } });
  });
});

it('a runtime that can’t pause says so, and isn’t run to a step', async () => {
  page = await DebuggedPage.open(STEPS, FUNCTIONS);
  page.start(breakAt('/1'), { engine: 'platform' });
  expect(await page.ended()).toMatchObject({ state: 'completed' });
  expect(page.all('run-started')).toMatchObject([
    {
      tracing: 'wrapped',
      debuggerError: { code: 'DEBUGGER_UNAVAILABLE', hint: 'Choose “Our engine” beside Run.' },
    },
  ]);
  page.start({}, { engine: 'platform' });
  await page.ended();
  expect(page.all('run-started')[0]).not.toHaveProperty('debuggerError');
  expect(() => page.start({ runTo: { path: '/1' } }, { engine: 'platform' })).toThrow('DEBUGGER_UNAVAILABLE');
});
