/** `Platform.App.V3.Actions` in pages, runs in the page, and the debug page (actions-v3, "JavaScript API"). */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openAppPage, type AppPage } from '../support/app-page.ts';
import { openPage } from '../support/page.ts';
import { start, startForTest, type TestPlatform } from '../support/platform.ts';
import { APP, create, execute, fresh, logged, newName, V3 } from './support.ts';

let platform: TestPlatform;
let preview: AppPage;
let live: AppPage;
beforeAll(async () => {
  platform = await start({ v3RunLimit: 1_000 });
  preview = await openAppPage(platform, `/v1/apps/${APP}/preview`);
  live = await openAppPage(platform, `/v1/apps/${APP}/live`);
});
afterAll(() => platform.close());

const api = ({ Platform }: AppPage) => Platform.App.V3.Actions;
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

describe('Platform.App.V3.Actions', () => {
  it('creates, reads, updates, lists, and removes', async () => {
    const name = newName();
    const { id } = await api(preview).create({ name, code: execute('') });
    expect(await api(preview).getById(id)).toMatchObject({
      name,
      active: false,
      environment: 'server',
      actionVersion: 'v3',
    });
    expect(await api(preview).update(id, { description: 'x' })).toMatchObject({ description: 'x', name, revision: 2 });
    const { actions, pagination } = await api(preview).get({ limit: 1 });
    expect({ count: actions.length, total: pagination.total }).toEqual({ count: 1, total: expect.any(Number) });
    expect(await api(preview).remove(id)).toBeUndefined();
    await expect(api(preview).getById(id)).rejects.toMatchObject({ code: 'ACTION_NOT_FOUND', status: 404 });
  });

  it('rejects with the codes of the REST API', async () => {
    const { create: make } = api(preview);
    await expect(make({ name: '', code: '' })).rejects.toMatchObject({ code: 'NAME_EMPTY' });
    await expect(make({ name: newName(), code: 'x' })).rejects.toMatchObject({ code: 'CODE_VALIDATION_FAILED' });
    await expect(api(preview).getById('x' as never)).rejects.toMatchObject({ code: 'INVALID' });
    await expect(api(preview).get(null as never)).rejects.toMatchObject({ code: 'INVALID' });
  });

  it('publishes: a preview page runs the master copy, a live page the production copy', async () => {
    const { id } = await fresh(platform, 'return 1;');
    const { action } = await api(preview).publish(id);
    expect(action).toMatchObject({ id, publishedAt: expect.any(String) });
    await api(preview).update(id, { code: execute('return 2;') });
    expect(await api(preview).runWithResult(id)).toBe(2);
    expect(await api(live).runWithResult(id)).toBe(1);
    expect((await api(live).getById(id)).code).toBe(execute('return 1;'));
    expect(await api(preview).unpublish(id)).toBeUndefined();
    await expect(api(live).runWithResult(id)).rejects.toMatchObject({ code: 'ACTION_NOT_FOUND' });
  });

  it('can’t change production copies from a live page', async () => {
    const { id } = await fresh(platform, '');
    await api(preview).publish(id);
    await expect(api(live).update(id, { active: false })).rejects.toMatchObject({ code: 'CANNOT_UPDATE_PRODUCTION' });
    await expect(api(live).remove(id)).rejects.toMatchObject({ code: 'CANNOT_DELETE_PRODUCTION' });
  });

  it('runs without a result, and finds the record', async () => {
    const { id, name } = await fresh(platform, 'return context.payload;');
    expect(await api(preview).run(name, { a: 1 })).toBeUndefined();
    await logged(platform, id, 1);
    const { count, logs } = await api(preview).getLogs({
      id,
      where: { type: 'app.task.completed' },
      limit: 1,
      offset: 0,
    });
    expect({ count, result: plain(logs[0]!.data.result) }).toEqual({ count: 1, result: { a: 1 } });
  });
});

