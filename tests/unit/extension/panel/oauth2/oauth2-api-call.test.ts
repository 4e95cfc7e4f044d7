/** Tests which API calls the panel offers (specification, "Options of `api(options)`"), and what else it offers for them. */
import { describe, expect, it } from 'vitest';
import type { RemoteValue } from '../../../../../lib/extension/inspector/contract.ts';
import type { ProbeRequest, ProbeResult } from '../../../../../lib/extension/inspector/oauth2/contract.ts';
import { curlOf } from '../../../../../lib/extension/panel/oauth2/curl.ts';
import { DemoFaults, faultPageOf } from '../../../../../lib/extension/panel/oauth2/demo-service.ts';
import type { ServiceOption } from '../../../../../lib/extension/panel/oauth2/types.ts';
import { dataProblem, methodsOf } from '../../../../../lib/extension/panel/oauth2/api-call.ts';

const [ours, another] = [{ tracing: 'observed' }, { tracing: 'wrapped' }] as const;

describe('Platform.OAuth2', () => {
  it('has the four methods of the specification', () =>
    expect(methodsOf(ours)).toEqual(['get', 'post', 'put', 'delete']));

  it.each([
    ['get', '', null],
    ['post', '  ', null],
    ['get', '{"q": 1}', null],
    ['put', '[1]', null],
    ['post', 'null', null],
    ['delete', '', null],
    ['delete', '{"id": 1}', /^A DELETE call can’t send data/],
    ['post', '7', /^Data must be an object or an array/],
    ['get', '"text"', /^Data must be an object or an array/],
    ['get', '{"q": ', /^Data must be JSON: /],
  ])('for %s with the data %s', (method, text, problem) =>
    problem === null
      ? expect(dataProblem(ours, method, text)).toBeNull()
      : expect(dataProblem(ours, method, text)).toMatch(problem),
  );
});

describe('Another library with the same methods', () => {
  it('may have more methods, and accept any data', () => {
    expect(methodsOf(another)).toEqual(['get', 'post', 'put', 'delete', 'patch', 'head']);
    expect([dataProblem(another, 'delete', '{"id": 1}'), dataProblem(another, 'post', '7')]).toEqual([null, null]);
    expect(dataProblem(another, 'post', '{')).toMatch(/^Data must be JSON: /);
  });
});

describe('A call as a cURL command', () => {
  const service = {
    options: [
      { name: 'baseUrl', type: 'string', value: 'https://api.example/v1/', secret: false, masked: null, entries: null },
    ] as ServiceOption[],
  };
  const of = (method: string, path: string, data: string | null = null) => curlOf(service, { method, path, data });

  it('joins the path to baseUrl, and has a shell variable for the token', () =>
    expect(of('get', '/items')).toBe(
      `curl --globoff 'https://api.example/v1/items' \\\n  --header "Authorization: Bearer $ACCESS_TOKEN"`,
    ));

  it('sends data of a GET as the query, as the library does', () =>
    expect(of('get', 'items?a=1', '{"ids": [1, 2], "none": null, "by": {"x": 1}}')).toContain(
      `'https://api.example/v1/items?a=1&ids=1&ids=2&by=%7B%22x%22%3A1%7D'`,
    ));

  it('sends other data as JSON, and can’t break out of its quotes', () => {
    const command = of('post', `https://other.example/it's`, `{"note": "it's $HOME \`id\`"}`);
    expect(command).toContain(`--request POST 'https://other.example/it'\\''s'`);
    expect(command).toContain(`--data-raw '{"note": "it'\\''s $HOME \`id\`"}'`);
  });

  it.each([
    ['without baseUrl', { options: [] }, 'items'],
    ['if the options are unknown', { options: null }, 'items'],
    ['for a URL that can’t be parsed', { options: null }, 'https://'],
  ])('is unknown for a path %s', (_, given, path) =>
    expect(curlOf(given, { method: 'get', path, data: null })).toBeNull(),
  );
});

describe('The page for faults', () => {
  const option = (name: string, value: string): ServiceOption => ({
    name,
    type: 'string',
    value,
    secret: false,
    masked: null,
    entries: null,
  });
  it.each([
    ['of a demo service', 'demo-app', 'http://127.0.0.1:4401/authorize', 'http://127.0.0.1:4401/faults'],
    ['of a public demo client', 'demo-public', 'http://localhost:4402/authorize?x=…', 'http://localhost:4402/faults'],
    ['of another client on this machine', 'an-app', 'http://localhost:4401/authorize', null],
    ['of a service elsewhere', 'demo-app', 'http://demo.example/authorize', null],
    ['of a service with another login page', 'demo-app', 'http://localhost:4401/login', null],
    ['of a service without a valid login page', 'demo-app', 'authorize', null],
  ])('%s', (_, clientId, authUrl, expected) =>
    expect(faultPageOf({ options: [option('clientId', clientId), option('authUrl', authUrl)] })).toBe(expected),
  );
});

describe('The faults of a demo service', () => {
  const URL = 'http://localhost:4401/faults';
  const text = (v: string): RemoteValue => ({ t: 'string', v, length: v.length });
  const object = (entries: [string, RemoteValue][]): RemoteValue => ({ t: 'object', size: entries.length, entries });
  const list = (...items: RemoteValue[]): RemoteValue => ({ t: 'array', length: items.length, items });
  const stateOf = (next: string | null): RemoteValue =>
    object([
      ['next', next === null ? list() : list(object([['name', text(next)]]))],
      [
        'menu',
        list(
          object([
            ['name', text('slow')],
            ['says', text('The response is late.')],
          ]),
        ),
      ],
    ]);
  const result = (json: RemoteValue | null): ProbeResult => ({
    answered: true,
    status: 200,
    date: null,
    json,
    milliseconds: 1,
  });

  it('are read and chosen with requests of the page', async () => {
    const sent: ProbeRequest[] = [];
    const faults = new DemoFaults((request) => {
      sent.push(request);
      return Promise.resolve({ ok: true, value: result(stateOf(request.form ? 'slow' : null)) });
    });
    await faults.load(URL);
    const menu = [{ name: 'slow', says: 'The response is late.' }];
    expect(faults.states.value.get(URL)).toEqual({ next: [], menu });
    await faults.inject(URL, 'slow');
    expect(faults.states.value.get(URL)).toEqual({ next: [{ name: 'slow' }], menu });
    expect(sent).toEqual([
      { url: URL, mode: 'cors' },
      { url: URL, mode: 'cors', form: 'next=slow' },
    ]);
  });

  it.each([
    ['can’t read the response', result(null)],
    ['gets another response', result(object([['menu', text('none')]]))],
  ])('are unknown if the page %s', async (_, value) => {
    const faults = new DemoFaults(() => Promise.resolve({ ok: true, value }));
    await faults.load(URL);
    expect(faults.states.value.get(URL)).toBeNull();
  });
});
