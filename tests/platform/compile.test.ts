/** The debug page of an action (decisions, "REST": `GET …/compile`). */
import { Hono } from 'hono';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { CompileResponse, CompileEnv } from '../../lib/platform-api/index.ts';
import { eq } from '../../lib/local-platform/db/drizzle.ts';
import { DEVELOPER } from '../../lib/local-platform/db/seed/index.ts';
import { actions, apps, authTokens } from '../../lib/local-platform/db/schema.ts';
import { createAuth } from '../../lib/local-platform/http/auth.ts';
import type { HttpError } from '../../lib/local-platform/http/errors.ts';
import { issueOneTimeToken } from '../../lib/local-platform/http/one-time-tokens/tokens.ts';
import { ResponseCache } from '../../lib/local-platform/http/response-cache.ts';
import { start, startForTest, temporaryFolder, type TestPlatform } from './support/platform.ts';
import { pooledDatabase } from './support/pooled-database.ts';

const PAGE = '/v1/apps/101/tasks/1005/compile';

let platform: TestPlatform;
beforeAll(async () => {
  platform = await start();
});
afterAll(() => platform.close());

/** ENV as a browser reads it: the text of the data element, which its content must not close early. */
function envOf(html: string): CompileEnv {
  const text = /<script type="application\/json" id="platform-env">([^<]*)<\/script>/.exec(html)![1]!;
  return JSON.parse(text) as CompileEnv;
}
const scriptsOf = (html: string): string[] =>
  [...html.matchAll(/<script src="([^"]*)"><\/script>/g)].map((match) => match[1]!);
const pageToken = async (on: TestPlatform, path = PAGE): Promise<string> =>
  envOf((await on.ask(`${path}?html`)).text).token!;

describe('without html', () => {
  it('returns the task, its pipeline, and the URLs of the scripts', async () => {
    const { status, body } = await platform.ask<CompileResponse>(PAGE);
    expect(status).toBe(200);
    expect(Object.keys(body)).toEqual(['task', 'pipeline', 'scripts']);
    expect(body.task).toEqual({ id: 1005, name: 'throws-on-bad-address' });
    expect(body.pipeline).toHaveLength(3);
    expect(body.scripts[0]).toBe(`${platform.baseUrl}/v1/packages/platform-core:2.js`);
    expect(body.scripts).toContain(`${platform.baseUrl}/v1/functions/com.platform.function.if.js`);
  });
});

describe('with html', () => {
  it('sets ENV as data, with the fields of the specification', async () => {
    const { status, headers, text } = await platform.ask(`${PAGE}?html`);
    expect({ status, contentType: headers.get('content-type') }).toEqual({
      status: 200,
      contentType: 'text/html; charset=utf-8',
    });
    const { pipeline } = (await platform.ask<CompileResponse>(PAGE)).body;
    expect(envOf(text)).toEqual({
      appId: 101,
      taskId: 1005,
      organizationId: 21,
      mode: 'preview',
      taskPipeline: pipeline,
      token: expect.any(String),
    });
  });

  it('accepts html with any value, and other parameters', async () => {
    for (const query of ['html', 'html=', 'html=1', 'payload=%7B%7D&html'])
      expect((await platform.ask(`${PAGE}?${query}`)).text).toContain('<!doctype html>');
  });

  it('never contains the token of the user', async () => {
    expect((await platform.ask(`${PAGE}?html`)).text).not.toContain(platform.authToken);
  });

  it('runs no inline scripts, and allows no eval', async () => {
    const { headers, text } = await platform.ask(`${PAGE}?html`);
    const policy = headers.get('content-security-policy')!;
    expect(policy).toContain("script-src 'self';");
    expect(policy).not.toContain('unsafe');
    expect(text.match(/<script/g)).toHaveLength(scriptsOf(text).length + 1);
    expect(text).not.toMatch(/\son\w+=|javascript:/i);
  });

  it('loads the runtime first, then each function package as a separate script with readable source', async () => {
    const scripts = scriptsOf((await platform.ask(`${PAGE}?html`)).text);
    expect(scripts[0]).toBe('/v1/packages/platform-core:2.js');
    expect(scripts.slice(1)).toContain('/v1/functions/com.platform.function.send-email.js');
    expect(new Set(scripts).size).toBe(scripts.length);
    for (const src of scripts) {
      const { status, headers, text } = await platform.ask(src, { token: null });
      expect({ src, status, contentType: headers.get('content-type') }).toEqual({
        src,
        status: 200,
        contentType: 'text/javascript; charset=utf-8',
      });
      if (src.includes('/functions/'))
        expect(text).toContain(`Platform.Functions.register('${src.slice('/v1/functions/'.length, -'.js'.length)}'`);
    }
  });

  it('provides the runtime’s source map with the source of the engine', async () => {
    const { text } = await platform.ask('/v1/packages/platform-core:2.js', { token: null });
    const map = /\/\/# sourceMappingURL=(\S+)\s*$/.exec(text)![1]!;
    const url = new URL(map, `${platform.baseUrl}/v1/packages/platform-core:2.js`);
    const { sources, sourcesContent } = (await (await fetch(url)).json()) as {
      sources: string[];
      sourcesContent: string[];
    };
    const engine = sources.findIndex((source) => source.endsWith('pipeline/index.ts'));
    expect(sourcesContent[engine]).toContain('runPipeline');
  });
});

