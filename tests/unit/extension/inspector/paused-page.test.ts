/** Tests what happens around a run that is paused at a step: other panels, another page, DevTools’ own pause, and time. */
import { afterEach, describe, expect, it } from 'vitest';
import { AgentConnection, type InspectorEvent, RunInspectorClient } from '../../../../lib/extension/inspector/index.ts';
import { agentSource, type Page } from './support/page.ts';
import { breakAt, DebuggedPage } from './support/debugged-page.ts';

const STEPS = [{ functionPackage: 'first' }, { functionPackage: 'second' }];
const FUNCTIONS = `first: (settings, context) => { context.count = 1; }, second: (settings, context) => context.count,`;

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

type Kind = InspectorEvent['kind'];
type EventOf<K extends Kind> = Extract<InspectorEvent, { kind: K }>;

/** A panel of the page that `tab` has at that time. */
function panelOf(tab: { page: Page }) {
  // In this page, the test's own functions call each evaluation, like paused code in DevTools.
  const transport = { ownsStack: false, evaluate: (expression: string) => tab.page.evaluate(expression) };
  const inspector = new RunInspectorClient(new AgentConnection(transport, agentSource), { busy: 2, idle: 5 });
  closing.push(() => inspector.dispose());
  const events: InspectorEvent[] = [];
  inspector.subscribe((event) => events.push(event));
  const all = <K extends Kind>(kind: K) => events.filter((event): event is EventOf<K> => event.kind === kind);
  return {
    transport,
    inspector,
    all,
    async next<K extends Kind>(kind: K): Promise<EventOf<K>> {
      await tab.page.until(() => all(kind).length > 0);
      return all(kind)[0]!;
    },
  };
}

async function openTab(before = ''): Promise<{ page: Page }> {
  const { page } = await DebuggedPage.open(STEPS, FUNCTIONS, { before });
  const tab = { page };
  closing.push(() => tab.page.close());
  return tab;
}

/** A panel whose run is paused before its second step. */
async function paused(before?: string) {
  const tab = await openTab(before);
  const panel = panelOf(tab);
  await panel.inspector.attach();
  await panel.inspector.start('{}', { engine: 'ours', debug: breakAt('/1') });
  const { pause } = await panel.next('paused');
  return { tab, panel, pause };
}

const codeOf = (result: { ok: boolean; error?: { code: string } }): string | undefined => result.error?.code;

describe('two panels of a page', () => {
  it('both see a pause, also one that is opened later, and either can resume', async () => {
    const { tab, panel, pause } = await paused();
    const other = panelOf(tab);
    await other.inspector.attach();
    expect(await other.next('paused')).toMatchObject({ pause, step: 2 });
    expect(await other.inspector.debugger.editContext(pause, '{"count":2}')).toEqual({ ok: true, value: null });
    expect(await panel.next('context-edited')).toMatchObject({ changes: [{ path: '/count', after: { v: 2 } }] });
    expect(await panel.inspector.debugger.contextText(pause)).toMatchObject({ ok: true, value: '{\n  "count": 2\n}' });
    expect(await other.inspector.debugger.resume(pause, { go: 'resume' })).toEqual({ ok: true, value: null });
    for (const each of [panel, other]) {
      expect(await each.next('resumed')).toMatchObject({ pause, by: 'panel' });
      expect(await each.next('run-ended')).toMatchObject({ state: 'completed', result: { v: 2 } });
      expect(each.all('events-dropped')).toEqual([]);
    }
  });

  it('learn that the other one was faster, whatever they do', async () => {
    const { tab, panel, pause } = await paused();
    const other = panelOf(tab);
    await other.inspector.attach();
    await other.next('paused');
    await other.inspector.debugger.resume(pause, { go: 'resume' });
    const { debugger: late } = panel.inspector;
    expect(codeOf(await late.resume(pause, { go: 'over' }))).toBe('PAUSE_GONE');
    expect(codeOf(await late.editContext(pause, '{}'))).toBe('PAUSE_GONE');
    expect(codeOf(await late.contextText(pause))).toBe('PAUSE_GONE');
    expect(codeOf(await late.evaluate(pause, ['count']))).toBe('PAUSE_GONE');
    expect(await panel.next('run-ended')).toMatchObject({ state: 'completed', result: { v: 1 } });
  });
});

