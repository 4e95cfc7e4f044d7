import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { fill } from '../../../lib/browser-driver/pages/fill.ts';
import type { PanelPage } from '../../../lib/browser-driver/pages/panel-page.ts';
import { waitFor } from '../../../lib/browser-driver/wait-for.ts';
import { picturePath } from '../../support/picture-path.ts';
import { type ForeignServer, startForeignPages } from '../../support/servers/foreign-pages.ts';
import { FOREIGN_FUNCTIONS, FOREIGN_RESULT, FOREIGN_RUNTIME_NAMES } from '../../support/servers/foreign-runtimes.ts';
import { findAction, startTestBed, type TestBed } from '../../support/test-bed.ts';

let bed: TestBed;
let pages: ForeignServer;
beforeAll(async () => {
  pages = await startForeignPages();
  bed = await startTestBed();
  await bed.enter();
});
afterEach(() => bed.closeTabs());
afterAll(async () => {
  await bed?.close();
  await pages?.close();
});

/** The panel still does its main job, in the same tab. */
async function expectUsable(panel: PanelPage): Promise<void> {
  const { app } = findAction(bed.platform, 'is-email-registered');
  await panel.choose({ environment: 'Local', app, action: 'is-email-registered' });
  await panel.press('Open');
  await waitFor('the debug page', async () => (await panel.inspected.title()).startsWith('is-email-registered'));
  await panel.pipelineShown();
  await panel.setPayload('{"email": "after@trouble.example"}');
  await waitFor('the payload taken', async () => (await panel.text()).includes('after@trouble.example'));
  expect(await panel.run()).toBe('completed');
  expect(JSON.parse(await panel.result())).toBe('after@trouble.example is not registered');
}

test.each([
  ['no-platform', 'PLATFORM_ABSENT'],
  ['platform-is-a-string', 'PLATFORM_NOT_AN_OBJECT'],
  ['platform-throws', 'PLATFORM_THROWS'],
] as const)('a page with %s shows %s and can’t be run, and the panel stays usable', async (page, code) => {
  const panel = await bed.panel({ url: pages.url(page) });
  await waitFor(`the notice ${code}`, async () => (await panel.pageState()) === code);
  expect(await panel.canPress('Run')).toBe(false);
  await expectUsable(panel);
});

test('a page without a pipeline in its ENV shows a pipeline error', async () => {
  const panel = await bed.panel({ url: pages.url('no-pipeline') });
  const alert = await panel.error();
  expect(alert.code).toMatch(/PIPELINE/);
});

test('a pipeline of 10,000 steps is shown and run, with only its visible part in the DOM', async () => {
  const panel = await bed.panel({ url: pages.url('ten-thousand-steps') });
  await waitFor('the count of steps', async () => /10,000 steps/.test(await panel.text()));
  expect(await panel.frame().$$eval('[role=tree] [role=treeitem]', (items) => items.length)).toBeLessThan(500);
  expect(await panel.run()).toBe('completed');
  expect(JSON.parse(await panel.result())).toBe('many');
});

test('a pipeline that contains itself is refused and doesn’t hang the panel', async () => {
  const panel = await bed.panel({ url: pages.url('cyclic-pipeline') });
  const alert = await panel.error();
  expect(alert.code).toMatch(/PIPELINE|CYCL/);
  await expectUsable(panel);
});

test('names and settings with markup are shown as text', async () => {
  const panel = await bed.panel({ url: pages.url('hostile-names') });
  await panel.pipelineShown();
  expect(await panel.run()).toBe('completed');
  expect(await panel.text()).toContain('<script>');
  const frame = panel.frame();
  expect(await frame.$$eval('script:not([src]), img, iframe', (all) => all.length)).toBe(0);
  expect(await frame.evaluate(() => document.title)).toBe('Platform');
  expect(await panel.inspected.title()).toBe('hostile-names');
});

test.each([
  ['throws-a-string', 'just a string'],
  ['rejects-with-undefined', 'undefined'],
] as const)('a run that %s fails and shows what was thrown', async (page, message) => {
  const panel = await bed.panel({ url: pages.url(page) });
  await panel.pipelineShown();
  expect(await panel.run()).toBe('failed');
  expect(await panel.text()).toContain(message);
  await expectUsable(panel);
});

