/** The function packages, each through a real run with the scripts that a debug page loads (decisions, "Pipelines"). */
import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type FunctionDescriptor, OWN_SETTINGS, type Pipeline } from '../../lib/platform-api/index.ts';
import { openPage, step, type Page } from './support/page.ts';
import { start, type TestPlatform } from './support/platform.ts';

interface Message {
  kind: string;
  message: Record<string, string>;
  delivery: string;
}

let platform: TestPlatform;
let page: Page;
beforeAll(async () => {
  platform = await start();
  page = await openPage(platform);
});
afterAll(() => platform.close());

const outbox = async (): Promise<Message[]> =>
  (await platform.ask<{ messages: Message[] }>('/v1/apps/101/outbox')).body.messages;
const entries = async (id: number) =>
  (await platform.ask<{ entries: { id: number; data: Record<string, unknown> }[] }>(`/v1/data-sources/${id}/entries`))
    .body.entries;
const failure = (pipeline: Pipeline, payload: unknown = {}) =>
  page.run(pipeline, payload).then(
    () => 'no failure',
    (error: { code: string; path: string; cause: Error }) => error,
  );

describe('GET /v1/functions', () => {
  it('describes every package', async () => {
    const { body } = await platform.ask<{ functions: FunctionDescriptor[] }>('/v1/functions');
    const names = body.functions.map((each) => each.package.replace('com.platform.function.', ''));
    expect(names).toEqual(
      expect.arrayContaining([
        'if',
        'read-datasource',
        'write-datasource',
        'send-email',
        'send-notification',
        'http-request',
        'set-context',
        'return-string',
        'wait',
        'fail',
      ]),
    );
    for (const each of body.functions) {
      expect(each).toEqual({
        id: expect.any(Number),
        name: expect.stringMatching(/^[A-Z]/),
        package: expect.any(String),
        description: expect.stringMatching(/\.$/),
        settings: OWN_SETTINGS[each.package],
      });
    }
    expect(new Set(body.functions.map(({ id }) => id)).size).toBe(body.functions.length);
  });

  it('describes what the page registers, with the URL of each script', async () => {
    const listed = page.Platform.Functions.list();
    const { body } = await platform.ask<{ functions: FunctionDescriptor[] }>('/v1/functions');
    expect(listed.map(({ name }) => name).sort()).toEqual(body.functions.map((each) => each.package).sort());
    for (const { name, url } of listed) expect(url).toBe(`${platform.baseUrl}/v1/functions/${name}.js`);
  });
});

describe('if', () => {
  const pipeline: Pipeline = [
    step('if', { condition: 'n > 1' }, [step('return-string', { message: 'inside' })]),
    step('set-context', { assign: { after: 'true' } }),
  ];

  it('runs its nested functions when the condition holds', async () => {
    expect((await page.run(pipeline, { n: 2 })).result).toBe('inside');
  });
  it('skips them otherwise, and the run continues', async () => {
    const { result, context } = await page.run(pipeline, { n: 1 });
    expect({ result, after: context.after }).toEqual({ result: undefined, after: true });
  });
  it('fails on an invalid condition', async () => {
    expect(await failure([step('if', { condition: 'a +' }, [])])).toMatchObject({
      code: 'STEP_FAILED',
      path: '/0',
      cause: { message: expect.stringMatching(/./) },
    });
    expect(await failure([step('if', {}, [])])).toMatchObject({
      cause: { message: 'if: the setting "condition" must be a string with an expression.' },
    });
  });
});

