/** The page's clock, and pauses of the debugger. */
import { afterEach, describe, expect, it } from 'vitest';
import { AgentConnection, type InspectorEvent, RunInspectorClient } from '../../../../lib/extension/inspector/index.ts';
import { pagePause } from '../../../../lib/extension/inspector/page-pause.ts';
import { agentSource, observedRuntime, openPage } from './support/page.ts';

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

/** A page whose first step waits for `go()`, with `clock` as its time. */
async function openWaiting() {
  const page = await openPage({
    before: `${observedRuntime} clock = 1_000; performance.now = () => clock; Date.now = () => clock;
      const set = fns.set; waiting = new Promise((done) => (go = done)); fns.set = async (settings, context) => { set(settings, context); await waiting };`,
    agent: false,
  });
  closing.push(() => page.close());
  let polls = 0;
  // In this page, the test's own functions call each evaluation, like paused code in DevTools.
  const transport = {
    ownsStack: false,
    evaluate(expression: string) {
      if (expression.includes('agent.status(')) polls++;
      return page.evaluate(expression);
    },
  };
  const inspector = new RunInspectorClient(new AgentConnection(transport, agentSource), { busy: 2, idle: 5 });
  closing.push(() => inspector.dispose());
  const events: InspectorEvent[] = [];
  inspector.subscribe((event) => events.push(event));
  const next = (kind: InspectorEvent['kind']) => page.until(() => events.some((event) => event.kind === kind));
  const polled = async () => {
    const before = polls;
    await page.until(() => polls > before + 1);
  };
  return { page, transport, inspector, events, next, polled };
}

describe('a pause of the debugger', () => {
  it('is reported, stops the page’s clock, and isn’t part of the run’s time', async () => {
    const { page, transport, inspector, events, next, polled } = await openWaiting();
    await inspector.attach();
    await inspector.start('{}');
    await next('step-started');
    page.run('clock = 2_000');
    transport.ownsStack = true;
    await next('debugger-paused');
    page.run('clock = 62_000');
    await polled();
    expect(inspector.pageNow()).toBe(2_000);
    transport.ownsStack = false;
    page.run('clock = 62_100; go()');
    await next('run-ended');
    await next('debugger-resumed');
    expect(events.filter(({ kind }) => kind === 'step-ended')[0]).toMatchObject({ at: 1_100 });
    expect(events.find(({ kind }) => kind === 'run-ended')).toMatchObject({ milliseconds: 1_100 });
    expect(inspector.pageNow()).toBeGreaterThanOrEqual(2_100);
  });

  it('isn’t part of the next run’s time either', async () => {
    const { page, transport, inspector, events, next, polled } = await openWaiting();
    await inspector.attach();
    transport.ownsStack = true;
    await next('debugger-paused');
    page.run('clock = 9_000');
    await polled();
    transport.ownsStack = false;
    await next('debugger-resumed');
    await inspector.start('{}');
    await next('step-started');
    page.run('clock = 9_500; go()');
    await next('run-ended');
    expect(events.find(({ kind }) => kind === 'run-started')).toMatchObject({ startedAt: 9_000 });
    expect(events.find(({ kind }) => kind === 'run-ended')).toMatchObject({ milliseconds: 500 });
  });
});

describe('the paused position', () => {
  it.each([
    [
      'Chromium',
      '    at Object.method (http://127.0.0.1:4400/packages/read.js?v=1:4:40)\n    at <anonymous>:1:24',
      { name: 'Object.method', position: { url: 'http://127.0.0.1:4400/packages/read.js?v=1', line: 4 } },
    ],
    [
      'Chromium, without a name',
      '    at <anonymous>:1:24\n    at https://platform.example/a.js:12:1',
      { name: '', position: { url: 'https://platform.example/a.js', line: 12 } },
    ],
    [
      'Firefox',
      'sloppy@http://127.0.0.1:4400/:2:29\n@debugger eval called from moz-extension://5d0f/ - eval code:1:26\n',
      { name: 'sloppy', position: { url: 'http://127.0.0.1:4400/', line: 2 } },
    ],
    ['the console', '    at <anonymous>:1:24', { name: '', position: null }],
    ['a page that forges it', 'at <b> (http://[:1:1)\n'.repeat(9), { name: '', position: null }],
  ])('is read from the stack of %s', (_, stack, pause) => {
    expect(pagePause(stack)).toEqual(pause);
  });
});
