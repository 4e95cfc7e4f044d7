/** The debug page of an action (decisions, "REST": `GET …/compile`). */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CompileResponse, CompileEnv } from '../../lib/platform-api/index.ts';
import { eq } from '../../lib/local-platform/db/drizzle.ts';
import { openDatabase } from '../../lib/local-platform/db/open.ts';
import { actions, apps } from '../../lib/local-platform/db/schema.ts';
import { start, startForTest, temporaryFolder, type TestPlatform } from './support/platform.ts';

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

describe('hostile names and settings', () => {
  it('can’t break out of the page', async () => {
    const data = await temporaryFolder();
    const hostile = `</script><script>alert(1)</script><!-- <img src=x onerror=alert(2)> ]]> & ' " \u2028 \u2029 \\u003c`;
    await (await start({ data })).close();
    const database = await openDatabase({ data });
    await database.db.update(apps).set({ name: hostile });
    await database.db.update(actions).set({ name: hostile }).where(eq(actions.id, 1004));
    await database.db
      .update(actions)
      .set({ functions: [{ functionPackage: hostile, settings: { [hostile]: hostile, __proto__: null } }] });
    await database.close();

    const own = await startForTest({ data });
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
