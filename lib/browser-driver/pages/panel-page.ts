/** Drives the panel, and reads what it shows. */
import type { Frame, Page } from 'puppeteer-core';
import { dockDevTools, type PanelInDevTools } from '../chromium.ts';
import { waitFor } from '../wait-for.ts';
import { pasteOver } from './fill.ts';
import { click, press } from './press.ts';
import { rowsOf } from './virtual-rows.ts';

export interface ShownStep {
  /** JSON Pointer into the pipeline. */
  path: string;
  /** Dotted indexes of the enclosing loops; empty outside loops. */
  iteration: string;
  state: string;
  /** The row’s text, including name and duration. */
  text: string;
}

/** A document that notes its width at each resize event. */
type WatchedWindow = typeof globalThis & { widthAtResize?: number };

/** Runs in the panel. The document can have its new width before the event, which rearranges the views. */
function watchWidth(): void {
  const watched = globalThis as WatchedWindow;
  if (watched.widthAtResize !== undefined) return;
  watched.widthAtResize = innerWidth;
  addEventListener('resize', () => {
    watched.widthAtResize = innerWidth;
  });
}

export class PanelPage {
  readonly inspected: Page;
  readonly devtools: Page;
  readonly frame: () => Frame;
  readonly show: () => Promise<void>;
  readonly park: () => Promise<void>;
  readonly unpark: () => Promise<void>;
  /** ID of the run that the panel showed when the latest run started. */
  private before: string | undefined;
  constructor(inspected: Page, panel: PanelInDevTools) {
    this.inspected = inspected;
    this.devtools = panel.devtools;
    this.frame = panel.frame;
    this.show = panel.show;
    this.park = panel.park;
    this.unpark = panel.unpark;
  }

  /** Undocks DevTools into a window of this inner size, filled by the panel. */
  async resize(width: number, height = 800): Promise<void> {
    await dockDevTools(this.devtools, 'undocked');
    await this.frame().evaluate(watchWidth);
    await this.devtools.setViewport({ width, height });
    await waitFor(
      `a panel of ${width} pixels`,
      async () => (await this.frame().evaluate(() => (globalThis as WatchedWindow).widthAtResize)) === width,
    );
    await this.painted();
  }

  /** Resolves after the next paint. */
  private async painted(): Promise<void> {
    await this.frame().evaluate(
      () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
    );
  }

  async press(button: string): Promise<void> {
    await press(this.frame(), button);
  }

  /**
   * Presses *Try again*. If that gives the panel the focus, it reloads by itself what failed, and the button can be gone
   * before its release.
   */
  async tryAgain(): Promise<void> {
    const isDone = async (): Promise<boolean> => (await this.frame().$('[role=alert][data-code]')) === null;
    await press(this.frame(), 'Try again', { isDone });
  }

  /** Whether the button exists and is enabled. */
  async canPress(button: string): Promise<boolean> {
    const handle = await this.frame().$(`control/${button}[role="button"]`);
    return (
      handle !== null &&
      handle.evaluate(
        (element) => !(element as HTMLButtonElement).disabled && element.getAttribute('aria-disabled') !== 'true',
      )
    );
  }

  /** Makes selections by typing: the environment by its name, the app and the action by search. */
  async choose(choice: { environment?: string; app?: string; action?: string }): Promise<void> {
    if (choice.environment !== undefined) await this.chooseEnvironment(choice.environment);
    if (choice.app !== undefined) await this.search('app', choice.app);
    if (choice.action !== undefined) await this.search('action', choice.action);
  }

  private async chooseEnvironment(name: string): Promise<void> {
    const value = await waitFor(`environment "${name}" in the panel's list`, () =>
      this.frame().$$eval(
        'select[name=environment] option',
        (options, name) => options.find((option) => option.textContent?.includes(name))?.value,
        name,
      ),
    );
    await this.frame().select('select[name=environment]', value);
  }

