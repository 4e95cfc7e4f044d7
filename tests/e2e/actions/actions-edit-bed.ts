/** What tests of the action editor and the trigger lab work with: a panel on a platform of their own. */
import { afterAll, beforeAll } from 'vitest';
import { fill, pasteOver } from '../../../lib/browser-driver/pages/fill.ts';
import type { Action, LogList } from '../../../lib/platform-api/index.ts';
import type { PanelPage } from '../../../lib/browser-driver/pages/panel-page.ts';
import { waitFor } from '../../../lib/browser-driver/wait-for.ts';
import { startTestBed, type TestBed } from '../../support/test-bed.ts';
import { ask } from '../../support/ask.ts';
import { press } from '../../../lib/browser-driver/pages/press.ts';

export let bed: TestBed;

export let panel: PanelPage;

/** Registers what is done before and after the tests of a file. */
export function setUpActionsEdit(): void {
  beforeAll(async () => {
    bed = await startTestBed({ ownPlatform: true });
    await bed.enter();
    panel = await bed.panel({ in: 'page' });
  });
  afterAll(() => bed?.close());
}

/** Reloads the panel without saved state. */
export async function reset(): Promise<void> {
  await panel.frame().evaluate(() => localStorage.clear());
  await panel.reload();
}

/** Opens the Actions tab of an app in a panel without saved state. */
export async function openActions(app: string): Promise<void> {
  await reset();
  await panel.choose({ environment: 'Local', app });
  await press(panel.frame(), 'Actions', { role: 'tab' });
  await panel.frame().waitForSelector('[data-actions] [data-action]');
}

export const openEditor = async (): Promise<void> => {
  await panel.press('New action');
  await panel.frame().waitForSelector('[data-edit=new] [name=action-name]');
};

export const openLab = async (): Promise<void> => {
  await press(panel.frame(), 'Trigger lab', { role: 'tab' });
  await panel.frame().waitForSelector('[data-lab]');
};

export const enter = (name: string, text: string) => fill(panel.frame(), `[name="${name}"]`, text);

/** Chooses the first option that has this text. */
export async function search(name: string, text: string): Promise<void> {
  const input = (await panel.frame().waitForSelector(`input[name="${name}"]`))!;
  await input.click();
  await input.evaluate((element) => element.select());
  await input.type(text);
  await panel
    .frame()
    .waitForFunction(
      (name, text) =>
        [
          ...(document.querySelector(`input[name="${name}"]`)?.parentElement?.querySelectorAll('[role=option]') ?? []),
        ][0]?.textContent?.includes(text),
      {},
      name,
      text,
    );
  await input.press('Enter');
}

/** Pastes into an editor of JSON, in whichever of its two forms it is there. */
export async function fillJson(name: string, text: string): Promise<void> {
  const frame = panel.frame();
  await (await frame.waitForSelector(`[name="${name}"]`))!.focus();
  const editor = await waitFor(
    `the editor ${name}`,
    async () => (await frame.$(`.cm-content[name="${name}"]`)) ?? (await frame.$(`textarea[name="${name}"][wrap=off]`)),
  );
  await editor.focus();
  await editor.evaluate(pasteOver, text);
}

/** The logged runs of an action, newest first. */
export const runsOf = async (appId: number, id: number): Promise<LogList['logs']> => {
  return (await ask<LogList>(bed.platform, `/v1/apps/${appId}/logs?id=${id}`)).logs;
};

export const select = (name: string, value: string) => panel.frame().select(`select[name="${name}"]`, value);

/** The problems by path, as listed. */
const problems = (): Promise<[string, string][]> =>
  panel
    .frame()
    .$$eval('[data-problem]', (items) =>
      items.map(
        (item) =>
          [item.getAttribute('data-problem') ?? '', item.querySelector('.untrusted')?.textContent ?? ''] as [
            string,
            string,
          ],
      ),
    );

export const problemsAre = (expected: [string, RegExp][]) =>
  waitFor(`the problems ${expected.map(([path]) => path).join()}`, async () => {
    const found = await problems();
    return (
      found.length === expected.length &&
      found.every(([path, message], index) => path === expected[index]![0] && expected[index]![1].test(message))
    );
  });

export const saved = () =>
  waitFor(
    'the draft to be saved',
    async () => (await panel.frame().$eval('.edit-status', (element) => element.textContent)) === 'Saved',
  );

export const actions = async (appId: number): Promise<Action[]> => {
  return (await ask<{ actions: Action[] }>(bed.platform, `/v1/apps/${appId}/actions`)).actions;
};
