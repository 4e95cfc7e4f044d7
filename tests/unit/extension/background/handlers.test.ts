/** Tests the worker’s handlers together: real vault, real HTTP, and no token in any response. */
import 'fake-indexeddb/auto';
import { IDBFactory } from 'fake-indexeddb';
import { openDB } from 'idb';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { eraseDatabases } from '../../../../lib/extension/storage/erase-databases.ts';
import { EndpointGates } from '../../../../lib/extension/background/handlers/endpoint-gates.ts';
import { fakeLocalArea } from '../../../support/fake-local-area.ts';
import { ProductionUnlocks } from '../../../../lib/extension/background/handlers/production-unlocks.ts';
import { createHandlers } from '../../../../lib/extension/background/handlers.ts';
import { createPublishStore } from '../../../../lib/extension/background/publish-store.ts';
import { CodedError } from '../../../../lib/platform-api/index.ts';
import { waitFor } from '../../../../lib/browser-driver/wait-for.ts';
import { createRefusals } from '../../../../lib/extension/messaging/refusals.ts';
import { Vault } from '../../../../lib/extension/vault/index.ts';
import type { BadPlatform } from '../../rest/bad-platform.ts';
import { json, startBadPlatform } from '../../rest/bad-platform.ts';

const TOKEN = 'secret-token-1234567890';
let platform: BadPlatform;
let granted: Set<string>;
let opened: unknown[];
/** Whether the tab's request gets a token. */
let sendsToken: boolean;

beforeEach(async () => {
  globalThis.indexedDB = new IDBFactory();
  platform = await startBadPlatform();
  platform.respond((_request, response) => json(response, 200, { apps: [], actions: [] }));
  granted = new Set(['http://127.0.0.1/*']);
  opened = [];
  sendsToken = true;
});
afterEach(() => platform.close());

const make = (vault = new Vault(), publishes = createPublishStore()) =>
  createHandlers({
    vault,
    permissions: {
      contains: ({ origins }) => Promise.resolve(origins.every((origin) => granted.has(origin))),
      remove: ({ origins }) => {
        origins.forEach((origin) => granted.delete(origin));
        return Promise.resolve(true);
      },
    },
    unlocks: new ProductionUnlocks(fakeLocalArea()),
    gates: new EndpointGates(fakeLocalArea(), () => {}),
    pages: {
      open: async (connection, page) => {
        opened.push([connection, page]);
        if (sendsToken) await page.token?.({});
        return 'there';
      },
      allowReload: () => Promise.resolve('there'),
    },
    publishes,
    button: {
      setBadgeText: () => Promise.resolve(),
      setBadgeBackgroundColor: () => Promise.resolve(),
      setTitle: () => Promise.resolve(),
    },
    notifier: { update: () => Promise.resolve() },
    refusals: createRefusals(undefined),
    eraseRest: () => eraseDatabases(20),
  });
const draft = () => ({
  name: 'Here',
  preset: 'local' as const,
  baseUrl: platform.baseUrl,
  namespace: 'Platform',
  production: false,
  token: TOKEN,
});
const failure = (work: Promise<unknown>) =>
  work.then(
    () => 'ok',
    (error: unknown) => (error instanceof CodedError ? error.code : error),
  );

