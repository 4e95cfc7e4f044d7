/** Builds the trace of a run, and the context at any of its steps, from the agent’s events. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type {
  AgentEvent,
  AgentEventBody,
  Change,
  RemoteValue,
} from '../../../../../lib/extension/inspector/contract.ts';
import { contextDifferences, contextsOf, withNested } from '../../../../../lib/extension/panel/run/context-changes.ts';
import {
  addEvents,
  contextAfter,
  endTrace,
  SNAPSHOT_INTERVAL,
} from '../../../../../lib/extension/panel/run/build-trace.ts';
import { attemptText, editedText } from '../../../../../lib/extension/panel/run/debug/edits.ts';
import { createTrace, TRACE_LIMITS } from '../../../../../lib/extension/panel/run/trace.ts';
import { toJson } from '../../../../../lib/extension/panel/shared/value-json.ts';
import { remote } from './remote.ts';

const tell = (bodies: (AgentEventBody & { at: number })[]): AgentEvent[] =>
  bodies.map((body, index) => ({ ...body, n: index + 1, runId: 'r' }) as AgentEvent);
const started = (
  step: number,
  parent: number | null,
  path: string,
  kind: 'function' | 'loop' | 'if',
  iteration: number[],
  at: number,
  changes?: Change[],
): AgentEventBody & { at: number } => ({
  kind: 'step-started',
  step,
  parent,
  path,
  iteration,
  stepKind: kind,
  name: kind === 'function' ? 'com.example.function.one' : kind,
  settings: remote({}),
  at,
  changes,
});
const ended = (
  step: number,
  at: number,
  state: 'completed' | 'failed' | 'skipped',
  changes: Change[] = [],
  more: object = {},
): AgentEventBody & { at: number } => ({ kind: 'step-ended', step, state, changes, at, ...more });
const start = (context: unknown): AgentEventBody & { at: number } => ({
  kind: 'run-started',
  tracing: 'observed',
  payload: remote({}),
  context: remote(context),
  startedAt: 1000,
  at: 0,
});

/** A loop of three with a condition inside, whose second iteration runs the branch and whose third fails. */
const LOOP = tell([
  start({ records: [1, 2, 3] }),
  started(1, null, '/0', 'loop', [], 1),
  started(2, 1, '/0/functions/0', 'if', [0], 2, [{ path: '/currentItem', after: remote(1) }]),
  ended(2, 3, 'completed', [], { branch: null }),
  started(3, 1, '/0/functions/0', 'if', [1], 4, [{ path: '/currentItem', before: remote(1), after: remote(2) }]),
  started(4, 3, '/0/functions/0/conditions/0/functions/0', 'function', [1], 5),
  ended(4, 8, 'completed', [{ path: '/sum', after: remote(2) }]),
  ended(3, 9, 'completed', [], { branch: 0 }),
  started(5, 1, '/0/functions/0', 'if', [2], 10, [{ path: '/currentItem', before: remote(2), after: remote(3) }]),
  started(6, 5, '/0/functions/0/conditions/0/functions/0', 'function', [2], 11),
  ended(6, 12, 'failed', [{ path: '/sum', before: remote(2), after: remote(5) }]),
  ended(5, 13, 'failed', [], { branch: 0 }),
  ended(1, 14, 'failed', [], { iterations: 3 }),
  { kind: 'run-ended', state: 'failed', milliseconds: 15, at: 15 },
]);
const items = (path: string) => (path === '/0' ? { items: 'records' } : null);
const loop = () => addEvents(createTrace('r', 0), LOOP, items);

