/** An app in memory, and the ways to its actions: REST, our runtime in a page, and a runtime that isn’t ours. */
import { AgentConnection, PageApi } from '../../../../../../lib/extension/inspector/index.ts';
import type { PageState } from '../../../../../../lib/extension/inspector/contract.ts';
import { PageActions, type TIME_LIMITS } from '../../../../../../lib/extension/panel/actions/backend/page.ts';
import { RestActions } from '../../../../../../lib/extension/panel/actions/backend/rest.ts';
import type { ActionsBackend } from '../../../../../../lib/extension/panel/actions/backend/types.ts';
import type { Action } from '../../../../../../lib/platform-api/action.ts';
import type { LogRecord } from '../../../../../../lib/platform-api/log.ts';
import { fakeSend } from '../../../../../support/fake-send.ts';
import { agentSource, bundle, openPage, type Page } from '../../../inspector/support/page.ts';

export const APP = { environmentId: 'e', appId: 1 };

export const newAction = (id: number, over: Partial<Action> = {}): Action => ({
  id,
  name: `action-${id}`,
  active: true,
  environment: 'any',
  triggers: [{ trigger: 'manual' }],
  frequency: null,
  timezone: 'UTC',
  functions: [],
  pageId: null,
  lastRunAt: null,
  nextRunAt: null,
  createdAt: '2026-11-20T10:00:00.000Z',
  updatedAt: '2026-11-20T10:00:00.000Z',
  appId: 1,
  ...over,
});

const refusal = (code: string, message: string) => ({ code, message });

/** What the platform does. Every change is in `changes`. Throws `{ code, message }`. */
export class FakeApp {
  actions: Action[] = [newAction(1, { revision: 1 }), newAction(2, { revision: 1 })];
  logs: LogRecord[] = [];
  readonly changes: [name: string, ...args: unknown[]][] = [];

  change(name: string, ...args: unknown[]): void {
    this.changes.push([name, ...args]);
  }

  find(reference: number | string): Action {
    const found = this.actions.find(({ id, name }) => id === reference || name === reference);
    if (!found) throw refusal('NOT_FOUND', 'The app has no such action.');
    return found;
  }

  create(properties: Partial<Action>): Action {
    if (this.actions.some(({ name }) => name === properties.name))
      throw refusal('NAME_TAKEN', 'Another action has this name.');
    this.change('create', properties);
    const action = newAction(this.actions.length + 1, { revision: 1, ...properties });
    this.actions.push(action);
    return action;
  }

  update(reference: number | string, { revision, ...properties }: Partial<Action>): Action {
    const action = this.find(reference);
    if (revision !== undefined && revision !== action.revision) throw refusal('CONFLICT', 'It has changed.');
    this.change('update', action.id, properties);
    return this.edit(action.id, properties);
  }

  /** As another user does it. */
  edit(id: number, properties: Partial<Action>): Action {
    const action = this.find(id);
    const edited = { ...action, ...properties, revision: (action.revision ?? 0) + 1 };
    this.actions = this.actions.map((one) => (one === action ? edited : one));
    return edited;
  }

  remove(reference: number | string): void {
    const { id } = this.find(reference);
    this.change('remove', id);
    this.actions = this.actions.filter((one) => one.id !== id);
  }

  publish(id: number, publish: boolean, revision?: number): Action {
    const action = this.find(id);
    if (revision !== undefined && revision !== action.revision) throw refusal('CONFLICT', 'It has changed.');
    this.change('publish', id, publish);
    return action;
  }

  /** Adds the run’s record at once. */
  run(reference: number | string, payload: unknown, runId?: string): Record<string, unknown> {
    const { id, name } = this.find(reference);
    this.change('run', name, payload);
    this.log({ actionId: id, mode: 'on-demand', ...(runId !== undefined && { runId }) });
    return { ran: name, payload };
  }

  log(data: Record<string, unknown>, type = 'app.action.completed'): void {
    const id = this.logs.length + 1;
    this.logs.unshift({ ...LOG, id, type, data, createdAt: new Date(id * 1000).toISOString() });
  }

