/** Runs and debugs an action in the panel’s Run tab with scripts, in the same way in every browser. */
import { waitFor } from '../wait-for.ts';
import type { SavedFile } from './saved-file.ts';
import type { ScriptedPanel } from './scripted-panel.ts';

/** The fields in the editor of a breakpoint. */
export interface BreakpointFields {
  condition?: string;
  hits?: string;
  log?: string;
}

/** Scrolls through the timeline, which has only the visible rows in the document. */
const REPLACED = `
  const [, path] = arguments;
  const view = document.defaultView;
  const painted = () => new Promise((resolve) => view.requestAnimationFrame(() => view.requestAnimationFrame(resolve)));
  const list = document.querySelector('[data-timeline]');
  const scroller = [...list.querySelectorAll('*')].find((each) => each.scrollHeight > each.clientHeight + 1 && view.getComputedStyle(each).overflowY !== 'visible') ?? list;
  const found = {};
  const collect = async () => {
    scroller.scrollTop = 0;
    for (let before = -1; scroller.scrollTop !== before; ) {
      await painted();
      for (const row of list.querySelectorAll('[data-path="' + path + '"]')) {
        const mark = row.querySelector('[data-replaced]');
        if (mark) found[row.dataset.iteration] = mark.innerText.trim();
      }
      before = scroller.scrollTop;
      scroller.scrollTop += scroller.clientHeight / 2;
    }
    return found;
  };
  return collect();`;

export class ScriptedRun {
  readonly panel: ScriptedPanel;
  /** ID of the run that the panel showed when the latest run started. */
  private before: string | undefined;
  constructor(panel: ScriptedPanel) {
    this.panel = panel;
  }

  /** Opens the debug page at this URL, and waits until the panel shows its pipeline. */
  async open(url: string): Promise<void> {
    const { panel } = this;
    await panel.enter('input[name=url]', url);
    await panel.press('Open');
    // Until then, the panel can show the page before this one.
    await waitFor('the opened page', () => panel.canPress('Open'));
    await panel.see('the pipeline', '[role=treeitem][data-path]');
  }

  async start(): Promise<void> {
    await waitFor('the button Run', () => this.panel.canPress('Run'));
    [this.before] = await this.panel.all('[data-run-state]', 'data-shown-run');
    await this.panel.press('Run');
  }

  /** Final state of the latest run. The panel shows the previous run until the page reports the new one. */
  ended(): Promise<string> {
    return waitFor('the end of the run', async () => {
      const [id] = await this.panel.all('[data-run-state]', 'data-shown-run');
      const [state] = await this.panel.all('[data-run-state]', 'data-run-state');
      if (id !== this.before && state && ['completed', 'failed', 'stopped'].includes(state)) return state;
      throw new Error((await this.panel.texts('[role=alert][data-code]'))[0] ?? `The run is ${state}.`);
    });
  }

  async run(): Promise<string> {
    await this.start();
    return this.ended();
  }

  /** The result of the displayed run. */
  async result(): Promise<unknown> {
    await this.tab('result');
    await this.panel.see('the result', '[data-result]');
    const [result] = await this.panel.all('[data-result]', 'data-result');
    return JSON.parse(result!);
  }

  /** Opens a tab of the details. */
  async tab(id: 'result' | 'context' | 'console' | 'why'): Promise<void> {
    await this.panel.click(`[data-detail] [role=tab][id$="-${id}"]`);
  }

  /** Adds a breakpoint with its editor. */
  async breakpoint(path: string, fields: BreakpointFields): Promise<void> {
    const action = fields.log === undefined ? 'Add conditional breakpoint…' : 'Add logpoint…';
    await this.panel.menu(`[role=treeitem][data-path="${path}"]`, action);
    for (const [name, text] of Object.entries(fields)) await this.panel.fill(`breakpoint-${name}`, text);
    await this.panel.press('Add');
    await this.panel.see('the breakpoint', `[data-gutter="${path}"][data-breakpoint]`);
  }

