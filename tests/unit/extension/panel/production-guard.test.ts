/** Which operations ask on a production environment, and for how long it can be unlocked. */
import { signal } from '@preact/signals';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Action } from '../../../../lib/platform-api/action.ts';
import { guardHandlers, ProductionUnlocks } from '../../../../lib/extension/background/handlers/production-unlocks.ts';
import type { Environment } from '../../../../lib/extension/messaging/model/environment.ts';
import type { MessageName } from '../../../../lib/extension/messaging/protocol.ts';
import { ActionWork } from '../../../../lib/extension/panel/actions/action-work.ts';
import { RestActions } from '../../../../lib/extension/panel/actions/backend/rest.ts';
import { ActionEditor } from '../../../../lib/extension/panel/actions/edit/editor.ts';
import { TriggerLab } from '../../../../lib/extension/panel/actions/lab/lab.ts';
import { PlatformClock } from '../../../../lib/extension/panel/actions/platform-clock.ts';
import { publishQuestion, removeQuestion } from '../../../../lib/extension/panel/shared/guard-questions.ts';
import { minutesLeft, ProductionGuard } from '../../../../lib/extension/panel/shared/production-guard.ts';
import { namesInTab, templateSubject } from '../../../../lib/extension/panel/shell/in-tab.ts';
import { actionToOpen } from '../../../../lib/extension/panel/shell/action-to-open.ts';
import { pageRunOf } from '../../../../lib/extension/panel/shell/page/page-run.ts';
import { RunStarter } from '../../../../lib/extension/panel/shell/run-starter.ts';
import { fakeLocalArea } from '../../../support/fake-local-area.ts';
import { fakeSend } from '../../../support/fake-send.ts';

const MINUTE = 60_000;
const START = Date.parse('2026-11-23T10:00:00.000Z');
const OF = { environmentId: 'e', appId: 1 };
const ACTION: Action = {
  id: 7,
  appId: 1,
  name: 'notify-admins',
  active: true,
  environment: 'any',
  triggers: [{ trigger: 'manual' }, { trigger: 'log' }],
  frequency: null,
  timezone: 'UTC',
  pageId: null,
  functions: [
    { functionPackage: 'com.platform.function.send-email' },
    { type: 'loop', items: '{{all}}', functions: [{ functionPackage: 'com.platform.function.http-request' }] },
  ] as Action['functions'],
  revision: 3,
  published: null,
  lastRunAt: null,
  nextRunAt: null,
  createdAt: '2026-11-01T00:00:00.000Z',
  updatedAt: '2026-11-01T00:00:00.000Z',
};

beforeEach(() => void vi.useFakeTimers({ now: START }));
afterEach(() => void vi.useRealTimers());

/** A panel's guard. `others` are further panels of the same browser. */
function world({ production = true } = {}) {
  const environment = signal({ id: 'e', name: 'Acme EU', production, baseUrl: 'https://eu.example' } as Environment);
  const stored: Record<string, unknown> = {};
  // Each message is handled by another worker, which knows only what the browser's session has.
  const worker = () =>
    guardHandlers({ list: async () => [environment.value] } as never, new ProductionUnlocks(fakeLocalArea(stored)));
  const sent: string[] = [];
  const send = fakeSend(async (name: MessageName, takes) => {
    if (name === 'guard.list' || name === 'guard.unlock' || name === 'guard.lock')
      return { ok: true, value: await worker()[name](takes) };
    if (name === 'clock.get') return { ok: true, value: { virtual: true, now: new Date(START).toISOString() } };
    sent.push(name);
    return { ok: false, error: { code: 'NO', message: 'No.' } };
  });
  const panel = () => new ProductionGuard({ send, environments: () => [environment.value] });
  return { environment, stored, sent, send, guard: panel(), panel };
}
type World = ReturnType<typeof world>;

const settled = () => vi.advanceTimersByTimeAsync(0);
const backendOf = ({ send }: World) => new RestActions(send, OF);
const work = (bed: World) =>
  new ActionWork(
    () => backendOf(bed),
    bed.guard,
    async () => {},
  );