describe('read-datasource', () => {
  it('sets context.records to [{id, data}], by id', async () => {
    const { context } = await page.run([step('read-datasource', { dataSourceId: 502 })], {});
    const byNumber = await page.run([step('read-datasource', { dataSource: 502 })], {});
    expect(byNumber.context.records).toEqual(context.records);
    expect(context.records).toHaveLength(40);
    expect((context.records as object[])[0]).toEqual({
      id: expect.any(Number),
      data: expect.objectContaining({ name: 'Ada Bakker', Admin: true }),
    });
  });
  it('finds a data source of the app by name', async () => {
    const { context } = await page.run([step('read-datasource', { dataSource: 'People', limit: 3 })], {});
    expect(context.records).toHaveLength(3);
  });
  it('reads the entries whose fields equal where, with values from the context', async () => {
    const { context } = await page.run(
      [step('read-datasource', { dataSource: 'People', where: { role: '{{wanted}}', Admin: false } })],
      { wanted: 'manager' },
    );
    const people = (context.records as { data: { role: string; Admin: boolean } }[]).map(({ data }) => data);
    expect(people.length).toBeGreaterThan(3);
    expect(people.every(({ role, Admin }) => role === 'manager' && !Admin)).toBe(true);
  });
  it.each([
    [{}, 'read-datasource: set "dataSourceId" to an integer'],
    [{ dataSourceId: '501' }, 'read-datasource: set "dataSourceId" to an integer'],
    [{ dataSource: 'Nothing' }, 'this app has no data source named "Nothing"'],
    [{ dataSource: 'Visitors' }, 'this app has no data source named "Visitors"'],
    [{ dataSourceId: 511 }, 'There is no data source 511, or this token has no access to it'],
    [{ dataSourceId: 502, limit: -1 }, 'limit must be a non-negative integer'],
    [{ dataSourceId: 502, where: 7 }, 'where must be a JSON object'],
  ])('with %j fails with a message', async (settings, message) => {
    expect(await failure([step('read-datasource', settings)])).toMatchObject({
      code: 'STEP_FAILED',
      path: '/0',
      cause: { message: expect.stringContaining(message) },
    });
  });
});

describe('write-datasource', () => {
  it('adds entries with values from the context, with a log record for each', async () => {
    const { result } = await page.run(
      [
        step('write-datasource', {
          dataSourceId: 503,
          entries: [{ visitId: '{{visit.id}}', reason: 'of {{visit.name}}' }, { reason: 'plain' }],
        }),
      ],
      { visit: { id: 7, name: 'Ada' } },
    );
    expect(result).toBeUndefined();
    expect((await entries(503)).slice(-2).map(({ data }) => data)).toEqual([
      { visitId: 7, reason: 'of Ada' },
      { reason: 'plain' },
    ]);
  });
  it('adds nothing for an empty array', async () => {
    const before = await entries(503);
    await page.run([step('write-datasource', { dataSourceId: 503, entries: [] })], {});
    expect(await entries(503)).toEqual(before);
  });
  it.each([
    [{ entries: [{}] }, '"dataSourceId" must be an integer'],
    [{ dataSourceId: 503 }, '"entries" must be an array of objects'],
    [{ dataSourceId: 503, entries: [7] }, 'An entry must be an object.'],
    [{ dataSourceId: 511, entries: [{}] }, 'There is no data source 511'],
  ])('with %j fails with a message', async (settings, message) => {
    expect(await failure([step('write-datasource', settings)])).toMatchObject({
      cause: { message: expect.stringContaining(message) },
    });
  });
});

