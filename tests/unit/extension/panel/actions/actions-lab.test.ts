/** Tests the trigger lab: matching, firing, and the runs that follow. */
import { signal } from '@preact/signals';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { Action, PublishedAction } from '../../../../../lib/platform-api/action.ts';
import type { LogRecord } from '../../../../../lib/platform-api/log.ts';
import { eventExamples, logExamples } from '../../../../../lib/extension/panel/actions/lab/examples.ts';
import { RestActions } from '../../../../../lib/extension/panel/actions/backend/rest.ts';
import { fakeSend } from '../../../../support/fake-send.ts';
import { TriggerLab, draftProblems, type Fired } from '../../../../../lib/extension/panel/actions/lab/lab.ts';
import { type Happening, matchActions } from '../../../../../lib/extension/panel/actions/lab/matching.ts';
import { labOf, modeInTab } from '../../../../../lib/extension/panel/actions/lab/lab-of.ts';
import { PanelRegistry } from '../../../../../lib/extension/panel/shell/registry.ts';
import type { Environment } from '../../../../../lib/extension/messaging/model/environment.ts';
import { RunWatch } from '../../../../../lib/extension/panel/actions/lab/watch-runs.ts';
import { ALWAYS_ALLOWED } from '../../../../support/always-allowed.ts';

const working: PublishedAction = {
  active: true,
  environment: 'any',
  triggers: [],
  frequency: null,
  timezone: 'UTC',
  pageId: null,
  functions: [],
};
let ids = 0;
function action(
  name: string,
  triggers: PublishedAction['triggers'],
  published: Partial<PublishedAction> | null = {},
  own: Partial<PublishedAction> = {},
): Action {
  const copy = { ...working, triggers, ...own };
  return {
    ...copy,
    id: ++ids,
    name,
    appId: 1,
    lastRunAt: null,
    nextRunAt: null,
    createdAt: '',
    updatedAt: '',
    published: published && { ...copy, ...published },
  };
}
const onEntry = (dataSourceId: number): PublishedAction['triggers'] => [
  { trigger: 'log', where: { type: 'dataSource.entry.create', dataSourceId } },
];
const entry = (dataSourceId: number): Happening => ({
  trigger: 'log',
  record: { type: 'dataSource.entry.create', dataSourceId, data: {}, appId: 1 },
});
const match = (one: Action, happening: Happening) => matchActions([one], happening)[0];

describe('matching a log record', () => {
  it('fires actions whose published copy has a matching log trigger', () => {
    expect(match(action('welcome', onEntry(511)), entry(511))).toMatchObject({ fires: true, reasons: [] });
  });

  it('reports the mismatching field with the expected and the found value', () => {
    expect(match(action('welcome', onEntry(511)), entry(503))).toMatchObject({
      fires: false,
      reasons: [],
      triggers: [{ index: 0, mismatches: [{ path: '/dataSourceId', expected: 511, found: 503 }] }],
    });
  });

  it('fires when one of several triggers matches', () => {
    expect(match(action('two', [{ trigger: 'manual' }, ...onEntry(1), ...onEntry(2)]), entry(2))).toMatchObject({
      fires: true,
      triggers: [
        { index: 1, mismatches: [{}] },
        { index: 2, mismatches: [] },
      ],
    });
  });

  it.each<[string, Action, string]>([
    [
      'was never published',
      action('a', onEntry(1), null),
      'Log triggers use the published copy, and this action isn’t published.',
    ],
    [
      'was published without the trigger',
      action('b', onEntry(1), { triggers: [{ trigger: 'manual' }] }),
      'Log triggers use the published copy, which has no log trigger. Publish the action again.',
    ],
    ['is inactive as published', action('c', onEntry(1), { active: false }), 'The published copy is inactive.'],
    [
      'runs on the client alone',
      action('d', onEntry(1), {}, { environment: 'client' }),
      'A log trigger runs only on the server: environment must be server or any.',
    ],
  ])('doesn’t fire an action that %s', (_what, one, reason) => {
    expect(match(one, entry(1))).toMatchObject({ fires: false, reasons: [reason], triggers: [{ mismatches: [] }] });
  });

  it('uses the published copy when the working copy differs', () => {
    expect(match(action('changed', onEntry(2), { triggers: onEntry(1) }), entry(1))).toMatchObject({ fires: true });
    expect(match(action('changed', onEntry(1), { triggers: onEntry(2) }), entry(1))).toMatchObject({
      fires: false,
      triggers: [{ mismatches: [{ path: '/dataSourceId', expected: 2, found: 1 }] }],
    });
  });

  it('uses the working copy when the platform doesn’t report the published copy, and says so', () => {
    const { published: _, ...unreported } = action('foreign', onEntry(1));
    expect(match(unreported, entry(1))).toMatchObject({ fires: true, isAssumed: true });
    expect(match(action('ours', onEntry(1)), entry(1))).toMatchObject({ fires: true, isAssumed: false });
  });

  it('omits actions without log triggers, and lists the best matches first', () => {
    const far = action('far', [{ trigger: 'log', where: { type: 'x', dataSourceId: 2, sessionId: 4 } }]);
    const list = [
      far,
      action('manual', [{ trigger: 'manual' }]),
      action('near', onEntry(2)),
      action('fires', onEntry(1)),
    ];
    expect(matchActions(list, entry(1)).map(({ name }) => name)).toEqual(['fires', 'near', 'far']);
  });
});