const editor = (bed: World, action: Action | null) => {
  const store = { payloads: async () => [], savePayload: async () => {}, removePayload: async () => {} };
  const open = new ActionEditor({
    backend: () => backendOf(bed),
    guard: bed.guard,
    store: store as never,
    action,
    onSaved: () => {},
  });
  open.set('/name', action ? 'other' : 'weekly');
  return open;
};
const lab = (bed: World, kind: 'log' | 'analytics') => {
  const open = new TriggerLab({
    backend: () => backendOf(bed),
    guard: bed.guard,
    track: async () => (bed.sent.push('event'), { ok: true, value: { actions: [], unread: 0 } }),
    organizationId: 1,
    actions: signal([ACTION]),
    mode: signal('live'),
  });
  open.show(kind);
  return open;
};
const DEBUG_PAGE = 'https://eu.example/v1/apps/1/tasks/7/compile?html';
const runInTab = (bed: World, isSavedHere = false, url = DEBUG_PAGE) => {
  const catalog = {
    cannotOpen: signal(null),
    environments: signal({ state: 'ready', value: [bed.environment.value] }),
    environment: bed.environment,
    actions: signal({ value: [ACTION] }),
  };
  const state = signal({ url, env: { appId: 1, taskId: 7 }, documentId: 'd', ready: true });
  const nodes = signal([{ depth: 0, source: ACTION.functions[0] }]);
  const none = signal(null);
  const page = {
    lost: none,
    pause: none,
    hint: none,
    noPipeline: none,
    state,
    nodes,
    inspect: () => Promise.resolve(),
  };
  return new RunStarter({
    catalog,
    page,
    guard: bed.guard,
    pageRun: () => pageRunOf({ catalog: catalog as never, page: page as never, toOpen: null }),
    payloads: { text: signal('{}'), check: signal({ problem: null }) },
    runs: {
      live: none,
      starting: signal(false),
      report: () => {},
      start: async () => bed.sent.push('run'),
      shown: none,
    },
    toOpen: none,
    version: { isSavedHere: signal(isSavedHere) },
    engine: { chosen: signal('platform') },
    mocks: { cannotApply: none, isLoaded: signal(true), whenLoaded: async () => {} },
    open: async () => true,
    reload: async () => (bed.sent.push('reload'), false),
  } as never);
};

interface Operation {
  name: string;
  start: (bed: World) => Promise<unknown>;
  /** What the panel sends first once it's allowed. */
  sends: string;
  asks: string;
  says: string;
  button: string;
}
const REALLY_RUN =
  'Its functions really run: send-email, http-request. If the action was saved since the list was loaded, that version runs.';
