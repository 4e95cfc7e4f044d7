/** Mocks and breakpoints on a runtime that isn’t ours: what needs our engine is offered, not ignored. */
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { DebuggerPage } from '../../../lib/browser-driver/pages/debugger-page.ts';
import { MocksPage } from '../../../lib/browser-driver/pages/mocks-page.ts';
import { fill } from '../../../lib/browser-driver/pages/fill.ts';
import type { PanelPage } from '../../../lib/browser-driver/pages/panel-page.ts';
import { waitFor } from '../../../lib/browser-driver/wait-for.ts';
import { type ForeignServer, startForeignPages } from '../../support/servers/foreign-pages.ts';
import { FOREIGN_RESULT, type ForeignRuntimeName } from '../../support/servers/foreign-runtimes.ts';
import { startTestBed, type TestBed } from '../../support/test-bed.ts';

let bed: TestBed;
let pages: ForeignServer;
beforeAll(async () => {
  pages = await startForeignPages();
  bed = await startTestBed();
  await bed.enter({ name: 'Elsewhere', baseUrl: pages.origin, token: 'a-token-of-elsewhere' });
});
afterEach(() => bed.closeTabs());
afterAll(async () => {
  await bed?.close();
  await pages?.close();
});

/** The debug page of a platform with its own runtime, which runs the page’s pipeline itself. */
async function opened(runtime: ForeignRuntimeName): Promise<PanelPage> {
  const panel = await bed.panel({ in: 'page' });
  await panel.choose({ environment: 'Elsewhere' });
  await fill(panel.frame(), 'input[name=url]', pages.debugPage(runtime));
  await panel.open();
  await waitFor('traced functions', async () => (await panel.notice('TRACING_WRAPPED')) !== null);
  expect(await engine(panel)).toBe('platform');
  return panel;
}

const engine = (panel: PanelPage): Promise<string> =>
  panel.frame().$eval('select[name=engine]', (select) => (select as HTMLSelectElement).value);

test('a breakpoint that the platform’s runtime would ignore is announced, and pauses with our engine', async () => {
  const panel = await opened('map');
  const debug = new DebuggerPage(panel);
  expect(await panel.notice('DEBUGGER_IGNORED')).toBeNull();
  await debug.toggle('/1');
  const notice = await waitFor('the notice', () => panel.notice('DEBUGGER_IGNORED'));
  expect(notice).toContain('Breakpoints need our engine.');
  expect(await panel.run()).toBe('completed');
  await panel.press('Use our engine');
  expect(await engine(panel)).toBe('ours');
  await waitFor('no notice', async () => (await panel.notice('DEBUGGER_IGNORED')) === null);
  await panel.start();
  expect(await debug.paused()).toBe('Paused at hold breakpoint');
  await debug.key('F8');
  expect(await panel.ended()).toBe('completed');
  await debug.tab('result');
  expect(JSON.parse(await panel.result())).toBe(FOREIGN_RESULT);
  await debug.removeAll();
});

test('a mock of a step that the platform’s runtime would ignore keeps the run from starting, and applies with our engine', async () => {
  const panel = await opened('map');
  const mocks = new MocksPage(panel);
  const set = { name: 'loud', mocks: [{ target: { path: '/2' }, outcome: { value: 'MOCKED' } }] };
  await mocks.openEditor();
  await mocks.removeSets();
  await mocks.importText(JSON.stringify({ format: 'platform-devtools/mocks', version: 1, sets: [set] }));
  await waitFor('the imported set', async () => (await mocks.sets()).length === 1);
  await mocks.closeEditor();
  await mocks.turn('loud', true);
  const before = await panel.runs();
  await panel.start();
  const alert = await waitFor('why it isn’t run', () => panel.alert());
  expect(alert.code).toBe('MOCKS_UNAVAILABLE');
  expect(alert.text).toMatch(
    /the mock of step \/2 would be ignored\. Nothing was run\. Choose “Our engine” beside Run\./,
  );
  expect((await panel.runs()).map(({ id }) => id)).toEqual(before.map(({ id }) => id));
  await panel.press('Use our engine');
  expect(await engine(panel)).toBe('ours');
  await waitFor('no alert', async () => (await panel.alert()) === null);
  expect(await panel.run()).toBe('completed');
  expect(JSON.parse(await panel.result())).toBe('MOCKED');
});

test('a mock of a package applies with the platform’s own runtime', async () => {
  const panel = await opened('class');
  const mocks = new MocksPage(panel);
  const target = { package: 'com.example.function.shout' };
  const set = { name: 'quiet', mocks: [{ target, outcome: { value: 'mocked' } }] };
  await mocks.openEditor();
  await mocks.removeSets();
  await mocks.importText(JSON.stringify({ format: 'platform-devtools/mocks', version: 1, sets: [set] }));
  await waitFor('the imported set', async () => (await mocks.sets()).length === 1);
  await mocks.closeEditor();
  await mocks.turn('quiet', true);
  await mocks.says('Mocks: quiet 1 on');
  expect(await panel.run()).toBe('completed');
  expect(JSON.parse(await panel.result())).toBe('mocked');
});