  private async search(field: 'app' | 'action', text: string): Promise<void> {
    const frame = this.frame();
    await waitFor(`"${text}" among the ${field}s`, async () => {
      await this.type(field, text);
      return frame.$$eval(
        '[role=listbox] [role=option]',
        (options, text) => options.some((option) => option.textContent?.includes(text)),
        text,
      );
    });
    // Enter would also open the action.
    await click(frame, '[role=listbox]:not([hidden]) [role=option][aria-selected=true]');
    await waitFor(`${field} “${text}” chosen`, () =>
      frame.$eval(`input[name=${field}]`, (element, text) => (element as HTMLInputElement).value.includes(text), text),
    );
  }

  /** Types into a field, unless it has the text and its list is open. */
  private async type(field: 'app' | 'action', text: string): Promise<void> {
    const frame = this.frame();
    const isTyped = await frame.$$eval(
      `input[name=${field}][aria-expanded=true]`,
      (inputs, text) => inputs.some((input) => (input as HTMLInputElement).value === text),
      text,
    );
    if (isTyped) return;
    await click(frame, `input[name=${field}]:not([disabled])`);
    await frame.$eval(`input[name=${field}]`, (element) => element.select());
    await this.devtools.keyboard.sendCharacter(text);
  }

  /** Presses Open, and waits until the panel shows the pipeline from the debug page. */
  async open(): Promise<void> {
    await this.press('Open');
    // Until then, the panel can show the page before this one.
    await waitFor('the opened page', () => this.canPress('Open'));
    await this.pipelineShown();
  }

  async pipelineShown(): Promise<void> {
    await waitFor("the action's pipeline in the panel", async () => {
      const alert = await this.alert();
      if (alert) throw new Error(`The panel shows ${alert.code}: ${alert.text}`);
      if ((await this.frame().$('[role=treeitem][data-path]')) !== null) return true;
      throw new Error(`The panel shows: ${(await this.text()).slice(0, 500)}`);
    });
  }

  /** Replaces the payload by pasting into whichever editor is shown. */
  async setPayload(text: string): Promise<void> {
    const frame = this.frame();
    const plain = await frame.$('textarea[name=payload]');
    await plain?.focus();
    // On its first focus, the plain editor is replaced by the code editor, unless its text is too long.
    const editor = await waitFor(
      'the payload editor',
      async () => (await frame.$('.cm-content')) ?? (await frame.$('textarea[name=payload][wrap=off]')),
    );
    await editor.focus();
    await editor.evaluate(pasteOver, text);
  }

  /** The error code of the payload, or null. */
  async payloadError(): Promise<string | null> {
    return this.frame()
      .$eval('[data-payload-error]', (element) => element.getAttribute('data-payload-error'))
      .catch(() => null);
  }

  /** Presses Run, and waits until the run has ended. */
  async run(): Promise<'completed' | 'failed' | 'stopped'> {
    await this.start();
    return this.ended();
  }

  async start(): Promise<void> {
    await waitFor('the button Run', () => this.canPress('Run'));
    this.before = (await this.shownRun())?.id;
    await this.press('Run');
  }

  /** Final state of the latest run. The panel shows the previous run until the page reports the new one. */
  async ended(): Promise<'completed' | 'failed' | 'stopped'> {
    return waitFor('the end of the run', async () => {
      const run = await this.shownRun();
      const state = run && run.id !== this.before ? run.state : 'not shown';
      if (state === 'completed' || state === 'failed' || state === 'stopped') return state;
      const alert = await this.alert();
      throw new Error(alert ? `The panel shows ${alert.code}: ${alert.text}` : `The run is ${state}.`);
    });
  }

  /** State of the run that the panel shows, or null. */
  async runState(): Promise<string | null> {
    return (await this.shownRun())?.state ?? null;
  }

  private shownRun(): Promise<{ id: string; state: string } | null> {
    return this.frame()
      .$eval('[data-run-state]', (element) => ({
        id: element.getAttribute('data-shown-run') ?? '',
        state: element.getAttribute('data-run-state') ?? '',
      }))
      .catch(() => null);
  }

  /** Every timeline row. */
  async steps(): Promise<ShownStep[]> {
    const rows = await rowsOf(this.frame(), '[data-timeline]');
    return rows
      .filter(({ data }) => data.step !== undefined)
      .map(({ data: { path = '', iteration = '', state = '' }, text }) => ({ path, iteration, state, text }));
  }

