/** Runs of all actions in the panel: those of this browser, and those of a file. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { PanelPage } from '../../lib/browser-driver/pages/panel-page.ts';
import { waitFor } from '../../lib/browser-driver/wait-for.ts';
import { importRun, PARTLY_STORED } from '../support/states/run.ts';
import { findAction, startTestBed, type TestBed } from '../support/test-bed.ts';

let bed: TestBed;
let panel: PanelPage;
beforeAll(async () => {
  bed = await startTestBed();
  await bed.enter();
  panel = await bed.panel({ in: 'page' });
});
afterAll(() => bed?.close());

test('all runs, also one of a file that is stored in part, are listed, found, opened without their page, and pinned', async () => {
  const frame = panel.frame();
  const action = 'notify-admins';
  await panel.choose({ environment: 'Local', app: findAction(bed.platform, action).app, action });
  await panel.open();
  expect(await panel.run()).toBe('completed');
  await panel.choose({ action: 'never-ends' });
  expect(await panel.text()).toMatch(/In this tab:\s+Field Service · notify-admins/);
  await panel.press('All runs');
  await waitFor('the run of this browser', () => frame.$('[data-any-run]'));
  await importRun({ panel }, PARTLY_STORED);
  const text = await panel.text();
  expect(text).toContain('Added 1 run of Other · import at https://platform.example');
  expect(text).toContain('2 of 50,003 steps stored');
  expect(text).toContain('50,001 more steps aren’t stored.');
  expect(
    await frame.$$eval('.timeline [data-step]', (rows) => rows.map((row) => row.getAttribute('data-state'))),
  ).toEqual(['unstored', 'unstored']);
  expect(await frame.$$('[data-any-run]')).toHaveLength(1);
  await frame.select('select[aria-label="Pinned or imported"]', '');
  await waitFor('both runs in the list', async () => (await frame.$$('[data-any-run]')).length === 2);
  await frame.type('input[aria-label="Search runs"]', 'notify-admins completed');
  await waitFor('the run of another action', async () => (await frame.$$('[data-any-run]')).length === 1);
  await frame.click('[data-any-run]');
  await waitFor('its timeline', () => frame.$('.timeline [data-step][data-state=completed]'));
  await panel.press('Pin');
  await waitFor('the pinned run', () => frame.$('[data-any-run] [aria-label=pinned]'));
  await frame.$eval('input[aria-label="Search runs"]', (input) => (input as HTMLInputElement).select());
  await panel.devtools.keyboard.press('Delete');
  await waitFor('both runs', async () => (await frame.$$('[data-any-run]')).length === 2);
  await frame.click('[data-any-run=partly-stored]');
  await waitFor('what isn’t stored', () => frame.$('.timeline [data-step][data-state=unstored]'));
  await panel.press('Remove');
  await waitFor('the removed run', async () => (await frame.$$('[data-any-run]')).length === 1);
  await panel.press('Back');
  await waitFor('the action’s own runs', () => frame.$('[data-history] [data-run]'));
});

test('the panel has the theme that DevTools names', async () => {
  await panel.devtools.evaluateOnNewDocument(() => {
    const { devtools } = (globalThis as unknown as { browser: { devtools: { panels: { themeName: string } } } })
      .browser;
    devtools.panels.themeName = 'dark';
  });
  await panel.reload();
  expect(await panel.frame().evaluate(() => document.documentElement.dataset['theme'])).toBe('dark');
  expect(await panel.frame().evaluate(() => getComputedStyle(document.body).colorScheme)).toContain('dark');
});