describe('a flood of events', () => {
  const many = (count: number, body: (index: number) => AgentEventBody & { at: number }) =>
    Array.from({ length: count }, (_, index) => body(index));

  it('limits console lines and requests, and counts the rest', () => {
    const trace = addEvents(
      createTrace('r', 0),
      tell([
        start({}),
        ...many(TRACE_LIMITS.lines + 7, (at) => ({ kind: 'console', step: null, level: 'log', args: [], at })),
        ...many(TRACE_LIMITS.requests + 3, (at) => ({
          kind: 'request-started',
          step: null,
          request: at,
          method: 'GET',
          url: '/',
          at,
        })),
        ...many(TRACE_LIMITS.requests + 3, (at) => ({ kind: 'request-ended', request: at, status: 200, bytes: 1, at })),
      ]),
    );
    expect(trace.console.length).toBe(TRACE_LIMITS.lines);
    expect(trace.requests.size).toBe(TRACE_LIMITS.requests);
    expect(trace.omitted).toEqual({ lines: 7, requests: 3, changes: 0 });
  });

  it('limits changes, and still has the right context at the end', () => {
    const changes = Array.from({ length: TRACE_LIMITS.changes + 5 }, (_, n): Change => ({
      path: '/n',
      after: remote(n),
    }));
    const trace = addEvents(
      createTrace('r', 0),
      tell([start({}), started(1, null, '/0', 'function', [], 1), ended(1, 2, 'completed', changes)]),
    );
    expect(trace.changes.length).toBe(TRACE_LIMITS.changes);
    expect(trace.omitted.changes).toBe(5);
    expect(toJson(trace.context)).toContain(String(TRACE_LIMITS.changes + 4));
  });
});

describe('a trace', () => {
  it('is the same whether its events arrive together or one by one', () => {
    const single = createTrace('r', 0);
    for (const event of LOOP) addEvents(single, [event], items);
    expect(single).toEqual(loop());
  });

  it('ignores events of other runs', () => {
    expect(addEvents(createTrace('other', 0), LOOP).steps.size).toBe(0);
  });

  it('has the innermost step that failed first', () => {
    expect(loop()).toMatchObject({ state: 'failed', milliseconds: 15, failedStep: 6 });
  });

  it('sums up each path: state, count, failures, time', () => {
    const { paths } = loop();
    expect(paths.get('/0/functions/0/conditions/0/functions/0')).toEqual({
      state: 'failed',
      count: 2,
      failed: 1,
      milliseconds: 4,
      lastStart: 11,
    });
    expect(paths.get('/0')).toMatchObject({ state: 'failed', iterations: 3, total: 3 });
    expect(paths.get('/0/functions/0')?.branches?.get(0)).toEqual({ count: 2, state: 'failed' });
  });

  it.each([
    ['records', 3],
    ['context.records', 3],
    ['deep[0].list', 2],
    ['deep.list', 1],
    ['nothing', undefined],
  ])('has the number of items of a loop over %s', (path, total) => {
    const context = { records: [1, 2, 3], deep: [{ list: [1, 2] }], 'deep.list': [1] };
    const events = tell([start(context), started(1, null, '/0', 'loop', [], 1)]);
    const trace = addEvents(createTrace('r', 0), events, () => ({ items: path }));
    expect(trace.steps.get(1)?.total).toBe(total);
  });

  it('has no running step after an interruption, and doesn’t say how such steps ended', () => {
    const trace = addEvents(createTrace('r', 0), LOOP.slice(0, 6), items);
    expect(trace.steps.get(4)?.state).toBe('running');
    endTrace(trace, 'interrupted');
    const states = [...trace.steps.values()].map(({ state, end }) => `${state} ${end === null}`);
    expect(states).toEqual(['unstored true', 'completed false', 'unstored true', 'unstored true']);
    expect([...trace.paths.values()].some((path) => path.state === 'running')).toBe(false);
  });

  it('assigns console lines and requests to their step', () => {
    const trace = addEvents(
      createTrace('r', 0),
      tell([
        start({}),
        started(1, null, '/0', 'function', [], 1),
        { kind: 'console', step: 1, level: 'log', args: [remote('hello')], at: 2 },
        { kind: 'request-started', step: 1, request: 7, method: 'GET', url: 'http://localhost/', at: 3 },
        { kind: 'request-ended', request: 7, status: 200, bytes: 12, at: 9 },
      ]),
    );
    expect(trace.steps.get(1)).toMatchObject({ lines: 1, requests: 1 });
    expect(trace.requests.get(7)).toMatchObject({ step: 1, at: 3, end: 9, status: 200, bytes: 12 });
  });
});

