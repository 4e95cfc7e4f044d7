/** The built agent in a real Chromium: hostile pages, requests, other realms, and policies. */
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser } from 'puppeteer-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { InspectorEvent } from '../../../lib/extension/inspector/index.ts';
import { inspectPage, type Inspected } from '../../support/agent-page.ts';
import { sharedChromium } from '../../support/shared-chromium.ts';

let browser: Browser;
let server: Server;
let origin: string;
/** What the server returns under `/page`. */
let html = '';
let policy = '';

beforeAll(async () => {
  server = createServer((request, response) => {
    const path = new URL(request.url!, 'http://x').pathname;
    if (path === '/page')
      return void response
        .writeHead(200, {
          'content-type': 'text/html; charset=utf-8',
          ...(policy && { 'content-security-policy': policy }),
        })
        .end(html);
    if (path === '/data')
      return void response
        .writeHead(201, { 'content-type': 'application/json', 'content-length': '11' })
        .end('{"data":[1]}'.slice(0, 11));
    if (path === '/chunks') return void response.writeHead(200).end('streamed', 'utf8');
    if (path === '/echo')
      return void request
        .on('data', () => {})
        .on('end', () =>
          response
            .writeHead(200, { 'content-type': 'application/json', 'x-auth-token': 'secret-in-a-header-1' })
            .end('{"name":"Ada","access_token":"secret-in-a-body-2"}'),
        );
    if (path === '/endless') return void response.writeHead(200, { 'content-type': 'text/plain' }).write('start');
    if (path === '/events')
      return void response.writeHead(200, { 'content-type': 'text/event-stream' }).write('data: 1\n\n');
    if (path === '/large')
      return void response.writeHead(200, { 'content-type': 'text/plain' }).end('x'.repeat(99_999));
    if (path === '/cut') return void request.socket.destroy();
    return void response.writeHead(404).end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  ({ browser } = await sharedChromium());
});
afterAll(() => {
  server?.closeAllConnections();
  server?.close();
});

const open: Inspected[] = [];
afterEach(async () => {
  for (const { inspector, page } of open.splice(0)) {
    inspector.dispose();
    await page.close();
  }
  policy = '';
});

/** A page whose run executes `body`. */
async function pageRunning(body: string, before = ''): Promise<Inspected> {
  html = `<!doctype html><p id="here" class="some class">text</p><script>ENV = { appId: 1, taskPipeline: [] }; Platform = { App: { Actions: { Pipeline: { async run() { ${body} } } } } }; ${before}</script>`;
  return pageWith();
}
async function pageWith(): Promise<Inspected> {
  const inspected = await inspectPage(await browser.newPage(), { timeout: 5_000 });
  open.push(inspected);
  await inspected.page.goto(`${origin}/page`);
  return inspected;
}

describe('a page that replaces built-ins', () => {
  it('is reported by code, and the inspector stays usable', async () => {
    const inspected = await pageRunning(
      'return { answer: [1, map, document.body] }',
      'map = new Map([["k", 1]]); Platform.App.Actions.get = async () => [{ id: 1, name: "a", at: date }, cyclic]; date = new Date(0); cyclic = {}; cyclic.self = cyclic;',
    );
    const state = await inspected.inspector.attach();
    await inspected.page.evaluate(`(() => {
      const boom = () => { throw new Error('touched') };
      const { ownKeys, defineProperty } = Reflect;
      const owners = [JSON, Reflect, Object, Math, history, performance, Number, Array, Promise];
      for (const made of [Array, String, RegExp, Map, Set, WeakMap, Promise, Function, Date, Error, Node, Element, EventTarget, History, Performance, URL, Symbol, Number]) owners.push(made.prototype);
      const all = owners.map((owner) => [owner, ownKeys(owner).filter((name) => name !== 'constructor' && name !== 'prototype')]);
      const throwing = { __proto__: null, get: boom, set: boom, configurable: true };
      for (let i = 0; i < all.length; i++) for (let j = 0; j < all[i][1].length; j++) { const name = all[i][1][j]; if (typeof all[i][0] !== 'function' || (name !== 'length' && name !== 'name')) defineProperty(all[i][0], name, throwing); }
      defineProperty(window['Object'].prototype, 'toJSON', { __proto__: null, value: () => 'forged', configurable: true });
      window.Promise = window.Array = window.Map = window.Proxy = window.setTimeout = window.Symbol = boom;
    })(), 'done'`);
    const events = await inspected.finish('{"a":[1]}');
    expect(events.map((event) => event.kind)).toEqual(['run-started', 'run-ended']);
    expect(events[1]).toMatchObject({
      state: 'completed',
      result: {
        entries: [
          [
            'answer',
            { t: 'array', items: [{ v: 1 }, { name: 'Map', entries: [['k', { v: 1 }]] }, { t: 'node', v: '<body>' }] },
          ],
        ],
      },
    });
    const target = { documentId: state.ok ? state.value.documentId : '', appId: 1, namespace: 'Platform' };
    const call = { path: 'App.Actions.get', args: [], limit: 5_000, task: 'load the actions' } as const;
    expect(await inspected.api.call(target, call)).toEqual({
      ok: true,
      value: [{ id: 1, name: 'a', at: '1970-01-01T00:00:00.000Z' }, null],
    });
  });
});

describe('requests of a run', () => {
  it('are reported with status, size, and failure, and the page gets its responses unchanged', async () => {
    const { finish, page } = await pageRunning(`
      const answer = await fetch('/data', { method: 'PUT', headers: { Authorization: 'Bearer secret' } });
      const text = await answer.text();
      await fetch(new URL('/chunks', location)).then((r) => r.text());
      await fetch(new Request('/missing', { method: 'DELETE' }));
      const failed = await fetch('/cut').catch((e) => e.name);
      const xhr = await new Promise((done) => { const x = new XMLHttpRequest(); x.onloadend = () => done(x.status + x.responseText); x.open('GET', '/data?x'); x.send() });
      const beacon = navigator.sendBeacon('/data', 'x');
      return [text, failed, xhr, beacon, fetch.name];`);
    const events = await finish();
    const started = events.filter((event) => event.kind === 'request-started');
    expect(started.map(({ request, method, url, step }) => [request, method, url.replace(origin, ''), step])).toEqual([
      [1, 'PUT', '/data', null],
      [2, 'GET', '/chunks', null],
      [3, 'DELETE', '/missing', null],
      [4, 'GET', '/cut', null],
      [5, 'GET', '/data?x', null],
      [6, 'POST', '/data', null],
    ]);
    const ended = events.filter((event) => event.kind === 'request-ended').sort((a, b) => a.request - b.request);
    expect(ended).toMatchObject([
      { request: 1, status: 201, bytes: 11 },
      { request: 2, status: 200 },
      { request: 3, status: 404 },
      { request: 4, status: null, error: expect.any(String) as string },
      { request: 5, status: 201, bytes: 11 },
      { request: 6, status: null },
    ]);
    expect(JSON.stringify(events)).not.toContain('secret');
    expect(events.at(-1)).toMatchObject({
      result: {
        items: [{ v: '{"data":[1]' }, { v: 'TypeError' }, { v: '201{"data":[1]' }, { v: true }, { v: 'fetch' }],
      },
    });
    expect(
      await page.evaluate(
        '[fetch, XMLHttpRequest.prototype.open, XMLHttpRequest.prototype.send, navigator.sendBeacon, console.log].every((fn) => String(fn).includes(fn.name))',
      ),
    ).toBe(true);
  });
});

describe('headers and bodies of requests', () => {
  const REQUESTS = `
      const sent = { method: 'POST', headers: { Authorization: 'Bearer secret-in-a-header-1', 'X-Trace': '7' }, body: '{"password":"secret-in-a-body-2","q":1}' };
      const echo = await (await fetch('/echo?access_token=secret-in-a-url-3&q=1', sent)).json();
      const xhr = await new Promise((done) => { const x = new XMLHttpRequest(); x.onloadend = () => done(x.responseText.length); x.open('POST', '/echo'); x.setRequestHeader('Cookie2', 'x'); x.setRequestHeader('auth-token', 'secret-in-a-header-1'); x.send('a=1&token=secret-in-a-body-2') });
      const large = (await (await fetch('/large')).text()).length;
      const endless = (await fetch('/endless')).body.getReader();
      const start = new TextDecoder().decode((await endless.read()).value);
      void endless.cancel();
      const events = (await fetch('/events')).body.getReader();
      await events.read();
      void events.cancel();
      return [echo.name, xhr, large, start];`;
  const RESULT = { items: [{ v: 'Ada' }, { v: 50 }, { v: 99_999 }, { v: 'start' }] };

  it('are recorded with secrets masked, bodies only if the user asked, and the page reads its own', async () => {
    const { finish, inspector } = await pageRunning(REQUESTS);
    const plain = await finish();
    expect(plain.at(-1)).toMatchObject({ state: 'completed', result: RESULT });
    expect(JSON.stringify(plain)).not.toContain('"body":');
    expect(plain.find((event) => event.kind === 'request-started')).toMatchObject({
      url: expect.stringMatching(/\/echo\?access_token=se….*\[\d+\]&q=1$/) as string,
      headers: [
        ['Authorization', 'Be…-1[27]'],
        ['X-Trace', '7'],
      ],
    });
    expect(plain.find((event) => event.kind === 'request-ended')).toMatchObject({
      headers: expect.arrayContaining([['content-type', 'application/json']]) as unknown,
    });

    await inspector.call('recordBodies', [true], (on) => on === true || null);
    const events = await finish();
    expect(events.at(-1)).toMatchObject({ state: 'completed', result: RESULT });
    const sent = events.filter((event) => event.kind === 'request-started');
    expect(sent.map(({ body }) => body?.text.replace(/:"[^"]*"/g, ''))).toEqual([
      '{"password","q":1}',
      expect.stringMatching(/^a=1&token=.*\[\d+\]$/),
      undefined,
      undefined,
      undefined,
    ]);
    const received = events.filter((event) => event.kind === 'request-ended' && event.body !== undefined);
    const bodies = new Map(received.map((event) => [event.kind === 'request-ended' && event.request, event]));
    expect(bodies.get(1)).toMatchObject({ body: { text: expect.stringContaining('"name":"Ada"') as string } });
    expect(bodies.get(2)).toMatchObject({ body: { text: expect.stringContaining('"name":"Ada"') as string } });
    expect(bodies.get(3)).toMatchObject({ body: { cut: 'length' } });
    // The page has canceled its own body, and the run is over.
    expect(bodies.get(4)).toMatchObject({ body: { text: 'start', cut: 'time' } });
    expect(bodies.get(5)).toMatchObject({ body: { text: '', cut: 'stream' } });
    expect(JSON.stringify([plain, events])).not.toMatch(/secret-in-a/);
  });
});

describe('values that only a browser has', () => {
  it('are described by their type', async () => {
    const { finish } = await pageRunning(`
      const frame = document.body.appendChild(document.createElement('iframe'));
      const other = frame.contentWindow;
      return { p: document.getElementById('here'), text: document.createTextNode('x'), document, error: new other.TypeError('from a frame'), date: new other.Date(0), list: new other.Array(1, 2),
        plain: new other.Object(), headers: new Headers(), blob: new Blob(['abc']), closed: structuredClone(new Set([1])) };`);
    const end = (await finish()).at(-1);
    if (end?.kind !== 'run-ended' || end.result?.t !== 'object') throw new Error(JSON.stringify(end));
    expect(Object.fromEntries(end.result.entries)).toMatchObject({
      p: { t: 'node', v: '<p id="here" class="some class">' },
      text: { t: 'node', v: '#text' },
      document: { t: 'node', v: '#document' },
      error: { t: 'error', name: 'TypeError', message: 'from a frame' },
      date: { t: 'date', v: '1970-01-01T00:00:00.000Z' },
      list: { t: 'array', length: 2 },
      plain: { t: 'object', size: 0 },
      headers: { t: 'object', name: 'Headers' },
      blob: { t: 'object', name: 'Blob' },
      closed: { name: 'Set', size: 1 },
    });
  });
});

describe('a page with the strictest content security policy', () => {
  it('is traced like any other', async () => {
    policy = "default-src 'none'; script-src 'unsafe-inline'; require-trusted-types-for 'script'; trusted-types 'none'";
    const { finish } = await pageRunning('console.log("hello"); return 1');
    expect((await finish()).map((event) => event.kind)).toEqual(['run-started', 'console', 'run-ended']);
  });
});

describe('a page that never responds', () => {
  it('is reported as busy, and works again after a navigation', async () => {
    const { inspector, next, page, received } = await pageRunning('for (;;);');
    await inspector.attach();
    expect(await inspector.start('{}')).toMatchObject({ ok: true });
    expect(await next((event) => event.kind === 'page-lost')).toMatchObject({ error: { code: 'PAGE_BUSY' } });
    expect(await inspector.stop()).toMatchObject({ ok: false, error: { code: 'PAGE_BUSY' } });
    html = '<script>Platform = { App: { Actions: { Pipeline: { run: () => "fresh" } } } }</script>';
    // Another site, so another process: the busy one cannot hold it up.
    await page.goto(`${origin.replace('127.0.0.1', 'localhost')}/page`);
    await next((event) => event.kind === 'page-recovered');
    await next((event) => event.kind === 'run-lost');
    await next(
      (event) => event.kind === 'page-changed' && event.state.platform === 'ready' && received.indexOf(event) > 0,
    );
    expect(await inspector.start('{}')).toMatchObject({ ok: true });
    const ended = await next((event) => event.kind === 'run-ended');
    expect(ended).toMatchObject({ state: 'completed', result: { v: 'fresh' } });
  });
});

describe('a run that leaves the page', () => {
  it.each([
    ['reloads', 'location.reload()', 'reload'],
    ['navigates away', 'location.href = "/page?other"', 'navigation'],
  ])('because it %s is received as lost, and the next one works', async (_name, code, reason) => {
    const { inspector, next } = await pageRunning(`${code}; await new Promise(() => {})`);
    await inspector.attach();
    expect(await inspector.start('{}')).toMatchObject({ ok: true });
    expect(await next((event) => event.kind === 'run-lost')).toMatchObject({ reason });
    const again = await inspector.start('{}');
    expect(again).toMatchObject({ ok: true });
    // Waits for this navigation too: closing a page that is navigating can block the driver.
    await next((event) => event.kind === 'run-lost' && again.ok && event.runId === again.value.runId);
  });
});

describe('a run whose page the browser brings back', () => {
  it('is there again, and waits before its next step until it’s resumed', async () => {
    html = `<!doctype html><script>
      fns = { first: () => new Promise((go) => (globalThis.go = go)), second: () => 'second' };
      ENV = { mode: 'preview', taskPipeline: [{ functionPackage: 'first' }, { functionPackage: 'second' }] };
      Platform = { Functions: { get: (name) => fns[name] }, App: { Actions: { Pipeline: { async run() {} } } } };</script>`;
    const { inspector, next, page, received } = await pageWith();
    await inspector.attach();
    const started = await inspector.start('{}', { engine: 'ours' });
    const runId = started.ok ? started.value.runId : '';
    await next((event) => event.kind === 'step-started');
    await page.goto(`${origin}/page?other`);
    const lost = await next((event) => event.kind === 'run-lost');
    await page.goBack();
    const isBack = (event: InspectorEvent): boolean =>
      event.kind === 'page-changed' &&
      event.state.run?.id === runId &&
      received.indexOf(event) > received.indexOf(lost);
    await next(isBack);
    await page.evaluate(() => (globalThis as unknown as { go(): void }).go());
    const paused = await next((event) => event.kind === 'paused');
    expect(paused).toMatchObject({ runId, reason: 'page-left' });
    expect(received.filter(({ kind }) => kind === 'run-started')).toHaveLength(1);
    const { pause } = paused as Extract<typeof paused, { kind: 'paused' }>;
    expect(await inspector.debugger.resume(pause, { go: 'resume' })).toMatchObject({ ok: true });
    expect(await next((event) => event.kind === 'run-ended')).toMatchObject({ state: 'completed' });
  });
});

describe('a runtime without an observer, reloaded with the agent', () => {
  it('is traced by the calls of its functions, however it creates its namespace', async () => {
    html = `<!doctype html>
      <script>ENV = { taskPipeline: [] }; var Platform = Platform || {};</script>
      <script>(function (P) { P.App = { Actions: { Pipeline: { async run() { const c = {}; await map.one({ a: 1 }, c); return map.two({}, c) } } } }; P.Functions = P.Functions || { register: function register(n, f) { map[n] = f } }; map = {} })(Platform)</script>
      <script>Platform.Functions.register('one', async (s, c) => { c.x = s.a; console.warn('one'); await fetch('/data') }); Platform.Functions.register('two', (s, c) => c.x + 1)</script>`;
    const { inspector, next, finish, received } = await pageWith();
    await inspector.attach();
    expect(received.at(-1)).toMatchObject({ state: { tracing: 'bare', canTraceAfterReload: true } });
    expect(await inspector.reloadWithAgent()).toMatchObject({ ok: true });
    await next((event) => event.kind === 'page-changed' && event.state.tracing === 'wrapped');
    const events = await finish();
    expect(events.map((event) => event.kind)).toEqual([
      'run-started',
      'step-started',
      'console',
      'request-started',
      'request-ended',
      'step-ended',
      'step-started',
      'step-ended',
      'run-ended',
    ]);
    expect(events.filter((event) => event.kind === 'console' || event.kind === 'request-started')).toMatchObject([
      { step: 1 },
      { step: 1 },
    ]);
    expect(events.at(-1)).toMatchObject({ result: { v: 2 } });
  });
});
