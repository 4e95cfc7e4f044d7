/** Compares runs: what is the same, what differs, what differs first, and what is unknown. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type {
  AgentEvent,
  AgentEventBody,
  Change,
  RemoteValue,
} from '../../../../../lib/extension/inspector/contract.ts';
import { aspectsOf, detailRows } from '../../../../../lib/extension/panel/run/compare/compare-details.ts';
import {
  ancestorsOf,
  initiallyCollapsed,
  visibleRows,
} from '../../../../../lib/extension/panel/run/compare/compare-rows.ts';
import {
  comparedRun,
  compareInPauses,
  compareRuns,
  type ComparedRow,
  type Comparison,
} from '../../../../../lib/extension/panel/run/compare/compare-runs.ts';
import {
  changeDifferences,
  sameness,
  valueDifferences,
} from '../../../../../lib/extension/panel/run/compare/compare-values.ts';
import {
  detailText,
  comparedText,
  noDifferencesText,
  remarksOf,
} from '../../../../../lib/extension/panel/run/compare/describe-comparison.ts';
import { differenceTexts, locationText } from '../../../../../lib/extension/panel/run/compare/describe-differences.ts';
import { Compare, otherRuns, suggestedRun } from '../../../../../lib/extension/panel/run/compare/compare.ts';
import { VOLATILE_PATHS } from '../../../../../lib/extension/panel/run/compare/volatile/volatile-paths.ts';
import { Volatility } from '../../../../../lib/extension/panel/run/compare/volatile/volatility.ts';
import type { Recording } from '../../../../../lib/debugging/recording/format.ts';
import { MockDocument } from '../../../../../lib/extension/panel/run/mocks/mock-document.ts';
import type { RunRecord, RunStore } from '../../../../../lib/extension/panel/run/history/run-store.ts';
import { addEvents, endTrace } from '../../../../../lib/extension/panel/run/build-trace.ts';
import { createTrace, type RunState } from '../../../../../lib/extension/panel/run/trace.ts';
import { isExhaustive } from '../../../../support/exhaustive.ts';
import { remote } from './remote.ts';

type TestEvent = AgentEventBody & { at?: number };
const record = (more: Partial<RunRecord> = {}): RunRecord => ({
  id: 'a',
  subject: 's',
  title: 'App · action',
  number: 1,
  payload: '{}',
  startedAt: 1,
  state: 'completed',
  milliseconds: 1,
  tracing: 'observed',
  error: null,
  size: 1,
  cut: false,
  ...more,
});
const startRun = (tracing: 'observed' | 'wrapped' | 'bare' = 'observed'): TestEvent => ({
  kind: 'run-started',
  tracing,
  payload: remote({}),
  context: remote({}),
  startedAt: 1,
});
const start = (
  step: number,
  parent: number | null,
  path: string,
  more: Partial<Extract<TestEvent, { kind: 'step-started' }>> = {},
): TestEvent => ({
  kind: 'step-started',
  step,
  parent,
  path,
  iteration: [],
  stepKind: 'function',
  name: `com.example.function.f${path.replaceAll('/', '-')}`,
  settings: remote({}),
  ...more,
});
const end = (step: number, more: Partial<Extract<TestEvent, { kind: 'step-ended' }>> = {}): TestEvent => ({
  kind: 'step-ended',
  step,
  state: 'completed',
  changes: [],
  ...more,
});
const error = (message: string) => ({
  code: 'STEP_FAILED',
  errorType: 'TypeError',
  errorMessage: message,
  trace: [],
  path: '/0',
  iteration: [],
});

function run(
  bodies: TestEvent[],
  more: Partial<RunRecord> = {},
  ended: Partial<Extract<TestEvent, { kind: 'run-ended' }>> | RunState = {},
) {
  const all = [
    startRun(),
    ...bodies,
    ...(typeof ended === 'string'
      ? []
      : [{ kind: 'run-ended' as const, state: 'completed' as const, milliseconds: 1, ...ended }]),
  ];
  const events = all.map((body, index) => ({ at: index, ...body, n: index + 5, runId: 'r' }) as AgentEvent);
  const trace = addEvents(createTrace('r', 0), events);
  if (typeof ended === 'string') endTrace(trace, ended as 'stopped');
  return comparedRun(record({ state: trace.state, ...more }), trace);
}
const compared = (
  before: TestEvent[] | ReturnType<typeof run>,
  now: TestEvent[] | ReturnType<typeof run>,
): Comparison => compareRuns(Array.isArray(before) ? run(before) : before, Array.isArray(now) ? run(now) : now);
const rowAt = ({ rows }: Comparison, path: string, iteration = ''): ComparedRow => {
  const found = rows.find(
    (row) => (row.now ?? row.before)?.path === path && (row.now ?? row.before)?.iteration.join('.') === iteration,
  );
  if (!found) throw new Error(`There is no row of ${path} ${iteration}.`);
  return found;
};
const textAt = (comparison: Comparison, path: string, iteration?: string): string =>
  differenceTexts(comparison, rowAt(comparison, path, iteration)).join(' · ');
const first = (comparison: Comparison): string[] =>
  comparison.firsts.map(
    (id) =>
      `${locationText(comparison.rows[id] as ComparedRow)}: ${differenceTexts(comparison, comparison.rows[id] as ComparedRow)[0]}`,
  );

describe('comparing two values', () => {
  it('ignores handles and the order of names', () => {
    const text: RemoteValue = { t: 'string', v: 'a', length: 1, handle: 7 };
    expect(
      sameness(
        {
          t: 'object',
          size: 2,
          handle: 1,
          entries: [
            ['a', text],
            ['b', remote(1)],
          ],
        },
        {
          t: 'object',
          size: 2,
          handle: 2,
          entries: [
            ['b', remote(1)],
            ['a', { ...text, handle: 8 }],
          ],
        },
      ),
    ).toBe('same');
  });

  it('finds each added, removed, and changed path', () => {
    expect(
      valueDifferences(remote({ a: 1, 'b/c': [1, 2], gone: null }), remote({ a: 2, 'b/c': [1, 3, 4], came: null })).map(
        ({ path, kind }) => `${path} ${kind}`,
      ),
    ).toEqual(['/a changed', '/b~1c/1 changed', '/b~1c/2 added', '/gone removed', '/came added']);
  });

  it.each<[string, RemoteValue, RemoteValue, string]>([
    ['text cut at the same place', { t: 'string', v: 'ab', length: 9 }, { t: 'string', v: 'ab', length: 9 }, 'unknown'],
    ['text of another length', { t: 'string', v: 'ab', length: 9 }, { t: 'string', v: 'ab', length: 8 }, 'different'],
    [
      'text that begins otherwise',
      { t: 'string', v: 'ab', length: 9 },
      { t: 'string', v: 'ac', length: 9 },
      'different',
    ],
    [
      'a text that is held whole on one side',
      { t: 'string', v: 'abc', length: 3 },
      { t: 'string', v: 'ab', length: 3 },
      'unknown',
    ],
    [
      'lists with the same beginning',
      { t: 'array', length: 9, items: [remote(1)] },
      { t: 'array', length: 9, items: [remote(1)] },
      'unknown',
    ],
    [
      'lists of other lengths',
      { t: 'array', length: 9, items: [remote(1)] },
      { t: 'array', length: 8, items: [remote(1)] },
      'different',
    ],
    [
      'lists with another beginning',
      { t: 'array', length: 9, items: [remote(1)] },
      { t: 'array', length: 9, items: [remote(2)] },
      'different',
    ],
    [
      'an object whose entries were left out on one side',
      { t: 'object', size: 1, entries: [] },
      remote({ a: 1 }),
      'unknown',
    ],
    ['a getter that threw', { t: 'unreadable', message: 'no' }, { t: 'unreadable', message: 'no' }, 'unknown'],
    [
      'objects of two classes',
      { t: 'object', name: 'A', size: 0, entries: [] },
      { t: 'object', name: 'B', size: 0, entries: [] },
      'different',
    ],
    ['nothing and an undefined', { t: 'undefined' }, { t: 'null' }, 'different'],
    ['minus zero and zero', remote(-0), remote(0), 'different'],
  ])('compares only the recorded part of %s', (_name, before, now, how) => {
    expect(sameness(before, now)).toEqual(how);
    expect(sameness(now, before)).toEqual(how);
  });

  it('finds no difference exactly when values are the same, for any JSON', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), fc.jsonValue({ maxDepth: 4 }), (a, b) => {
        const isSame = JSON.stringify(sorted(a)) === JSON.stringify(sorted(b));
        expect(sameness(remote(a), remote(b))).toBe(isSame ? 'same' : 'different');
        expect(valueDifferences(remote(a), remote(b)).length === 0).toBe(isSame);
        expect(sameness(remote(a), remote(a))).toBe('same');
      }),
    );
  });

  it('compares the last change of each path', () => {
    const change = (path: string, after?: unknown): Change => ({
      path,
      before: remote(0),
      after: after === undefined ? undefined : remote(after),
    });
    expect(
      changeDifferences([change('/a', 1), change('/a', 2), change('/b', 1)], [change('/a', 2), change('/c')]).map(
        ({ path, kind }) => `${path} ${kind}`,
      ),
    ).toEqual(['/b removed', '/c added']);
    expect(changeDifferences([change('/a', { x: 1 })], [change('/a', { x: 2 })])).toMatchObject([
      { path: '/a/x', kind: 'changed' },
    ]);
  });
});

/** JSON with sorted keys, and without differences that JSON doesn't represent. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (Object.is(value, -0)) return '-0';
  return typeof value === 'object' && value !== null
    ? {
        entries: Object.entries(value)
          .map(([name, item]) => [name, sorted(item)])
          .sort(([a], [b]) => (String(a) < String(b) ? -1 : 1)),
      }
    : value;
}

describe('comparing steps', () => {
  const loop = (step: number, count: number, inner: (index: number) => TestEvent[]): TestEvent[] => [
    start(step, null, '/0', { stepKind: 'loop', name: 'loop' }),
    ...Array.from({ length: count }, (_, index) => inner(index)).flat(),
    end(step, { iterations: count }),
  ];
  const inner = (index: number, paths: string[], from = 10): TestEvent[] =>
    paths.flatMap((path, at) => [
      start(from + index * 10 + at, 1, path, { iteration: [index] }),
      end(from + index * 10 + at),
    ]);

  it('pairs steps by path and iteration, and keeps steps of one run where they ran', () => {
    const comparison = compared(
      loop(1, 2, (index) => inner(index, ['/0/functions/0', '/0/functions/2'])),
      loop(1, 3, (index) => inner(index, ['/0/functions/1', '/0/functions/2'])),
    );
    expect(
      comparison.rows.map((row) =>
        [
          row.level,
          (row.before ?? row.now)?.path ?? row.what,
          (row.before ?? row.now)?.iteration.join('.') ?? '',
          row.before ? (row.now ? 'both' : 'before') : row.now ? 'now' : '',
        ]
          .join(' ')
          .trim(),
      ),
    ).toEqual([
      '0 payload',
      '0 /0  both',
      '1 /0/functions/0 0 before',
      '1 /0/functions/1 0 now',
      '1 /0/functions/2 0 both',
      '1 /0/functions/0 1 before',
      '1 /0/functions/1 1 now',
      '1 /0/functions/2 1 both',
      '1 /0/functions/1 2 now',
      '1 /0/functions/2 2 now',
      '0 end',
    ]);
    expect(comparison.rows[1]?.end).toBe(10);
  });

  it('pairs steps that are reported more than once at one path in their order', () => {
    const { rows } = compared(
      [start(1, null, '/0'), end(1), start(2, null, '/0'), end(2)],
      [start(1, null, '/1'), end(1), start(2, null, '/0'), end(2), start(3, null, '/0'), end(3)],
    );
    expect(rows.filter(({ what }) => what === 'step').map((row) => [row.before?.id ?? 0, row.now?.id ?? 0])).toEqual([
      [0, 1],
      [1, 2],
      [2, 3],
    ]);
  });

  it('lists each step of either run once', () => {
    const paths = fc.uniqueArray(fc.integer({ min: 0, max: 8 }), { maxLength: 9 });
    fc.assert(
      fc.property(paths, paths, (before, now) => {
        const events = (all: number[]): TestEvent[] =>
          all.flatMap((path, index) => [start(index + 1, null, `/${path}`), end(index + 1)]);
        const { rows } = compared(events(before), events(now));
        expect(rows.flatMap((row) => (row.before ? [row.before.path] : []))).toEqual(before.map((path) => `/${path}`));
        expect(rows.flatMap((row) => (row.now ? [row.now.path] : [])).toSorted()).toEqual(
          now.map((path) => `/${path}`).toSorted(),
        );
        for (const row of rows) if (row.before && row.now) expect(row.before.path).toBe(row.now.path);
      }),
    );
  });

  it.each<[string, TestEvent[], TestEvent[], string]>([
    [
      'its state',
      [start(1, null, '/0'), end(1)],
      [start(1, null, '/0'), end(1, { state: 'failed', error: error('to is not a string') })],
      'completed before, failed (TypeError: to is not a string) now',
    ],
    [
      'its error',
      [start(1, null, '/0'), end(1, { state: 'failed', error: error('one') })],
      [start(1, null, '/0'), end(1, { state: 'failed', error: error('two') })],
      'TypeError: one before, TypeError: two now',
    ],
    [
      'the answer of its condition',
      [start(1, null, '/0', { stepKind: 'if', name: 'if' }), end(1, { branch: 0 })],
      [start(1, null, '/0', { stepKind: 'if', name: 'if' }), end(1, { branch: null })],
      'true before, false now',
    ],
    [
      'the answer of one of its conditions',
      [start(1, null, '/0', { stepKind: 'if', name: 'if' }), end(1, { branch: 1 })],
      [start(1, null, '/0', { stepKind: 'if', name: 'if' }), end(1, { branch: 'else' })],
      'condition 2 true before, none true now',
    ],
    ['how often it went round', loop(1, 2, () => []), loop(1, 5, () => []), '2 iterations before, 5 now'],
    [
      'its settings',
      [start(1, null, '/0', { settings: remote({ to: 'a', x: 1 }) }), end(1)],
      [start(1, null, '/0', { settings: remote({ to: 'b', x: 2 }) }), end(1)],
      'settings: to: "a" before, "b" now, and 1 more',
    ],
    [
      'what it did to the context',
      [start(1, null, '/0'), end(1, { changes: [{ path: '/sum', after: remote(6) }] })],
      [start(1, null, '/0'), end(1, { changes: [{ path: '/sum', after: remote(5) }] })],
      'context: sum: 6 before, 5 now',
    ],
    [
      'what it was given',
      [start(1, null, '/0', { changes: [{ path: '/currentItem', after: remote(1) }] }), end(1)],
      [start(1, null, '/0', { changes: [{ path: '/currentItem', after: remote(2) }] }), end(1)],
      'input: currentItem: 1 before, 2 now',
    ],
    [
      'what it returned',
      [start(1, null, '/0'), end(1, { value: remote([1]) })],
      [start(1, null, '/0'), end(1, { value: remote([2]) })],
      'returned [0]: 1 before, 2 now',
    ],
    [
      'that it was skipped',
      [start(1, null, '/0'), end(1)],
      [start(1, null, '/0'), end(1, { state: 'skipped' })],
      'completed before, skipped now',
    ],
    [
      'another step in its place',
      [start(1, null, '/0', { name: 'com.a.one' }), end(1)],
      [start(1, null, '/0', { name: 'com.a.two' }), end(1)],
      'one before, two now',
    ],
    [
      'that it took notably longer',
      [start(1, null, '/0', { at: 0 }), end(1, { at: 30 } as object)],
      [start(1, null, '/0', { at: 0 }), end(1, { at: 90 } as object)],
      '30 ms before, 90 ms now',
    ],
    [
      'what its requests were answered',
      [start(1, null, '/0'), ...request(200), end(1)],
      [start(1, null, '/0'), ...request(503), end(1)],
      'GET /x: 200 before, 503 now',
    ],
    [
      'what its requests asked for',
      [start(1, null, '/0'), ...request(200), end(1)],
      [start(1, null, '/0'), ...request(200, 'http://a.example/x?t=2'), end(1)],
      'GET /x: …ample/x?t=1 before, …ample/x?t=2 now',
    ],
    [
      'whom its requests asked',
      [start(1, null, '/0'), ...request(200), end(1)],
      [start(1, null, '/0'), ...request(200, 'http://a.example/y'), end(1)],
      'GET /x before, GET /y now',
    ],
    [
      'how many requests it made',
      [start(1, null, '/0'), ...request(200), end(1)],
      [start(1, null, '/0'), end(1)],
      '1 request before, 0 now',
    ],
    [
      'what it wrote',
      [start(1, null, '/0'), { kind: 'console', step: 1, level: 'log', args: [remote(1)] }, end(1)],
      [start(1, null, '/0'), { kind: 'console', step: 1, level: 'log', args: [remote(2)] }, end(1)],
      'different console output',
    ],
  ])('describes a difference in %s', (_name, before, now, description) => {
    const comparison = compared(before, now);
    expect(textAt(comparison, '/0')).toBe(description);
    expect(first(comparison)).toEqual([`step /0: ${description}`]);
    expect(textAt(compared(before, before), '/0')).toBe('');
  });

  function request(status: number, url = 'http://a.example/x?t=1'): TestEvent[] {
    return [
      { kind: 'request-started', step: 1, request: 1, method: 'GET', url },
      { kind: 'request-ended', request: 1, status, bytes: 1 },
    ];
  }

  it('ignores small differences in duration', () => {
    const took = (at: number): TestEvent[] => [start(1, null, '/0', { at: 0 } as object), end(1, { at } as object)];
    expect(compared(took(10), took(50)).different).toBe(0);
    expect(compared(took(1000), took(1900)).different).toBe(0);
  });

  it('describes a step that ran in one run only, with the iteration that it starts', () => {
    const comparison = compared(
      loop(1, 1, (index) => inner(index, ['/0/functions/0'])),
      loop(1, 2, (index) => inner(index, ['/0/functions/0', '/0/functions/1'])),
    );
    expect(textAt(comparison, '/0/functions/1', '0')).toBe('ran only now');
    expect(textAt(comparison, '/0/functions/0', '1')).toBe('iteration 2 ran only now');
  });
});

describe('the first difference', () => {
  const records = (fails: boolean, respond: (index: number) => boolean, sum = 0): TestEvent[] => [
    start(1, null, '/0'),
    end(1, { changes: [{ path: '/sum', after: remote(sum) }] }),
    start(2, null, '/1', { stepKind: 'loop', name: 'loop' }),
    ...[0, 1, 2, 3].flatMap((index): TestEvent[] => [
      start(10 + index, 2, '/1/functions/0', { stepKind: 'if', name: 'if', iteration: [index] }),
      ...(respond(index)
        ? [
            start(20 + index, 10 + index, '/1/functions/0/conditions/0/functions/0', { iteration: [index] }),
            end(20 + index),
          ]
        : []),
      end(10 + index, { branch: respond(index) ? 0 : null }),
    ]),
    end(2, fails ? { state: 'failed', error: error('late') } : { iterations: 4 }),
  ];

  it('is a condition with another outcome, not what ran or failed because of it', () => {
    expect(
      first(
        compared(
          records(false, () => true),
          records(true, (index) => index < 2),
        ),
      ),
    ).toEqual(['step /1/functions/0, iteration 3: true before, false now']);
  });

  it('is an earlier change of the context', () => {
    expect(
      first(
        compared(
          records(false, () => true, 1),
          records(true, (index) => index < 2, 2),
        ),
      ),
    ).toEqual(['step /0: context: sum: 1 before, 2 now']);
  });

  it('is the innermost failed step, not the steps around it', () => {
    const nested = (fails: boolean): TestEvent[] => [
      start(1, null, '/0', { stepKind: 'loop', name: 'loop' }),
      start(2, 1, '/0/functions/0', { iteration: [0] }),
      end(2, fails ? { state: 'failed', error: error('x') } : {}),
      end(1, fails ? { state: 'failed', error: error('x') } : {}),
    ];
    expect(first(compared(nested(false), run(nested(true), {}, { state: 'failed', error: error('x') })))).toEqual([
      'step /0/functions/0, iteration 1: completed before, failed (TypeError: x) now',
    ]);
  });

  it('is another number of iterations, unless the loop failed', () => {
    const rounds = (count: number, state: 'completed' | 'failed' = 'completed'): TestEvent[] => [
      start(1, null, '/0', { stepKind: 'loop', name: 'loop' }),
      ...Array.from({ length: count }, (_, index): TestEvent[] => [
        start(10 + index, 1, '/0/functions/0', { iteration: [index] }),
        end(10 + index, state === 'failed' && index === count - 1 ? { state, error: error('x') } : {}),
      ]).flat(),
      end(1, { state, iterations: count }),
    ];
    expect(first(compared(rounds(2), rounds(3)))).toEqual(['step /0: 2 iterations before, 3 now']);
    expect(first(compared(rounds(3), rounds(2, 'failed')))).toEqual([
      'step /0/functions/0, iteration 2: completed before, failed (TypeError: x) now',
    ]);
  });

  it('is the payload, and then the first difference that follows from it', () => {
    const before = run(records(false, () => true));
    const now = run(
      records(false, () => false),
      { payload: '{"since":2}' },
    );
    expect(first(compareRuns(before, now))).toEqual([
      'payload: different',
      'step /1/functions/0, iteration 1: true before, false now',
    ]);
  });

  it('is duration or console output only when nothing else differs', () => {
    const steps = (at: number, sum: number): TestEvent[] => [
      start(1, null, '/0', { at: 0 } as object),
      end(1, { at } as object),
      start(2, null, '/1', { at } as object),
      end(2, { at, changes: [{ path: '/sum', after: remote(sum) }] } as object),
    ];
    expect(first(compared(steps(10, 1), steps(900, 1)))).toEqual(['step /0: 10 ms before, 900 ms now']);
    expect(first(compared(steps(10, 1), steps(900, 2)))).toEqual(['step /1: context: sum: 1 before, 2 now']);
  });

  it('is the result when no step differs, and none for equal runs', () => {
    const comparison = compared(
      run(
        records(false, () => true),
        {},
        { result: remote({ n: 1 }) },
      ),
      run(
        records(false, () => true),
        {},
        { result: remote({ n: 2 }) },
      ),
    );
    expect(first(comparison)).toEqual(['outcome: result: n: 1 before, 2 now']);
    expect(
      first(
        compared(
          records(true, () => true),
          records(true, () => true),
        ),
      ),
    ).toEqual([]);
  });

  it('is the outcome when there are no steps', () => {
    expect(first(compared(run([]), run([], {}, { state: 'failed', error: error('boo') })))).toEqual([
      'outcome: completed before, failed (TypeError: boo) now',
    ]);
  });
});

describe('comparing what wasn’t recorded', () => {
  const two: TestEvent[] = [start(1, null, '/0'), end(1), start(2, null, '/1'), end(2)];

  it('never calls a cut value the same', () => {
    const settings: RemoteValue = { t: 'string', v: 'ab', length: 9_000 };
    const comparison = compared(
      [start(1, null, '/0', { settings }), end(1)],
      [start(1, null, '/0', { settings }), end(1)],
    );
    expect(textAt(comparison, '/0')).toBe('same as far as recorded');
    expect(comparison.different).toBe(0);
    expect(comparison.unknown).toBe(1);
    const slow = compared(
      [start(1, null, '/0', { settings, at: 0 } as object), end(1)],
      [start(1, null, '/0', { settings, at: 0 } as object), end(1, { at: 900 } as object)],
    );
    expect(textAt(slow, '/0')).toBe('2 ms before, 900 ms now · same as far as recorded');
    expect(slow.different).toBe(1);
    expect(slow.unknown).toBe(1);
    expect(remarksOf(comparison)).toEqual(['1 row is the same in all recorded data.']);
  });

  it('never calls a context the same that was too large to compare', () => {
    expect(
      textAt(compared([start(1, null, '/0'), end(1, { shallow: true })], [start(1, null, '/0'), end(1)]), '/0'),
    ).toBe('same as far as recorded');
  });

  it.each<[string, Partial<RunRecord>, RunState | undefined]>([
    ['stored in part', { cut: true }, undefined],
    ['interrupted', {}, 'interrupted'],
  ])('leaves out steps that one run lacks because it was %s, and says so', (_name, more, state) => {
    const comparison = compared(
      run(two.slice(0, 3), more, state ?? { state: 'completed' }),
      run([...two, start(3, null, '/2'), end(3)]),
    );
    expect(textAt(comparison, '/1')).toBe('end not recorded before');
    expect(comparison.rows.map(({ now }) => now?.path)).not.toContain('/2');
    expect(comparison).toMatchObject({ different: 0, common: 2, isComplete: false });
    expect(remarksOf(comparison).slice(0, 2)).toEqual([
      'Compared the 2 steps that both runs store.',
      expect.stringMatching(/^Run 1 \(before\) was only partly recorded/),
    ]);
    expect(noDifferencesText(comparison)).toBe('No differences in the 2 steps that both runs store.');
  });

  it('never says that two runs don’t differ when the same part of both isn’t stored', () => {
    const cut = run(two.slice(0, 2), { cut: true });
    expect(noDifferencesText(compared(cut, cut))).toBe('No differences in the 1 step that both runs store.');
    expect(noDifferencesText(compared(two, two))).toBe('No differences in what both runs recorded.');
  });

  it('says what was compared, and that more may differ if not all was recorded', () => {
    const all = 'with context, console, and requests (method, URL, and status).';
    expect(comparedText(compared(two, two))).toBe(`Compared: payload, outcome, and 2 steps ${all}`);
    const omitting = run(two);
    omitting.trace.omitted.requests = 1;
    expect(comparedText(compared(two, omitting))).toContain('What isn’t recorded may differ.');
    const bare = run([]);
    bare.trace.tracing = 'bare';
    expect(comparedText(compared(bare, bare))).toBe('Compared: payload and outcome.');
  });

  it('says how many steps a run has, and that its steps were removed', () => {
    const part = run(two.slice(0, 2), { cut: true });
    part.trace.unstored = { steps: 49_999 };
    const thinned = run([], { thinned: true });
    thinned.trace.unstored = { steps: 50_000 };
    expect(remarksOf(compared(part, thinned))).toEqual([
      'Compared the 0 steps that both runs store.',
      'Of run 1 (before), 1 of 50,000 steps are stored. The others may differ.',
      'The steps of run 1 (now) were removed to save space.',
    ]);
  });

  it('calls the end of a stopped step unknown only when its run wasn’t stopped', () => {
    const stopped = run(two.slice(0, 3), {}, 'stopped');
    expect(textAt(compared(run(two), stopped), '/1')).toBe('completed before, stopped now');
  });
});

describe('the remarks about a comparison', () => {
  it('say that the runs had different engines, also for a run that earlier versions stored', () => {
    const ours = run([], { engine: 'ours' });
    expect(remarksOf(compared(run([]), ours))).toEqual([
      'The runs ran with: Platform’s runtime before, Our engine now.',
    ]);
    expect(remarksOf(compared(run([], { engine: 'platform' }), run([])))).toEqual([]);
    expect(detailText(comparedRun(ours.record, ours.trace))).toMatch(/, our engine$/);
  });

  it('say that the runs are of different actions, or of one action at different URLs', () => {
    expect(remarksOf(compared(run([], { title: 'A · one' }), run([], { title: 'A · two', subject: 'other' })))[0]).toBe(
      'The runs belong to different actions: A · one before, A · two now.',
    );
    expect(remarksOf(compared(run([]), run([], { subject: 'http://other/1/2' })))[0]).toBe(
      'The action runs at different URLs: s before, http://other/1/2 now.',
    );
  });

  it('say that the pipeline has changed', () => {
    expect(
      remarksOf(
        compared([start(1, null, '/0', { name: 'a.one' }), end(1)], [start(1, null, '/0', { name: 'a.two' }), end(1)]),
      ),
    ).toEqual([expect.stringMatching(/^The pipeline has changed: 1 path has a different step/)]);
  });

  it('say that the runs were traced in different detail', () => {
    const wrapped = run([start(1, null, '/0'), end(1)]);
    wrapped.trace.tracing = 'wrapped';
    const comparison = compared(run([start(1, null, '/0'), end(1)]), wrapped);
    expect(comparison.steps).toBe(0);
    expect(remarksOf(comparison)).toEqual([
      'Steps can’t be compared. Recorded before: every step. Recorded now: function calls.',
    ]);
  });
});

describe('the rows of a comparison', () => {
  const steps = (sum: number): TestEvent[] => [
    start(1, null, '/0'),
    end(1),
    start(2, null, '/1', { stepKind: 'loop', name: 'loop' }),
    start(3, 2, '/1/functions/0', { iteration: [0] }),
    end(3),
    start(4, 2, '/1/functions/1', { iteration: [0] }),
    end(4, { changes: [{ path: '/sum', after: remote(sum) }] }),
    end(2),
  ];
  const names = (rows: readonly ComparedRow[]): string[] =>
    rows.map((row) => (row.now ?? row.before)?.path ?? row.what);

  it('are, with the filter, those that differ and their ancestors', () => {
    const comparison = compared(steps(1), steps(2));
    expect(names(visibleRows(comparison, false, new Set()))).toEqual([
      'payload',
      '/0',
      '/1',
      '/1/functions/0',
      '/1/functions/1',
      'end',
    ]);
    expect(names(visibleRows(comparison, true, new Set()))).toEqual(['/1', '/1/functions/1']);
    expect(visibleRows(compared(steps(1), steps(1)), true, new Set())).toEqual([]);
  });

  it('hide what is collapsed, at first everything in steps that ran in one run only', () => {
    const comparison = compared(steps(1), [start(1, null, '/0'), end(1)]);
    expect(names(visibleRows(comparison, false, initiallyCollapsed(comparison.rows)))).toEqual([
      'payload',
      '/0',
      '/1',
      'end',
    ]);
    expect(ancestorsOf(comparison.rows, 4)).toEqual([2]);
  });

  const count = isExhaustive() ? 30_000 : 5_000;

  it('of many steps take at most 20 times as long as the traces, also when one run has an extra step at its start', () => {
    const many = (last: number, from: number): TestEvent[] => {
      const events = [start(1, null, '/0', { stepKind: 'loop', name: 'loop' })];
      for (let index = from; index < count; index++) {
        events.push(
          start(index + 2, 1, '/0/functions/0', {
            iteration: [index],
            settings: remote({ to: index, body: ['x'] }),
            changes: [{ path: '/currentItem', after: remote({ id: index }) }],
          }),
        );
        events.push(end(index + 2, { changes: [{ path: '/n', after: remote(index === count - 1 ? last : index) }] }));
      }
      return [...events, end(1)];
    };
    const startedAt = performance.now();
    const [before, now] = [run(many(1, 0)), run(many(2, 1))];
    const from = performance.now();
    const comparison = compared(before, now);
    const rows = visibleRows(comparison, true, new Set());
    expect(performance.now() - from).toBeLessThan(20 * (from - startedAt));
    expect(comparison.rows).toHaveLength(count + 3);
    expect(rows.map(({ id }) => id)).toEqual([1, 2, count + 1]);
    expect(differenceTexts(comparison, rows[2] as ComparedRow)).toEqual(['context: n: 1 before, 2 now']);
    expect(first(comparison)).toEqual(['step /0/functions/0, iteration 1: iteration 1 ran only before']);
  });
});

describe('the details of a compared row', () => {
  it('list each aspect with both values, and its differences', () => {
    const step = (to: string, sum: number): TestEvent[] => [
      start(1, null, '/0', { settings: remote({ to, same: 1 }) }),
      end(1, { changes: [{ path: '/data/sum', after: remote(sum) }], value: remote(1) }),
    ];
    const comparison = compared(step('a', 1), step('b', 2));
    const rows = detailRows(aspectsOf(comparison, rowAt(comparison, '/0')), new Set());
    expect(rows.map(({ level, name, how }) => `${level} ${name} ${how}`)).toEqual([
      '0 Step same',
      '0 State same',
      '0 Settings changed',
      '1 to changed',
      '0 Context changes changed',
      '1 data.sum changed',
      '0 Returned value same',
      '0 Duration same',
      '0 Whole context before same',
      '0 Whole context after same',
    ]);
    expect(rows[3]).toMatchObject({ before: remote('a'), now: remote('b') });
    expect(
      detailRows(aspectsOf(comparison, rowAt(comparison, '/0')), new Set(['settings'])).map(({ name }) => name),
    ).not.toContain('to');
  });

  it('say that a step didn’t run in one of the runs', () => {
    const comparison = compared([], [start(1, null, '/0'), end(1)]);
    expect(aspectsOf(comparison, rowAt(comparison, '/0'))[1]).toMatchObject({
      title: 'State',
      before: { v: 'didn’t run' },
      now: { v: 'completed' },
    });
  });

  it('contain the whole payloads and outcomes', () => {
    const comparison = compareRuns(
      run([], { payload: '{"since":1}' }, { result: remote(1) }),
      run([], { payload: 'no JSON' }, { state: 'failed', error: error('boo') }),
    );
    expect(aspectsOf(comparison, comparison.rows[0] as ComparedRow)).toMatchObject([
      { before: remote({ since: 1 }), now: remote('no JSON') },
    ]);
    expect(
      aspectsOf(comparison, comparison.rows.at(-1) as ComparedRow).map(({ title, differences }) => [
        title,
        differences.length,
      ]),
    ).toEqual([
      ['Outcome', 1],
      ['Result', 1],
      ['Error', 1],
      ['Duration', 0],
    ]);
  });
});

describe('the run to compare with', () => {
  const all = [
    record({ id: '1', startedAt: 1, state: 'failed' }),
    record({ id: '2', startedAt: 2 }),
    record({ id: '3', startedAt: 3, state: 'failed' }),
    record({ id: '4', startedAt: 4, subject: 'other' }),
    record({ id: '5', startedAt: 5, state: 'running' }),
  ];
  const suggested = (id: string, among = all): string | undefined =>
    suggestedRun(among, all.find((one) => one.id === id) as RunRecord)?.id;

  it('is the last earlier one with the opposite outcome, else the one before, else the next', () => {
    expect(suggested('3')).toBe('2');
    expect(suggested('2')).toBe('1');
    expect(
      suggested(
        '3',
        all.filter(({ id }) => id !== '2'),
      ),
    ).toBe('1');
    expect(suggested('1')).toBe('2');
    expect(suggested('4')).toBeUndefined();
  });

  it('is the original of a run that was made from another one', () => {
    const made = record({ id: '9', startedAt: 9, state: 'completed', madeFrom: '2' });
    expect(suggestedRun([...all, made], made)?.id).toBe('2');
  });

  it('can be any run that has ended, those of the same action first', () => {
    expect(otherRuns(all, all[1] as RunRecord).map(({ id }) => id)).toEqual(['3', '1', '4']);
  });
});

describe('comparing the displayed run', () => {
  const events = (sum: number): AgentEvent[] =>
    [
      startRun(),
      start(1, null, '/0', { stepKind: 'loop', name: 'loop' }),
      start(2, 1, '/0/functions/0', { iteration: [0] }),
      end(2, { changes: [{ path: '/sum', after: remote(sum) }] }),
      end(1),
      { kind: 'run-ended' as const, state: 'completed' as const, milliseconds: 1 },
    ].map((body, index) => ({ at: index, ...body, n: index + 1, runId: 'old' }) as AgentEvent);
  const shown = { record: record({ id: 'new', startedAt: 2, number: 2 }), trace: run([]).trace };
  shown.trace = addEvents(createTrace('old', 0), events(2));
  const old = record({ id: 'old' });
  const stored = new Map<string, string>();
  const createCompare = (store: Pick<RunStore, 'list' | 'events'>, recordings: Record<string, Recording> = {}) =>
    new Compare(
      {
        store,
        recordingOf: ({ record: { id } }) => Promise.resolve(recordings[id] ?? null),
        volatile: new MockDocument(
          {
            debugging: (subject, name) => Promise.resolve(stored.get(`${subject} ${name}`)),
            putDebugging: async (subject, name, text) => void stored.set(`${subject} ${name}`, text),
          },
          's',
          VOLATILE_PATHS,
        ),
      },
      shown,
    );

  it('puts the earlier run first, selects the first difference, and expands its ancestors', async () => {
    const compare = createCompare({
      list: () => Promise.resolve([shown.record, old]),
      events: () => Promise.resolve(events(1)),
    });
    await compare.compareWith('');
    const { value } = compare.comparison.value;
    expect(value?.before.record.id).toBe('old');
    expect(value?.now.record.id).toBe('new');
    expect(compare.selected.value).toBe(2);
    expect(compare.rows.value.map(({ id }) => id)).toEqual([1, 2]);
    compare.setCollapsed(1, true);
    expect(compare.rows.value.map(({ id }) => id)).toEqual([1]);
    compare.select(2);
    expect(compare.rows.value.map(({ id }) => id)).toEqual([1, 2]);
    compare.setOnlyDifferences(false);
    expect(compare.rows.value).toHaveLength(4);
  });

  it('puts a run before one that was made from it, though both have the same time', async () => {
    const made = record({ id: 'made', startedAt: 2, madeFrom: 'new' });
    const compare = createCompare({ list: () => Promise.resolve([made]), events: () => Promise.resolve(events(1)) });
    await compare.compareWith('made');
    expect(compare.comparison.value.value?.before.record.id).toBe('new');
  });

  it('reports a run that can’t be loaded, and is idle when there is no other', async () => {
    const damaged = createCompare({
      list: () => Promise.resolve([old]),
      events: () => Promise.reject(new Error('no')),
    });
    await damaged.compareWith('old');
    expect(damaged.comparison.value).toMatchObject({ state: 'failed', error: { message: expect.any(String) } });
    const single = createCompare({ list: () => Promise.resolve([shown.record]), events: () => Promise.resolve([]) });
    await single.compareWith('');
    expect(single.comparison.value.state).toBe('idle');
    expect(single.other.value).toBeNull();
  });

  it('shows the run that was chosen last, even when another one loads later', async () => {
    const waiting: Record<string, (found: AgentEvent[]) => void> = {};
    const compare = createCompare({
      list: () => Promise.resolve([old, record({ id: 'older', startedAt: 0 })]),
      events: (id) => new Promise((done) => (waiting[id] = done)),
    });
    const first = compare.compareWith('older');
    await expect.poll(() => Object.keys(waiting)).toEqual(['older']);
    const second = compare.compareWith('old');
    await expect.poll(() => Object.keys(waiting)).toEqual(['older', 'old']);
    waiting.old?.(events(1));
    await second;
    waiting.older?.([]);
    await first;
    expect(compare.comparison.value.value?.before.record.id).toBe('old');
  });
});

it('pauses between the steps of large runs, and finds the same', async () => {
  const steps = (value: number): TestEvent[] =>
    Array.from({ length: 100 }, (_, step) => [
      start(step, null, `/${step}`),
      end(step, { value: remote(step % 10 === 0 ? value : step) }),
    ]).flat();
  const [before, now] = [run(steps(-1)), run(steps(-2))];
  let pauses = 0;
  const pauseIfDue = () => Promise.resolve(void pauses++);
  const comparison = await compareInPauses(before, now, new Volatility(), { pauseIfDue });
  expect(pauses).toBeGreaterThan(100);
  expect(comparison).toEqual(compareRuns(before, now));
  expect(comparison.different).toBe(10);
});
