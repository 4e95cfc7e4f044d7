/** Tests both ways to an app’s actions with one suite: over REST, and through the page, with our runtime and another one. */
import { afterEach, describe, expect, it } from 'vitest';
import { editableFields } from '../../../../../lib/extension/panel/actions/edit/draft-action.ts';
import type { ActionsBackend, ShownAction } from '../../../../../lib/extension/panel/actions/backend/types.ts';
import type { Action } from '../../../../../lib/platform-api/action.ts';
import type { Result } from '../../../../../lib/platform-api/errors.ts';
import { Logs } from '../../../../../lib/extension/panel/actions/logs.ts';
import { FakeApp, newAction, overRest, throughForeignRuntime, throughOurRuntime } from './support/fake-app.ts';

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

type Open = (app: FakeApp) => Promise<ActionsBackend>;
const through =
  (open: (app: FakeApp) => Promise<{ backend: ActionsBackend; page: { close(): Promise<void> } }>): Open =>
  async (app) => {
    const { backend, page } = await open(app);
    closing.push(() => page.close());
    return backend;
  };
const WAYS: [string, Open][] = [
  ['over REST', async (app) => overRest(app)],
  ['through our runtime in a page', through(throughOurRuntime)],
  ['through another runtime in a page', through(throughForeignRuntime)],
];

const shown = (action: Action): ShownAction => ({
  id: action.id,
  fields: editableFields(action),
  revision: action.revision,
});
const valueOf = <T>(result: Result<T>): T => {
  if (!result.ok) throw new Error(`${result.error.code}: ${result.error.message}`);
  return result.value;
};
const listed = async (backend: ActionsBackend): Promise<Action[]> => valueOf(await backend.list()).actions;

describe.each(WAYS)('the actions of an app, %s,', (_way, open) => {
  it('are listed, and one is found by its ID', async () => {
    const app = new FakeApp();
    const backend = await open(app);
    const actions = await listed(backend);
    expect(actions.map(({ id, name }) => [id, name])).toEqual([
      [1, 'action-1'],
      [2, 'action-2'],
    ]);
    expect(valueOf(await backend.find(2, actions))).toMatchObject({ id: 2, updatedAt: '2026-11-20T10:00:00.000Z' });
    expect(valueOf(await backend.find(9, actions))).toBeNull();
  });

  it('are created and changed once, with the given properties only', async () => {
    const app = new FakeApp();
    const backend = await open(app);
    const action = { name: 'report', environment: 'server', functions: [{ functionPackage: 'p' }] } as const;
    const created = valueOf(await backend.create({ ...action, functions: [...action.functions] }));
    expect(created).toMatchObject({ id: 3, name: 'report' });
    const saved = valueOf(await backend.update(shown(created), { functions: [] }));
    expect(saved).toMatchObject({ id: 3, functions: [], environment: 'server' });
    expect(app.changes).toEqual([
      ['create', action],
      ['update', 3, { functions: [] }],
    ]);
  });

  it('aren’t changed or published if they have changed since they were shown', async () => {
    const app = new FakeApp();
    const backend = await open(app);
    const [action] = await listed(backend);
    app.edit(1, { active: false });
    for (const attempt of [backend.update(shown(action!), { functions: [] }), backend.publish(shown(action!), true)])
      expect(await attempt).toMatchObject({ ok: false, error: { code: 'CONFLICT' } });
    expect(app.changes).toEqual([]);
    const fresh = valueOf(await backend.find(1, null))!;
    expect(await backend.update(shown(fresh), { functions: [] })).toMatchObject({ ok: true });
  });

  it('are published, unpublished, and removed', async () => {
    const app = new FakeApp();
    const backend = await open(app);
    const [action] = await listed(backend);
    for (const publish of [true, false]) valueOf(await backend.publish(shown(action!), publish));
    valueOf(await backend.remove(shown(action!)));
    expect(app.changes).toEqual([
      ['publish', 1, true],
      ['publish', 1, false],
      ['remove', 1],
    ]);
    expect(await listed(backend)).toHaveLength(1);
  });

  it('run with a payload, and return the result', async () => {
    const app = new FakeApp();
    const backend = await open(app);
    const payload = { who: 'ada', deep: [{ x: null }] };
    const { result } = valueOf(await backend.runWithResult((await listed(backend))[1]!, payload));
    expect(result).toEqual({ ran: 'action-2', payload });
    expect(app.changes).toEqual([['run', 'action-2', payload]]);
  });

  it('run in the queue, and the run’s record is found among others', async () => {
    const app = new FakeApp();
    app.log({ actionId: 1, mode: 'on-demand' });
    const backend = await open(app);
    const queued = valueOf(await backend.run((await listed(backend))[0]!, {}));
    app.log({ actionId: 2, mode: 'on-demand' });
    app.log({ actionId: 1, mode: 'scheduled' });
    app.log({ actionId: 1, mode: 'on-demand' });
    expect(valueOf(await queued.record(backend))).toMatchObject({ id: 2, data: { actionId: 1 } });
  });

  it('have a log that is filtered, and read further back', async () => {
    const app = new FakeApp();
    for (let n = 0; n < 30; n++) app.log({ actionId: 1 + (n % 2) }, n % 3 ? 'app.task.failed' : 'app.action.completed');
    const backend = await open(app);
    const first = valueOf(await backend.logs({ id: 1, limit: 5 }));
    expect(first.logs.map(({ id }) => id)).toEqual([29, 27, 25, 23, 21]);
    const second = valueOf(await backend.logs({ id: 1, limit: 5, before: 21 }, 5));
    expect(second.logs.map(({ id }) => id)).toEqual([19, 17, 15, 13, 11]);
    const failed = valueOf(await backend.logs({ type: 'app.task.failed', limit: 100 }));
    expect(failed).toMatchObject({ count: 20 });
    expect(new Set(failed.logs.map(({ type, appId }) => `${type} ${appId}`))).toEqual(new Set(['app.task.failed 1']));
  });

  it('report the platform’s own code and message when it refuses a change', async () => {
    const backend = await open(new FakeApp());
    const refused = await backend.create({ name: 'action-1' });
    const said = { code: 'NAME_TAKEN', message: 'Another action has this name.' };
    expect(refused).toMatchObject({ ok: false, error: { said } });
  });

  it('come with the function packages of their steps', async () => {
    const backend = await open(new FakeApp());
    expect(valueOf(await backend.functions())).toMatchObject([{ package: 'com.example.function.wait' }]);
  });
});

