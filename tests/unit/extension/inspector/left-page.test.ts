/** Tests what happens to a run when its page is left or frozen, and the browser brings the page back. */
import { afterEach, describe, expect, it } from 'vitest';
import { breakAt, DebuggedPage } from './support/debugged-page.ts';
import { agentSource, observedRuntime } from './support/page.ts';

let page: DebuggedPage;
afterEach(() => page.page.close());

const STEPS = [{ functionPackage: 'first' }, { functionPackage: 'second' }, { functionPackage: 'third' }];
const FUNCTIONS = `first: () => 1, second: () => new Promise((go) => (globalThis.go = go)), third: () => 3,`;
/** Timers of 5 s run only when the test wants. */
const CLOCK = `
  due = [];
  const later = setTimeout;
  setTimeout = (run, milliseconds) => (milliseconds === 5000 ? due.push(run) : later(run, milliseconds));
  const stop = clearTimeout;
  clearTimeout = (timer) => stop(timer);
  console.warn = (text) => warned = text;`;
/** No panel calls for 30 s. */
const abandon = () => {
  for (let i = 0; i < 7 && page.page.run('due.length') !== 0; i++) page.page.run('due.pop()()');
};
const leave = () => page.page.run(`dispatchEvent(new Event('pagehide'))`);

describe('a run that is paused when its page is left', () => {
  it('is stopped if no panel comes back, and never acts', async () => {
    page = await DebuggedPage.open(STEPS, FUNCTIONS, { before: CLOCK });
    page.start(breakAt('/1'));
    await page.paused();
    leave();
    abandon();
    expect(await page.ended()).toMatchObject({ state: 'stopped', stoppedBy: 'page-left' });
    expect(page.all('resumed')).toMatchObject([{ by: 'page-left' }]);
    expect(page.calls()).toEqual(['first']);
    expect(page.page.run('warned')).toContain('The run was stopped, because its page was left.');
  });

  it('resumes when the panel says so, and is then like any other', async () => {
    page = await DebuggedPage.open(STEPS, `first: () => 1, second: () => 2, third: () => 3,`, { before: CLOCK });
    page.start({ settings: { breakpoints: [{ path: '/1' }, { path: '/2' }], pauseOnFailure: false } });
    await page.paused();
    leave();
    page.resume();
    expect(await page.place()).toBe('/2 breakpoint');
    abandon();
    expect(await page.ended()).toMatchObject({ state: 'completed' });
    expect(page.all('resumed').map(({ by }) => by)).toEqual(['panel', 'absence']);
  });
});

describe('a run in progress when its page is left', () => {
  it.each([
    ['left', `dispatchEvent(new Event('pagehide'))`],
    ['frozen', `document.dispatchEvent(new Event('freeze'))`],
  ])('waits before its next step if its page was %s', async (_name, event) => {
    page = await DebuggedPage.open(STEPS, FUNCTIONS, { before: CLOCK });
    page.start();
    await page.page.until(() => page.page.run('typeof go') === 'function');
    page.page.run(event);
    page.page.run('go(2)');
    expect(await page.place()).toBe('/2 page-left');
    abandon();
    expect(await page.ended()).toMatchObject({ state: 'stopped' });
    expect(page.calls()).toEqual(['first', 'second']);
  });

  it('is stopped at once if it can’t pause', async () => {
    page = await DebuggedPage.open([], '', {});
    page.page.run(observedRuntime);
    page.page.run('fns.set = () => new Promise((resolve) => (go = resolve)); added = 0; fns.add = () => added++;');
    page.start({}, { engine: 'platform' });
    await page.page.until(() => page.page.run('typeof go') === 'function');
    leave();
    expect(await page.ended()).toMatchObject({ state: 'stopped', stoppedBy: 'page-left' });
    page.page.run('go()');
    await new Promise((resolve) => setTimeout(resolve));
    expect(page.page.run('added')).toBe(0);
  });

  it('is still known if its runtime can’t be stopped', async () => {
    page = await DebuggedPage.open([{ functionPackage: 'second' }], FUNCTIONS);
    page.start({}, { engine: 'platform' });
    await page.page.until(() => page.page.run('typeof go') === 'function');
    leave();
    expect(page.page.state().run).toMatchObject({ id: page.runId });
    expect(page.stop()).toBe(true);
    expect(await page.ended()).toMatchObject({ state: 'stopped', goesOn: true });
  });
});

it('a run is stopped when another version of the agent takes over', async () => {
  page = await DebuggedPage.open(STEPS, FUNCTIONS);
  page.start(breakAt('/1'));
  await page.paused();
  const { runId } = page;
  const former = page.page.port();
  const source = await agentSource();
  page.page.run(source.replace(/AGENT_PROTOCOL = \d+/, 'AGENT_PROTOCOL = 1000'));
  expect(page.page.state().run).toBeNull();
  const { events } = JSON.parse(former.call('run', 'read', [0, 1e9, 'Platform'])) as { events: { kind?: string }[] };
  expect(events.at(-1)).toMatchObject({ kind: 'run-ended', runId, state: 'stopped' });
  await new Promise((resolve) => setTimeout(resolve));
  expect(page.calls()).toEqual(['first']);
});
