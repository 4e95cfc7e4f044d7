/** Rows of the timeline, the pipeline tree, and value trees. */
import { describe, expect, it } from 'vitest';
import type { AgentEvent, RemoteValue } from '../../../../../lib/extension/inspector/contract.ts';
import { nodeRun, openNodes, pipelineNodes } from '../../../../../lib/extension/panel/run/pipeline-tree.ts';
import { previewOf } from '../../../../../lib/extension/panel/shared/remote-value.ts';
import { runErrorValue } from '../../../../../lib/extension/panel/run/failure/run-error.ts';
import {
  barOf,
  createTimelineRows,
  isExpanded,
  iterationText,
  markOf,
  rulerTicks,
  timesOf,
  type TimelineRow,
} from '../../../../../lib/extension/panel/run/timeline/rows.ts';
import { addEvents } from '../../../../../lib/extension/panel/run/build-trace.ts';
import { createTrace } from '../../../../../lib/extension/panel/run/trace.ts';
import { toJson } from '../../../../../lib/extension/panel/shared/value-json.ts';
import { findInValue, valueRows, withMore } from '../../../../../lib/extension/panel/shared/value-rows.ts';
import { remote } from './remote.ts';
import { cpuTime } from '../../../../support/cpu-time.ts';

/** A loop with two steps in each iteration, and under the second of them as many more. */
function looped(iterations: number, nested = 0) {
  const trace = createTrace('r', 0);
  let n = 0;
  let step = 1;
  const add = (path: string, parent: number | null, kind: 'loop' | 'function', iteration: number[]): number => {
    addEvents(trace, [
      {
        kind: 'step-started',
        n: ++n,
        runId: 'r',
        at: n,
        step,
        parent,
        path,
        iteration,
        stepKind: kind,
        name: 'f',
        settings: { t: 'undefined' },
      },
    ]);
    return step++;
  };
  const loop = add('/0', null, 'loop', []);
  for (let index = 0; index < iterations; index++) {
    add('/0/functions/0', loop, 'function', [index]);
    const second = add('/0/functions/1', loop, 'function', [index]);
    for (let inner = 0; inner < nested; inner++) add('/0/functions/1/functions/0', second, 'function', [index]);
  }
  add('/1', null, 'function', []);
  return trace;
}

