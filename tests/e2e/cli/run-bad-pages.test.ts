/** Debug pages that don’t load, don’t run, don’t end, or go away while the command line runs their action. */
import { mkdtempSync, readdirSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ActionRun, runAction, type RunArgs, type RunHooks } from '../../../lib/cli/operations/run.ts';
import { isExhaustive } from '../../support/exhaustive.ts';
import { type DebugPages, FOREIGN_TOKEN, startDebugPages } from '../../support/servers/debug-pages.ts';
import { sharedRunBrowser } from '../../support/run-browser.ts';
import { FOREIGN_PAGES } from '../../support/servers/foreign-pages.ts';

const running = (body: string): string =>
  `window.ENV = { appId: 7, taskId: 1, mode: 'preview', taskPipeline: [{ functionPackage: 'com.example.function.a' }] };
   window.Platform = { App: { Actions: { Pipeline: { run() { ${body} } } } } };`;

let elsewhere: DebugPages;
let pages: DebugPages;
beforeAll(async () => {
  elsewhere = await startDebugPages({});
  const html = (text: string) => (_: unknown, response: ServerResponse) =>
    void response.writeHead(200, { 'content-type': 'text/html' }).end(text);
  pages = await startDebugPages({
    1: FOREIGN_PAGES.bare.replaceAll('Acme', 'Platform'),
    2: html('<!doctype html><title>Log in</title><form><input name="user"><input type="password"></form>'),
    3: FOREIGN_PAGES['no-pipeline'],
    4: 'window.ENV = { taskPipeline: [] }; window.Platform = { App: { Actions: {} } };',
    5: FOREIGN_PAGES['never-ends'],
    6: FOREIGN_PAGES['busy-for-ever'],
    7: FOREIGN_PAGES['navigates-away'],
    8: FOREIGN_PAGES['returns-6-mb'],
    9: FOREIGN_PAGES['returns-a-cycle'],
    10: FOREIGN_PAGES['returns-a-bigint'],
    11: FOREIGN_PAGES['throws-a-string'],
    12: (request, response) => {
      if (request.url!.includes('/compile'))
        html('<!doctype html><script src="/v1/apps/7/tasks/12/page.js"></script>')(0, response);
    },
    13: running("location.href = 'chrome://crash'; alert('stay'); return new Promise(() => {})"),
    14: running(
      'setTimeout(() => { for (const all = []; ; ) all.push(new Array(1e7).fill(1.5)); }); return new Promise(() => {})',
    ),
    15: (request, response) => {
      if (request.url!.includes('/compile')) response.writeHead(302, { location: '/v1/apps/7/tasks/15/page' }).end();
      else html(`<!doctype html><script>${running("return Promise.resolve('there')")}</script>`)(0, response);
    },
    16: `for (const src of ['${elsewhere.baseUrl}/frame', '/v1/apps/7/tasks/16/frame']) {
        const frame = document.createElement('iframe');
        frame.src = src;
        document.documentElement.append(frame);
      }
      ${running(
        `return fetch('${elsewhere.baseUrl}/collect').catch(() => 0).then(() => fetch('/v1/apps/7/tasks/16/data')).then(() => 'fetched')`,
      )}`,
    20: "if (!sessionStorage.once) { sessionStorage.once = 1; addEventListener('load', () => setTimeout(() => location.reload(), 100)); }",
    21: `const given = new URLSearchParams(location.search).get('payload'); ${running('return Promise.resolve(given)')}`,
    17: running('window.open("/v1/apps/7/tasks/17/popup"); location.reload(); return new Promise(() => {})'),
    19: "addEventListener('load', () => setTimeout(() => (location.href = '/login'), 100))",
    18: running(
      "return Promise.resolve({ access_token: 'tok-123456789', note: 'Authorization: Bearer abcdefghijklmnop', own: '" +
        FOREIGN_TOKEN +
        "' })",
    ),
  });
});
afterAll(async () => {
  await pages?.close();
  await elsewhere?.close();
});