test.each([
  ['returns-6-mb', /6(\.\d)? MB|6,291,458/],
  ['returns-a-function', /answer/],
  ['returns-a-bigint', /12345678901234567890n/],
  ['returns-a-node', /body/i],
  ['returns-a-cycle', /ring/],
] as const)('a run that %s completes and shows its result', async (page, message) => {
  const panel = await bed.panel({ url: pages.url(page) });
  await panel.pipelineShown();
  expect(await panel.run()).toBe('completed');
  await waitFor(`the words ${message}`, async () => message.test(await panel.text()));
});

test('a run that never ends can be stopped, and the panel stays usable', async () => {
  const panel = await bed.panel({ url: pages.url('never-ends') });
  await panel.pipelineShown();
  await panel.start();
  await waitFor('the running run', async () => (await panel.runState()) === 'running');
  await waitFor('its time to move', async () => /Running for [1-9][\d.]* s/.test(await panel.text()));
  await panel.press('Stop');
  expect(await panel.ended()).toBe('stopped');
  await expectUsable(panel);
});

test('a page that blocks its thread shows PAGE_BUSY, and this panel and another tab’s stay usable', async () => {
  const { app } = findAction(bed.platform, 'is-email-registered');
  const another = await bed.panel();
  await another.choose({ environment: 'Local', app, action: 'is-email-registered' });
  await another.open();
  const panel = await bed.panel({ url: pages.url('busy-for-ever') });
  await panel.pipelineShown();
  await panel.start();
  const alert = await panel.error();
  expect(alert.code).toBe('PAGE_BUSY');
  expect(await panel.canPress('Reload page')).toBe(true);
  expect(await panel.canPress('Run')).toBe(false);
  await panel.setPayload('not JSON');
  await waitFor('the payload’s error', () => panel.payloadError());
  await another.setPayload('{"email": "after@trouble.example"}');
  expect(await another.run()).toBe('completed');
  expect(JSON.parse(await another.result())).toBe('after@trouble.example is not registered');
});

