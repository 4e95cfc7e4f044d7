/** The main job in Firefox: from the options page to the result of a run. Other platforms are up to the exhaustive tests. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { waitFor } from '../../../lib/browser-driver/wait-for.ts';
import type { Platform } from '../../../lib/local-platform/index.ts';
import { compileUrl } from '../../../lib/platform-api/index.ts';
import { openToolboxPanel, type ToolboxPanel } from '../../../lib/browser-driver/firefox/toolbox.ts';
import { type FirefoxBed, startFirefoxBed } from '../../support/firefox-bed.ts';
import { findAction } from '../../support/test-bed.ts';

let bed: FirefoxBed;

export function runTests(): void {
  beforeAll(async () => {
    bed = await startFirefoxBed();
  });
  afterAll(() => bed?.close());

  test('in Firefox, the options page saves an environment and masks its token', async () => {
    const options = await bed.openOptions();
    await options.addEnvironment('Local', bed.platform.baseUrl, bed.platform.authToken);
    const text = await options.text();
    expect(text).toContain('Local');
    expect(text).not.toContain(bed.platform.authToken);
  });

  test('in Firefox, the panel opens an action and runs it', async () => {
    const panel = await panelOf('Local');
    expect(await openAndRun(panel, bed.platform)).toBe('nobody@nowhere.example is not registered');
    const paths = await panel.evaluate<string[]>(
      "return [...document.querySelectorAll('[data-timeline] [data-step]')].map((row) => row.getAttribute('data-path'));",
    );
    expect(paths).toEqual(['/0', '/1', '/1/elseFunctions/0']);
  });
}

/** A panel with this environment chosen. */
async function panelOf(environment: string): Promise<ToolboxPanel> {
  await bed.firefox.navigate('about:blank');
  const panel = await openToolboxPanel(bed.firefox);
  await waitFor('the environment in the panel', () =>
    panel.evaluate<boolean>(
      `const select = document.querySelector('select[name=environment]');
      const option = [...(select?.options ?? [])].find((each) => each.textContent.includes(arguments[1]));
      if (!option) return false;
      select.value = option.value;
      select.dispatchEvent(new document.defaultView.Event('change', { bubbles: true }));
      return true;`,
      environment,
    ),
  );
  // The panel remembers its tab.
  await panel.evaluate(chooseTab, 'Run');
  return panel;
}

/** Pastes the URL of a debug page, opens and runs it, and returns the result. */
async function openAndRun(panel: ToolboxPanel, platform: Platform): Promise<unknown> {
  const { appId, taskId } = findAction(platform, 'is-email-registered');
  await panel.evaluate(enter, 'input[name=url]', compileUrl(platform.baseUrl, appId, taskId));
  await press(panel, 'Open');
  await waitFor('the pipeline', () =>
    panel.evaluate<boolean>("return document.querySelector('[role=treeitem][data-path]') !== null;"),
  );
  await panel.evaluate(enter, 'textarea[name=payload]', '{"email": "nobody@nowhere.example"}');
  await press(panel, 'Run');
  const result = await waitFor('the result', () =>
    panel.evaluate<string | null>(
      "return document.querySelector('[data-result]')?.getAttribute('data-result') ?? null;",
    ),
  );
  return JSON.parse(result);
}

const chooseTab =
  '[...document.querySelectorAll("[role=tab]")].find((tab) => tab.textContent === arguments[1]).click();';

/** Puts a text into a field of the panel, as typing does. */
const enter = `
  const [, selector, text] = arguments;
  const field = document.querySelector(selector);
  field.value = text;
  field.dispatchEvent(new document.defaultView.Event('input', { bubbles: true }));
`;

async function press(panel: ToolboxPanel, name: string): Promise<void> {
  await waitFor(`the button ${name}`, () =>
    panel.evaluate<boolean>(
      `const button = [...document.querySelectorAll('button:not([role=tab])')].find((each) => (each.getAttribute('aria-label') ?? each.textContent).trim() === arguments[1] && each.getAttribute('aria-disabled') !== 'true');
      button?.click();
      return button !== undefined;`,
      name,
    ),
  );
}
