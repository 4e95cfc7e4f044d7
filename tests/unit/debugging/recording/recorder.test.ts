import { describe, expect, it, test } from 'vitest';
import { maskRecording } from '../../../../lib/debugging/recording/mask.ts';
import { contextsAt } from '../../../../lib/debugging/replay/contexts-at.ts';
import { replay } from '../../../../lib/debugging/replay/replay.ts';
import type { Context, Pipeline, PipelineFunction } from '../../../../lib/pipeline/index.ts';
import { type AtFailure, debugged } from '../debugged-run.ts';
import { record } from '../record.ts';

test('steps that end with the step inside of them end at the same time', async () => {
  let time = 0;
  const pipeline: Pipeline = [{ type: 'if', conditions: [{ condition: 'true', functions: [{ function: 'wait' }] }] }];
  const { recording } = await record(
    [...pipeline, { function: 'wait' }],
    { wait: () => undefined },
    { recorder: { now: () => time++ } },
  );
  expect(recording.steps.map(({ at, milliseconds }) => [at, at + milliseconds])).toEqual([
    [1, 3],
    [2, 3],
    [4, 5],
  ]);
});

describe('the recording of a run that was edited during a pause', () => {
  const check: PipelineFunction = (_, context) => {
    context.tried = Number(context.tried ?? 0) + 1;
    if (Number(context.qty) > 10) throw new RangeError(`${String(context.qty)} is too much`);
    return context.qty;
  };
  const functions = { check, none: () => undefined };
  const fix = (context: Context): void => void (context.qty = 5);
  const retry = { retry: true } as const;

  it('has the edit apart from what the run has changed, also before the first step, and replays', async () => {
    const pipeline: Pipeline = [{ function: 'check' }];
    const { recording, result } = await debugged(pipeline, functions, { payload: { qty: 99 }, edits: { '/0': fix } });
    expect(result).toBe(5);
    expect(recording.steps[0]).toMatchObject({
      late: [{ changes: [['/qty', 5]], by: 'edit' }],
      changes: [['/tried', 1]],
    });
    expect(recording.payload).toEqual({ qty: 99 });
    expect(await replay(recording)).toEqual({ state: 'completed', result: 5 });
  });

  it('has an edit in a loop without the loop’s own names', async () => {
    const pipeline: Pipeline = [{ type: 'loop', range: { from: 1, to: 2 }, functions: [{ function: 'check' }] }];
    const edits = { '/0/functions/0': (context: Context) => void (context.qty = Number(context.currentItem)) };
    const { recording } = await debugged(pipeline, functions, { payload: { qty: 99 }, edits });
    expect(recording.steps.map(({ late }) => late)).toEqual([
      undefined,
      [{ changes: [['/qty', 1]], by: 'edit' }],
      [{ changes: [['/qty', 2]], by: 'edit' }],
    ]);
    expect(await replay(recording)).toEqual({ state: 'completed', result: 2 });
  });

  it('has the outcome of a retried step’s last attempt, what failed, and who changed what', async () => {
    const failures: AtFailure[] = [
      { edit: (context) => void (context.qty = 50), answer: retry },
      { answer: retry },
      { edit: fix, answer: retry },
    ];
    const pipeline: Pipeline = [{ function: 'none' }, { function: 'check', functions: [{ function: 'none' }] }];
    const { recording, result } = await debugged(pipeline, functions, { payload: { qty: 99 }, failures });
    expect(result).toBe(5);
    const step = recording.steps[1]!;
    expect(step).toMatchObject({
      state: 'completed',
      value: 5,
      changes: [['/tried', 4]],
      late: [
        { changes: [['/tried', 1]], attempt: 1 },
        { changes: [['/qty', 50]], attempt: 1, by: 'edit' },
        { changes: [['/tried', 2]], attempt: 2 },
        { changes: [['/tried', 3]], attempt: 3 },
        { changes: [['/qty', 5]], attempt: 3, by: 'edit' },
      ],
    });
    expect(step.attempts!.map(({ message }) => message)).toEqual([
      '99 is too much',
      '50 is too much',
      '50 is too much',
    ]);
    expect(step.error).toBeUndefined();
    expect(await replay(recording)).toEqual({ state: 'completed', result: 5 });
    // A run that starts at the step starts with what the last attempt had.
    expect((await contextsAt(recording, [1])).get(1)?.before).toEqual({ qty: 5, tried: 3 });
  });

  it('has what the conditions of the last attempt read, and not that of a failed one', async () => {
    const pipeline: Pipeline = [
      {
        type: 'if',
        conditions: [{ condition: 'Date.now() > 0 && a.b', functions: [{ function: 'none' }] }],
        elseFunctions: [{ function: 'check' }],
      },
    ];
    const edit = (context: Context): void => void (context.a = { b: false });
    const { recording } = await debugged(pipeline, functions, { failures: [{ edit, answer: retry }] });
    const [step] = recording.steps;
    expect(step).toMatchObject({ branch: 'else', late: [{ changes: [['/a', { b: false }]], by: 'edit', attempt: 1 }] });
    expect(step!.now).toHaveLength(1);
    expect(step!.attempts).toMatchObject([{ code: 'CONDITION_FAILED' }]);
    expect(await replay(recording)).toMatchObject({ state: 'completed' });
  });

  it('replays a failure as it was, whatever was edited after it', async () => {
    const when: Pipeline = [{ type: 'if', conditions: [{ condition: 'a.b', functions: [] }] }];
    const edit = (context: Context): void => void Object.assign(context, { a: { b: true }, qty: 1 });
    for (const pipeline of [when, [{ function: 'check' }]]) {
      const { recording, error } = await debugged(pipeline, functions, { payload: { qty: 99 }, failures: [{ edit }] });
      expect(error).toMatchObject({ path: '/0' });
      expect(recording.steps[0]!.attempts).toBeUndefined();
      expect(await replay(recording)).toMatchObject({ state: 'failed' });
    }
  });

  it('tells what a failed function changed from what was edited after it', async () => {
    const failures: AtFailure[] = [{ edit: fix }];
    const { recording } = await debugged([{ function: 'check' }], functions, { payload: { qty: 99 }, failures });
    const changes = [
      ['/tried', 1],
      ['/qty', 5],
    ];
    expect(recording.steps[0]).toMatchObject({ state: 'failed', changes, edited: [1] });
  });

  it('has an edit before another outcome that was chosen', async () => {
    const pipeline: Pipeline = [{ function: 'check' }, { function: 'check' }];
    const failures: AtFailure[] = [{ edit: fix, answer: { value: 'mine' } }];
    const { recording, result } = await debugged(pipeline, functions, { payload: { qty: 99 }, failures });
    expect(result).toBe(5);
    expect(recording.steps[0]).toMatchObject({
      replaced: 'debugger',
      late: [
        { changes: [['/tried', 1]], attempt: 1 },
        { changes: [['/qty', 5]], attempt: 1, by: 'edit' },
      ],
    });
    expect(await replay(recording)).toEqual({ state: 'completed', result: 5 });
  });

  it.each<[string, (nested: Pipeline) => Pipeline[number], { value: string } | { branch: number }]>([
    ['function', (nested) => ({ function: 'check', functions: nested }), { value: 'mine' }],
    ['if', (nested) => ({ type: 'if', conditions: [{ condition: 'a.b', functions: nested }] }), { branch: 0 }],
  ])('has an edit before the steps within a failed %s with another outcome, also if they fail', async (...given) => {
    const [, around, answer] = given;
    const edit = (context: Context): void => void Object.assign(context, { qty: 98 });
    const pipeline = [around([{ function: 'none' }, { function: 'check' }])];
    const failures: AtFailure[] = [{ edit, answer }];
    const { recording, error } = await debugged(pipeline, functions, { payload: { qty: 99 }, failures });
    expect(error).toMatchObject({ message: 'check failed: 98 is too much' });
    expect(recording.steps[0]!.late!.at(-1)).toEqual({ changes: [['/qty', 98]], by: 'edit', attempt: 1 });
    expect(await replay(recording)).toMatchObject({ state: 'failed' });
  });

  it('has an edit of a large value at its time', async () => {
    const rows = Array.from({ length: 5_000 }, (_, id) => ({ id }));
    const pipeline: Pipeline = [{ function: 'none' }, { function: 'check' }];
    const edit = (context: Context): void => void ((context.rows as { id: number }[])[4_999]!.id = -1);
    const { recording } = await debugged(pipeline, functions, { payload: { qty: 1, rows }, edits: { '/1': edit } });
    expect(recording.steps[1]!.late).toEqual([{ changes: [['/rows/4999/id', -1]], by: 'edit' }]);
    expect(recording.lost).toBe(0);
  });

  it('has no secret of a failed attempt', async () => {
    const leak: PipelineFunction = (_, context) => {
      if (!context.ok) throw new Error('refused: Authorization: Bearer abc.def.ghi');
    };
    const failures: AtFailure[] = [{ edit: (context) => void (context.ok = true), answer: retry }];
    const { recording } = await debugged([{ function: 'leak' }], { leak }, { failures });
    expect(JSON.stringify(maskRecording(recording))).not.toContain('abc.def.ghi');
  });
});
