/** Tests that no token gives access to another user’s data: every route, with every kind of token (issue, "Trust"). */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createCore, type Core } from '../../lib/local-platform/core.ts';
import type { OpenedDatabase } from '../../lib/local-platform/db/open.ts';
import { OFFICE } from '../../lib/local-platform/db/seed/apps.ts';
import { DEVELOPER } from '../../lib/local-platform/db/seed/index.ts';
import * as tables from '../../lib/local-platform/db/schema.ts';
import { storeRecording } from '../../lib/local-platform/recordings/store.ts';
import { digestOf } from '../../lib/local-platform/db/token-digest.ts';
import { IN_PROCESS } from '../../lib/local-platform/http/auth.ts';
import { asc, eq, getTableName, isTable, sql } from 'drizzle-orm';
import type { PgTable } from 'drizzle-orm/pg-core';
import { startForTest, temporaryFolder } from './support/platform.ts';
import { pooledDatabase } from './support/pooled-database.ts';

/** Apps that both users, only the developer, and only the office can access. */
const [SHARED, DEVELOPERS, OFFICES] = [101, 102, 104];
const RUN = '0b7c3c0e-5b1e-4a52-9d0e-3a3f0c5a1b2c';
/** A valid body for each route. */
const BODIES: Record<string, unknown> = {
  'POST /v1/apps/:id/publish': { release: { type: 'silent', changelog: 'x' } },
  'POST /v1/apps/:appId/actions': { name: 'mine', functions: [] },
  'PUT /v1/apps/:appId/actions/:action': { active: false },
  'POST /v1/apps/:appId/actions/:action/publish': { publish: false },
  'POST /v1/apps/:appId/actions/:action/run': { payload: {} },
  'POST /v1/apps/:appId/actions/:action/run-with-result': { payload: {} },
  'POST /v3/apps/:appId/actions': { name: 'mine', code: 'async function execute(context) {}' },
  'PUT /v3/apps/:appId/actions/:action': { active: true },
  'POST /v1/apps/:appId/one-time-tokens': { path: '/v1/apps/101/preview' },
  'POST /v1/apps/:appId/runs/:runId/outcome': { state: 'completed', milliseconds: 1 },
  'POST /v1/apps/:appId/analytics/events': { type: 'analytics.pageView', data: { _pageId: 1 } },
  'POST /v1/apps/:appId/logs': { type: 'mine', data: {} },
  'POST /v1/data-sources/:id/entries': { entries: [{ mine: true }] },
  'POST /v1/apps/:appId/outbox': { kind: 'notification', title: 'mine', message: 'mine' },
};
const OPEN = [
  '/',
  '/v1/status',
  '/v1/auth/sso-callback',
  '/v1/functions/:file',
  '/v1/packages/:file',
  '/v1/screens/:signature/:pageId/:mode/:file',
  '/v3/scripts/:signature/:kind/:id/code.js',
];
/** Routes without an app. */
const GENERAL = ['/v1/apps', '/v1/functions', '/v1/clock', '/v1/proxy', '/v1/oauth-demo'];

let database: OpenedDatabase;
let core: Core;
let paths: string[];
const tokens: Record<string, string> = { developer: 'the-token-of-the-developer', office: 'the-token-of-the-office' };
/** One action, V3 action, data source, screen, and log record with a recording of each app. */
const things = new Map<number, { action: number; v3: number; source: number; screen: number; log: number }>();

beforeAll(async () => {
  database = await pooledDatabase();
  const { db } = database;
  core = await createCore(database, '127.0.0.1', () => 'http://localhost:4400/', {
    concurrency: 0,
    log: console.error,
  });
  paths = [...new Set(core.app.routes.map(({ path }) => path))].filter((path) => !OPEN.includes(path));
  await db.insert(tables.authTokens).values([
    { userId: DEVELOPER.id, digest: digestOf(tokens.developer!) },
    { userId: OFFICE.id, digest: digestOf(tokens.office!) },
  ]);
  for (const app of [SHARED, DEVELOPERS, OFFICES]) {
    const first = async (
      table: typeof tables.actions | typeof tables.dataSources | typeof tables.screens,
    ): Promise<number> =>
      (await db.select({ id: table.id }).from(table).where(eq(table.appId, app)).orderBy(asc(table.id)).limit(1))[0]!
        .id;
    things.set(app, {
      action: await first(tables.actions),
      v3: await actionV3(app),
      source: await first(tables.dataSources),
      screen: (await first(tables.screens).catch(() => 0)) || 1,
      log: await recordedLog(app),
    });
  }
  const { auth } = core.services;
  const access = {
    tokenId: (
      await db
        .select()
        .from(tables.authTokens)
        .where(eq(tables.authTokens.digest, digestOf(tokens.developer!)))
    )[0]!.id,
    userId: DEVELOPER.id,
    appId: null,
    mode: null,
    isRun: false,
    depth: 0,
  };
  tokens.preview = auth.pageToken(access, SHARED, 'preview');
  tokens.live = auth.pageToken(access, SHARED, 'live');
  tokens.run = auth.runToken(SHARED, 'published', 0, 60_000);
  const [action] = await db
    .select()
    .from(tables.actions)
    .where(eq(tables.actions.id, things.get(DEVELOPERS)!.action));
  const request = {
    appId: DEVELOPERS,
    actionId: action!.id,
    actionName: action!.name,
    trigger: 'manual' as const,
    mode: 'on-demand' as const,
    copy: 'working' as const,
    pipeline: [],
    pageId: null,
    payload: {},
    depth: 0,
  };
  await db.insert(tables.runs).values({
    id: RUN,
    appId: DEVELOPERS,
    actionId: action!.id,
    runsOn: 'page',
    request,
    state: 'running',
    attempts: 1,
    queuedAt: new Date(),
    startedAt: new Date(),
  });
});
afterAll(async () => {
  await core.close();
  await database.close();
});

