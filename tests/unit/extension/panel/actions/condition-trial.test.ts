/** Tries conditions that are being edited on recorded runs. */
import { describe, expect, it } from 'vitest';
import type { Recording } from '../../../../../lib/debugging/recording/format.ts';
import { ConditionTrial } from '../../../../../lib/extension/panel/actions/edit/condition-trial.ts';
import type { RunRecord } from '../../../../../lib/extension/panel/run/history/run-store.ts';
import type { Pipeline } from '../../../../../lib/pipeline/index.ts';
import { record } from '../../../debugging/record.ts';

const pipelineOf = (...conditions: string[]): Pipeline => [
  {
    type: 'loop',
    items: 'records',
    functions: [
      {
        type: 'if',
        conditions: conditions.map((condition) => ({ condition, functions: [{ functionPackage: 'send' }] })),
      },
    ],
  },
];
const PATH = '/0/functions/0/conditions';
const records = Array.from({ length: 40 }, (_, id) => ({ id, data: { email: `p${id}`, age: id } }));

const run = async (pipeline = pipelineOf('currentItem.id === 0'), payload: object = { records }): Promise<Recording> =>
  (await record(pipeline, { send: () => undefined, note: () => undefined }, { payload: { ...payload } })).recording;

const recordOf = (id: string, more: Partial<RunRecord> = {}): RunRecord =>
  ({
    id,
    subject: 's',
    number: 1,
    startedAt: 1,
    state: 'completed',
    recording: { size: 1, lost: 0 },
    ...more,
  }) as RunRecord;

function create(recordings: Record<string, Recording>, stored = Object.keys(recordings).map((id) => recordOf(id))) {
  const asked: string[] = [];
  const trial = new ConditionTrial({
    store: { list: () => Promise.resolve(stored) },
    recordingOf: ({ id }) => {
      asked.push(id);
      return Promise.resolve(recordings[id] ?? null);
    },
    subject: () => 's',
  });
  const show = async (functions: unknown, path = `${PATH}/0`): Promise<ConditionTrial> => {
    trial.show({ functions, path });
    await trial.idle();
    return trial;
  };
  return { trial, show, asked };
}

describe('a condition that is being edited', () => {
  it('is evaluated as it’s now, in the contexts of all visits of the latest recorded run', async () => {
    const { show, trial } = create({ new: await run(), old: await run() });
    await show(pipelineOf('currentItem.data.age < 12'));
    expect(trial.summary.value).toBe('True in 12 of 40 visits');
    expect(trial.run.value?.id).toBe('new');
    expect(trial.trial.value?.why).toMatchObject({ state: 'true', segments: expect.anything() });
    trial.chooseVisit(12);
    await trial.idle();
    expect(trial.trial.value?.why).toMatchObject({ state: 'false' });
    expect(trial.iterations.value[12]).toEqual([12]);
    trial.chooseVisit(99);
    expect(trial.visit.value).toBe(39);
  });

  it('says where its syntax is invalid, and which key was probably meant', async () => {
    const { show, trial } = create({ a: await run() });
    await show(pipelineOf('currentItem.id === '));
    expect(trial.trial.value?.why).toMatchObject({ state: 'invalid', column: 20 });
    expect(trial.summary.value).toBe('');
    await show(pipelineOf('currentItem.data.emial.length > 0'));
    expect(trial.trial.value?.why).toMatchObject({
      state: 'failed',
      failed: { message: 'currentItem.data.emial is undefined. Did you mean “email”?' },
    });
    expect(trial.summary.value).toBe('True in 0 of 40 visits, fails in 40');
  });

  it('counts separately how often its branch would run, after the conditions before it', async () => {
    const { show, trial } = create({ a: await run() });
    await show(pipelineOf('currentItem.id < 10', 'currentItem.id < 15'), `${PATH}/1`);
    expect(trial.summary.value).toBe('True in 15 of 40 visits, its branch runs in 5');
  });

  it('is unknown where the recording doesn’t have the value, or another time', async () => {
    const recording = await run();
    const payload = recording.payload as { records: { data: object }[] };
    payload.records[3]!.data = { $: 'lost', value: 'masked' };
    const { show, trial } = create({ a: recording });
    await show(pipelineOf('currentItem.data.age < 12'));
    expect(trial.summary.value).toBe('True in 11 of 40 visits, unknown in 1');
    await show(pipelineOf('Date.now() > 0'));
    expect(trial.summary.value).toBe('True in 0 of 40 visits, unknown in 40');
    const timed = create({ a: await run(pipelineOf('Date.now() < 0')) });
    await timed.show(pipelineOf('Date.now() > 0'));
    expect(timed.trial.summary.value).toBe('True in 40 of 40 visits');
  });

  it('is found in the recorded pipeline after a step was inserted before it', async () => {
    const { show, trial } = create({ a: await run() });
    const [loop] = pipelineOf('currentItem.id < 3') as object[];
    await show([{ functionPackage: 'note' }, loop], `/1/functions/0/conditions/0`);
    expect(trial.summary.value).toBe('True in 3 of 40 visits');
    await show(
      [{ type: 'if', conditions: [{ condition: 'true', functions: [] }] }, ...pipelineOf('x')],
      '/0/conditions/0',
    );
    expect(trial.state.value).toBe('other');
    expect(trial.trial.value).toBeNull();
  });

  it('is evaluated once for several changes in a row, on the run that was chosen last', async () => {
    const { trial, asked } = create({ new: await run(), old: await run(undefined, { records: records.slice(0, 4) }) });
    trial.show({ functions: pipelineOf('false'), path: `${PATH}/0` });
    trial.show({ functions: pipelineOf('currentItem.id'), path: `${PATH}/0` });
    await trial.idle();
    expect(asked).toEqual(['new']);
    trial.chooseRun('old');
    await trial.idle();
    expect(trial.summary.value).toBe('True in 3 of 4 visits');
  });

  it('has nothing to be tried on without a recording, or if the run didn’t come to it', async () => {
    const none = create({}, [recordOf('a', { recording: undefined } as Partial<RunRecord>)]);
    await none.show(pipelineOf('true'));
    expect(none.trial.state.value).toBe('none');
    const unreadable = create({}, [recordOf('a')]);
    await unreadable.show(pipelineOf('true'));
    expect(unreadable.trial.state.value).toBe('unreadable');
    const unvisited = create({ a: await run(undefined, { records: [] }) });
    await unvisited.show(pipelineOf('true'));
    expect(unvisited.trial.state.value).toBe('unvisited');
  });

  it('can be tried again after the runs couldn’t be listed', async () => {
    let fails = true;
    const trial = new ConditionTrial({
      store: { list: () => (fails ? Promise.reject(new Error('no')) : Promise.resolve([])) },
      recordingOf: () => Promise.resolve(null),
      subject: () => 's',
    });
    trial.show({ functions: [], path: `${PATH}/0` });
    await trial.idle();
    expect(trial.state.value).toBe('failed');
    expect(trial.error.value).not.toBeNull();
    fails = false;
    await trial.refresh();
    expect(trial.state.value).toBe('none');
  });
});
