/** Tests replays of recorded runs with another pipeline, payload, or mocks. */
import { describe, expect, it } from 'vitest';
import type { Recording } from '../../../../lib/debugging/recording/format.ts';
import { lost } from '../../../../lib/debugging/recording/values.ts';
import { replay } from '../../../../lib/debugging/replay/replay.ts';
import { replayWith, type WhatIf, type WhatIfRun } from '../../../../lib/debugging/replay/what-if.ts';
import type { Pipeline, PipelineFunction } from '../../../../lib/pipeline/index.ts';
import { debugged } from '../debugged-run.ts';
import { record, type RecordOptions } from '../record.ts';

const step = (functionPackage: string, more: object = {}) => ({ functionPackage, ...more });
const READ = step('read');
const SEND = step('send');
const FAIL = step('fail');
const SAY = step('say');
const NOTIFY = step('com.platform.function.send-notification', {
  settings: { title: 'New', message: 'for {{currentItem.id}}' },
});
const branch = (condition: string, functions: Pipeline, elseFunctions?: Pipeline) => ({
  type: 'if' as const,
  conditions: [{ condition, functions }],
  ...(elseFunctions && { elseFunctions }),
});
const each = (...functions: Pipeline) => ({ type: 'loop' as const, items: 'records', functions });

const functions: Record<string, PipelineFunction> = {
  read: (_, context) => {
    context.records = [{ id: 1 }, { id: 2 }, { id: 3 }];
    return 'read';
  },
  send: (_, context) => {
    context.sent = Number(context.sent ?? 0) + 1;
    return context.sent;
  },
  fail: () => {
    throw new Error('No network');
  },
  skip: () => Promise.reject(),
  mark: (_, { user }) => void ((user as { isMarked?: boolean }).isMarked = true),
  none: () => undefined,
  say: ({ text }) => text ?? 'said',
  'com.platform.function.send-notification': async () => undefined,
  'com.platform.function.write-datasource': async () => undefined,
  'com.platform.function.read-datasource': (_, context) => void (context.records = [{ id: 1 }]),
  hang: () => new Promise(() => undefined),
};

const recorded = async (pipeline: Pipeline, options?: RecordOptions): Promise<Recording> =>
  (await record(pipeline, functions, options)).recording;

const whatIf = async (pipeline: Pipeline, change: WhatIf, options?: RecordOptions): Promise<WhatIfRun> =>
  replayWith(await recorded(pipeline, options), change);

/** Path, iteration, and outcome of each step. */
const stepsOf = ({ recording }: WhatIfRun): string[] =>
  recording.steps.map(({ path, iteration = [], state, branch: taken, replaced }) =>
    [
      [path, ...iteration].join('#'),
      state,
      ...(taken === undefined ? [] : [`branch ${taken}`]),
      ...(replaced ? [`by ${replaced}`] : []),
    ].join(' '),
  );

