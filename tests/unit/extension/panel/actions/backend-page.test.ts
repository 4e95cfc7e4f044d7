/** Tests actions that are reached through a page that lies, hangs, floods, or goes away. */
import { afterEach, describe, expect, it } from 'vitest';
import { AgentConnection, PageApi } from '../../../../../lib/extension/inspector/index.ts';
import type { ApiTarget } from '../../../../../lib/extension/inspector/api/contract.ts';
import { listRuns } from '../../../../../lib/extension/panel/actions/list-logs.ts';
import { Logs } from '../../../../../lib/extension/panel/actions/logs.ts';
import { PageActions } from '../../../../../lib/extension/panel/actions/backend/page.ts';
import type { ActionsBackend } from '../../../../../lib/extension/panel/actions/backend/types.ts';
import { editableFields } from '../../../../../lib/extension/panel/actions/edit/draft-action.ts';
import type { Action } from '../../../../../lib/platform-api/action.ts';
import { agentSource, openPage } from '../../inspector/support/page.ts';
import { APP, newAction, throughPage } from './support/fake-app.ts';

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

/** The backend of a page whose `App.Actions` has these members, as JavaScript. */
async function through(members: string, timeLimits = { read: 5_000, change: 5_000, run: 5_000 }) {
  const opened = await throughPage(
    `calls = []; ENV = { appId: 1 }; action = (id, more) => ({ id, name: 'action-' + id, ...more });
     Platform = { App: { Actions: { get: async () => [action(1)], ${members} } } };`,
    { timeLimits },
  );
  closing.push(() => opened.page.close());
  return opened;
}
const SHORT = { read: 60, change: 60, run: 60 };
const shown = { id: 1, fields: { ...BLANK() }, revision: undefined };
/** The editable fields of an action with only an ID and a name. */
function BLANK() {
  const { name, active, environment, triggers, frequency, timezone, pageId, functions } = newAction(1);
  return { name, active, environment, triggers, frequency, timezone, pageId, functions };
}
async function actionsOf(backend: ActionsBackend): Promise<Action[]> {
  const listed = await backend.list();
  return listed.ok ? listed.value.actions : [];
}
const names = (actions: readonly Action[]) => actions.map(({ name }) => name);

