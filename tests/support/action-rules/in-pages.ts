/** Rules that HTTP can’t test: runs in a page, analytics, and arguments that JSON can’t carry. */
import { expect } from 'vitest';
import type { ActionsApi } from '../../../lib/actions/actions.ts';
import type { Runtime } from '../../../lib/actions/runtime.ts';
import { type PageDriver, refusal, type Rule, type RuleTestBed, say, step } from './rule.ts';

declare const Platform: Runtime;

/** Replaces one of the platform’s packages on the page only, so that a result shows where its action ran. */
const replaceInPage = ({ api }: RuleTestBed<PageDriver>): Promise<void> =>
  api.page.evaluate(() =>
    Platform.Functions.register('com.example.function.check-address', (settings, context) => ({
      where: 'page',
      ...settings,
      ...context,
    })),
  );
const replaced = (settings: Record<string, unknown> = {}) => [
  { functionPackage: 'com.example.function.check-address', settings },
];
const analytics = (where?: Record<string, unknown>) => [{ trigger: 'analytics' as const, ...(where && { where }) }];

/** The refusal of a call whose arguments are made on the page. */
const refusedInPage = (api: PageDriver, call: (actions: ActionsApi) => Promise<unknown>): Promise<unknown> =>
  api.page.evaluate(
    `(${String(call)})(Platform.App.Actions).then(() => 'no refusal', ({ code, status, message, details }) => ({ code, status, message, details: JSON.parse(JSON.stringify(details ?? null)) }))`,
  );

