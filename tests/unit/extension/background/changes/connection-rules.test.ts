/** The request rules that keep Firefox from reusing connections to platforms. */
import type { DeclarativeNetRequest } from 'webextension-polyfill';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createChangeSender } from '../../../../../lib/extension/background/changes/change-sender.ts';
import { runAction } from '../../../../../lib/rest/index.ts';
import { toErrorValue } from '../../../../../lib/platform-api/index.ts';

let rules: DeclarativeNetRequest.Rule[];
let isRefused: boolean;
const browser = {
  getDynamicRules: async () => rules,
  async updateDynamicRules({
    addRules = [],
    removeRuleIds = [],
  }: {
    addRules?: typeof rules;
    removeRuleIds?: number[];
  }) {
    if (isRefused) throw new Error('Too many rules.');
    if (addRules.some(({ id }) => rules.some((rule) => rule.id === id))) throw new Error('The ID is taken.');
    rules = [...rules.filter(({ id }) => !removeRuleIds.includes(id)), ...addRules];
  },
};
const sender = () => createChangeSender(undefined, { getURL: () => 'moz-extension://host/' } as never, browser);
const filters = (): unknown[] => rules.map(({ condition }) => condition.urlFilter);
beforeEach(() => {
  rules = [];
  isRefused = false;
});

it('each origin has two rules, before its first request and after a restart of the worker', async () => {
  const changes = sender();
  await Promise.all([
    changes.prepare('https://api.example.com/eu'),
    changes.prepare('https://api.example.com/us'),
    changes.prepare('http://localhost:4400'),
  ]);
  await sender().prepare('http://localhost:4400');
  const [one, other] = ['|https://api.example.com/', '|http://localhost:4400/'];
  expect(filters()).toEqual([one, one, other, other]);
  const set = (header: string, value: string) => ({
    type: 'modifyHeaders',
    requestHeaders: [{ header, operation: 'set', value }],
  });
  expect(rules.slice(0, 2)).toMatchObject([
    { condition: { excludedResourceTypes: ['websocket'] }, action: set('Connection', 'close') },
    {
      condition: { requestMethods: ['post', 'put', 'delete'], initiatorDomains: ['host'] },
      action: set('Expect', '100-continue'),
    },
  ]);
});

it('rules follow the environments', async () => {
  const changes = sender();
  await changes.prepare('https://one.example');
  await changes.prepare('https://two.example');
  await changes.replace(['https://two.example/path', 'https://three.example']);
  expect(new Set(filters())).toEqual(new Set(['|https://two.example/', '|https://three.example/']));
});

it('a change isn’t sent without the rule, but data is still read', async () => {
  const changes = sender();
  isRefused = true;
  await changes.prepare('https://one.example');
  const connection = { baseUrl: 'https://one.example', token: 't', changes: changes.channel('https://one.example') };
  const error = await runAction(connection, { appId: 1, actionId: 2, payload: {} }).then(() => null, toErrorValue);
  expect(error).toMatchObject({ code: 'CHANGE_NOT_SENT', message: expect.stringContaining('Too many rules.') });
});

it('a conflict with a first copy isn’t reported as a change that wasn’t made', async () => {
  vi.stubGlobal('fetch', async () => new Response('{}', { status: 409 }));
  const entry = { requestStart: 10, nextHopProtocol: 'http/1.1', responseStart: 1_010, responseEnd: 1_040 };
  vi.spyOn(performance, 'getEntriesByName').mockReturnValue([entry as PerformanceResourceTiming]);
  const connection = { baseUrl: 'https://one.example', token: 't', changes: sender().channel('https://one.example') };
  const error = await runAction(connection, { appId: 1, actionId: 2, payload: {} }).then(() => null, toErrorValue);
  expect(error?.code).toBe('OUTCOME_UNKNOWN');
});

it.each([
  // Firefox reports the first copy’s end as the start of the response.
  ['slow request whose response seems to take long', { responseStart: 1_010, responseEnd: 1_040 }, 'OUTCOME_UNKNOWN'],
  ['slow request', { responseStart: 1_010, responseEnd: 1_012 }, null],
  ['request that the server confirmed at once', { responseStart: 12, responseEnd: 3_000 }, null],
  ['slow request over HTTP/2', { responseStart: 1_010, responseEnd: 1_040, nextHopProtocol: 'h2' }, null],
])('a %s is reported accordingly', async (_what, timing, code) => {
  vi.stubGlobal('fetch', async () => new Response('{"runId":"r1"}', { status: 202 }));
  const entry = { requestStart: 10, nextHopProtocol: 'http/1.1', ...timing } as PerformanceResourceTiming;
  vi.spyOn(performance, 'getEntriesByName').mockReturnValue([entry]);
  const connection = { baseUrl: 'https://one.example', token: 't', changes: sender().channel('https://one.example') };
  const error = await runAction(connection, { appId: 1, actionId: 2, payload: {} }).then(() => null, toErrorValue);
  expect(error?.code ?? null).toBe(code);
});

it('a slow request is noticed although another change starts before its response is read', async () => {
  let timings: object[] = [];
  vi.spyOn(performance, 'clearResourceTimings').mockImplementation(() => (timings = []));
  vi.spyOn(performance, 'getEntriesByName').mockImplementation(
    (url) => timings.filter((each) => 'name' in each && each.name === url) as PerformanceEntry[],
  );
  const body = new TransformStream<Uint8Array, Uint8Array>();
  const begun = Promise.withResolvers<void>();
  vi.stubGlobal('fetch', async (name: string) => {
    if (!name.includes('/actions/2/')) return new Response('{"runId":"r2"}', { status: 202 });
    timings.push({ name, requestStart: 10, nextHopProtocol: 'http/1.1', responseStart: 1_010, responseEnd: 1_040 });
    begun.resolve();
    return new Response(body.readable, { status: 202 });
  });
  const connection = { baseUrl: 'https://one.example', token: 't', changes: sender().channel('https://one.example') };
  const slow = runAction(connection, { appId: 1, actionId: 2, payload: {} }).then(() => null, toErrorValue);
  await begun.promise;
  await runAction(connection, { appId: 1, actionId: 3, payload: {} });
  const writer = body.writable.getWriter();
  await writer.write(new TextEncoder().encode('{"runId":"r1"}'));
  await writer.close();
  expect((await slow)?.code).toBe('OUTCOME_UNKNOWN');
});

afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});