/** With one version. */
async function actionV3(appId: number): Promise<number> {
  const { db } = database;
  const copy = {
    name: 'code',
    code: 'async function execute(context) {}',
    actionVersion: 'v3' as const,
    active: false,
    environment: 'server' as const,
    triggers: [],
    functions: [],
    dependencies: [],
    description: null,
    frequency: null,
    timezone: null,
    pageId: null,
  };
  const [action] = await db
    .insert(tables.actions)
    .values({ ...copy, appId })
    .returning();
  await db.insert(tables.actionRevisions).values({ actionId: action!.id, revision: 1, copy });
  return action!.id;
}

async function recordedLog(appId: number): Promise<number> {
  const { db } = database;
  const [app] = await db.select().from(tables.apps).where(eq(tables.apps.id, appId));
  const { organizationId } = app!;
  const [log] = await db
    .insert(tables.logs)
    .values({ appId, organizationId, type: 'app.task.failed', data: {} })
    .returning();
  await storeRecording(db, log!, { content: gzipSync('{}') });
  return log!.id;
}

/** The path with the IDs of `app` filled in. `from` is the app in the URL. */
function address(path: string, app: number, from = app): string {
  const { action, v3, source, log } = things.get(app)!;
  const source_ = path.startsWith('/v1/data-sources/');
  return path
    .replace(':appId', String(from))
    .replace(':id', String(source_ ? source : from))
    .replace(':action', String(path.startsWith('/v3/') ? v3 : action))
    .replace(':version', '1')
    .replace(':taskId', String(action))
    .replace(':logId', String(log))
    .replace(':runId', RUN);
}

async function ask(path: string, method: string, filled: string, token: string | undefined): Promise<number> {
  const body = BODIES[`${method} ${path}`] ?? {};
  const init = {
    method,
    headers: {
      host: 'localhost:4400',
      'content-type': 'application/json',
      ...(token !== undefined && { 'auth-token': token }),
    },
    ...(method !== 'GET' && { body: JSON.stringify(body) }),
  };
  return (
    await core.app.fetch(new Request(`http://localhost:4400${filled}`, init), token === tokens.run ? IN_PROCESS : {})
  ).status;
}

/** The whole content of the database. */
async function everything(): Promise<string> {
  const each = Object.values(tables).filter((table) => isTable(table)) as PgTable[];
  const rows = await Promise.all(
    each.map(async (table) => [
      getTableName(table),
      (
        await database.db.execute<{ all: string }>(
          sql`select coalesce(json_agg(each order by each::text), '[]')::text as "all" from ${table} as each`,
        )
      ).rows[0]!.all,
    ]),
  );
  return JSON.stringify(rows);
}

const METHODS = ['GET', 'POST', 'PUT', 'DELETE'];

/** Returns all responses to `those` requests that aren’t refusals, and checks that nothing changed. */
async function letThrough(
  those: string[],
  fill: (path: string) => string,
  token: string | undefined,
  refusals: readonly number[],
): Promise<string[]> {
  const before = await everything();
  const found: string[] = [];
  for (const path of those) {
    for (const method of METHODS) {
      const status = await ask(path, method, fill(path), token);
      if (!refusals.includes(status)) found.push(`${method} ${fill(path)}: ${status}`);
    }
  }
  expect(await everything()).toBe(before);
  return found;
}

const ofApps = (): string[] => paths.filter((path) => !GENERAL.includes(path));