describe('a list of actions from a page', () => {
  it('needs only an ID and a name, because the specification leaves the rest open', async () => {
    const { backend } = await through(
      `get: async () => [action(7), action(8, { frequency: '0 7 * * *', pageId: 3 })],`,
    );
    const listed = await backend.list();
    const nothing = { createdAt: '', updatedAt: '' };
    expect(listed).toEqual({
      ok: true,
      value: {
        unreadable: [],
        actions: [
          { ...newAction(7, nothing), timezone: null },
          {
            ...newAction(8, nothing),
            timezone: null,
            frequency: '0 7 * * *',
            pageId: 3,
            triggers: [{ trigger: 'schedule' }],
          },
        ],
      },
    });
  });

  it('shows what can be read, and counts what can’t', async () => {
    const { backend } = await through(`get: async () => {
      const cyclic = action(2); cyclic.functions = [{ settings: cyclic }];
      const wrong = [null, 7, 'x', [], {}, action(3, { name: '' }), { id: 4 }, { name: 'no-id' }, action('5'), action(6, { functions: 'x' }),
        action(7, { triggers: [{ trigger: 'never' }] }), Object.defineProperty(action(8), 'active', { enumerable: true, get() { throw new Error('no') } }),
        action(9, { appId: 2 }), action(1, { name: 'same-id' }), action(10, { n: 1n }), Proxy.revocable({}, {}).proxy];
      const revoked = Proxy.revocable({}, {}); revoked.revoke();
      let deep = {}; for (let i = 0; i < 300; i++) deep = { deep };
      return [action(1), cyclic, ...wrong, revoked.proxy, action(11, { functions: [deep] }), action(12)];
    },`);
    const listed = await backend.list();
    if (!listed.ok) throw new Error(listed.error.message);
    expect(names(listed.value.actions)).toEqual(['action-1', 'action-12']);
    expect(listed.value.unreadable).toHaveLength(19);
  });

  it('has a log whose readable records are shown, and whose others are counted', async () => {
    const { backend } = await through(`getLogs: async () => ({ count: 9, logs: [
      { id: 3, type: 'app.task.failed', data: { duration: 1 } }, null, 'x', { id: 'no', type: 'a' }, { id: 2 }, { id: 1, type: 'app.action.completed' }] }),`);
    const logs = new Logs(() => backend);
    await logs.refresh();
    expect(logs.records.value.map(({ id }) => id)).toEqual([3, 1]);
    expect(logs.unreadable.value).toHaveLength(4);
    expect(logs.count.value).toBe(9);
    // Filters whose types have to be asked for one by one.
    expect(await listRuns(backend, { query: { where: {} }, maxLimit: 10 })).toMatchObject({
      response: { value: { unreadable: expect.objectContaining({ length: 12 }) } },
    });
  });

  it('is read from class instances, getters, and dates', async () => {
    const { backend } = await through(`get: async () => {
      class Model { id = 5; name = 'model'; createdAt = new Date(0); save() {} toJSON() { throw new Error('no') } }
      const model = new Model();
      Object.defineProperty(model, 'environment', { enumerable: true, get: () => 'server' });
      return [model];
    },`);
    expect(await backend.list()).toMatchObject({
      value: {
        unreadable: [],
        actions: [{ id: 5, name: 'model', createdAt: '1970-01-01T00:00:00.000Z', environment: 'server' }],
      },
    });
  });

  it.each([
    [
      'accessors of a class',
      `class Model { #fields = action(5, { active: false, functions: [{ function: 'one' }], self: this });
      get id() { return this.#fields.id } get name() { return this.#fields.name } get active() { return this.#fields.active }
      get functions() { return this.#fields.functions } get app() { return this } get later() { throw new Error('no') } }
      const item = new Model();`,
    ],
    [
      'properties that are inherited',
      `const item = Object.create(action(5, { active: false, functions: [{ function: 'one' }] }));`,
    ],
  ])('is read from %s, as a page would read it', async (_what, script) => {
    const { backend } = await through(`get: async () => { ${script} return [item] },`);
    expect(await backend.list()).toMatchObject({
      value: {
        unreadable: [],
        actions: [{ id: 5, name: 'action-5', active: false, functions: [{ function: 'one' }] }],
      },
    });
  });

  it('has a trigger without conditions, whose where is null', async () => {
    const { backend } = await through(
      `get: async () => [action(1, { triggers: [{ trigger: 'manual', where: null }] })],`,
    );
    expect(await backend.list()).toMatchObject({
      value: { unreadable: [], actions: [{ triggers: [{ trigger: 'manual' }] }] },
    });
  });

  it('of 50,000 actions is read in pieces', async () => {
    const { backend } = await through('get: async () => Array.from({ length: 50_000 }, (_, n) => action(n + 1)),');
    const listed = await backend.list();
    expect(listed.ok && listed.value.actions).toHaveLength(50_000);
    expect(listed.ok && names(listed.value.actions.slice(-1))).toEqual(['action-50000']);
  });

  it.each([
    ['a response of 10 MB', `get: async () => [action(1, { functions: ['x'.repeat(1e7)] })],`, 'PAGE_ANSWER_TOO_LARGE'],
    [
      '100,000 large actions',
      `get: async () => Array.from({ length: 1e5 }, (_, n) => action(n, { functions: [{ settings: { text: 'x'.repeat(200) } }] })),`,
      'PAGE_ANSWER_TOO_LARGE',
    ],
    ['a value that isn’t a list', 'get: async () => ({ length: 1e9 }),', 'PAGE_ANSWER_UNREADABLE'],
    ['nothing', 'get: async () => undefined,', 'PAGE_ANSWER_UNREADABLE'],
    [
      'a list that contains itself',
      'get: async () => { const all = {}; all.all = all; return all },',
      'PAGE_ANSWER_UNREADABLE',
    ],
    ['no promise, but an exception', 'get() { throw new Error("not today") },', 'PAGE_CALL_FAILED'],
    ['a rejection without a reason', 'get: () => Promise.reject(),', 'PAGE_CALL_FAILED'],
    [
      'a rejection that can’t be read',
      'get: () => Promise.reject({ get message() { throw 1 }, get code() { throw 2 } }),',
      'PAGE_CALL_FAILED',
    ],
  ])('fails with a code, a message, and a hint for %s', async (_what, members, code) => {
    const { backend } = await through(members);
    const error = {
      code,
      message: expect.stringMatching(/^Couldn’t load the actions[:.] .+/),
      hint: expect.any(String),
    };
    expect(await backend.list()).toMatchObject({ ok: false, error });
  });

  it('fails with PAGE_SILENT if the page never responds', async () => {
    const { backend } = await through('get: () => new Promise(() => {}),', SHORT);
    expect(await backend.list()).toMatchObject({ ok: false, error: { code: 'PAGE_SILENT' } });
  });

  it('shows the page’s message, but only its start', async () => {
    const { backend } = await through(
      `get: () => Promise.reject({ code: 'X'.repeat(1e6), message: '<b>no</b>' + 'x'.repeat(1e6) }),`,
    );
    const listed = await backend.list();
    if (listed.ok) throw new Error('It has no list.');
    expect(listed.error.message.length).toBeLessThan(1_100);
    expect(listed.error.said).toMatchObject({ code: expect.stringMatching(/^X{100}…$/) });
    expect(listed.error.message).toContain('The page reported: <b>no</b>');
  });
});

