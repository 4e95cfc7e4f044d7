/** The panel in a plain tab (`npm run panel`), its pictures at every size, light and dark, and the README’s picture. */
import { copyFile, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { resolve } from 'node:path';
import type { ElementHandle } from 'puppeteer-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { AgentEvent, AgentEventBody } from '../../lib/extension/inspector/contract.ts';
import { type FileRun, writeRunFile } from '../../lib/extension/panel/run/history/run-file.ts';
import { waitFor } from '../../lib/browser-driver/wait-for.ts';
import type { PanelInTab } from '../support/panel-in-tab.ts';
import { openPreview } from '../support/panel-preview/preview-page.ts';
import { type PanelPreview, startPanelPreview } from '../support/panel-preview/server.ts';
import { picturePath } from '../support/picture-path.ts';
import { inspectSmallSurface, inspectSurface, setTheme, type Surface } from '../support/surface.ts';
import { findAction, startTestBed, type TestBed } from '../support/test-bed.ts';

const README_PICTURE = resolve(import.meta.dirname, '../../assets/pictures/failed-run.png');

const event = (n: number, body: AgentEventBody): AgentEvent =>
  ({ ...body, n, at: n, runId: 'partly-stored' }) as AgentEvent;
const step = (n: number, id: number, path: string, parent: number | null): AgentEvent =>
  event(n, {
    kind: 'step-started',
    step: id,
    parent,
    path,
    iteration: parent === null ? [] : [0],
    stepKind: parent === null ? 'loop' : 'function',
    name: parent === null ? 'loop' : 'com.example.function.import',
    settings: { t: 'undefined' },
  });
const PARTLY_STORED: FileRun = {
  record: {
    id: 'partly-stored',
    subject: 'https://platform.example/7/9',
    title: 'Other · import',
    number: 3,
    payload: '{}',
    startedAt: Date.UTC(2026, 10, 1),
    state: 'completed',
    milliseconds: 4_400,
    tracing: 'observed',
    error: null,
    size: 0,
    cut: true,
    steps: { total: 50_003, stored: 2 },
  },
  events: [
    event(1, {
      kind: 'run-started',
      tracing: 'observed',
      payload: { t: 'object', size: 0, entries: [] },
      context: { t: 'object', size: 0, entries: [] },
      startedAt: Date.UTC(2026, 10, 1),
    }),
    step(2, 1, '/0', null),
    step(3, 2, '/0/functions/0', 1),
    event(150_000, { kind: 'run-ended', state: 'completed', milliseconds: 4_400 }),
  ],
};

let bed: TestBed;
let preview: PanelPreview;
let panel: PanelInTab;
let surface: Surface;
beforeAll(async () => {
  bed = await startTestBed();
  preview = await startPanelPreview({ port: 0, platform: bed.platform, watch: false });
  panel = await openPreview(bed.extension.browser, preview.url);
  surface = {
    document: panel.frame(),
    resize: (width, height) => panel.resize(width, height),
    shoot: (path) => panel.picture(path),
  };
});
afterAll(async () => {
  await preview?.close();
  await bed?.close();
});

async function open(action: string): Promise<void> {
  await panel.resize(1200);
  await panel.choose({ app: findAction(bed.platform, action).app, action });
  await panel.open();
  await waitFor(`${action} in the tab`, () => panel.canPress('Run'));
}

test('the panel is accessible at every width, light and dark: on another page, opened, and completed', async () => {
  await panel.choose({ environment: 'Local' });
  expect(await inspectSurface(surface, 'panel-elsewhere')).toEqual([]);
  expect(await inspectSmallSurface(surface, 'panel-elsewhere', ['Open', 'Run', 'Stop'])).toEqual([]);
  await open('notify-admins');
  expect(await inspectSurface(surface, 'panel-opened')).toEqual([]);
  expect(await inspectSmallSurface(surface, 'panel-opened', ['Open', 'Run', 'Stop'])).toEqual([]);
  expect(await panel.run()).toBe('completed');
  expect(await inspectSurface(surface, 'panel-completed')).toEqual([]);
});

test('the panel with a failed run is accessible at every width, light and dark', async () => {
  await open('throws-on-bad-address');
  expect(await panel.run()).toBe('failed');
  expect(await inspectSurface(surface, 'panel-failed')).toEqual([]);
});

test('in a small panel, Run and Stop stay in view, and Enter and Ctrl+Enter open the selected action', async () => {
  expect(await inspectSmallSurface(surface, 'panel-failed', ['Open', 'Run', 'Stop'])).toEqual([]);
  await panel.choose({ action: 'never-ends' });
  const openAndRun = 'Open and run never-ends';
  expect(await inspectSmallSurface(surface, 'panel-other-selected', ['Open', openAndRun, 'Stop'])).toEqual([]);
  expect(await panel.text()).toMatch(/In this tab:\s+Field Service · throws-on-bad-address/);
  await (await surface.document.$('input[name=action]'))!.focus();
  await panel.devtools.keyboard.down('Control');
  await panel.devtools.keyboard.press('Enter');
  await panel.devtools.keyboard.up('Control');
  await waitFor('a step that runs', () => surface.document.$('[data-run-state=running] [data-step]'));
  // The action can run before the worker reports that its page is open.
  await waitFor('the button Open', () => panel.canPress('Open'));
  expect(await inspectSmallSurface(surface, 'panel-running', ['Open', 'Run', 'Stop'])).toEqual([]);
  await panel.press('Stop');
  expect(await panel.ended()).toBe('stopped');
  const action = (await surface.document.$('input[name=action]'))!;
  await action.click();
  await action.evaluate((input) => (input as HTMLInputElement).select());
  await action.type('throws-on');
  await action.press('Enter');
  await waitFor('the other action in the tab', () => panel.canPress('Run'));
  expect(await panel.run()).toBe('failed');
});

test('the other tabs show what they’re for in a small panel', async () => {
  const { document } = surface;
  const tab = async (name: string): Promise<void> => {
    await panel.resize(1200);
    await document.locator(`aria/${name}[role="tab"]`).click();
  };
  await tab('Actions');
  await document.waitForSelector('[data-actions] [data-action]');
  expect(await inspectSmallSurface(surface, 'actions-table', ['Refresh', 'New action'])).toEqual([]);
  await tab('Trigger lab');
  await document.waitForSelector('[data-lab]');
  expect(await inspectSmallSurface(surface, 'actions-lab', ['Fire'])).toEqual([]);
  await tab('All actions');
  await panel.press('New action');
  await document.waitForSelector('[data-edit=new]');
  expect(await inspectSmallSurface(surface, 'actions-edit', ['Create', 'Close editor'])).toEqual([]);
  await panel.press('Close editor');
  await tab('OAuth2');
  await document.waitForSelector('[data-oauth2-page]');
  expect(await inspectSmallSurface(surface, 'oauth2-elsewhere', ['Refresh'])).toEqual([]);
  await tab('Apps');
  await document.waitForSelector('[role=grid] [aria-selected=true]');
  expect(await inspectSmallSurface(surface, 'apps-table', ['Refresh', 'Open'])).toEqual([]);
  await tab('Run');
});

test('a failed run fits in the picture of the README', async () => {
  await panel.resize(1400);
  await setTheme(surface.document, 'light');
  const failed = await waitFor('the failed step in view', () =>
    surface.document.$('.timeline [data-failing][aria-selected=true]'),
  );
  expect(await failed.isIntersectingViewport()).toBe(true);
  expect((await panel.alert())?.text).toContain('lena.tanaka(at)northwind.example');
  const picture = picturePath('failed-run');
  await panel.picture(picture);
  if (process.env['UPDATE_PICTURES'] === '1') await copyFile(picture, README_PICTURE);
});

test('all runs are listed, found, opened without their page, and pinned, accessibly at every width', async () => {
  const frame = panel.frame();
  await panel.resize(1200);
  await panel.press('All runs');
  await waitFor('the runs', async () => (await frame.$$('[data-any-run]')).length >= 2);
  await frame.type('input[aria-label="Search runs"]', 'notify-admins completed');
  await waitFor('the run of another action', async () => (await frame.$$('[data-any-run]')).length === 1);
  await frame.click('[data-any-run]');
  await waitFor('its timeline', () => frame.$('.timeline [data-step]'));
  await panel.press('Pin');
  await waitFor('the pinned run', () => frame.$('[data-any-run] [aria-label=pinned]'));
  expect(await inspectSurface(surface, 'panel-all-runs')).toEqual([]);
  expect(await inspectSmallSurface(surface, 'panel-all-runs', ['Back', 'Pin', 'Export run'])).toEqual([]);
  await panel.resize(1200);
  await panel.press('Back');
  await waitFor('the action’s own runs', () => frame.$('[data-history] [data-run]'));
});

test('a run that is stored in part and imported from another base URL is shown, with what isn’t stored', async () => {
  const frame = panel.frame();
  const file = resolve(await mkdtemp(resolve(tmpdir(), 'runs-')), 'runs.json');
  await writeFile(file, writeRunFile([PARTLY_STORED]));
  const input = await frame.$('input[aria-label="Runs file or recording to import"]');
  await (input as ElementHandle<HTMLInputElement>).uploadFile(file);
  await waitFor('the imported run', () => frame.$('[data-any-run="partly-stored"][aria-selected=true]'));
  await waitFor('its timeline', () => frame.$('.timeline [data-step]'));
  const text = await panel.text();
  expect(text).toContain('Added 1 run of Other · import at https://platform.example');
  expect(text).toContain('2 of 50,003 steps stored');
  expect(text).toContain('50,001 more steps aren’t stored.');
  expect(
    await frame.$$eval('.timeline [data-step]', (rows) => rows.map((row) => row.getAttribute('data-state'))),
  ).toEqual(['unstored', 'unstored']);
  expect(await inspectSurface(surface, 'panel-partly-stored')).toEqual([]);
  await panel.resize(1200);
  await panel.press('Remove');
  await panel.press('Back');
});
