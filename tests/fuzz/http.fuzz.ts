/** Sends hostile requests to a real platform: nearly valid ones to every route, and damaged bytes, with and without a token. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import * as fc from 'fast-check';
import { startPlatform, type Platform } from '../../lib/local-platform/index.ts';
import { Finding } from './check.ts';
import { damaged, json, numeral, spoiled, word } from './inputs.ts';
import { start } from './watch.ts';

export const name = 'http';

/** Concurrent requests. Each spends most of its time waiting. */
const AT_ONCE = 20;
/** Requests until a platform is replaced, since the data they create makes its lists slow. */
const REQUESTS_OF_ONE = 4_000;
const CHECK_EVERY = 100;
/** Milliseconds until a request counts as hung, generous for a busy machine. */
const HANG = 10_000;
/** Milliseconds until the client closes the connection after an incomplete request. */
const SILENCE = 60;
const TOKEN = 'the-token-of-the-fuzzing';
const PAGE_TOKEN = '{page-token}';
const SERVICE = '{service}';

/** What each route takes. */
const ROUTES: [string, unknown][] = [
  ['GET /', null],
  ['GET /v1/status', null],
  ['GET /v1/apps', null],
  ['POST /v1/apps/:app/publish', { release: { type: 'silent', changelog: 'x' } }],
  ['GET /v1/apps/103/analytics/sessions', null],
  ['GET /v1/apps/:app/actions', null],
  [
    'POST /v1/apps/:app/actions',
    {
      name: 'one',
      active: true,
      environment: 'any',
      frequency: '*/5 * * * *',
      timezone: 'Europe/Berlin',
      triggers: [{ trigger: 'manual' }, { trigger: 'log', where: { type: 'x', data: { a: 1 } } }],
      functions: [
        { functionPackage: 'com.platform.function.wait', settings: { ms: 1 }, functions: [] },
        { type: 'loop', range: { from: 1, to: 2 }, functions: [] },
        { type: 'if', conditions: [{ condition: 'a == 1', functions: [] }], elseFunctions: [] },
      ],
    },
  ],
  ['GET /v1/apps/:app/actions/:action', null],
  ['PUT /v1/apps/:app/actions/:action', { active: false, revision: 1, triggers: [{ trigger: 'manual' }] }],
  ['DELETE /v1/apps/:app/actions/:action', null],
  ['POST /v1/apps/:app/actions/:action/publish', { publish: true }],
  ['POST /v1/apps/:app/actions/:action/run', { payload: { a: 1 }, mode: 'preview' }],
  ['POST /v1/apps/:app/actions/:action/run-with-result', { payload: { a: 1 } }],
  ['GET /v1/apps/:app/runs/:run', null],
  [
    'POST /v1/apps/:app/runs/:run/outcome',
    {
      state: 'failed',
      milliseconds: 5,
      code: 'ACTION_FAILED',
      failure: { errorType: 'Error', errorMessage: 'x', trace: ['a'] },
    },
  ],
  [
    'POST /v1/apps/:app/analytics/events',
    { type: 'analytics.event', data: { category: 'a', action: 'b', _pageId: 1 } },
  ],
  ['GET /v1/apps/:app/logs', null],
  [
    'POST /v1/apps/:app/logs',
    {
      type: 'mine',
      data: { columns: ['a'], actionId: 1001 },
      dataSourceId: 501,
      dataSourceEntryId: 1,
      appNotificationId: null,
      sessionId: 7,
    },
  ],
  ['GET /v1/apps/:app/tasks/:action/compile', null],
  ['GET /v1/functions', null],
  ['GET /v1/functions/:file', null],
  ['GET /v1/packages/:file', null],
  ['GET /v1/apps/:app/preview', null],
  ['GET /v1/apps/:app/live', null],
  ['GET /v1/screens/:file/2001/live/:file', null],
  ['GET /v1/apps/:app/data-sources', null],
  ['GET /v1/data-sources/501/entries', null],
  ['POST /v1/data-sources/:source/entries', { entries: [{ Name: 'a', n: 1, list: [1, { b: null }] }] }],
  ['GET /v1/apps/:app/outbox', null],
  ['POST /v1/apps/:app/outbox', { kind: 'email', to: 'a@b.example', subject: 's', html: '<p>h' }],
  ['POST /v1/apps/:app/outbox', { kind: 'notification', title: 't', message: 'm' }],
  ['GET /v1/clock', null],
  ['POST /v1/clock', { to: '2026-03-29T00:00:00Z' }],
  ['POST /v1/proxy', { url: SERVICE, method: 'POST', headers: { 'X-One': '1' }, body: { base64: 'AAAA' } }],
  ['GET /v1/auth/sso-callback', null],
  ['GET /v1/oauth-demo', null],
];
const PARTS: Record<string, string[]> = {
  app: ['101', '101', '101', '102', '103', '104'],
  action: ['1001', '1002', '1003', '1301', 'daily-report', 'one'],
  run: ['0b7c3c0e-5b1e-4a52-9d0e-3a3f0c5a1b2c'],
  source: ['501', '501', '502', '531'],
  file: [
    'page.css',
    'platform-core:2.js',
    'platform-oauth2:0.1.mjs.map',
    'com.platform.function.if.js',
    '..%2f..%2fpackage.json',
    'A'.repeat(43),
    encodeURIComponent('ä'.repeat(43)),
  ],
};
const QUERY = ['limit', 'offset', 'where', 'id', 'type', 'before', 'by', 'page', 'html', 'payload', 'code', 'state'];
const HEADERS: Record<string, string[]> = {
  'Auth-token': [TOKEN, PAGE_TOKEN],
  Accept: ['text/html', '*/*'],
  Origin: ['http://localhost', 'https://evil.example', 'null', 'chrome-extension://abc'],
  Host: ['localhost', '127.0.0.1:4400', '[::1]', 'evil.example', 'LOCALHOST:'],
  'If-Match': ['"1"', 'W/"2"', '*'],
  'Idempotency-Key': ['k'],
  Prefer: ['respond-async', 'respond-async, wait=0'],
  Cookie: ['a=b'],
  Range: ['bytes=0-1'],
  'If-None-Match': ['*'],
  'Transfer-Encoding': ['chunked', 'gzip'],
  Expect: ['100-continue', 'x'],
  Upgrade: ['websocket', 'h2c'],
  'Content-Encoding': ['gzip'],
  'X-Forwarded-Host': ['localhost'],
  'X-HTTP-Method-Override': ['DELETE'],
};

