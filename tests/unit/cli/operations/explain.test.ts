/** Tests explanations of recorded runs. */
import { beforeAll, describe, expect, it } from 'vitest';
import { explainRecording } from '../../../../lib/cli/operations/explain.ts';
import type { Recording } from '../../../../lib/debugging/recording/format.ts';
import type { Pipeline } from '../../../../lib/pipeline/index.ts';
import { record } from '../../debugging/record.ts';

const pipeline: Pipeline = [
  {
    type: 'loop',
    items: 'users',
    functions: [
      {
        type: 'if',
        conditions: [{ condition: 'currentItem.data.admin == true', functions: [{ function: 'send' }] }],
      },
    ],
  },
  { type: 'if', conditions: [{ condition: 'user.emial.length > 3', functions: [] }] },
];
const payload = { users: [{ data: { admin: true } }, { data: { Admin: true } }], user: { email: 'ada@example.com' } };
let recording: Recording;
beforeAll(async () => void ({ recording } = await record(pipeline, { send: () => undefined }, { payload })));

describe('an explanation of a run', () => {
  it('ends when it’s canceled', async () => {
    const canceled = explainRecording(recording, {}, { signal: AbortSignal.abort() });
    await expect(canceled).rejects.toMatchObject({ code: 'ABORTED' });
  });

  it('doesn’t know whether a step ran if the recording ends before the run did', async () => {
    const cut: Recording = { ...recording, steps: recording.steps.slice(0, 2), end: { state: 'interrupted' } };
    expect((await explainRecording(cut, { step: '/1' })).ran).toBeNull();
    expect((await explainRecording(cut, { step: '/0/functions/0' })).ran).toBe(true);
    expect((await explainRecording({ ...cut, end: { state: 'stopped' } }, { step: '/1' })).ran).toBe(false);
  });

  it('has every if in the order of the run, with the values that its conditions saw', async () => {
    const { steps, ran } = await explainRecording(recording);
    expect(ran).toBeUndefined();
    expect(steps).toEqual([
      {
        path: '/0/functions/0',
        iteration: [0],
        branch: 0,
        state: 'evaluated',
        conditions: [{ state: 'true', source: 'currentItem.data.admin == true', text: 'true == true', hints: [] }],
      },
      {
        path: '/0/functions/0',
        iteration: [1],
        branch: null,
        state: 'evaluated',
        conditions: [
          {
            state: 'false',
            source: 'currentItem.data.admin == true',
            text: 'undefined == true',
            hints: ['currentItem.data.admin is undefined. Did you mean “Admin”?'],
          },
        ],
      },
      {
        path: '/1',
        iteration: [],
        state: 'evaluated',
        conditions: [
          {
            state: 'failed',
            source: 'user.emial.length > 3',
            text: expect.stringContaining('user.emial.length') as string,
            hints: ['user.emial is undefined. Did you mean “email”?'],
          },
        ],
      },
    ]);
  });

  it('says why the run failed, with what was probably meant', async () => {
    const { end, failure } = await explainRecording(recording);
    expect(end).toMatchObject({ state: 'failed', error: { code: 'CONDITION_FAILED', path: '/1' } });
    expect(failure).toBe('user.emial is undefined. Did you mean “email”?');
  });

  it('has the error’s message if a function failed, and none if nothing did', async () => {
    const refuse = (): never => {
      throw new Error('out of stamps');
    };
    const failed = await record([{ function: 'send' }], { send: refuse });
    expect((await explainRecording(failed.recording)).failure).toBe('send failed: out of stamps');
    const done = await record([{ function: 'send' }], { send: () => 1 });
    expect(await explainRecording(done.recording)).toEqual({
      end: { state: 'completed', result: 1 },
      failure: null,
      steps: [],
    });
  });

  it('says that a mock forced a branch', async () => {
    const forced = await record([pipeline[1]!], {}, { observer: { before: () => ({ branch: 0, by: 'mock' }) } });
    expect((await explainRecording(forced.recording)).steps).toEqual([
      { path: '/0', iteration: [], branch: 0, state: 'forced', why: 'mock', conditions: [] },
    ]);
  });

  it('doesn’t guess where the recording has no value', async () => {
    const lossy = structuredClone(recording);
    lossy.payload = { $: 'lost', value: 'masked' };
    const { steps } = await explainRecording(lossy);
    expect(steps.map(({ state }) => state)).toEqual(['unknown', 'unknown', 'unknown']);
    expect(steps[0]!.why).toBe('The recording doesn’t have this value: it was masked as a secret.');
  });
});

describe('an explanation of one step', () => {
  it('has the value of each part in each iteration', async () => {
    const { steps, ran } = await explainRecording(recording, { step: '/0/functions/0' });
    expect(ran).toBe(true);
    expect(steps.map(({ iteration }) => iteration)).toEqual([[0], [1]]);
    expect(steps[1]!.conditions[0]!.parts).toEqual([
      { level: 0, text: 'currentItem.data.admin == true', state: 'evaluated', value: false },
      { level: 1, text: 'currentItem.data.admin', state: 'evaluated', value: { $: 'undefined' } },
      { level: 2, text: 'currentItem.data', state: 'evaluated', value: { Admin: true } },
      { level: 3, text: 'currentItem', state: 'evaluated', value: { data: { Admin: true } } },
    ]);
  });

  it('has only the wanted iteration', async () => {
    const { steps } = await explainRecording(recording, { step: '/0/functions/0', iteration: [1] });
    expect(steps.map(({ iteration }) => iteration)).toEqual([[1]]);
  });

  it('explains the ifs around a step that didn’t run', async () => {
    const step = '/0/functions/0/conditions/0/functions/0';
    const missed = await explainRecording(recording, { step, iteration: [1] });
    expect(missed.ran).toBe(false);
    expect(missed.steps.map(({ path, branch }) => [path, branch])).toEqual([['/0/functions/0', null]]);
    expect((await explainRecording(recording, { step, iteration: [0] })).ran).toBe(true);
  });

  it('cuts long values', async () => {
    const text = 'x'.repeat(5_000);
    const long = await record(
      [{ type: 'if', conditions: [{ condition: 'text', functions: [] }] }],
      {},
      {
        payload: { text },
      },
    );
    const { steps } = await explainRecording(long.recording, { step: '/0' });
    expect(steps[0]!.conditions[0]!.parts![0]!.value).toEqual({ $: 'lost', value: 'too-large' });
  });

  it('is refused if the pipeline has no such step', async () => {
    await expect(explainRecording(recording, { step: '/7' })).rejects.toMatchObject({ code: 'STEP_NOT_FOUND' });
  });
});
