/** *Mock this outcome*: what a step of a past run did, from its recording or from its trace. */
import { describe, expect, it } from 'vitest';
import type { Recording } from '../../../../../../lib/debugging/recording/format.ts';
import { cannotMock } from '../../../../../../lib/extension/panel/run/mocks/cannot-mock.ts';
import { mockOfStep } from '../../../../../../lib/extension/panel/run/mocks/mock-of-step.ts';
import { countLost, recordedOf } from '../../../../../../lib/extension/inspector/run/recorded-of.ts';
import { runOfRecording } from '../../../../../../lib/extension/panel/run/recordings/run-of-recording.ts';
import type { Trace, TraceStep } from '../../../../../../lib/extension/panel/run/trace.ts';
import { type Pipeline, type PipelineFunction, runPipeline } from '../../../../../../lib/pipeline/index.ts';
import { MockObserver } from '../../../../../../lib/debugging/mocks/mock-observer.ts';
import { record } from '../../../../debugging/record.ts';
import { remote } from '../remote.ts';

const FUNCTIONS: Record<string, PipelineFunction> = {
  send: (_settings, context) => {
    const item = context['currentItem'] as Record<string, unknown> | undefined;
    (item ?? context)['sent'] = true;
    return { id: item?.['id'] ?? 0 };
  },
  replace: (_settings, context) => void ((context['records'] as unknown[])[0] = { id: 9 }),
  fail: () => {
    throw new TypeError('Mailbox full');
  },
};
const LOOP: Pipeline = [{ type: 'loop', items: 'records', functions: [{ function: 'send' }] }];
const RECORDS = { records: [{ id: 1 }, { id: 2 }] };

async function traced(pipeline: Pipeline, payload = {}): Promise<{ trace: Trace; recording: Recording }> {
  const { recording } = await record(pipeline, FUNCTIONS, { payload });
  return { recording, ...(await runOfRecording(recording, { id: 'r', origin: undefined })) };
}
const last = (trace: Trace, path: string): TraceStep => trace.order.findLast((step) => step.path === path)!;

describe('a mock of what a step did', () => {
  it.each(['recording', 'trace'])('has its value and its changes of the current item, from the %s', async (from) => {
    const { trace, recording } = await traced(LOOP, RECORDS);
    const step = last(trace, '/0/functions/0');
    const made = mockOfStep(from === 'recording' ? recording : null, trace, step, LOOP);
    expect(made).toEqual({
      mock: {
        target: { path: '/0/functions/0' },
        outcome: { value: { id: 2 } },
        changes: [['/currentItem/sent', true]],
      },
      lost: 0,
    });
  });

  it.each(['recording', 'trace'])('puts another item into the array where the step did, from the %s', async (from) => {
    const pipeline: Pipeline = [{ type: 'loop', items: 'records', functions: [{ function: 'replace' }] }];
    const { trace, recording } = await traced(pipeline, { records: [{ id: 1 }] });
    const step = last(trace, '/0/functions/0');
    const { mock } = mockOfStep(from === 'recording' ? recording : null, trace, step, pipeline);
    // A trace has the values that differ, a recording has what was written.
    expect(mock.changes).toEqual(from === 'recording' ? [['/records/0', { id: 9 }]] : [['/records/0/id', 9]]);
  });

  it.each(['recording', 'trace'])('gives the next run what the step gave, from the %s', async (from) => {
    const pipeline: Pipeline = [{ function: 'send' }];
    const { trace, recording } = await traced(pipeline);
    const { mock } = mockOfStep(from === 'recording' ? recording : null, trace, last(trace, '/0'), pipeline);
    const context: Record<string, unknown> = {};
    const functions = new Map([['send', () => expect.unreachable('The mocked function was called.')]]);
    const result = await runPipeline(pipeline, { payload: context, functions, observer: new MockObserver([mock]) });
    expect(result).toEqual({ id: 0 });
  });

  it.each(['recording', 'trace'])('fails as the step did, from the %s', async (from) => {
    const pipeline: Pipeline = [{ function: 'fail' }];
    const { trace, recording } = await traced(pipeline);
    const { mock } = mockOfStep(from === 'recording' ? recording : null, trace, last(trace, '/0'), pipeline);
    expect(mock).toEqual({
      target: { path: '/0' },
      outcome: { error: { name: 'TypeError', message: 'Mailbox full' } },
    });
  });

  it('is for the package if the runtime doesn’t report paths', async () => {
    const { trace } = await traced([{ function: 'send' }]);
    const step = { ...last(trace, '/0'), path: null };
    expect(mockOfStep(null, trace, step, null).mock.target).toEqual({ package: 'send' });
  });

  it('counts the values that the page didn’t transfer', async () => {
    const { trace } = await traced([{ function: 'send' }]);
    const value = {
      t: 'array' as const,
      length: 9,
      items: [remote('a'), { t: 'string' as const, v: 'cut', length: 9 }],
    };
    expect(mockOfStep(null, trace, { ...last(trace, '/0'), value }, null).lost).toBe(8);
  });

  it('skips what was skipped', async () => {
    const { trace } = await traced([{ function: 'send' }]);
    const step: TraceStep = { ...last(trace, '/0'), state: 'skipped' };
    expect(mockOfStep(null, trace, step, null).mock.outcome).toEqual({ skip: true });
  });
});

describe('a step', () => {
  it.each<[string, Partial<TraceStep>, string | null]>([
    ['that has completed', {}, null],
    ['that has failed', { state: 'failed' }, null],
    ['that was skipped', { state: 'skipped' }, null],
    ['of a function, without a path', { path: null }, null],
    ['of a loop, without a path', { path: null, kind: 'loop' }, 'This page’s runtime doesn’t report the step’s path'],
    ['that runs', { state: 'running' }, 'Wait for the step to end'],
    ['that was stopped', { state: 'stopped' }, 'Select a step that has ended'],
    ['whose end isn’t stored', { state: 'unstored' }, 'The step’s end is unknown'],
  ])('%s can or can’t be mocked', (_what, change, reason) => {
    const step = { state: 'completed', kind: 'function', path: '/0', ...change } as TraceStep;
    expect(cannotMock(step)).toBe(reason);
  });
});

describe('a value that the page described', () => {
  it('is recorded as it is', () => {
    const value = { list: [1, 'a', null, true], empty: {} };
    expect(recordedOf(remote(value))).toEqual(value);
    expect(recordedOf(remote({ $: 1 }))).toEqual({ $: 'entries', value: [['$', 1]] });
    expect(countLost(recordedOf(remote(value)))).toBe(0);
  });

  it('marks what isn’t known', () => {
    const cut = recordedOf({ t: 'object', size: 3, entries: [['a', remote(1)]] });
    expect(countLost(cut)).toBe(1);
    expect(countLost(recordedOf({ t: 'function', v: 'f' }))).toBe(1);
  });
});