const OPERATIONS: Operation[] = [
  {
    name: 'Publish',
    start: (bed) => work(bed).publish(ACTION, true),
    sends: 'actions.publish',
    asks: 'Publish “notify-admins”',
    says: 'Live apps and scheduled runs use the new version from now on.',
    button: 'Publish action',
  },
  {
    name: 'Unpublish',
    start: (bed) => work(bed).publish(ACTION, false),
    sends: 'actions.publish',
    asks: 'Unpublish “notify-admins”',
    says: 'Live apps and schedules no longer start it. Queued runs may still start.',
    button: 'Unpublish action',
  },
  {
    name: 'Restore revision',
    start: (bed) => work(bed).restore(ACTION, 2),
    sends: 'actions.restore',
    asks: 'Restore revision 2 of “notify-admins”',
    says: 'Preview pages and manual runs use it from now on. Live apps use it once you publish it.',
    button: 'Restore revision',
  },
  {
    name: 'Run now',
    start: (bed) => work(bed).run(ACTION, {}),
    sends: 'actions.run',
    asks: 'Run “notify-admins”',
    says: REALLY_RUN,
    button: 'Run action',
  },
  {
    name: 'Run with result',
    start: (bed) => work(bed).runWithResult(ACTION, {}),
    sends: 'actions.runWithResult',
    asks: 'Run “notify-admins”',
    says: REALLY_RUN,
    button: 'Run action',
  },
  {
    name: 'Save',
    start: (bed) => editor(bed, ACTION).save(),
    sends: 'actions.update',
    asks: 'Save “notify-admins”',
    says: 'Preview pages and manual runs use the change from now on. Live apps use it once you publish it.',
    button: 'Save action',
  },
  {
    name: 'Create',
    start: (bed) => editor(bed, null).save(),
    sends: 'actions.create',
    asks: 'Create “weekly”',
    says: 'Live apps don’t use the new action until you publish it.',
    button: 'Create action',
  },
  {
    name: 'Recreate action',
    start: (bed) => editor(bed, ACTION).recreate(),
    sends: 'actions.create',
    asks: 'Create “other”',
    says: 'Live apps don’t use the new action until you publish it.',
    button: 'Create action',
  },
  {
    name: 'Overwrite with yours',
    start: (bed) => {
      const open = editor(bed, ACTION);
      open.conflict.value = { ...ACTION, revision: 4 };
      return open.overwrite();
    },
    sends: 'actions.update',
    asks: 'Overwrite “notify-admins”',
    says: 'The saved version is replaced with yours.',
    button: 'Overwrite action',
  },
  {
    name: 'Fire (log record)',
    start: (bed) => {
      const open = lab(bed, 'log');
      open.replace({ type: 'a.b', data: {} });
      return open.fire();
    },
    sends: 'logs.create',
    asks: 'Fire “a.b”',
    says: 'No action in the loaded list listens to it.',
    button: 'Fire log record',
  },
  {
    name: 'Fire (event)',
    start: (bed) => lab(bed, 'analytics').fire(),
    sends: 'event',
    asks: 'Fire “analytics.event”',
    says: 'No action in the loaded list listens to it.',
    button: 'Fire event',
  },
  {
    name: 'Move clock',
    start: async (bed) => {
      const clock = new PlatformClock(
        bed.send,
        () => 'e',
        bed.guard,
        async () => {},
      );
      await clock.refresh();
      await clock.moveTo(START + MINUTE);
    },
    sends: 'clock.move',
    asks: 'Move the virtual clock to Mon 23 Nov 10:01 UTC',
    says: 'All scheduled runs until then are queued, and their functions really run.',
    button: 'Move clock',
  },
  {
    name: 'Run in tab Run',
    start: (bed) => runInTab(bed).run(),
    sends: 'run',
    asks: 'Run “notify-admins”',
    says: 'Its functions really run: send-email.',
    button: 'Run action',
  },
  {
    name: 'Run in a live page at one of the environment’s page URLs',
    start: (bed) => {
      bed.environment.value = { ...bed.environment.value, pageUrls: ['https://desk.apps.example'] };
      return runInTab(bed, false, 'https://desk.apps.example/start').run();
    },
    sends: 'run',
    asks: 'Run “notify-admins”',
    says: 'Its functions really run: send-email.',
    button: 'Run action',
  },
  {
    name: 'Run again',
    start: (bed) => runInTab(bed).runInPage('{}'),
    sends: 'run',
    asks: 'Run “notify-admins”',
    says: 'Its functions really run: send-email.',
    button: 'Run action',
  },
  {
    name: 'Reload and run',
    start: (bed) => runInTab(bed, true).reloadAndRun(),
    sends: 'reload',
    asks: 'Run “notify-admins”',
    says: 'Its functions really run: send-email.',
    button: 'Run action',
  },
];

