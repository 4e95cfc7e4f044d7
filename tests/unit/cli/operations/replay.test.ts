/** Tests replays of recordings, as they are and with changes. */
import { beforeAll, describe, expect, it } from 'vitest';
import { replayChanged, replayRecording } from '../../../../lib/cli/operations/replay.ts';
import type { Recording } from '../../../../lib/debugging/recording/format.ts';
import type { Pipeline } from '../../../../lib/pipeline/index.ts';
import { record } from '../../debugging/record.ts';

const branch = (condition: string, ...names: string[]): Pipeline[number] => ({
  type: 'if',
  conditions: [{ condition, functions: names.map((name) => ({ function: name })) }],
  elseFunctions: [{ function: 'other' }],
});
const pipeline: Pipeline = [
  { function: 'read' },
  { type: 'loop', items: 'users', functions: [branch('currentItem.admin == true', 'send')] },
  { function: 'count' },
];
const functions = {
  read: (_: unknown, context: Record<string, unknown>) => void (context.users = [{ admin: true }, { admin: 'true' }]),
  send: (_: unknown, context: Record<string, unknown>) => void (context.sent = Number(context.sent ?? 0) + 1),
  other: () => undefined,
  count: (_: unknown, { sent }: Record<string, unknown>) => `${String(sent)} sent`,
};

let recording: Recording;
beforeAll(async () => void ({ recording } = await record(pipeline, functions, { payload: { since: 1 } })));

describe('a replay', () => {
  it('ends as the recorded run did', async () => {
    expect(await replayRecording(recording)).toEqual({
      outcome: 'same',
      steps: 7,
      end: { state: 'completed', result: '1 sent' },
    });
  });

  it('ends when it’s canceled', async () => {
    const canceled = replayRecording(recording, { signal: AbortSignal.abort() });
    await expect(canceled).rejects.toMatchObject({ code: 'ABORTED' });
  });

  it('is the same if the run failed and fails with the same error', async () => {
    const failed = await record([{ function: 'refuse' }], {
      refuse: () => {
        throw new Error('no');
      },
    });
    expect(await replayRecording(failed.recording)).toMatchObject({ outcome: 'same', end: { state: 'failed' } });
  });

  it('is different if the run was stopped at a step that the pipeline doesn’t have anymore', async () => {
    const stop = new AbortController();
    const steps = [{ function: 'count' }, { function: 'stop' }];
    const stopped = await record(
      steps,
      { ...functions, stop: () => new Promise(() => stop.abort()) },
      { signal: stop.signal },
    );
    expect(await replayRecording(stopped.recording)).toMatchObject({ outcome: 'same', end: { state: 'stopped' } });
    const shorter = {
      ...stopped.recording,
      pipeline: [{ function: 'count' }],
      steps: stopped.recording.steps.slice(0, 1),
    };
    expect(await replayRecording(shorter)).toMatchObject({
      outcome: 'different',
      divergence: { what: 'end', recorded: 'stopped', replayed: 'completed' },
    });
  });

  it('has the first divergence', async () => {
    const changed = structuredClone(recording);
    const [first] = changed.steps;
    first!.changes = [['/users', [{ admin: false }, { admin: 'true' }]]];
    expect(await replayRecording(changed)).toEqual({
      outcome: 'different',
      steps: 7,
      divergence: { what: 'branch', path: '/1/functions/0', iteration: [0], recorded: 0, replayed: 'else' },
    });
  });

  it('is unknown where it depends on a value that the recording doesn’t have', async () => {
    const lossy = structuredClone(recording);
    lossy.steps[0]!.changes = [['/users', { $: 'lost', value: 'too-large' }]];
    expect(await replayRecording(lossy)).toMatchObject({
      outcome: 'unknown',
      place: { path: '/1', iteration: [] },
      reason: 'The recording doesn’t have this value: it was too large.',
    });
  });
});