  /** The state of each step in the pipeline tree, by path. */
  async tree(): Promise<Record<string, string>> {
    const items = await this.frame().$$eval('[role=tree] [role=treeitem][data-path]', (all) =>
      all.map((item) => [item.getAttribute('data-path') ?? '', item.getAttribute('data-state') ?? ''] as const),
    );
    return Object.fromEntries(items);
  }

  /** The result as JSON text. */
  async result(): Promise<string> {
    return waitFor('the result in the panel', () =>
      this.frame().$eval('[data-result]', (element) => element.getAttribute('data-result')),
    );
  }

  /** The first error that the panel shows, or null. */
  async alert(): Promise<{ code: string; text: string } | null> {
    return this.frame()
      .$eval('[role=alert][data-code]', (element) => ({
        code: element.getAttribute('data-code') ?? '',
        text: (element as HTMLElement).innerText.replace(/\s+/g, ' ').trim(),
      }))
      .catch(() => null);
  }

  /** Waits for an error, and returns the first one that the panel shows. */
  async error(): Promise<{ code: string; text: string }> {
    return waitFor('an error', async () => {
      const alert = await this.alert();
      if (alert) return alert;
      throw new Error(`The panel shows: ${(await this.text()).slice(0, 500)}`);
    });
  }

  /** The text of a notice, or null if it isn’t shown. */
  async notice(code: string): Promise<string | null> {
    return this.frame()
      .$eval(`.notice[data-code="${code}"] .text`, (element) => (element as HTMLElement).innerText)
      .catch(() => null);
  }

  /** The text of the selected step’s or the whole run’s details. */
  async details(): Promise<string> {
    return this.frame().$eval('[data-detail]', (element) => (element as HTMLElement).innerText.replace(/\s+/g, ' '));
  }

  /** The failed step’s path, and the lines of the trace. */
  async failure(): Promise<{ path: string; trace: string[] }> {
    return this.frame().evaluate(() => ({
      path: document.querySelector('[data-error-path]')?.getAttribute('data-error-path') ?? '',
      trace: [...document.querySelectorAll('[aria-label=Trace] li')].map((line) => line.textContent ?? ''),
    }));
  }

  /** Code of the notice that the panel shows when the page has no pipeline, or null. */
  async pageState(): Promise<string | null> {
    return this.frame()
      .$eval('[data-page]', (element) => element.getAttribute('data-page'))
      .catch(() => null);
  }

  /** All text in the panel. */
  async text(): Promise<string> {
    return this.frame().$eval('body', (body) => body.innerText);
  }

  /** Selects a step in the pipeline. */
  async select(path: string): Promise<void> {
    // In the middle of a row, its buttons might appear under the pointer.
    await click(this.frame(), `[role=tree] [role=treeitem][data-path="${path}"] .node-label`);
  }

  /** Past runs of the action, newest first. */
  async runs(): Promise<{ id: string; state: string; text: string }[]> {
    return this.frame().$$eval('[data-history] [data-run]', (rows) =>
      rows.map((row) => ({
        id: row.getAttribute('data-run') ?? '',
        state: row.getAttribute('data-state') ?? '',
        text: (row as HTMLElement).innerText.replace(/\s+/g, ' ').trim(),
      })),
    );
  }

  async openRun(id: string): Promise<void> {
    await click(this.frame(), `[data-history] [data-run="${id}"] button`);
  }

  /**
   * Reloads the panel’s document, as closing and reopening DevTools does.
   * @param clicked selector of what is clicked at the last moment
   */
  async reload(clicked?: string): Promise<void> {
    await this.frame().evaluate((selector) => {
      (globalThis as unknown as { isOld: boolean }).isOld = true;
      if (selector !== undefined)
        addEventListener('pagehide', () => document.querySelector<HTMLElement>(selector)!.click());
      location.reload();
    }, clicked);
    await waitFor('the reloaded panel', () =>
      this.frame().evaluate(() => !('isOld' in globalThis) && document.querySelector('main') !== null),
    );
  }

  /** A screenshot of DevTools that includes the panel. */
  async picture(path: `${string}.png`): Promise<void> {
    await this.painted();
    await this.devtools.screenshot({ path });
  }
}
