/** The REST client’s operations on apps, and every broken response of a platform. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ErrorValue } from '../../../lib/platform-api/index.ts';
import { CodedError } from '../../../lib/platform-api/index.ts';
import { unreadableOf } from '../../../lib/platform-api/lists/unreadable.ts';
import {
  checkPage,
  listActions,
  listApps,
  listDataSources,
  listFunctions,
  listLogs,
  listSessions,
  publishRelease,
} from '../../../lib/rest/index.ts';
import type { BadPlatform } from './bad-platform.ts';
import { json, startBadPlatform } from './bad-platform.ts';

const TOKEN = 'secret-token-1234567890';
const app = {
  id: 1,
  name: 'Field',
  icon: '',
  version: null,
  settings: {},
  releases: [],
  dependencies: [],
  slug: null,
  createdAt: 'a',
  updatedAt: 'b',
  deletedAt: null,
  organizationId: 3,
  startingPageId: 4,
  productionAppId: null,
  appUser: { appRoleId: 1, appId: 1, userId: 2 },
};

let platform: BadPlatform;
const connection = () => ({ baseUrl: platform.baseUrl, token: TOKEN });
beforeEach(async () => {
  platform = await startBadPlatform();
});
afterEach(() => platform.close());

async function failure(work: Promise<unknown>): Promise<ErrorValue> {
  try {
    await work;
  } catch (error) {
    if (error instanceof CodedError) return error.value;
    throw error;
  }
  throw new Error('The operation didn’t fail.');
}

describe('reading', () => {
  it('lists apps with the token in its header, and preserves unknown fields', async () => {
    platform.respond((_request, response) => json(response, 200, { apps: [{ ...app, colour: 'red' }], total: 1 }));
    expect(await listApps(connection())).toEqual([{ ...app, colour: 'red' }]);
    expect(platform.requests[0]).toMatchObject({ method: 'GET', url: '/v1/apps', headers: { 'auth-token': TOKEN } });
    expect(platform.requests[0]?.url).not.toContain(TOKEN);
  });

  it('reads fields that real platforms omit as null', async () => {
    const { id, name, createdAt, updatedAt, organizationId } = app;
    platform.respond((_request, response) =>
      json(response, 200, { apps: [{ id, name, createdAt, updatedAt, organizationId, settings: null }] }),
    );
    expect(await listApps(connection())).toMatchObject([
      { id: 1, version: null, slug: null, appUser: null, settings: null, releases: null },
    ]);
  });

  it('lists sessions, including those without a user or device details', async () => {
    platform.respond((_request, response) =>
      json(response, 200, {
        sessions: [{ id: 9, identifier: { os: null, browser: { family: 'Other' } }, lastAccessedAt: 'c' }],
      }),
    );
    expect(await listSessions(connection(), { appId: 1 })).toMatchObject([
      {
        id: 9,
        user: null,
        appVersion: null,
        identifier: { os: null, device: null, browser: { family: 'Other', major: null } },
      },
    ]);
    expect(platform.requests[0]?.url).toBe('/v1/apps/1/analytics/sessions');
  });

  it('lists sessions in pages, and accepts invalid dates of a platform', async () => {
    const sessions = [
      { id: 9, lastAccessedAt: null },
      { id: 10, lastAccessedAt: 'yesterday', appVersion: { localUpdatedAt: '' } },
      { id: 11 },
    ];
    platform.respond((_request, response) => json(response, 200, { sessions }));
    expect(await listSessions(connection(), { appId: 1, limit: 50, offset: 100 })).toMatchObject([
      { id: 9, lastAccessedAt: null },
      { id: 10, lastAccessedAt: 'yesterday', appVersion: { localUpdatedAt: '' } },
      { id: 11, lastAccessedAt: null },
    ]);
    await listSessions(connection(), { appId: 1, limit: 50 });
    expect(platform.requests.map(({ url }) => url)).toEqual([
      '/v1/apps/1/analytics/sessions?limit=50&offset=100',
      '/v1/apps/1/analytics/sessions?limit=50&offset=0',
    ]);
  });

  it('lists actions', async () => {
    const action = {
      id: 5,
      name: 'weekly',
      active: true,
      environment: 'any',
      triggers: [{ trigger: 'manual' }],
      functions: [],
      createdAt: 'a',
      updatedAt: 'b',
      appId: 1,
    };
    platform.respond((_request, response) => json(response, 200, { actions: [action] }));
    expect(await listActions(connection(), { appId: 1 })).toEqual([
      { ...action, frequency: null, timezone: null, lastRunAt: null, nextRunAt: null, pageId: null },
    ]);
  });

  it('reads a list of 10 MB', async () => {
    platform.respond((_request, response) =>
      json(response, 200, { apps: [{ ...app, name: 'x'.repeat(10 * 1024 * 1024) }] }),
    );
    expect((await listApps(connection()))[0]?.name).toHaveLength(10 * 1024 * 1024);
  });

  it('preserves the path of the base URL', async () => {
    platform.respond((_request, response) => json(response, 200, { apps: [] }));
    await listApps({ ...connection(), baseUrl: `${platform.baseUrl}/eu` });
    expect(platform.requests[0]?.url).toBe('/eu/v1/apps');
  });
});

describe('refusals', () => {
  it.each([
    [400, 'REQUEST_REFUSED'],
    [401, 'TOKEN_REFUSED'],
    [403, 'ACCESS_DENIED'],
    [404, 'NOT_FOUND'],
    [405, 'REQUEST_REFUSED'],
    [409, 'CONFLICT'],
    [413, 'REQUEST_TOO_LARGE'],
    [422, 'REQUEST_INVALID'],
    [418, 'STATUS_UNEXPECTED'],
    [500, 'PLATFORM_FAILED'],
    [502, 'PLATFORM_FAILED'],
    [504, 'PLATFORM_FAILED'],
  ])('with status %i is %s, with the platform’s message and a hint', async (status, code) => {
    platform.respond((_request, response) => json(response, status, { error: 'ITS_CODE', message: 'Do this.' }));
    const error = await failure(listApps(connection()));
    expect(error).toMatchObject({
      code,
      status,
      message: expect.stringContaining('Do this.'),
      said: { code: 'ITS_CODE', message: 'Do this.' },
    });
    expect(error.hint).toBeTruthy();
    expect(platform.requests).toHaveLength(1);
  });

  it('carries the details of a 422', async () => {
    const details = [{ path: '/release/type', message: 'Use silent, visible or forced.' }];
    platform.respond((_request, response) => json(response, 422, { error: 'invalid', message: 'No.', details }));
    expect(await failure(listApps(connection()))).toMatchObject({ details });
  });

  it.each([
    ['an HTML page', '<html><h1>Bad gateway</h1>'],
    ['an empty string', ''],
    ['truncated JSON', '{"error": "x", "mess'],
    ['JSON with other fields', '{"errors": []}'],
    ['JSON with invalid details', '{"error":"x","message":"m","details":"d"}'],
  ])('is reported even when it is %s', async (_what, body) => {
    platform.respond((_request, response) => response.writeHead(401).end(body));
    expect(await failure(listApps(connection()))).toMatchObject({ code: 'TOKEN_REFUSED', status: 401 });
  });

  it.each<[string, Parameters<BadPlatform['respond']>[0]]>([
    [
      'breaks off',
      (request, response) =>
        void response.writeHead(401, { 'content-length': '1000' }).write('{"error"', () => request.socket.destroy()),
    ],
    ['never ends', (_request, response) => void response.writeHead(401).write('{"error"')],
  ])('is reported by its status when its body %s', async (_what, listener) => {
    platform.respond(listener);
    expect(await failure(listApps(connection(), { timeoutMs: 300 }))).toMatchObject({
      code: 'TOKEN_REFUSED',
      status: 401,
    });
    expect(
      await failure(
        publishRelease(connection(), { appId: 7, release: { type: 'silent', changelog: 'x' } }, { timeoutMs: 300 }),
      ),
    ).toMatchObject({ code: 'TOKEN_REFUSED' });
  });

  it('is redacted when the platform repeats the token', async () => {
    platform.respond((_request, response) => json(response, 401, { error: 'x', message: `Unknown token ${TOKEN}` }));
    expect(JSON.stringify(await failure(listApps(connection())))).not.toContain(TOKEN);
  });
});

describe('a refusal with Retry-After', () => {
  it.each([429, 503])('is retried after %i', async (status) => {
    platform.respond((_request, response, nth) =>
      nth < 3 ? json(response, status, {}, { 'retry-after': '0' }) : json(response, 200, { apps: [] }),
    );
    expect(await listApps(connection())).toEqual([]);
    expect(platform.requests).toHaveLength(3);
  });

  it('is tried at most three times', async () => {
    platform.respond((_request, response) => json(response, 429, {}, { 'retry-after': '0' }));
    expect(await failure(listApps(connection()))).toMatchObject({ code: 'RATE_LIMITED', status: 429 });
    expect(platform.requests).toHaveLength(3);
  });

  it('reports the delay when it is too long to wait', async () => {
    platform.respond((_request, response) => json(response, 503, {}, { 'retry-after': '120' }));
    expect(await failure(listApps(connection()))).toMatchObject({
      code: 'PLATFORM_UNAVAILABLE',
      hint: 'Try again in 120 seconds.',
      retryAfter: 120,
    });
    expect(platform.requests).toHaveLength(1);
  });

  it('may have a date', async () => {
    platform.respond((_request, response) =>
      json(response, 503, {}, { 'retry-after': new Date(Date.now() + 90_000).toUTCString() }),
    );
    expect((await failure(listApps(connection()))).hint).toMatch(/^Try again in (8\d|90) seconds\.$/);
  });

  it('is retried only within the time limit of the whole call', async () => {
    platform.respond((_request, response) => json(response, 503, {}, { 'retry-after': '4' }));
    expect(await failure(listApps(connection(), { timeoutMs: 200 }))).toMatchObject({ code: 'PLATFORM_SLOW' });
  });
});

describe('a missing or invalid response', () => {
  it('is reported when the connection is refused', async () => {
    await platform.close();
    expect(await failure(listApps(connection()))).toMatchObject({
      code: 'PLATFORM_UNREACHABLE',
      message: expect.stringContaining('127.0.0.1'),
    });
  });

  it('is reported when the connection is closed before the response', async () => {
    platform.respond((request) => request.socket.destroy());
    expect(await failure(listApps(connection()))).toMatchObject({ code: 'PLATFORM_UNREACHABLE' });
  });
  it('is requested once more when the server had closed the connection, unless it’s a change', async () => {
    platform.respond((request, response, nth) =>
      nth % 2 === 1 ? json(response, 200, { apps: [app] }) : request.socket.resetAndDestroy(),
    );
    expect(await listApps(connection())).toHaveLength(1);
    // The second request fails, and the third one is answered.
    expect(await listApps(connection())).toHaveLength(1);
    expect(platform.requests).toHaveLength(3);
    const release = { type: 'silent', changelog: 'x' } as const;
    expect((await failure(publishRelease(connection(), { appId: 1, release }))).code).toBe('OUTCOME_UNKNOWN');
    expect(platform.requests).toHaveLength(4);
  });

  it('is reported when the time limit has passed', async () => {
    platform.respond(() => {});
    expect(await failure(listApps(connection(), { timeoutMs: 50 }))).toMatchObject({ code: 'PLATFORM_SLOW' });
  });

  it('is reported when the response never ends', async () => {
    platform.respond((_request, response) => void response.writeHead(200).write('{"apps": ['));
    expect(await failure(listApps(connection(), { timeoutMs: 150 }))).toMatchObject({ code: 'PLATFORM_SLOW' });
  });

  it('is reported when the call is canceled', async () => {
    const abort = new AbortController();
    platform.respond(() => abort.abort());
    expect(await failure(listApps(connection(), { signal: abort.signal }))).toMatchObject({ code: 'ABORTED' });
  });

  it.each([
    ['an HTML page', '<!doctype html><title>Login</title>', 'ANSWER_HTML'],
    ['an empty body', '', 'ANSWER_EMPTY'],
    ['whitespace', ' \n ', 'ANSWER_EMPTY'],
    ['truncated JSON', '{"apps": [{"id": 1, "na', 'ANSWER_CUT_OFF'],
    ['a word', 'OK', 'ANSWER_NOT_JSON'],
    ['a JSON number', '42', 'ANSWER_NOT_JSON'],
  ])('is reported when it is %s', async (_what, body, code) => {
    platform.respond((_request, response) => response.writeHead(200, { 'content-type': 'application/json' }).end(body));
    expect(await failure(listApps(connection()))).toMatchObject({ code, status: 200 });
  });

  it.each([
    ['an array instead of an object', [], '/apps'],
    ['another object', { items: [] }, '/apps'],
    ['null instead of the array', { apps: null }, '/apps'],
    ['apps whose ids are strings', { apps: [{ ...app, id: '2' }] }, '/apps/0/id'],
  ])('is reported when it is %s, with the invalid field', async (_what, value, path) => {
    platform.respond((_request, response) => json(response, 200, value));
    const error = await failure(listApps(connection()));
    expect(error).toMatchObject({ code: 'ANSWER_INVALID', details: [{ path }] });
  });

  it('is reported when the connection is lost during the response', async () => {
    platform.respond((request, response) => {
      response.writeHead(200, { 'content-length': '1000' });
      response.write('{"apps": [', () => request.socket.destroy());
    });
    expect(await failure(listApps(connection()))).toMatchObject({ code: 'ANSWER_CUT_OFF' });
  });

  it('stops the download of 10 MB of HTML at its first chunk', async () => {
    let sent = 0;
    const closed = new Promise<void>((resolve) => {
      platform.respond((_request, response) => {
        response.writeHead(200);
        const piece = `<p>${'x'.repeat(65_536)}</p>`;
        const more = () => {
          if (sent >= 10 * 1024 * 1024) response.end();
          else if (!response.destroyed) response.write(piece, () => ((sent += piece.length), more()));
        };
        response.on('close', resolve);
        more();
      });
    });
    expect(await failure(listApps(connection()))).toMatchObject({ code: 'ANSWER_HTML' });
    await closed;
    expect(sent).toBeLessThan(10 * 1024 * 1024);
  });

  it('is read up to the limit of the operation', async () => {
    platform.respond((_request, response) => {
      response.writeHead(200);
      const piece = ' '.repeat(1024 * 1024);
      const more = () => !response.destroyed && response.write(piece, more);
      response.write('{', more);
    });
    expect(await failure(listApps(connection()))).toMatchObject({ code: 'ANSWER_TOO_LARGE' });
  });

  it('isn’t requested again from a redirect’s location, so the token is only sent to the platform', async () => {
    const elsewhere = await startBadPlatform();
    try {
      platform.respond((_request, response) =>
        response.writeHead(302, { location: `${elsewhere.baseUrl}/v1/apps` }).end(),
      );
      expect(await failure(listApps(connection()))).toMatchObject({ code: 'ANSWER_REDIRECTED' });
      expect(elsewhere.requests).toEqual([]);
    } finally {
      await elsewhere.close();
    }
  });
});

describe('a list with an item of another form', () => {
  const action = {
    id: 1,
    name: 'good',
    active: true,
    environment: 'any',
    triggers: [],
    functions: [],
    createdAt: 'a',
    updatedAt: 'b',
    appId: 7,
  };
  const log = { id: 1, appId: 7, type: 'app.event', createdAt: 'a' };
  const described = { id: 1, name: 'Wait', package: 'com.example.wait', description: '' };
  it.each([
    ['apps', () => listApps(connection()), app, { organizationId: 'x' }, 'organizationId'],
    ['sessions', () => listSessions(connection(), { appId: 7 }), { id: 1 }, { lastAccessedAt: 5 }, 'lastAccessedAt'],
    ['actions', () => listActions(connection(), { appId: 7 }), action, { timezone: 42 }, 'timezone'],
    ['functions', () => listFunctions(connection()), described, { package: null }, 'package'],
    ['dataSources', () => listDataSources(connection(), { appId: 7 }), { id: 1, name: 'V' }, { columns: 3 }, 'columns'],
  ] as const)('has the other %s, and says what couldn’t be read', async (key, list, good, wrong, field) => {
    const items = [good, { ...good, id: 2, ...wrong }, null];
    platform.respond((_request, response) => json(response, 200, { [key]: items }));
    const listed = await list();
    expect(listed).toMatchObject([good]);
    const name = 'name' in good ? `“${good.name}”, ID 2` : 'ID 2';
    expect(unreadableOf(listed)).toEqual([
      { id: 2, item: name, why: expect.stringContaining(`${field}: `) },
      { id: null, item: 'item 3', why: expect.any(String) },
    ]);
  });

  it('has the other log records, and the number of all', async () => {
    const lists: unknown[] = [];
    const given = { ...connection(), onUnreadable: (...args: unknown[]) => void lists.push(args) };
    platform.respond((_request, response) =>
      json(response, 200, { count: 9, logs: [log, { ...log, id: 2, type: 4 }] }),
    );
    expect(await listLogs(given, { appId: 7, query: {} })).toMatchObject({
      count: 9,
      logs: [log],
      unreadable: [{ id: 2, item: 'ID 2', why: expect.stringContaining('type: ') }],
    });
    expect(lists).toEqual([['list of logs', [expect.objectContaining({ id: 2 })]]]);
  });

  it('isn’t a list of the platform if no item has even an ID', async () => {
    platform.respond((_request, response) => json(response, 200, { apps: [{ key: 'x' }, 1] }));
    expect(await failure(listApps(connection()))).toMatchObject({ code: 'ANSWER_INVALID' });
  });
});

describe('publishing', () => {
  const args = { appId: 7, release: { type: 'silent', changelog: ' Fixed the login. ' } } as const;

  it('posts the release, and returns the new version', async () => {
    platform.respond((_request, response) => json(response, 201, { app: { version: 12, id: 7, updatedAt: 'now' } }));
    expect(await publishRelease(connection(), { ...args, idempotencyKey: 'k1' })).toEqual({
      version: 12,
      id: 7,
      updatedAt: 'now',
    });
    expect(platform.requests[0]).toMatchObject({
      method: 'POST',
      url: '/v1/apps/7/publish',
      body: '{"release":{"type":"silent","changelog":"Fixed the login."}}',
      headers: { 'content-type': 'application/json', 'idempotency-key': 'k1' },
    });
  });

  it.each([[{ type: 'loud', changelog: 'x' }], [{ type: 'silent', changelog: '  ' }]])(
    'rejects %j before sending it',
    async (release) => {
      expect(
        await failure(publishRelease(connection(), { appId: 7, release: release as typeof args.release })),
      ).toMatchObject({ code: 'RELEASE_INVALID' });
      expect(platform.requests).toEqual([]);
    },
  );

  it.each<[number, object]>([
    [401, {}],
    [404, {}],
    [422, {}],
    [403, { error: 'NO', message: 'No.' }],
    [409, { error: 'NO', message: 'No.' }],
    [429, { error: 'NO', message: 'No.' }],
  ])('reports with status %i and the body %j that nothing was published', async (status, body) => {
    platform.respond((_request, response) => json(response, status, body, { 'retry-after': '0' }));
    expect(await failure(publishRelease(connection(), args))).toMatchObject({ status });
    expect(platform.requests).toHaveLength(1);
  });

  it.each<[string, Parameters<BadPlatform['respond']>[0]]>([
    ['a lost connection', (request) => request.socket.destroy()],
    ['a timeout', () => {}],
    ['status 500', (_request, response) => json(response, 500, {})],
    ['status 503', (_request, response) => json(response, 503, {}, { 'retry-after': '0' })],
    ['a 403 of a firewall', (_request, response) => response.writeHead(403).end('<html>Blocked')],
    ['a 409 that doesn’t say why', (_request, response) => json(response, 409, {})],
    ['a 429 that doesn’t say why', (_request, response) => json(response, 429, {}, { 'retry-after': '0' })],
    ['an HTML page', (_request, response) => response.writeHead(200).end('<html>')],
    ['a response without the version', (_request, response) => json(response, 201, { app: {} })],
  ])('reports an unknown outcome after %s, and never sends the release twice', async (_what, listener) => {
    platform.respond(listener);
    expect(await failure(publishRelease(connection(), args, { timeoutMs: 300 }))).toMatchObject({
      code: 'OUTCOME_UNKNOWN',
    });
    expect(platform.requests).toHaveLength(1);
  });
});

describe('requesting a page', () => {
  const page = { path: '/v1/apps/1/tasks/2/compile?html', title: 'debug page' };

  it('accepts a page by its first characters', async () => {
    platform.respond(
      (_request, response) =>
        void response.writeHead(200, { 'content-type': 'text/html' }).write(`<!doctype html>${' '.repeat(4096)}`),
    );
    await checkPage(connection(), page, { timeoutMs: 3000 });
    expect(platform.requests[0]).toMatchObject({
      url: '/v1/apps/1/tasks/2/compile?html',
      headers: { 'auth-token': TOKEN },
    });
  });

  it.each([
    ['an empty response', '', 'text/html', 'ANSWER_EMPTY'],
    ['JSON', '{"task":{}}', 'application/json', 'ANSWER_NOT_HTML'],
  ])('rejects %s', async (_what, body, type, code) => {
    platform.respond((_request, response) => response.writeHead(200, { 'content-type': type }).end(body));
    expect(await failure(checkPage(connection(), page))).toMatchObject({ code });
  });

  it.each([
    ['by its content type', 'Hello', 'TEXT/HTML; charset=utf-8'],
    ['by its first characters', ' \n<p>Hello', 'text/plain'],
    ['by its first characters, without a content type', '<p>Hello', undefined],
  ])('recognizes a page %s', async (_how, body, type) => {
    platform.respond((_request, response) => response.writeHead(200, type ? { 'content-type': type } : {}).end(body));
    await checkPage(connection(), page);
    expect(platform.requests[0]?.headers.accept).toBe('*/*');
  });

  it('rejects whitespace, and text without a content type', async () => {
    platform.respond((_request, response) => response.writeHead(200, { 'content-type': 'text/html' }).end(' \n '));
    expect(await failure(checkPage(connection(), page))).toMatchObject({
      code: 'ANSWER_EMPTY',
      message: 'The debug page is empty.',
    });
    platform.respond((_request, response) => response.writeHead(200).end('Hello <b>'));
    expect(await failure(checkPage(connection(), page))).toMatchObject({ code: 'ANSWER_NOT_HTML' });
  });

  it('reports a refusal', async () => {
    platform.respond((_request, response) =>
      response.writeHead(404, { 'content-type': 'text/html' }).end('<h1>404</h1>'),
    );
    expect(await failure(checkPage(connection(), page))).toMatchObject({ code: 'NOT_FOUND', status: 404 });
  });
});
