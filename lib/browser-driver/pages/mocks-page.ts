/** Drives what the panel has for mocks: the menu beside *Run*, the editor, and *Mock this outcome*. */
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ElementHandle, Frame } from 'puppeteer-core';
import { waitFor } from '../wait-for.ts';
import { fill } from './fill.ts';
import type { PanelPage } from './panel-page.ts';
import { type SavedFile, savedFile } from './saved-file.ts';
import { click, openMenu } from './press.ts';

export interface ShownSet {
  name: string;
  isShared: boolean;
  isOn: boolean;
}

export class MocksPage {
  readonly panel: PanelPage;
  constructor(panel: PanelPage) {
    this.panel = panel;
  }

  frame(): Frame {
    return this.panel.frame();
  }

  /** What the button beside *Run* says. */
  button(): Promise<string> {
    return this.frame().$eval('.mocks-button', (button) => button.getAttribute('aria-label') ?? '');
  }

  async says(text: string | RegExp): Promise<void> {
    await waitFor(`“${String(text)}” beside Run`, async () => {
      const found = await this.button();
      return typeof text === 'string' ? found === text : text.test(found);
    });
  }

  async openMenu(): Promise<void> {
    await openMenu(this.frame(), '.mocks-button', '.mocks-menu', '[data-mocks-switches]');
  }

  async closeMenu(): Promise<void> {
    await this.frame().$eval('.mocks-menu', (menu) => (menu as HTMLElement).hidePopover());
  }

  /** Turns *Dry run*, or a set, on or off in the menu. */
  async turn(name: string, isOn: boolean): Promise<void> {
    await this.openMenu();
    const box = await waitFor(`the checkbox ${name}`, async () => {
      const boxes = await this.frame().$$('.mocks-menu input[type=checkbox]');
      for (const each of boxes)
        if ((await each.evaluate((input) => input.closest('label')?.textContent ?? '')).startsWith(name)) return each;
      return null;
    });
    if ((await box.evaluate((input) => input.checked)) !== isOn) await box.click();
    await waitFor(`${name} to be ${isOn ? 'on' : 'off'}`, () =>
      box.evaluate((input, isOn) => input.checked === isOn, isOn),
    );
    await this.closeMenu();
  }

  async openEditor(): Promise<void> {
    await this.openMenu();
    await this.panel.press('Edit mocks…');
    await waitFor('the editor', () => this.frame().$('[data-mocks-view]'));
  }

  async closeEditor(): Promise<void> {
    await this.panel.press('Back');
    await waitFor('the run', async () => (await this.frame().$('[data-mocks-view]')) === null);
  }

  /** Selects a step of the shown run in the timeline. */
  async selectStep(path: string, iteration = ''): Promise<void> {
    const row = `[data-timeline] [data-step][data-path="${path}"][data-iteration="${iteration}"]`;
    await waitFor(`the row of ${path}`, () => this.frame().evaluate(scrolledTo, row));
    await click(this.frame(), row);
    await waitFor('its details', () =>
      this.frame().$eval(
        '[data-detail]',
        (details, path) => details.querySelector('.path code')?.textContent === path,
        path,
      ),
    );
  }

  /** Mocks what the selected step did, in a new set with this name, or in one that exists. */
  async mockOutcome(set: string): Promise<void> {
    await this.panel.press('Mock this outcome');
    await waitFor('the sets', () => this.frame().$('.mock-outcome-menu:popover-open form'));
    const existing = `.mock-outcome-menu:popover-open ::-p-aria(${set})`;
    if (await this.frame().$(existing)) await click(this.frame(), existing);
    else {
      await fill(this.frame(), '.mock-outcome-menu:popover-open [name=new-set]', set);
      await click(this.frame(), '.mock-outcome-menu:popover-open [type=submit]');
    }
    await waitFor('what was done', async () => (await this.panel.notice('MOCKS_CHANGED'))?.includes(`“${set}”`));
  }