describe('a one-time token', () => {
  const issue = async (path: string, app = 101) =>
    (await platform.ask<{ token: string }>(`/v1/apps/${app}/one-time-tokens`, { body: { path } })).body.token;
  const refusal = async (path: string, token: string, method = 'GET') => {
    const { status, body } = await platform.ask(path, { token, method });
    return { status, error: body?.error };
  };
  const UNKNOWN = { status: 401, error: 'TOKEN_UNKNOWN' };

  it.each([`${PAGE}?html`, '/v1/apps/101/preview', '/v1/apps/101/live'])('opens %s once', async (path) => {
    const token = await issue(path);
    expect((await platform.ask(path, { token })).status).toBe(200);
    expect(await refusal(path, token)).toEqual(UNKNOWN);
  });

  it('opens the page with the payload of a run, and gives it the page’s own token', async () => {
    const { text } = await platform.ask(`${PAGE}?html&payload=%7B%7D`, { token: await issue(`${PAGE}?html`) });
    expect((await platform.ask('/v1/functions', { token: envOf(text).token! })).status).toBe(200);
  });

  it('opens only one of concurrent requests', async () => {
    const token = await issue(`${PAGE}?html`);
    const all = await Promise.all(Array.from({ length: 5 }, () => platform.ask(`${PAGE}?html`, { token })));
    expect(all.map(({ status }) => status).sort()).toEqual([200, 401, 401, 401, 401]);
  });

  it('is accepted by nothing else, and consumed by trying', async () => {
    for (const [path, method] of [
      ['/v1/apps', 'GET'],
      ['/v1/functions', 'GET'],
      [PAGE, 'GET'],
      ['/v1/apps/101/tasks/1001/compile?html', 'GET'],
      ['/v1/apps/101/preview', 'GET'],
      ['/v1/apps/102/preview', 'GET'],
      ['/v1/apps/101/one-time-tokens', 'POST'],
      [`${PAGE}?html&page=1`, 'GET'],
    ] as const) {
      const token = await issue(`${PAGE}?html`);
      expect({ path, ...(await refusal(path, token, method)) }).toEqual({ path, ...UNKNOWN });
      expect(await refusal(`${PAGE}?html`, token)).toEqual(UNKNOWN);
    }
    const token = await issue(`${PAGE}?html`);
    expect((await platform.ask(`${PAGE}?html`, { token, method: 'HEAD' })).status).toBe(401);
    expect(await refusal('/v1/apps/101/preview?page=2002', await issue('/v1/apps/101/preview'))).toEqual(UNKNOWN);
  });

  it('is issued only for pages of the app in the URL', async () => {
    for (const path of [
      '/v1/apps',
      PAGE,
      '/v1/apps/102/preview',
      `/v1/apps/101/../102/preview`,
      '//x/v1/apps/101/live',
    ]) {
      const { status, body } = await platform.ask('/v1/apps/101/one-time-tokens', { body: { path } });
      expect({ path, status, error: body.error }).toEqual({ path, status: 422, error: 'INVALID' });
    }
  });

  it('expires after a minute, and is revoked with the token that requested it', async () => {
    const { db, close } = await pooledDatabase();
    onTestFinished(close);
    let now = Date.now();
    const auth = createAuth(db, new ResponseCache(false), 'key', 1, () => now);
    const [user] = await db.insert(authTokens).values({ userId: DEVELOPER.id, digest: 'mine' }).returning();
    const access = { tokenId: user!.id, userId: DEVELOPER.id, appId: null, mode: null, isRun: false, depth: 0 };
    const app = new Hono()
      .get('/v1/apps/101/live', async (c) => c.json(await auth.authorize(c, 'token')))
      .onError((error, c) => c.text((error as HttpError).code));
    const open = async (milliseconds: number, revokedAt: Date | null = null) => {
      const { token } = await issueOneTimeToken(db, { tokenId: user!.id, appId: 101, path: '/v1/apps/101/live' }, now);
      now += milliseconds;
      await db.update(authTokens).set({ revokedAt }).where(eq(authTokens.id, user!.id));
      return (await app.request('/v1/apps/101/live', { headers: { 'Auth-token': token } })).text();
    };
    expect(JSON.parse(await open(59_999))).toEqual({ ...access, appId: 101 });
    expect(await open(60_000)).toBe('TOKEN_EXPIRED');
    expect(await open(0, new Date())).toBe('TOKEN_REVOKED');
  });
});

