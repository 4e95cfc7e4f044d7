/** Tests the debugger in the page: breakpoints, stepping, changes during a pause, and what ends a pause. */
import { afterEach, describe, expect, it } from 'vitest';
import { replay } from '../../../../lib/debugging/replay/replay.ts';
import { breakAt, DebuggedPage, onFailure, platformRuntime } from './support/debugged-page.ts';

let page: DebuggedPage;
afterEach(() => page.page.close());

const LOOP = [
  { functionPackage: 'read' },
  {
    type: 'loop',
    items: 'rows',
    functions: [
      {
        type: 'if',
        conditions: [{ condition: 'currentItem > 1', functions: [{ functionPackage: 'add' }] }],
        elseFunctions: [{ functionPackage: 'skipped' }],
      },
    ],
  },
  { functionPackage: 'send' },
];
const FUNCTIONS = `
  read(settings, context) { context.rows = [1, 2, 3]; context.sum = 0; },
  add(settings, context) { context.sum += context.currentItem; },
  skipped() {},
  send: (settings, context) => 'sent ' + context.sum,
`;
const ADD = '/1/functions/0/conditions/0/functions/0';

it('a runtime that can’t run a failed step again says so, and stays paused', async () => {
  const runtime = `${await platformRuntime()}
    const { Pipeline } = Platform.App.Actions;
    Platform.App.Actions.Pipeline = { features: ['observer', 'signal', 'debugger'], run: (options) => Pipeline.run(options) };`;
  page = await DebuggedPage.open([{ functionPackage: 'boom' }], `boom() { throw new Error('no'); },`, { runtime });
  page.start(onFailure, { engine: 'platform' });
  const pause = await page.paused();
  expect(pause).toMatchObject({ reason: 'failure' });
  expect(pause.canRetry).toBeUndefined();
  expect(() => page.resume({ go: 'resume', outcome: { retry: true } })).toThrow('OUTCOME_IMPOSSIBLE');
  page.resume({ go: 'resume', outcome: { value: 'mine' } });
  expect(await page.ended()).toMatchObject({ state: 'completed', result: { v: 'mine' } });
});