describe.each(OPERATIONS)('on a production environment, $name', ({ start, sends, asks, says, button }) => {
  it('asks once, says what will happen, and sends nothing before', async () => {
    const bed = world();
    const done = start(bed);
    await settled();
    expect(bed.guard.question.value).toMatchObject({
      environment: { name: 'Acme EU' },
      question: { title: asks, effect: says, button },
    });
    expect(bed.sent).toEqual([]);
    bed.guard.confirm(false);
    await vi.advanceTimersByTimeAsync(MINUTE);
    await done;
    expect(bed.sent.filter((name) => name === sends)).toEqual([sends]);
    expect(bed.guard.question.value).toBeNull();
  });

  it('sends nothing after Cancel', async () => {
    const bed = world();
    const done = start(bed);
    await settled();
    bed.guard.cancel();
    await done;
    expect(bed.sent).toEqual([]);
  });

  it('doesn’t ask while it’s unlocked, and asks again after 15 minutes', async () => {
    const bed = world();
    void start(bed);
    await settled();
    bed.guard.confirm(true);
    await vi.advanceTimersByTimeAsync(14 * MINUTE);
    bed.sent.length = 0;
    void start(bed);
    await settled();
    expect({ asks: bed.guard.question.value, sent: bed.sent.slice(0, 1) }).toEqual({ asks: null, sent: [sends] });
    await vi.advanceTimersByTimeAsync(MINUTE);
    void start(bed);
    await settled();
    expect(bed.guard.question.value).not.toBeNull();
  });

  it('doesn’t ask elsewhere', async () => {
    const bed = world({ production: false });
    void start(bed);
    await settled();
    expect({ asks: bed.guard.question.value, sent: bed.sent.slice(0, 1) }).toEqual({ asks: null, sent: [sends] });
  });
});

describe('removing an action', () => {
  it.each([true, false])('asks once, because it can’t be undone (production: %s)', async (production) => {
    const bed = world({ production });
    const removed = work(bed).remove({ ...ACTION, published: { ...ACTION, revision: 2 } as never });
    await settled();
    expect(bed.guard.question.value?.question).toEqual({
      title: 'Remove action “notify-admins”',
      effect: 'You can’t undo this. Live apps will no longer be able to run it. Its log records are preserved.',
      button: 'Remove action',
      always: true,
    });
    expect(bed.sent).toEqual([]);
    bed.guard.confirm(false);
    await removed;
    expect(bed.sent).toEqual(['actions.remove']);
  });
});

/** A page doesn't report what is published. */
const { published: _, ...OF_PAGE } = ACTION;

it.each([
  [publishQuestion({ ...ACTION, active: false }), 'Live apps and schedules won’t run it, because it’s inactive.'],
  [
    removeQuestion(OF_PAGE),
    'You can’t undo this. If it’s published, live apps will no longer be able to run it. Its log records are preserved.',
  ],
  [removeQuestion(ACTION), 'You can’t undo this. Its log records are preserved.'],
])('a question claims only what is known of the action: $effect', ({ effect }, says) => {
  expect(effect).toBe(says);
});

it('publishing an action whose required settings are missing asks on every environment', async () => {
  const bed = world({ production: false });
  const published = work(bed).publish(ACTION, true, true);
  await settled();
  expect(bed.guard.question.value?.question.effect).toBe('A step lacks required settings, and fails if it runs.');
  expect(bed.sent).toEqual([]);
  bed.guard.confirm(false);
  await published;
  expect(bed.sent).toEqual(['actions.publish']);
});

