/** Rules of runs: operations, rules 4 to 8, limits and errors of the specification, and the decisions’ log records. */
import { expect } from 'vitest';
import { assign, refusal, type Rule, say, step } from './rule.ts';

const payloadOf = (length: number) => ({ text: 'x'.repeat(length - '{"text":""}'.length) });

export const RUNS: Rule[] = [
  {
    title: 'run(name, payload) queues the action, and returns no result',
    async check({ api, fresh, logged }) {
      const { id, name } = await fresh({ functions: say('x') });
      expect(await api.actions.run(name, { a: 1 })).toBeUndefined();
      await logged(id, 1);
    },
  },
  {
    title: 'runWithResult(name, payload) returns the result of the pipeline with the payload',
    async check({ api, fresh }) {
      const { name } = await fresh({ functions: say('Hello {{who}}') });
      expect(await api.actions.runWithResult(name, { who: 'you' })).toBe('Hello you');
      const without = await fresh();
      expect(await api.actions.runWithResult(without.name)).toBeNull();
    },
  },
  {
    title: 'a function step runs with its settings, and then its nested functions',
    async check({ api, fresh }) {
      const nested = (condition: string) => step('if', { condition }, [assign('seen', '[...seen, n]')]);
      const { name } = await fresh({
        functions: [assign('seen', '[]'), nested('n === 1'), nested('n === 2'), ...say('{{seen}}')],
      });
      expect([
        await api.actions.runWithResult(name, { n: 1 }),
        await api.actions.runWithResult(name, { n: 3 }),
      ]).toEqual(['[1]', '[]']);
    },
  },
  {
    title: 'a loop runs its functions for each item of an array or number of a range, and can contain conditions',
    async check({ api, fresh }) {
      const big = {
        type: 'if' as const,
        conditions: [{ condition: 'currentItem > 2', functions: [assign('seen', '[...seen, currentItem]')] }],
      };
      const { name } = await fresh({
        functions: [
          assign('seen', '[]'),
          { type: 'loop', items: 'numbers', functions: [big] },
          { type: 'loop', range: { from: 1, to: 4 }, functions: [big] },
          ...say('{{seen.join(" ")}}'),
        ],
      });
      expect(await api.actions.runWithResult(name, { numbers: [5, 1, 9] })).toBe('5 9 3 4');
    },
  },
  {
    title: 'an if runs the functions of the first condition that holds, or else its elseFunctions',
    async check({ api, fresh }) {
      const { name } = await fresh({
        functions: [
          {
            type: 'if',
            conditions: [
              { condition: 'n > 10', functions: say('large') },
              { condition: 'n > 5', functions: say('middle') },
            ],
            elseFunctions: say('small'),
          },
        ],
      });
      const responses = [];
      for (const n of [11, 6, 1]) responses.push(await api.actions.runWithResult(name, { n }));
      expect(responses).toEqual(['large', 'middle', 'small']);
    },
  },
  {
    title: 'an action that targets a screen returns the result of its handler, and loads only its scripts',
    async check({ api, fresh, logged }) {
      const { id, name } = await fresh({ environment: 'server', pageId: 2002 });
      expect(await api.actions.runWithResult(name, { technician: 'Nobody' })).toEqual({ open: 0 });
      // A style or an image that was loaded as a script would have logged an error to the run's console.
      expect((await logged(id, 1))[0]!.data).not.toHaveProperty('console');
    },
  },
  {
    title: 'each completed run on demand is logged once as app.action.completed, without its result',
    async check({ api, fresh, logged }) {
      const { id, name } = await fresh({ functions: [step('wait', { ms: 60 }), ...say('secret')] });
      await api.actions.runWithResult(name);
      const [record] = await logged(id, 1);
      expect(record).toMatchObject({
        type: 'app.action.completed',
        appId: 101,
        data: { mode: 'on-demand', actionId: id, duration: expect.any(Number) },
        createdAt: expect.stringMatching(/Z$/),
      });
      expect(record!.data!.duration).toBeGreaterThanOrEqual(55);
      expect(JSON.stringify(record)).not.toContain('secret');
      expect((await api.actions.get()).find((each) => each.id === id)!.lastRunAt).toMatch(/Z$/);
    },
  },
  {
    title:
      'a failed run is logged with type app.task.failed, and data.result has errorType, errorMessage, and trace, the failing step first',
    async check({ api, fresh, logged }) {
      const inside = {
        type: 'if' as const,
        conditions: [{ condition: 'currentItem === 2', functions: [step('fail', { message: 'Two is bad' })] }],
      };
      const { id, name } = await fresh({
        functions: [{ type: 'loop', range: { from: 1, to: 3 }, functions: [inside] }],
      });
      const failure = {
        errorType: 'Error',
        errorMessage: expect.stringContaining('Two is bad'),
        trace: expect.arrayContaining([expect.stringMatching(/^\/0\b/)]),
      };
      const refused = await refusal(api.actions.runWithResult(name, { why: 1 }));
      expect(refused).toEqual({
        code: 'ACTION_FAILED',
        status: 424,
        message: expect.stringContaining(`The action ${name} failed`),
        details: failure,
      });
      expect((refused.details as { trace: string[] }).trace[0]).toContain('/0/functions/0/conditions/0/functions/0');
      expect((await logged(id, 1))[0]).toMatchObject({
        type: 'app.task.failed',
        data: { mode: 'on-demand', actionId: id, result: refused.details, payload: { why: 1 } },
      });
    },
  },
  {
    title: 'a run that exceeds the time limit is killed, returns a timeout error, and is logged',
    async check({ api, fresh, logged }) {
      const { id, name } = await fresh({ functions: [{ functionPackage: 'com.example.function.never-settles' }] });
      expect(await refusal(api.actions.runWithResult(name))).toMatchObject({
        code: 'TIMEOUT',
        status: 504,
        message: expect.stringContaining(name),
      });
      const [record] = await logged(id, 1);
      expect(record).toMatchObject({
        type: 'app.task.failed',
        data: { result: { errorType: 'TIMEOUT', errorMessage: expect.stringContaining('5 seconds') } },
      });
      expect(record!.data!.duration).toBeGreaterThanOrEqual(4_900);
    },
  },
  {
    title:
      'limits the payload of an on-demand action to 2,048 characters of JSON before it is queued (PAYLOAD_TOO_LARGE, 413)',
    async check({ api, fresh, logged }) {
      const { id, name } = await fresh({ functions: say('{{text.length}}') });
      expect(await api.actions.runWithResult(name, payloadOf(2048))).toBe('2037');
      const tooLarge = {
        code: 'PAYLOAD_TOO_LARGE',
        status: 413,
        message: 'The payload is limited to 2048 characters of JSON. This one has 2049.',
      };
      for (const way of ['run', 'runWithResult'] as const)
        expect(await refusal(api.actions[way](name, payloadOf(2049)))).toMatchObject(tooLarge);
      await logged(id, 1);
    },
  },
  {
    title: 'a result is limited in bytes of JSON, not in characters (RESULT_TOO_LARGE)',
    async check({ api, fresh, logged }) {
      const { id, name } = await fresh({ functions: say('{{text}}{{text}}') });
      expect(await api.actions.runWithResult(name, { text: 'e'.repeat(900) })).toBe('e'.repeat(1_800));
      expect(await refusal(api.actions.runWithResult(name, { text: 'é'.repeat(900) }))).toMatchObject({
        code: 'RESULT_TOO_LARGE',
        status: 424,
      });
      expect((await logged(id, 2))[0]).toMatchObject({
        type: 'app.task.failed',
        data: { result: { errorType: 'RESULT_TOO_LARGE' } },
      });
    },
  },
  {
    title: 'refuses to run an inactive action, or one without a manual trigger, with 409, and queues nothing',
    async check({ api, fresh, logged }) {
      const inactive = await fresh({ active: false });
      const received = await fresh({ triggers: [{ trigger: 'log' }] });
      for (const way of ['run', 'runWithResult'] as const) {
        expect(await refusal(api.actions[way](inactive.name))).toMatchObject({
          code: 'ACTION_INACTIVE',
          status: 409,
          message: `The action ${inactive.name} is inactive.`,
        });
        expect(await refusal(api.actions[way](received.name))).toMatchObject({
          code: 'TRIGGER_MISSING',
          status: 409,
          message: expect.stringContaining('has no manual trigger'),
        });
      }
      expect(await logged(inactive.id, 0)).toEqual([]);
      expect(await logged(received.id, 0)).toEqual([]);
    },
  },
  {
    title: 'finishes and logs a run whose action is removed',
    async check({ api, fresh, logged }) {
      const { id, name } = await fresh({ functions: [step('wait', { ms: 300 }), ...say('done')] });
      await api.actions.run(name);
      await api.actions.remove(id);
      expect((await logged(id, 1))[0]).toMatchObject({ type: 'app.action.completed', data: { actionId: id } });
      expect(await refusal(api.actions.run(name))).toMatchObject({ code: 'NOT_FOUND', status: 404 });
    },
  },
  {
    title: 'runs the action as it was when the run was requested',
    async check({ api, fresh, logged }) {
      const { id, name } = await fresh({
        functions: [step('wait', { ms: 300 }), step('fail', { message: 'As it was' })],
      });
      await api.actions.run(name);
      await api.actions.update(id, { functions: say('after') });
      expect((await logged(id, 1))[0]!.data!.result).toMatchObject({
        errorMessage: expect.stringContaining('As it was'),
      });
      expect(await api.actions.runWithResult(name)).toBe('after');
    },
  },
  {
    title: 'treats __proto__, prototype, and constructor in a payload, settings, or context as data of that run only',
    async check({ api, fresh }) {
      const poison = { polluted: 'yes' };
      const payloads = [
        '{"__proto__":{"polluted":"yes"}}',
        '{"constructor":{"prototype":{"polluted":"yes"}}}',
        '{"a":{"__proto__":{"polluted":"yes"}}}',
      ].map((text) => JSON.parse(text) as Record<string, unknown>);
      const settings = JSON.parse(
        '{"assign":{"__proto__":"poison","constructor":"poison","prototype":"poison"},"__proto__":{"polluted":"yes"}}',
      ) as Record<string, unknown>;
      const poisoning = await fresh({ functions: [step('set-context', settings), ...say('{{polluted ?? "clean"}}')] });
      expect(JSON.stringify(poisoning.functions)).toContain('"__proto__":{"polluted":"yes"}');
      const clean = await fresh({
        functions: [
          assign('seen', '[polluted, {}.polluted, [].polluted]'),
          ...say('{{seen.filter(each => each !== undefined).length}}'),
        ],
      });
      for (const payload of payloads) {
        await api.actions.runWithResult(poisoning.name, { ...payload, poison });
        expect([
          await api.actions.runWithResult(clean.name, payload),
          await api.actions.runWithResult(clean.name),
        ]).toEqual(['0', '0']);
      }
      expect(Reflect.get({}, 'polluted')).toBeUndefined();
    },
  },
];