/** A header's value is one line of bytes. */
const line = (text: string): string => text.replace(/[\0\r\n]/g, ' ');
const escaped = (text: string): string => encodeURIComponent(text.toWellFormed());
const rarely = <T>(usual: T, other: fc.Arbitrary<T>, weight = 6): fc.Arbitrary<T> =>
  fc.oneof({ weight, arbitrary: fc.constant(usual) }, { weight: 1, arbitrary: other });

/** A complete request to a route, with some parts damaged. */
const nearlyValid: fc.Arbitrary<Sent> = fc.constantFrom(...ROUTES).chain(([route, sample]) => {
  const [method = '', path = ''] = route.split(' ');
  const part = (segment: string): fc.Arbitrary<string> => {
    const known = PARTS[segment.slice(1)];
    return segment.startsWith(':') && known
      ? fc.oneof(
          { weight: 6, arbitrary: fc.constantFrom(...known) },
          { weight: 1, arbitrary: word.map(escaped) },
          { weight: 1, arbitrary: numeral.map(String) },
        )
      : rarely(segment, word.map(escaped), 40);
  };
  const segments = fc.tuple(...path.split('/').slice(1).map(part)).map((all) => `/${all.join('/')}`);
  const query = fc
    .array(
      fc.tuple(
        fc.constantFrom(...QUERY),
        fc.oneof(
          word,
          numeral.map(String),
          json.map((value) => JSON.stringify(value).slice(0, 8_000)),
        ),
      ),
      { maxLength: 3 },
    )
    .map((all) => all.map(([key, value]) => `${key}=${escaped(value)}`).join('&'));
  const headers = fc.array(
    fc
      .constantFrom(...Object.keys(HEADERS))
      .chain((key) =>
        fc.tuple(
          fc.constant(key),
          fc.oneof(
            { weight: 3, arbitrary: fc.constantFrom(...HEADERS[key]!) },
            { weight: 1, arbitrary: word.map(line) },
          ),
        ),
      ),
    { maxLength: 3 },
  );
  const body =
    sample === null
      ? rarely(
          '',
          json.map((value) => JSON.stringify(value)),
        )
      : fc.oneof(
          { weight: 8, arbitrary: spoiled([sample]).map((value) => JSON.stringify(value) ?? '') },
          { weight: 2, arbitrary: damaged([JSON.stringify(sample)]) },
          { weight: 1, arbitrary: json.map((value) => JSON.stringify(value)) },
        );
  return fc
    .record({
      verb: rarely(method, fc.constantFrom('GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'TRACE')),
      target: segments,
      query,
      headers,
      body,
      token: rarely<string | null>(TOKEN, fc.constantFrom(null, PAGE_TOKEN, 'demo-revoked-token', 'x'), 4),
      type: rarely(
        'application/json',
        fc.constantFrom('text/plain', 'application/json; charset=utf-16', 'multipart/form-data', ''),
      ),
    })
    .map(({ verb, target, query, headers, body, token, type }) => {
      const all: [string, string][] = [
        ['Host', 'localhost'],
        ...(token === null ? [] : [['Auth-token', token] as [string, string]]),
        ...(type === '' ? [] : [['Content-Type', type] as [string, string]]),
        ...headers,
      ];
      // Nothing runs the actions, so waiting for a result needs a time limit.
      const own: [string, string][] = [...new Map(all), ['Prefer', 'respond-async'], ['Connection', 'close']];
      return {
        whole: !headers.some(([key]) => key === 'Transfer-Encoding'),
        head: verb === 'HEAD',
        text: request(`${verb} ${target}${query && `?${query}`} HTTP/1.1`, own, body),
      };
    });
});

function request(first: string, headers: [string, string][], body: string): string {
  const bytes = Buffer.from(body).toString('latin1');
  const length: [string, string][] =
    bytes === '' && first.startsWith('GET') ? [] : [['Content-Length', String(bytes.length)]];
  return `${[first, ...[...headers, ...length].map(([key, value]) => `${key}: ${Buffer.from(value).toString('latin1')}`)].join('\r\n')}\r\n\r\n${bytes}`;
}

interface Sent {
  /** The request is complete, and must get a response. */
  whole: boolean;
  head: boolean;
  /** One character for each byte. */
  text: string;
}

const host: [string, string][] = [
  ['Host', 'localhost'],
  ['Auth-token', TOKEN],
];
const typed: [string, string][] = [...host, ['Content-Type', 'application/json']];
const publish = JSON.stringify({ release: { type: 'silent', changelog: 'x' } });
const chunked = `POST /v1/apps/101/publish HTTP/1.1\r\nHost: localhost\r\nAuth-token: ${TOKEN}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n10\r\n${publish.slice(0, 16)}\r\n${(publish.length - 16).toString(16)};a=b\r\n${publish.slice(16)}\r\n0\r\nX: y\r\n\r\n`;
const SAMPLES = [
  request('GET /v1/apps?limit=2 HTTP/1.1', host, ''),
  request('GET /v1/apps/101/preview HTTP/1.1', [...host, ['Accept', 'text/html']], ''),
  request('POST /v1/apps/101/publish HTTP/1.1', typed, publish),
  request('POST /v1/apps/101/actions/1001/run HTTP/1.1', typed, '{"payload":{}}'),
  chunked,
  request(
    'POST /v1/data-sources/501/entries HTTP/1.1',
    [...typed, ['Expect', '100-continue']],
    '{"entries":[{"a":1}]}',
  ),
  request('GET http://localhost/v1/status HTTP/1.1', host, ''),
  request('GET /v1/status HTTP/1.0', [['Connection', 'keep-alive'], ...host], ''),
  request('OPTIONS * HTTP/1.1', host, ''),
  request('CONNECT localhost:80 HTTP/1.1', host, ''),
  request(
    'GET /v1/status HTTP/1.1',
    [...host, ['Connection', 'Upgrade'], ['Upgrade', 'websocket'], ['Sec-WebSocket-Key', 'AAAAAAAAAAAAAAAAAAAAAA==']],
    '',
  ),
  `${request('GET /v1/status HTTP/1.1', host, '')}${request('POST /v1/apps/101/logs HTTP/1.1', typed, '{"type":"mine"}')}${request('GET /nothing HTTP/1.1', host, '')}`,
  `${chunked}${request('DELETE /v1/apps/101/actions/999 HTTP/1.1', host, '')}`,
  'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
  'GET / HTTP/0.9\r\n\r\n',
  '\x16\x03\x01\x00\xc8\x01\x00\x00\xc4\x03\x03',
];
const SMUGGLED = [
  'Content-Length: 0\r\n',
  'Content-Length: -1\r\n',
  'Content-Length: 99999999999999999999\r\n',
  'Content-Length: 5, 5\r\n',
  'Transfer-Encoding: chunked\r\n',
  'Transfer-Encoding: chunked, identity\r\n',
  'Transfer-Encoding : chunked\r\n',
  ' folded\r\n',
  ': nameless\r\n',
  'Host: evil.example\r\n',
  'X: \x00\r\n',
  'X: \x7f\xff\r\n',
  `X: ${'x'.repeat(20_000)}\r\n`,
  'X: y\r\n'.repeat(3_000),
  'Auth-token: x\r\n',
];

/** Valid requests with damaged bytes and injected headers. */
const bytes: fc.Arbitrary<Sent> = fc
  .tuple(damaged(SAMPLES), fc.array(fc.constantFrom(...SMUGGLED), { maxLength: 1 }))
  .map(([text, more]) => {
    const at = text.indexOf('\r\n') + 2;
    return {
      whole: false,
      head: text.includes('HEAD'),
      text: Buffer.from(at < 2 ? text : text.slice(0, at) + more.join('') + text.slice(at), 'latin1').toString(
        'latin1',
      ),
    };
  });

/** Sends `runs` requests. @throws Error with the seed and the smallest requests that got a wrong response */
export async function fuzz(runs: number, seed: number): Promise<void> {
  const service = createServer((_, response) => void response.end('{"ok":true}'));
  await once(service.listen(0, '127.0.0.1'), 'listening');
  const { port } = service.address() as AddressInfo;
  let target: Target | undefined;
  try {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.oneof({ weight: 3, arbitrary: nearlyValid }, { weight: 1, arbitrary: bytes }), {
          minLength: AT_ONCE,
          maxLength: AT_ONCE,
          size: 'max',
        }),
        async (all) => {
          if (target && target.sent >= REQUESTS_OF_ONE) {
            await target.platform.close();
            target = undefined;
          }
          const here = (target ??= await open(port));
          await Promise.all(
            all.map((each) =>
              judge(here, each, port).catch((error: Error) => {
                throw new Finding(`${error.message}\nto ${JSON.stringify(each.text.slice(0, 3_000))}`, {
                  cause: error,
                });
              }),
            ),
          );
          if (here.sent % CHECK_EVERY < all.length) await stillThere(here);
          if (here.failures.length > 0)
            throw new Finding(`It failed inside: ${String((here.failures[0] as Error).stack ?? here.failures[0])}`, {
              cause: here.failures.splice(0)[0],
            });
        },
      ),
      { numRuns: Math.ceil(runs / AT_ONCE), seed },
    );
  } finally {
    await target?.platform.close();
    service.closeAllConnections();
    service.close();
  }
}