describe.each(['our engine', 'the platform’s runtime'])('with %s, a run', (name) => {
  const engine = name === 'our engine' ? 'ours' : 'platform';
  const open = async (): Promise<void> => {
    page = await DebuggedPage.open(LOOP, FUNCTIONS, { runtime: await platformRuntime() });
  };

  it('pauses before a step whose breakpoint’s condition is true, and goes on when it’s resumed', async () => {
    await open();
    page.start(breakAt(ADD, { condition: 'currentItem === 3' }), { engine });
    expect(await page.place()).toBe(`${ADD}#2 breakpoint`);
    expect(page.calls()).toEqual(['read', 'skipped', 'add']);
    page.resume();
    expect(await page.ended()).toMatchObject({ state: 'completed', result: { v: 'sent 5' } });
    expect(page.all('resumed')).toMatchObject([{ by: 'panel' }]);
  });

  it('pauses once per visit of a step in a loop', async () => {
    await open();
    page.start(breakAt('/1/functions/0'), { engine });
    const places = [];
    for (let i = 0; i < 3; i++) {
      places.push(await page.place());
      page.resume();
    }
    expect(places).toEqual([0, 1, 2].map((index) => `/1/functions/0#${index} breakpoint`));
    expect(await page.ended()).toMatchObject({ state: 'completed' });
  });

  it('steps into, over, and out, and runs to a step', async () => {
    await open();
    page.start({ pausesFirst: true }, { engine });
    const commands = ['over', 'into', 'into', 'into', 'over', 'out'] as const;
    const places = [await page.place()];
    for (const go of commands) {
      page.resume({ go });
      places.push(await page.place());
    }
    expect(places).toEqual([
      '/0 request',
      '/1 step',
      '/1/functions/0#0 step',
      '/1/functions/0/elseFunctions/0#0 step',
      '/1/functions/0#1 step',
      '/1/functions/0#2 step',
      '/2 step',
    ]);
    page.resume();
    await page.ended();
    page.start({ runTo: { path: ADD, iteration: [2] } }, { engine });
    expect(await page.place()).toBe(`${ADD}#2 run-to`);
    page.resume();
    await page.ended();
  });

  it('runs with the context as edited during a pause, as its trace and recording show', async () => {
    await open();
    page.start(breakAt('/1'), { engine });
    await page.paused();
    expect(page.change((context) => Object.assign(context, { rows: [5, 6], sum: 100, more: { a: [1] } }))).toBeNull();
    expect(page.all('context-edited')).toMatchObject([
      {
        step: page.all('paused')[0]!.step,
        changes: [
          { path: '/rows/0', before: { v: 1 }, after: { v: 5 } },
          { path: '/rows/1', before: { v: 2 }, after: { v: 6 } },
          { path: '/rows/2', before: { v: 3 } },
          { path: '/sum', before: { v: 0 }, after: { v: 100 } },
          { path: '/more' },
        ],
      },
    ]);
    page.resume();
    expect(await page.ended()).toMatchObject({ result: { v: 'sent 111' } });
    expect(await replay(page.recording())).toMatchObject({ state: 'completed', result: 'sent 111' });
  });

  it('runs a failed step again with the edited context, as its trace and recording show', async () => {
    const pipeline = [{ functionPackage: 'pay', settings: { to: '{{who}}' } }, { functionPackage: 'after' }];
    const functions = `
      pay(settings, context) {
        context.tries = (context.tries ?? 0) + 1;
        if (context.qty > 10) throw new RangeError(context.qty + ' is too much');
        return 'paid ' + context.qty;
      },
      after() {},`;
    page = await DebuggedPage.open(pipeline, functions, { runtime: await platformRuntime() });
    page.start(onFailure, { engine, payload: { qty: 99 } });
    expect(await page.paused()).toMatchObject({ reason: 'failure', canRetry: true });
    page.resume({ go: 'resume', outcome: { retry: true } });
    expect(await page.paused()).toMatchObject({ reason: 'failure', error: { errorMessage: '99 is too much' } });
    expect(page.change((context) => Object.assign(context, { qty: 5 }))).toBeNull();
    page.resume({ go: 'resume', outcome: { retry: true } });
    expect(await page.ended()).toMatchObject({ state: 'completed', result: { v: 'paid 5' } });
    expect(page.calls()).toEqual(['pay', 'pay', 'pay', 'after']);
    const pauses = page.events().filter(({ kind }) => /^(?:context-|step-retried|step-ended)/.test(kind));
    expect(pauses).toMatchObject([
      { kind: 'context-changed', step: 1, attempt: 1, changes: [{ path: '/tries', after: { v: 1 } }] },
      { kind: 'step-retried', step: 1, attempt: 1, error: { errorMessage: '99 is too much', path: '/0' } },
      { kind: 'context-changed', step: 1, attempt: 2, changes: [{ path: '/tries', after: { v: 2 } }] },
      { kind: 'context-edited', step: 1, attempt: 2, changes: [{ path: '/qty', before: { v: 99 }, after: { v: 5 } }] },
      { kind: 'step-retried', step: 1, attempt: 2 },
      { kind: 'step-ended', step: 1, state: 'completed', changes: [{ path: '/tries', after: { v: 3 } }] },
      { kind: 'step-ended', step: 2 },
    ]);
    const recording = page.recording();
    expect(recording.steps[0]).toMatchObject({ value: 'paid 5', attempts: [{}, { message: '99 is too much' }] });
    expect(recording.steps[0]!.late!.filter(({ by }) => by)).toEqual([
      { changes: [['/qty', 5]], by: 'edit', attempt: 2 },
    ]);
    expect(await replay(recording)).toMatchObject({ state: 'completed', result: 'paid 5' });
  });

  it('applies mocks to each attempt, and pauses at a mock’s failure, too', async () => {
    const functions = `send() { throw new Error('really sent'); },`;
    page = await DebuggedPage.open([{ functionPackage: 'send' }], functions, { runtime: await platformRuntime() });
    const mocks = [
      { target: { path: '/0' }, condition: 'state == "down"', outcome: { error: { message: 'down' } } },
      { target: { path: '/0' }, condition: 'state == "up"', outcome: { value: 'mocked' } },
    ];
    page.start({ ...onFailure, mocks }, { engine, payload: { state: 'down' } });
    const failures: unknown[] = [];
    for (const state of ['other', 'down', 'up']) {
      const { error, canRetry } = await page.paused();
      failures.push([error?.errorMessage, canRetry]);
      expect(page.change((context) => Object.assign(context, { state }))).toBeNull();
      page.resume({ go: 'resume', outcome: { retry: true } });
    }
    expect(failures).toEqual([
      ['down', true],
      ['really sent', true],
      ['down', true],
    ]);
    expect(await page.ended()).toMatchObject({ state: 'completed', result: { v: 'mocked' } });
    expect(page.calls()).toEqual(['send']);
    expect(page.all('step-ended')).toMatchObject([{ replaced: 'mock' }]);
    expect(await replay(page.recording())).toMatchObject({ state: 'completed', result: 'mocked' });
  });

  it('takes a chosen outcome instead of the step, which its trace and recording mark', async () => {
    await open();
    page.start(breakAt('/2'), { engine });
    await page.paused();
    page.resume({ go: 'resume', outcome: { value: { mine: [1] } } });
    expect(await page.ended()).toMatchObject({ state: 'completed', result: { entries: [['mine', { length: 1 }]] } });
    expect(page.calls()).not.toContain('send');
    expect(page.all('step-ended').filter(({ replaced }) => replaced)).toMatchObject([{ replaced: 'debugger' }]);
    expect(page.recording().steps.at(-1)).toMatchObject({ path: '/2', replaced: 'debugger', value: { mine: [1] } });
    expect(await replay(page.recording())).toMatchObject({ state: 'completed', result: { mine: [1] } });
  });

  it('takes a branch that no condition has chosen, which its trace and recording mark', async () => {
    await open();
    page.start(breakAt('/1/functions/0', { condition: 'currentItem === 1' }), { engine });
    await page.paused();
    page.resume({ go: 'resume', outcome: { branch: 0 } });
    expect(await page.ended()).toMatchObject({ result: { v: 'sent 6' } });
    const chosen = page.all('step-ended').filter(({ branch }) => branch !== undefined);
    expect(chosen.map(({ branch, replaced }) => [branch, replaced])).toEqual([
      [0, 'debugger'],
      [0, undefined],
      [0, undefined],
    ]);
    expect(await replay(page.recording())).toMatchObject({ state: 'completed', result: 'sent 6' });
  });

  it('ends at once when it’s stopped during a pause, and calls nothing else', async () => {
    await open();
    page.start(breakAt('/2'), { engine });
    await page.paused();
    expect(page.stop()).toBe(true);
    expect(page.events().slice(-3)).toMatchObject([
      { kind: 'resumed', by: 'panel' },
      { kind: 'step-ended', state: 'stopped' },
      { kind: 'run-ended', state: 'stopped' },
    ]);
    await new Promise((resolve) => setTimeout(resolve));
    expect(page.calls()).not.toContain('send');
    expect(JSON.parse(page.page.port().status(false))).toMatchObject({ isHeld: false });
    page.start({}, { engine });
    expect(await page.ended()).toMatchObject({ state: 'completed' });
  });
});