describe.each(WAYS.slice(1))('an action %s', (_way, open) => {
  it('has nothing that the specification doesn’t show, even if the page reports it', async () => {
    const app = new FakeApp();
    app.actions = [newAction(1, { revision: 4, published: null, unpublishedChanges: [] })];
    const [action] = await listed(await open(app));
    expect(Object.keys(action!).toSorted()).toEqual(Object.keys(newAction(1)).toSorted());
  });

  it('isn’t removed if it has changed since it was shown', async () => {
    const app = new FakeApp();
    const backend = await open(app);
    const [action] = await listed(backend);
    app.edit(1, { functions: [{ functionPackage: 'important' }] });
    expect(await backend.remove(shown(action!))).toMatchObject({ ok: false, error: { code: 'CONFLICT' } });
    expect(app.changes).toEqual([]);
  });

  it('runs under its current name, not under the one that was shown', async () => {
    const app = new FakeApp();
    const backend = await open(app);
    const [action] = await listed(backend);
    app.edit(1, { name: 'renamed' });
    app.edit(2, { name: 'action-1' });
    valueOf(await backend.runWithResult(action!, {}));
    expect(app.changes).toEqual([['run', 'renamed', {}]]);
  });

  it('has the first record on demand since its run, not one of its schedule', async () => {
    const app = new FakeApp();
    const backend = await open(app);
    const [action] = await listed(backend);
    app.log({ actionId: 1, mode: 'on-demand' });
    const run = app.run.bind(app);
    app.run = (...args) => (app.log({ actionId: 1, mode: 'scheduled' }), run(...args));
    const queued = valueOf(await backend.run(action!, {}));
    expect(valueOf(await queued.record(backend))).toMatchObject({ id: 3, data: { mode: 'on-demand' } });
  });

  it('can’t run or change once it’s removed', async () => {
    const app = new FakeApp();
    const backend = await open(app);
    const [action] = await listed(backend);
    app.actions = [];
    for (const attempt of [
      backend.run(action!, {}),
      backend.update(shown(action!), {}),
      backend.remove(shown(action!)),
    ])
      expect(await attempt).toMatchObject({ ok: false, error: { code: 'NOT_FOUND' } });
  });

  it('is reported as saved in part if the platform ignores what the specification doesn’t let an update change', async () => {
    const app = new FakeApp();
    const backend = await open(app);
    const [action] = await listed(backend);
    app.update = (_reference, properties) => app.edit(1, { active: properties.active ?? true });
    expect(await backend.update(shown(action!), { name: 'other', active: false })).toMatchObject({
      ok: false,
      error: {
        code: 'CHANGE_IGNORED',
        message: 'The platform saved the action, but reports another name than was sent.',
      },
    });
  });
});

it('the log of an app through a page ends where the page’s functions end, and says so', async () => {
  const app = new FakeApp();
  for (let n = 0; n < 1_050; n++) app.log({ actionId: 1 });
  const backend = await through(throughForeignRuntime)(app);
  const logs = new Logs(() => backend);
  await logs.refresh();
  while (logs.loadedCount.value < 1_000) {
    expect(logs.endReason.value).toBeNull();
    await logs.loadOlder();
  }
  await logs.loadOlder();
  expect(logs.records.value.map(({ id }) => id)).toEqual(Array.from({ length: 1_000 }, (_, n) => 1_050 - n));
  expect(logs.endReason.value).toBe('The page lists at most the newest 1,000 log records.');
});