  /** The sets that the editor lists. */
  sets(): Promise<ShownSet[]> {
    return this.frame().$$eval('[data-mock-set]', (rows) =>
      rows.map((row) => ({
        name: row.querySelector('.set-name .untrusted')?.textContent ?? '',
        isShared: row.parentElement?.previousElementSibling?.textContent === 'Shared in the app',
        isOn: row.querySelector('input')?.checked === true,
      })),
    );
  }

  async selectSet(name: string): Promise<void> {
    const rows = await this.frame().$$('[data-mock-set] .set-name');
    for (const row of rows)
      if ((await row.evaluate((button) => button.textContent ?? '')).startsWith(name)) await row.click();
    await waitFor(`the set ${name}`, () =>
      this.frame().$eval('[name=set-name]', (field, name) => (field as HTMLInputElement).value === name, name),
    );
  }

  /** Removes all sets in the editor. */
  async removeSets(): Promise<void> {
    for (let left = (await this.sets()).length; left > 0; left--) {
      await this.panel.press('Remove set');
      await waitFor('one set less', async () => (await this.sets()).length === left - 1);
    }
  }

  /** For this action only, or for all actions of the app. */
  async setScope(scope: 'action' | 'app'): Promise<void> {
    await this.frame().select('[name=set-scope]', scope);
    await waitFor('the set in its other list', async () =>
      (await this.sets()).some(({ isShared }) => isShared === (scope === 'app')),
    );
  }

  /** The selected set’s mocks, each on one line. */
  mocks(): Promise<string[]> {
    return this.frame().$$eval('[data-mock] .mock-row', (rows) =>
      rows.map((row) => (row as HTMLElement).innerText.replace(/\s+/g, ' ').trim()),
    );
  }

  /** What the selected mock is for: the name of a step or package in the list. */
  async setTarget(name: string): Promise<void> {
    await fill(this.frame(), 'input[name=mock-target]', name);
    await waitFor(`${name} in the list`, () =>
      this.frame().$eval(
        '[role=listbox]:not([hidden]) [role=option][aria-selected=true]',
        (option, name) => option.textContent?.startsWith(name),
        name,
      ),
    );
    await this.panel.devtools.keyboard.press('Enter');
    await waitFor(`the mock of ${name}`, async () => (await this.mocks()).some((mock) => mock.startsWith(name)));
  }

  /** What is wrong with mocks that are on, by code. */
  problems(): Promise<{ code: string; text: string }[]> {
    return this.frame().$$eval('[data-mocks-view] [data-mock-problem]', (items) =>
      items.map((item) => ({
        code: item.getAttribute('data-mock-problem') ?? '',
        text: (item as HTMLElement).innerText,
      })),
    );
  }

  exported(button = 'Export all'): Promise<SavedFile> {
    return savedFile(this.frame(), () => this.panel.press(button));
  }

  async importText(text: string): Promise<void> {
    const file = join(await mkdtemp(join(tmpdir(), 'mocks-')), 'mocks.json');
    await writeFile(file, text);
    const input = await this.frame().$('input[aria-label="Mocks file to import"]');
    await (input as ElementHandle<HTMLInputElement>).uploadFile(file);
  }
}

/** Runs in the panel: scrolls the list from its top until it has the row. */
async function scrolledTo(row: string): Promise<boolean> {
  const list = document.querySelector('[data-timeline]');
  const all = [list, ...(list?.querySelectorAll('*') ?? [])];
  const scroller = all.find((each) => each && each.scrollHeight > each.clientHeight + 1);
  scroller?.scrollTo(0, 0);
  for (let top = -1; ;) {
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    const found = document.querySelector(row);
    found?.scrollIntoView({ block: 'center' });
    if (found || !scroller || scroller.scrollTop === top) return found !== null;
    top = scroller.scrollTop;
    scroller.scrollTop += scroller.clientHeight / 2;
  }
}