test('a flood of console lines is bounded, reported as cut, and can be stopped at once', async () => {
  const panel = await bed.panel();
  await panel.choose({
    environment: 'Local',
    app: findAction(bed.platform, 'is-email-registered').app,
    action: 'is-email-registered',
  });
  await panel.open();
  await panel.inspected.evaluate(() => {
    const { Functions } = (
      globalThis as unknown as { Platform: { Functions: { register(name: string, fn: () => unknown): void } } }
    ).Platform;
    Functions.register('com.platform.function.read-datasource', async () => {
      for (let round = 0; ; round++) {
        for (let line = 0; line < 50; line++) console.log('flood', round, line);
        // DevTools’ own console needs this time for the lines. Otherwise it falls behind, and draws nothing anymore.
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    });
  });
  await panel.setPayload('{"email": "nobody@nowhere.example"}');
  await panel.start();
  const showsCount = async () =>
    /\d[\d,]* console lines not recorded/i.test((await panel.text()).replaceAll(/\s+/g, ' '));
  await waitFor('the count of console lines that weren’t recorded', showsCount);
  await panel.press('Stop');
  expect(await panel.ended()).toBe('stopped');
  expect(await showsCount()).toBe(true);
});

test('Reload page replaces a debug page in an endless loop', async () => {
  const panel = await bed.panel();
  await panel.choose({ environment: 'Local', app: 'Field Service', action: 'number-range' });
  await panel.open();
  // Before the end of loading, the loop would keep the page from being opened at all.
  await waitFor('the end of loading', () => panel.canPress('Open'));
  expect(await panel.inspected.evaluate(() => document.readyState)).toBe('complete');
  await panel.inspected.evaluate(() => {
    setTimeout(() => {
      for (;;);
    });
  });
  await waitFor('PAGE_BUSY', async () => (await panel.alert())?.code === 'PAGE_BUSY');
  await panel.press('Reload page');
  await waitFor('a page that responds', async () => (await panel.alert()) === null && (await panel.canPress('Run')));
  expect(await panel.run()).toBe('completed');
});

test.each([
  ['navigates-away', 'The page navigated away'],
  ['reloads', 'The page was reloaded'],
] as const)('a run that %s is shown as lost', async (page, message) => {
  const panel = await bed.panel({ url: pages.url(page) });
  await panel.pipelineShown();
  await panel.start();
  await waitFor(`the words ${message}`, async () => (await panel.text()).includes(message));
  await expectUsable(panel);
});

test('closing the tab during a run leaves an interrupted run in the list', async () => {
  const { app, appId, taskId } = findAction(bed.platform, 'never-ends');
  const panel = await bed.panel();
  await panel.choose({ environment: 'Local', app, action: 'never-ends' });
  await panel.open();
  await panel.start();
  await waitFor('a step', async () => (await panel.steps()).length > 0);
  const [run] = await waitFor('the run in the list', async () => {
    const runs = await panel.runs();
    return runs.length > 0 ? runs : null;
  });
  await panel.inspected.close();

  const next = await bed.panel();
  await next.choose({ environment: 'Local', app, action: 'never-ends' });
  await next.open();
  expect(next.inspected.url()).toContain(`/v1/apps/${appId}/tasks/${taskId}/`);
  await waitFor(
    'the interrupted run',
    async () => (await next.runs()).find((each) => each.id === run?.id)?.state === 'interrupted',
  );
});

test('a runtime without an observer is traced by the calls of its functions', async () => {
  const panel = await bed.panel({ url: pages.url('runtime') });
  await panel.pipelineShown();
  if (await panel.canPress('Reload with tracing')) {
    await panel.press('Reload with tracing');
    await waitFor('a page that is traced', async () => !(await panel.canPress('Reload with tracing')));
  }
  expect(await panel.run()).toBe('completed');
  expect(JSON.parse(await panel.result())).toBe('HELLO YOU');
  expect((await panel.steps()).map((step) => step.text)).toEqual([
    expect.stringContaining('greet'),
    expect.stringContaining('shout'),
  ]);
});

test('Open starts the agent before the page, so that functions of every foreign runtime are known and traced', async () => {
  await bed.enter({ name: 'Elsewhere', baseUrl: pages.origin, token: 'a-token-of-elsewhere' });
  const panel = await bed.panel();
  await panel.choose({ environment: 'Elsewhere' });
  for (const runtime of FOREIGN_RUNTIME_NAMES) {
    await fill(panel.frame(), 'input[name=url]', pages.debugPage(runtime));
    await waitFor('the button Open', () => panel.canPress('Open'));
    await panel.press('Open');
    await waitFor(`the page of ${runtime}`, async () => (await panel.inspected.title()) === runtime);
    await waitFor(`functions of ${runtime}`, async () => (await panel.notice('TRACING_WRAPPED')) !== null);
    expect(await panel.canPress('Reload with tracing')).toBe(false);
    expect(await panel.run()).toBe('completed');
    expect(JSON.parse(await panel.result())).toBe(FOREIGN_RESULT);
    // The page can’t learn the extension’s ID from the script’s frames in a stack.
    expect(await panel.inspected.evaluate(() => document.documentElement.dataset.stack)).not.toContain('extension:');
    const steps = (await panel.steps()).map((step) => step.text);
    expect(steps).toEqual(FOREIGN_FUNCTIONS.map((name) => expect.stringContaining(name.split('.').at(-1)!)));
  }
  // Our engine runs the functions of the page that is open now, and is remembered.
  await panel.frame().select('select[name=engine]', 'ours');
  await panel.inspected.evaluate('ENV.taskPipeline = JSON.stringify(ENV.taskPipeline), null');
  expect(await panel.run()).toBe('completed');
  expect(JSON.parse(await panel.result())).toBe(FOREIGN_RESULT);
  expect((await panel.steps()).map((step) => step.path)).toEqual(['/0', '/1', '/2']);
  expect(await panel.text()).toContain('our engine');
  await panel.picture(picturePath('run-our-engine'));
  await panel.reload();
  await waitFor('the environment’s engine', () =>
    panel.frame().$eval('select[name=engine]', (select) => (select as HTMLSelectElement).value === 'ours'),
  );
});

test('a runtime in another namespace that only has run() is run with start and end only', async () => {
  await bed.enter({ name: 'Acme', namespace: 'Acme' });
  const panel = await bed.panel({ url: pages.url('bare') });
  await panel.choose({ environment: 'Acme' });
  await panel.pipelineShown();
  expect(await panel.run()).toBe('completed');
  expect(JSON.parse(await panel.result())).toBe('bare result');
  expect(await panel.steps()).toEqual([]);
  expect(await panel.text()).toContain('start and end only');
});