describe('environments', () => {
  it('are returned without their token', async () => {
    const handlers = make();
    const saved = await handlers['environments.save'](draft());
    const responses = [
      saved,
      await handlers['environments.list'](undefined),
      await handlers['environments.test']({ id: saved.id }),
    ];
    expect(JSON.stringify(responses)).not.toContain(TOKEN);
  });

  it('marked as production are unlocked for 15 minutes, until they’re saved or removed', async () => {
    const handlers = make();
    const { id: environmentId } = await handlers['environments.save']({ ...draft(), production: true });
    const unlocked = async () => (await handlers['guard.list'](undefined)).length;
    const [{ until } = { until: 0 }] = await handlers['guard.unlock']({ environmentId });
    expect(Math.abs(until - Date.now() - 15 * 60_000)).toBeLessThan(60_000);
    await handlers['environments.save']({ ...draft(), id: environmentId, production: true });
    expect(await unlocked()).toBe(0);
    await Promise.all([
      handlers['environments.save']({ ...draft(), id: environmentId, production: true }),
      handlers['guard.unlock']({ environmentId }),
    ]);
    expect(await unlocked()).toBe(0);
    await handlers['guard.unlock']({ environmentId });
    expect(await unlocked()).toBe(1);
    await handlers['environments.remove']({ id: environmentId });
    expect(await unlocked()).toBe(0);
    const other = await handlers['environments.save'](draft());
    expect(await handlers['guard.unlock']({ environmentId: other.id })).toEqual([]);
  });

  it('are tested with the stored token, before and after saving', async () => {
    const handlers = make();
    expect(await handlers['environments.test']({ draft: draft() })).toMatchObject({
      apps: 0,
      milliseconds: expect.any(Number),
    });
    const { id } = await handlers['environments.save'](draft());
    const { token: _, ...without } = draft();
    await handlers['environments.test']({ id });
    await handlers['environments.test']({ draft: { ...without, id } });
    expect(platform.requests.map(({ headers }) => headers['auth-token'])).toEqual([TOKEN, TOKEN, TOKEN]);
  });

  it('don’t send their token to another base URL', async () => {
    const handlers = make();
    const { id } = await handlers['environments.save'](draft());
    const { token: _, ...without } = draft();
    granted.add('http://localhost/*');
    expect(
      await failure(
        handlers['environments.test']({
          draft: { ...without, id, baseUrl: platform.baseUrl.replace('127.0.0.1', 'localhost') },
        }),
      ),
    ).toBe('TOKEN_MISSING');
    expect(
      await failure(handlers['environments.test']({ draft: { ...without, id, baseUrl: `${platform.baseUrl}/eu` } })),
    ).toBe('TOKEN_MISSING');
    expect(await failure(handlers['environments.test']({ draft: without }))).toBe('TOKEN_MISSING');
    expect(platform.requests).toEqual([]);
  });

  it('show which endpoints their platform has, until the connection is tested', async () => {
    const handlers = make();
    const saved = await handlers['environments.save'](draft());
    const shown = async () => (await handlers['environments.list'](undefined)).map(({ endpoints }) => endpoints);
    expect([saved.endpoints, ...(await shown())]).toEqual([null, null]);
    await handlers['actions.list']({ environmentId: saved.id, appId: 7 });
    expect(await shown()).toEqual(['all']);
    await handlers['environments.test']({ id: saved.id });
    expect(await shown()).toEqual([null]);
  });

  it('with a new base URL are asked for their endpoints again', async () => {
    const handlers = make();
    const { id } = await handlers['environments.save'](draft());
    platform.respond(({ url = '' }, response) =>
      url.endsWith('/apps') ? json(response, 200, { apps: [] }) : json(response, 404, {}),
    );
    const list = () => failure(handlers['actions.list']({ environmentId: id, appId: 7 }));
    expect([await list(), await list()]).toEqual(['ENDPOINT_MISSING', 'ENDPOINT_MISSING']);
    expect(platform.requests.map(({ url }) => url)).toEqual(['/v1/apps/7/actions', '/v1/apps']);
    await handlers['environments.save']({ ...draft(), id, baseUrl: `${platform.baseUrl}/eu` });
    await list();
    expect(platform.requests.at(2)?.url).toBe('/eu/v1/apps/7/actions');
  });

  it('are saved even if they can’t be listed afterward', async () => {
    const vault = new Vault();
    const list = vault.list.bind(vault);
    const handlers = make(vault);
    vi.spyOn(vault, 'list')
      .mockImplementationOnce(list)
      .mockRejectedValueOnce(new CodedError({ code: 'VAULT_UNAVAILABLE', message: 'No. Nothing was changed.' }));
    expect(await handlers['environments.save'](draft())).toMatchObject({ name: draft().name });
  });

  it('are removed with their publish history, or without it if its database fails', async () => {
    const publishes = createPublishStore();
    const handlers = make(new Vault(), publishes);
    const [one, two] = [await handlers['environments.save'](draft()), await handlers['environments.save'](draft())];
    expect(await handlers['environments.remove']({ id: one.id })).toEqual({ isHistoryRemoved: true });
    publishes.forget = () => Promise.reject(new Error('No.'));
    expect(await handlers['environments.remove']({ id: two.id })).toEqual({ isHistoryRemoved: false });
    expect(await handlers['environments.list'](undefined)).toEqual([]);
  });

  it('give up access to an origin with its last environment', async () => {
    const handlers = make();
    const one = await handlers['environments.save'](draft());
    const two = await handlers['environments.save']({ ...draft(), baseUrl: `${platform.baseUrl}/eu` });
    await handlers['environments.remove']({ id: one.id });
    expect([...granted]).toEqual(['http://127.0.0.1/*']);
    const { token: _, ...without } = draft();
    await handlers['environments.save']({ ...without, id: two.id, baseUrl: 'https://api.example.com' });
    expect([...granted]).toEqual([]);
  });
});