interface Target {
  platform: Platform;
  pageToken: string;
  /** Errors that the platform didn’t expect. */
  failures: unknown[];
  sent: number;
}

async function open(port: number): Promise<Target> {
  const failures: unknown[] = [];
  const platform = await startPlatform({
    port: 0,
    authToken: TOKEN,
    oauthDemoPort: null,
    concurrency: 0,
    proxyTimeLimit: 2_000,
    allowPrivate: [`127.0.0.1:${port}`],
    log: (error) => void failures.push(error),
  });
  const page = await (
    await fetch(`${platform.baseUrl}/v1/apps/101/preview`, { headers: { 'Auth-token': TOKEN } })
  ).text();
  const { token } = JSON.parse(/id="platform-env">([^<]*)</.exec(page)![1]!) as { token: string };
  return { platform, pageToken: token, failures, sent: 0 };
}

async function stillThere({ platform }: Target): Promise<void> {
  const response = await fetch(`${platform.baseUrl}/v1/apps`, {
    headers: { 'Auth-token': TOKEN },
    signal: AbortSignal.timeout(HANG),
  });
  if (response.status !== 200 || ((await response.json()) as { apps: unknown[] }).apps.length !== 3)
    throw new Finding(`A good request was answered with ${response.status}`);
}

async function judge(target: Target, sent: Sent, port: number): Promise<void> {
  target.sent += 1;
  const text = sent.text.replaceAll(PAGE_TOKEN, target.pageToken).replaceAll(SERVICE, `http://127.0.0.1:${port}/`);
  start(() => JSON.stringify(text));
  const said = await exchange(Number(new URL(target.platform.baseUrl).port), preserveLength(sent, text), sent.whole);
  const statuses = [...said.matchAll(/(?:^|\n?)HTTP\/1\.1 (\d{3})/g)].map(([, status]) => Number(status));
  if (sent.whole && !said.startsWith('HTTP/1.1 '))
    throw new Finding(`No answer, but ${JSON.stringify(said.slice(0, 200))}`);
  if (statuses.some((status) => status === 500)) throw new Finding(`500: ${said.slice(0, 500)}`);
  if (!sent.head && statuses.length === 1) judgeResponse(said, statuses[0]!);
}

