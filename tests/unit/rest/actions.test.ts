/** The REST client’s operations on actions, runs, and the log: their requests and errors. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ErrorValue } from '../../../lib/platform-api/index.ts';
import { CodedError } from '../../../lib/platform-api/index.ts';
import {
  createAction,
  createLog,
  listActions,
  listApps,
  listDataSources,
  listFunctions,
  listLogs,
  listSessions,
  moveClock,
  publishAction,
  readRecording,
  publishRelease,
  readClock,
  removeAction,
  restoreRevision,
  runAction,
  runWithResult,
  updateAction,
} from '../../../lib/rest/index.ts';
import type { BadPlatform } from './bad-platform.ts';
import { json, startBadPlatform } from './bad-platform.ts';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const TOKEN = 'secret-token-1234567890';
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
const log = { id: 9, appId: 1, type: 'x.y', data: { a: 1 }, createdAt: 'a' };
const OF = { appId: 1, actionId: 5 };

let platform: BadPlatform;
const connection = () => ({ baseUrl: platform.baseUrl, token: TOKEN });
const requests = () =>
  platform.requests.map(({ method, url, body }) => [method, url, body === '' ? null : (JSON.parse(body) as unknown)]);
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

describe('an action', () => {
  it('is created, changed, published, and removed, always by its ID', async () => {
    platform.respond((request, response) =>
      request.method === 'DELETE'
        ? void response.writeHead(204).end()
        : json(response, request.method === 'POST' ? 201 : 200, { action }),
    );
    const own = JSON.parse('{"name": "weekly", "functions": [{"settings": {"__proto__": {"kept": true}}}]}') as {
      name: string;
    };
    expect(await createAction(connection(), { appId: 1, action: own })).toMatchObject({
      id: 5,
      name: 'weekly',
      pageId: null,
    });
    await updateAction(connection(), { ...OF, change: { active: false, revision: 3 } });
    await publishAction(connection(), { ...OF, publish: true, revision: 3 });
    await restoreRevision(connection(), { ...OF, revision: 2, expected: 3 });
    expect(await removeAction(connection(), OF)).toBeNull();
    expect(platform.requests[0]?.body).toBe('{"name":"weekly","functions":[{"settings":{"__proto__":{"kept":true}}}]}');
    expect(platform.requests.map(({ headers }) => headers['if-match'])).toEqual([
      undefined,
      undefined,
      '"3"',
      '"3"',
      undefined,
    ]);
    expect(requests().slice(1)).toEqual([
      ['PUT', '/v1/apps/1/actions/5?by=id', { active: false, revision: 3 }],
      ['POST', '/v1/apps/1/actions/5/publish?by=id', { publish: true }],
      ['POST', '/v1/apps/1/actions/5/revisions/2/restore?by=id', null],
      ['DELETE', '/v1/apps/1/actions/5?by=id', null],
    ]);
  });

  it.each([
    [400, 'REQUEST_REFUSED'],
    [401, 'TOKEN_REFUSED'],
    [404, 'NOT_FOUND'],
    [409, 'CONFLICT'],
    [413, 'REQUEST_TOO_LARGE'],
    [422, 'REQUEST_INVALID'],
    [429, 'RATE_LIMITED'],
  ])('isn’t changed when the response is %i: %s, with its message and details', async (status, code) => {
    const details = [{ path: '/name', message: 'Taken.' }];
    platform.respond((_request, response) => json(response, status, { error: 'X', message: 'Do this.', details }));
    expect(await failure(updateAction(connection(), { ...OF, change: {} }))).toMatchObject({
      code,
      status,
      message: expect.stringContaining('Do this.'),
      details,
    });
    expect(platform.requests).toHaveLength(1);
  });

  it.each<[string, Parameters<BadPlatform['respond']>[0]]>([
    ['an HTML page', (_request, response) => void response.writeHead(200).end('<html>')],
    ['another form', (_request, response) => json(response, 200, { action: { id: 'x' } })],
    ['500', (_request, response) => json(response, 500, {})],
    ['nothing', (request) => void request.socket.destroy()],
  ])(
    'reports an unknown outcome, with what to check, and sends nothing again when the response is %s',
    async (_what, listener) => {
      platform.respond(listener);
      const works = [
        () => createAction(connection(), { appId: 1, action: { name: 'x' } }),
        () => updateAction(connection(), { ...OF, change: {} }),
        () => publishAction(connection(), { ...OF, publish: false }),
      ];
      for (const work of works)
        expect(await failure(work())).toMatchObject({
          code: 'OUTCOME_UNKNOWN',
          hint: expect.stringContaining('Refresh the actions'),
        });
      expect(platform.requests).toHaveLength(3);
    },
  );
});

describe('an error message', () => {
  const release = { type: 'silent', changelog: 'x' } as const;
  const to = () => connection();

  it.each<[string, () => Promise<unknown>]>([
    ['list of apps: /apps', () => listApps(to())],
    ['list of sessions: /sessions', () => listSessions(to(), { appId: 1 })],
    ['list of functions: /functions', () => listFunctions(to())],
    ['list of actions: /actions', () => listActions(to(), { appId: 1 })],
    ['list of logs: /count', () => listLogs(to(), { appId: 1, query: {} })],
    ['list of data sources: /dataSources', () => listDataSources(to(), { appId: 1 })],
    ['clock: /now', () => readClock(to())],
  ])('rejects a response that isn’t a valid %s', async (what, work) => {
    platform.respond((_request, response) => json(response, 200, {}));
    expect((await failure(work())).message).toContain(`The response isn’t a valid ${what} is invalid`);
  });

  it.each<[string, () => Promise<unknown>, next: string]>([
    [
      'whether the action was created: The response isn’t a valid action: /action',
      () => createAction(to(), { appId: 1, action: { name: 'x' } }),
      'Refresh the actions',
    ],
    [
      'whether the action was changed: The response isn’t a valid action: /action',
      () => updateAction(to(), { ...OF, change: {} }),
      'Refresh the actions',
    ],
    [
      'whether the action was published: The response isn’t a valid action: /action',
      () => publishAction(to(), { ...OF, publish: true }),
      'Refresh the actions',
    ],
    [
      'whether the action was unpublished: The response isn’t a valid action: /action',
      () => publishAction(to(), { ...OF, publish: false }),
      'Refresh the actions',
    ],
    [
      'whether the run was queued: The response isn’t a valid queued run: /runId',
      () => runAction(to(), { ...OF, payload: {} }),
      'Check the logs for the run’s record',
    ],
    [
      'whether the log record was added: The response isn’t a valid log record: /log',
      () => createLog(to(), { appId: 1, log: { type: 'a.b' } }),
      'Check the logs',
    ],
    [
      'whether the clock was moved: The response isn’t a valid moved clock: /now',
      () => moveClock(to(), { to: 'a' }),
      'Refresh the clock',
    ],
    [
      'whether the update was published: The response isn’t a valid publish result: /app',
      () => publishRelease(to(), { appId: 1, release }),
      'Check the app’s version',
    ],
  ])('has a key of its own, and reports that it couldn’t confirm %s', async (what, work, next) => {
    platform.respond((_request, response) => json(response, 200, {}));
    for (let times = 0; times < 2; times++)
      expect(await failure(work())).toMatchObject({
        code: 'OUTCOME_UNKNOWN',
        message: expect.stringContaining(`Couldn’t confirm ${what} is invalid`),
        hint: expect.stringContaining(next),
      });
    const keys = platform.requests.map(({ headers }) => headers['idempotency-key']);
    expect(keys).toEqual([expect.stringMatching(UUID), expect.stringMatching(UUID)]);
    expect(keys[0]).not.toBe(keys[1]);
  });

  it('reports that it couldn’t confirm whether the action was removed, with the failure as the cause', async () => {
    platform.respond((_request, response) => json(response, 500, {}));
    const error = await removeAction(to(), OF).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({
      code: 'OUTCOME_UNKNOWN',
      message: 'Couldn’t confirm whether the action was removed: The platform failed (status 500).',
      cause: { code: 'PLATFORM_FAILED' },
    });
  });
});

it('actions are listed by ID: all, or one page', async () => {
  platform.respond((_request, response) => json(response, 200, { actions: [action] }));
  await listActions(connection(), { appId: 1 });
  await listActions(connection(), { appId: 1, limit: 10 });
  await listActions(connection(), { appId: 1, limit: 10, offset: 20 });
  expect(platform.requests.map(({ url }) => url)).toEqual([
    '/v1/apps/1/actions',
    '/v1/apps/1/actions?limit=10&offset=0',
    '/v1/apps/1/actions?limit=10&offset=20',
  ]);
});

it('an action is published without a revision when none is known', async () => {
  platform.respond((_request, response) => json(response, 200, { action }));
  await publishAction(connection(), { ...OF, publish: true });
  expect(platform.requests[0]?.headers).not.toHaveProperty('if-match');
});

describe('a run', () => {
  const runId = '0f0e0d0c-0b0a-4908-8706-050403020100';

  it('is queued', async () => {
    platform.respond((_request, response) => json(response, 202, { runId }));
    expect(await runAction(connection(), { ...OF, payload: { a: 1 } })).toEqual({ runId });
    expect(requests()).toEqual([['POST', '/v1/apps/1/actions/5/run?by=id', { payload: { a: 1 } }]]);
  });

  it('takes mocks, and is recorded on request', async () => {
    const mocks = [{ target: { path: '/0' }, outcome: { value: { $: 'undefined' } } }];
    platform.respond(({ url }, response) =>
      url === '/v1/status'
        ? json(response, 200, { status: 'ok', features: ['mocks'] })
        : url?.includes('with-result')
          ? json(response, 200, { result: 1 })
          : json(response, 202, { runId }),
    );
    const args = { ...OF, payload: {}, mocks, record: true };
    expect(await runAction(connection(), args)).toEqual({ runId });
    expect(await runWithResult(connection(), args)).toBe(1);
    expect(requests()).toEqual([
      ['GET', '/v1/status', null],
      ['POST', '/v1/apps/1/actions/5/run?by=id', { payload: {}, mocks, record: true }],
      ['GET', '/v1/status', null],
      ['POST', '/v1/apps/1/actions/5/run-with-result?by=id', { payload: {}, mocks, record: true }],
    ]);
  });

  it('isn’t started with mocks on a platform that would ignore them', async () => {
    platform.respond((_request, response) => json(response, 200, { status: 'ok' }));
    const args = { ...OF, payload: {}, mocks: [{ target: { path: '/0' } }] };
    for (const run of [runAction, runWithResult])
      expect(await failure(run(connection(), args))).toMatchObject({ code: 'MOCKS_UNSUPPORTED' });
    expect(platform.requests.map(({ url }) => url)).toEqual(['/v1/status', '/v1/status']);
  });

  it('is awaited by short requests, one at a time, until it has a result', async () => {
    platform.respond((_request, response, nth) =>
      nth < 3
        ? json(response, 202, { runId }, { location: 'https://evil.example/' })
        : json(response, 200, { result: { done: true } }),
    );
    expect(await runWithResult(connection(), { ...OF, payload: {} })).toEqual({ done: true });
    expect(platform.requests.map(({ method, url }) => `${method} ${url}`)).toEqual([
      'POST /v1/apps/1/actions/5/run-with-result?by=id',
      `GET /v1/apps/1/runs/${runId}`,
      `GET /v1/apps/1/runs/${runId}`,
    ]);
    for (const { headers } of platform.requests) expect(headers).toMatchObject({ 'auth-token': TOKEN });
    expect(platform.requests.map(({ headers }) => headers.prefer)).toEqual([
      'respond-async, wait=1',
      'respond-async, wait=20',
      'respond-async, wait=20',
    ]);
  });

  it('has ended when the platform says so, even if the result’s response names the run, too', async () => {
    platform.respond((_request, response) => json(response, 200, { runId, result: { done: true } }));
    expect(await runWithResult(connection(), { ...OF, payload: {} })).toEqual({ done: true });
    expect(platform.requests).toHaveLength(1);
  });

  it.each([
    [424, 'ACTION_FAILED'],
    [504, 'TIMEOUT'],
    [424, 'RESULT_TOO_LARGE'],
  ])(
    'that failed with %i %s reports why, even when it was awaited, and with a message of any length',
    async (status, code) => {
      const details = {
        errorType: 'TypeError',
        errorMessage: 'x'.repeat(10_000),
        trace: Array.from({ length: 200 }, (_, n) => `/0/functions/${n} ${'y'.repeat(100)}`),
      };
      platform.respond((_request, response, nth) =>
        nth === 2
          ? json(response, 202, { runId })
          : json(response, status, { error: code, message: 'The action weekly failed.', details }),
      );
      const expected = {
        code,
        status,
        message: 'The action weekly failed.',
        failure: details,
        hint: expect.any(String),
      };
      expect(await failure(runWithResult(connection(), { ...OF, payload: {} }))).toEqual(expected);
      expect(await failure(runWithResult(connection(), { ...OF, payload: {} }))).toEqual(expected);
      expect(platform.requests).toHaveLength(3);
    },
  );

  it('gets a default message when it failed without one', async () => {
    platform.respond((_request, response) =>
      json(response, 424, {
        error: 'ACTION_FAILED',
        message: '',
        details: { errorType: 'Error', errorMessage: '', trace: [] },
      }),
    );
    expect(await failure(runWithResult(connection(), { ...OF, payload: {} }))).toMatchObject({
      code: 'ACTION_FAILED',
      message: 'The run failed without a message.',
    });
  });

  it('that failed with a code that objects inherit is reported by its status', async () => {
    platform.respond((_request, response) =>
      json(response, 424, {
        error: 'constructor',
        message: 'No.',
        details: { errorType: 'Error', errorMessage: 'm', trace: [] },
      }),
    );
    expect(await failure(runWithResult(connection(), { ...OF, payload: {} }))).toMatchObject({
      code: 'OUTCOME_UNKNOWN',
      hint: expect.any(String),
    });
  });

  it('that can’t be reached any more may still be running, and the error points to the log', async () => {
    platform.respond((request, response, nth) =>
      nth === 1 ? json(response, 202, { runId }) : request.socket.destroy(),
    );
    expect(await failure(runWithResult(connection(), { ...OF, payload: {} }))).toMatchObject({
      code: 'OUTCOME_UNKNOWN',
      message: expect.stringContaining('how the run ended'),
      hint: expect.stringContaining('log'),
    });
    platform.respond((_request, response) => json(response, 504, '<html>Gateway</html>'));
    expect(await failure(runWithResult(connection(), { ...OF, payload: {} }))).toMatchObject({
      code: 'OUTCOME_UNKNOWN',
    });
  });

  it('that was refused didn’t start', async () => {
    platform.respond((_request, response) =>
      json(response, 409, { error: 'ACTION_INACTIVE', message: 'Activate it.' }),
    );
    expect(await failure(runWithResult(connection(), { ...OF, payload: {} }))).toMatchObject({
      code: 'CONFLICT',
      message: expect.stringContaining('Activate it.'),
    });
  });
});

describe('the log', () => {
  it('is requested with the given filters, and where as JSON', async () => {
    platform.respond((_request, response) => json(response, 200, { count: 1, logs: [log] }));
    expect(
      await listLogs(connection(), {
        appId: 1,
        query: { id: 5, limit: 10, before: null, type: 'a.b', where: { data: { mode: 'x&y=é' } } },
      }),
    ).toMatchObject({ count: 1, logs: [{ id: 9, sessionId: null }] });
    await listLogs(connection(), { appId: 1, query: {} });
    const [first, second] = platform.requests.map(({ url }) => new URL(url, 'http://x'));
    expect(Object.fromEntries(first!.searchParams)).toEqual({
      id: '5',
      limit: '10',
      type: 'a.b',
      where: '{"data":{"mode":"x&y=é"}}',
    });
    expect(second!.search).toBe('');
  });

  it('has recordings, whose text is returned as it is', async () => {
    const text = '{"format": "platform-devtools/run",\n "__proto__": [1.0]}';
    platform.respond((_request, response) => response.end(text));
    expect(await readRecording(connection(), { appId: 1, logId: 9 })).toBe(text);
    expect(requests()).toEqual([['GET', '/v1/apps/1/logs/9/recording', null]]);
    platform.respond((_request, response) => response.end(text.slice(0, -1)));
    expect(await failure(readRecording(connection(), { appId: 1, logId: 9 }))).toMatchObject({
      code: 'ANSWER_CUT_OFF',
    });
  });

  it('adds a record once', async () => {
    platform.respond((_request, response, nth) => (nth === 1 ? json(response, 201, { log }) : json(response, 502, {})));
    expect(await createLog(connection(), { appId: 1, log: { type: 'x.y' } })).toMatchObject({ id: 9 });
    expect(await failure(createLog(connection(), { appId: 1, log: { type: 'x.y' } }))).toMatchObject({
      code: 'OUTCOME_UNKNOWN',
      hint: expect.stringContaining('fire'),
    });
    expect(requests()).toHaveLength(2);
  });
});

it('the clock is read, and moved only once', async () => {
  const state = { now: '2026-03-02T00:00:00.000Z', virtual: true };
  platform.respond((request, response, nth) =>
    nth === 3
      ? request.socket.destroy()
      : json(response, 200, request.method === 'GET' ? state : { ...state, queued: 2 }),
  );
  expect(await readClock(connection())).toEqual(state);
  expect(await moveClock(connection(), { to: state.now })).toMatchObject({ queued: 2 });
  expect(await failure(moveClock(connection(), { to: state.now }))).toMatchObject({
    code: 'OUTCOME_UNKNOWN',
    message: expect.stringContaining('whether the clock was moved'),
  });
  expect(requests()).toEqual([
    ['GET', '/v1/clock', null],
    ['POST', '/v1/clock', { to: state.now }],
    ['POST', '/v1/clock', { to: state.now }],
  ]);
});

it('functions and data sources are listed', async () => {
  platform.respond((request, response) =>
    json(
      response,
      200,
      request.url === '/v1/functions'
        ? { functions: [{ id: 1, name: 'If', package: 'p.if', description: '' }] }
        : { dataSources: [{ id: 301, name: 'Visits', columns: ['Email'] }] },
    ),
  );
  expect(await listFunctions(connection())).toMatchObject([{ package: 'p.if' }]);
  expect(await listDataSources(connection(), { appId: 1 })).toMatchObject([{ id: 301, columns: ['Email'] }]);
  expect(platform.requests.map(({ url }) => url)).toEqual(['/v1/functions', '/v1/apps/1/data-sources']);
});