describe('the timeline', () => {
  const NONE = { collapsed: new Set<string>() };
  const shape = (rows: readonly TimelineRow[]) =>
    rows.map((row) => [row.level, markOf(row), row.kind === 'step' ? row.step.path : 'iteration']);

  it('has a row per step and iteration, with a mark at the start of each iteration', () => {
    expect(shape(createTimelineRows(looped(2), NONE)())).toEqual([
      [0, null, '/0'],
      [1, '#1', 'iteration'],
      [2, null, '/0/functions/0'],
      [2, null, '/0/functions/1'],
      [1, '#2', 'iteration'],
      [2, null, '/0/functions/0'],
      [2, null, '/0/functions/1'],
      [0, null, '/1'],
    ]);
  });

  it('has no separate row for iterations of a single step', () => {
    const rows = createTimelineRows(looped(2), { ...NONE, hasSingleStep: (path) => path === '/0' })();
    expect(shape(rows)).toEqual([
      [0, null, '/0'],
      [1, '#1', '/0/functions/0'],
      [1, null, '/0/functions/1'],
      [1, '#2', '/0/functions/0'],
      [1, null, '/0/functions/1'],
      [0, null, '/1'],
    ]);
  });

  it('hides everything in a collapsed loop, including nested loops', () => {
    const collapsed = new Set(['1']);
    const rows = createTimelineRows(looped(2), { collapsed })();
    expect(rows.map((row) => [row.step.path, isExpanded(row, collapsed)])).toEqual([
      ['/0', false],
      ['/1', null],
    ]);
    expect(createTimelineRows(looped(1, 1), { collapsed })().map(({ step }) => step.path)).toEqual(['/0', '/1']);
  });

  it('hides the steps of a collapsed iteration, and those nested in them', () => {
    const collapsed = new Set(['i2']);
    expect(shape(createTimelineRows(looped(2, 1), { collapsed })())).toEqual([
      [0, null, '/0'],
      [1, '#1', 'iteration'],
      [1, '#2', 'iteration'],
      [2, null, '/0/functions/0'],
      [2, null, '/0/functions/1'],
      [3, null, '/0/functions/1/functions/0'],
      [0, null, '/1'],
    ]);
  });

  it('adds new steps to the same list without going through the old ones', () => {
    const grown = looped(3);
    for (const options of [NONE, { collapsed: new Set(['1']) }]) {
      const growing = { order: grown.order.slice(0, 3), steps: grown.steps };
      const rows = createTimelineRows(growing, options);
      const first = rows();
      expect(first).toEqual(createTimelineRows(growing, options)());
      growing.order.push(...grown.order.slice(3));
      growing.order[0] = undefined as never;
      expect(rows()).toBe(first);
      expect(first).toEqual(createTimelineRows(grown, options)());
    }
  });

  it('builds rows of 100,000 steps and 50,000 iterations quickly', () => {
    const trace = looped(50_000);
    expect(cpuTime(() => expect(createTimelineRows(trace, NONE)()).toHaveLength(150_002))).toBeLessThan(500);
  });

  it('shows an iteration’s time without going through a loop of 50,000 iterations', () => {
    const trace = looped(50_000);
    for (const step of trace.steps.values()) Object.assign(step, { end: step.start + 0.5, state: 'completed' });
    const rows = createTimelineRows(trace, NONE)().filter(({ kind }) => kind === 'iteration');
    expect(timesOf(trace, rows[1] as TimelineRow)).toEqual({ state: 'completed', start: 4, end: 5.5 });
    expect(cpuTime(() => rows.forEach((row) => timesOf(trace, row)))).toBeLessThan(1_000);
  });

  it('shows a step that is reported twice once', () => {
    const trace = looped(1);
    const again: AgentEvent = {
      kind: 'step-started',
      n: 99,
      runId: 'r',
      at: 99,
      step: 2,
      parent: null,
      path: '/9',
      iteration: [],
      stepKind: 'function',
      name: 'f',
      settings: { t: 'undefined' },
    };
    const steps = trace.order.length;
    addEvents(trace, [again]);
    expect(createTimelineRows(trace, { ...NONE, hasSingleStep: () => true })()).toHaveLength(steps);
  });

  it('draws a step’s time as its share of the run', () => {
    expect(barOf({ start: 25, end: 75 }, 100)).toEqual({ start: 0.25, width: 0.5 });
    expect(barOf({ start: 25, end: null }, 100)).toEqual({ start: 0.25, width: 0.75 });
    expect(barOf({ start: 0, end: 0 }, 0)).toEqual({ start: 0, width: 1 });
  });

  it('marks round times on the ruler', () => {
    const marks = (total: number) => rulerTicks(total).map(({ milliseconds }) => milliseconds);
    expect(marks(48)).toEqual([0, 20, 40]);
    expect(marks(4_400)).toEqual([0, 2_000, 4_000]);
    expect(marks(150)).toEqual([0, 50, 100, 150]);
    expect(rulerTicks(40).at(-1)).toEqual({ at: 1, milliseconds: 40 });
    expect(marks(0)).toEqual([]);
    expect(marks(Infinity)).toEqual([]);
    expect(marks(Number.MIN_VALUE)).toEqual([]);
  });

  it('counts iterations from 1, outermost first', () => {
    expect(iterationText([4, 11])).toBe('iteration 5 › 12');
    expect(iterationText([])).toBe('');
  });
});

describe('the pipeline tree', () => {
  const nodes = pipelineNodes([
    { functionPackage: 'com.example.function.read' },
    {
      type: 'loop',
      items: 'data.records',
      functions: [
        {
          type: 'if',
          conditions: [{ condition: 'a == 1', functions: [{ function: 'x' }] }, { condition: 'b' }],
          elseFunctions: [{ functionPackage: 'y' }],
        },
      ],
    },
    { type: 'loop', range: { from: 3, to: 5 }, functions: [] },
  ]);
  it('names every step and branch by its JSON Pointer', () => {
    expect(nodes.map((node) => [node.path, node.depth, node.label])).toEqual([
      ['/0', 0, 'com.example.function.read'],
      ['/1', 0, 'loop data.records'],
      ['/1/functions/0', 1, 'if'],
      ['/1/functions/0/conditions/0', 2, 'when a == 1'],
      ['/1/functions/0/conditions/0/functions/0', 3, 'x'],
      ['/1/functions/0/conditions/1', 2, 'or when b'],
      ['/1/functions/0/elseFunctions', 2, 'else'],
      ['/1/functions/0/elseFunctions/0', 3, 'y'],
      ['/2', 0, 'loop 3 to 5'],
    ]);
    expect(nodes.find((node) => node.path === '/2')?.loop).toEqual({ total: 3 });
  });

  it('collapses a node with all its descendants', () => {
    expect(openNodes(nodes, new Set(['/1/functions/0'])).map((node) => node.path)).toEqual([
      '/0',
      '/1',
      '/1/functions/0',
      '/2',
    ]);
  });

  it('accepts any shape from the page', () => {
    const odd = [
      null,
      7,
      'x',
      { type: 9 },
      { type: '</script><script>alert(1)</script>' },
      { type: 'loop' },
      { type: 'if', conditions: 'no' },
      { type: 'if', conditions: [null] },
      {},
    ];
    expect(pipelineNodes(odd)).toHaveLength(odd.length + 1);
    expect(pipelineNodes({})).toEqual([]);
    let deep: unknown[] = [];
    for (let level = 0; level < 5_000; level++) deep = [{ functionPackage: 'f', functions: deep }];
    expect(pipelineNodes(deep).length).toBeLessThan(1_000);
  });

  it('is idle without a run', () => {
    expect(nodes.every((node) => nodeRun(node, null).state === 'idle')).toBe(true);
  });

  it('shows the started iterations and their total', () => {
    const [loop] = pipelineNodes([
      { type: 'loop', range: { from: 1, to: 9 }, functions: [{ functionPackage: 'f' }, { functionPackage: 'g' }] },
    ]);
    expect(loop && nodeRun(loop, looped(4))).toMatchObject({ state: 'running', iterations: 4 });
  });
});