describe('hostile names and settings', () => {
  it('can’t break out of the page', async () => {
    const hostile = `</script><script>alert(1)</script><!-- <img src=x onerror=alert(2)> ]]> & ' " \u2028 \u2029 \\u003c`;
    const database = await pooledDatabase();
    await database.db.update(apps).set({ name: hostile });
    await database.db.update(actions).set({ name: hostile }).where(eq(actions.id, 1004));
    await database.db
      .update(actions)
      .set({ functions: [{ functionPackage: hostile, settings: { [hostile]: hostile, __proto__: null } }] });

    const own = await startForTest({ database });
    const { text } = await own.ask('/v1/apps/101/tasks/1004/compile?html');
    expect(envOf(text).taskPipeline).toEqual([{ functionPackage: hostile, settings: { [hostile]: hostile } }]);
    expect(text).not.toMatch(/<script>|<img|<!--(?! )|alert\(1\)<\/script>|[\u2028\u2029](?=.*<\/script>)/);
    expect(text.match(/<script/g)).toHaveLength(scriptsOf(text).length + 1);
    expect(text).toContain('&lt;/script&gt;');
  });
});

describe('the token of the page', () => {
  it('gives access to the data of its app', async () => {
    const token = await pageToken(platform);
    for (const path of [
      '/v1/apps/101/data-sources',
      '/v1/data-sources/501/entries?limit=1',
      '/v1/apps/101/outbox',
      '/v1/functions',
    ]) {
      expect({ path, status: (await platform.ask(path, { token })).status }).toEqual({ path, status: 200 });
    }
  });

  it('gives access to no other app of the same user', async () => {
    const token = await pageToken(platform);
    for (const path of ['/v1/apps/102/data-sources', '/v1/data-sources/511/entries', '/v1/apps/102/outbox']) {
      expect({ path, status: (await platform.ask(path, { token })).status }).toEqual({ path, status: 404 });
    }
  });

  it('neither lists nor publishes apps, nor opens debug pages', async () => {
    const token = await pageToken(platform);
    for (const path of ['/v1/apps', '/v1/apps/101/analytics/sessions', `${PAGE}?html`]) {
      expect({ path, status: (await platform.ask(path, { token })).status }).toEqual({ path, status: 401 });
    }
    const body = { release: { type: 'silent', changelog: 'x' } };
    expect((await platform.ask('/v1/apps/101/publish', { token, body })).status).toBe(401);
  });

  it('can’t be forged', async () => {
    const [prefix, claims, signature] = (await pageToken(platform)).split('.') as [string, string, string];
    const other = Buffer.from(Buffer.from(claims, 'base64url').toString().replace('"app":101', '"app":102')).toString(
      'base64url',
    );
    expect(
      (await platform.ask('/v1/apps/102/data-sources', { token: [prefix, other, signature].join('.') })).status,
    ).toBe(401);
  });

  it('expires', async () => {
    const own = await startForTest({ pageTokenLifetime: 0 });
    const { status, body } = await own.ask('/v1/apps/101/data-sources', { token: await pageToken(own) });
    expect({ status, error: body.error }).toEqual({ status: 401, error: 'TOKEN_EXPIRED' });
  });

  it('still works after a restart', async () => {
    const data = await temporaryFolder();
    const first = await start({ data });
    const token = await pageToken(first);
    await first.close();
    const second = await startForTest({ data });
    expect((await second.ask('/v1/apps/101/data-sources', { token })).status).toBe(200);
  });
});
