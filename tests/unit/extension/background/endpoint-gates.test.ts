/** Tests that a platform without endpoints beyond the specification is asked for them once, and which responses show it. */
import type { ServerResponse } from 'node:http';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { waitFor } from '../../../../lib/browser-driver/wait-for.ts';
import { EndpointGates, type LocalArea } from '../../../../lib/extension/background/handlers/endpoint-gates.ts';
import { oneTimeToken } from '../../../../lib/extension/background/handlers/one-time-tokens.ts';
import { NO_RELEASES, readReleases } from '../../../../lib/extension/background/releases.ts';
import { toErrorValue } from '../../../../lib/platform-api/index.ts';
import * as rest from '../../../../lib/rest/index.ts';
import { fakeLocalArea } from '../../../support/fake-local-area.ts';
import type { BadPlatform } from '../../rest/bad-platform.ts';
import { json, startBadPlatform } from '../../rest/bad-platform.ts';

let platform: BadPlatform;
let stored: Record<string, unknown>;
let local: LocalArea;
let gates: EndpointGates;
let changes: number;
/** Whether the platform lists its apps. */
let listsApps: boolean;

/** As a new worker: only what is stored is left. */
function startWorker(): void {
  gates = new EndpointGates(local, () => changes++);
}
beforeEach(async () => {
  platform = await startBadPlatform();
  stored = {};
  local = fakeLocalArea(stored);
  changes = 0;
  listsApps = true;
  startWorker();
});
afterEach(() => platform.close());

const connect = (baseUrl = platform.baseUrl): rest.Connection => ({
  baseUrl,
  token: 'secret',
  gate: gates.at(baseUrl, async () => {
    if (!listsApps) throw new Error('There are no apps.');
  }),
});
const listActions = (baseUrl?: string, signal?: AbortSignal) =>
  rest.listActions(connect(baseUrl), { appId: 1 }, { signal });
const outcome = (work: Promise<unknown>) =>
  work.then(
    () => 'ok',
    (error: unknown) => toErrorValue(error).code,
  );
const known = () => gates.known(platform.baseUrl);
const html = (response: ServerResponse, status: number) =>
  response.writeHead(status, { 'content-type': 'text/html' }).end('<!doctype html><h1>Hello</h1>');
const NO_SUCH_APP = { error: 'NOT_FOUND', message: 'No such app.' };