describe('a request to the platform', () => {
  it('requires access to its origin first', async () => {
    const handlers = make();
    const { id } = await handlers['environments.save'](draft());
    granted.clear();
    expect(await failure(handlers['apps.list']({ environmentId: id }))).toBe('HOST_PERMISSION_MISSING');
    expect(await failure(handlers['environments.test']({ draft: draft() }))).toBe('HOST_PERMISSION_MISSING');
    expect(await failure(handlers['debugPage.open']({ environmentId: id, tabId: 1, appId: 1, taskId: 1 }))).toBe(
      'HOST_PERMISSION_MISSING',
    );
    expect({ requests: platform.requests, opened }).toEqual({ requests: [], opened: [] });
  });

  it('is sent once for concurrent callers, and again afterward', async () => {
    const handlers = make();
    const { id: environmentId } = await handlers['environments.save'](draft());
    await Promise.all([1, 2, 3].map(() => handlers['apps.list']({ environmentId })));
    expect(platform.requests).toHaveLength(1);
    await Promise.all([7, 8, 7].map((appId) => handlers['actions.list']({ environmentId, appId })));
    await handlers['apps.list']({ environmentId });
    // Decrypting the token decides which of the two apps is requested first.
    const urls = platform.requests.map(({ url }) => url);
    expect([urls[0], urls.slice(1, 3).sort(), urls.slice(3)]).toEqual([
      '/v1/apps',
      ['/v1/apps/7/actions', '/v1/apps/8/actions'],
      ['/v1/apps'],
    ]);
  });

  it('is sent again when the token was replaced during the first one', async () => {
    const handlers = make();
    const { id } = await handlers['environments.save'](draft());
    const held = Promise.withResolvers<void>();
    const requested = Promise.withResolvers<void>();
    platform.respond((request, response) => {
      const isOld = request.headers['auth-token'] === TOKEN;
      if (isOld) requested.resolve();
      void (isOld ? held.promise : Promise.resolve()).then(() => json(response, 200, { apps: [] }));
    });
    const old = handlers['apps.list']({ environmentId: id });
    await requested.promise;
    await handlers['environments.save']({ ...draft(), id, token: 'another-token-1234' });
    expect(await handlers['apps.list']({ environmentId: id })).toEqual([]);
    held.resolve();
    expect(await old).toEqual([]);
  });

  it.each([
    ['apps.list', {}],
    ['functions.list', {}],
    ['clock.get', {}],
    ['dataSources.list', { appId: 7 }],
    ['actions.list', { appId: 7 }],
    ['sessions.list', { appId: 7, limit: 4, offset: 0 }],
    ['logs.list', { appId: 7, query: { id: 5, before: null } }],
    ['publish.preview', { appId: 7 }],
  ] as const)('%s without a waiting caller is aborted, and doesn’t delay the next caller', async (name, takes) => {
    const handlers = make();
    const { id: environmentId } = await handlers['environments.save'](draft());
    const requests = name === 'publish.preview' ? 3 : 1;
    let [requestCount, given] = [0, 0];
    platform.respond((_request, response, nth) => {
      requestCount = nth;
      if (nth > requests) return json(response, 401, {});
      response.on('close', () => given++);
    });
    const ask = (signal?: AbortSignal) =>
      failure(
        (handlers[name] as (takes: object, signal?: AbortSignal) => Promise<unknown>)(
          { environmentId, ...takes },
          signal,
        ),
      );
    const leaving = new AbortController();
    const left = ask(leaving.signal);
    await waitFor('the requests', async () => requestCount === requests);
    leaving.abort();
    expect(await left).toBe('ABORTED');
    await waitFor('the end of the requests', async () => given === requests);
    expect(await ask()).toBe('TOKEN_REFUSED');
  });

  it('is sent again after a change, even while an older one runs', async () => {
    const handlers = make();
    const { id: environmentId } = await handlers['environments.save'](draft());
    const held = Promise.withResolvers<void>();
    const lists: string[] = [];
    platform.respond((request, response) => {
      if (request.method !== 'GET') return json(response, 202, { runId: 'r' });
      const isFirst = lists.push(request.url ?? '') === 1;
      void (isFirst ? held.promise : Promise.resolve()).then(() => json(response, 200, { count: 0, logs: [] }));
    });
    const ask = () => handlers['logs.list']({ environmentId, appId: 7, query: { id: 5, before: null } });
    const before = ask();
    expect(await handlers['actions.run']({ environmentId, appId: 7, actionId: 5, payload: { a: 1 } })).toEqual({
      runId: 'r',
    });
    await ask();
    held.resolve();
    await before;
    expect(lists).toEqual(['/v1/apps/7/logs?id=5', '/v1/apps/7/logs?id=5']);
    expect(platform.requests.find(({ method }) => method === 'POST')).toMatchObject({
      url: '/v1/apps/7/actions/5/run?by=id',
      body: '{"payload":{"a":1}}',
    });
  });

  it('returns a run’s result and duration, or why it failed', async () => {
    const handlers = make();
    const { id: environmentId } = await handlers['environments.save'](draft());
    const run = () => handlers['actions.runWithResult']({ environmentId, appId: 7, actionId: 5, payload: {} });
    platform.respond((_request, response) => json(response, 200, { result: [1] }));
    expect(await run()).toEqual({ result: [1], milliseconds: expect.any(Number) });
    platform.respond((_request, response) =>
      json(response, 424, {
        error: 'ACTION_FAILED',
        message: 'Failed.',
        details: { errorType: 'Error', errorMessage: 'x', trace: [] },
      }),
    );
    expect(await failure(run())).toBe('ACTION_FAILED');
  });

  it('shares a failure with concurrent callers, but doesn’t cache it', async () => {
    const handlers = make();
    const { id: environmentId } = await handlers['environments.save'](draft());
    platform.respond((_request, response) => json(response, 401, {}));
    expect(await Promise.all([1, 2].map(() => failure(handlers['apps.list']({ environmentId }))))).toEqual([
      'TOKEN_REFUSED',
      'TOKEN_REFUSED',
    ]);
    platform.respond((_request, response) => json(response, 200, { apps: [] }));
    expect(await handlers['apps.list']({ environmentId })).toEqual([]);
  });

  it('opens a debug page with the stored connection', async () => {
    const handlers = make();
    const { id: environmentId } = await handlers['environments.save'](draft());
    expect(await handlers['debugPage.open']({ environmentId, tabId: 5, appId: 1, taskId: 2 })).toEqual({
      url: 'there',
      tokenInLog: true,
    });
    expect(opened).toMatchObject([
      [
        { baseUrl: platform.baseUrl, token: TOKEN },
        { tabId: 5, path: '/v1/apps/1/tasks/2/compile?html', title: 'debug page' },
      ],
    ]);
  });

  it('doesn’t warn of a token in the tab’s network log if the page was opened without one', async () => {
    sendsToken = false;
    const handlers = make();
    const { id: environmentId } = await handlers['environments.save'](draft());
    expect(await handlers['debugPage.open']({ environmentId, tabId: 5, appId: 1, taskId: 2 })).toMatchObject({
      tokenInLog: false,
    });
  });

  it('opens an app’s preview and live pages with the stored connection', async () => {
    const handlers = make();
    const { id: environmentId } = await handlers['environments.save'](draft());
    expect(await handlers['pages.open']({ environmentId, tabId: 5, appId: 1, page: 'preview' })).toEqual({
      url: 'there',
      tokenInLog: true,
    });
    await handlers['pages.open']({ environmentId, tabId: 5, appId: 1, page: 'live', screen: 3 });
    const connection = { baseUrl: platform.baseUrl, token: TOKEN };
    expect(opened).toMatchObject([
      [connection, { tabId: 5, path: '/v1/apps/1/preview', title: 'preview page' }],
      [connection, { tabId: 5, path: '/v1/apps/1/live?page=3', title: 'live page' }],
    ]);
  });
});

describe('erasing', () => {
  it('deletes every database of the extension, and gives up all access', async () => {
    const handlers = make();
    await handlers['environments.save'](draft());
    (await openDB('platform-devtools-runs', 1)).close();
    await handlers['data.erase'](undefined);
    expect(await indexedDB.databases()).toEqual([]);
    expect([...granted]).toEqual([]);
    expect(await handlers['environments.list'](undefined)).toEqual([]);
  });

  it('reports that a panel still uses its runs, after tokens are already gone', async () => {
    const handlers = make();
    await handlers['environments.save'](draft());
    const panel = await openDB('platform-devtools-runs', 1);
    expect(await failure(handlers['data.erase'](undefined))).toBe('DATA_IN_USE');
    panel.close();
    expect([...granted]).toEqual([]);
    expect(await handlers['environments.list'](undefined)).toEqual([]);
  });
});
