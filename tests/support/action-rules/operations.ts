/** Rules of the operations (specification, “App Actions V2 JavaScript API”; decisions, “Actions”: names, defaults, copies). */
import { expect } from 'vitest';
import type { Action } from '../../../lib/platform-api/index.ts';
import { refusal, type Rule, say, step } from './rule.ts';

const NAME = 'name must be 1 to 255 letters, digits, dashes, or underscores.';

export const OPERATIONS: Rule[] = [
  {
    title: 'Tasks.Functions.get() returns the ID, name, package, and description of each function',
    async check({ api }) {
      const functions = await api.functions();
      expect(functions.find((each) => each.package === 'com.platform.function.if')).toMatchObject({
        id: expect.any(Number),
        name: expect.any(String),
        description: expect.any(String),
      });
      expect(new Set(functions.map(({ id }) => id)).size).toBe(functions.length);
    },
  },
  {
    title:
      'create(action) returns the created action with all given properties: functions, environment, triggers, active, frequency, and timezone',
    async check({ api, fresh }) {
      const given = {
        active: false,
        environment: 'server' as const,
        triggers: [
          { trigger: 'schedule' as const },
          { trigger: 'log' as const, where: { type: 'dataSource.entry.create', dataSourceId: 503 } },
          { trigger: 'manual' as const },
        ],
        frequency: '*/5 0-6,22 1,15 JAN-MAR SUN,7',
        timezone: 'America/St_Johns',
        functions: [
          step('set-context', { assign: { z: '1', a: '2' } }),
          { type: 'loop' as const, range: { from: 1, to: 2 }, functions: say('x') },
        ],
      };
      const action = await fresh(given);
      expect(action).toMatchObject({
        ...given,
        id: expect.any(Number),
        appId: 101,
        createdAt: expect.stringMatching(/Z$/),
        updatedAt: expect.stringMatching(/Z$/),
      });
      expect(JSON.stringify(action.functions)).toBe(JSON.stringify(given.functions));
      expect((await api.actions.get()).find(({ id }) => id === action.id)).toEqual(action);
    },
  },
  {
    title: 'a new action is unpublished and active, with environment any, a manual trigger, and timezone UTC',
    async check({ fresh }) {
      expect(await fresh()).toMatchObject({
        active: true,
        environment: 'any',
        triggers: [{ trigger: 'manual' }],
        timezone: 'UTC',
        frequency: null,
        functions: [],
        pageId: null,
        lastRunAt: null,
        nextRunAt: null,
        published: null,
        publishedAt: null,
      });
    },
  },
  {
    title: 'a frequency without triggers sets the schedule trigger, in an update, too',
    async check({ api, fresh }) {
      expect((await fresh({ frequency: '0 7 * * MON' })).triggers).toEqual([{ trigger: 'schedule' }]);
      const { id } = await fresh();
      expect((await api.actions.update(id, { frequency: '0 0 * * *' })).triggers).toEqual([
        { trigger: 'manual' },
        { trigger: 'schedule' },
      ]);
    },
  },
  {
    title: 'a name must be 1 to 255 letters, digits, dashes, and underscores, or is refused with 422',
    async check({ api }) {
      for (const name of ['n'.repeat(255), 'aZ09_-', '1234567']) {
        expect((await api.actions.create({ name })).name).toBe(name);
        await api.actions.remove(name);
      }
      for (const name of ['n'.repeat(256), 'two words', '', 'a.b', 'a/b', 'é', 'name\n']) {
        expect(await refusal(api.actions.create({ name }))).toEqual({
          code: 'INVALID',
          status: 422,
          message: expect.stringContaining(NAME),
          details: [{ path: '/name', message: NAME }],
        });
      }
    },
  },
  {
    title: 'a name must be unique within the app, even for simultaneous requests, or is refused with 409',
    async check({ api, fresh }) {
      const [one, two] = [await fresh(), await fresh()];
      const taken = { code: 'NAME_TAKEN', status: 409, message: expect.stringContaining(one.name) };
      expect(await refusal(api.actions.create({ name: one.name }))).toMatchObject(taken);
      expect(await refusal(api.actions.update(two.id, { name: one.name }))).toMatchObject(taken);
      const atOnce = await Promise.allSettled(['at-once', 'at-once'].map((name) => api.actions.create({ name })));
      expect(atOnce.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
      await api.actions.remove('at-once');
    },
  },
  {
    title: 'update(idOrName, properties) changes the given properties, and returns the updated action',
    async check({ api, fresh }) {
      const action = await fresh();
      const change = {
        functions: say('changed'),
        triggers: [{ trigger: 'manual' as const }, { trigger: 'schedule' as const }],
        frequency: '*/5 * * * *',
        active: false,
      };
      expect(await api.actions.update(action.id, change)).toEqual({
        ...action,
        ...change,
        revision: 2,
        updatedAt: expect.any(String),
      });
      expect(await api.actions.update(action.name, { environment: 'server' })).toMatchObject({
        id: action.id,
        ...change,
        environment: 'server',
      });
    },
  },
  {
    title: 'update accepts what get returned, and takes a string of digits for a name',
    async check({ api, fresh }) {
      const action = await fresh();
      const named = await api.actions.create({ name: String(action.id) });
      expect(await api.actions.update(action.id, { ...action, active: false })).toMatchObject({
        id: action.id,
        active: false,
      });
      expect((await api.actions.update(String(action.id), {})).id).toBe(named.id);
      await api.actions.remove(named.id);
    },
  },
  {
    title: 'refuses an update that conflicts with the rest of the action, and changes nothing',
    async check({ api, fresh }) {
      const action = await fresh({ frequency: '0 0 * * *' });
      for (const [change, path] of [
        [{ environment: 'client' }, '/triggers/0/trigger'],
        [{ frequency: null }, '/frequency'],
        [{ active: false, functions: [{ functionPackage: 'none' }] }, '/functions/0'],
      ] as const) {
        expect(await refusal(api.actions.update(action.id, change as Partial<Action> as object))).toMatchObject({
          code: 'INVALID',
          status: 422,
          details: [{ path }],
        });
      }
      expect((await api.actions.get()).find(({ id }) => id === action.id)).toEqual(action);
    },
  },
  {
    title: 'the second of two simultaneous updates is refused, and the first isn’t lost',
    async check({ api, fresh }) {
      const action = await fresh();
      const changes = [{ active: false }, { environment: 'server' as const }];
      const responses = await Promise.allSettled(
        changes.map((change) => api.actions.update(action.id, { ...change, revision: action.revision! })),
      );
      const won = responses.findIndex(({ status }) => status === 'fulfilled');
      expect(responses[1 - won]).toMatchObject({
        status: 'rejected',
        reason: { code: 'CONFLICT', status: 409, message: expect.stringContaining('has changed since you read it') },
      });
      expect((await api.actions.get()).find(({ id }) => id === action.id)).toMatchObject({
        ...action,
        ...changes[won],
        revision: 2,
        updatedAt: expect.any(String),
      });
    },
  },
  {
    title: 'remove(idOrName) removes the action, and frees its name',
    async check({ api, fresh }) {
      const [one, two] = [await fresh(), await fresh()];
      expect(await api.actions.remove(one.id)).toBeUndefined();
      expect(await api.actions.remove(two.name)).toBeUndefined();
      expect(await refusal(api.actions.remove(one.id))).toMatchObject({ code: 'NOT_FOUND', status: 404 });
      const ids = (await api.actions.get()).map(({ id }) => id);
      expect(ids.includes(one.id)).toBe(false);
      expect(ids.includes(two.id)).toBe(false);
      await api.actions.create({ name: two.name });
      await api.actions.remove(two.name);
    },
  },
  {
    title: 'publish(actionId, true) publishes, and publish(actionId, false) unpublishes',
    async check({ api, fresh }) {
      const { id, name, functions } = await fresh({ functions: say('x') });
      const { published, publishedAt } = await api.actions.publish(id, true);
      expect(published).toEqual({
        name,
        active: true,
        frequency: null,
        timezone: 'UTC',
        environment: 'any',
        triggers: [{ trigger: 'manual' }],
        functions,
        pageId: null,
      });
      expect(publishedAt).toMatch(/Z$/);
      expect(await api.actions.publish(id, false)).toMatchObject({ published: null, publishedAt: null });
    },
  },
  {
    title: 'a published action works in the live app, and an unpublished one no longer does',
    async check({ api, fresh }) {
      const { id, name } = await fresh({ functions: say('here') });
      const stopped = {
        code: 'ACTION_UNPUBLISHED',
        status: 409,
        message: `The action ${name} isn’t published, so the live app can’t run it.`,
      };
      expect(await refusal(api.live.runWithResult(name))).toMatchObject(stopped);
      await api.actions.publish(id, true);
      expect(await api.live.runWithResult(name)).toBe('here');
      await api.actions.publish(id, false);
      for (const way of ['run', 'runWithResult'] as const)
        expect(await refusal(api.live[way](name))).toMatchObject(stopped);
    },
  },
  {
    title: 'unpublished changes affect the preview, but not the live app',
    async check({ api, published }) {
      const { id, name } = await published({ functions: say('first') });
      await api.actions.update(id, { functions: say('second') });
      expect(await api.live.runWithResult(name)).toBe('first');
      expect(await api.actions.runWithResult(name)).toBe('second');
      await api.actions.update(id, { active: false });
      expect(await api.live.runWithResult(name)).toBe('first');
      await api.actions.publish(id, true);
      expect(await refusal(api.live.runWithResult(name))).toMatchObject({ code: 'ACTION_INACTIVE' });
    },
  },
  {
    title: 'a new name applies in the preview, and in the live app once it is published',
    async check({ api, published, logged }) {
      const { id, name } = await published({ functions: say('here') });
      const renamed = `${name}-renamed`;
      expect((await api.actions.update(name, { name: renamed })).published).toMatchObject({ name });
      expect([
        await api.live.runWithResult(name),
        await api.live.runWithResult(id),
        await api.actions.runWithResult(renamed),
      ]).toEqual(['here', 'here', 'here']);
      await api.live.run(name);
      await logged(id, 4);
      expect(await refusal(api.live.runWithResult(renamed))).toMatchObject({
        code: 'ACTION_UNPUBLISHED',
        status: 409,
        message: expect.stringContaining(`under the name ${name}.`),
      });
      for (const call of ['runWithResult', 'update'] as const)
        expect(await refusal(api.actions[call](name, {}))).toMatchObject({ code: 'NOT_FOUND', status: 404 });
      await api.actions.publish(id, true);
      expect(await api.live.runWithResult(renamed)).toBe('here');
      expect(await refusal(api.live.runWithResult(name))).toMatchObject({ code: 'NOT_FOUND', status: 404 });
    },
  },
  {
    title: 'a name that a published copy still uses can be given to another action, whose publish is refused with 409',
    async check({ api, fresh, published }) {
      const first = await published({ functions: say('first') });
      const renamed = await api.actions.update(first.id, { name: `${first.name}-renamed` });
      const second = await fresh({ name: first.name, functions: say('second') } as object);
      expect([await api.live.runWithResult(first.name), await api.actions.runWithResult(first.name)]).toEqual([
        'first',
        'second',
      ]);
      const held = `The published copy of the action ${renamed.name} still has the name ${first.name}.`;
      expect(await refusal(api.actions.publish(second.id, true))).toMatchObject({
        code: 'NAME_TAKEN',
        status: 409,
        message: held,
      });
      expect(await api.live.runWithResult(first.name)).toBe('first');
      await api.actions.publish(first.id, true);
      await api.actions.publish(second.id, true);
      expect([await api.live.runWithResult(first.name), await api.live.runWithResult(renamed.name)]).toEqual([
        'second',
        'first',
      ]);
    },
  },
];