  /** Waits until the run is paused, and the panel says where and why in these words. */
  async paused(wanted: RegExp): Promise<void> {
    await this.panel.says('.pause-bar .pause-text', wanted);
  }

  /** Replaces every occurrence of a text in the context of a paused run. */
  async editContext(from: string, to: string): Promise<void> {
    await this.tab('context');
    await this.panel.press('Edit');
    await this.panel.replace('context', from, to);
    await this.panel.press('Apply');
    await waitFor('the applied context', async () => !(await this.panel.has('[data-context-editor]')));
  }

  /** Sets the value that the paused step returns instead of being executed. */
  async setValue(value: unknown): Promise<void> {
    await this.panel.press('Set outcome…');
    await this.panel.click('[data-outcome] input[value=value]');
    await this.panel.fill('outcome-value', JSON.stringify(value));
    await this.panel.click('[data-outcome] button[type=submit]');
  }

  /** Imports a file of mocks in the editor, and turns its set on. */
  async useMocks(set: { name: string; mocks: object[] }): Promise<void> {
    const { panel } = this;
    await panel.click('.mocks-button');
    await panel.press('Edit mocks…');
    const file = { format: 'platform-devtools/mocks', version: 1, sets: [set] };
    await panel.giveFile('Mocks file to import', 'mocks.json', JSON.stringify(file));
    await panel.click(`[data-mock-set] input[aria-label="Turn on ${set.name}"]`);
    await panel.press('Back');
    await panel.see('that mocks are on', `.mocks-button.on[aria-label^="Mocks: ${set.name}"]`);
  }

  /** Mocks what the selected step did, in a new set with this name. */
  async mockOutcome(set: string): Promise<void> {
    const { panel } = this;
    await panel.press('Mock this outcome');
    await panel.fill('new-set', set);
    await panel.click('.mock-outcome-menu [type=submit]');
    await panel.see('that mocks are on', `.mocks-button.on[aria-label^="Mocks: ${set}"]`);
  }

  /** Shows only this step in the timeline, and selects one of its rows. */
  async select(path: string, iteration = ''): Promise<void> {
    await this.panel.choose('select[name=steps-shown]', `path:${path}`);
    await this.panel.click(`[data-timeline] [data-path="${path}"][data-iteration="${iteration}"]`);
    await this.panel.see('the step', '[data-detail] .step-head .path');
  }

  /** Shows the details of the whole run. */
  async selectRun(): Promise<void> {
    await this.panel.press('Show the whole run');
    await this.panel.see('the details of the run', '[data-detail] .whole-run');
  }

  /** What replaced the outcomes of a step, by iteration, once the timeline says so of that many. */
  replaced(path: string, count: number): Promise<Record<string, string>> {
    return waitFor(`${count} replaced outcomes`, async () => {
      const found = await this.panel.evaluate<Record<string, string>>(REPLACED, path);
      if (Object.keys(found).length === count) return found;
      throw new Error(`The timeline has: ${JSON.stringify(found)}`);
    });
  }

  /** Picks from the menu of the selected step. */
  async pick(action: string): Promise<void> {
    await this.panel.pick(action, () => this.panel.press('More'));
  }

  /** Presses a command of the menu *This run*. */
  async command(name: string): Promise<void> {
    await this.panel.click('.run-menu-button');
    await this.panel.press(name);
  }

  /** The files that a command of the menu *This run* saves. */
  save(count: number, name: string): Promise<SavedFile[]> {
    return this.panel.saved(count, () => this.command(name));
  }

  /** Opens a recording, and resolves to the state of its run. */
  async openRecording({ name, text }: SavedFile): Promise<string> {
    [this.before] = await this.panel.all('[data-run-state]', 'data-shown-run');
    await this.panel.giveFile('File of runs to import', name, text);
    return this.ended();
  }

  /** Waits for a notice, and returns its text. */
  notice(code: string): Promise<string> {
    return this.panel.says(`.notice[data-code="${code}"] .text`, /./);
  }
}