export const IN_PAGES: Rule<PageDriver>[] = [
  {
    title: 'runs environment server on the server, client on the page, and any on the server on demand',
    async check(bed) {
      await replaceInPage(bed);
      const { api, fresh } = bed;
      const client = await fresh({ environment: 'client', functions: replaced({ s: 1 }) });
      expect(await api.actions.runWithResult(client.name, { p: 2 })).toEqual({ where: 'page', s: 1, p: 2 });
      for (const environment of ['server', 'any'] as const) {
        const { name } = await fresh({ environment, functions: replaced({ address: 'no address' }) });
        expect(await refusal(api.actions.runWithResult(name))).toMatchObject({
          code: 'ACTION_FAILED',
          message: expect.stringContaining('“no address” isn’t an email address'),
        });
      }
    },
  },
  {
    title: 'runs client-side actions in the page that calls them, and logs their outcome',
    async check({ api, fresh, logged }) {
      const { id, name } = await fresh({ environment: 'client', functions: say('x') });
      expect(await api.actions.run(name)).toBeUndefined();
      expect((await logged(id, 1))[0]).toMatchObject({
        type: 'app.action.completed',
        data: { mode: 'on-demand', duration: expect.any(Number), actionId: id },
      });
      const failing = await fresh({
        environment: 'client',
        functions: [
          {
            type: 'loop',
            range: { from: 1, to: 3 },
            functions: [
              {
                type: 'if',
                conditions: [{ condition: 'currentItem === 2', functions: [step('fail', { message: 'Two is bad' })] }],
              },
            ],
          },
        ],
      });
      const failure = {
        errorType: 'Error',
        errorMessage: 'Two is bad',
        // The steps come first, then the frames of the function.
        trace: expect.arrayContaining([
          '/0/functions/0/conditions/0/functions/0 com.platform.function.fail, iteration 2',
          '/0/functions/0 if, iteration 2',
          '/0 loop',
        ]),
      };
      expect(await refusal(api.actions.runWithResult(failing.name, { why: 1 }))).toEqual({
        code: 'ACTION_FAILED',
        status: 424,
        message: expect.stringContaining('Two is bad'),
        details: failure,
      });
      expect((await logged(failing.id, 1))[0]).toMatchObject({
        type: 'app.task.failed',
        data: { mode: 'on-demand', actionId: failing.id, result: failure, payload: { why: 1 } },
      });
    },
  },
  {
    title: 'ends a client-side run at the time limit with TIMEOUT, and limits its result',
    async check({ api, fresh, logged }) {
      const endless = await fresh({
        environment: 'client',
        functions: [{ functionPackage: 'com.example.function.never-settles' }],
      });
      expect(await refusal(api.actions.runWithResult(endless.name))).toMatchObject({ code: 'TIMEOUT', status: 504 });
      expect((await logged(endless.id, 1))[0]).toMatchObject({
        type: 'app.task.failed',
        data: { result: { errorType: 'TIMEOUT', errorMessage: expect.stringContaining('5 seconds') } },
      });
      const large = await fresh({ environment: 'client', functions: say('é'.repeat(1_001)) });
      expect(await refusal(api.actions.runWithResult(large.name))).toMatchObject({
        code: 'RESULT_TOO_LARGE',
        status: 424,
        details: { errorType: 'RESULT_TOO_LARGE', errorMessage: expect.stringMatching(/^The result is limited to/) },
      });
    },
  },
  {
    title: 'runs the working copy in the preview page, and the published copy in the live page',
    async check({ api, published }) {
      const { id, name } = await published({ environment: 'client', functions: say('first') });
      await api.actions.update(id, { functions: say('second') });
      expect(await api.live.runWithResult(name)).toBe('first');
      expect(await api.actions.runWithResult(name)).toBe('second');
      await api.actions.update(id, { name: `${name}-renamed` });
      expect([await api.live.runWithResult(name), await api.actions.runWithResult(`${name}-renamed`)]).toEqual([
        'first',
        'second',
      ]);
      await api.actions.update(id, { name });
      await api.actions.publish(id, false);
      expect(await refusal(api.live.run(name))).toMatchObject({ code: 'ACTION_UNPUBLISHED', status: 409 });
    },
  },
  {
    title: 'finishes and logs a client-side run whose action is removed',
    async check({ api, fresh, logged }) {
      const { id, name } = await fresh({
        environment: 'client',
        functions: [step('wait', { ms: 400 }), ...say('done')],
      });
      await api.actions.run(name);
      await api.actions.remove(id);
      expect((await logged(id, 1))[0]).toMatchObject({ type: 'app.action.completed', data: { actionId: id } });
    },
  },
  {
    title: 'calls the Page.onRemoteExecution handler of the open screen for an action with a pageId and no functions',
    async check({ api, fresh }) {
      const { name } = await fresh({ environment: 'client', pageId: 2002 });
      expect(await api.actions.runWithResult(name, { technician: 'Nobody' })).toEqual({ open: 0 });
      await api.page.evaluate(() => Platform.Page.onRemoteExecution((payload) => ({ handled: payload })));
      expect(await api.actions.runWithResult(name, { a: 1 })).toEqual({ handled: { a: 1 } });
      const elsewhere = await fresh({ environment: 'client', pageId: 2001 });
      expect(await refusal(api.actions.runWithResult(elsewhere.name))).toMatchObject({
        code: 'ACTION_FAILED',
        message: expect.stringContaining('2001 isn’t open here'),
      });
      expect(
        await api.page.evaluate(() => {
          try {
            Platform.Page.onRemoteExecution('x' as never);
            return 'taken';
          } catch (error) {
            return (error as Error).message;
          }
        }),
      ).toContain('must be a function');
    },
  },
  {
    title: 'triggers the actions whose where matches a page view, or an event with category and action, in the page',
    async check({ api, fresh, logged }) {
      const view = await fresh({
        environment: 'client',
        triggers: analytics({ type: 'analytics.pageView', data: { _pageId: 2002 } }),
        functions: say('x'),
      });
      const event = await fresh({
        triggers: analytics({ type: 'analytics.event', data: { category: 'a', action: 'b', _pageId: 2002 } }),
        functions: say('{{trigger}} {{event.data.label}}'),
      });
      expect(await api.analytics.pageView()).toEqual([{ actionId: view.id, name: view.name, state: 'completed' }]);
      expect(await api.analytics.pageView({ _pageId: 1 })).toEqual([]);
      expect(await api.analytics.event({ category: 'a', action: 'b', label: 'c' })).toEqual([
        { actionId: event.id, name: event.name, state: 'completed' },
      ]);
      expect(await api.analytics.event({ category: 'a', action: 'other' })).toEqual([]);
      await Promise.all([logged(view.id, 1), logged(event.id, 1)]);
    },
  },
  {
    title: 'an analytics event without category or action, or with data that isn’t an object, is refused with its path',
    async check({ api }) {
      expect(await refusal(api.analytics.event({ category: 'a' } as never))).toMatchObject({
        code: 'INVALID',
        status: 422,
        details: [{ path: '/data/action', message: 'action must be a string.' }],
      });
      expect(await refusal(api.analytics.pageView('x' as never))).toMatchObject({
        code: 'INVALID',
        status: 422,
        details: [{ path: '/data', message: 'data must be an object.' }],
      });
    },
  },
  {
    title: 'refuses a condition that is a function with its path, and creates nothing',
    async check({ api }) {
      const refused = await refusedInPage(api, (actions) =>
        actions.create({
          name: 'never-made',
          functions: [{ type: 'if', conditions: [{ condition: () => true, functions: [] }] }],
        }),
      );
      expect(refused).toMatchObject({
        code: 'INVALID',
        status: 422,
        details: [{ path: '/functions/0/conditions/0/condition', message: expect.stringContaining('expression') }],
      });
      expect((await api.actions.get()).map(({ name }) => name)).not.toContain('never-made');
    },
  },
  {
    title: 'refuses a cyclic pipeline or payload, an ID that is NaN or undefined, and publish with undefined',
    async check({ api }) {
      const invalid = { code: 'INVALID', status: 422 };
      expect(
        await refusedInPage(api, (actions) => {
          const loop: Record<string, unknown> = {};
          loop.loop = loop;
          return actions.create({ name: 'never-made', functions: [loop] });
        }),
      ).toMatchObject(invalid);
      expect(
        await refusedInPage(api, (actions) => {
          const loop: Record<string, unknown> = {};
          loop.loop = loop;
          return actions.run('number-range', loop);
        }),
      ).toMatchObject(invalid);
      expect(await refusedInPage(api, (actions) => actions.update(NaN, {}))).toMatchObject({
        code: 'NOT_FOUND',
        status: 404,
      });
      expect(await refusedInPage(api, (actions) => actions.remove(undefined as never))).toMatchObject(invalid);
      expect(await refusedInPage(api, (actions) => actions.publish(undefined as never, true))).toMatchObject({
        ...invalid,
        details: [{ message: 'An action’s ID must be a positive integer.' }],
      });
      expect(await refusedInPage(api, (actions) => actions.publish(1004, undefined as never))).toMatchObject({
        ...invalid,
        details: [{ message: 'publish must be true or false.' }],
      });
    },
  },
  {
    title: 'keeps __proto__ and constructor in a payload or in settings away from other runs and the page',
    async check({ api, fresh }) {
      const settings = JSON.parse(
        '{"assign":{"__proto__":"poison","constructor":"poison"},"__proto__":{"polluted":"yes"}}',
      ) as Record<string, unknown>;
      const poisoning = await fresh({ environment: 'client', functions: [step('set-context', settings), ...say('x')] });
      const clean = await fresh({ environment: 'client', functions: say('{{polluted ?? {}.polluted ?? "clean"}}') });
      for (const text of ['{"__proto__":{"polluted":"yes"}}', '{"constructor":{"prototype":{"polluted":"yes"}}}']) {
        const payload = JSON.parse(text) as Record<string, unknown>;
        await api.actions.runWithResult(poisoning.name, { ...payload, poison: { polluted: 'yes' } });
        expect([
          await api.actions.runWithResult(clean.name, payload),
          await api.actions.runWithResult(clean.name),
        ]).toEqual(['clean', 'clean']);
      }
      expect(await api.page.evaluate(() => [{}, [], Platform, () => {}].some((each) => 'polluted' in each))).toBe(
        false,
      );
    },
  },
];
