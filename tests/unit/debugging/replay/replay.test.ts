/** Tests what replays of recordings find: the first divergence, with its place and both values. */
import { describe, expect, it } from 'vitest';
import type { Recording } from '../../../../lib/debugging/recording/format.ts';
import { lost } from '../../../../lib/debugging/recording/values.ts';
import { replay } from '../../../../lib/debugging/replay/replay.ts';
import type { Pipeline, PipelineFunction } from '../../../../lib/pipeline/index.ts';
import { record } from '../record.ts';

const PIPELINE: Pipeline = [
  { functionPackage: 'read' },
  {
    type: 'loop',
    items: 'list',
    functions: [
      {
        type: 'if',
        conditions: [{ condition: 'currentItem > 1', functions: [{ functionPackage: 'add' }] }],
        elseFunctions: [{ functionPackage: 'none' }],
      },
    ],
  },
];
const functions: Record<string, PipelineFunction> = {
  read: (_, context) => ((context.list = [1, 2, 3]), ['read']),
  add: (_, context) => {
    context.sum = Number(context.sum ?? 0) + Number(context.currentItem);
    return { sum: context.sum, at: new Date(0) };
  },
  none: () => undefined,
  fail: () => {
    throw new Error('No network');
  },
};

/** A recording that tests put anything in. */
type Damaged = ReturnType<typeof JSON.parse>;

async function replayAfter(change: (recording: Damaged) => void, pipeline = PIPELINE) {
  const { recording } = await record(pipeline, functions);
  change(recording);
  return replay(recording);
}

const IF = '/1/functions/0';
const ADD = `${IF}/conditions/0/functions/0`;