  /** As specified: the newest records that match. `before` and `runId` are ours. */
  listLogs({ id, limit = 50, where = {}, type, before }: Query): { count: number; logs: LogRecord[] } {
    const data = (where['data'] ?? {}) as Record<string, unknown>;
    const matches = this.logs.filter(
      (log) =>
        (id == null || log.data['actionId'] === id) &&
        [type, where['type']].every((wanted) => wanted === undefined || wanted === log.type) &&
        (before == null || log.id < before) &&
        Object.entries(data).every(([key, value]) => log.data[key] === value),
    );
    return { count: matches.length, logs: matches.slice(0, limit) };
  }
}
interface Query {
  id?: number | null;
  limit?: number;
  where?: Record<string, unknown>;
  type?: string;
  before?: number | null;
}

const LOG = {
  appId: 1,
  organizationId: null,
  dataSourceId: null,
  dataSourceEntryId: null,
  appNotificationId: null,
  sessionId: null,
};

export function overRest(app: FakeApp): ActionsBackend {
  type Takes = { actionId: number; action: object; change: object; publish: boolean; revision?: number };
  const handlers: Record<string, (takes: Takes & { payload: object; query: Query }) => unknown> = {
    'actions.list': () => app.actions,
    'actions.create': ({ action }) => app.create(action),
    'actions.update': ({ actionId, change }) => app.update(actionId, change),
    'actions.remove': ({ actionId }) => (app.remove(actionId), null),
    'actions.publish': ({ actionId, publish, revision }) => app.publish(actionId, publish, revision),
    'actions.run': ({ actionId, payload }) => (app.run(actionId, payload, 'run-1'), { runId: 'run-1' }),
    'actions.runWithResult': ({ actionId, payload }) => ({ result: app.run(actionId, payload), milliseconds: 5 }),
    'logs.list': ({ query }) => app.listLogs(query),
    'functions.list': () => FUNCTIONS,
  };
  const send = fakeSend((name, takes) => {
    try {
      return { ok: true, value: structuredClone(handlers[name]!(takes)) };
    } catch (error) {
      const said = error as { code: string; message: string };
      return { ok: false, error: { ...said, said } };
    }
  });
  return new RestActions(send, APP);
}

const FUNCTIONS = [{ id: 1, name: 'Wait', package: 'com.example.function.wait', description: 'Waits.' }];

/** The runtime of our local platform, with `request` answered by the app. */
const OUR_RUNTIME = `
  import { createActions } from './lib/actions/actions.ts';
  const page = globalThis as any;
  page.ENV = { appId: 1, taskId: null, organizationId: 1, mode: 'preview' };
  const { actions, taskFunctions } = createActions(
    async (path, options = {}) => {
      const [ok, text] = page.platform(path, JSON.stringify(options));
      if (ok) return JSON.parse(text);
      throw Object.assign(new Error(JSON.parse(text).message), JSON.parse(text));
    },
    { run: async () => undefined },
  );
  page.Platform = { App: { Actions: actions, Tasks: { Functions: taskFunctions } } };`;