/** In a browser of its own. */
const runAlone = (action: number, args: Partial<RunArgs> = {}, hooks?: RunHooks): Promise<ActionRun> =>
  runAction(
    { connection: { baseUrl: pages.baseUrl, token: FOREIGN_TOKEN }, appId: 7, action: String(action), ...args },
    hooks,
  );
const run = (action: number, args: Partial<RunArgs> = {}): Promise<ActionRun> =>
  runAlone(action, args, { startBrowser: sharedRunBrowser });
const profiles = (): string[] =>
  readdirSync(tmpdir()).filter((name) => name.startsWith(`platform-devtools-run-${process.pid}-`));

describe('a page that can’t run its action', () => {
  test('is refused before a browser starts: another status, and a revoked token', async () => {
    await expect(run(99)).rejects.toMatchObject({ value: { code: 'NOT_FOUND', status: 404 } });
    const connection = { baseUrl: pages.baseUrl, token: 'revoked-token' };
    await expect(run(1, { connection })).rejects.toMatchObject({ value: { code: 'TOKEN_REFUSED', status: 401 } });
  });

  // Each of them is waited for. The page that reloads below is refused, too, and the unit tests of `page-ready` have the rules.
  if (isExhaustive())
    test.each([
      ['a login page', 2, 'PLATFORM_ABSENT'],
      ['a page that goes to a login page', 19, 'PLATFORM_ABSENT'],
      ['a page without steps', 3, 'PIPELINE_MISSING'],
      ['a page whose runtime can’t run a pipeline', 4, 'PLATFORM_NO_PIPELINE'],
    ])('is refused: %s', async (_, action, code) => {
      await expect(run(action)).rejects.toMatchObject({ value: { code, hint: expect.any(String) } });
    });

  test('whose script never loads is given up', async () => {
    // Other tests have a browser of their own, and no profile of it may stay.
    const given = isExhaustive() ? runAlone : run;
    await expect(given(12, { loadLimit: 1_500 })).rejects.toMatchObject({
      value: { code: 'PAGE_SLOW', message: expect.stringContaining('Nothing was run.') },
    });
  });

  if (isExhaustive()) test('leaves no profile behind', () => expect(profiles()).toEqual([]));
});

describe('a run', () => {
  test('of a page that the platform redirects within its origin, and of a runtime that reads the payload at load', async () => {
    expect((await run(15)).run).toMatchObject({ state: 'completed', result: 'there' });
    const { run: given } = await run(21, { payload: '{ "a": 1 }' });
    expect(given).toMatchObject({ state: 'completed', result: '{"a":1}' });
  });

  test('that never ends is stopped at the time limit, or its page is closed if it’s busy', async () => {
    for (const action of isExhaustive() ? [5, 6] : [6]) {
      const { run: stopped, recording } = await run(action, { timeout: 1_000 });
      const message =
        action === 5
          ? 'The action was stopped: it didn’t end within 1 second.'
          : 'Couldn’t confirm whether the run stopped: its page didn’t respond, and was closed.';
      expect(stopped).toMatchObject({
        state: action === 5 ? 'stopped' : 'interrupted',
        failure: { code: 'TIMEOUT', message },
      });
      expect(recording).toBeNull();
    }
  });

  test('whose page goes away is interrupted, because it’s unknown what it has done', async () => {
    for (const action of isExhaustive() ? [7, 17] : [7])
      expect((await run(action)).run).toMatchObject({ state: 'interrupted', failure: { code: 'RUN_LOST' } });
  });

  // In `run-action`, a page crashes in less time.
  if (isExhaustive())
    test('whose page runs out of memory is interrupted', async () => {
      expect((await run(14)).run).toMatchObject({ state: 'interrupted', failure: { code: 'PAGE_CRASHED' } });
    });

  // The unit tests of values have these results.
  if (isExhaustive())
    test('has results that are huge, that contain themselves, or that JSON doesn’t have', async () => {
      const huge = await run(8);
      expect(huge.run.state).toBe('completed');
      expect((huge.run.result as string).length).toBe(6 * 1024 * 1024);
      expect((await run(9)).run.result).toEqual({ name: 'ring', self: { $: 'lost', value: 'cycle' } });
      expect((await run(10)).run.result).toEqual({ $: 'bigint', value: '12345678901234567890' });
    });

  // The unit tests of the agent have this failure.
  if (isExhaustive())
    test('that throws a string fails with it', async () => {
      expect((await run(11)).run).toMatchObject({
        state: 'failed',
        failure: { message: expect.stringContaining('just a string') },
      });
    });

  // A busy page, which is stopped above, keeps more from working than a dialog.
  if (isExhaustive())
    test('isn’t stopped by a dialog of its page', async () => {
      const { run: ended } = await run(13, { timeout: 1_500 });
      expect(ended.failure!.code).toBe('TIMEOUT');
    });

  test('masks what looks like a credential, and the token', async () => {
    const { run: masked } = await run(18);
    expect(masked.result).toEqual({
      access_token: { $: 'lost', value: 'masked' },
      note: { $: 'lost', value: 'masked', text: expect.stringContaining('••••') },
      own: { $: 'lost', value: 'masked', text: '••••' },
    });
    expect(JSON.stringify(masked)).not.toContain(FOREIGN_TOKEN);
  });
});

