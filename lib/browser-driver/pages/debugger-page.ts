/** Drives the debugger of the panel's Run tab, and reads what it shows. */
import type { KeyInput } from 'puppeteer-core';
import { waitFor } from '../wait-for.ts';
import { fill } from './fill.ts';
import type { PanelPage } from './panel-page.ts';
import { click, openMenu, press } from './press.ts';

export class DebuggerPage {
  readonly panel: PanelPage;

  constructor(panel: PanelPage) {
    this.panel = panel;
  }

  /** Toggles a step's breakpoint with a click in the gutter. */
  async toggle(path: string): Promise<void> {
    await click(this.panel.frame(), `[data-gutter="${path}"]`);
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

  /** Removes all breakpoints. */
  async removeAll(): Promise<void> {
    if (Object.keys(await this.breakpoints()).length === 0) return;
    await this.openList();
    await this.panel.press('Remove all');
    await this.closeList();
    await waitFor('no breakpoint', async () => Object.keys(await this.breakpoints()).length === 0);
  }

  /** Opens the list of all breakpoints. */
  async openList(): Promise<void> {
    await openMenu(this.panel.frame(), '.breakpoints-button', '.breakpoints-menu', '*');
  }

  async closeList(): Promise<void> {
    await this.panel.frame().$eval('.breakpoints-menu', (menu) => (menu as HTMLElement).hidePopover());
  }

  /** The listed breakpoints whose step the pipeline no longer has. */
  async gone(): Promise<string[]> {
    return this.panel
      .frame()
      .$$eval('[data-listed-gone] .link', (items) =>
        items.map((item) => (item as HTMLElement).innerText.replace(/\s+/g, ' ').trim()),
      );
  }

  /** The text of the editor of a breakpoint. */
  async editorText(): Promise<string> {
    return this.panel
      .frame()
      .$eval('[data-breakpoint-editor]', (editor) => (editor as HTMLElement).innerText.replace(/\s+/g, ' '));
  }

  /** Picks from a step's context menu. */
  async pick(path: string, action: string): Promise<void> {
    const frame = this.panel.frame();
    await frame.locator(`[role=treeitem][data-path="${path}"]`).click({ button: 'right' });
    await press(frame, action, { role: 'menuitem' });
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
    await click(this.panel.frame(), `[data-detail] [role=tab][id$="-${id}"]`);
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

  /** Opens the context editor, replaces a part of its text, and applies it. */
  async editContext(from: string, to: string): Promise<void> {
    await this.tab('context');
    await this.panel.press('Edit');
    await this.replaceContext(from, to);
    await this.panel.press('Apply');
    await waitFor('the closed editor', async () => !(await this.panel.frame().$('[data-context-editor]')));
  }

  /** Replaces a part of the text in the context editor. */
  async replaceContext(from: string, to: string): Promise<void> {
    const frame = this.panel.frame();
    const editor = await waitFor('the code editor', () => frame.$('[data-context-editor] .cm-content'));
    await editor.focus();
    await this.key('a', 'Control');
    // The editor has only the visible lines in the document, but copies all of them.
    const text = await editor.evaluate((element) => {
      const clipboardData = new DataTransfer();
      element.dispatchEvent(new ClipboardEvent('copy', { clipboardData, bubbles: true, cancelable: true }));
      return clipboardData.getData('text/plain');
    });
    if (!text.includes(from)) throw new Error(`The context has no ${from}: ${text.slice(0, 500)}`);
    await editor.evaluate(
      paste,
      text.replace(from, () => to),
    );
  }

  /** Adds a watched expression. */
  async watch(source: string): Promise<void> {
    await this.tab('watch');
    await fill(this.panel.frame(), 'input[name=watch]', source);
    await this.key('Enter');
    await waitFor(`the expression ${source}`, async () => source in (await this.watches()));
  }

  /** Each watched expression’s value or error as text. */
  async watches(): Promise<Record<string, string>> {
    const rows = await this.panel.frame().$$eval('[data-watch]', (all) =>
      all.map((row) => {
        const { innerText } =
          row.querySelector<HTMLElement>('.value-tree') ?? row.querySelector<HTMLElement>('[data-watch-value]')!;
        return [row.getAttribute('data-watch') ?? '', innerText.replace(/\s+/g, ' ').trim()] as const;
      }),
    );
    return Object.fromEntries(rows);
  }

  /** Opens the form of the outcome, and chooses a kind. */
  async outcome(kind: 'value' | 'error' | 'skip' | 'branch'): Promise<void> {
    const frame = this.panel.frame();
    await this.panel.press((await this.panel.canPress('Force branch…')) ? 'Force branch…' : 'Set outcome…');
    await click(frame, `[data-outcome] input[value="${kind}"]`);
  }

  /** What replaced the outcome of each timeline row, by path and iteration. */
  async replaced(): Promise<Record<string, string>> {
    const rows = await this.panel.frame().$$eval('[data-timeline] [data-step]', (all) =>
      all.map((row) => {
        const { path = '', iteration = '' } = (row as HTMLElement).dataset;
        const mark = row.querySelector<HTMLElement>('[data-replaced]');
        return [[path, iteration].filter(Boolean).join('#'), mark?.innerText ?? ''] as const;
      }),
    );
    return Object.fromEntries(rows.filter(([, text]) => text !== ''));
  }

  /** Presses a key of the debugger, and resolves to the text of the next pause. */
  async step(key: KeyInput, modifier?: KeyInput): Promise<string> {
    const last = (await this.text()) ?? '';
    await this.key(key, modifier);
    return this.paused(last);
  }
}

/** Runs in the panel: replaces what’s selected in an editor, as a paste does. */
function paste(element: Element, text: string): void {
  const clipboardData = new DataTransfer();
  clipboardData.setData('text/plain', text);
  element.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
}
