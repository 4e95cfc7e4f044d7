/** Drives the debugger of the panel's Run tab, and reads what it shows. */
import type { KeyInput } from 'puppeteer-core';
import { waitFor } from '../wait-for.ts';
import { fill } from './fill.ts';
import type { PanelPage } from './panel-page.ts';

export class DebuggerPage {
  readonly panel: PanelPage;

  constructor(panel: PanelPage) {
    this.panel = panel;
  }

  /** Toggles a step's breakpoint with a click in the gutter. */
  async toggle(path: string): Promise<void> {
    await this.panel.frame().locator(`[data-gutter="${path}"]`).click();
  }

  /** The kinds of all breakpoints in the tree, by path. */
  async breakpoints(): Promise<Record<string, string>> {
    const all = await this.panel
      .frame()
      .$$eval('[data-gutter][data-breakpoint]', (marks) =>
        marks.map(
          (mark) => [mark.getAttribute('data-gutter') ?? '', mark.getAttribute('data-breakpoint') ?? ''] as const,
        ),
      );
    return Object.fromEntries(all);
  }

  /** Picks from a step's context menu. */
  async pick(path: string, action: string): Promise<void> {
    const frame = this.panel.frame();
    await frame.locator(`[role=treeitem][data-path="${path}"]`).click({ button: 'right' });
    await frame.locator(`aria/${action}[role="menuitem"]`).click();
  }

  /** Fills in the editor of a breakpoint, and saves it. */
  async edit(path: string, action: string, fields: { condition?: string; hits?: string; log?: string }): Promise<void> {
    await this.pick(path, action);
    await this.fillIn(fields);
    await this.panel.press((await this.panel.canPress('Add')) ? 'Add' : 'Save');
    await waitFor('the closed editor', async () => !(await this.panel.frame().$('[data-breakpoint-editor]')));
  }

  async fillIn(fields: { condition?: string; hits?: string; log?: string }): Promise<void> {
    const frame = this.panel.frame();
    for (const [name, text] of Object.entries(fields)) await fill(frame, `input[name=breakpoint-${name}]`, text);
  }

  /** Opens a tab of the details. */
  async tab(id: 'result' | 'context' | 'settings' | 'watch' | 'console' | 'network'): Promise<void> {
    await this.panel.frame().locator(`[data-detail] [role=tab][id$="-${id}"]`).click();
  }

  /** Where and why the run is paused. Waits for a pause whose text differs from the last one's. */
  async paused(last = ''): Promise<string> {
    return waitFor('a paused run', async () => {
      const alert = await this.panel.alert();
      const text = await this.text();
      if (alert && text === null) throw new Error(`The panel shows ${alert.code}: ${alert.text}`);
      return text !== null && text !== last ? text : null;
    });
  }

  /** The text of the bar while the run is paused; null otherwise. */
  async text(): Promise<string | null> {
    return this.panel
      .frame()
      .$eval('.pause-bar:not([data-paused=""]) .pause-text', (element) =>
        (element as HTMLElement).innerText.replace(/\s+/g, ' ').trim(),
      )
      .catch(() => null);
  }

  /** Path and iteration of the step that the tree and the timeline show as paused. */
  async pausedRows(): Promise<{ tree: string[]; timeline: string[] }> {
    return this.panel.frame().evaluate(() => {
      const rows = (selector: string): string[] =>
        [...document.querySelectorAll<HTMLElement>(selector)].map(({ dataset }) =>
          [dataset['path'], dataset['iteration']].filter(Boolean).join('#'),
        );
      return { tree: rows('[role=treeitem][data-paused]'), timeline: rows('[data-timeline] [data-paused]') };
    });
  }

  async key(key: KeyInput, modifier?: KeyInput): Promise<void> {
    const { keyboard } = this.panel.devtools;
    if (modifier) await keyboard.down(modifier);
    await keyboard.press(key);
    if (modifier) await keyboard.up(modifier);
  }

  /** Presses a key of the debugger, and resolves to the text of the next pause. */
  async step(key: KeyInput, modifier?: KeyInput): Promise<string> {
    const last = (await this.text()) ?? '';
    await this.key(key, modifier);
    return this.paused(last);
  }
}