describe('a platform shows that it has only the specified endpoints', () => {
  it.each<[string, (response: ServerResponse) => void]>([
    ['a 404 as HTML', (response) => html(response, 404)],
    ['an empty 404', (response) => response.writeHead(404).end()],
    ['a 404 as text', (response) => response.writeHead(404).end('default backend - 404')],
    ['a 404 as JSON of another form', (response) => json(response, 404, { status: 404, detail: 'Not found' })],
    [
      'a 404 as web frameworks send it',
      (response) => json(response, 404, { statusCode: 404, error: 'Not Found', message: 'Cannot GET /v1/x' }),
    ],
    ['a 405', (response) => html(response, 405)],
    ['a 501', (response) => json(response, 501, {})],
    ['a page at any URL', (response) => html(response, 200)],
    ['a text at any URL', (response) => response.writeHead(200).end('OK')],
    ['an empty success', (response) => response.writeHead(200).end()],
    ['JSON of another form', (response) => json(response, 200, { status: 'ok' })],
    ['a redirect to its sign-in page', (response) => response.writeHead(302, { location: '/login' }).end()],
    ['a 403 of its gateway', (response) => json(response, 403, { message: 'Missing Authentication Token' })],
    ['a 403 as HTML', (response) => html(response, 403)],
    ['a 400 of its gateway', (response) => json(response, 400, { message: 'Unknown route' })],
  ])('with %s', async (_what, respond) => {
    platform.respond((_request, response) => respond(response));
    expect(await outcome(listActions())).toBe('ENDPOINT_MISSING');
    expect(await known()).toBe('specified');
    expect(await outcome(rest.listFunctions(connect()))).toBe('ENDPOINT_MISSING');
    expect(platform.requests).toHaveLength(1);
    expect(changes).toBe(1);
  });

  it('also after it had more, for example when the local platform was restarted as such a platform', async () => {
    platform.respond((_request, response, nth) =>
      nth === 1 ? json(response, 200, { actions: [] }) : html(response, 404),
    );
    expect(await outcome(listActions())).toBe('ok');
    expect(await outcome(listActions())).toBe('NOT_FOUND');
    expect(await known()).toBeNull();
    expect(await outcome(listActions())).toBe('ENDPOINT_MISSING');
    expect(await known()).toBe('specified');
    expect(changes).toBe(3);
  });

  it('to a change, which was then not made, and isn’t sent again', async () => {
    platform.respond((_request, response) => html(response, 501));
    const remove = () => outcome(rest.removeAction(connect(), { appId: 1, actionId: 2 }));
    expect([await remove(), await remove()]).toEqual(['ENDPOINT_MISSING', 'ENDPOINT_MISSING']);
    expect(platform.requests).toHaveLength(1);
  });

  it('to a change by a 403 of its gateway, which can be a firewall’s after the change', async () => {
    platform.respond((_request, response) => html(response, 403));
    expect(await outcome(rest.removeAction(connect(), { appId: 1, actionId: 2 }))).toBe('OUTCOME_UNKNOWN');
  });

  it('to a change by a page at any URL, which leaves open whether it was made', async () => {
    platform.respond((_request, response) => html(response, 200));
    expect(await outcome(rest.runAction(connect(), { appId: 1, actionId: 2, payload: {} }))).toBe('OUTCOME_UNKNOWN');
    expect(await outcome(rest.runAction(connect(), { appId: 1, actionId: 2, payload: {} }))).toBe('ENDPOINT_MISSING');
    expect(platform.requests).toHaveLength(1);
  });
});

describe('a platform shows that it has all endpoints', () => {
  it('with data', async () => {
    platform.respond((_request, response) => json(response, 200, { actions: [] }));
    await listActions();
    expect(await known()).toBe('all');
  });

  it.each<[number, string]>([
    [404, 'ACTION_NOT_FOUND'],
    [409, 'CONFLICT'],
    [422, 'INVALID'],
  ])('with its own error body of status %i and code %s', async (status, error) => {
    platform.respond((_request, response) => json(response, status, { error, message: 'No.' }));
    const { code, said } = toErrorValue(await listActions().catch((thrown: unknown) => thrown));
    expect(code).not.toBe('ENDPOINT_MISSING');
    expect(said).toEqual({ code: error, message: 'No.' });
    expect(await known()).toBe('all');
  });

  it('with a failed run', async () => {
    const details = { errorType: 'Error', errorMessage: 'x', trace: [] };
    platform.respond((_request, response) => json(response, 424, { error: 'ACTION_FAILED', message: 'x', details }));
    expect(await outcome(rest.runWithResult(connect(), { appId: 1, actionId: 2, payload: {} }))).toBe('ACTION_FAILED');
    expect(await known()).toBe('all');
  });
});

