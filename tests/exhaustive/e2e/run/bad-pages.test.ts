/** Every page of other installations, in real DevTools, and pages that hang or go away. */
import { expect, test } from 'vitest';
import { waitFor } from '../../../../lib/browser-driver/wait-for.ts';
import {
  ForeignPagesBed,
  foreignPageTests,
  LEAVING,
  RETURNED,
  THROWN,
  UNUSABLE,
} from '../../../support/foreign-page-tests.ts';
import { FOREIGN_RUNTIME_NAMES } from '../../../support/servers/foreign-runtimes.ts';
import { findAction } from '../../../support/test-bed.ts';

const foreign = new ForeignPagesBed('devtools');
foreignPageTests(foreign, {
  unusable: UNUSABLE,
  thrown: THROWN,
  returned: RETURNED,
  leaving: LEAVING,
  areUsedAfterward: true,
});

test('functions of every foreign runtime are known and traced after Open', async () => {
  const panel = await foreign.openedElsewhere();
  for (const runtime of FOREIGN_RUNTIME_NAMES) await foreign.expectTraced(panel, runtime);
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

test('Reload page replaces a debug page in an endless loop', async () => {
  const panel = await foreign.panel();
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
