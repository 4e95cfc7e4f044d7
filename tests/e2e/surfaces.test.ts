import type { Frame, Page } from 'puppeteer-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { OptionsPage } from '../../lib/browser-driver/pages/options-page.ts';
import type { PanelPage } from '../../lib/browser-driver/pages/panel-page.ts';
import { until } from '../../lib/browser-driver/until.ts';
import { violations } from '../support/accessibility.ts';
import { picturePath } from '../support/picture-path.ts';
import { findAction, startTestBed, type TestBed } from '../support/test-bed.ts';

const WIDTHS = [420, 700, 1200];

/** Looks at a surface at each width: a picture for people, barriers and overflow for the test. */
async function look(
  surface: Page | Frame,
  resize: (width: number) => Promise<void>,
  shoot: (path: `${string}.png`) => Promise<unknown>,
  name: string,
): Promise<string[]> {
  const found: string[] = [];
  for (const width of WIDTHS) {
    await resize(width);
    await shoot(picturePath(`${name}-${width}`));
    const overflow = await surface.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    if (overflow > 0) found.push(`${width}: ${overflow} pixels too wide`);
    found.push(...(await violations(surface)).map((each) => `${width}: ${each}`));
  }
  return found;
}

describe.each(['light', 'dark'] as const)('in a %s browser, at 420, 700 and 1,200 pixels', (scheme) => {
  let bed: TestBed;
  beforeAll(async () => {
    bed = await startTestBed({ browser: { scheme } });
  });
  afterAll(() => bed?.close());

  const lookAtPanel = (panel: PanelPage, name: string) =>
    look(
      panel.frame(),
      (width) => panel.resize(width),
      (path) => panel.picture(path),
      `panel-${name}-${scheme}`,
    );
  const lookAtOptions = ({ page }: OptionsPage, name: string) =>
    look(
      page,
      (width) => page.setViewport({ width, height: 800 }),
      (path) => page.screenshot({ path, fullPage: true }),
      `options-${name}-${scheme}`,
    );

  test('the panel before any environment has no barrier', async () => {
    const panel = await bed.panel();
    expect(await lookAtPanel(panel, 'first')).toEqual([]);
    await panel.inspected.close();
  });

  test('the options page has no barrier: empty, filled wrongly, with an environment', async () => {
    const options = await OptionsPage.open(bed.extension);
    expect(await lookAtOptions(options, 'empty')).toEqual([]);
    await options.fillIn({
      name: 'Local',
      preset: 'local',
      baseUrl: 'http://example.com',
      token: bed.platform.authToken,
    });
    await options.press('Save');
    await until(
      'an error of the form',
      async () => (await options.page.$('[role=alert], [aria-invalid=true]')) !== null,
    );
    expect(await lookAtOptions(options, 'invalid')).toEqual([]);
    await options.add({
      name: 'Local',
      preset: 'local',
      baseUrl: bed.platform.baseUrl,
      token: bed.platform.authToken,
    });
    expect(await lookAtOptions(options, 'saved')).toEqual([]);
    await options.page.close();
  });

  test('the panel has no barrier: on another page, opened, completed, failed', async () => {
    const panel = await bed.panel();
    await panel.choose({ environment: 'Local' });
    expect(await lookAtPanel(panel, 'elsewhere')).toEqual([]);

    const { app } = findAction(bed.platform, 'notify-admins');
    await panel.choose({ app, action: 'notify-admins' });
    await panel.open();
    expect(await lookAtPanel(panel, 'opened')).toEqual([]);
    await panel.run();
    expect(await lookAtPanel(panel, 'completed')).toEqual([]);

    await panel.resize(1200);
    await panel.choose({ action: 'throws-on-bad-address' });
    await panel.press('Open');
    await until('the other action', async () => (await panel.inspected.title()).includes('throws-on-bad-address'));
    await panel.pipelineShown();
    expect(await panel.run()).toBe('failed');
    expect(await lookAtPanel(panel, 'failed')).toEqual([]);
  });
});