describe('a page that is gone while its run is paused', () => {
  it.each([
    ['reloaded', 'http://localhost/v1/apps/1/tasks/2/compile?html', 'reload'],
    ['at another URL', 'http://localhost/elsewhere', 'navigation'],
  ])('and %s has its run reported as lost, and can be debugged again', async (_what, url, reason) => {
    const { tab, panel, pause } = await paused();
    const before = tab.page;
    const { page } = await DebuggedPage.open(STEPS, FUNCTIONS);
    page.window.happyDOM.setURL(url);
    tab.page = page;
    await before.close();
    expect(await panel.next('run-lost')).toMatchObject({ reason });
    const { debugger: gone } = panel.inspector;
    expect(codeOf(await gone.resume(pause, { go: 'resume' }))).toBe('PAUSE_GONE');
    expect(codeOf(await gone.editContext(pause, '{}'))).toBe('PAUSE_GONE');
    expect(await gone.pause()).toEqual({ ok: true, value: false });
    await panel.inspector.start('{}', { engine: 'ours', debug: breakAt('/1') });
    await page.until(() => panel.all('paused').length === 2);
    expect(await gone.resume(panel.all('paused')[1]!.pause, { go: 'resume' })).toEqual({ ok: true, value: null });
    expect(await panel.next('run-ended')).toMatchObject({ state: 'completed', result: { v: 1 } });
  });

  it('and closed lets each command fail with a reason', async () => {
    const { tab, panel, pause } = await paused();
    tab.page.evaluate = () => Promise.reject(new Error('The tab was closed.'));
    const results = [
      await panel.inspector.debugger.resume(pause, { go: 'resume' }),
      await panel.inspector.debugger.contextText(pause),
      await panel.inspector.debugger.pause(),
    ];
    for (const result of results)
      expect(result).toMatchObject({ ok: false, error: { message: 'The tab was closed.' } });
  });
});

/** `clock` is the page’s time. Timers of the time limit run only when the test wants. */
const CLOCK = `
  clock = 1_000; performance.now = () => clock; Date.now = () => clock;
  limits = [];
  const later = setTimeout;
  setTimeout = (run, milliseconds) => (milliseconds > 5_000 ? limits.push(run) : later(run, milliseconds));
  const stop = clearTimeout;
  clearTimeout = (timer) => stop(timer);`;

describe('while a run is paused at a step', () => {
  it('DevTools can pause the page’s code, and neither pause counts as the run’s time', async () => {
    const { tab, panel, pause } = await paused(CLOCK);
    tab.page.run('clock = 2_000');
    panel.transport.ownsStack = true;
    await panel.next('debugger-paused');
    tab.page.run('clock = 62_000');
    expect(await panel.inspector.debugger.contextText(pause)).toMatchObject({ ok: true });
    panel.transport.ownsStack = false;
    await panel.next('debugger-resumed');
    expect(await panel.inspector.debugger.resume(pause, { go: 'resume' })).toEqual({ ok: true, value: null });
    expect(await panel.next('run-ended')).toMatchObject({ state: 'completed', milliseconds: 0 });
  });

  it('an hour isn’t part of the 120 s that a run can take', async () => {
    const { tab, panel, pause } = await paused(CLOCK);
    tab.page.run('clock = 3_601_000; limits.shift()()');
    expect(tab.page.run('limits.length')).toBe(1);
    expect(panel.all('run-ended')).toEqual([]);
    await panel.inspector.debugger.resume(pause, { go: 'resume' });
    expect(await panel.next('run-ended')).toMatchObject({ state: 'completed', milliseconds: 0 });
  });
});
