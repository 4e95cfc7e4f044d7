/** The panel in a plain tab (`npm run panel`), its pictures at every size, light and dark, and the README’s picture. */
import { copyFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { waitFor } from '../../lib/browser-driver/wait-for.ts';
import { PreviewPage } from '../support/panel-preview/preview-page.ts';
import { type PanelPreview, startPanelPreview } from '../support/panel-preview/server.ts';
import { picturePath } from '../support/picture-path.ts';
import { inspectSmallSurface, inspectSurface, setTheme, type Surface } from '../support/surface.ts';
import { findAction, startTestBed, type TestBed } from '../support/test-bed.ts';

const README_PICTURE = resolve(import.meta.dirname, '../../assets/pictures/failed-run.png');

let bed: TestBed;
let preview: PanelPreview;
let panel: PreviewPage;
let surface: Surface;
beforeAll(async () => {
  bed = await startTestBed();
  preview = await startPanelPreview({ port: 0, platform: bed.platform, watch: false });
  panel = await PreviewPage.open(bed.extension.browser, preview.url);
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
  await waitFor('a step that runs', async () => (await panel.steps()).length > 0);
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
