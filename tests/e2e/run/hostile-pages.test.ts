/**
 * Pages that attack the extension: they get no token, run nothing in the panel, and are reported. Further pages are up to
 * the exhaustive test.
 */
import type { Page } from 'puppeteer-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { PanelPage } from '../../../lib/browser-driver/pages/panel-page.ts';
import { waitFor } from '../../../lib/browser-driver/wait-for.ts';
import { isExhaustive } from '../../support/exhaustive.ts';
import { type HostileServer, startHostilePages } from '../../support/servers/hostile-pages.ts';
import { findAction, startTestBed, type TestBed } from '../../support/test-bed.ts';

let bed: TestBed;
let pages: HostileServer;
let panel: PanelPage;
let dialogs: string[];
beforeAll(async () => {
  pages = await startHostilePages();
  bed = await startTestBed();
  await bed.enter();
  panel = await bed.panel();
  dialogs = [];
  for (const page of [panel.inspected, panel.devtools])
    page.on('dialog', (dialog) => void (dialogs.push(dialog.message()), dialog.dismiss()));
  // Violations of the policy, and unhandled errors: neither may happen.
  await panel.frame().evaluate(() => {
    const globals = globalThis as unknown as { faults: string[] };
    globals.faults = [];
    document.addEventListener('securitypolicyviolation', (event) =>
      globals.faults.push(`${event.effectiveDirective} ${event.blockedURI}`),
    );
    addEventListener('error', (event) => globals.faults.push(String(event.message)));
    addEventListener('unhandledrejection', (event) => globals.faults.push(String(event.reason)));
  });
});
afterAll(async () => {
  await bed?.close();
  await pages?.close();
});

async function expectHarmless(): Promise<void> {
  expect(
    await panel
      .frame()
      .evaluate(() => [
        (globalThis as { hacked?: unknown }).hacked ?? null,
        (globalThis as unknown as { faults: string[] }).faults,
      ]),
  ).toEqual([null, []]);
  expect(await panel.devtools.evaluate(() => (globalThis as { hacked?: unknown }).hacked)).toBeUndefined();
  expect(dialogs).toEqual([]);
  // As an expression: functions are called with what the page may have overridden.
  const loot = (await panel.inspected.evaluate(
    "let all = ''; for (let i = 0; i < loot.length; i++) all += loot[i] + ' '; all",
  )) as string;
  expect(loot).not.toContain(bed.platform.authToken);
  expect(loot).not.toContain('answered:');
}

/** The code of the panel’s notice or error for a page; null without one. */
const said = async (): Promise<string | null> => (await panel.pageState()) ?? (await panel.alert())?.code ?? null;

test('a page that overrides built-ins before it is inspected is reported as unreadable', async () => {
  await panel.inspected.goto(pages.url('overrides-built-ins'));
  await waitFor('a plain word', async () => /^PAGE_(UNREACHABLE|NONSENSE|EXCEPTION)$/.test((await said()) ?? ''));
  await expectHarmless();
});

test.each(isExhaustive() ? (['sets-traps', 'freezes-everything'] as const) : (['sets-traps'] as const))(
  'a page that %s is run like any other, and its markup is shown as text',
  async (page) => {
    await panel.inspected.goto(pages.url(page));
    await panel.pipelineShown();
    expect(await panel.run()).toBe('completed');
    expect(await panel.text()).toContain('<img src=x');
    await expectHarmless();
  },
);

if (isExhaustive()) {
  test('a page that posts messages to every window gets no response', async () => {
    await panel.inspected.goto(pages.url('shouts'));
    await panel.pipelineShown();
    expect(await panel.run()).toBe('completed');
    await expectHarmless();
  });

  test('a page whose Platform changes at each read leaves the panel usable', async () => {
    await panel.inspected.goto(pages.url('shadows-platform'));
    await waitFor(
      'a look at it',
      async () => (await panel.text()).includes('shadows-platform') || (await said()) !== null,
    );
    await expectHarmless();
  });
}

test('a page that forges the agent and its events only gets text into the panel, and the shown URL is the browser’s', async () => {
  await panel.inspected.goto(pages.url('forges-the-agent'));
  await waitFor('the forged run', async () => (await panel.runState()) !== null);
  await waitFor('its markup as text', async () => (await panel.text()).includes('<img src=x'));
  for (const name of ['Console', 'Network', 'Context', 'Settings', 'Error'])
    await panel
      .frame()
      .locator(`control/${name}[role="tab"]`)
      .setTimeout(2_000)
      .click()
      .catch(() => undefined);
  expect(
    await panel.frame().$$eval('main img, main script, main iframe, main a[href^="javascript"]', (all) => all.length),
  ).toBe(0);
  expect(await panel.text()).not.toContain('bank.example');
  await expectHarmless();
});