it('the test knows every route of the platform, and what to send to each', () => {
  expect(paths.filter((path) => !path.includes(':')).sort()).toEqual([...GENERAL].sort());
  const known = new Set(Object.keys(BODIES).map((each) => each.split(' ')[1]!));
  expect([...known].filter((path) => !paths.includes(path))).toEqual([]);
  expect(ofApps().length).toBeGreaterThan(15);
});

describe('with the token', () => {
  it.each([undefined, '', 'x', 'page.e30.AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA', 'null', '*'])(
    '%j, only public routes respond',
    async (token) => {
      expect(await letThrough(paths, (path) => address(path, SHARED), token, [401, 405])).toEqual([]);
    },
  );
});

describe('data of another user', () => {
  it('can’t be reached on any route, and stays unchanged', async () => {
    expect(await letThrough(ofApps(), (path) => address(path, OFFICES), tokens.developer, [404, 405])).toEqual([]);
    expect(await letThrough(ofApps(), (path) => address(path, DEVELOPERS), tokens.office, [404, 405])).toEqual([]);
  });

  it('can’t be reached by a URL with an own app in it', async () => {
    const inner = ofApps().filter((path) => /:(action|taskId|runId|logId)/.test(path));
    expect(inner.length).toBeGreaterThan(5);
    expect(await letThrough(inner, (path) => address(path, OFFICES, SHARED), tokens.developer, [404, 405])).toEqual([]);
    expect(await letThrough(inner, (path) => address(path, DEVELOPERS, SHARED), tokens.office, [404, 405])).toEqual([]);
  });

  it('can’t be reached by an ID in a body or a query', async () => {
    const { source, screen } = things.get(OFFICES)!;
    const post = (path: string, body: unknown): Promise<Response> =>
      Promise.resolve(
        core.app.fetch(
          new Request(`http://localhost:4400${path}`, {
            method: 'POST',
            headers: { host: 'localhost', 'content-type': 'application/json', 'auth-token': tokens.developer! },
            body: JSON.stringify(body),
          }),
        ),
      );
    expect((await post(`/v1/apps/${SHARED}/logs`, { type: 'mine', data: {}, dataSourceId: source })).status).toBe(422);
    expect((await post(`/v1/apps/${SHARED}/actions`, { name: 'theirs', functions: [], pageId: screen })).status).toBe(
      422,
    );
    expect(await ask('', 'GET', `/v1/apps/${SHARED}/preview?page=${screen}`, tokens.developer)).toBe(404);
  });

  it('isn’t in a recording of an own app’s record, whose own user can read it', async () => {
    const path = address('/v1/apps/:appId/logs/:logId/recording', SHARED);
    expect([await ask('', 'GET', path, tokens.developer), await ask('', 'GET', path, tokens.office)]).toEqual([
      200, 200,
    ]);
  });

  it('isn’t in a V3 action, whose own user can read it, its versions, and its debug page', async () => {
    for (const rest of ['', '/compile', '/versions', '/versions/:version']) {
      const path = address(`/v3/apps/:appId/actions/:action${rest}`, OFFICES);
      const statuses = [await ask('', 'GET', path, tokens.developer), await ask('', 'GET', path, tokens.office)];
      expect({ rest, statuses }).toEqual({ rest, statuses: [404, 200] });
    }
  });

  it('isn’t in any list', async () => {
    const list = async (token: string): Promise<number[]> =>
      (
        (await (
          await core.app.fetch(
            new Request('http://localhost:4400/v1/apps', { headers: { host: 'localhost', 'auth-token': token } }),
          )
        ).json()) as { apps: { id: number }[] }
      ).apps.map(({ id }) => id);
    expect([await list(tokens.developer!), await list(tokens.office!)]).toEqual([
      [101, 102, 103],
      [101, 103, 104],
    ]);
  });
});