describe('matching an analytics event', () => {
  const event = (mode: 'preview' | 'live', data: Record<string, unknown>): Happening => ({
    trigger: 'analytics',
    mode,
    record: { type: 'analytics.event', data },
  });
  const onPrint: PublishedAction['triggers'] = [
    { trigger: 'analytics', where: { type: 'analytics.event', data: { category: 'badge', action: 'print' } } },
  ];

  it('uses the working copy in the preview page, and the published copy in the live page', () => {
    const unpublished = action('u', onPrint, null);
    expect(match(unpublished, event('preview', { category: 'badge', action: 'print' }))).toMatchObject({ fires: true });
    expect(match(unpublished, event('live', { category: 'badge', action: 'print' }))).toMatchObject({
      fires: false,
      reasons: ['The live page uses the published copy, and this action isn’t published.'],
    });
  });

  it('reports the mismatching field in the data', () => {
    expect(match(action('p', onPrint), event('preview', { category: 'badge', action: 'scan' }))?.triggers).toEqual([
      { index: 0, mismatches: [{ path: '/data/action', expected: 'print', found: 'scan' }] },
    ]);
  });
});

describe('the composed record or event', () => {
  it('is validated in the platform’s words', () => {
    expect(draftProblems('log', { type: 'two words', dataSourceId: -1 }).map(({ path }) => path)).toEqual([
      '/type',
      '/dataSourceId',
    ]);
    expect(draftProblems('analytics', { type: 'analytics.event', data: { category: '' } })).toEqual([
      { path: '/data/category', message: 'category must not be empty.' },
      { path: '/data/action', message: 'action must be a string.' },
    ]);
    expect(draftProblems('log', [])).toEqual([{ path: '', message: 'A log record must be an object.' }]);
  });

  it('can start from valid examples made from data sources and actions', () => {
    const actions = [
      action('welcome', onEntry(511)),
      action('any', [
        { trigger: 'log' },
        { trigger: 'analytics', where: { type: 'analytics.pageView', data: { _pageId: 3 } } },
      ]),
    ];
    const logs = logExamples([{ id: 511, name: 'Visitors', columns: ['email'] }], actions);
    expect(logs.map(({ label }) => label)).toEqual([
      'New entry in Visitors',
      'App published',
      'Matches welcome',
      'Matches any',
    ]);
    expect(logs[0]?.value).toEqual({
      type: 'dataSource.entry.create',
      dataSourceId: 511,
      dataSourceEntryId: 1,
      data: { columns: ['email'] },
    });
    for (const { value } of logs) expect(draftProblems('log', value)).toEqual([]);
    for (const { value } of eventExamples(actions)) expect(draftProblems('analytics', value)).toEqual([]);
  });
});

