/** Drives the Apps tab, and reads what it shows. */
import type { PanelPage } from './panel-page.ts';
import { waitFor } from '../wait-for.ts';
import { type SavedFile, savedFile } from './saved-file.ts';
import { click, press } from './press.ts';

export class AppsTab {
  readonly panel: PanelPage;
  constructor(panel: PanelPage) {
    this.panel = panel;
  }

  /** Opens the apps table in a panel without saved state. */
  async openTable(environment: string): Promise<void> {
    await this.frame().evaluate(() => localStorage.clear());
    await this.panel.reload();
    await this.panel.choose({ environment });
    await this.tab('Apps');
    await waitFor('the table, or why there is none', () => this.has('[data-apps], .empty'));
  }

  /** Opens an app’s page from the table. */
  async openApp(id: number): Promise<void> {
    await click(this.frame(), `[data-app="${id}"]`);
    await this.panel.press('Open');
    await waitFor('its page', () => this.has(`[data-app-page="${id}"]`));
  }

  /** Waits until the sessions are loaded, and returns the summary’s text. */
  read(): Promise<string> {
    return this.says('[data-summary=ready]', /\d users?, /);
  }

  frame() {
    return this.panel.frame();
  }
  async has(selector: string): Promise<boolean> {
    return (await this.frame().$(selector)) !== null;
  }
  async tab(name: string): Promise<void> {
    await press(this.frame(), name, { role: 'tab' });
  }
  /** The first match’s text, or an empty string. */
  shown(selector: string): Promise<string> {
    return this.frame()
      .$eval(selector, (element) => (element as HTMLElement).innerText.replace(/\s+/g, ' ').trim())
      .catch(() => '');
  }
  says(selector: string, text: string | RegExp): Promise<string> {
    return waitFor(`${selector} to show ${String(text)}`, async () => {
      const found = await this.shown(selector);
      return (typeof text === 'string' ? found.includes(text) : text.test(found)) && found;
    });
  }
  /** The text of each visible cell in a column, in row order. */
  cells(table: '[data-apps]' | '[data-sessions]', column: string): Promise<string[]> {
    return this.frame().$eval(
      table,
      (grid, column) => {
        const index = [...grid.querySelectorAll('[role=columnheader]')]
          .find((head) => head.textContent?.replace(/ [▾▴]$/, '') === column)
          ?.getAttribute('aria-colindex');
        const rows = [...grid.querySelectorAll<HTMLElement>('[role=row][data-index]')].sort(
          (a, b) => Number(a.dataset['index']) - Number(b.dataset['index']),
        );
        return rows.map((row) => row.querySelector(`[aria-colindex="${index}"]`)?.textContent?.trim() ?? '');
      },
      column,
    );
  }
  async sortBy(column: string): Promise<void> {
    await this.frame().$$eval(
      '[role=columnheader] button',
      (all, column) => (all as HTMLElement[]).find((one) => one.textContent?.startsWith(column))?.click(),
      column,
    );
  }
  async type(name: string, text: string): Promise<void> {
    await this.frame().$eval(
      name,
      (field, text) => {
        (field as HTMLInputElement).value = text;
        field.dispatchEvent(new Event('input', { bubbles: true }));
        field.dispatchEvent(new Event('change', { bubbles: true }));
      },
      text,
    );
  }

  /** Elements that are beyond the panel’s edges and can’t be scrolled into view. */
  sticksOut(): Promise<string[]> {
    return this.frame().evaluate(() => {
      const canScroll = (element: Element | null): boolean =>
        element !== null &&
        (/auto|scroll/.test(getComputedStyle(element).overflowX) || canScroll(element.parentElement));
      return [...document.querySelectorAll<HTMLElement>('body *')]
        .filter(
          (element) =>
            element.matches('button, input, select, a, h2, h3, p, [role=status], [role=grid], figure') &&
            element.checkVisibility({ visibilityProperty: true }),
        )
        .filter((element) => !canScroll(element.parentElement) && !element.closest('.visually-hidden'))
        .filter(
          (element) =>
            element.getBoundingClientRect().right > innerWidth + 1 || element.getBoundingClientRect().left < -1,
        )
        .map((element) => element.outerHTML.slice(0, 120));
    });
  }

  /** Presses a button that saves a file, and returns the file’s name and text. */
  saved(button: string): Promise<SavedFile> {
    return savedFile(this.frame(), () => this.panel.press(button));
  }
}
