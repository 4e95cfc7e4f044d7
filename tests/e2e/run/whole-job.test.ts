import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { enterEnvironment } from '../../../lib/browser-driver/job.ts';
import { waitFor } from '../../../lib/browser-driver/wait-for.ts';
import { devtoolsState, resume } from '../../../lib/browser-driver/devtools-state.ts';
import { findAction, startTestBed, type TestBed } from '../../support/test-bed.ts';

let bed: TestBed;
beforeAll(async () => {
  bed = await startTestBed();
  await enterEnvironment(bed.extension, bed.platform);
});
afterEach(() => bed.closeTabs());
afterAll(() => bed?.close());

/** A panel with this action open in its tab, chosen in the panel. */
async function opened(action: string, place: 'devtools' | 'page' = 'page') {
  const panel = await bed.panel({ in: place });
  await panel.choose({ environment: 'Local', app: findAction(bed.platform, action).app, action });
  await panel.open();
  return panel;
}

test('a failing action shows its code, the failed step with its path, and the trace', async () => {
  const panel = await opened('throws-on-bad-address');
  expect(await panel.run()).toBe('failed');
  const failed = (await panel.steps()).filter((step) => step.state === 'failed');
  const innermost = failed.at(-1);
  expect(innermost?.path).toMatch(/^\/\d+\/.*functions\/\d+$/);
  expect(innermost?.iteration).not.toBe('');
  expect((await panel.tree())[innermost?.path ?? '']).toBe('failed');
  const alert = await panel.alert();
  expect(alert?.code).toBe('STEP_FAILED');
  expect(alert?.text).toMatch(/^check-address failed in iteration 12 \(Lena Tanaka\): TypeError: /);
  const failure = await panel.failure();
  expect(failure.path).toBe(innermost?.path);
  expect(failure.trace[0]).toContain(innermost?.path);
  expect(failure.trace.join('\n')).toContain('com.example.function.check-address.js');
  expect(failure.trace.at(-1)).toMatch(/^▸ \d+ engine frames$/);

  const { keyboard } = panel.devtools;
  const selected = () =>
    panel.frame().$eval('.timeline', (list) => list.querySelector('[aria-selected=true]')?.getAttribute('data-path'));
  await panel.frame().focus('[aria-label=Timeline] [tabindex="0"]');
  await keyboard.press('Home');
  await waitFor('the first step selected', async () => (await selected()) === '/0');
  await keyboard.press('n');
  await waitFor('the failed step selected', async () => (await selected()) === innermost?.path);
  await panel.press('Matched only');
  const marks = (await panel.steps()).map(({ text }) => /^#\d+ [A-Z]\w+/.exec(text.replace('▾', '').trim())?.[0]);
  expect(marks.filter(Boolean)).toEqual(['#4 Daan', '#8 Hana', '#12 Lena']);
  await panel.frame().click('.run-head .badge');
  await waitFor('what the badge means', () => panel.frame().$('.explanation:popover-open'));
});

/** The step’s time in milliseconds. */
function timeOf(step: { text: string } | undefined): number {
  const [, amount = '', unit] = /([\d.]+) (ms|s)\b/.exec(step?.text ?? '') ?? [];
  return Number(amount) * (unit === 's' ? 1_000 : 1);
}

test('Pause here pauses the debugger in the function, the panel says where, the run completes after Resume, and Show source shows a file', async () => {
  const panel = await opened('is-email-registered', 'devtools');
  await panel.setPayload('{"email": "nobody@nowhere.example"}');
  await panel.select('/0');
  await panel.press('Pause here');
  const started = Date.now();
  await panel.start();
  const paused = await waitFor('the debugger to pause', async () => {
    const state = await devtoolsState(panel.devtools);
    return state.paused ? state : null;
  });
  expect(paused.pausedIn).toMatch(/\/com\.platform\.function\.read-datasource\.js$/);

  await panel.show();
  const notice = await waitFor('the notice', () => panel.notice('DEBUGGER_PAUSED'));
  expect(notice).toMatch(/^Paused in the debugger at .*read-datasource\.js:\d+/);
  const noticed = Date.now();
  const step = await waitFor('the step’s row', async () => (await panel.steps())[0]);
  expect(step).toMatchObject({ path: '/0', state: 'running' });
  expect(step.text).toContain('‖');
  const before = timeOf(step);
  const shown = Date.now();
  await waitFor('a second to pass', () => Date.now() - shown > 1_000);
  // The time at which the pause began becomes known more exactly with each look at the page.
  expect(timeOf((await panel.steps())[0]) - before).toBeLessThan(500);
  expect(await panel.text()).not.toMatch(/Running for|stopped/i);
  await panel.press('Show in Sources');
  await waitFor('Sources', async () => (await devtoolsState(panel.devtools)).view === 'sources');

  const resumed = Date.now();
  await resume(panel.devtools);
  expect(await panel.ended()).toBe('completed');
  const unpaused = noticed - started + (Date.now() - resumed);
  await panel.show();
  await waitFor('the end of the notice', async () => (await panel.notice('DEBUGGER_PAUSED')) === null);
  for (const one of await panel.steps()) expect(timeOf(one)).toBeLessThanOrEqual(unpaused);

  await panel.select('/1/elseFunctions/0');
  await panel.press('Show source');
  const source = await waitFor('the function’s own file in Sources', async () => {
    const { view, source } = await devtoolsState(panel.devtools);
    return view === 'sources' && source?.endsWith('/com.platform.function.return-string.js') && source;
  });
  expect(source).toContain(bed.platform.baseUrl);
});

test('each key in the list of shortcuts works in DevTools, where Enter and Escape stay in the panel', async () => {
  const panel = await opened('notify-admins', 'devtools');
  const { keyboard } = panel.devtools;
  const frame = panel.frame();
  const rows = (tree: string) => frame.$$eval(`[aria-label="${tree}"] [aria-level]`, (all) => all.length);
  const selected = (tree: string) =>
    frame.$eval(`[aria-label="${tree}"]`, (list) =>
      list.querySelector('[aria-selected=true]')?.getAttribute('data-path'),
    );
  const detailsOf = () => frame.$eval('[data-detail]', (details) => details.querySelector('.path code')?.textContent);
  await frame.focus('[aria-label=Pipeline] [tabindex="0"]');
  await keyboard.down('Control');
  await keyboard.press('Enter');
  await keyboard.up('Control');
  expect(await panel.ended()).toBe('completed');

  await frame.focus('[aria-label=Pipeline] [tabindex="0"]');
  await keyboard.press('End');
  const last = await waitFor('the last step selected', () => selected('Pipeline'));
  await keyboard.press('Home');
  await waitFor('the first step selected', async () => (await selected('Pipeline')) === '/0');
  expect(last).not.toBe('/0');
  await keyboard.press('ArrowDown');
  await keyboard.press('ArrowDown');
  await waitFor('the loop selected', async () => (await selected('Pipeline')) === '/2');
  const all = await rows('Pipeline');
  await keyboard.press('ArrowLeft');
  await waitFor('a collapsed loop', async () => (await rows('Pipeline')) < all);
  await keyboard.press('ArrowRight');
  await waitFor('an expanded loop', async () => (await rows('Pipeline')) === all);

  await keyboard.press('Home');
  await keyboard.press('Enter');
  await waitFor('focus in the details', () =>
    frame.evaluate(() => document.activeElement?.closest('[data-detail]') !== null),
  );
  expect(await detailsOf()).toBe('/0');
  await keyboard.press('Escape');
  await waitFor('the whole run', async () => (await detailsOf()) === undefined);
  await frame.focus('[aria-label=Timeline] [tabindex="0"]');
  await keyboard.press('ArrowDown');
  await waitFor('the details of a step', async () => (await detailsOf()) !== undefined);
  await keyboard.press('Escape');
  await waitFor('the whole run again', async () => (await detailsOf()) === undefined);
  const { view } = await devtoolsState(panel.devtools);
  expect(view).toContain('Platform');
  expect((await devtoolsState(panel.devtools)).drawer).toBe(false);
  // With nothing to leave, the key is DevTools’ own, which shows that it hears the panel’s keys.
  await keyboard.press('Escape');
  await waitFor('the drawer', async () => (await devtoolsState(panel.devtools)).drawer);
  await keyboard.press('Escape');
  await waitFor('no drawer', async () => !(await devtoolsState(panel.devtools)).drawer);
});

test('runs survive reloading the panel and can be run again, and the page never sees the token', async () => {
  const panel = await opened('is-email-registered');
  await panel.setPayload('{"email": "again@nowhere.example"}');
  await panel.run();
  await waitFor('the run in the list of runs', async () => (await panel.runs())[0]?.state === 'completed');
  await panel.reload();
  const newest = await waitFor('the past run, completed', async () =>
    (await panel.runs()).find((run) => run.state === 'completed' && run.text.includes('again@')),
  );
  await panel.openRun(newest.id);
  await waitFor('the steps of the past run', async () => (await panel.steps()).length > 1);
  expect(JSON.parse(await panel.result())).toBe('again@nowhere.example is not registered');
  const { length } = await panel.runs();
  await panel.press('This run');
  await panel.press('Run again');
  await waitFor('one more run', async () => (await panel.runs()).length > length);
  expect(await panel.ended()).toBe('completed');

  const seen = await panel.inspected.evaluate(() =>
    JSON.stringify([
      document.documentElement.outerHTML,
      location.href,
      document.cookie,
      { ...localStorage },
      (globalThis as unknown as { ENV: unknown }).ENV,
    ]),
  );
  expect(seen).not.toContain(bed.platform.authToken);
});