describe('a platform shows nothing about its endpoints', () => {
  it.each<[string, (response: ServerResponse) => void, string]>([
    ['a refused token', (response) => json(response, 401, NO_SUCH_APP), 'TOKEN_REFUSED'],
    ['a denied access', (response) => json(response, 403, NO_SUCH_APP), 'ACCESS_DENIED'],
    ['a refused token without a reason', (response) => html(response, 401), 'TOKEN_REFUSED'],
    ['a 404 that any router can send', (response) => json(response, 404, NO_SUCH_APP), 'NOT_FOUND'],
    ['a failure', (response) => html(response, 500), 'PLATFORM_FAILED'],
    ['a bad gateway', (response) => html(response, 502), 'PLATFORM_FAILED'],
    ['a rate limit', (response) => json(response, 429, NO_SUCH_APP, { 'retry-after': '60' }), 'RATE_LIMITED'],
    ['a lost connection', (response) => response.destroy(), 'PLATFORM_UNREACHABLE'],
    [
      'a response that was cut off',
      (response) => response.writeHead(200, { 'content-length': '99' }).end('{', () => response.destroy()),
      'ANSWER_CUT_OFF',
    ],
  ])('with %s', async (_what, respond, code) => {
    platform.respond((_request, response) => respond(response));
    expect(await outcome(listActions())).toBe(code);
    expect(await known()).toBeNull();
    expect({ stored, changes }).toEqual({ stored: {}, changes: 0 });
    platform.respond((_request, response) => json(response, 200, { actions: [] }));
    expect(await outcome(listActions())).toBe('ok');
  });

  it.each<[string, (response: ServerResponse) => void, string]>([
    ['a page', (response) => html(response, 200), 'ANSWER_HTML'],
    ['a redirect', (response) => response.writeHead(302, { location: '/login' }).end(), 'ANSWER_REDIRECTED'],
    ['a 403', (response) => html(response, 403), 'ACCESS_DENIED'],
  ])('with %s after it had more, as when a proxy wants its user to sign in', async (_what, respond, code) => {
    platform.respond((_request, response, nth) =>
      nth === 2 ? respond(response) : json(response, 200, { actions: [] }),
    );
    expect([await outcome(listActions()), await outcome(listActions())]).toEqual(['ok', code]);
    expect(await known()).toBe('all');
    expect(await outcome(listActions())).toBe('ok');
  });

  it('with a 404 of its gateway after it had more, as during a restart', async () => {
    platform.respond((_request, response, nth) =>
      nth === 2 ? html(response, 404) : json(response, 200, { actions: [] }),
    );
    const work = async () => outcome(listActions());
    expect([await work(), await work(), await work()]).toEqual(['ok', 'NOT_FOUND', 'ok']);
    expect(await known()).toBe('all');
  });

  it.each<[string, (response: ServerResponse) => void, string]>([
    ['a page', (response) => html(response, 200), 'ANSWER_HTML'],
    ['a 404', (response) => html(response, 404), 'NOT_FOUND'],
    ['a 403', (response) => html(response, 403), 'ACCESS_DENIED'],
  ])('with %s while it doesn’t list its apps either, as behind a sign-in page', async (_what, respond, code) => {
    listsApps = false;
    platform.respond((_request, response) => respond(response));
    expect(await outcome(listActions())).toBe(code);
    expect(await known()).toBeNull();
    listsApps = true;
    platform.respond((_request, response) => json(response, 200, { actions: [] }));
    expect(await outcome(listActions())).toBe('ok');
  });

  it('with a page that was requested as one', async () => {
    platform.respond((_request, response) => html(response, 200));
    await rest.checkPage(connect(), { path: '/v1/apps/1/preview', title: 'preview page' });
    expect(await known()).toBeNull();
  });
});

