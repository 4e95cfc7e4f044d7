/** Pages that aren’t the local platform’s: broken ones, other runtimes, and those that hang, flood, or go away. */
import { expect, test } from 'vitest';
import { waitFor } from '../../../lib/browser-driver/wait-for.ts';
import {
  ForeignPagesBed,
  foreignPageTests,
  LEAVING,
  RETURNED,
  THROWN,
  UNUSABLE,
} from '../../support/foreign-page-tests.ts';
import { FOREIGN_RESULT, type ForeignRuntimeName } from '../../support/servers/foreign-runtimes.ts';
import { findAction } from '../../support/test-bed.ts';

/** One with modules, and one that registers its functions late. The exhaustive test opens all of them. */
const RUNTIMES: ForeignRuntimeName[] = ['modules', 'late'];

const foreign = new ForeignPagesBed('page');
foreignPageTests(foreign, {
  unusable: [UNUSABLE[2]],
  thrown: [THROWN[0]],
  returned: [RETURNED[0], RETURNED[4]],
  leaving: [LEAVING[1]],
  areUsedAfterward: false,
});

test('a page without a pipeline in its ENV shows a pipeline error', async () => {
  const panel = await foreign.opened('no-pipeline');
  const alert = await panel.error();
  expect(alert.code).toMatch(/PIPELINE/);
});

test('a pipeline of 10,000 steps is shown and run, with only its visible part in the DOM', async () => {
  const panel = await foreign.opened('ten-thousand-steps');
  await waitFor('the count of steps', async () => /10,000 steps/.test(await panel.text()));
  expect(await panel.frame().$$eval('[role=tree] [role=treeitem]', (items) => items.length)).toBeLessThan(500);
  expect(await panel.run()).toBe('completed');
  expect(JSON.parse(await panel.result())).toBe('many');
});

test('a pipeline that contains itself is refused and doesn’t hang the panel', async () => {
  const panel = await foreign.opened('cyclic-pipeline');
  const alert = await panel.error();
  expect(alert.code).toMatch(/PIPELINE|CYCL/);
  await foreign.expectUsable(panel);
});

test('names and settings with markup are shown as text', async () => {
  const panel = await foreign.opened('hostile-names');
  await panel.pipelineShown();
  expect(await panel.run()).toBe('completed');
  expect(await panel.text()).toContain('<script>');
  const frame = panel.frame();
  expect(await frame.$$eval('script:not([src]), img, iframe', (all) => all.length)).toBe(0);
  expect(await frame.evaluate(() => document.title)).toBe('Platform');
  expect(await panel.inspected.title()).toBe('hostile-names');
});

test('a run that never ends can be stopped, and the panel stays usable', async () => {
  const panel = await foreign.opened('never-ends');
  await panel.pipelineShown();
  await panel.start();
  await waitFor('the running run', async () => (await panel.runState()) === 'running');
  await waitFor('its time to move', async () => /Running for [1-9][\d.]* s/.test(await panel.text()));
  await panel.press('Stop');
  expect(await panel.ended()).toBe('stopped');
  await foreign.expectUsable(panel);
});

test('a page that blocks its thread shows PAGE_BUSY, and this panel and another tab’s stay usable', async () => {
  const another = await foreign.bed.panel({ in: 'page', action: 'is-email-registered' });
  const panel = await foreign.opened('busy-for-ever');
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
  const panel = await foreign.bed.panel({ in: 'page', action: 'is-email-registered' });
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
  const panel = await foreign.panel(undefined, 'devtools');
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

test('closing the tab during a run leaves an interrupted run in the list', async () => {
  const { app, appId, taskId } = findAction(foreign.bed.platform, 'never-ends');
  const panel = await foreign.panel();
  await panel.choose({ environment: 'Local', app, action: 'never-ends' });
  await panel.open();
  await panel.start();
  await waitFor('a step', async () => (await panel.steps()).length > 0);
  const [run] = await waitFor('the run in the list', async () => {
    const runs = await panel.runs();
    return runs.length > 0 ? runs : null;
  });
  await panel.inspected.close();

  const next = await foreign.panel();
  await next.choose({ environment: 'Local', app, action: 'never-ends' });
  await next.open();
  expect(next.inspected.url()).toContain(`/v1/apps/${appId}/tasks/${taskId}/`);
  await waitFor(
    'the interrupted run',
    async () => (await next.runs()).find((each) => each.id === run?.id)?.state === 'interrupted',
  );
});

test('a runtime without an observer is traced by the calls of its functions', async () => {
  const panel = await foreign.opened('runtime');
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
  const panel = await foreign.openedElsewhere();
  for (const runtime of RUNTIMES) await foreign.expectTraced(panel, runtime);
  // Our engine runs the functions of the page that is open now, and is remembered.
  await panel.frame().select('select[name=engine]', 'ours');
  await panel.inspected.evaluate('ENV.taskPipeline = JSON.stringify(ENV.taskPipeline), null');
  expect(await panel.run()).toBe('completed');
  expect(JSON.parse(await panel.result())).toBe(FOREIGN_RESULT);
  expect((await panel.steps()).map((step) => step.path)).toEqual(['/0', '/1', '/2']);
  expect(await panel.text()).toContain('our engine');
  await panel.reload();
  await waitFor('the environment’s engine', () =>
    panel.frame().$eval('select[name=engine]', (select) => (select as HTMLSelectElement).value === 'ours'),
  );
});

test('a runtime in another namespace that only has run() is run with start and end only', async () => {
  await foreign.bed.enter({ name: 'Acme', namespace: 'Acme' });
  const panel = await foreign.opened('bare');
  await panel.choose({ environment: 'Acme' });
  await panel.pipelineShown();
  expect(await panel.run()).toBe('completed');
  expect(JSON.parse(await panel.result())).toBe('bare result');
  expect(await panel.steps()).toEqual([]);
  expect(await panel.text()).toContain('start and end only');
});