describe('the token', () => {
  const tokensOf = (path: string): (string | undefined)[] =>
    [...pages.requests, ...elsewhere.requests].filter((request) => request.path === path).map(({ token }) => token);

  test('goes with the request of the page, and with no other one of the page, its frames, or other hosts', async () => {
    pages.requests.length = 0;
    expect((await run(16)).run).toMatchObject({ state: 'completed', result: 'fetched' });
    expect(tokensOf('/v1/apps/7/tasks/16/compile?html')).toEqual([FOREIGN_TOKEN]);
    for (const path of ['/v1/apps/7/tasks/16/page.js', '/v1/apps/7/tasks/16/data', '/v1/apps/7/tasks/16/frame'])
      expect([path, ...tokensOf(path)]).toEqual([path, undefined]);
    for (const path of ['/frame', '/collect']) expect([path, ...tokensOf(path)]).toEqual([path, undefined]);
  });

  test('doesn’t go with a reload by the page', async () => {
    pages.requests.length = 0;
    await expect(run(20)).rejects.toMatchObject({ code: 'PLATFORM_ABSENT' });
    expect(tokensOf('/v1/apps/7/tasks/20/compile?html')).toEqual([FOREIGN_TOKEN, undefined]);
  });
});

// A client of `mcp-run` cancels a run, and `run-command` is ended during one.
if (isExhaustive())
  describe('a run that is canceled', () => {
    test.each(['browser', 'page', 'run'] as const)(
      'while it’s at “%s” ends with ABORTED, without a profile',
      async (at) => {
        const controller = new AbortController();
        const canceled = runAlone(
          5,
          {},
          {
            signal: controller.signal,
            onProgress: ({ kind }) => void (kind === at && controller.abort()),
          },
        );
        await expect(canceled).rejects.toMatchObject({ code: 'ABORTED' });
        expect(profiles()).toEqual([]);
      },
    );
  });

test('without an installed browser, a run says what to install', async () => {
  const { CHROME_PATH, PATH } = process.env;
  try {
    delete process.env['CHROME_PATH'];
    process.env['PATH'] = mkdtempSync(`${tmpdir()}/no-browser-`);
    await expect(runAlone(1)).rejects.toMatchObject({
      value: { code: 'BROWSER_MISSING', hint: expect.stringMatching(/^Install Chrome, Chromium, or Edge/) },
    });
    process.env['CHROME_PATH'] = '/nowhere/chrome';
    await expect(runAlone(1)).rejects.toMatchObject({
      value: { code: 'BROWSER_MISSING', message: expect.stringContaining('/nowhere/chrome') },
    });
  } finally {
    Object.assign(process.env, { PATH });
    if (CHROME_PATH === undefined) delete process.env['CHROME_PATH'];
    else process.env['CHROME_PATH'] = CHROME_PATH;
  }
});
