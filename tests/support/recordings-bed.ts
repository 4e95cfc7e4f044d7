/** What tests of recordings work with: a failed run of the demo data as a recording, and what the panel does with it. */
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { resolve } from 'node:path';
import type { ElementHandle } from 'puppeteer-core';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import type { PanelPage } from '../../lib/browser-driver/pages/panel-page.ts';
import { savedFile } from '../../lib/browser-driver/pages/saved-file.ts';
import { waitFor } from '../../lib/browser-driver/wait-for.ts';
import { startTestBed, type TestBed } from './test-bed.ts';

export const ACTION = 'throws-on-bad-address';
/** The step that fails. */
export const CHECK = '/1/functions/0/conditions/0/functions/0';

export const has = async (panel: PanelPage, selector: string): Promise<boolean> =>
  (await panel.frame().$(selector)) !== null;

export const noticeOf = (panel: PanelPage, code: string): Promise<string> =>
  waitFor(`the notice ${code}`, () => panel.notice(code));

export async function command(panel: PanelPage, name: string): Promise<void> {
  await panel.press('This run');
  await panel.press(name);
}

export async function importFile(panel: PanelPage, text: string, name = 'a.run.json'): Promise<void> {
  const path = resolve(await mkdtemp(resolve(tmpdir(), 'recordings-')), name);
  await writeFile(path, text);
  const input = await panel.frame().$('input[aria-label="File of runs to import"]');
  await (input as ElementHandle<HTMLInputElement>).uploadFile(path);
}

/** Registers the hooks of a file of these tests. */
export class RecordingsBed {
  bed!: TestBed;
  private exported: { name: string; text: string } | undefined;

  constructor() {
    beforeAll(async () => {
      this.bed = await startTestBed({ ownPlatform: true });
      await this.bed.enter();
    });
    afterEach(() => this.bed.closeTabs());
    afterAll(() => this.bed?.close());
  }

  /** The recording, exported once. */
  async file(): Promise<{ name: string; text: string }> {
    if (this.exported) return this.exported;
    const panel = await this.bed.panel({ in: 'page', action: ACTION });
    expect(await panel.run()).toBe('failed');
    await panel.press('This run');
    await waitFor('the stored recording', () => panel.canPress('Export run'));
    this.exported = await savedFile(panel.frame(), () => panel.press('Export run'));
    await this.bed.closeTabs();
    return this.exported;
  }

  /** The recording in a panel whose tab has no page of the platform. */
  async opened(): Promise<PanelPage> {
    const { text } = await this.file();
    const panel = await this.bed.panel({ in: 'page' });
    await importFile(panel, text);
    await waitFor('the run of the recording', async () => (await panel.runState()) === 'failed');
    return panel;
  }
}
