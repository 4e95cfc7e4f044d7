/** The main job in Firefox: from the options page to the result of a run. */
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { waitFor } from '../../../lib/browser-driver/wait-for.ts';
import { type Platform, startPlatform } from '../../../lib/local-platform/index.ts';
import { compileUrl } from '../../../lib/platform-api/index.ts';
import { openToolboxPanel, type ToolboxPanel } from '../../../lib/browser-driver/firefox/toolbox.ts';
import { type FirefoxBed, startFirefoxBed } from '../../support/firefox-bed.ts';
import { startForeignPages } from '../../support/servers/foreign-pages.ts';
import { FOREIGN_FUNCTIONS } from '../../support/servers/foreign-runtimes.ts';
import { findAction } from '../../support/test-bed.ts';

let bed: FirefoxBed;
let panel: ToolboxPanel | undefined;

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

  test('in Firefox, on a platform that offers only what the specification shows, the page’s actions are listed and run', async () => {
    const platform = await startPlatform({ port: 0, data: 'memory', oauthDemoPort: null, specOnly: true });
    onTestFinished(() => platform.close());
    await (await bed.openOptions()).addEnvironment('Specified', platform.baseUrl, platform.authToken);
    const panel = await panelOf('Specified');
    expect(await openAndRun(panel, platform)).toBe('nobody@nowhere.example is not registered');
    await panel.evaluate(chooseTab, 'Actions');
    const { taskId } = findAction(platform, 'is-email-registered');
    await waitFor('the action in the list', () =>
      panel.evaluate<boolean>(
        `const row = document.querySelector('[data-actions] [data-action="${taskId}"]');
      row?.click();
      return row !== null;`,
      ),
    );
    await press(panel, 'Run with result');
    await waitFor('the result', () =>
      panel.evaluate<boolean>(
        "return document.querySelector('[data-run-result]')?.getAttribute('data-run-result') === '\"nobody@nowhere.example is not registered\"';",
      ),
    );
  });

  test('in Firefox, Open starts the agent before the first script of another installation’s page', async () => {
    const pages = await startForeignPages();
    try {
      const name = `Elsewhere at ${new URL(pages.origin).port}`;
      await (await bed.openOptions()).addEnvironment(name, pages.origin, 'a-token-of-elsewhere');
      const panel = await panelOf(name);
      await panel.evaluate(enter, 'input[name=url]', pages.debugPage('class'));
      await press(panel, 'Open');
      await waitFor('functions that are traced', () =>
        panel.evaluate<boolean>("return document.querySelector('.notice[data-code=TRACING_WRAPPED]') !== null;"),
      );
      await press(panel, 'Run');
      await waitFor('the run’s steps', () =>
        panel.evaluate<boolean>(
          `return document.querySelector('[data-run-state=completed]') !== null && document.querySelectorAll('[data-timeline] [data-step]').length === ${FOREIGN_FUNCTIONS.length};`,
        ),
      );
      expect(await bed.firefox.content('return document.documentElement.dataset.stack;')).not.toContain('early-agent');
    } finally {
      await pages.close();
    }
  });
}

/** A panel as if it were new, in the same toolbox, with this environment chosen. */
async function panelOf(environment: string): Promise<ToolboxPanel> {
  await bed.firefox.navigate('about:blank');
  if (panel) await reload(panel);
  else panel = await openToolboxPanel(bed.firefox);
  const opened = panel;
  await waitFor('the environment in the panel', () =>
    opened.evaluate<boolean>(
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
  await opened.evaluate(chooseTab, 'Run');
  return opened;
}

/** Loads the panel’s document again, which forgets the previous page. */
async function reload(panel: ToolboxPanel): Promise<void> {
  await panel.evaluate("document.documentElement.dataset.previous = ''; document.location.reload();");
  await waitFor('the new document of the panel', () =>
    panel.evaluate<boolean>(
      "return document.readyState === 'complete' && document.location.pathname === '/panel.html' && !('previous' in document.documentElement.dataset);",
    ),
  );
}

/** Pastes the URL of a debug page, opens and runs it, and returns the result. */
async function openAndRun(panel: ToolboxPanel, platform: Platform): Promise<unknown> {
  const { appId, taskId } = findAction(platform, 'is-email-registered');
  await panel.evaluate(enter, 'input[name=url]', compileUrl(platform.baseUrl, appId, taskId));
  await press(panel, 'Open');
  await waitFor(
    'the pipeline',
    () => panel.evaluate<boolean>("return document.querySelector('[role=treeitem][data-path]') !== null;"),
    30_000,
  );
  await panel.evaluate(enter, 'textarea[name=payload]', '{"email": "nobody@nowhere.example"}');
  await press(panel, 'Run');
  const result = await waitFor(
    'the result',
    () =>
      panel.evaluate<string | null>(
        "return document.querySelector('[data-result]')?.getAttribute('data-result') ?? null;",
      ),
    30_000,
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
