/** Explains steps that didn't run, with traces of pipelines that the engine runs. */
import { describe, expect, it } from 'vitest';
import type { AgentEvent, Change } from '../../../../../lib/extension/inspector/contract.ts';
import { addEvents, endTrace } from '../../../../../lib/extension/panel/run/build-trace.ts';
import { nodeRun, pipelineNodes } from '../../../../../lib/extension/panel/run/pipeline-tree.ts';
import { definitionOf } from '../../../../../lib/extension/panel/run/step-definition.ts';
import { createTrace, type Trace } from '../../../../../lib/extension/panel/run/trace.ts';
import { whyNotRun } from '../../../../../lib/extension/panel/run/why-not-run.ts';
import { toJson } from '../../../../../lib/extension/panel/shared/value-json.ts';
import {
  type Context,
  type Replacement,
  runPipeline,
  type StepInfo,
  type StepOutcome,
} from '../../../../../lib/pipeline/index.ts';
import { remote } from './remote.ts';

const FUNCTIONS = new Map<string, (settings: object, context: Context) => unknown>([
  ['ok', () => {}],
  ['fails', () => Promise.reject(new Error('as asked'))],
  ['skips', () => Promise.reject()],
  ['hangs', () => new Promise(() => {})],
]);
const ok = { functionPackage: 'ok' };

/** The trace of a run, once it has ended or a function hangs. */
async function traceOf(
  pipeline: object[],
  payload: Context = {},
  replace: (path: string) => Replacement | undefined = () => undefined,
): Promise<Trace> {
  const trace = createTrace('r', 0);
  const ids = new Map<StepInfo, number>();
  let n = 0;
  const add = (event: object): void =>
    void addEvents(trace, [{ runId: 'r', n: ++n, at: n, ...event } as unknown as AgentEvent]);
  add({
    kind: 'run-started',
    tracing: 'observed',
    payload: remote(payload),
    context: remote(payload),
    startedAt: 0,
  });
  const open: StepInfo[] = [];
  const observer = {
    before(info: StepInfo): Replacement | undefined {
      const { path, iteration, kind, name, context } = info;
      ids.set(info, ids.size + 1);
      const parent = ids.get(open.at(-1) as StepInfo) ?? null;
      open.push(info);
      const changes: Change[] = [{ path: '/currentItem', after: remote(context['currentItem']) }];
      const settings = remote({});
      add({
        kind: 'step-started',
        step: ids.get(info),
        parent,
        path,
        iteration,
        stepKind: kind,
        name,
        settings,
        changes,
      });
      return replace(path);
    },
    after(info: StepInfo, outcome: StepOutcome): void {
      open.pop();
      const error = outcome.state === 'failed' ? { code: outcome.error.code, path: info.path } : undefined;
      add({ kind: 'step-ended', step: ids.get(info), changes: [], ...outcome, error });
    },
  };
  const run = runPipeline(pipeline, { payload, functions: FUNCTIONS, observer });
  const ended = run.then(
    () => 'completed',
    () => 'failed',
  );
  const state = await Promise.race([ended, new Promise<null>((resolve) => setTimeout(resolve, 0, null))]);
  if (state) add({ kind: 'run-ended', state, milliseconds: n });
  return trace;
}

async function why(path: string, pipeline: object[], payload?: Context) {
  const trace = await traceOf(pipeline, payload);
  return explain(path, pipeline, trace);
}

function explain(path: string, pipeline: object[], trace: Trace, isCut = false) {
  const nodes = pipelineNodes(pipeline);
  const found = whyNotRun(
    nodes.find((node) => node.path === path)!,
    nodes,
    trace,
    isCut,
  );
  if (!found) return null;
  return { ...found, values: found.values.map(([name, value]) => `${name} = ${toJson(value)}`) };
}

const choice = [
  {
    type: 'if',
    conditions: [
      { condition: 'user.role == "admin"', functions: [ok] },
      { condition: 'user.name.startsWith("A") && context.count > 2', functions: [ok] },
    ],
    elseFunctions: [ok],
  },
];