describe('an unlocked production environment', () => {
  const unlocked = async () => {
    const bed = world();
    void bed.guard.allow('e', { title: 'Run', effect: '', button: 'Run' }, async () => {});
    await settled();
    bed.guard.confirm(true);
    await settled();
    return bed;
  };
  const asks = async ({ guard }: Pick<World, 'guard'>): Promise<boolean> => {
    void guard.allow('e', { title: 'Run', effect: '', button: 'Run' }, async () => {});
    await settled();
    return guard.question.value !== null;
  };

  it('still asks about what can’t be undone', async () => {
    const bed = await unlocked();
    const removed = work(bed).remove(ACTION);
    await settled();
    expect(bed.guard.question.value?.question.title).toBe('Remove action “notify-admins”');
    expect(bed.sent).toEqual([]);
    bed.guard.confirm(false);
    await removed;
  });

  it('is shown with its time until that is over', async () => {
    const { guard } = await unlocked();
    expect(guard.unlocked.value).toMatchObject([{ environment: { name: 'Acme EU' }, until: START + 15 * MINUTE }]);
    const until = START + 15 * MINUTE;
    expect([minutesLeft(until, START), minutesLeft(until, until - MINUTE), minutesLeft(until, until - 1)]).toEqual([
      15, 1, 1,
    ]);
    await vi.advanceTimersByTimeAsync(15 * MINUTE);
    expect(guard.unlocked.value).toEqual([]);
  });

  it('is the same in every panel: locking in one makes the other ask', async () => {
    const bed = await unlocked();
    const other = bed.panel();
    await other.refresh();
    expect(other.unlocked.value).toHaveLength(1);
    await other.lock('e');
    expect(await asks(bed)).toBe(true);
  });

  it('is locked again when it’s no longer marked as production, and after the browser was closed', async () => {
    const bed = await unlocked();
    bed.environment.value = { ...bed.environment.value, production: false };
    expect(bed.guard.unlocked.value).toEqual([]);
    bed.environment.value = { ...bed.environment.value, production: true };
    for (const key of Object.keys(bed.stored)) delete bed.stored[key];
    expect(await asks(bed)).toBe(true);
  });

  it('never lasts longer than 15 minutes after the clock was set back', async () => {
    const bed = await unlocked();
    vi.setSystemTime(START - MINUTE);
    expect(await asks(bed)).toBe(true);
  });

  it.each(['text', [{ environmentId: 'e', until: 'later' }], [{ environmentId: 'e', until: 1e18 }]])(
    'isn’t unlocked by damaged data: %j',
    async (damaged) => {
      const bed = await unlocked();
      bed.stored['guard.unlocked'] = damaged;
      expect(await asks(bed)).toBe(true);
    },
  );

  it('isn’t unlocked if the worker doesn’t answer', async () => {
    const { environment } = await unlocked();
    const send = fakeSend(() => ({ ok: false, error: { code: 'WORKER_UNREACHABLE', message: 'Stopped.' } }));
    expect(await asks({ guard: new ProductionGuard({ send, environments: () => [environment.value] }) })).toBe(true);
  });
});

/** Staging is selected, but the tab shows the action of production that has the same IDs. */
function samePageElsewhere() {
  const production = { id: 'p', name: 'Acme', production: true, baseUrl: 'https://eu.example' };
  const selected = { id: 's', name: 'Staging', production: false, baseUrl: 'https://staging.example' };
  const catalog = {
    environments: signal({ value: [selected, production] }),
    environment: signal(selected),
    target: signal({ environmentId: 's', appId: 1, taskId: 7 }),
    apps: signal({ value: [{ id: 1, name: 'Staging app', organizationId: 5 }] }),
    actions: signal({ value: [ACTION] }),
  };
  const state = signal({ url: DEBUG_PAGE, env: { appId: 1, taskId: 7 } });
  return { catalog, state, page: { state, nodes: signal([]) } };
}

it('opens the selected action first if the tab has another environment’s action with the same IDs', () => {
  const { catalog, state } = samePageElsewhere();
  const toOpen = () => actionToOpen(catalog as never, state.value as never);
  expect(toOpen()).toMatchObject({ name: 'notify-admins', subject: 'https://staging.example/1/7' });
  state.value = { ...state.value, url: DEBUG_PAGE.replace('eu', 'staging') };
  expect(toOpen()).toBeNull();
  state.value = { ...state.value, url: 'https://elsewhere.example/debug' };
  expect(toOpen()).toBeNull();
  // A pasted URL.
  catalog.target.value = { environmentId: 'p', appId: 1, taskId: 7 };
  expect(actionToOpen(catalog as never, null)).toMatchObject({ name: 'action 7', action: null });
});

it('doesn’t name an action of another environment that has the same IDs', () => {
  const { catalog, state, page } = samePageElsewhere();
  const shown = () => ({
    asks: pageRunOf({ catalog: catalog as never, page: page as never, toOpen: null }).question.title,
    inTab: namesInTab(catalog as never, page as never),
    action: templateSubject(catalog as never, page as never, null).action,
  });
  expect(shown()).toEqual({
    asks: 'Run “action 7”',
    inTab: { app: 'app 1', action: 'action 7', mode: null },
    action: null,
  });
  state.value = { ...state.peek(), url: DEBUG_PAGE.replace('eu', 'staging') };
  expect(shown()).toMatchObject({ asks: 'Run “notify-admins”', inTab: { app: 'Staging app' }, action: ACTION });
});