/** Answers the requests of our runtime, as text, so that nothing is shared between page and test. */
function answer(app: FakeApp, path: string, options: string): [boolean, string] {
  const { method = 'GET', body = {} } = JSON.parse(options) as { method?: string; body?: Record<string, unknown> };
  const { pathname, searchParams } = new URL(path, 'http://platform/');
  const [, , , part, reference = '', operation] = pathname.split('/');
  const named = searchParams.get('by') === 'name' ? reference : Number(reference);
  const respond = (): unknown => {
    if (pathname === '/functions') return { functions: FUNCTIONS };
    if (part === 'logs')
      return app.listLogs(Object.fromEntries([...searchParams].map(([key, text]) => [key, parsed(text)])));
    if (operation === 'publish') return { action: app.publish(Number(reference), body['publish'] as boolean) };
    if (operation === 'run') return (app.run(named, body['payload']), {});
    if (operation === 'run-with-result') return { result: app.run(named, body['payload']) };
    if (method === 'PUT') return { action: app.update(named, body) };
    if (method === 'DELETE') return (app.remove(named), null);
    return method === 'POST' ? { action: app.create(body) } : { actions: app.actions };
  };
  try {
    return [true, JSON.stringify(respond() ?? null)];
  } catch (error) {
    return [false, JSON.stringify(error)];
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

/** Only what the specification shows: class instances, dates, thenables, and no revisions. */
const FOREIGN_RUNTIME = `
  ENV = { appId: 1 };
  class Model { constructor(fields) { const { revision, published, ...rest } = fields; Object.assign(this, rest); this.updatedAt = new Date(rest.updatedAt); } save() {} }
  const ask = async (name, ...args) => {
    const [ok, text] = platform(name, JSON.stringify(args));
    if (!ok) throw JSON.parse(text);
    return text === undefined ? undefined : JSON.parse(text);
  };
  Platform = { App: {
    Actions: Object.freeze({
      get: async () => (await ask('actions')).map((fields) => new Model(fields)),
      create: (action) => ask('create', action),
      update: (reference, change) => ask('update', reference, change),
      remove: (reference) => ask('remove', reference),
      publish: (id, isPublish) => ask('publish', id, isPublish),
      run: (name, payload) => ask('run', name, payload),
      runWithResult: (name, payload) => ({ then: (go, fail) => void ask('runWithResult', name, payload).then(go, fail) }),
      getLogs: (options = {}) => ask('getLogs', options),
    }),
    Tasks: { Functions: { get: async () => ${JSON.stringify(FUNCTIONS)} } },
  } };`;

function answerForeign(app: FakeApp, name: string, text: string): [boolean, string | undefined] {
  const args = JSON.parse(text) as never[];
  const operations: Record<string, (...args: never[]) => unknown> = {
    actions: () => app.actions,
    create: (action) => app.create(action),
    update: (reference, change) => app.update(reference, change),
    // What the specification doesn’t show, this runtime doesn’t return.
    remove: (reference) => app.remove(reference),
    publish: (id, publish) => void app.publish(id, publish),
    run: (reference, payload) => void app.run(reference, payload),
    runWithResult: (reference, payload) => app.run(reference, payload),
    getLogs: ({ id, limit, where }: Query) => {
      const { count, logs } = app.listLogs({ id: id ?? null, ...(limit && { limit }), ...(where && { where }) });
      return { count, logs: logs.map(({ id, createdAt, type, data }) => ({ id, createdAt, type, data })) };
    },
  };
  try {
    return [true, JSON.stringify(operations[name]!(...args))];
  } catch (error) {
    return [false, JSON.stringify(error)];
  }
}

export interface PageOptions {
  timeLimits?: typeof TIME_LIMITS;
}

/** The backend of a page with this script, and the page. */
export async function throughPage(
  before: string,
  { timeLimits = { read: 300, change: 300, run: 300 } }: PageOptions = {},
): Promise<{
  backend: ActionsBackend;
  page: Page;
  api: PageApi;
  target: { documentId: string; appId: number; namespace: string };
}> {
  const page = await openPage({ before, agent: false });
  const connection = new AgentConnection({ evaluate: (expression) => page.evaluate(expression) }, agentSource);
  const state = await connection.call('run', 'state', ['Platform'], (value) => value as PageState);
  if (!state.ok) throw new Error(state.error.message);
  const api = new PageApi(connection);
  const target = { documentId: state.value.documentId, appId: 1, namespace: 'Platform' };
  return { backend: new PageActions(api, APP, target, timeLimits), page, api, target };
}

const LONG = { read: 10_000, change: 10_000, run: 10_000 };

export async function throughOurRuntime(app: FakeApp): Promise<{ backend: ActionsBackend; page: Page }> {
  const runtime = await bundle({ text: OUR_RUNTIME });
  const opened = await throughPage(runtime, { timeLimits: LONG });
  Object.assign(opened.page.window, { platform: (path: string, options: string) => answer(app, path, options) });
  return opened;
}

export async function throughForeignRuntime(app: FakeApp): Promise<{ backend: ActionsBackend; page: Page }> {
  const opened = await throughPage(FOREIGN_RUNTIME, { timeLimits: LONG });
  Object.assign(opened.page.window, { platform: (name: string, args: string) => answerForeign(app, name, args) });
  return opened;
}