describe('a branch that wasn’t taken', () => {
  it('says that its condition was false, with the values that the condition reads', async () => {
    const payload = { user: { role: 'guest', name: 'Bea' }, count: 1 };
    expect(await why('/0/conditions/0', choice, payload)).toEqual({
      state: 'not-run',
      reason: 'Its condition was false: user.role == "admin".',
      values: ['user.role = "guest"'],
    });
    expect(await why('/0/conditions/1/functions/0', choice, payload)).toMatchObject({
      values: ['user.name = "Bea"', 'context.count = 1'],
    });
  });

  it('says that an earlier condition was true', async () => {
    const payload = { user: { role: 'admin' } };
    for (const path of ['/0/conditions/1', '/0/elseFunctions/0'])
      expect(await why(path, choice, payload)).toMatchObject({
        reason: 'Another branch ran, because its condition was true: user.role == "admin".',
        values: ['user.role = "admin"'],
      });
  });

  it('has the values of the last iteration', async () => {
    const loop = [{ type: 'loop', items: 'list', functions: [{ ...choice[0], elseFunctions: undefined }] }];
    const inLoop = JSON.parse(JSON.stringify(loop).replaceAll('user', 'currentItem')) as object[];
    const list = [{ role: 'guest', name: 'B' }, { name: 'C' }];
    expect(await why('/0/functions/0/conditions/0', inLoop, { list })).toMatchObject({
      reason: 'Its condition was false: currentItem.role == "admin". The “if” ran 2 times.',
      values: ['currentItem.role = undefined'],
    });
  });

  it('names a condition that failed', async () => {
    expect(await why('/0/conditions/0/functions/0', choice, {})).toMatchObject({
      reason: 'A condition of its “if” failed.',
    });
  });

  it('finds no values in strings, calls, and arrow functions', async () => {
    const condition = 'list.some((x) => x.a == "list.length") || Math.max(1, size["a"]) > 5';
    const pipeline = [{ type: 'if', conditions: [{ condition, functions: [ok] }] }];
    expect(await why('/0/conditions/0', pipeline, { list: [], size: { a: 1 } })).toMatchObject({
      values: ['list = []', 'size = {"a":1}'],
    });
  });
});

