/** What a hostile page or file tries in Firefox: a run that ignores Stop, names that look like others, and environments. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { FirefoxPanel } from '../../../../lib/browser-driver/firefox/panel-page.ts';
import { ScriptedRun } from '../../../../lib/browser-driver/pages/scripted-run.ts';
import { waitFor } from '../../../../lib/browser-driver/wait-for.ts';
import { AGENT_KEY } from '../../../../lib/extension/inspector/agent-protocol.ts';
import { type FirefoxBed, startFirefoxBed } from '../../../support/firefox-bed.ts';
import { type PageServer, startPages } from '../../../support/servers/page-server.ts';

/** Its run never ends, and replaces the agent, which then says that it has stopped the run. */
const PAGE = `<!doctype html><script>
  document.documentElement.dataset.loads = sessionStorage.loads = 1 + Number(sessionStorage.loads ?? 0);
  ENV = { appId: 7, taskId: 9, organizationId: 1, mode: 'preview', taskPipeline: [{ functionPackage: 'pay\\u202eyap' }] };
  Platform = { App: { Actions: { Pipeline: { run() {
    const agent = window[${JSON.stringify(AGENT_KEY)}];
    const call = (part, method, args) => (method === 'stop' ? 'true' : agent.call(part, method, args));
    Object.defineProperty(window, ${JSON.stringify(AGENT_KEY)}, { value: { ...agent, call } });
    return new Promise(() => {});
  } } } } };
</script>`;

let bed: FirefoxBed;
let pages: PageServer<'page'>;
beforeAll(async () => {
  pages = await startPages((path) => (path === 'page' ? { type: 'html', text: PAGE } : undefined));
  bed = await startFirefoxBed();
}, 300_000);
afterAll(async () => {
  await bed?.close();
  await pages?.close();
});

test('in Firefox, an imported file shows each environment’s host before it’s stored, and an invalid one stores nothing', async () => {
  const options = await bed.openOptions();
  await options.addEnvironment('EU', 'https://api.example.com', 'a-token-of-the-eu');
  const choose = (baseUrl: string): Promise<void> =>
    options.evaluate(
      `const field = document.querySelector('[aria-label="Environments file to import"]');
      const given = new DataTransfer();
      given.items.add(new File([arguments[0]], 'environments.json', { type: 'application/json' }));
      field.files = given.files;
      field.dispatchEvent(new Event('change', { bubbles: true }));`,
      JSON.stringify({
        format: 'platform-devtools-environments',
        version: 1,
        environments: [{ name: 'E-U', preset: 'eu', baseUrl, token: 'a-token-of-the-file' }],
      }),
    );
  const listed = (): Promise<string[]> =>
    options.evaluate(
      "return [...document.querySelectorAll('article')].map((each) => each.getAttribute('aria-label'));",
    );

  await choose('javascript:alert(1)');
  await options.waitFor('[role=alert][data-code=IMPORT_INVALID]');
  expect(await listed()).toEqual(['EU']);
  await choose('https://evil.example');
  await options.waitFor('[aria-label="Environments in the file"]');
  expect(
    await options.evaluate<string>(
      "return document.querySelector('[aria-label=\"Environments in the file\"]').innerText.replace(/\\s+/g, ' ').trim();",
    ),
  ).toBe('E-U https://evil.example Not your EU, which is at api.example.com');
  expect(await listed()).toEqual(['EU']);
  await options.press('Import file');
  await waitFor('the imported environment', async () => (await listed()).length === 2);
  expect(await listed()).toEqual(['EU', 'E-U']);
  expect(await options.text()).not.toContain('••••file');
});

test('in Firefox, invisible characters are shown as escapes, and a run that ignores Stop offers to reload the page', async () => {
  await bed.firefox.navigate('about:blank');
  const panel = await FirefoxPanel.open(bed.firefox);
  await panel.press('Run', 'tab');
  await bed.firefox.navigate(pages.url('page'));
  expect(await panel.says('[role=treeitem][data-path="/0"]', /pay/)).toContain('pay\\u202eyap');

  await new ScriptedRun(panel).start();
  await panel.press('Stop');
  await panel.says('[role=alert][data-code=RUN_NOT_STOPPED]', /Reload the page to end it\./);
  await panel.press('Reload page');
  await waitFor('the reloaded page', () =>
    bed.firefox.content<boolean>("return document.documentElement.dataset.loads === '2';"),
  );
  await panel.says('[role=alert][data-code=RUN_LOST]', /The page was reloaded before the run ended\./);
  expect(await panel.has('[data-code=RUN_NOT_STOPPED]')).toBe(false);
});