describe('the context of a trace', () => {
  it('at a step is the initial context with all changes before it', () => {
    const trace = loop();
    const step = trace.steps.get(6) ?? null;
    const { before, after } = contextsOf(trace, step);
    expect(JSON.parse(toJson(before))).toEqual({ records: [1, 2, 3], currentItem: 3, sum: 2 });
    expect(JSON.parse(toJson(after))).toEqual({ records: [1, 2, 3], currentItem: 3, sum: 5 });
  });

  it('of a loop includes the changes of nested steps', () => {
    const trace = loop();
    expect(contextDifferences(trace, trace.steps.get(1) ?? null)).toEqual([
      { path: '/currentItem', kind: 'added', before: undefined, after: remote(3) },
      { path: '/sum', kind: 'added', before: undefined, after: remote(5) },
    ]);
    expect([...(withNested(trace, trace.steps.get(5) ?? null) ?? [])]).toEqual([5, 6]);
  });

  type Plain = null | boolean | number | string | Plain[] | { [name: string]: Plain };
  const plain = fc.letrec<{ value: Plain }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 4 },
      fc.constant(null),
      fc.boolean(),
      fc.integer(),
      fc.string({ maxLength: 6 }),
      fc.array(tie('value'), { maxLength: 4 }),
      fc.dictionary(fc.oneof(fc.string({ maxLength: 3 }), fc.constantFrom('a/b', '~', '~1', '0', '')), tie('value'), {
        maxKeys: 4,
      }),
    ),
  })).value;
  const isObject = (value: unknown): value is Record<string, Plain> =>
    typeof value === 'object' && value !== null && !Array.isArray(value);

  /** The changes from one value to another, computed in the simplest way. */
  function changesFrom(before: Plain, after: Plain, path: string): Change[] {
    if (isObject(before) && isObject(after)) {
      const at = (name: string): string => `${path}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
      return [
        ...Object.keys(before)
          .filter((name) => !Object.hasOwn(after, name))
          .map((name): Change => ({ path: at(name), before: remote(before[name]) })),
        ...Object.keys(after).flatMap((name) =>
          Object.hasOwn(before, name)
            ? changesFrom(before[name] as Plain, after[name] as Plain, at(name))
            : [{ path: at(name), after: remote(after[name]) }],
        ),
      ];
    }
    if (Array.isArray(before) && Array.isArray(after)) {
      return [
        ...before
          .slice(after.length)
          .map((item, index): Change => ({ path: `${path}/${after.length + index}`, before: remote(item) }))
          .toReversed(),
        ...after.flatMap((item, index) =>
          index < before.length
            ? changesFrom(before[index] as Plain, item, `${path}/${index}`)
            : [{ path: `${path}/${index}`, after: remote(item) }],
        ),
      ];
    }
    return JSON.stringify(before) === JSON.stringify(after)
      ? []
      : [{ path, before: remote(before), after: remote(after) }];
  }
  const sorted = (value: RemoteValue): RemoteValue =>
    value.t === 'object'
      ? {
          ...value,
          entries: value.entries
            .map(([name, item]): [string, RemoteValue] => [name, sorted(item)])
            .sort(([a], [b]) => (a < b ? -1 : 1)),
        }
      : value.t === 'array'
        ? { ...value, items: value.items.map(sorted) }
        : value;

  it('is rebuilt from any changes, for any values and names', () => {
    fc.assert(
      fc.property(
        fc.array(fc.dictionary(fc.string({ maxLength: 3 }), plain, { maxKeys: 5 }), { minLength: 1, maxLength: 5 }),
        (contexts) => {
          const changes: Change[] = [];
          const after = [0];
          for (let index = 1; index < contexts.length; index++) {
            changes.push(...changesFrom(contexts[index - 1] as Plain, contexts[index] as Plain, ''));
            after.push(changes.length);
          }
          const initialContext = remote(contexts[0]);
          contexts.forEach((context, index) => {
            expect(sorted(contextAfter({ initialContext, changes, snapshots: [] }, after[index] ?? 0))).toEqual(
              sorted(remote(context)),
            );
          });
          expect(initialContext).toEqual(remote(contexts[0]));
        },
      ),
      { numRuns: 300 },
    );
  });

  it('is the same in a long run, where it’s rebuilt from a snapshot', () => {
    const trace = createTrace('r', 0);
    const changes = Array.from({ length: SNAPSHOT_INTERVAL * 2 + 3 }, (_, index): Change => ({
      path: `/${index % 7}`,
      after: remote(index),
    }));
    addEvents(trace, [
      {
        kind: 'run-started',
        n: 1,
        runId: 'r',
        at: 0,
        tracing: 'observed',
        payload: remote({}),
        context: remote({}),
        startedAt: 0,
      },
      ...changes.map((change, index): AgentEvent => ({
        kind: 'step-started',
        n: index + 2,
        runId: 'r',
        at: 0,
        step: index,
        parent: null,
        path: '/0',
        iteration: [],
        stepKind: 'function',
        name: 'f',
        settings: remote(null),
        changes: [change],
      })),
    ]);
    for (const count of [
      0,
      1,
      SNAPSHOT_INTERVAL - 1,
      SNAPSHOT_INTERVAL,
      SNAPSHOT_INTERVAL + 1,
      SNAPSHOT_INTERVAL * 2,
      changes.length,
    ]) {
      expect(contextAfter(trace, count)).toEqual(contextAfter({ ...trace, snapshots: [] }, count));
    }
    expect(contextAfter({ ...trace, changes: [] }, SNAPSHOT_INTERVAL)).toEqual(contextAfter(trace, SNAPSHOT_INTERVAL));
    expect(contextAfter(trace, changes.length)).toEqual(trace.context);
  });
});

it('has up to 20,000 entries of a growing array or object, and their number', () => {
  const growth = (path: (index: number) => string, context: object) => {
    const changes = Array.from({ length: 100 }, (_, index): Change => ({ path: path(index), after: remote(index) }));
    return addEvents(createTrace('r', 0), tell([start(context), started(1, null, '/0', 'function', [], 1, changes)]))
      .context;
  };
  const list = growth((index) => `/list/${19_950 + index}`, { list: Array.from({ length: 19_950 }, () => 0) });
  const object = growth(
    (index) => `/more${index}`,
    Object.fromEntries(Array.from({ length: 19_950 }, (_, index) => [`a${index}`, 0])),
  );
  expect(list).toMatchObject({ entries: [['list', { length: 20_050, items: { length: 20_000 } }]] });
  expect(object).toMatchObject({ size: 20_050, entries: { length: 20_000 } });
});

describe('what a run is debugged with', () => {
  const traceOf = (...events: (AgentEventBody & { at: number })[]) => addEvents(createTrace('r', 0), tell(events));
  it('knows its mocks, where it started, and why its breakpoints are ignored', () => {
    const debuggerError = { code: 'DEBUGGER_UNAVAILABLE', message: 'No breakpoints.' };
    const from = { path: '/1', iteration: [2] };
    const given = { mocks: 2, from, debuggerError };
    expect(traceOf({ ...start({}), ...given } as AgentEventBody & { at: number })).toMatchObject(given);
    expect(traceOf(start({}))).toMatchObject({ mocks: 0, from: null, debuggerError: null });
  });
  it('remembers that it was resumed because the panel was gone', () => {
    const paused = { kind: 'paused', pause: 1, step: 1, reason: 'breakpoint', at: 2 } as const;
    const step = started(1, null, '/0', 'function', [], 1);
    const resumed = (by: 'panel' | 'absence') =>
      traceOf(start({}), step, paused, { kind: 'resumed', pause: 1, by, at: 3 });
    expect(resumed('absence').resumedInAbsence).toBe(true);
    expect(resumed('panel').resumedInAbsence).toBe(false);
  });
});

describe('a step that was edited and retried during pauses', () => {
  const change = (path: string, before: unknown, after: unknown): Change => ({
    path,
    before: remote(before),
    after: remote(after),
  });
  const error = { code: null, errorType: 'Error', errorMessage: 'no', trace: [], path: '/0', iteration: [] };
  const events = tell([
    start({ qty: 99, tries: 0 }),
    started(1, null, '/0', 'function', [], 1),
    { kind: 'context-edited', step: 1, changes: [change('/qty', 99, 50)], at: 2 },
    { kind: 'paused', pause: 1, step: 1, reason: 'failure', error, canRetry: true, at: 3 },
    { kind: 'context-changed', step: 1, attempt: 1, changes: [change('/tries', 0, 1)], at: 4 },
    { kind: 'context-edited', step: 1, attempt: 1, changes: [change('/qty', 50, 5)], at: 5 },
    { kind: 'resumed', pause: 1, by: 'panel', at: 6 },
    { kind: 'step-retried', step: 1, attempt: 1, error, at: 7 },
    ended(1, 8, 'completed', [change('/tries', 1, 2)]),
  ]);

  it('has each edit apart from what its attempts changed, and is otherwise its last attempt', () => {
    const trace = addEvents(createTrace('r', 0), events.slice(0, 4));
    expect(trace.paused).toMatchObject({ canRetry: true });
    addEvents(trace, events.slice(4));
    const step = trace.steps.get(1)!;
    expect(step.edits).toMatchObject([{ path: '/qty', after: { v: 50 } }]);
    expect(step.attempts).toMatchObject([
      { error: { errorMessage: 'no' }, changes: [{ path: '/tries' }], edits: [{ path: '/qty', after: { v: 5 } }] },
    ]);
    expect(contextDifferences(trace, step)).toMatchObject([{ path: '/tries', before: { v: 1 }, after: { v: 2 } }]);
    expect(toJson(contextsOf(trace, step).before)).toBe('{"qty":5,"tries":1}');
    expect(editedText(step)).toBe('qty: 99 → 5, edited by you');
    expect(attemptText(step)).toBe('attempt 2');
  });

  it('that wasn’t retried has the context in which it failed, and its own changes only', () => {
    const trace = addEvents(createTrace('r', 0), [...events.slice(0, 6), ...tell([ended(1, 8, 'failed')])]);
    const step = trace.steps.get(1)!;
    expect(toJson(contextsOf(trace, step).before)).toBe('{"qty":50,"tries":0}');
    expect(contextDifferences(trace, step)).toMatchObject([{ path: '/tries', before: { v: 0 }, after: { v: 1 } }]);
    expect(attemptText(step)).toBe('');
  });

  it('takes numbers of attempts that a page made up', () => {
    const hostile = tell([
      start({}),
      started(1, null, '/0', 'function', [], 1),
      { kind: 'step-retried', step: 1, attempt: 4_000_000_000, error, at: 2 },
      { kind: 'step-retried', step: 1, attempt: 0, error, at: 2 },
      { kind: 'step-retried', step: 7, attempt: 1, error, at: 2 },
    ]);
    expect(addEvents(createTrace('r', 0), hostile).steps.get(1)!.attempts).toHaveLength(1);
  });
});

describe('the text of edits', () => {
  const edits = (...changes: Change[]) => editedText({ edits: changes, attempts: [] });

  it('says what was added, removed, and how much else', () => {
    expect(edits()).toBe('');
    expect(edits({ path: '/a/b', after: remote({ c: 1 }) })).toBe('a.b: {c: 1} added, edited by you');
    expect(edits({ path: '/a', before: remote(1) })).toBe('a removed, edited by you');
    const many = ['/a', '/b', '/c', '/d'].map((path): Change => ({ path, before: remote(1), after: remote(2) }));
    expect(edits(...many)).toBe('a: 1 → 2, b: 1 → 2, 2 more changes, edited by you');
  });
});