// Leaves a debug page open, whose payload has the editor that the next test looks at.
test('the panel runs an action after all hostile pages', async () => {
  const { app } = findAction(bed.platform, 'is-email-registered');
  await panel.choose({ environment: 'Local', app, action: 'is-email-registered' });
  await panel.open();
  await panel.setPayload('{"email": "after@trouble.example"}');
  await waitFor('the payload taken', async () => (await panel.text()).includes('after@trouble.example'));
  expect(await panel.run()).toBe('completed');
});

test('the panel’s document can’t turn text into markup or code, and its editor keeps its styles under that policy', async () => {
  const tried = await panel.frame().evaluate(() => {
    const attempt = (work: () => unknown): string => {
      try {
        work();
        return 'done';
      } catch (error) {
        return (error as Error).name;
      }
    };
    const { trustedTypes } = globalThis as unknown as {
      trustedTypes: { createPolicy(name: string, rules: object): unknown };
    };
    const markup = '<i>x</i>';
    return {
      innerHTML: attempt(() => (document.createElement('div').innerHTML = markup)),
      outerHTML: attempt(() => (document.body.appendChild(document.createElement('div')).outerHTML = markup)),
      insertAdjacentHTML: attempt(() => document.body.insertAdjacentHTML('beforeend', markup)),
      write: attempt(() => document.write(markup)),
      srcdoc: attempt(() => (document.createElement('iframe').srcdoc = markup)),
      parse: attempt(() => new DOMParser().parseFromString(markup, 'text/html')),
      script: attempt(() => (document.createElement('script').src = '/background.js')),
      handler: attempt(() => document.body.setAttribute('onclick', 'globalThis.hacked = 1')),
      policy: attempt(() => trustedTypes.createPolicy('mine', { createHTML: (text: string) => text })),
      editor: getComputedStyle(document.querySelector('.cm-content')!).whiteSpace,
    };
  });
  expect(tried).toEqual({
    innerHTML: 'TypeError',
    outerHTML: 'TypeError',
    insertAdjacentHTML: 'TypeError',
    write: 'TypeError',
    srcdoc: 'TypeError',
    parse: 'TypeError',
    script: 'TypeError',
    handler: 'TypeError',
    policy: 'TypeError',
    editor: 'break-spaces',
  });
});

test('a page without DevTools can’t detect the extension even with its id', async () => {
  const page = await bed.extension.browser.newPage();
  await page.goto(pages.url('probes'));
  const found = await probe(page, bed.extension.extensionId);
  // The same as for an extension that doesn’t exist.
  expect(found).toEqual(await probe(page, 'abcdefghijklmnopabcdefghijklmnop'));
  expect(found).toMatchObject({ runtime: 'undefined undefined', image: 'error', script: 'error', timing: '0' });
  expect(
    Object.entries(found)
      .filter(([name]) => name.startsWith('fetch') || name === 'import')
      .map(([, text]) => text),
  ).toEqual(Array.from({ length: 7 }, () => expect.stringContaining('TypeError')));
  const traces = await page.evaluate(() => ({
    names: [
      ...Object.getOwnPropertyNames(globalThis),
      ...Object.getOwnPropertyNames(document),
      ...Object.getOwnPropertySymbols(globalThis).map(String),
    ].filter((name) => /devtools|extension/i.test(name)),
    dom: [...document.querySelectorAll('*')]
      .flatMap((element) => [element.localName, ...element.getAttributeNames()])
      .filter((name) => /devtools|platform/i.test(name)),
    sheets: document.adoptedStyleSheets.length + [...document.styleSheets].length,
    stack: new Error('where').stack?.includes('extension'),
  }));
  expect(traces).toEqual({ names: [], dom: [], sheets: 0, stack: false });
  await page.close();
});

/** What the page finds of an extension, by the way it tried, without the extension’s ID, which errors repeat. */
async function probe(page: Page, id: string): Promise<Record<string, string>> {
  const found = await page.evaluate(
    (id) => (globalThis as unknown as { probe(id: string): Promise<Record<string, string>> }).probe(id),
    id,
  );
  return Object.fromEntries(Object.entries(found).map(([name, text]) => [name, text.replaceAll(id, 'id')]));
}