describe('a change through a page', () => {
  it.each([
    ['never settles', 'update: (...all) => { calls.push(all); return new Promise(() => {}) },'],
    [
      'returns something that can’t be read',
      'update: async (...all) => { calls.push(all); const saved = action(1); saved.self = saved; return saved },',
    ],
    ['empties the list', 'update: async (...all) => { calls.push(all); Platform.App.Actions.get = async () => [] },'],
  ])('has an unknown outcome and isn’t repeated if the function %s', async (_what, members) => {
    const { backend, page } = await through(members, { ...SHORT, read: 5_000 });
    const saved = await backend.update(shown, { active: false });
    const message = expect.stringMatching(/^Couldn’t confirm whether the action was saved: .+\.$/);
    expect(saved).toMatchObject({ ok: false, error: { code: 'OUTCOME_UNKNOWN', message, hint: expect.any(String) } });
    expect(JSON.stringify(page.run('calls'))).toBe('[[1,{"active":false}]]');
  });

  it('has an unknown outcome if the page is left before it responds', async () => {
    const first = await through('update: (...all) => { calls.push(all); return new Promise(() => {}) },');
    const next = await openPage({
      before:
        'ENV = { appId: 1 }; calls = []; Platform = { App: { Actions: { update: async (...all) => void calls.push(all) } } };',
      agent: false,
    });
    closing.push(() => next.close());
    let tab = first.page;
    const evaluate = async (expression: string): Promise<string> => {
      const response = await tab.evaluate(expression);
      if (expression.includes('App.Actions.update')) {
        await first.page.until(() => first.page.run('calls.length') === 1);
        tab = next;
      }
      return response;
    };
    const api = new PageApi(new AgentConnection({ evaluate }, agentSource));
    const saved = await new PageActions(api, APP, first.target).update(shown, { active: false });
    expect(saved).toMatchObject({
      ok: false,
      error: {
        code: 'OUTCOME_UNKNOWN',
        message: 'Couldn’t confirm whether the action was saved: the page was left before it responded.',
      },
    });
    expect(next.run('calls.length')).toBe(0);
  });

  it.each([
    ['contains itself', 'const self = {}; self.self = self; return self'],
    ['has 10 MB', 'return "x".repeat(1e7)'],
    ['isn’t data', 'return Symbol("done")'],
    ['can’t be read', 'return { get all() { throw new Error("no") } }'],
  ])('is confirmed by a Promise whose value the specification leaves open, even if it %s', async (_what, body) => {
    const { backend, page } = await through(
      `remove: async () => Platform.value(), publish: async () => Platform.value(), run: async () => Platform.value(),
       getLogs: async () => ({ count: 0, logs: [] }),`,
    );
    page.run(`Platform.value = () => { ${body} }`);
    expect(await backend.publish(shown, true)).toEqual({ ok: true, value: null });
    expect(await backend.run(newAction(1), {})).toMatchObject({ ok: true, value: { runId: null } });
    expect(await backend.remove(shown)).toEqual({ ok: true, value: null });
  });

  it('shows the action that the list has if the response has only some of its fields', async () => {
    const { backend } = await through(
      `get: async () => [action(1, { active: false, functions: [{ functionPackage: 'one' }] })],
       update: async (id) => ({ id, name: 'action-1' }),
       create: async ({ name }) => ({ id: 1, name }),`,
    );
    const fields = { ...BLANK(), active: false, functions: [{ functionPackage: 'one' }] };
    const whole = { ok: true, value: { active: false, functions: [{ functionPackage: 'one' }] } };
    expect(await backend.update({ ...shown, fields }, { active: false })).toMatchObject(whole);
    expect(await backend.create({ name: 'action-1' })).toMatchObject(whole);
  });

  it('fails if the platform ignores that a field is cleared', async () => {
    const { backend } = await through(
      `get: async () => [action(1, { frequency: '0 7 * * *', pageId: 3 })],
       update: async () => action(1, { frequency: '0 7 * * *', pageId: 3, functions: [] }),`,
    );
    const [listed] = await actionsOf(backend);
    const scheduled = { ...shown, fields: editableFields(listed!) };
    expect(await backend.update(scheduled, { frequency: null, pageId: null })).toMatchObject({
      ok: false,
      error: { code: 'CHANGE_IGNORED', message: expect.stringContaining('frequency and pageId') },
    });
  });

  it.each([
    ['a status', '{ status: 401, statusText: "Unauthorized" }', '401 Unauthorized'],
    ['a status without text', '{ status: 401, statusText: "" }', '401'],
    ['a response', '{ status: 401, responseJSON: { message: "Your session expired." } }', 'Your session expired.'],
    ['an error with a text', '{ error: "Your session expired." }', 'Your session expired.'],
    ['a number', '401', '401'],
  ])('that rejects with %s says so', async (_what, reason, message) => {
    const { backend } = await through(`update: () => Promise.reject(${reason}),`);
    expect(await backend.update(shown, { active: false })).toMatchObject({
      ok: false,
      error: { said: { message }, message: expect.stringContaining(message) },
    });
  });

  it.each([
    ['a lost connection', 'new TypeError("Failed to fetch")', 'OUTCOME_UNKNOWN'],
    ['a request without a response', '{ status: 0, statusText: "error" }', 'OUTCOME_UNKNOWN'],
    ['a gateway’s response', '{ status: 504, message: "Timeout" }', 'OUTCOME_UNKNOWN'],
    ['a refusal', '{ status: 422, message: "Invalid" }', 'PAGE_CALL_FAILED'],
    ['a code, but no status', '{ code: "ERR_NETWORK", message: "No" }', 'OUTCOME_UNKNOWN'],
  ])('that rejects with %s has an unknown outcome unless nothing can have changed', async (_what, reason, code) => {
    const { backend } = await through(`create: () => Promise.reject(${reason}),`);
    expect(await backend.create({ name: 'new' })).toMatchObject({ error: { code } });
  });

  it('isn’t made in another document, or in one that now belongs to another app', async () => {
    const { backend, page, api, target } = await through('remove: async (...all) => void calls.push(all),');
    const another = { ...target, documentId: 'another' };
    expect(await new PageActions(api, APP, another).remove(shown)).toMatchObject({ error: { code: 'PAGE_LEFT' } });
    page.port().call('api', 'call', ['id', 'App.Actions.remove', '[1]', another]);
    await page.window.happyDOM.waitUntilComplete();
    page.run('ENV = { appId: 2 }');
    expect(await backend.remove(shown)).toMatchObject({ ok: false, error: { code: 'PAGE_LEFT' } });
    expect(page.run('calls.length')).toBe(0);
  });

  it('says that nothing was changed if the page has lost the function since then', async () => {
    const { backend } = await through('remove: null,');
    expect(await backend.remove(shown)).toMatchObject({
      ok: false,
      error: { code: 'API_MISSING', message: expect.stringContaining('Nothing was changed.') },
    });
  });

  it('is made once per ID, and never after a report that the agent hadn’t received it', async () => {
    const { page, target } = await through('remove: async (...all) => void calls.push(all),');
    const call = (id: string) => page.port().call('api', 'call', [id, 'App.Actions.remove', '[1]', target]);
    call('once');
    call('once');
    expect(JSON.parse(page.port().call('api', 'outcome', ['late', target.documentId]))).toMatchObject({
      state: 'not-called',
    });
    expect(JSON.parse(call('late'))).toMatchObject({ state: 'not-called', why: 'never-received' });
    call('other');
    await page.until(() => (page.run('calls.length') as number) > 1);
    expect(page.run('calls.length')).toBe(2);
  });

  it('calls nothing that isn’t on the list of the specified functions', async () => {
    const { page, target } = await through('destroy: () => calls.push(1),');
    for (const path of ['App.Actions.destroy', 'App.Actions.get.constructor', 'constructor', '', '__proto__'])
      expect(JSON.parse(page.port().call('api', 'call', [path, path, '["calls.push(1)"]', target]))).toMatchObject({
        state: 'not-called',
        why: 'missing',
      });
    expect(page.run('calls.length')).toBe(0);
  });

  it.each([
    ['Symbol("x")', 'PAGE_ANSWER_UNREADABLE', 'the page’s response isn’t plain data'],
    ['"x".repeat(1e7)', 'PAGE_ANSWER_TOO_LARGE', 'the page’s response has more than 8 MB or 200 levels'],
  ])('that ran with a result of %s says that the run completed', async (result, code, cause) => {
    const { backend } = await through(`runWithResult: async () => ${result},`);
    const message = `Couldn’t show the result: ${cause}. The run completed.`;
    const hint = 'Check the logs before you run the action again.';
    expect(await backend.runWithResult(newAction(1), {})).toEqual({ ok: false, error: { code, message, hint } });
  });

  it('reports a failed run with its trace, as the specification’s log records have it', async () => {
    const failure = { errorType: 'TypeError', errorMessage: 'x is undefined', trace: ['step /0'] };
    const { backend } = await through(
      `runWithResult: () => Promise.reject(Object.assign(new Error('failed'), ${JSON.stringify(failure)})),`,
    );
    expect(await backend.runWithResult(newAction(1), {})).toMatchObject({ ok: false, error: { failure } });
  });
});