describe('while it’s unknown which endpoints a platform has', () => {
  it('the first request goes alone, and the others wait for it', async () => {
    const held = Promise.withResolvers<void>();
    platform.respond(({ url }, response) => {
      if (url === '/v1/apps') return json(response, 200, { apps: [] });
      void held.promise.then(() => html(response, 404));
    });
    const works = [
      listActions(),
      rest.listFunctions(connect()),
      rest.readClock(connect()),
      rest.createAction(connect(), { appId: 1, action: { name: 'new', functions: [] } }),
    ];
    const outcomes = Promise.all(works.map(outcome));
    await waitFor('the first request', async () => platform.requests.length > 0);
    await rest.listApps(connect());
    held.resolve();
    expect(await outcomes).toEqual(works.map(() => 'ENDPOINT_MISSING'));
    expect(platform.requests.map(({ url }) => url)).toEqual(['/v1/apps/1/actions', '/v1/apps']);
  });

  it('the next request goes alone if the first one shows nothing', async () => {
    platform.respond((_request, response, nth) => html(response, nth === 1 ? 500 : 404));
    expect(await Promise.all([1, 2, 3].map(() => outcome(listActions())))).toEqual([
      'PLATFORM_FAILED',
      'ENDPOINT_MISSING',
      'ENDPOINT_MISSING',
    ]);
    expect(platform.requests).toHaveLength(2);
  });

  it('the next request goes when the first one is canceled, and a canceled one stops waiting', async () => {
    const held = Promise.withResolvers<void>();
    platform.respond((_request, response, nth) => {
      if (nth > 1) void held.promise.then(() => json(response, 200, { actions: [] }));
    });
    const [first, third] = [new AbortController(), new AbortController()];
    const canceled = outcome(listActions(undefined, first.signal));
    await waitFor('the first request', async () => platform.requests.length === 1);
    const next = outcome(listActions());
    const waiting = outcome(listActions(undefined, third.signal));
    third.abort();
    expect(await waiting).toBe('ABORTED');
    first.abort();
    expect(await canceled).toBe('ABORTED');
    held.resolve();
    expect(await next).toBe('ok');
    expect(platform.requests).toHaveLength(2);
  });

  it('a slow first request doesn’t hold up the others for long', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      const held = Promise.withResolvers<void>();
      platform.respond((_request, response, nth) => {
        if (nth > 1) return json(response, 200, { actions: [] });
        void held.promise.then(() => html(response, 500));
      });
      const slow = outcome(listActions());
      await waitFor('the first request', async () => platform.requests.length === 1);
      const other = outcome(listActions());
      await vi.advanceTimersByTimeAsync(5_000);
      expect(await other).toBe('ok');
      held.resolve();
      expect(await slow).toBe('PLATFORM_FAILED');
    } finally {
      vi.useRealTimers();
    }
  });
});

describe('what’s known about a platform', () => {
  const specified = async () => {
    platform.respond((_request, response) => html(response, 404));
    await outcome(listActions());
  };

  it('survives the worker', async () => {
    await specified();
    startWorker();
    expect(await known()).toBe('specified');
    expect(await outcome(listActions())).toBe('ENDPOINT_MISSING');
    expect(platform.requests).toHaveLength(1);
  });

  it('is found out again if the worker was stopped before it was stored, or if it’s damaged', async () => {
    local.set = () => Promise.reject(new Error('The disk is full.'));
    await specified();
    expect(await outcome(listActions())).toBe('ENDPOINT_MISSING');
    expect(platform.requests).toHaveLength(1);
    startWorker();
    expect(await known()).toBeNull();
    stored[`endpoints ${platform.baseUrl}`] = { everything: true };
    startWorker();
    expect(await known()).toBeNull();
  });

  it('is shared by environments with one base URL, and not with other base URLs', async () => {
    await specified();
    expect(await gates.known(`${platform.baseUrl}/eu`)).toBeNull();
    await outcome(listActions(`${platform.baseUrl}/eu`));
    expect(platform.requests.map(({ url }) => url)).toEqual(['/v1/apps/1/actions', '/eu/v1/apps/1/actions']);
  });

  it('is forgotten when the connection is tested', async () => {
    await specified();
    await gates.forget(platform.baseUrl);
    expect(await known()).toBeNull();
    expect({ stored, changes }).toEqual({ stored: {}, changes: 2 });
    platform.respond((_request, response) => json(response, 200, { actions: [] }));
    expect(await outcome(listActions())).toBe('ok');
    await gates.forget(`${platform.baseUrl}/never-asked`);
    expect(changes).toBe(3);
  });

  it('is forgotten with the last environment of the base URL, with what earlier versions stored', async () => {
    stored['oneTimeTokens.without'] = { here: platform.baseUrl };
    stored['popup.draft'] = 'kept';
    await specified();
    await gates.keepOnly([platform.baseUrl, 'https://other.example.com']);
    expect(await known()).toBe('specified');
    await gates.keepOnly(['https://other.example.com']);
    expect(await known()).toBeNull();
    expect(stored).toEqual({ 'popup.draft': 'kept' });
  });

  it('isn’t stored by a response that arrives after everything was erased', async () => {
    const held = Promise.withResolvers<void>();
    platform.respond((_request, response) => void held.promise.then(() => html(response, 404)));
    const work = outcome(listActions());
    await waitFor('the request', async () => platform.requests.length === 1);
    await gates.keepOnly([]);
    held.resolve();
    expect(await work).toBe('ENDPOINT_MISSING');
    expect(stored).toEqual({});
  });
});