describe('send-email', () => {
  it('fills in expressions with braces of every kind, and says what values are', async () => {
    const own = await openPage(platform);
    own.Platform.Functions.register('com.test.values', (_, context) => {
      Object.assign(context, { when: new Date(0), names: new Map([['<a>', 2n]]) });
    });
    const subject = `{{ {a: {b: n}} }} {{'}}' + "{{"}} {{n /* }} */}}`;
    const email = step('send-email', { to: 'a@example.com', subject, html: '{{when}} {{[names]}}' });
    const message = step('return-string', { message: '{{when}}' });
    const { result } = await own.run([{ functionPackage: 'com.test.values' }, email, message], { n: 1 });
    expect(result).toBe('1970-01-01T00:00:00.000Z');
    expect((await outbox()).at(-1)).toMatchObject({
      message: {
        subject: '{"a":{"b":1}} }}{{ 1',
        html: '1970-01-01T00:00:00.000Z [[[&quot;&lt;a&gt;&quot;,&quot;2&quot;]]]',
      },
    });
  });
  it.each(['Hello {{name}, {{n}}', '{{#each list}}{{n}}', '{{it’s}}'])(
    'with the expression of %s that isn’t one, fails and sends nothing',
    async (subject) => {
      const before = await outbox();
      expect(await failure([step('send-email', { to: 'a@example.com', subject, html: '' })])).toMatchObject({
        code: 'STEP_FAILED',
        cause: { code: 'INVALID_CONDITION' },
      });
      expect(await outbox()).toEqual(before);
    },
  );
  it('puts the message into the outbox, with HTML escapes in inserted values', async () => {
    await page.run([step('send-email', { to: '{{email}}', subject: 'For {{name}}', html: '<b>{{name}}</b>' })], {
      email: 'a@example.com',
      name: 'A & <i>',
    });
    expect((await outbox()).at(-1)).toMatchObject({
      kind: 'email',
      delivery: 'kept',
      message: { to: 'a@example.com', subject: 'For A & <i>', html: '<b>A &amp; &lt;i&gt;</b>' },
    });
  });
  it.each([
    [{ subject: 's', html: 'h' }, '"to" must be a string'],
    [{ to: 'a@example.com', html: 'h' }, '"subject" must be a string'],
    [{ to: 'a@example.com', subject: 's', html: 7 }, '"html" must be a string'],
    [{ to: 'nobody', subject: 's', html: 'h' }, 'to must be one or more email addresses'],
    [{ to: 'a@example.com\nBcc: b@example.com', subject: 's', html: 'h' }, 'to must be one or more email addresses'],
    [{ to: 'a@example.com', subject: 'two\nlines', html: 'h' }, 'subject must be one line'],
  ])('with %j fails with a message, and sends nothing', async (settings, message) => {
    const before = await outbox();
    expect(await failure([step('send-email', settings)])).toMatchObject({
      cause: { message: expect.stringContaining(message) },
    });
    expect(await outbox()).toEqual(before);
  });
});

describe('send-notification', () => {
  it('puts the message into the outbox', async () => {
    await page.run([step('send-notification', { title: 'T', message: 'For {{name}}' })], { name: 'Ada' });
    expect((await outbox()).at(-1)).toMatchObject({
      kind: 'notification',
      message: { title: 'T', message: 'For Ada' },
    });
  });
  it('fails on a missing message', async () => {
    expect(await failure([step('send-notification', { title: 'T' })])).toMatchObject({
      cause: { message: 'send-notification: the setting "message" must be a string.' },
    });
  });
});