describe('calls of a page', () => {
  /** A connection that fails as given before it reaches the page. */
  function failing(error: { code: string }, times: number, page: Awaited<ReturnType<typeof through>>) {
    let count = 0;
    const connection = {
      useNamespace() {},
      call: async (part: 'api', method: 'call', args: readonly unknown[], parse: (value: unknown) => unknown) =>
        ++count <= times
          ? { ok: false, error: { message: 'No.', ...error } }
          : { ok: true, value: parse(JSON.parse(page.page.port().call(part, method, args))) },
    };
    return new PageApi(connection as never);
  }
  const REMOVE = { path: 'App.Actions.remove', args: [1], limit: 2_000, task: 'remove it' } as const;
  const change = { whether: 'it was removed', check: 'Check it.' };

  it('that a busy page never received changed nothing', async () => {
    const opened = await through('remove: async (...all) => void calls.push(all),');
    const target: ApiTarget = opened.target;
    const outcome = await failing({ code: 'PAGE_BUSY' }, 2, opened).call(target, { ...REMOVE, change });
    expect(outcome).toMatchObject({
      ok: false,
      error: { code: 'PAGE_BUSY', message: expect.stringContaining('Nothing was changed.') },
    });
    expect(opened.page.run('calls.length')).toBe(0);
  });

  it('of a page that doesn’t respond again have an unknown outcome if they change something', async () => {
    const opened = await through('');
    for (const [code, times] of [
      ['PAGE_BUSY', 1e9],
      ['PAGE_NONSENSE', 1],
    ] as const) {
      const call = { ...REMOVE, limit: 50 };
      const api = failing({ code }, times, opened);
      expect(await api.call(opened.target, { ...call, change })).toMatchObject({ error: { code: 'OUTCOME_UNKNOWN' } });
      expect(await failing({ code }, times, opened).call(opened.target, call)).toMatchObject({ error: { code } });
    }
  });

  it.each([
    ['less text than it has announced', { state: 'fulfilled', text: '[', length: 100 }],
    ['text that isn’t JSON', { state: 'fulfilled', text: '[', length: 1 }],
    ['an unknown state', { state: 'well' }],
  ])('fail if a forged agent reports %s', async (_what, forged) => {
    const connection = {
      useNamespace() {},
      call: async (_part: 'api', _method: 'call', _args: unknown, parse: (value: unknown) => unknown) => {
        const value = parse(forged);
        return value === null ? { ok: false, error: { code: 'PAGE_NONSENSE', message: 'No.' } } : { ok: true, value };
      },
    };
    const read = await new PageApi(connection as never).call(
      { documentId: 'd', appId: 1, namespace: 'Platform' },
      { path: 'App.Actions.get', args: [], limit: 50, task: 'load it' },
    );
    expect(read).toMatchObject({ ok: false, error: { code: expect.stringMatching(/^PAGE_/) } });
  });

  it('read no more text than an agent can hold, even if a forged one has it', async () => {
    const methods: string[] = [];
    const connection = {
      useNamespace() {},
      call: async (_part: 'api', method: string, [, , length]: number[], parse: (value: unknown) => unknown) => {
        methods.push(method);
        const forged = method === 'text' ? 'x'.repeat(length!) : { state: 'fulfilled', text: '[', length: 9e15 };
        return { ok: true, value: parse(forged) };
      },
    };
    const read = await new PageApi(connection as never).call(
      { documentId: 'd', appId: 1, namespace: 'Platform' },
      { path: 'App.Actions.get', args: [], limit: 50, task: 'load it' },
    );
    expect(read).toMatchObject({ ok: false, error: { code: 'PAGE_ANSWER_TOO_LARGE' } });
    expect(methods).toEqual(['call']);
  });
});