describe('a replay with a change', () => {
  it('has the new end and the branches that changed, in each iteration', async () => {
    const fixed = structuredClone(pipeline);
    fixed[1]!.functions = [branch('currentItem.admin', 'send')];
    const replayed = await replayChanged(recording, { pipeline: fixed });
    expect(replayed.branches).toEqual([{ path: '/1/functions/0', iteration: [1], recorded: 'else', replayed: 0 }]);
    expect(replayed.replayed.end).toEqual({
      state: 'no-outcome',
      path: '/1/functions/0/conditions/0/functions/0',
      iteration: [1],
      package: 'send',
    });
  });

  it('goes on with a mock where the recorded run has no outcome', async () => {
    const fixed = structuredClone(pipeline);
    fixed[1]!.functions = [branch('currentItem.admin', 'send')];
    const mocks = [
      { target: { package: 'send' }, outcome: {} },
      { target: { package: 'count' }, outcome: { value: '2 sent' } },
    ];
    const replayed = await replayChanged(recording, { pipeline: fixed, mocks });
    expect(replayed.replayed).toEqual({ steps: 7, end: { state: 'completed', result: '2 sent' } });
    expect(replayed.recorded).toEqual({ steps: 7, end: { state: 'completed', result: '1 sent' } });
    expect(replayed.recording.steps.filter(({ replaced }) => replaced === 'mock')).toHaveLength(3);
  });

  it('is unknown from a function on that would get other input, and says which', async () => {
    const replayed = await replayChanged(recording, { payload: { since: { password: 'x', day: 2 } } });
    expect(replayed.replayed.end).toEqual({
      state: 'other-input',
      path: '/0',
      iteration: [],
      package: 'read',
      input: { of: 'context', pointer: '/since', recorded: '1', replayed: expect.not.stringContaining('x') },
    });
    expect(replayed).not.toHaveProperty('outdated');
  });

  it('names an if that moved by its new path, and has only one side if it ran once', async () => {
    const { recording: simple } = await record([branch('go', 'send')], functions, { payload: { go: true } });
    const moved = await replayChanged(simple, {
      pipeline: [{ function: 'count' }, branch('!go', 'send')],
      mocks: [
        { target: { package: 'count' }, outcome: {} },
        { target: { package: 'other' }, outcome: {} },
      ],
    });
    expect(moved.branches).toEqual([{ path: '/1', iteration: [], recorded: 0, replayed: 'else' }]);
    const { recording: both } = await record([branch('true', 'send'), branch('go', 'count')], functions, {});
    const removed = await replayChanged(both, { pipeline: [branch('true', 'send')] });
    expect(removed.branches).toEqual([{ path: '/1', iteration: [], recorded: 'else' }]);
  });

  it('has an if whose condition failed as failed', async () => {
    const { recording: simple } = await record([branch('user.age > 3')], functions, { payload: { user: { age: 4 } } });
    const { branches } = await replayChanged(simple, { payload: {} });
    expect(branches).toEqual([{ path: '/0', iteration: [], recorded: 0, replayed: 'failed' }]);
  });

  it('has no branches of steps that it didn’t get to', async () => {
    const two = [branch('go', 'send'), branch('go', 'send')];
    const { recording: both } = await record(two, functions, { payload: { go: true } });
    const ended = await replayChanged(both, { payload: { go: false } });
    expect(ended.replayed.end.state).toBe('no-outcome');
    expect(ended.branches).toEqual([{ path: '/0', iteration: [], recorded: 0, replayed: 'else' }]);
  });

  it('fails with the engine’s error if the pipeline isn’t valid', async () => {
    const replayed = await replayChanged(recording, { pipeline: [{ type: 'what' }] });
    expect(replayed.replayed.end).toMatchObject({ state: 'failed', error: { code: 'PIPELINE_INVALID' } });
  });

  it('rejects with ABORTED once it’s canceled', async () => {
    const signal = AbortSignal.abort();
    await expect(replayChanged(recording, { payload: {} }, { signal })).rejects.toMatchObject({ code: 'ABORTED' });
  });
});