describe('http-request', () => {
  it('refuses a method that no server could understand', async () => {
    expect(await failure([step('http-request', { url: '/v1/status', method: 'GET /' })])).toMatchObject({
      cause: { message: 'http-request: the setting "method" must be letters, such as POST.' },
    });
  });
  it('doesn’t say that a server didn’t respond if the body isn’t JSON', async () => {
    const own = await openPage(platform);
    own.Platform.Functions.register('com.test.big', (_, context) => void (context.big = 1n));
    const pipeline = [
      { functionPackage: 'com.test.big' },
      step('http-request', { url: '/v1/status', method: 'POST', body: ['{{big}}'] }),
    ];
    await expect(own.run(pipeline, {})).rejects.toMatchObject({
      cause: { message: expect.stringContaining('BigInt') },
    });
  });
  let server: Server;
  let url: string;
  beforeAll(async () => {
    server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const { method, headers } = request;
        response.writeHead(request.url === '/missing' ? 404 : 200, {
          'content-type': request.url === '/text' ? 'text/plain' : 'application/json',
          'x-one': '1',
        });
        response.end(
          request.url === '/text'
            ? 'plain'
            : JSON.stringify({
                method,
                type: headers['content-type'],
                key: headers['x-key'],
                token: headers['auth-token'],
                body: Buffer.concat(chunks).toString(),
              }),
        );
      });
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => server.close());

  it('sets context.response to {status, headers, body}, with JSON parsed', async () => {
    const { context } = await page.run([step('http-request', { url: `${url}/{{what}}` })], { what: 'json' });
    expect(context.response).toMatchObject({
      status: 200,
      headers: { 'x-one': '1' },
      body: { method: 'GET', body: '' },
    });
  });
  it('sends method, headers, and a JSON body, but no token', async () => {
    const { context } = await page.run(
      [step('http-request', { url, method: 'POST', headers: { 'x-key': 'k' }, body: { n: '{{n}}' } })],
      { n: 5 },
    );
    expect((context.response as { body: object }).body).toEqual({
      method: 'POST',
      type: 'application/json',
      key: 'k',
      body: '{"n":5}',
    });
  });
  it('returns other bodies as text, and an error status as a response', async () => {
    expect((await page.run([step('http-request', { url: `${url}/text` })], {})).context.response).toMatchObject({
      status: 200,
      body: 'plain',
    });
    expect((await page.run([step('http-request', { url: `${url}/missing` })], {})).context.response).toMatchObject({
      status: 404,
    });
  });
  it.each([
    [{}, '"url" must be a string'],
    [{ url: 'ftp://127.0.0.1/' }, 'Use http or https'],
    [{ url: 'http://127.0.0.1:1/' }, '127.0.0.1:1 didn’t respond'],
  ])('with %j fails with a message', async (settings, message) => {
    expect(await failure([step('http-request', settings)])).toMatchObject({
      cause: { message: expect.stringContaining(message) },
    });
  });
});

describe('set-context', () => {
  it('assigns in order, so that later expressions can use earlier names', async () => {
    const { context } = await page.run([step('set-context', { assign: { zz: 'n * 2', b: 'zz + 1', a: '[b, zz]' } })], {
      n: 2,
    });
    expect(context).toMatchObject({ zz: 4, b: 5, a: [5, 4] });
  });
  it.each([
    [{}, '"assign" must be an object'],
    [{ assign: [] }, '"assign" must be an object'],
    [{ assign: { a: 7 } }, 'the expression of "a" must be a string'],
  ])('with %j fails with a message', async (settings, message) => {
    expect(await failure([step('set-context', settings)])).toMatchObject({
      cause: { message: expect.stringContaining(message) },
    });
  });
});

describe('return-string', () => {
  it('makes the message the result of the run', async () => {
    expect((await page.run([step('return-string', { message: 'Hello' })], {})).result).toBe('Hello');
    expect((await page.run([step('return-string', { message: '{{n}}' })], { n: 7 })).result).toBe('7');
  });
  it('fails without a message', async () => {
    expect(await failure([step('return-string', {})])).toMatchObject({
      cause: { message: 'return-string: the setting "message" must be a string.' },
    });
  });
});

describe('wait', () => {
  it('waits at least the given time', async () => {
    const before = performance.now();
    await page.run([step('wait', { ms: 30 })], {});
    expect(performance.now() - before).toBeGreaterThanOrEqual(29);
  });
  it.each([{}, { ms: -1 }, { ms: '5' }, { ms: 1e12 }])('with %j fails with a message', async (settings) => {
    expect(await failure([step('wait', settings)])).toMatchObject({
      cause: { message: expect.stringContaining('"ms" must be a number of milliseconds') },
    });
  });
});

describe('fail', () => {
  it('ends the run with the given message', async () => {
    expect(
      await failure([step('fail', { message: 'No {{what}}' }), step('return-string', { message: 'x' })], {
        what: 'luck',
      }),
    ).toMatchObject({ code: 'STEP_FAILED', path: '/0', cause: { message: 'No luck' } });
  });
});