const log = (id: number, data: Record<string, unknown>, type = 'app.task.completed'): LogRecord => ({
  id,
  appId: 1,
  organizationId: 1,
  dataSourceId: null,
  dataSourceEntryId: null,
  appNotificationId: null,
  sessionId: null,
  type,
  data,
  createdAt: '',
});
const TIMES = { poll: 1, quiet: 20, limit: 10_000 };
const settled = async (holds: () => boolean): Promise<void> => {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 1));
};

describe('watching the runs that a record fired', () => {
  const record = log(10, {}, 'x');
  const watch = (responses: LogRecord[][], expected: number[], limit = TIMES.limit) => {
    let requestCount = 0;
    return new RunWatch({
      record,
      listeners: new Set([1, 2]),
      expected: new Set(expected),
      times: { ...TIMES, limit },
      list: async () => ({
        ok: true,
        value: { count: 0, logs: responses[Math.min(requestCount++, responses.length - 1)] ?? [] },
      }),
    });
  };

  it('finds later runs of actions with log triggers until all matching ones have ended', async () => {
    const runs = watch(
      [
        [],
        [log(12, { actionId: 1, mode: 'scheduled' }), log(9, { actionId: 1, mode: 'scheduled' })],
        [log(14, { actionId: 2, mode: 'scheduled' }, 'app.task.failed'), log(12, { actionId: 1, mode: 'scheduled' })],
      ],
      [1, 2],
    );
    await settled(() => runs.state.value !== 'waiting');
    expect(runs.state.value).toBe('all');
    expect(runs.logs.value.map(({ id }) => id)).toEqual([12, 14]);
  });

  it('ignores manual runs, actions without log triggers, and runs of another record', async () => {
    const runs = watch(
      [
        [
          log(11, { actionId: 1, mode: 'on-demand' }),
          log(12, { actionId: 3, mode: 'scheduled' }),
          log(13, { actionId: 1, mode: 'scheduled', payload: { trigger: 'log', log: { id: 8 } } }, 'app.task.failed'),
        ],
      ],
      [],
    );
    await settled(() => runs.state.value === 'ended');
    expect(runs.logs.value).toEqual([]);
    expect(runs.elapsed.value).toBeGreaterThanOrEqual(TIMES.quiet);
  });

  it('goes by the record or the due time that the platform names, where it names one', async () => {
    const runs = watch(
      [
        [
          log(11, { actionId: 1, mode: 'scheduled', logId: 9 }),
          log(12, { actionId: 1, mode: 'scheduled', dueAt: '2026-11-23T10:00:00Z' }),
          log(13, { actionId: 2, mode: 'scheduled', logId: 10 }),
        ],
      ],
      [2],
    );
    await settled(() => runs.state.value !== 'waiting');
    expect(runs.logs.value.map(({ id }) => id)).toEqual([13]);
  });

  it('ends after its limit also if the computer’s clock is set back', async () => {
    const runs = watch([[]], [1], 20);
    vi.spyOn(Date, 'now').mockReturnValue(0);
    onTestFinished(() => void vi.restoreAllMocks());
    await settled(() => runs.state.value !== 'waiting');
    expect(runs.state.value).toBe('ended');
  });

  it('polls again after a restart, and not after a stop', async () => {
    const runs = watch([[]], [1], 20);
    await settled(() => runs.state.value === 'ended');
    runs.restart();
    expect(runs.state.value).toBe('waiting');
    runs.stop();
    expect(runs.state.value).toBe('ended');
  });
});

