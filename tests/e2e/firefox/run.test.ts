import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { ensureBrowser } from '../../../lib/browser-driver/find-browser.ts';
import { until } from '../../../lib/browser-driver/until.ts';
import { compileUrl } from '../../../lib/platform-api/index.ts';
import { startPlatform } from '../../../lib/local-platform/index.ts';
import { openToolboxPanel, type ToolboxPanel } from '../../../lib/browser-driver/firefox/toolbox.ts';
import { type Firefox, startFirefox } from '../../../lib/browser-driver/firefox/marionette.ts';
import { findAction } from '../../support/test-bed.ts';

const HOST = '5d0f3a1e-7a0c-4c39-9a4e-6f2b1c0d8e77';

let platform: Awaited<ReturnType<typeof startPlatform>>;
let firefox: Firefox;
beforeAll(async () => {
  platform = await startPlatform({ port: 0, data: 'memory' });
  firefox = await startFirefox(ensureBrowser('firefox'), { 'devtools@platform.example': HOST });
  expect(await firefox.install(inject('firefoxExtension'))).toBe('devtools@platform.example');
});
afterAll(async () => {
  await firefox?.close();
  await platform?.close();
});

test('web-ext lint finds no error in the build for Firefox', async () => {
  const child = spawn(
    process.execPath,
    [
      'node_modules/web-ext/bin/web-ext.js',
      'lint',
      '--source-dir',
      inject('firefoxExtension'),
      '--output',
      'json',
      '--no-config-discovery',
    ],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  const [output] = await Promise.all([text(child.stdout), once(child, 'close')]);
  const { errors } = JSON.parse(output.slice(output.indexOf('{'))) as { errors: unknown[] };
  expect(errors).toEqual([]);
});

test('an environment is entered on the options page, its token masked', async () => {
  await firefox.navigate(`moz-extension://${HOST}/options.html`);
  if (!(await firefox.content<boolean>("return document.querySelector('input[name=name]') !== null;")))
    await pressInPage('Add environment');
  await firefox.click('select[name=preset] option[value=local]');
  await firefox.type('input[name=name]', 'Local');
  await firefox.type('input[name=baseUrl]', platform.baseUrl);
  await firefox.type('[name=token]', platform.authToken);
  await pressInPage('Save');
  const shown = await until('the saved environment', async () => {
    const shown = await firefox.content<string>('return document.body.innerText;');
    return shown.includes(platform.authToken.slice(-4)) ? shown : null;
  });
  expect(shown).toContain('Local');
  expect(shown).not.toContain(platform.authToken);
});

test('the panel in the toolbox opens an action and runs it', async () => {
  const { appId, taskId } = findAction(platform, 'is-email-registered');
  await firefox.navigate('about:blank');
  const panel = await openToolboxPanel(firefox);
  await until('the environment in the panel', () =>
    panel.evaluate<boolean>(
      "return [...document.querySelectorAll('select[name=environment] option')].some((option) => option.textContent.includes('Local'));",
    ),
  );
  await panel.evaluate(enter, 'input[name=url]', compileUrl(platform.baseUrl, appId, taskId));
  await press(panel, 'Open');
  await until(
    'the pipeline',
    () => panel.evaluate<boolean>("return document.querySelector('[role=treeitem][data-path]') !== null;"),
    30_000,
  );
  await panel.evaluate(enter, 'textarea[name=payload]', '{"email": "nobody@nowhere.example"}');
  await press(panel, 'Run');
  const result = await until(
    'the result',
    () =>
      panel.evaluate<string | null>(
        "return document.querySelector('[data-result]')?.getAttribute('data-result') ?? null;",
      ),
    30_000,
  );
  expect(JSON.parse(result)).toBe('nobody@nowhere.example is not registered');
  const paths = await panel.evaluate<string[]>(
    "return [...document.querySelectorAll('[data-timeline] [data-step]')].map((row) => row.getAttribute('data-path'));",
  );
  expect(paths).toEqual(['/0', '/1', '/1/elseFunctions/0']);
});

/** Puts a text into a field of the panel, as typing does. */
const enter = `
  const [, selector, text] = arguments;
  const field = document.querySelector(selector);
  field.value = text;
  field.dispatchEvent(new document.defaultView.Event('input', { bubbles: true }));
`;

async function press(panel: ToolboxPanel, name: string): Promise<void> {
  await until(`the button ${name}`, () =>
    panel.evaluate<boolean>(
      `const button = [...document.querySelectorAll('button:not([role=tab])')].find((each) => (each.getAttribute('aria-label') ?? each.textContent).trim() === arguments[1] && each.getAttribute('aria-disabled') !== 'true');
      button?.click();
      return button !== undefined;`,
      name,
    ),
  );
}

/** Clicks the button with this text, found in the page because CSS has no selector for a text. */
async function pressInPage(name: string): Promise<void> {
  await until(`the button ${name}`, () =>
    firefox.content<boolean>(
      "const button = [...document.querySelectorAll('button')].find((each) => each.textContent.trim() === arguments[0]); button?.setAttribute('data-test-target', ''); return button !== undefined;",
      name,
    ),
  );
  await firefox.click('[data-test-target]');
  await firefox.content("document.querySelector('[data-test-target]')?.removeAttribute('data-test-target');");
}
