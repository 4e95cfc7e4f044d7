/** Tests the debugger in the page: breakpoints, stepping, changes during a pause, and what ends a pause. */
import { afterEach, describe, expect, it } from 'vitest';
import { replay } from '../../../../lib/debugging/replay/replay.ts';
import { breakAt, DebuggedPage, platformRuntime } from './support/debugged-page.ts';

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