describe('the token of a page or a run', () => {
  it.each(['preview', 'live', 'run'])(
    'for %s gives no access to other apps, of the same user or another',
    async (kind) => {
      for (const app of [DEVELOPERS, OFFICES]) {
        expect(await letThrough(ofApps(), (path) => address(path, app), tokens[kind], [401, 404, 405])).toEqual([]);
        expect(
          await letThrough(
            ofApps().filter((path) => /:(action|taskId|runId|logId)/.test(path)),
            (path) => address(path, app, SHARED),
            tokens[kind],
            [401, 404, 405],
          ),
        ).toEqual([]);
      }
    },
  );

  it.each(['preview', 'live', 'run'])(
    'for %s can’t act as the user: list and publish apps, open pages, or move the clock',
    async (kind) => {
      const users = [
        '/v1/apps',
        '/v1/apps/:id/publish',
        '/v1/apps/:id/analytics/sessions',
        '/v1/apps/:appId/tasks/:taskId/compile',
        '/v1/apps/:appId/preview',
        '/v1/apps/:appId/live',
        '/v1/apps/:appId/one-time-tokens',
        '/v1/clock',
        '/v1/apps/:appId/logs/:logId/recording',
        '/v3/apps/:appId/actions/:action/compile',
        '/v3/apps/:appId/actions/:action/versions',
        '/v3/apps/:appId/actions/:action/versions/:version/restore',
      ];
      expect(await letThrough(users, (path) => address(path, SHARED), tokens[kind], [401, 405])).toEqual([]);
    },
  );

  it('for a run is accepted only in that run, and gives no access over the network', async () => {
    const functions = await temporaryFolder();
    await writeFile(
      join(functions, 'tells.js'),
      "Platform.Functions.register('tells', async () => [Platform.env().token, Array.isArray((await Platform.request('apps/101/outbox')).messages)]);",
    );
    const own = await startForTest({ functions });
    await own.ask('/v1/apps/101/actions', { body: { name: 'tells', functions: [{ functionPackage: 'tells' }] } });
    const { body } = await own.ask<{ result: [string, boolean] }>('/v1/apps/101/actions/tells/run-with-result', {
      body: {},
    });
    expect(body.result).toEqual([expect.stringMatching(/^page\./), true]);
    expect(await own.ask('/v1/apps/101/outbox', { token: body.result[0] })).toMatchObject({
      status: 401,
      body: { error: 'TOKEN_UNKNOWN' },
    });
  });

  it('is invalid after a change of any of its characters', async () => {
    const token = tokens.preview!;
    const open = (changed: string): Promise<number> => ask('', 'GET', `/v1/apps/${SHARED}/outbox`, changed);
    expect(await open(token)).toBe(200);
    for (let at = 5; at < token.length - 1; at += 1) {
      if (token[at] === '.') continue;
      expect({
        at,
        status: await open(token.slice(0, at) + (token[at] === 'A' ? 'B' : 'A') + token.slice(at + 1)),
      }).toEqual({ at, status: 401 });
    }
  });

  it('can’t be made from a URL’s signature, or the other way round', async () => {
    const { auth } = core.services;
    const claims = Buffer.from(
      JSON.stringify({ token: null, app: OFFICES, mode: 'live', depth: 0, until: 9e15 }),
    ).toString('base64url');
    for (const text of [claims, `address ${claims}`, `screen ${claims} live`])
      expect(await ask('', 'GET', `/v1/apps/${OFFICES}/outbox`, `page.${claims}.${auth.signed(text)}`)).toBe(401);
    expect(auth.isSigned('screen 2001 live', tokens.preview!.split('.')[2]!)).toBe(false);
  });
});

describe('the signature in the URL of a screen’s file', () => {
  it.each([
    'x',
    'A'.repeat(43),
    'ä'.repeat(43),
    '😀'.repeat(22),
    '%00'.repeat(43),
    `${'A'.repeat(42)}é`,
    'A'.repeat(5_000),
  ])('isn’t valid as %s', async (signature) => {
    expect(await ask('', 'GET', `/v1/screens/${encodeURI(signature)}/2001/live/screen.js`, undefined)).toBe(404);
  });
});

describe('the signature in the URL of a V3 action’s code', () => {
  const script = (signature: string, kind: string, id: number | string): Promise<number> =>
    ask('', 'GET', `/v3/scripts/${encodeURI(signature)}/${kind}/${id}/code.js`, undefined);
  const signed = (text: string): string => core.services.auth.signed(text);

  it.each(['x', 'A'.repeat(43), 'ä'.repeat(43), '😀'.repeat(22), '%00'.repeat(43), 'A'.repeat(5_000)])(
    'isn’t valid as %s',
    async (signature) => {
      expect(await script(signature, 'actions', things.get(SHARED)!.v3)).toBe(404);
    },
  );

  it('is valid for the code of one action only', async () => {
    const [own, other] = [things.get(SHARED)!.v3, things.get(OFFICES)!.v3];
    const signature = signed(`code actions ${own}`);
    expect(await script(signature, 'actions', own)).toBe(200);
    expect(await script(signature, 'actions', other)).toBe(404);
    expect(await script(signature, 'runs', own)).toBe(404);
    expect(await script(signature, 'runs', RUN)).toBe(404);
    for (const text of [`screen ${own} live`, `address ${own}`, `code ${own}`, String(own)])
      expect(await script(signed(text), 'actions', own)).toBe(404);
  });

  it('opens no V2 action and no run of V2', async () => {
    const { action } = things.get(SHARED)!;
    expect(await script(signed(`code actions ${action}`), 'actions', action)).toBe(404);
    expect(await script(signed(`code runs ${RUN}`), 'runs', RUN)).toBe(404);
  });
});