describe('a value tree', () => {
  const value = remote({ name: 'Ada', tags: ['x', 'y'], deep: { 'a/b': { found: 'needle' } } });
  it('is initially expanded at its root only', () => {
    expect(valueRows(value, new Set(), new Map()).map((row) => [row.key, row.expanded])).toEqual([
      ['', true],
      ['/name', null],
      ['/tags', false],
      ['/deep', false],
    ]);
    expect(valueRows(value, new Set(['/tags']), new Map()).map((row) => row.key)).toEqual([
      '',
      '/name',
      '/tags',
      '/tags/0',
      '/tags/1',
      '/deep',
    ]);
    expect(valueRows(value, new Set(['']), new Map()).map((row) => row.key)).toEqual(['']);
  });

  it('says how much was cut, and adds what is loaded later', () => {
    const cutList: RemoteValue = { t: 'array', length: 5, items: [remote(0), remote(1)], handle: 9 };
    expect(valueRows(cutList, new Set(), new Map()).at(-1)?.rest).toEqual({ of: '', from: 2, count: 3, handle: 9 });
    const more = withMore(cutList, { t: 'array', length: 5, items: [remote(2), remote(3), remote(4)] });
    expect(
      valueRows(cutList, new Set(), new Map([['', more]]))
        .map((row) => previewOf(row.value))
        .slice(1),
    ).toEqual(['0', '1', '2', '3', '4']);
  });

  it('is searched by name and text, and shows the ancestors of matches', () => {
    const { rows, found } = findInValue(value, 'NEEDLE', new Map());
    expect(found).toBe(1);
    expect(rows.map((row) => row.key)).toEqual(['', '/deep', '/deep/a~1b', '/deep/a~1b/found']);
    expect(findInValue(value, 'absent', new Map())).toEqual({ rows: [], found: 0 });
  });

  it('is copied as JSON that marks what isn’t JSON', () => {
    expect(toJson(value)).toBe('{"name":"Ada","tags":["x","y"],"deep":{"a/b":{"found":"needle"}}}');
    const odd: RemoteValue = {
      t: 'object',
      size: 9,
      entries: [
        ['n', { t: 'number', v: 'NaN' }],
        ['b', { t: 'bigint', v: '7n' }],
        ['c', { t: 'cycle', up: 1 }],
        ['s', { t: 'string', v: 'ab', length: 10 }],
      ],
    };
    expect(JSON.parse(toJson(odd))).toEqual({
      n: '«NaN»',
      b: '«bigint: 7n»',
      c: '«circular»',
      s: 'ab«… 10 characters in total»',
      '«…»': '«5 more»',
    });
    expect(toJson({ t: 'undefined' })).toBe('undefined');
  });

  it('fits one line', () => {
    expect(previewOf(remote({ email: 'a@b.example', sent: true }))).toBe('{email: "a@b.example", sent: true}');
    expect(previewOf(remote(Array.from({ length: 100 }, (_, index) => index)), 40)).toMatch(/^\(100\) \[0, 1, .*…\]$/);
    expect(previewOf(remote('x'.repeat(10_000)), 50).length).toBeLessThan(60);
  });
});

it('an error code that is also a property of Object.prototype has a hint like any other', () => {
  expect(
    runErrorValue({ code: 'constructor', errorType: 'Error', errorMessage: 'm', trace: [], path: null, iteration: [] })
      .hint,
  ).toBe('Check the trace and the console.');
});
