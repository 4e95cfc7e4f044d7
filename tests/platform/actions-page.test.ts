/** The JavaScript API of actions in a page (specification, "App Actions V2 JavaScript API"), and the preview and live pages. */
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { ActionsApi } from '../../lib/actions/actions.ts';
import type { Action, LogList } from '../../lib/contract/index.ts';
import { openAppPage, type AppPage } from './support/app-page.ts';
import { onBothDatabases } from './support/databases.ts';
import { start, type TestPlatform } from './support/platform.ts';
import { step } from './support/page.ts';

onBothDatabases(({ url }) => {
  let platform: TestPlatform;
  let preview: AppPage;
  let live: AppPage;
  beforeAll(async () => {
    platform = await start({ databaseUrl: await url(), limits: { time: 300, result: 1_000 } });
    preview = await openAppPage(platform, '/v1/apps/101/preview?page=2002');
    live = await openAppPage(platform, '/v1/apps/101/live?page=2002');
  });
  afterAll(() => platform.close());

  const actions = (page = preview): ActionsApi => page.Platform.App.Actions;
  let made = 0;
  const fresh = (properties: Parameters<ActionsApi['update']>[1] = {}): Promise<Action> => actions().create({ name: `page-${(made += 1)}`, ...properties });
  const say = (message: string) => [step('return-string', { message })];
  const logsOf = async (id: number): Promise<LogList['logs']> => (await actions().getLogs({ id })).logs;
  /** What the REST API and the JavaScript API both say when they refuse. */
  const refusal = (promise: Promise<unknown>) => promise.then(() => 'no refusal', ({ code, status, message, details }: Record<string, unknown>) => ({ code, status, message, details }));

  describe('preview and live pages', () => {
    it('say in ENV what they are', () => {
      expect(preview.ENV).toEqual({ appId: 101, organizationId: 21, mode: 'preview', pageId: 2002, token: expect.stringMatching(/^page\./) });
      expect(live.ENV).toMatchObject({ mode: 'live' });
    });

    it('show the start screen, which lists the actions', async () => {
      const { document } = await openAppPage(platform, '/v1/apps/102/preview');
      await vi.waitFor(() => expect(document.querySelectorAll('#screen button')).toHaveLength(3));
      expect(document.querySelector('#screen')!.textContent).toContain('is-email-registered');
    });

    it('are the live page only once the app was published', async () => {
      expect(await platform.ask('/v1/apps/103/live')).toMatchObject({ status: 409, body: { error: 'APP_UNPUBLISHED' } });
      expect((await platform.ask('/v1/apps/103/preview')).status).toBe(200);
      expect((await platform.ask('/v1/apps/104/preview')).status).toBe(404);
      for (const page of ['2101', '-1', 'x']) expect((await platform.ask(`/v1/apps/101/preview?page=${page}`)).status).toBe(404);
    });

    it('give screens to whoever has the signed address alone', async () => {
      const { text } = await platform.ask('/v1/apps/101/preview?page=2002');
      const address = /\/v1\/screens\/[^"]*screen-open-visits\.js/.exec(text)![0];
      expect((await platform.ask(address, { token: null })).status).toBe(200);
      for (const other of [address.replace('/2002/', '/2001/'), address.replace('/preview/', '/live/'), address.replace(/screens\/./, 'screens/%'), address.replace('screen-open', 'x')]) {
        expect([400, 404]).toContain((await platform.ask(other, { token: null })).status);
      }
    });
  });

  describe('Platform.App.Actions', () => {
    it('create answers the created action; get lists it with lastRunAt and nextRunAt', async () => {
      const action = await actions().create({ name: 'from-page', functions: say('x'), environment: 'server', triggers: [{ trigger: 'manual' }], active: true, frequency: '0 0 * * *', timezone: 'Europe/Rome' });
      expect(action).toMatchObject({ name: 'from-page', appId: 101, frequency: '0 0 * * *', timezone: 'Europe/Rome', published: null });
      expect((await actions().get()).find(({ id }) => id === action.id)).toEqual(action);
      expect(action).toMatchObject({ lastRunAt: null, nextRunAt: null });
    });

    it('update changes by id and by name, and tells when another was faster', async () => {
      const action = await fresh();
      expect(await actions().update(action.id, { active: false })).toMatchObject({ id: action.id, active: false });
      expect(await actions().update(action.name, { environment: 'client' })).toMatchObject({ id: action.id, environment: 'client' });
      expect(await refusal(actions().update(action.id, { active: true, revision: 1 }))).toMatchObject({ code: 'CONFLICT', status: 409 });
    });

    it('a name of digits is a name, a number an id', async () => {
      const action = await fresh();
      const named = await actions().create({ name: String(action.id) });
      expect((await actions().update(String(action.id), {})).id).toBe(named.id);
      expect((await actions().update(action.id, {})).id).toBe(action.id);
    });

    it('remove resolves when the action is removed, by id or name', async () => {
      const [one, two] = [await fresh(), await fresh()];
      expect(await actions().remove(one.id)).toBeUndefined();
      await actions().remove(two.name);
      const ids = (await actions().get()).map(({ id }) => id);
      expect([ids.includes(one.id), ids.includes(two.id)]).toEqual([false, false]);
    });

    it('publish publishes and takes back', async () => {
      const { id } = await fresh();
      expect((await actions().publish(id, true)).published).not.toBeNull();
      expect((await actions().publish(id, false)).published).toBeNull();
    });

    it('Platform.App.Tasks.Functions.get lists the functions', async () => {
      const packages = (await preview.Platform.App.Tasks.Functions.get()).map((each) => each.package);
      expect(packages).toContain('com.platform.function.send-email');
    });
  });

  describe('bad arguments get the code and sentence of the REST API, and nothing is half-created', () => {
    const over = async (path: string, method: string, body?: unknown) => {
      const answer = await platform.ask(`/v1/apps/101/${path}`, { method, body });
      return { code: answer.body.error, status: answer.status, message: answer.body.message, details: answer.body.details };
    };
    const names = async () => (await actions().get()).map(({ name }) => name);

    it.each<[string, unknown]>([
      ['a name of 256 characters', { name: 'n'.repeat(256) }],
      ['a name with spaces', { name: 'a b' }],
      ['a name that is taken', { name: 'number-range' }],
      ['no name', {}],
      ['null', null],
      ['a list', []],
      ['an unknown package', { name: 'x', functions: [{ functionPackage: 'none' }] }],
      ['an unknown trigger', { name: 'x', triggers: [{ trigger: 'x' }] }],
      ['an unknown environment', { name: 'x', environment: 'x' }],
      ['an unknown zone', { name: 'x', timezone: 'x' }],
      ['four cron fields', { name: 'x', frequency: '* * * *' }],
      ['six cron fields', { name: 'x', frequency: '* * * * * *' }],
      ['31 February', { name: 'x', frequency: '0 0 31 2 *' }],
      ['10 MB', { name: 'x', functions: [{ functionPackage: 'x'.repeat(10 * 1024 * 1024) }] }],
    ])('create: %s', async (_, action) => {
      const before = await names();
      const wanted = await over('actions', 'POST', action);
      expect(wanted.status).toBeGreaterThanOrEqual(400);
      expect(await refusal(actions().create(action as { name: string }))).toEqual(wanted);
      expect(await names()).toEqual(before);
    });

    it.each<[string, string | number]>([['negative', -1], ['a float', 1.5], ['a text', 'nobody'], ["another app's", 1101], ['a path', '../apps'], ['NaN', NaN]])('ids: %s', async (_, id) => {
      const wanted = await over(`actions/${encodeURIComponent(id)}?by=${typeof id}`.replace('by=string', 'by=name').replace('by=number', 'by=id'), 'PUT', {});
      expect([404, 422]).toContain(wanted.status);
      if (wanted.status === 404) for (const call of [() => actions().update(id, {}), () => actions().remove(id), () => actions().run(id), () => actions().runWithResult(id)]) expect(await refusal(call())).toEqual(wanted);
      else for (const call of [() => actions().update(id, {}), () => actions().remove(id), () => actions().run(id)]) expect(await refusal(call())).toMatchObject({ status: 422, code: 'INVALID', message: wanted.message });
    });

    it.each<[string, unknown]>([['undefined', undefined], ['null', null], ['an object', {}], ['a text', '1004'], ['a float', 1.5], ['negative', -7]])('publish: an id that is %s', async (_, id) => {
      expect(await refusal(actions().publish(id as number, true))).toEqual(await over('actions/x/publish', 'POST', { publish: true }));
    });

    it('publish: what is no boolean', async () => {
      for (const to of ['true', 1, undefined, null] as unknown[]) expect(await refusal(actions().publish(1004, to as boolean))).toEqual(await over('actions/1004/publish', 'POST', { publish: to ?? null }));
    });

    it.each<[string, unknown, object]>([
      ['limit', { limit: 1.5 }, { limit: '1.5' }],
      ['limit as text', { limit: 'x' }, { limit: 'x' }],
      ['a negative limit', { limit: -1 }, { limit: '-1' }],
      ['id', { id: 'x' }, { id: 'x' }],
      ['where', { where: [] }, { where: '[]' }],
      ['an unknown field of where', { where: { typ: 'x' } }, { where: '{"typ":"x"}' }],
      ['an unknown option', { max: 3 }, { max: '3' }],
    ])('getLogs: %s', async (_, options, query) => {
      const wanted = await over(`logs?${new URLSearchParams(query as Record<string, string>)}`, 'GET');
      expect(wanted.status).toBe(422);
      expect(await refusal(actions().getLogs(options as object))).toEqual(wanted);
    });

    it('a condition that is a function, which cannot be stored: told, with its place', async () => {
      const before = await names();
      const functions = [{ type: 'if' as const, conditions: [{ condition: () => true, functions: [] }] }];
      expect(await refusal(actions().create({ name: 'code', functions }))).toMatchObject({ code: 'INVALID', status: 422, details: [{ path: '/functions/0/conditions/0/condition', message: expect.stringContaining('expression') }] });
      expect(await names()).toEqual(before);
    });

    it('a pipeline or payload that holds itself', async () => {
      const loop: Record<string, unknown> = {};
      loop.loop = loop;
      expect(await refusal(actions().create({ name: 'loop', functions: [loop] }))).toMatchObject({ code: 'INVALID', status: 422 });
      expect(await refusal(actions().run('number-range', loop))).toMatchObject({ code: 'INVALID', status: 422 });
    });

    it.each<[string, unknown, number]>([['a list', [], 422], ['a text', 'x', 422], ['null', null, 422], ['2,049 characters', { a: 'x'.repeat(2041) }, 413]])('run: a payload that is %s', async (_, payload, status) => {
      const wanted = await over('actions/number-range/run', 'POST', { payload });
      expect(wanted.status).toBe(status);
      for (const way of ['run', 'runWithResult'] as const) expect(await refusal(actions()[way]('number-range', payload as Record<string, unknown>))).toEqual(wanted);
    });
  });

  describe('client actions', () => {
    it('run in the page that calls them, with its functions, and answer the result', async () => {
      preview.Platform.Functions.register('com.example.function.here', (settings, context) => ({ here: preview.ENV.pageId, ...settings, ...context }));
      // The platform knows the package of a page too once it is one of its own, so the action uses one, and the page replaces it.
      preview.Platform.Functions.register('com.example.function.check-address', preview.Platform.Functions.get('com.example.function.here')!);
      const { id, name } = await fresh({ environment: 'client', functions: [{ functionPackage: 'com.example.function.check-address', settings: { s: 1 } }] });
      expect(await actions().runWithResult(name, { p: 2 })).toEqual({ here: 2002, s: 1, p: 2 });
      expect(await logsOf(id)).toEqual([
        expect.objectContaining({ type: 'app.action.completed', data: { mode: 'on-demand', duration: expect.any(Number), actionId: id, runId: expect.any(String) } }),
      ]);
      expect((await actions().get()).find((each) => each.id === id)!.lastRunAt).not.toBeNull();
    });

    it('run resolves without a result once the run has begun; its outcome is logged', async () => {
      const { id, name } = await fresh({ environment: 'client', functions: say('x') });
      expect(await actions().run(name)).toBeUndefined();
      await vi.waitFor(async () => expect(await logsOf(id)).toHaveLength(1));
    });

    it('that fail reject with ACTION_FAILED and errorType, errorMessage and trace, which the log keeps', async () => {
      const { id, name } = await fresh({ environment: 'client', functions: [{ type: 'loop', range: { from: 1, to: 3 }, functions: [{ type: 'if', conditions: [{ condition: 'currentItem === 2', functions: [step('fail', { message: 'Two is bad' })] }] }] }] });
      const failure = { errorType: 'Error', errorMessage: expect.stringContaining('Two is bad'), trace: ['/0/functions/0/conditions/0/functions/0 com.platform.function.fail', '/0/functions/0 if', '/0 loop, iteration 2'] };
      expect(await refusal(actions().runWithResult(name, { why: 1 }))).toEqual({ code: 'ACTION_FAILED', status: 424, message: expect.stringContaining('Two is bad'), details: failure });
      expect(await logsOf(id)).toEqual([expect.objectContaining({ type: 'app.task.failed', data: expect.objectContaining({ mode: 'on-demand', actionId: id, result: failure, payload: { why: 1 } }) })]);
    });

    it('are ended at the time limit with TIMEOUT, also when a function never settles', async () => {
      const { id, name } = await fresh({ environment: 'client', functions: [{ functionPackage: 'com.example.function.never-settles' }] });
      expect(await refusal(actions().runWithResult(name))).toMatchObject({ code: 'TIMEOUT', status: 504 });
      expect((await logsOf(id)).map(({ type, data }) => [type, (data!.result as { errorType: string }).errorType])).toEqual([['app.task.failed', 'TIMEOUT']]);
    });

    it('may not answer more than the result limit', async () => {
      const { name } = await fresh({ environment: 'client', functions: say('x'.repeat(1_001)) });
      expect(await refusal(actions().runWithResult(name))).toMatchObject({ code: 'RESULT_TOO_LARGE' });
    });

    it('with an inactive action, or one without manual trigger: 409', async () => {
      const inactive = await fresh({ environment: 'client', active: false });
      const analytics = await fresh({ environment: 'client', triggers: [{ trigger: 'analytics' }] });
      expect(await refusal(actions().run(inactive.name))).toMatchObject({ code: 'ACTION_INACTIVE', status: 409 });
      expect(await refusal(actions().runWithResult(analytics.name))).toMatchObject({ code: 'TRIGGER_MISSING', status: 409 });
      expect([await logsOf(inactive.id), await logsOf(analytics.id)]).toEqual([[], []]);
      await actions().remove(analytics.id);
    });

    it('can be run from a page alone', async () => {
      const { name } = await fresh({ environment: 'client' });
      expect(await platform.ask(`/v1/apps/101/actions/${name}/run`, { body: {} })).toMatchObject({ status: 409, body: { error: 'ACTION_CLIENT_ONLY' } });
    });

    it('of the preview use the working copy, of the live app the published one', async () => {
      const { id, name } = await fresh({ environment: 'client', functions: say('first') });
      expect(await refusal(actions(live).runWithResult(name))).toMatchObject({ code: 'ACTION_UNPUBLISHED', status: 409 });
      await actions().publish(id, true);
      await actions().update(id, { functions: say('second') });
      expect([await actions(live).runWithResult(name), await actions().runWithResult(name)]).toEqual(['first', 'second']);
      await actions().publish(id, false);
      expect(await refusal(actions(live).run(name))).toMatchObject({ code: 'ACTION_UNPUBLISHED' });
    });

    it('end once: a second outcome is refused, another app\'s or a made-up run is not found', async () => {
      const { id, name } = await fresh({ environment: 'client', functions: say('x') });
      const token = preview.ENV.token as string;
      const { body } = await platform.ask<{ run: { runId: string } }>(`/v1/apps/101/actions/${name}/run`, { token, body: {} });
      const end = (runId: string, outcome: object, app = 101) => platform.ask(`/v1/apps/${app}/runs/${runId}/outcome`, { body: outcome });
      expect((await end(body.run.runId, { state: 'completed', milliseconds: 1 }, 102)).status).toBe(404);
      expect((await end(body.run.runId, { state: 'done' })).status).toBe(422);
      const ended = await Promise.all([end(body.run.runId, { state: 'completed', milliseconds: 1 }), end(body.run.runId, { state: 'completed', milliseconds: 1 })]);
      expect(ended.map(({ status }) => status).sort()).toEqual([201, 409]);
      expect(await logsOf(id)).toHaveLength(1);
      expect((await end('x', { state: 'completed', milliseconds: 1 })).status).toBe(404);
    });

    it('that are removed while they run are logged all the same', async () => {
      const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
      const { promise: removed, resolve: go } = Promise.withResolvers<string>();
      preview.Platform.Functions.register('com.example.function.check-address', () => {
        begin();
        return removed;
      });
      const { id, name } = await fresh({ environment: 'client', functions: [{ functionPackage: 'com.example.function.check-address' }] });
      const result = actions().runWithResult(name);
      await begun;
      await actions().remove(id);
      go('done');
      expect(await result).toBe('done');
      expect(await logsOf(id)).toHaveLength(1);
    });

    it('keep __proto__ of a payload to itself', async () => {
      const { name } = await fresh({ environment: 'client', functions: [step('set-context', { assign: { seen: 'polluted' } }), ...say('{{seen ?? "clean"}}')] });
      const payload = JSON.parse('{"__proto__":{"polluted":"yes"}}') as Record<string, unknown>;
      expect(await actions().runWithResult(name, payload)).toBe('clean');
      expect(await actions().runWithResult(name)).toBe('clean');
    });
  });

  describe('screens as targets', () => {
    it('run the handler that the screen gave to Platform.Page.onRemoteExecution', async () => {
      const { name } = await fresh({ environment: 'client', pageId: 2002 });
      const { open } = (await actions().runWithResult(name, { technician: 'Nobody' })) as { open: number };
      expect(open).toBe(0);
      preview.Platform.Page.onRemoteExecution((payload) => ({ handled: payload }));
      expect(await actions().runWithResult(name, { a: 1 })).toEqual({ handled: { a: 1 } });
    });

    it('fail in a page that shows another screen', async () => {
      const { name } = await fresh({ environment: 'client', pageId: 2001 });
      expect(await refusal(actions().runWithResult(name))).toMatchObject({ code: 'ACTION_FAILED', message: expect.stringContaining('2001') });
    });

    it('take functions alone as handlers', () => {
      expect(() => preview.Platform.Page.onRemoteExecution('x' as never)).toThrow('function');
    });
  });

  describe('Platform.App.Analytics', () => {
    it('pageView and event fire the actions whose where matches, in the page', async () => {
      const view = await fresh({ environment: 'client', triggers: [{ trigger: 'analytics', where: { type: 'analytics.pageView', data: { _pageId: 2002 } } }], functions: say('x') });
      const event = await fresh({ environment: 'any', triggers: [{ trigger: 'analytics', where: { type: 'analytics.event', data: { category: 'a', action: 'b' } } }], functions: say('{{trigger}} {{event.data.label}}') });
      const { Analytics } = preview.Platform.App;
      expect(await Analytics.pageView()).toEqual([{ actionId: view.id, name: view.name, state: 'completed' }]);
      expect(await Analytics.pageView({ _pageId: 1 })).toEqual([]);
      expect(await Analytics.event({ category: 'a', action: 'b', label: 'c' })).toEqual([{ actionId: event.id, name: event.name, state: 'completed' }]);
      expect(await Analytics.event({ category: 'a', action: 'other' })).toEqual([]);
      expect([(await logsOf(view.id)).length, (await logsOf(event.id)).length]).toEqual([1, 1]);
      expect(await live.Platform.App.Analytics.pageView()).toEqual([]);
    });

    it('an event needs category and action', async () => {
      const { Analytics } = preview.Platform.App;
      expect(await refusal(Analytics.event({ category: 'a' } as never))).toMatchObject({ code: 'INVALID', status: 422, details: [{ path: '/data/action', message: 'action must be a text.' }] });
      expect(await refusal(Analytics.pageView('x' as never))).toMatchObject({ code: 'INVALID', details: [{ path: '/data', message: 'data must be an object.' }] });
    });

    it('happens in pages alone', async () => {
      expect(await platform.ask('/v1/apps/101/analytics/events', { body: { type: 'analytics.pageView' } })).toMatchObject({ status: 409, body: { error: 'PAGE_ONLY' } });
    });
  });
});