/** A token that replaces its placeholder changes the length, which a whole request must state correctly. */
function preserveLength({ whole, text: before }: Sent, text: string): string {
  const at = text.indexOf('\r\n\r\n');
  if (!whole || text === before || at < 0) return text;
  return text.slice(0, at).replace(/Content-Length: \d+$/, `Content-Length: ${text.length - at - 4}`) + text.slice(at);
}

/** Everything that is received until the connection ends. */
function exchange(port: number, text: string, whole: boolean): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(Buffer.from(text, 'latin1')));
    const said: Buffer[] = [];
    const late = setTimeout(() => {
      reject(
        new Finding(`No end within ${HANG} ms, but ${JSON.stringify(Buffer.concat(said).toString().slice(0, 300))}`),
      );
      socket.destroy();
    }, HANG);
    const hangUp = (): NodeJS.Timeout => setTimeout(() => socket.end(), SILENCE);
    let silence = whole ? undefined : hangUp();
    socket.on('data', (chunk: Buffer) => {
      said.push(chunk);
      clearTimeout(silence);
      if (!whole) silence = hangUp();
    });
    // The server doesn’t read the rest of a request that it refuses.
    socket.on('error', (error: NodeJS.ErrnoException) => void (error.code === 'ECONNREFUSED' && reject(error)));
    socket.on('close', () => {
      clearTimeout(late);
      clearTimeout(silence);
      resolve(Buffer.concat(said).toString());
    });
  });
}

