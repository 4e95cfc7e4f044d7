/** Pages that aren’t the local platform’s: broken ones, other runtimes, and those that hang or flood. */
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

/** With modules, with a namespace that isn’t a property of the window, and with late functions. The exhaustive test opens all. */
const RUNTIMES: ForeignRuntimeName[] = ['modules', 'constant', 'late'];

const foreign = new ForeignPagesBed('page');
foreignPageTests(foreign, {
  unusable: [UNUSABLE[2]],
  thrown: [THROWN[0]],
  returned: [RETURNED[4]],
  leaving: [LEAVING[1]],
  areUsedAfterward: false,
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