describe('the replay of a recording', () => {
  it('repeats a branch that was forced, in which the run failed', async () => {
    const pipeline: Pipeline = [
      { type: 'if', conditions: [{ condition: 'false', functions: [{ functionPackage: 'fail' }] }] },
    ];
    const { recording } = await record(pipeline, functions, {
      observer: { before: ({ kind }) => (kind === 'if' ? { branch: 0, by: 'debugger' } : undefined) },
    });
    expect(recording.steps[0]).toMatchObject({ state: 'failed', branch: 0, replaced: 'debugger' });
    expect(await replay(recording)).toMatchObject({ state: 'failed', error: { path: '/0/conditions/0/functions/0' } });
  });

  it('ends with a pattern that takes JavaScript’s own matcher forever', async () => {
    const condition = '/(a|a)*$/.test(text)';
    const pipeline: Pipeline = [{ type: 'if', conditions: [{ condition, functions: [{ functionPackage: 'none' }] }] }];
    const { recording } = await record(pipeline, functions, { payload: { text: `${'a'.repeat(1000)}!` } });
    expect(await replay(recording)).toMatchObject({ state: 'completed' });
  });

  it('has the recorded result', async () => {
    expect(await replayAfter(() => undefined)).toEqual({ state: 'completed', result: { sum: 5, at: new Date(0) } });
  });

  it.each<[string, (recording: Damaged) => void, object]>([
    [
      'another result',
      (r) => (r.end.result.sum = 6),
      { what: 'result', path: ADD, iteration: [2], recorded: { sum: 6 }, replayed: { sum: 5 } },
    ],
    [
      'another result since the outcomes of two steps were swapped',
      (r) => ([r.steps[5].value, r.steps[7].value] = [r.steps[7].value, r.steps[5].value]),
      { what: 'result', path: ADD, iteration: [2], recorded: { sum: 5 }, replayed: { sum: 2 } },
    ],
    [
      'another end',
      (r) => (r.end = { state: 'failed', error: { name: 'Error', message: 'x' } }),
      { what: 'end', recorded: 'failed', replayed: 'completed' },
    ],
    [
      'another branch',
      (r) => (r.steps[0].changes = [['/list', [1, 1, 3]]]),
      { what: 'branch', path: IF, iteration: [1], recorded: 0, replayed: 'else' },
    ],
    [
      'another branch that has no steps',
      (r) => r.pipeline[1].functions[0].conditions.unshift({ condition: 'currentIndex == 0' }),
      { what: 'branch', path: IF, iteration: [0], recorded: 'else', replayed: 0 },
    ],
    [
      'more iterations',
      (r) => (r.steps[0].changes = [['/list', [1, 2, 3, 4]]]),
      { what: 'step', path: IF, iteration: [3], recorded: null, replayed: `${IF} #4` },
    ],
    [
      'fewer iterations',
      (r) => (r.steps[0].changes = [['/list', [1, 2]]]),
      { what: 'iterations', path: '/1', recorded: 3, replayed: 2 },
    ],
    [
      'a step that isn’t in the pipeline',
      (r) => (r.steps[2].path = '/9'),
      { what: 'step', path: IF, iteration: [0], recorded: '/9 #1', replayed: `${IF} #1` },
    ],
    [
      'a step too many',
      (r) => r.steps.push({ kind: 'function', path: '/0', name: 'read', at: 0, milliseconds: 0, state: 'completed' }),
      { what: 'step', path: '/0', recorded: '/0', replayed: null },
    ],
    [
      'a change that doesn’t fit',
      (r) => (r.steps[5].changes = [['/none/sum', 1]]),
      { what: 'context', path: ADD, iteration: [1], recorded: '/none/sum' },
    ],
  ])('finds %s', async (_name, change, divergence) => {
    expect(await replayAfter(change)).toMatchObject({ state: 'diverged', divergence });
  });

  it('says that a payload that isn’t an object can’t be run', async () => {
    const { recording } = await record([{ function: 'add' }], functions, { payload: {} });
    expect(await replay({ ...recording, payload: [1] })).toMatchObject({
      state: 'diverged',
      divergence: { what: 'end', path: '', recorded: 'completed', replayed: expect.stringContaining('The payload') },
    });
  });

  it('finds another error', async () => {
    const failing = [...PIPELINE, { functionPackage: 'fail' }];
    expect(await replayAfter(() => undefined, failing)).toMatchObject({
      state: 'failed',
      error: { code: 'STEP_FAILED', path: '/2', message: 'fail failed: No network' },
    });
    expect(await replayAfter((r) => (r.steps.at(-1).error.message = 'x'), failing)).toMatchObject({
      state: 'diverged',
      divergence: { what: 'error', path: '/2', recorded: 'fail failed: No network', replayed: 'fail failed: x' },
    });
  });

  it('completes with lost parts of the result, and is unknown if all of it is lost', async () => {
    const partly = await replayAfter((r) => (r.steps[7].value.sum = lost('masked')));
    expect(partly.state).toBe('completed');
    expect(() => (partly as { result: { sum: number } }).result.sum).toThrow('it was masked as a secret');
    const whole = await replayAfter((r) => (r.steps[7].value = lost('too-large')));
    expect(whole).toMatchObject({ state: 'unknown', path: ADD, iteration: [2], cause: { reason: 'too-large' } });
    // Nothing depends on it.
    expect((await replayAfter((r) => (r.steps[5].value = lost('too-large')))).state).toBe('completed');
  });

  it('never has properties of other objects', async () => {
    const end = await replayAfter((r) => {
      r.steps[0].changes.push(['/__proto__/polluted', 1], ['/constructor/prototype/polluted', 1]);
    });
    expect(end).toMatchObject({ state: 'diverged', divergence: { what: 'context', path: '/0' } });
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });
});

it('a recording with a value that contains itself can be replayed', async () => {
  const cyclic: Record<string, unknown> = { a: 1 };
  cyclic.self = cyclic;
  const pipeline: Pipeline = [
    { functionPackage: 'set' },
    { type: 'if', conditions: [{ condition: 'value.a == 1', functions: [{ functionPackage: 'set' }] }] },
  ];
  const { recording } = (await record(pipeline, { set: (_, context) => (context.value = cyclic) })) as {
    recording: Recording;
  };
  const end = (await replay(recording)) as { state: string; result: Record<string, unknown> };
  expect(end.state).toBe('completed');
  expect(end.result['a']).toBe(1);
  expect(() => end.result['self']).toThrow('it contained itself');
});