describe('on a platform with only the specified endpoints', () => {
  beforeEach(async () => {
    stored[`endpoints ${platform.baseUrl}`] = 'specified';
    platform.respond((_request, response) => html(response, 404));
  });

  it('those are still requested', async () => {
    const page = { path: '/v1/apps/1/tasks/2/compile?html', title: 'debug page' };
    const works = [
      rest.listApps(connect()),
      rest.listSessions(connect(), { appId: 1, limit: 5 }),
      rest.publishRelease(connect(), { appId: 1, release: { type: 'silent', changelog: 'x' } }),
      rest.checkPage(connect(), page),
    ];
    expect(await Promise.all(works.map(outcome))).toEqual(works.map(() => 'NOT_FOUND'));
    expect(platform.requests.map(({ method, url }) => `${method} ${url}`).toSorted()).toEqual([
      'GET /v1/apps',
      'GET /v1/apps/1/analytics/sessions?limit=5&offset=0',
      'GET /v1/apps/1/tasks/2/compile?html',
      'POST /v1/apps/1/publish',
    ]);
  });

  it('nothing else is', async () => {
    const [app, action] = [{ appId: 1 }, { appId: 1, actionId: 2 }];
    const works = [
      rest.listActions(connect(), app),
      rest.createAction(connect(), { ...app, action: { name: 'new', functions: [] } }),
      rest.updateAction(connect(), { ...action, change: { active: false } }),
      rest.removeAction(connect(), action),
      rest.publishAction(connect(), { ...action, publish: true }),
      rest.runAction(connect(), { ...action, payload: {} }),
      rest.runWithResult(connect(), { ...action, payload: {} }),
      rest.listFunctions(connect()),
      rest.listDataSources(connect(), app),
      rest.listLogs(connect(), { ...app, query: {} }),
      rest.createLog(connect(), { ...app, log: { type: 'x' } }),
      rest.readClock(connect()),
      rest.moveClock(connect(), { to: '2026-01-01T00:00:00Z' }),
      rest.issueOneTimeToken(connect(), { ...app, path: '/' }),
      rest.checkPage(connect(), { path: '/v1/apps/1/preview', title: 'preview page' }),
    ];
    expect(await Promise.all(works.map(outcome))).toEqual(works.map(() => 'ENDPOINT_MISSING'));
    expect(await oneTimeToken(connect(), { appId: 1, path: '/' })).toBeNull();
    expect(await readReleases(connect(), { id: 1, releases: [] }, 1_000)).toEqual(NO_RELEASES);
    expect(platform.requests).toEqual([]);
  });
});

describe('a one-time token', () => {
  const issue = (signal?: AbortSignal) => oneTimeToken(connect(), { appId: 1, path: '/v1/apps/1/preview' }, { signal });

  it('is issued for each page', async () => {
    platform.respond((_request, response) => json(response, 201, { token: `once.${platform.requests.length}` }));
    expect([await issue(), await issue()]).toEqual(['once.1', 'once.2']);
  });

  it.each([404, 500, 200])(
    'that can’t be read from a response with status %i leaves the environment’s',
    async (status) => {
      platform.respond((_request, response) => json(response, status, { apps: [] }));
      expect(await issue()).toBeNull();
    },
  );

  it('isn’t replaced by anything when opening is canceled', async () => {
    await expect(issue(AbortSignal.abort())).rejects.toMatchObject({ code: 'ABORTED' });
  });
});
