/** The preview and live pages, and runs of pages over HTTP; `tests/e2e/actions/actions-api.test.ts` has the rules in real pages. */
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Action, LogList } from '../../lib/platform-api/index.ts';
import { openAppPage, type AppPage } from './support/app-page.ts';
import { onDatabase } from './support/databases.ts';
import { start, type TestPlatform } from './support/platform.ts';

onDatabase(({ url }) => {
  let platform: TestPlatform;
  let preview: AppPage;
  beforeAll(async () => {
    platform = await start({ databaseUrl: await url() });
    preview = await openAppPage(platform, '/v1/apps/101/preview?page=2002');
  });
  afterAll(() => platform.close());

  const client = async (name: string): Promise<Action> =>
    (await platform.ask<{ action: Action }>('/v1/apps/101/actions', { body: { name, environment: 'client' } })).body
      .action;

  describe('preview and live pages', () => {
    it('have their mode in ENV', async () => {
      expect(preview.ENV).toEqual({
        appId: 101,
        organizationId: 21,
        mode: 'preview',
        pageId: 2002,
        token: expect.stringMatching(/^page\./),
      });
      expect((await openAppPage(platform, '/v1/apps/101/live')).ENV).toMatchObject({ mode: 'live', pageId: 2001 });
    });

    it('show the start screen, which lists the actions', async () => {
      const { document } = await openAppPage(platform, '/v1/apps/102/preview');
      await vi.waitFor(() => expect(document.querySelectorAll('#screen button')).toHaveLength(3), { timeout: 20_000 });
      expect(document.querySelector('#screen')!.textContent).toContain('is-email-registered');
    });

    it('show the live page only after the app was published', async () => {
      expect(await platform.ask('/v1/apps/103/live')).toMatchObject({
        status: 409,
        body: { error: 'APP_UNPUBLISHED' },
      });
      expect((await platform.ask('/v1/apps/103/preview')).status).toBe(200);
      expect((await platform.ask('/v1/apps/104/preview')).status).toBe(404);
      for (const page of ['2101', '-1', 'x'])
        expect((await platform.ask(`/v1/apps/101/preview?page=${page}`)).status).toBe(404);
    });

    it('allow access to screens only by a signed URL', async () => {
      const { text } = await platform.ask('/v1/apps/101/preview?page=2002');
      const address = /\/v1\/screens\/[^"]*screen-open-visits\.js/.exec(text)![0];
      expect((await platform.ask(address, { token: null })).status).toBe(200);
      for (const other of [
        address.replace('/2002/', '/2001/'),
        address.replace('/preview/', '/live/'),
        address.replace(/screens\/./, 'screens/%'),
        address.replace('screen-open', 'x'),
      ]) {
        expect([400, 404]).toContain((await platform.ask(other, { token: null })).status);
      }
    });
  });

  describe('runs of pages', () => {
    it('of a client-side action can be requested only by a page', async () => {
      const { name } = await client('from-page');
      expect(await platform.ask(`/v1/apps/101/actions/${name}/run`, { body: {} })).toMatchObject({
        status: 409,
        body: { error: 'ACTION_CLIENT_ONLY' },
      });
    });

    it('end once: a second outcome is refused, and a run of another app or an unknown one isn’t found', async () => {
      const { id, name } = await client('ends-once');
      const token = preview.ENV.token as string;
      const { body } = await platform.ask<{ run: { runId: string } }>(`/v1/apps/101/actions/${name}/run`, {
        token,
        body: {},
      });
      const end = (runId: string, outcome: object, app = 101) =>
        platform.ask(`/v1/apps/${app}/runs/${runId}/outcome`, { body: outcome });
      expect((await end(body.run.runId, { state: 'completed', milliseconds: 1 }, 102)).status).toBe(404);
      expect((await end(body.run.runId, { state: 'done' })).status).toBe(422);
      const ended = await Promise.all([
        end(body.run.runId, { state: 'completed', milliseconds: 1 }),
        end(body.run.runId, { state: 'completed', milliseconds: 1 }),
      ]);
      expect(ended.map(({ status }) => status).sort()).toEqual([201, 409]);
      expect((await platform.ask<LogList>(`/v1/apps/101/logs?id=${id}`)).body.count).toBe(1);
      expect((await end('x', { state: 'completed', milliseconds: 1 })).status).toBe(404);
    });
  });

  describe('analytics events', () => {
    it('are accepted only from pages', async () => {
      expect(
        await platform.ask('/v1/apps/101/analytics/events', { body: { type: 'analytics.pageView' } }),
      ).toMatchObject({ status: 409, body: { error: 'PAGE_ONLY' } });
    });
  });
});
