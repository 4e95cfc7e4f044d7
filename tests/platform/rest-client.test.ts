/** The REST client and the local platform keep the same contract, over real HTTP. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ErrorValue } from '../../lib/platform-api/index.ts';
import { CodedError, appPageUrl, compileUrl } from '../../lib/platform-api/index.ts';
import type { Platform } from '../../lib/local-platform/index.ts';
import {
  checkPage,
  createAction,
  listActions,
  listApps,
  listRevisions,
  listSessions,
  publishRelease,
  readRevision,
  restoreRevision,
  updateAction,
} from '../../lib/rest/index.ts';
import { start } from './support/platform.ts';

let platform: Platform;
let appId: number;
let taskId: number;
beforeAll(async () => {
  platform = await start();
  const [app] = platform.apps;
  const [action] = app?.actions ?? [];
  appId = app?.id ?? 0;
  taskId = action?.id ?? 0;
});
afterAll(() => platform.close());

const connection = () => ({ baseUrl: platform.baseUrl, token: platform.authToken });
const debugPage = (task: number) => ({ path: compileUrl('', appId, task), title: 'debug page' });
const failure = (work: Promise<unknown>): Promise<ErrorValue> =>
  work.then(
    () => {
      throw new Error('The operation didn’t fail.');
    },
    (error: unknown) => {
      if (error instanceof CodedError) return error.value;
      throw error;
    },
  );

describe('reading', () => {
  it('lists the apps that the token can see, ordered by ID', async () => {
    const apps = await listApps(connection());
    expect(apps.map(({ id, name }) => ({ id, name }))).toEqual(
      platform.apps.map(({ id, name }) => ({ id, name })).sort((a, b) => a.id - b.id),
    );
    for (const app of apps)
      expect(app).toMatchObject({
        settings: {},
        releases: [],
        dependencies: [],
        slug: null,
        appUser: { appId: app.id },
      });
  });

  it('lists an app’s actions and sessions', async () => {
    const actions = await listActions(connection(), { appId });
    expect(actions.map(({ id }) => id)).toEqual(
      expect.arrayContaining(platform.apps[0]?.actions.map(({ id }) => id) ?? []),
    );
    const sessions = await listSessions(connection(), { appId });
    expect(sessions.length).toBeGreaterThan(20);
    expect(sessions[0]?.appVersion?.lastCheckedAt).toMatch(/[+-]\d\d:\d\d$/);
    const pieces = await Promise.all(
      [0, 100, 200, 300, 400].map((offset) => listSessions(connection(), { appId, limit: 100, offset })),
    );
    expect(pieces.flat()).toEqual(sessions);
    expect(pieces[0]).toHaveLength(100);
  });

  it('lists, reads, and restores an action’s revisions', async () => {
    const { id: actionId } = await createAction(connection(), { appId, action: { name: 'revised' } });
    const of = { appId, actionId };
    await updateAction(connection(), { ...of, change: { active: false } });
    const [second, first] = await listRevisions(connection(), of);
    expect([first, second]).toMatchObject([{ change: 'create' }, { change: 'update', changed: ['active'] }]);
    const { action } = await readRevision(connection(), { ...of, revision: 1 });
    expect(action).toMatchObject({ name: 'revised', active: true });
    const stale = restoreRevision(connection(), { ...of, revision: 1, expected: 1 });
    expect(await failure(stale)).toMatchObject({ code: 'CONFLICT' });
    const restored = await restoreRevision(connection(), { ...of, revision: 1, expected: 2 });
    expect(restored).toMatchObject({ active: true, revision: 3 });
  });

  it('finds a debug page, but none of a missing action', async () => {
    await checkPage(connection(), debugPage(taskId));
    expect(await failure(checkPage(connection(), debugPage(999_999)))).toMatchObject({
      code: 'NOT_FOUND',
      status: 404,
    });
  });

  it('finds the pages of an app, but no live page of an app without a live version', async () => {
    await checkPage(connection(), { path: appPageUrl('', appId, 'live'), title: 'live page' });
    const unpublished = (await listApps(connection())).find(({ version }) => version === null)?.id ?? 0;
    await checkPage(connection(), { path: appPageUrl('', unpublished, 'preview'), title: 'preview page' });
    const refused = await failure(
      checkPage(connection(), { path: appPageUrl('', unpublished, 'live'), title: 'live page' }),
    );
    expect(refused).toMatchObject({
      code: 'CONFLICT',
      status: 409,
      message: expect.stringContaining('has no live version yet'),
    });
  });
});

describe('publishing', () => {
  it('increases the version, and the list shows it', async () => {
    const before = (await listApps(connection())).find(({ id }) => id === appId);
    const result = await publishRelease(connection(), {
      appId,
      release: { type: 'silent', changelog: 'Contract test' },
    });
    expect(result).toMatchObject({ id: appId, version: (before?.version ?? 0) + 1 });
    const after = (await listApps(connection())).find(({ id }) => id === appId);
    expect(after).toMatchObject({ version: result.version, updatedAt: result.updatedAt });
  });

  it('with the same idempotency key publishes once', async () => {
    const args = { appId, release: { type: 'visible', changelog: 'Once' }, idempotencyKey: 'contract-test' } as const;
    const first = await publishRelease(connection(), args);
    expect(await publishRelease(connection(), args)).toEqual(first);
  });
});

describe('refusals', () => {
  it.each([
    ['unknown', 'no-such-token-at-all'],
    ['invalid', '~'],
  ])('are reported for a token that is %s', async (_what, token) => {
    expect(await failure(listApps({ ...connection(), token }))).toMatchObject({
      code: 'TOKEN_REFUSED',
      status: 401,
      hint: expect.any(String),
    });
  });

  it('are reported for an app that doesn’t exist or that the token can’t access', async () => {
    expect(await failure(listActions(connection(), { appId: 999_999 }))).toMatchObject({
      code: 'NOT_FOUND',
      status: 404,
    });
    expect(
      await failure(publishRelease(connection(), { appId: 999_999, release: { type: 'silent', changelog: 'x' } })),
    ).toMatchObject({ code: 'NOT_FOUND', status: 404 });
  });

  it('are reported for too many requests, with how long to wait', async () => {
    const limited = await start({ rateLimit: 1 });
    try {
      const to = { baseUrl: limited.baseUrl, token: limited.authToken };
      await listApps(to);
      expect(await failure(listApps(to))).toMatchObject({
        code: 'RATE_LIMITED',
        status: 429,
        hint: expect.stringMatching(/^Try again in \d+ s\.$/),
      });
    } finally {
      await limited.close();
    }
  }, 30_000);
});