describe('an action for the client', () => {
  it('runs in the page that calls it, and its outcome is logged', async () => {
    const { id } = await fresh(platform, 'return [context.payload, typeof document];', { environment: 'client' });
    expect(plain(await api(preview).runWithResult(id, { a: 1 }))).toEqual([{ a: 1 }, 'object']);
    const [record] = await logged(platform, id, 1);
    expect(record).toMatchObject({
      type: 'app.task.completed',
      data: { taskId: id, runOn: 'client', mode: 'on-demand', payload: { a: 1 }, result: [{ a: 1 }, 'object'] },
    });
  });

  it('rejects with what the code threw', async () => {
    const { id } = await fresh(platform, "throw new TypeError('no');", { environment: 'client' });
    await expect(api(preview).runWithResult(id)).rejects.toMatchObject({
      code: 'EXECUTION_FAILED',
      details: { errorType: 'TypeError', errorMessage: 'no' },
    });
    const [record] = await logged(platform, id, 1);
    expect(record).toMatchObject({ type: 'app.task.failed', data: { error: { name: 'TypeError', message: 'no' } } });
  });

  it('can run many times at once, each with its own code', async () => {
    const one = await fresh(platform, '', { environment: 'client', code: 'const execute = async (context) => 1;' });
    const other = await fresh(platform, '', { environment: 'client', code: 'const execute = async (context) => 2;' });
    const run = ({ id }: { id: number }) => api(preview).runWithResult(id);
    expect(await Promise.all([run(one), run(other), run(one)])).toEqual([1, 2, 1]);
  });

  it('gets the event itself from an analytics trigger', async () => {
    const { id } = await fresh(platform, 'return context.payload;', {
      environment: 'client',
      triggers: [{ trigger: 'analytics', where: { type: 'analytics.event', data: { category: 'v3' } } }],
    });
    const fired = await preview.Platform.App.Analytics.event({ category: 'v3', action: 'tap' });
    expect(plain(fired)).toEqual([{ actionId: id, name: expect.any(String), state: 'completed' }]);
    const [record] = await logged(platform, id, 1);
    expect(record!.data.result).toMatchObject({ type: 'analytics.event', data: { category: 'v3', action: 'tap' } });
  });

  it('is returned as it is with the profile envelope, too', async () => {
    const envelope = await startForTest({ v3Profile: 'envelope' });
    const { id } = await fresh(envelope, 'return 1;', { environment: 'client' });
    const server = await fresh(envelope, 'return 1;');
    const page = await openAppPage(envelope, `/v1/apps/${APP}/preview`);
    expect(await api(page).runWithResult(id)).toBe(1);
    expect(plain(await api(page).runWithResult(server.id))).toEqual({ success: true, data: 1 });
  });
});

describe('the debug page', () => {
  const path = (id: number): string => `${V3}/${id}/compile`;
  it('shows the code, and runs it with the payload of its URL', async () => {
    const { id } = await fresh(platform, 'return [context, "<b>"];', { active: false });
    const { text, headers } = await platform.ask(`${path(id)}?html`);
    expect(text).toContain('return [context, &quot;&lt;b&gt;&quot;];');
    expect(headers.get('content-security-policy')).toContain("script-src 'self'");
    const page = await openPage(platform, path(id), '&payload={"a":1}');
    const { Code } = (page.Platform.App as unknown as AppPage['Platform']['App']).V3.Actions;
    expect(plain(await Code.run())).toEqual([{ payload: { a: 1 } }, '<b>']);
  });

  it('rejects a payload that isn’t an object of JSON', async () => {
    const { id } = await fresh(platform, 'return context;');
    const page = await openPage(platform, path(id), '&payload=[');
    const { Code } = (page.Platform.App as unknown as AppPage['Platform']['App']).V3.Actions;
    await expect(Code.run()).rejects.toMatchObject({ code: 'PAYLOAD_INVALID' });
  });

  it('has a JSON form', async () => {
    const { id, name } = await fresh(platform, 'return 1;');
    const { body } = await platform.ask<{ scripts: string[] }>(path(id));
    expect(body).toMatchObject({ task: { id, name }, code: execute('return 1;'), dependencies: [] });
    const script = await platform.ask(new URL(body.scripts.at(-1)!).pathname, { token: null });
    expect(script.text).toContain('return 1;');
  });

  it('can’t be broken out of by hostile code', async () => {
    const body = "return '</script><script>alert(1)</script></pre><!--';";
    const { id } = await fresh(platform, body);
    const { text } = await platform.ask(`${path(id)}?html`);
    expect(text).not.toContain('<script>alert');
  });

  it('is only for V3 actions', async () => {
    const { body } = await platform.ask(`${V3}/1004/compile`);
    expect(['ACTION_NOT_FOUND', 'ACTION_NOT_V3']).toContain(body.error);
  });
});

describe('a script with code', () => {
  it('needs the signature of its URL', async () => {
    const { id } = (await create(platform)).body.action;
    const { body } = await platform.ask<{ scripts: string[] }>(`${V3}/${id}/compile`);
    const url = new URL(body.scripts.at(-1)!).pathname;
    const status = async (changed: string) => (await platform.ask(changed, { token: null })).status;
    expect(await status(url)).toBe(200);
    expect(await status(url.replace(`/${id}/`, `/${id - 1}/`))).toBe(404);
    expect(await status(url.replace('/actions/', '/runs/'))).toBe(404);
    expect(await status(url.replace(/scripts\/./, 'scripts/!'))).toBe(404);
  });
});