/** One complete response: a refusal has a code and a message, as JSON or, for a browser, as a page; all have the security headers. */
function judgeResponse(said: string, status: number): void {
  const at = said.indexOf('\r\n\r\n');
  const head = said.slice(0, at).toLowerCase();
  for (const header of [
    'x-content-type-options: nosniff',
    'cache-control: no-store',
    'content-security-policy: ',
    'referrer-policy: no-referrer',
  ]) {
    if (status >= 200 && !head.includes(header)) throw new Finding(`Without ${header}: ${said.slice(0, 500)}`);
  }
  if (status < 400 || head.includes('platform-proxy: service')) return;
  const body = said.slice(at + 4);
  if (head.includes('content-type: text/html')) {
    if (!/<small>[A-Z][A-Z_]+<\/small>/.test(body))
      throw new Finding(`A page of an error without a code: ${said.slice(0, 500)}`);
    return;
  }
  const { error, message } = JSON.parse(body.slice(body.indexOf('{'), body.lastIndexOf('}') + 1)) as {
    error?: string;
    message?: string;
  };
  if (!/^[A-Z][A-Z0-9_]+$/.test(error ?? '') || !message)
    throw new Finding(`A refusal without a code: ${said.slice(0, 500)}`);
  if (status >= 500 && !error!.startsWith('PROXY_')) throw new Finding(`${status}: ${said.slice(0, 500)}`);
}