describe('a step that didn’t run', () => {
  it('says that the loop had no items', async () => {
    const items = [{ type: 'loop', items: 'list', functions: [{ functionPackage: 'ok', functions: [ok] }] }];
    const range = [{ type: 'loop', range: { from: 3, to: 1 }, functions: [ok] }];
    expect(await why('/0/functions/0/functions/0', items, { list: [] })).toMatchObject({
      state: 'not-run',
      reason: 'The loop had no items: “list” was empty.',
    });
    expect(await why('/0/functions/0', range)).toMatchObject({
      reason: 'The loop had no items: its range is empty.',
    });
    expect(await why('/0/functions/0', items, { list: 1 })).toMatchObject({
      reason: 'The loop failed: its items aren’t an array.',
    });
  });

  it('names the earlier step that failed', async () => {
    const pipeline = [{ type: 'loop', range: { from: 1, to: 2 }, functions: [{ functionPackage: 'fails' }, ok] }, ok];
    for (const path of ['/0/functions/1', '/1'])
      expect(await why(path, pipeline)).toMatchObject({
        state: 'not-run',
        reason: 'An earlier step failed: fails (/0/functions/0).',
      });
    const nested = [{ functionPackage: 'fails', functions: [ok] }];
    expect(await why('/0/functions/0', nested)).toMatchObject({ reason: 'Its parent step failed: fails (/0).' });
  });

  it('says that its parent skipped it', async () => {
    const pipeline = [{ functionPackage: 'skips', functions: [{ functionPackage: 'ok', functions: [ok] }] }];
    expect(await why('/0/functions/0/functions/0', pipeline)).toMatchObject({
      reason: 'Its parent step skipped its nested steps: skips (/0).',
    });
  });

  it('says that its parent had another outcome instead', async () => {
    const pipeline = [{ type: 'loop', range: { from: 1, to: 2 }, functions: [ok] }, { functionPackage: 'fails' }, ok];
    const skipped = await traceOf(pipeline, {}, (path) => (path === '/0' ? { skip: true, by: 'debugger' } : undefined));
    // The step that failed later isn’t why.
    expect(explain('/0/functions/0', pipeline, skipped)?.reason).toBe(
      'Its parent step didn’t run itself: loop (/0) was skipped.',
    );
    expect(explain('/2', pipeline, skipped)?.reason).toBe('An earlier step failed: fails (/1).');
  });

  it('doesn’t say what a condition was that wasn’t evaluated, because the branch was forced', async () => {
    const payload = { user: { role: 'admin', name: '' }, count: 0 };
    const forced = await traceOf(choice, payload, () => ({ branch: 1, by: 'debugger' }));
    for (const path of ['/0/conditions/0', '/0/elseFunctions'])
      expect(explain(path, choice, forced)?.reason).toBe(
        'The “if” took branch 2. You chose this branch while the run was paused. No condition was evaluated.',
      );
  });

  it('is pending during the run, and unknown once the run was interrupted', async () => {
    const pipeline = [{ functionPackage: 'hangs' }, ok];
    const trace = await traceOf(pipeline);
    expect(explain('/1', pipeline, trace)).toMatchObject({
      state: 'pending',
      reason: 'The run hasn’t reached this step yet.',
    });
    expect(explain('/0', pipeline, trace)).toBeNull();
    endTrace(trace, 'stopped');
    expect(explain('/1', pipeline, trace)).toMatchObject({ reason: 'The run was stopped before this step.' });
    trace.state = 'interrupted';
    expect(explain('/1', pipeline, trace)).toMatchObject({ state: 'unknown' });
  });

  it('is unknown when events are missing or the runtime can’t be traced', async () => {
    const trace = await traceOf([ok]);
    expect(explain('/1', [ok, ok], trace)?.reason).toBe(
      'This run doesn’t have the step. The pipeline may have changed since then.',
    );
    expect(explain('/1', [ok, ok], trace, true)?.state).toBe('unknown');
    expect(explain('/1', [ok, ok], { ...trace, dropped: 1 })?.state).toBe('unknown');
    // Another iteration may have taken the branch.
    const lossy = await traceOf(choice, { user: { role: 'admin', name: '' }, count: 0 });
    expect(explain('/0/conditions/1', choice, lossy)?.state).toBe('not-run');
    expect(explain('/0/conditions/1', choice, { ...lossy, dropped: 1 })?.state).toBe('unknown');
    expect(explain('/0', [ok], { ...trace, tracing: 'bare' })?.state).toBe('unknown');
  });
});

it('a branch without steps that was taken counts as run', async () => {
  const pipeline = [
    {
      type: 'loop',
      range: { from: 1, to: 2 },
      functions: [{ type: 'if', conditions: [{ condition: 'true', functions: [] }] }],
    },
  ];
  const node = pipelineNodes(pipeline).at(-1)!;
  expect(nodeRun(node, await traceOf(pipeline))).toMatchObject({ state: 'completed', count: 2 });
});

it('a step’s definition is read from any shape', () => {
  const pipeline = [
    { functionPackage: 'f', settings: { to: ['a'] } },
    { type: 'loop', items: 'list' },
    { type: 'if', conditions: [{ condition: 'a' }, 7, { condition: 7 }], elseFunctions: [] },
    { type: 'if', conditions: 'none' },
    null,
  ];
  const shown = pipelineNodes(pipeline).map((node) => {
    const definition = definitionOf(node);
    if (definition.kind === 'settings') return definition.settings && toJson(definition.settings);
    return definition.kind === 'loop' ? toJson(definition.source) : JSON.stringify({ ...definition, kind: undefined });
  });
  expect(shown).toEqual([
    '{"to":["a"]}',
    '{"items":"list"}',
    '{"conditions":["a","(a function)","(a function)"],"hasElse":true}',
    '{"condition":"a"}',
    '{"condition":"(a function)"}',
    '{"condition":"(a function)"}',
    '{"condition":null}',
    '{"conditions":[],"hasElse":false}',
    null,
  ]);
});
