/** Kills the worker at boundaries of messages: nothing is lost or doubled, and no sender waits over 5 seconds. */
import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import type { Result } from '../../../lib/platform-api/index.ts';
import { RULES } from '../../../lib/extension/messaging/rules.ts';
import { NAMES } from '../../support/boundaries/cases.ts';
import { killAll, RESPONSE_LIMIT, someKills } from '../../support/boundaries/kills.ts';
import { ask, bed, closeWorld, environments, pageOf, sender, startWorld } from '../../support/boundaries/world.ts';

beforeAll(startWorld);
afterAll(closeWorld);

test('every message has its case in this test', () => {
  expect([...NAMES].sort()).toEqual(Object.keys(RULES).sort());
});

test('a worker killed at any boundary of any message loses nothing, does nothing twice, and leaves no sender waiting', async () => {
  const kills = someKills(1);
  expect(kills).toHaveLength(12);
  const { counts } = await killAll(kills);
  // At least some kills happen in time.
  expect(counts['WORKER_UNREACHABLE'], JSON.stringify(counts)).toBeGreaterThanOrEqual(1);
});

test('neither build lets a page or another extension send messages to the worker', async () => {
  for (const folder of [inject('chromeExtension'), inject('firefoxExtension')]) {
    const manifest = JSON.parse(await readFile(`${folder}/manifest.json`, 'utf8')) as object;
    for (const entryPoint of [
      'content_scripts',
      'web_accessible_resources',
      'externally_connectable',
      'sandbox',
      'user_scripts',
    ])
      expect(manifest, `${folder}: ${entryPoint}`).not.toHaveProperty(entryPoint);
    const worker = await readFile(`${folder}/background.js`, 'utf8');
    // The polyfill names every API; to listen is what counts.
    for (const event of ['onMessageExternal', 'onConnectExternal', 'onUserScriptMessage'])
      expect(worker, `${folder}: ${event}`).not.toMatch(new RegExp(`${event}\\??\\.addListener`));
    // One for messages, and one for the port of the frame that sends a change.
    expect(worker.match(/\.onMessage\.addListener/g)).toHaveLength(2);
    expect(worker.match(/onConnect\.addListener/g)).toHaveLength(1);
  }
});

test('a page that tries every way of sending messages doesn’t reach the worker at all', async () => {
  const page = await bed.extension.browser.newPage();
  await page.goto(`${bed.platform.baseUrl}/`);
  const tried = await page.evaluate(async (id) => {
    const { chrome } = globalThis as unknown as {
      chrome?: {
        runtime?: { sendMessage(id: string, message: object): Promise<unknown>; connect(id: string): unknown };
      };
    };
    const message = { to: 'background', name: 'environments.list' };
    const sent = chrome?.runtime
      ? await Promise.resolve()
          .then(() => chrome.runtime!.sendMessage(id, message))
          .catch(() => 'refused')
      : 'no way';
    const framed = await Promise.all(
      ['options', 'panel', 'popup', 'app'].map(
        (surface) =>
          new Promise<string>((resolve) => {
            const frame = document.createElement('iframe');
            frame.src = `chrome-extension://${id}/${surface}.html`;
            // The frame may have any content, but must never be reachable from here as a page of the extension.
            frame.addEventListener('load', () => {
              frame.contentWindow?.postMessage(message, '*');
              resolve(frame.contentDocument === null ? 'closed' : frame.contentDocument.URL);
            });
            document.documentElement.append(frame);
          }),
      ),
    );
    window.postMessage(message, '*');
    return { sent, framed };
  }, bed.extension.extensionId);
  expect(tried.sent).toMatch(/^(no way|refused)$/);
  expect(new Set(tried.framed)).toEqual(new Set(['closed']));
  const frames = page.frames().slice(1);
  expect(frames.map((frame) => frame.url()).filter((url) => url.startsWith('chrome-extension:'))).toEqual([]);
  await page.close();
  expect(await ask('options', 'messages.refused')).toMatchObject({ refusals: [] });
});

test('when the extension is reloaded under an open panel, no message keeps waiting for a response', async () => {
  await bed.enter({ name: 'Stays' });
  const panel = await bed.panel();
  await panel.choose({ environment: 'Stays' });
  const frame = panel.frame();
  await frame.evaluate(sender);
  const { id } = (await environments())[0]!;
  const options = await pageOf('options');
  const started = performance.now();
  await options
    .evaluate(() => (globalThis as unknown as { chrome: { runtime: { reload(): void } } }).chrome.runtime.reload())
    .catch(() => 'gone with it');
  const outcome = await frame
    .evaluate(
      (environmentId) =>
        (globalThis as unknown as { send(name: string, takes: unknown): Promise<Result<unknown>> }).send('apps.list', {
          environmentId,
        }),
      id,
    )
    .catch(() => 'gone');
  expect(performance.now() - started).toBeLessThan(RESPONSE_LIMIT);
  if (typeof outcome !== 'string')
    expect(outcome).toMatchObject({
      ok: false,
      error: {
        code: expect.stringMatching(/^(EXTENSION_RELOADED|WORKER_UNREACHABLE)$/),
        hint: expect.stringContaining('close and reopen DevTools'),
      },
    });
});
