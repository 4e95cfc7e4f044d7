/** Tests the state of the Actions tab with an in-memory background worker. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Action } from '../../../../../lib/platform-api/action.ts';
import type { Result } from '../../../../../lib/platform-api/errors.ts';
import { type LogRecord, RUN_LOG_TYPES } from '../../../../../lib/platform-api/log.ts';
import { whereMismatches } from '../../../../../lib/platform-api/where.ts';
import type { MessageName, Send } from '../../../../../lib/extension/messaging/protocol.ts';
import { actionRows, type ActionColumn } from '../../../../../lib/extension/panel/actions/action-rows.ts';
import { RestActions } from '../../../../../lib/extension/panel/actions/backend/rest.ts';
import { cannotRunHere, ActionWork } from '../../../../../lib/extension/panel/actions/action-work.ts';
import { describeJson } from '../../../../../lib/extension/panel/actions/described.ts';
import { failureOf, payloadOf, summaryOf } from '../../../../../lib/extension/panel/actions/log-records.ts';
import { Logs } from '../../../../../lib/extension/panel/actions/logs.ts';
import {
  publicationChanges,
  publicationOf,
  publicationSummary,
} from '../../../../../lib/extension/panel/actions/publication.ts';
import { createTabs } from '../../../../../lib/extension/panel/shell/tabs.ts';
import { toJson } from '../../../../../lib/extension/panel/shared/value-json.ts';
import type { Guard } from '../../../../../lib/extension/panel/shared/production-guard.ts';
import { cpuTime } from '../../../../support/cpu-time.ts';
import { ALWAYS_ALLOWED } from '../../../../support/always-allowed.ts';

const copy = {
  active: true,
  frequency: null,
  timezone: 'UTC',
  environment: 'any',
  triggers: [{ trigger: 'manual' }],
  functions: [{ functionPackage: 'p.one' }],
  pageId: null,
} as const;
const action = (id: number, over: Partial<Action> = {}): Action => ({
  ...copy,
  triggers: [...copy.triggers],
  functions: [...copy.functions],
  id,
  name: `action-${id}`,
  lastRunAt: null,
  nextRunAt: null,
  createdAt: 'a',
  updatedAt: 'b',
  appId: 1,
  published: null,
  ...over,
});
const record = (id: number, over: Partial<LogRecord> = {}): LogRecord => ({
  id,
  appId: 1,
  organizationId: 1,
  dataSourceId: null,
  dataSourceEntryId: null,
  appNotificationId: null,
  sessionId: null,
  type: 'app.action.completed',
  data: { actionId: 5 },
  createdAt: '2026-11-20T10:00:00.000Z',
  ...over,
});
const ids = (rows: readonly { id: number }[]) => rows.map(({ id }) => id);

describe('the rows of the table', () => {
  const nested = {
    type: 'if',
    conditions: [{ condition: 'x', functions: [{ function: 'com.acme.function.deep' }] }],
    elseFunctions: [null, 'nonsense', { functionPackage: 7 }],
  };
  const all = [
    action(2, {
      name: 'beta',
      nextRunAt: '2026-11-21T00:00:00Z',
      frequency: '0 0 * * *',
      published: { ...copy, triggers: [], functions: [] },
    }),
    action(1, { name: 'Alpha', triggers: [{ trigger: 'log' }], functions: [nested] }),
    action(30, { name: 'alpha-2', nextRunAt: '2026-11-20T00:00:00Z', active: false }),
  ];
  const rows = (query: string, by: ActionColumn = 'id', descending = false) =>
    ids(actionRows(all, query, { by, descending }));

  it('match by name, ID, trigger, and package (also nested) when every word matches', () => {
    expect(rows('ALPHA')).toEqual([1, 30]);
    expect(rows('30')).toEqual([30]);
    expect(rows('log')).toEqual([1]);
    expect(rows('function.deep alpha')).toEqual([1]);
    expect(rows('function.deep beta')).toEqual([]);
  });

  it.each<[ActionColumn, number[], number[]]>([
    ['name', [1, 30, 2], [2, 30, 1]],
    ['id', [1, 2, 30], [30, 2, 1]],
    ['active', [2, 1, 30], [30, 2, 1]],
    ['nextRunAt', [30, 2, 1], [2, 30, 1]],
    ['publication', [2, 1, 30], [1, 30, 2]],
    ['frequency', [2, 1, 30], [2, 1, 30]],
    ['triggers', [1, 2, 30], [2, 30, 1]],
  ])('are sorted by %s, with missing values last and ties in the platform’s order', (column, up, down) => {
    expect(rows('', column)).toEqual(up);
    expect(rows('', column, true)).toEqual(down);
  });

  it('of 100,000 actions are searched and sorted without delay', () => {
    const many = Array.from({ length: 100_000 }, (_, n) => action(n, { name: `action-${(n * 7919) % 100_000}` }));
    const took = cpuTime(() => {
      expect(actionRows(many, 'action-99', { by: 'name', descending: false })).toHaveLength(1111);
      actionRows(many, '', { by: 'publication', descending: true });
    });
    expect(took).toBeLessThan(1_000);
  });
});

describe('the publication of an action', () => {
  const published = {
    ...copy,
    triggers: [...copy.triggers],
    functions: [{ functionPackage: 'p.one', settings: { a: 1 } }, { functionPackage: 'p.two' }],
  };

  it('is “published” when both copies are equal, ignoring the order of keys and an unreported name', () => {
    expect(publicationOf(action(1))).toBe('unpublished');
    expect(publicationOf(action(1, { published: undefined }))).toBe('unknown');
    expect(
      publicationOf(
        action(1, {
          ...published,
          functions: [{ settings: { a: 1 }, functionPackage: 'p.one' }, { functionPackage: 'p.two' }],
          published,
          name: 'other',
        }),
      ),
    ).toBe('published');
    expect(publicationOf(action(1, { ...published, active: false, published }))).toBe('changed');
    expect(publicationOf(action(1, { ...published, name: 'same', published: { ...published, name: 'same' } }))).toBe(
      'published',
    );
    expect(publicationOf(action(1, { ...published, name: 'new', published: { ...published, name: 'old' } }))).toBe(
      'changed',
    );
    expect(publicationOf(action(1, { ...published, published: { ...published, timezone: null } }))).toBe('published');
  });

  it('lists the changes, with an inserted step as one addition', () => {
    const changed = action(1, {
      ...published,
      timezone: 'Asia/Tokyo',
      functions: [
        { type: 'loop', items: 'x' },
        { functionPackage: 'p.one', settings: { a: 2 } },
        { functionPackage: 'p.two' },
      ],
      published,
    });
    const changes = publicationChanges(changed);
    expect(changes).toContainEqual({ kind: 'changed', path: '/timezone', before: 'UTC', after: 'Asia/Tokyo' });
    expect(changes.map(({ path }) => path).filter((path) => path.startsWith('/functions/2'))).toEqual([]);
    expect(
      publicationChanges(
        action(1, { ...published, functions: [{ functionPackage: 'p.zero' }, ...published.functions], published }),
      ),
    ).toEqual([{ kind: 'added', path: '/functions/0', after: { functionPackage: 'p.zero' } }]);
    expect(
      publicationChanges(action(1, { ...published, name: 'new', published: { ...published, name: 'old' } })),
    ).toEqual([{ kind: 'changed', path: '/name', before: 'old', after: 'new' }]);
    expect(publicationChanges(action(1, { ...published, name: 'new', published }))).toEqual([]);
    expect(publicationChanges(action(1))).toEqual([]);
  });

  it('says what publishing would change for live apps', () => {
    expect(publicationSummary(action(1))).toContain('Live apps can’t use this action yet');
    expect(publicationSummary(action(1, { active: false }))).toContain('inactive');
    expect(publicationSummary(action(1, { ...published, published }))).toContain(
      'Unpublishing immediately stops the action’s runs, schedule, and log triggers.',
    );
    const inactive = action(1, { ...published, active: false, published });
    expect(publicationSummary(inactive)).toBe(
      'This action is inactive, but its published copy is still live: its runs, schedule, and log triggers continue. ' +
        'Publish to stop them.',
    );
    expect(
      publicationSummary(action(1, { ...published, active: false, published: { ...published, active: false } })),
    ).toContain('This action is inactive, so it won’t run there.');
    expect(publicationSummary(action(1, { ...published, published: { ...published, active: false } }))).toContain(
      'The published copy is inactive, so it doesn’t run there.',
    );
  });
});

it('describes JSON of the platform completely, including a __proto__ key', () => {
  const text = '{"a":[1,null,true,"x"],"__proto__":{"b":{}}}';
  expect(toJson(describeJson(JSON.parse(text)))).toBe(text);
});

it('remembers the open tab across panels, and opens Run instead of an unknown one', () => {
  const saved = new Map<string, string>();
  const memory = {
    getItem: (key: string) => saved.get(key) ?? null,
    setItem: (key: string, value: string) => void saved.set(key, value),
  };
  createTabs(memory).open('actions');
  expect(createTabs(memory).current.value).toBe('actions');
  for (const key of saved.keys()) saved.set(key, 'gone');
  expect(createTabs(memory).current.value).toBe('run');
});

type ApiResponse = (takes: never) => Result<unknown> | Promise<Result<unknown>>;
function world(responses: Partial<Record<MessageName, ApiResponse>>) {
  const sent: [MessageName, Record<string, unknown>][] = [];
  const send = (async (name: MessageName, takes: never) => {
    sent.push([name, takes]);
    return responses[name]?.(takes);
  }) as Send;
  const app = { current: { environmentId: 'e', appId: 1 } as { environmentId: string; appId: number } | null };
  return {
    send,
    sent,
    app,
    of: () => app.current && new RestActions(send, app.current),
    names: () => sent.map(([name]) => name),
  };
}
const refusal = { ok: false, error: { code: 'NOT_FOUND', message: 'There is no such thing.' } } as const;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe('an operation on an action', () => {
  it('points to the logs when the background worker stopped during a run', async () => {
    const error = { code: 'WORKER_UNREACHABLE', message: 'It stopped.', hint: 'Look.' };
    const { of } = world({
      'actions.run': () => ({ ok: false, error }),
      'actions.runWithResult': () => ({ ok: false, error }),
    });
    const work = new ActionWork(of, ALWAYS_ALLOWED, () => Promise.resolve());
    await work.run(action(5), {});
    await work.runWithResult(action(6), {});
    for (const shown of [work.of(5).error, (work.of(6).run as { error: object }).error])
      expect(shown).toEqual({
        ...error,
        hint: expect.stringMatching(/^Check the logs before you run the action again/),
      });
  });

  it('publishes the revision that was shown, and unpublishes without one', async () => {
    const { of, sent } = world({ 'actions.publish': () => ({ ok: true, value: action(5) }) });
    const work = new ActionWork(of, ALWAYS_ALLOWED, () => Promise.resolve());
    await work.publish(action(5, { revision: 3 }), true);
    await work.publish(action(5, { revision: 3 }), false);
    expect(sent.map(([, takes]) => takes)).toEqual([
      { environmentId: 'e', appId: 1, actionId: 5, publish: true, revision: 3 },
      { environmentId: 'e', appId: 1, actionId: 5, publish: false },
    ]);
  });

  it('refreshes the list afterward, also after a refusal', async () => {
    const { of, sent } = world({
      'actions.publish': () => ({ ok: true, value: action(5) }),
      'actions.remove': () => refusal,
    });
    const refreshed = vi.fn(() => Promise.resolve());
    const work = new ActionWork(of, ALWAYS_ALLOWED, refreshed);
    expect(await work.publish(action(5), true)).toBe(true);
    expect(sent).toEqual([['actions.publish', { environmentId: 'e', appId: 1, actionId: 5, publish: true }]]);
    expect(await work.remove(action(5))).toBe(false);
    expect(work.of(5)).toMatchObject({ busy: null, error: { code: 'NOT_FOUND' } });
    expect(refreshed).toHaveBeenCalledTimes(2);
  });

  it('runs once, however often it is requested', async () => {
    const held = Promise.withResolvers<Result<unknown>>();
    const { of, sent } = world({ 'actions.publish': () => held.promise });
    const work = new ActionWork(of, ALWAYS_ALLOWED, () => Promise.resolve());
    const first = work.publish(action(5), true);
    expect(work.of(5).busy).toBe('publish');
    expect(await work.publish(action(5), false)).toBe(false);
    held.resolve({ ok: true, value: action(5) });
    expect(await first).toBe(true);
    expect(sent).toHaveLength(1);
  });

  it('shows the ID of a queued run, then its log record', async () => {
    let looks = 0;
    const { of, sent } = world({
      'actions.run': () => ({ ok: true, value: { runId: 'r1' } }),
      'logs.list': () => ({ ok: true, value: { count: 0, logs: ++looks < 3 ? [] : [record(7)] } }),
    });
    const work = new ActionWork(of, ALWAYS_ALLOWED, () => Promise.resolve());
    const running = work.run(action(5), { a: 1 });
    await vi.advanceTimersByTimeAsync(0);
    expect(work.of(5).run).toMatchObject({ kind: 'queued', runId: 'r1', record: null });
    await vi.advanceTimersByTimeAsync(5_000);
    await running;
    expect(work.of(5).run).toMatchObject({ kind: 'queued', record: { id: 7 } });
    expect(sent[1]).toEqual([
      'logs.list',
      { environmentId: 'e', appId: 1, query: { id: 5, limit: 1, where: { data: { runId: 'r1' } } } },
    ]);
    expect(looks).toBe(3);
  });

  it('runs with the mocks that are on, and says how many they were', async () => {
    const asked: string[] = [];
    const { of, sent } = world({
      'actions.run': () => ({ ok: true, value: { runId: 'r1' } }),
      'actions.runWithResult': () => ({ ok: true, value: { result: 1, milliseconds: 2 } }),
      'logs.list': () => ({ ok: true, value: { count: 0, logs: [record(7)] } }),
    });
    const guard: Guard = { allow: (_id, { effect, harmless }, work) => (asked.push(effect, String(harmless)), work()) };
    const work = new ActionWork(of, guard, () => Promise.resolve());
    const mocks = [{ target: { package: 'com.platform.function.send-email' }, outcome: {} }];
    const mailing = action(5, { functions: [{ functionPackage: 'com.platform.function.send-email' }] });
    await work.runWithResult(mailing, {}, mocks);
    expect(work.of(5).run).toMatchObject({ kind: 'result', mocks: 1 });
    const running = work.run(mailing, {}, mocks);
    await vi.advanceTimersByTimeAsync(5_000);
    await running;
    expect(work.of(5).run).toMatchObject({ kind: 'queued', mocks: 1 });
    expect(sent.slice(0, 2).map(([name, takes]) => [name, (takes as { mocks: unknown }).mocks])).toEqual([
      ['actions.runWithResult', mocks],
      ['actions.run', mocks],
    ]);
    const effect =
      '1 mock is on. Mocked: send-email. No function really runs. ' +
      'If the action was saved since the list was loaded, that version runs.';
    // The working copy may call another function by now, so such a run is never free of questions.
    expect(asked).toEqual([effect, 'undefined', effect, 'undefined']);
  });

  it('stops polling for a log record after the longest possible run', async () => {
    const { of } = world({
      'actions.run': () => ({ ok: true, value: { runId: 'r1' } }),
      'logs.list': () => ({ ok: true, value: { count: 0, logs: [] } }),
    });
    const work = new ActionWork(of, ALWAYS_ALLOWED, () => Promise.resolve());
    void work.run(action(5), {});
    await vi.advanceTimersByTimeAsync(200_000);
    expect(work.of(5).run).toMatchObject({ kind: 'queued', record: null, error: { code: 'RECORD_MISSING' } });
  });

  it('keeps the error if the log couldn’t be read', async () => {
    const error = { code: 'ACCESS_DENIED', message: 'No.' };
    const { of } = world({
      'actions.run': () => ({ ok: true, value: { runId: 'r1' } }),
      'logs.list': () => ({ ok: false, error }),
    });
    const work = new ActionWork(of, ALWAYS_ALLOWED, () => Promise.resolve());
    void work.run(action(5), {});
    await vi.advanceTimersByTimeAsync(200_000);
    expect(work.of(5).run).toMatchObject({ kind: 'queued', record: null, error });
  });

  it('shows results and failures, except of a run that is no longer awaited', async () => {
    const held = Promise.withResolvers<Result<unknown>>();
    const responses: (Result<unknown> | Promise<Result<unknown>>)[] = [
      { ok: true, value: { result: { n: 1 }, milliseconds: 12 } },
      {
        ok: false,
        error: { code: 'ACTION_FAILED', message: 'No.', failure: { errorType: 'E', errorMessage: 'm', trace: ['/0'] } },
      },
      held.promise,
    ];
    const { of } = world({ 'actions.runWithResult': () => responses.shift()! });
    const work = new ActionWork(of, ALWAYS_ALLOWED, () => Promise.resolve());
    await work.runWithResult(action(5), {});
    expect(work.of(5).run).toMatchObject({ kind: 'result', json: '{"n":1}', milliseconds: 12 });
    await work.runWithResult(action(5), {});
    expect(work.of(5).run).toMatchObject({ kind: 'failed', error: { failure: { trace: ['/0'] } } });
    const waiting = work.runWithResult(action(5), {});
    expect(work.of(5).run?.kind).toBe('waiting');
    work.stopWaiting(action(5));
    held.resolve({ ok: true, value: { result: 1, milliseconds: 1 } });
    await waiting;
    expect(work.of(5).run?.kind).toBe('detached');
  });

  it('isn’t shown in another app', async () => {
    const { of, app } = world({ 'actions.publish': () => refusal });
    const work = new ActionWork(of, ALWAYS_ALLOWED, () => Promise.resolve());
    const publishing = work.publish(action(5), true);
    app.current = { environmentId: 'e', appId: 2 };
    work.reset();
    await publishing;
    expect(work.of(5)).toEqual({ busy: null, error: null, run: null });
  });

  it('says why an action can’t run on the platform', () => {
    expect(cannotRunHere(action(1))).toBeNull();
    expect(cannotRunHere(action(1, { active: false }))).toContain('Activate');
    expect(cannotRunHere(action(1, { environment: 'client' }))).toContain('client');
    expect(cannotRunHere(action(1, { triggers: [{ trigger: 'log' }] }))).toContain('manual');
  });
});

describe('the log of an app', () => {
  /** A fake platform with log records. */
  function platform(held: LogRecord[]) {
    const state = { held, failing: false };
    const made = world({
      'logs.list': ({
        query,
      }: {
        query: { limit: number; before?: number | null; type?: string; where?: Record<string, unknown> };
      }) => {
        if (state.failing) return { ok: false, error: { code: 'PLATFORM_UNREACHABLE', message: 'Down.' } };
        const isOfType = ({ type }: LogRecord): boolean =>
          query.type ? type === query.type : query.where !== undefined || RUN_LOG_TYPES.includes(type);
        const fitting = state.held
          .filter((one) => isOfType(one) && whereMismatches(query.where ?? {}, one).length === 0)
          .toSorted((a, b) => b.id - a.id);
        return {
          ok: true,
          value: {
            count: fitting.length,
            logs: fitting.filter(({ id }) => query.before == null || id < query.before).slice(0, query.limit),
          },
        };
      },
    });
    return { ...made, state, logs: new Logs(made.of) };
  }
  const many = (count: number) => Array.from({ length: count }, (_, n) => record(n + 1));
  const settle = () => vi.advanceTimersByTimeAsync(0);

  it('loads when first shown, newest first, with older pages on demand', async () => {
    const { logs, sent } = platform(many(250));
    await settle();
    expect(sent).toEqual([]);
    logs.setVisible(true);
    await settle();
    expect(logs.count.value).toBe(250);
    expect(logs.loadedCount.value).toBe(100);
    expect(logs.records.value[0]?.id).toBe(250);
    await logs.loadOlder();
    await logs.loadOlder();
    await logs.loadOlder();
    expect(ids(logs.records.value)).toEqual(Array.from({ length: 250 }, (_, n) => 250 - n));
    expect(sent).toHaveLength(3);
  });

  it('requests the results of runs, one type, or everything, and nothing with an invalid where filter', async () => {
    const { logs, sent } = platform([]);
    logs.setVisible(true);
    for (const change of [
      { type: 'app.publish' },
      { type: '*' },
      { where: '{"id": 3}' },
      { where: '[3' },
      { type: '', where: '', actionId: 5 },
    ])
      logs.setFilters(change);
    await settle();
    expect(sent.map(([, { query }]) => query)).toEqual([
      { id: null, limit: 100, before: null },
      { id: null, type: 'app.publish', limit: 100, before: null },
      { id: null, where: {}, limit: 100, before: null },
      { id: null, where: { id: 3 }, limit: 100, before: null },
      { id: 5, limit: 100, before: null },
    ]);
    logs.setFilters({ where: '"x"' });
    expect(logs.whereProblem.value).toContain('JSON object');
  });

  it('requests an outcome and a time range, whose limits stay the same for older pages', async () => {
    vi.setSystemTime('2026-11-23T12:00:00.000Z');
    const { logs, sent } = platform(many(250).map((one) => ({ ...one, createdAt: '2026-11-23T11:30:00.000Z' })));
    logs.setFilters({ outcome: 'completed', time: { last: 3_600_000 } });
    await settle();
    vi.setSystemTime('2026-11-23T12:10:00.000Z');
    await logs.loadOlder();
    const from = '2026-11-23T11:00:00.000Z';
    expect(sent.map(([, { query }]) => query)).toEqual([
      { id: null, outcome: 'completed', from, limit: 100, before: null },
      { id: null, outcome: 'completed', from, limit: 100, before: 151 },
    ]);
    expect([logs.loadedCount.value, logs.isFiltered.value]).toEqual([200, true]);
  });

  it('requests nothing with a time range that isn’t one', async () => {
    const { logs, sent } = platform([]);
    logs.setFilters({ time: { from: '2026-11-23 12:00', to: '2026-11-23 12:00' } });
    await settle();
    expect([sent, logs.timeProblem.value]).toEqual([[], '“To” must be later than “From”.']);
    for (const from of ['yesterday', '2026-13-01', '2026-02-31', '14:03', '2026-11-23 14:03Z']) {
      logs.setFilters({ time: { from, to: '' } });
      expect(logs.timeProblem.value).toBe('“From” must be a time such as 2026-11-23 14:03.');
    }
    logs.setFilters({ time: { from: '2026-11-23', to: ' 2026-11-24T08:00:30 ' } });
    expect(logs.timeProblem.value).toBeNull();
  });

  it('takes the last hour from the platform’s clock', async () => {
    const { of, sent } = platform([]);
    const logs = new Logs(of, { now: () => Date.parse('2030-01-01T05:00:00.000Z') });
    logs.setFilters({ time: { last: 3_600_000 } });
    await settle();
    expect(sent[0]![1]).toMatchObject({ query: { from: '2030-01-01T04:00:00.000Z' } });
  });

  it('filters the loaded records if the platform can’t, and asks it for all of them', async () => {
    const held = [
      record(1, { type: 'app.task.failed', createdAt: '2026-11-23T10:00:00.000Z' }),
      record(2, { createdAt: '2026-11-23T10:00:00.000Z' }),
      record(3, { createdAt: '2026-11-23T09:59:59.999Z' }),
      record(4, { createdAt: '2026-11-23T11:00:00.000Z' }),
    ];
    const { of, sent } = platform(held);
    const logs = new Logs(() => {
      const rest = of();
      return rest && Object.assign(rest, { cannot: { ...rest.cannot, logFilters: 'Loaded records only.' } });
    });
    const local = (text: string): string => {
      const time = new Date(text);
      return new Date(time.getTime() - time.getTimezoneOffset() * 60_000).toISOString().slice(0, 16).replace('T', ' ');
    };
    const time = { from: local('2026-11-23T10:00:00Z'), to: local('2026-11-23T11:00:00Z') };
    logs.setFilters({ outcome: 'completed', time });
    await settle();
    expect(ids(logs.records.value)).toEqual([2]);
    expect(sent).toMatchObject([[expect.any(String), { query: { id: null, limit: 100, before: null } }]]);
    expect(sent[0]![1]).not.toHaveProperty('query.from');
  });

  it('lists only runs with a where filter, in pages, sorted and counted', async () => {
    const types = [...RUN_LOG_TYPES, 'my.own'];
    const { logs } = platform(
      Array.from({ length: 600 }, (_, n) => record(n + 1, { type: types[n % 4]!, data: { foo: n % 3 } })),
    );
    const expected = Array.from({ length: 600 }, (_, n) => 600 - n).filter(
      (id) => (id - 1) % 4 !== 3 && (id - 1) % 3 === 1,
    );
    logs.setVisible(true);
    logs.setFilters({ where: '{"data": {"foo": 1}}' });
    await settle();
    expect(logs.count.value).toEqual(expected.length);
    expect(ids(logs.records.value)).toEqual(expected.slice(0, 100));
    await logs.loadOlder();
    await logs.loadOlder();
    expect(ids(logs.records.value)).toEqual(expected);
    logs.setFilters({ where: '{"type": "my.own"}' });
    await settle();
    expect(logs.count.value).toBe(0);
    expect(ids(logs.records.value)).toEqual([]);
  });

  it('reports the error of one of the types when it lists runs with a where filter', async () => {
    const { of } = world({
      'logs.list': ({ query }: { query: { type?: string } }) =>
        query.type === 'app.task.failed'
          ? { ok: false, error: { code: 'PLATFORM_UNREACHABLE', message: 'Down.' } }
          : { ok: true, value: { count: 0, logs: [] } },
    });
    const logs = new Logs(of);
    logs.setVisible(true);
    logs.setFilters({ where: '{"data": {}}' });
    await settle();
    expect(logs.error.value?.code).toBe('PLATFORM_UNREACHABLE');
    expect(logs.count.value).toBe(null);
  });

  it('reloads when it is shown again, and reports when it was loaded', async () => {
    const { logs, state, sent } = platform(many(150));
    logs.setVisible(true);
    await settle();
    await logs.loadOlder();
    expect(logs.loadedAt.value).toBe(Date.now());
    logs.setVisible(false);
    await vi.advanceTimersByTimeAsync(60_000);
    state.held = many(152);
    logs.setVisible(true);
    await settle();
    expect(logs.count.value).toBe(152);
    expect(ids(logs.records.value)).toEqual(Array.from({ length: 152 }, (_, n) => 152 - n));
    expect(logs.newAfterId.value).toBe(150);
    expect(logs.loadedAt.value).toBe(Date.now());
    logs.setVisible(false);
    const before = sent.length;
    logs.setFilters({ type: 'app.publish' });
    logs.setVisible(true);
    await settle();
    expect(sent).toHaveLength(before + 1);
  });

  it('keeps both records when they arrive in the wrong order', async () => {
    const { logs, state } = platform(many(3));
    logs.setVisible(true);
    await settle();
    state.held = [...many(3), record(5)];
    await logs.refresh();
    state.held = many(5);
    logs.setLive(true);
    await settle();
    expect(ids(logs.records.value)).toEqual([5, 4, 3, 2, 1]);
  });

  it('ignores responses from before the filters changed', async () => {
    const held = [Promise.withResolvers<Result<unknown>>(), Promise.withResolvers<Result<unknown>>()];
    let requestCount = 0;
    const { of } = world({ 'logs.list': () => held[requestCount++]!.promise });
    const logs = new Logs(of);
    logs.setVisible(true);
    logs.setFilters({ type: 'app.publish' });
    held[1]!.resolve({ ok: true, value: { count: 1, logs: [record(2)] } });
    await settle();
    held[0]!.resolve({ ok: true, value: { count: 1, logs: [record(1)] } });
    await settle();
    expect(ids(logs.records.value)).toEqual([2]);
  });

  it('polls every two seconds when live, adds new records first, and stops while hidden', async () => {
    const { logs, state, sent } = platform(many(3));
    logs.setVisible(true);
    logs.setLive(true);
    await settle();
    state.held = many(5);
    await vi.advanceTimersByTimeAsync(2_000);
    expect(ids(logs.records.value)).toEqual([5, 4, 3, 2, 1]);
    expect(logs.newAfterId.value).toBe(3);
    logs.setVisible(false);
    const before = sent.length;
    await vi.advanceTimersByTimeAsync(60_000);
    expect(sent).toHaveLength(before);
    logs.setVisible(true);
    await settle();
    expect(sent).toHaveLength(before + 1);
    logs.setLive(false);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(sent).toHaveLength(before + 1);
  });

  it('shows only the newest page when live and more records are new than a page holds', async () => {
    const { logs, state } = platform(many(3));
    logs.setVisible(true);
    await settle();
    state.held = many(300);
    logs.setLive(true);
    await settle();
    expect(logs.loadedCount.value).toBe(100);
    expect(logs.records.value[0]?.id).toBe(300);
    await logs.loadOlder();
    expect(ids(logs.records.value)).toEqual(Array.from({ length: 200 }, (_, n) => 300 - n));
  });

  it('polls less and less often while the platform is down, and recovers with its records', async () => {
    const { logs, state, sent } = platform(many(3));
    logs.setVisible(true);
    await settle();
    state.failing = true;
    logs.setLive(true);
    await settle();
    const before = sent.length;
    await vi.advanceTimersByTimeAsync(60_000);
    expect(sent.length - before).toBeLessThanOrEqual(5);
    expect(logs.error.value?.code).toBe('PLATFORM_UNREACHABLE');
    expect(logs.loadedCount.value).toBe(3);
    state.failing = false;
    state.held = many(4);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(logs.error.value).toBe(null);
    expect(logs.records.value[0]?.id).toBe(4);
  });

  it('loads smaller pages when records are large', async () => {
    const held = many(40).toReversed();
    const limits: number[] = [];
    const { of } = world({
      'logs.list': ({ query: { limit, before } }: { query: { limit: number; before: number | null } }) => {
        limits.push(limit);
        if (limit > 8) return { ok: false, error: { code: 'ANSWER_TOO_LARGE', message: 'Too large.' } };
        return {
          ok: true,
          value: { count: 40, logs: held.filter(({ id }) => before === null || id < before).slice(0, limit) },
        };
      },
    });
    const logs = new Logs(of);
    logs.setVisible(true);
    await settle();
    expect(logs.loadedCount.value).toBe(7);
    expect(logs.error.value).toBe(null);
    expect(limits).toEqual([100, 25, 7]);
    await logs.loadOlder();
    expect(ids(logs.records.value)).toEqual(Array.from({ length: 14 }, (_, n) => 40 - n));
    expect(limits.at(-1)).toBe(7);
  });

  it('reports a single record that is too large', async () => {
    const { of } = world({
      'logs.list': () => ({ ok: false, error: { code: 'ANSWER_TOO_LARGE', message: 'Too large.' } }),
    });
    const logs = new Logs(of);
    logs.setVisible(true);
    await settle();
    expect(logs.error.value?.code).toBe('ANSWER_TOO_LARGE');
  });

  it('searches the loaded records', async () => {
    const { logs } = platform([record(1, { data: { note: 'Lamp broken' } }), record(2)]);
    logs.setVisible(true);
    await settle();
    logs.setFilters({ query: 'lamp BROKEN' });
    expect(ids(logs.records.value)).toEqual([1]);
  });

  it('summarizes why a run failed, and provides its payload', () => {
    const failed = record(1, {
      type: 'app.task.failed',
      data: {
        mode: 'on-demand',
        actionId: 5,
        payload: { a: 1 },
        result: { errorType: 'TypeError', errorMessage: 'x is not a function', trace: ['/0'] },
      },
    });
    expect(summaryOf(failed)).toBe('TypeError: x is not a function');
    expect(failureOf(failed)?.trace).toEqual(['/0']);
    expect(payloadOf(failed)).toBe('{\n  "a": 1\n}');
    expect(payloadOf(record(1))).toBe(null);
    expect(failureOf(record(1))).toBe(null);
    const odd = { errorType: { toString: 1 }, errorMessage: [{ toString: 1 }] };
    expect(failureOf({ ...failed, data: { result: odd } })?.message).toBe('{"toString":1}: [{"toString":1}]');
    expect(summaryOf(record(1))).toBe('');
    expect(
      summaryOf(
        record(1, {
          type: 'app.task.completed',
          data: { mode: 'scheduled', actionId: 5, dueAt: '2026-11-20T10:00:00.000Z', result: 'x' },
        }),
      ),
    ).toBe('{"result":"x"}');
    expect(summaryOf(record(1, { type: 'dataSource.entry.create', data: { columns: ['Email'] } }))).toBe(
      '{"columns":["Email"]}',
    );
    for (const data of [{ result: null }, { result: 'x' }, { result: [] }])
      expect(() => summaryOf(record(1, { type: 'app.task.failed', data }))).not.toThrow();
  });
});