it('starts nothing else while a question is open', async () => {
  const { guard } = world();
  const started: string[] = [];
  const start = (name: string) =>
    guard.allow('e', { title: name, effect: '', button: name }, async () => started.push(name));
  const [first, second] = [start('first'), start('second')];
  expect(await second).toBeNull();
  await settled();
  guard.confirm(false);
  await first;
  expect(started).toEqual(['first']);
});

it('does nothing with the confirmed action if another app was selected in the meantime', async () => {
  const bed = world();
  let appId = 1;
  const actions = new ActionWork(
    () => new RestActions(bed.send, { ...OF, appId }),
    bed.guard,
    async () => {},
  );
  const published = actions.publish(ACTION, true);
  await settled();
  appId = 2;
  bed.guard.confirm(false);
  expect(await published).toBe(false);
  expect(bed.sent).toEqual([]);
});

it('asks about a page while it’s unknown which environments there are, and can’t unlock it', async () => {
  const { send, stored } = world();
  let isKnown = false;
  const guard = new ProductionGuard({ send, environments: () => (isKnown ? [] : null) });
  const started: string[] = [];
  const start = () => guard.allow(null, { title: 'Run', effect: '', button: 'Run' }, async () => started.push('run'));
  const first = start();
  await settled();
  expect(guard.question.value).toMatchObject({ environment: null, question: { title: 'Run' } });
  expect(started).toEqual([]);
  guard.confirm(true);
  await first;
  expect({ started, stored }).toEqual({ started: ['run'], stored: {} });
  isKnown = true;
  await start();
  expect(started).toEqual(['run', 'run']);
});

describe('while a question is open', () => {
  const ask = (bed: World) => {
    const started: string[] = [];
    const asked = bed.guard.allow('e', { title: 'Run', effect: '', button: 'Run' }, async () => started.push('run'));
    return { started, asked };
  };

  it('names the environment as it was renamed in the meantime', async () => {
    const bed = world();
    void ask(bed);
    await settled();
    bed.environment.value = { ...bed.environment.value, name: 'Acme EU 2' };
    expect(bed.guard.question.value?.environment?.name).toBe('Acme EU 2');
  });

  it.each([{ baseUrl: 'https://us.example' }, { id: 'other' }])(
    'starts nothing if the environment was moved or removed: %j',
    async (change) => {
      const bed = world();
      const { started, asked } = ask(bed);
      await settled();
      bed.environment.value = { ...bed.environment.value, ...change };
      bed.guard.confirm(true);
      expect(await asked).toBeNull();
      expect(started).toEqual([]);
      expect(bed.guard.unlocked.value).toEqual([]);
    },
  );
});

describe('a draft that changes before the question appears', () => {
  const confirmed = async (bed: World, done: Promise<unknown>) => {
    await settled();
    bed.guard.confirm(false);
    await settled();
    const again = bed.guard.question.value?.question;
    bed.guard.confirm(false);
    await vi.advanceTimersByTimeAsync(MINUTE);
    await done;
    return again;
  };

  it('isn’t created under another name than the one that was asked about', async () => {
    const bed = world();
    const open = editor(bed, null);
    const done = open.save();
    open.set('/name', 'daily');
    expect(await confirmed(bed, done)).toMatchObject({ title: 'Create “daily”' });
    expect(bed.sent).toEqual(['actions.create']);
  });

  it('isn’t fired as something else than what was asked about', async () => {
    const bed = world();
    const open = lab(bed, 'log');
    open.replace({ type: 'a.b', data: {} });
    const done = open.fire();
    open.show('analytics');
    expect(await confirmed(bed, done)).toMatchObject({ title: 'Fire “analytics.event”', button: 'Fire event' });
    expect(bed.sent).toEqual(['event']);
  });
});