describe('a replay with changes', () => {
  it('takes another branch if a condition is changed, and has the recorded outcomes', async () => {
    const old = [READ, branch('records.length > 5', [FAIL], [SAY]), SEND];
    const run = await whatIf(old, { pipeline: [READ, branch('records.length > 2', [], [SAY]), SEND] });
    expect(run.end).toEqual({ state: 'completed', result: 1 });
    expect(stepsOf(run)).toEqual(['/0 completed by recording', '/1 completed branch 0', '/2 completed by recording']);
    expect(run.recording).toMatchObject({ engine: 'ours', end: { state: 'completed', result: 1 }, lost: 0 });
  });

  it('ends at a step without a recorded outcome, and says which one it is', async () => {
    const old = [READ, branch('false', [FAIL]), SEND];
    const run = await whatIf(old, { pipeline: [READ, branch('true', [FAIL]), SEND] });
    const path = '/1/conditions/0/functions/0';
    expect(run.end).toEqual({ state: 'no-outcome', path, iteration: [], package: 'fail' });
    expect(stepsOf(run)).toEqual(['/0 completed by recording', '/1 stopped', `${path} stopped`]);
    expect(run.recording.end).toEqual({ state: 'stopped' });
  });

  it('continues with a mock where the recording has no outcome', async () => {
    const pipeline = [READ, branch('true', [FAIL]), SEND];
    const mocks = [{ target: { package: 'fail' }, outcome: { value: 'mocked' }, delay: 60_000 }];
    const run = await whatIf([READ, branch('false', [FAIL]), SEND], { pipeline, mocks });
    expect(run.end).toEqual({ state: 'completed', result: 1 });
    expect(stepsOf(run)).toContain('/1/conditions/0/functions/0 completed by mock');
    expect(run.recording.steps[2]).toMatchObject({ value: 'mocked', milliseconds: 60_000 });
  });

  it('prefers mocks to recorded outcomes, so that a failed run completes', async () => {
    const run = await whatIf([READ, FAIL, SEND], {
      mocks: [
        { target: { path: '/1' }, outcome: {} },
        { target: { package: 'send' }, outcome: { value: 'sent' }, changes: [['/sent', 40]] },
      ],
    });
    expect(run.end).toEqual({ state: 'completed', result: 'sent' });
    expect(run.recording.steps[2]!.changes).toEqual([['/sent', 40]]);
  });

  it('fails as the recorded run did, at a step that moved', async () => {
    const run = await whatIf([SAY, FAIL], { pipeline: [branch('true', [FAIL]), SAY] });
    const error = { code: 'STEP_FAILED', path: '/0/conditions/0/functions/0', message: 'fail failed: No network' };
    expect(run.end).toMatchObject({ state: 'failed', error });
    expect(run.recording.end).toMatchObject({ state: 'failed', error });
  });

  it('finds the outcomes of steps in another order', async () => {
    const old = [step('say', { settings: { text: 'a' } }), step('say', { settings: { text: 'b' } })];
    const run = await whatIf(old, { pipeline: old.toReversed() });
    expect(run.end).toEqual({ state: 'completed', result: 'a' });
    expect(run.recording.steps.map(({ value }) => value)).toEqual(['b', 'a']);
  });

  it('evaluates conditions and loops with a changed payload, until an iteration wasn’t recorded', async () => {
    const pipeline = [each(branch('currentItem.id > 1', [NOTIFY]))];
    const records = (...ids: number[]) => ({ records: ids.map((id) => ({ id })) });
    const recording = await recorded(pipeline, { payload: records(1, 2, 3) });
    expect((await replayWith(recording, { payload: records(1, 1, 3) })).end.state).toBe('completed');
    const longer = await replayWith(recording, { payload: records(1, 2, 3, 4) });
    const path = '/0/functions/0/conditions/0/functions/0';
    expect(longer.end).toEqual({ state: 'no-outcome', path, iteration: [3], package: NOTIFY.functionPackage });
    expect((await replayWith(recording, { payload: records(9, 2, 3) })).end).toMatchObject({ iteration: [0] });
  });

  it('leaves the payload that it’s given as it is', async () => {
    const payload = { user: {} };
    const run = await whatIf([step('mark')], { payload }, { payload: { user: {} } });
    expect(run.end.state).toBe('completed');
    expect(run.recording.payload).toEqual(payload);
    expect(payload).toEqual({ user: {} });
  });

  it('ends where a recorded context change doesn’t fit', async () => {
    const recording = await recorded([step('mark'), SEND], { payload: { user: {} } });
    recording.payload = { other: 1 };
    const run = await replayWith(recording, {});
    expect(run.end).toEqual({ state: 'misfit', path: '/0', iteration: [], pointer: '/user/isMarked' });
    expect(run.recording.end.state).toBe('stopped');
  });

  it('reports an invalid pipeline with its problems, and an invalid payload', async () => {
    const recording = await recorded([READ]);
    const invalid = await replayWith(recording, { pipeline: [branch('records.length >', [])] });
    const problems = [{ code: 'INVALID_CONDITION', path: '/0/conditions/0/condition', column: 17 }];
    expect(invalid.end).toMatchObject({ state: 'failed', error: { code: 'PIPELINE_INVALID', problems } });
    expect(invalid.recording.end).toMatchObject({ state: 'failed', error: { code: 'PIPELINE_INVALID' } });
    const list = await replayWith(recording, { payload: [] as never });
    expect(list.end).toMatchObject({ state: 'failed', error: { code: 'PAYLOAD_INVALID' } });
    expect((await replayWith(recording, { pipeline: 1 })).end.state).toBe('failed');
  });

  it('reads the recorded times and random numbers in conditions', async () => {
    const condition = 'Math.random() < 0 || Date.now() > 0';
    const recording = await recorded([branch(condition, [SEND])]);
    const again = await replayWith(recording, { pipeline: [branch(`${condition} && true`, [SEND])] });
    expect(again.end).toEqual({ state: 'completed', result: 1 });
    const { now, random } = recording.steps[0]!;
    expect(again.recording.steps[0]).toMatchObject({ now, random });
    const more = await replayWith(recording, { pipeline: [branch(`${condition} && Date.now()`, [SEND])] });
    expect(more.end).toMatchObject({
      state: 'unknown',
      path: '/0',
      cause: { message: 'The recording doesn’t have this value: the recorded condition didn’t read the time here.' },
    });
    expect(more.recording).toMatchObject({ steps: [{ state: 'stopped' }], end: { state: 'stopped' } });
    expect(more.recording.steps[0]).not.toHaveProperty('error');
  });

  it('is unknown only where a lost value is needed', async () => {
    const recording = await recorded([branch('id > 1', [SEND]), SEND], { payload: { id: 3, secret: 'x' } });
    recording.payload = { id: 3, secret: lost('masked') };
    expect((await replayWith(recording, {})).end).toEqual({ state: 'completed', result: 2 });
    const pipeline = [branch('secret.length > 1', [SEND]), SEND];
    const run = await replayWith(recording, { pipeline });
    expect(run.end).toMatchObject({ state: 'unknown', path: '/0', iteration: [], cause: { reason: 'masked' } });
    recording.steps[1]!.value = lost('too-large');
    expect((await replayWith(recording, {})).end.state).toBe('completed');
    recording.steps[2]!.value = lost('too-large');
    expect((await replayWith(recording, {})).end).toMatchObject({ state: 'unknown', path: '/1' });
    recording.payload = lost('too-large');
    expect((await replayWith(recording, {})).end).toMatchObject({ state: 'unknown', path: '' });
  });

  it('runs a pipeline whose settings were masked, but not one without its conditions', async () => {
    const recording = await recorded([step('send', { settings: { token: 'secret' } }), branch('sent > 0', [SEND])]);
    const pipeline = structuredClone(recording.pipeline) as Record<string, never>[];
    pipeline[0]!['settings'] = { token: lost('masked') } as never;
    expect((await replayWith({ ...recording, pipeline }, {})).end).toEqual({ state: 'completed', result: 2 });
    expect(await replay({ ...recording, pipeline })).toEqual({ state: 'completed', result: 2 });
    pipeline[1]!['conditions'] = [{ condition: lost('not-data'), functions: [] }] as never;
    const unknown = { state: 'unknown', path: '', cause: { reason: 'not-data' } };
    expect((await replayWith({ ...recording, pipeline }, {})).end).toMatchObject(unknown);
    expect(await replay({ ...recording, pipeline })).toMatchObject(unknown);
  });

  it('doesn’t know what a step returned whose nested step failed', async () => {
    const recording = await recorded([step('send', { functions: [FAIL] }), step('none')]);
    const mocks = [{ target: { package: 'fail' }, outcome: {} }];
    const run = await replayWith(recording, { mocks });
    // The recorded run ended before this step.
    expect(run.end).toMatchObject({ state: 'no-outcome', path: '/1' });
    const mocked = await replayWith(recording, { mocks: [...mocks, { target: { package: 'none' }, outcome: {} }] });
    expect(mocked.end).toMatchObject({ state: 'unknown', path: '/0' });
  });

  it('keeps a branch that was forced, unless the conditions have changed', async () => {
    const old = [branch('false', [], [FAIL])];
    const observer = {
      before: ({ kind }: { kind: string }) => (kind === 'if' ? { branch: 0, by: 'debugger' } : undefined),
    };
    const recording = await recorded(old, { observer });
    const run = await replayWith(recording, { payload: { n: 1 } });
    expect(stepsOf(run)[0]).toBe('/0 completed branch 0 by debugger');
    expect(run.assumes).toEqual(['Retried or forced as in the recorded run: /0.']);
    const changed = await replayWith(recording, { pipeline: [branch('n > 0', [], [FAIL])], payload: { n: 1 } });
    expect(stepsOf(changed)[0]).toBe('/0 completed branch 0');
  });

  it('says which edits and retries of the recorded run it repeats', async () => {
    const { recording } = await debugged([branch('n > 10', [FAIL]), FAIL], functions, {
      payload: { n: 1 },
      edits: { '/0': (context) => (context.n = 99) },
      failures: [{ edit: (context) => (context.m = 1), answer: { retry: true } }],
    });
    const run = await replayWith(recording, { payload: { n: 5 } });
    expect(run.end.state).toBe('failed');
    expect(run.assumes).toEqual([
      'The context was edited as in the recorded run: /n, /m.',
      'Retried or forced as in the recorded run: /0/conditions/0/functions/0.',
    ]);
    expect((await whatIf([SEND], { payload: { n: 5 } })).assumes).toEqual([]);
  });

  it('says that a step could find something else outside because another one didn’t run', async () => {
    const write = step('com.platform.function.write-datasource', { settings: { dataSourceId: 1 } });
    const find = step('com.platform.function.read-datasource', { settings: { dataSourceId: 1 } });
    const assumed = `Assumes that ${find.functionPackage} at /1 gets the same from outside, although ${write.functionPackage} at /0 didn’t run before it.`;
    const mocks = [{ target: { path: '/0' }, outcome: {} }];
    expect((await whatIf([write, find], { mocks })).assumes).toEqual([assumed]);
    expect((await whatIf([write, find], { pipeline: [find] })).assumes).toEqual([assumed.replace('/1', '/0')]);
    expect((await whatIf([write, find], {})).assumes).toEqual([]);
  });

  it('says that a step could find something else outside because another one ran before it', async () => {
    const write = step('com.platform.function.write-datasource', { settings: { dataSourceId: 1 } });
    const find = step('com.platform.function.read-datasource', { settings: { dataSourceId: 1 } });
    const early = `Assumes that ${find.functionPackage} at /1 gets the same from outside, although ${write.functionPackage} at /1 ran before it.`;
    expect((await whatIf([find, write], { pipeline: [write, find] })).assumes).toContain(early);
    expect((await whatIf([SAY, NOTIFY], { pipeline: [NOTIFY, SAY] })).assumes).toContain(
      `Assumes that say at /1 gets the same from outside, although ${NOTIFY.functionPackage} at /1 ran before it.`,
    );
    const loop = { type: 'loop' as const, range: { from: 1, to: 2 }, functions: [SAY] };
    expect((await whatIf([loop, NOTIFY], { pipeline: [NOTIFY, loop] })).assumes).toContain(
      `Assumes that say at /1/functions/0 #1 gets the same from outside, although ${NOTIFY.functionPackage} at /1 ran before it.`,
    );
  });

  it('says whose settings only were compared, because a platform can have another package of that name', async () => {
    const assumed = [`Assumed to read only their settings: ${NOTIFY.functionPackage}.`];
    const change = { payload: { other: 1 } };
    expect((await whatIf([NOTIFY], change)).assumes).toEqual(assumed);
    expect((await whatIf([NOTIFY], change, { recorder: { engine: 'server' } })).assumes).toEqual([]);
    expect((await whatIf([NOTIFY], {})).assumes).toEqual([]);
  });

  it('shows a step that was mocked in the recorded run as mocked', async () => {
    const observer = { before: ({ path }: { path: string }) => (path === '/0' ? { value: 1, by: 'mock' } : undefined) };
    const run = await whatIf([FAIL, SEND], { pipeline: [FAIL, SEND, branch('true', [])] }, { observer });
    expect(stepsOf(run).slice(0, 2)).toEqual(['/0 completed by mock', '/1 completed by recording']);
  });

  it('doesn’t know what a function that wasn’t awaited changes once steps differ', async () => {
    const recording = await recorded([NOTIFY, branch('flag', [NOTIFY], []), branch('loaded', [SEND])], {
      payload: { flag: true },
    });
    const late = recording.steps[2]!;
    late.late = [{ changes: [['/loaded', true]] }];
    const unknown = { state: 'unknown', path: '/2', cause: { reason: 'time-unknown' } };
    expect((await replayWith(recording, { payload: { flag: false } })).end).toMatchObject(unknown);
    const mocks = [{ target: { path: '/0' }, outcome: {} }];
    const mocked = await replayWith(recording, { mocks });
    expect(mocked.end).toMatchObject(unknown);
    expect(mocked.recording.steps[0]!.late).toEqual([{ changes: [['/loaded', lost('time-unknown')]] }]);
  });

  it('has no outcome for a function that was stopped, and stops on request', async () => {
    const stop = new AbortController();
    setImmediate(() => stop.abort());
    const recording = await recorded([SEND, step('hang'), SEND], { signal: stop.signal });
    expect((await replayWith(recording, {})).end).toMatchObject({ state: 'no-outcome', path: '/1', package: 'hang' });
    const run = await replayWith(recording, {}, { signal: AbortSignal.abort() });
    expect(run).toMatchObject({ end: { state: 'stopped' }, recording: { end: { state: 'stopped' }, steps: [] } });
  });

  it('is the same each time, with the times of the recorded run', async () => {
    const recording = await recorded([READ, each(branch('currentItem.id > 1', [SEND]))]);
    const change = { pipeline: [READ, each(branch('currentItem.id > 2', [SEND]))] };
    const first = await replayWith(recording, change);
    expect(await replayWith(recording, change)).toEqual(first);
    expect(first.recording.startedAt).toBe(recording.startedAt);
    expect(first.recording.steps[0]!.milliseconds).toBe(recording.steps[0]!.milliseconds);
  });

  it('gives a recording that can be replayed, and changed again', async () => {
    const { recording } = await whatIf([READ, branch('true', [SEND])], { pipeline: [READ, branch('records', [SEND])] });
    expect(await replay(recording)).toEqual({ state: 'completed', result: 1 });
    expect((await replayWith(recording, {})).recording).toEqual(recording);
  });
});