describe('the trigger lab', () => {
  const open = (
    responses: Record<string, unknown>,
    mode: 'preview' | 'live' | null = null,
    track: () => unknown = () => ({ ok: true, value: { actions: [], unread: 0 } }),
  ) => {
    const sent: [string, unknown][] = [];
    const welcome = action('welcome', onEntry(511));
    const send = fakeSend((name, takes) => (sent.push([name, takes]), responses[name] ?? { ok: true, value: [] }));
    const lab = new TriggerLab({
      backend: () => new RestActions(send, { environmentId: 'local', appId: 1 }),
      guard: ALWAYS_ALLOWED,
      track: async (method, data) => (sent.push([method, data]), track()) as never,
      organizationId: 21,
      actions: signal([welcome]),
      mode: signal(mode),
      times: TIMES,
    });
    return { lab, sent, welcome };
  };

  it('fires no log records if they can’t be added this way, and says why, but still shows what they match', async () => {
    const sent: string[] = [];
    const backend = new RestActions(
      fakeSend((name) => (sent.push(name), { ok: true, value: [] })),
      { environmentId: 'local', appId: 1 },
    );
    const cannot = { ...backend.cannot, logRecords: 'The page can’t add log records.', dataSources: 'None.' };
    Object.assign(backend, { cannot });
    const lab = new TriggerLab({
      backend: () => backend,
      guard: ALWAYS_ALLOWED,
      track: async () => ({ ok: true, value: { actions: [], unread: 0 } }),
      organizationId: 21,
      actions: signal([action('welcome', onEntry(511))]),
      mode: signal('preview'),
    });
    await lab.load();
    await lab.fire();
    expect(sent).toEqual([]);
    expect([lab.cannotFire.value, lab.error.value]).toEqual(['The page can’t add log records.', null]);
    expect(lab.matches.value).toHaveLength(1);
    lab.show('analytics');
    expect(lab.cannotFire.value).toBeNull();
  });

  it('adds the record, and shows the run that it fired', async () => {
    const { lab, sent, welcome } = open({
      'logs.create': { ok: true, value: log(10, {}, 'dataSource.entry.create') },
      'logs.list': { ok: true, value: { count: 1, logs: [log(11, { actionId: ids + 1, mode: 'scheduled' })] } },
    });
    lab.replace({ type: 'dataSource.entry.create', dataSourceId: 511 });
    expect(lab.matches.value).toMatchObject([{ id: welcome.id, fires: true }]);
    await lab.fire();
    expect(sent[0]).toEqual([
      'logs.create',
      { environmentId: 'local', appId: 1, log: { type: 'dataSource.entry.create', dataSourceId: 511 } },
    ]);
    const { runs } = lab.fired.value as Extract<Fired, { kind: 'log' }>;
    await settled(() => runs.state.value === 'all');
    expect(runs.logs.value.map(({ id }) => id)).toEqual([11]);
  });

  it('matches with the app and organization that the platform adds', () => {
    const { lab } = open({});
    lab.replace({ type: 'x' });
    expect(lab.cannotFire.value).toBeNull();
    expect(lab.matches.value[0]?.triggers[0]?.mismatches.map(({ path }) => path)).toEqual(['/type', '/dataSourceId']);
  });

  it('starts with a new entry in the first data source, unless the draft was already edited', async () => {
    const sources = {
      'dataSources.list': {
        ok: true,
        value: [
          { id: 511, name: 'Visitors', columns: ['email'] },
          { id: 512, name: 'Badges', columns: [] },
        ],
      },
    };
    const { lab } = open(sources);
    expect(lab.draft.value?.value).toEqual({ type: 'dataSource.entry.create', data: {} });
    expect(lab.cannotFire.value).toBe(null);
    await lab.load();
    expect(lab.draft.value?.value).toEqual({
      type: 'dataSource.entry.create',
      dataSourceId: 511,
      dataSourceEntryId: 1,
      data: { columns: ['email'] },
    });
    expect(lab.matches.value).toMatchObject([{ fires: true }]);
    lab.set('/dataSourceId', 512);
    await lab.load();
    expect(lab.draft.value?.value).toMatchObject({ dataSourceId: 512 });
    const started = open(sources).lab;
    started.set('/type', 'my.own');
    await started.load();
    expect(started.draft.value?.value).toEqual({ type: 'my.own', data: {} });
    const none = open({ 'dataSources.list': { ok: true, value: [] } }).lab;
    await none.load();
    expect(none.draft.value?.value).toEqual({ type: 'dataSource.entry.create', data: {} });
  });

  it('warns about an unknown data source, and fires anyway', async () => {
    const { lab } = open({ 'dataSources.list': { ok: true, value: [{ id: 511, name: 'Visitors', columns: [] }] } });
    lab.set('/dataSourceId', 9);
    expect(lab.sourceProblem.value).toBeNull();
    await lab.load();
    expect(lab.sourceProblem.value).toBe('This app has no data source 9, so the platform may reject this record.');
    expect(lab.cannotFire.value).toBeNull();
    lab.set('/dataSourceId', 511);
    expect(lab.sourceProblem.value).toBeNull();
    lab.set('/dataSourceId', 9);
    lab.show('analytics');
    expect(lab.sourceProblem.value).toBeNull();
  });

  it('doesn’t show the errors of a record for an event', async () => {
    const error = { code: 'REQUEST_INVALID', message: 'There is no data source 9 in app 1.', status: 422 };
    const { lab } = open({ 'logs.create': { ok: false, error } });
    await lab.fire();
    lab.show('analytics');
    expect(lab.error.value).toBeNull();
    lab.show('log');
    expect(lab.error.value).toBeNull();
    const firing = lab.fire();
    lab.show('analytics');
    await firing;
    expect(lab.error.value).toBeNull();
  });

  it('reports a refusal, and adds nothing', async () => {
    const error = { code: 'REQUEST_INVALID', message: 'There is no data source 9 in app 1.', status: 422 };
    const { lab } = open({ 'logs.create': { ok: false, error } });
    await lab.fire();
    expect(lab.error.value).toEqual(error);
    expect(lab.fired.value).toBe(null);
    lab.setText('{"type": ');
    expect(lab.cannotFire.value).toContain('line 1, column 10');
  });

  it('sends an event in the app’s page, and requires one', async () => {
    const { lab } = open({});
    lab.show('analytics');
    expect(lab.cannotFire.value).toContain('preview page');
    const there = open({}, 'live', () => ({
      ok: true,
      value: { actions: [{ actionId: 3, name: 'count', state: 'completed' }], unread: 0 },
    }));
    there.lab.show('analytics');
    there.lab.replace({ type: 'analytics.pageView', data: { _pageId: 3 } });
    await there.lab.fire();
    expect(there.sent).toEqual([['pageView', { _pageId: 3 }]]);
    expect(there.lab.fired.value).toMatchObject({ state: 'sent', mode: 'live', fired: { actions: [{ actionId: 3 }] } });
  });

  it.each([
    ['of the app', 'http://localhost:1/v1/apps/1/preview', { appId: 1, mode: 'preview' }, 'preview'],
    ['of another app', 'http://localhost:1/v1/apps/2/preview', { appId: 2, mode: 'preview' }, null],
    ['that only says so, of another host', 'http://evil.example/', { appId: 1, mode: 'live' }, null],
    [
      'of an action, to debug it',
      'http://localhost:1/v1/apps/1/tasks/2/compile?html',
      { appId: 1, taskId: 2, mode: 'preview' },
      null,
    ],
    ['without an app', 'http://localhost:1/', null, null],
  ])('detects the page mode: %s', (_what, url, env, mode) => {
    expect(
      modeInTab(
        { url, env: env && { taskId: null, organizationId: null, ...env } },
        { baseUrl: 'http://localhost:1' },
        1,
      ),
    ).toBe(mode);
  });

  it('is of the environment as it is now: at its new page URLs, not at its old base URL', () => {
    const environment = { id: 'e', baseUrl: 'http://localhost:1', namespace: 'Platform' } as Environment;
    const environments = signal({ value: [environment] });
    const state = signal({ url: '', env: { appId: 1, taskId: null, mode: 'live' } });
    const panel = {
      registry: new PanelRegistry(),
      backendOf: () => null,
      catalog: { environments, apps: signal({ value: [] }), actions: signal({ value: [] }) },
      page: { state },
    } as never;
    const modes = (of: Environment): (string | null)[] => {
      environments.value = { value: [of] };
      return ['http://localhost:1/start', 'http://localhost:2/start'].map((url) => {
        state.value = { ...state.peek(), url };
        return labOf(panel, of, 1).mode.value;
      });
    };
    expect(modes(environment)).toEqual(['live', null]);
    const lab = labOf(panel, environment, 1);
    expect(modes({ ...environment, pageUrls: ['http://localhost:2'] })).toEqual(['live', 'live']);
    expect(labOf(panel, environment, 1)).toBe(lab);
    expect(modes({ ...environment, baseUrl: 'http://localhost:2' })).toEqual([null, 'live']);
  });
});
