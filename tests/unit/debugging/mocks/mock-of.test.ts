/** Tests mocks that are made of what recorded steps did. */
import { describe, expect, it } from 'vitest';
import { mockOf } from '../../../../lib/debugging/mocks/mock-of.ts';
import { MockObserver } from '../../../../lib/debugging/mocks/mock-observer.ts';
import type { Mock } from '../../../../lib/debugging/mocks/types.ts';
import type { Context, Pipeline, PipelineFunction, StepInfo } from '../../../../lib/pipeline/index.ts';
import { record, type RecordOptions } from '../record.ts';

const functions: Record<string, PipelineFunction> = {
  read: (_, context) => {
    context.records = [{ id: 1 }, { id: 2 }];
    return 'read';
  },
  visit: (_, { currentItem }) => void ((currentItem as Context).sent = true),
  link: (_, context) => void ((context.currentItem as Context).all = context.records),
  none: () => undefined,
  skip: () => Promise.reject(),
  fail: () => {
    throw new RangeError('Too much');
  },
  refuse: () => {
    throw { code: 5 };
  },
  refuseBig: () => {
    throw 12345678901234567890n;
  },
  wait: () => new Promise(() => undefined),
};
const step = (functionPackage: string): { functionPackage: string } => ({ functionPackage });

/** Mocks of all recorded steps of a run. */
async function mocksOf(pipeline: Pipeline, options?: RecordOptions): Promise<Mock[]> {
  const { recording } = await record(pipeline, functions, options);
  return recording.steps.map((_, index) => mockOf(recording, index));
}

describe('the mock of a recorded function', () => {
  it('has its value and context changes', async () => {
    expect(await mocksOf([step('read'), step('none')])).toEqual([
      { target: { path: '/0' }, outcome: { value: 'read' }, changes: [['/records', [{ id: 1 }, { id: 2 }]]] },
      { target: { path: '/1' }, outcome: {} },
    ]);
  });

  it('skips or fails as it did', async () => {
    expect(await mocksOf([step('skip'), step('fail')])).toEqual([
      { target: { path: '/0' }, outcome: { skip: true } },
      { target: { path: '/1' }, outcome: { error: { name: 'RangeError', message: 'Too much' } } },
    ]);
  });

  it('throws an error for what was thrown and isn’t one', async () => {
    expect(await mocksOf([step('refuse')])).toEqual([
      { target: { path: '/0' }, outcome: { error: { message: '{"code":5}' } } },
    ]);
    expect(await mocksOf([step('refuseBig')])).toEqual([
      { target: { path: '/0' }, outcome: { error: { message: '12345678901234567890' } } },
    ]);
  });

  it('has no outcome if it was stopped', async () => {
    const controller = new AbortController();
    setImmediate(() => controller.abort());
    expect(await mocksOf([step('wait')], { signal: controller.signal })).toEqual([{ target: { path: '/0' } }]);
  });

  it('has the outcome of what replaced it', async () => {
    const observer = new MockObserver([{ target: { path: '/0' }, outcome: { value: 3 } }]);
    expect(await mocksOf([step('read')], { observer })).toEqual([{ target: { path: '/0' }, outcome: { value: 3 } }]);
  });
});

describe('the mock of a function in a loop changes the current item', () => {
  const changesOf = async (pipeline: Pipeline, name: string, payload: Context = {}): Promise<unknown> => {
    const { recording } = await record(pipeline, functions, { payload });
    return mockOf(
      recording,
      recording.steps.findLastIndex((each) => each.name === name),
    ).changes;
  };

  it('of whatever iteration', async () => {
    const loop: Pipeline = [step('read'), { type: 'loop', items: 'records', functions: [step('visit')] }];
    expect(await changesOf(loop, 'visit')).toEqual([['/currentItem/sent', true]]);
  });

  it('in a nested loop, also over a dotted path', async () => {
    const inner: Pipeline = [{ type: 'loop', items: 'currentItem.list', functions: [step('visit')] }];
    const payload = { deep: { 'a/b': [{ list: [{}, {}] }] } };
    const loop: Pipeline = [{ type: 'loop', items: 'deep.a/b', functions: inner }];
    expect(await changesOf(loop, 'visit', payload)).toEqual([['/currentItem/sent', true]]);
  });

  it('in a nested loop over paths from the context, with an index', async () => {
    const inner: Pipeline = [{ type: 'loop', items: 'context.currentItem.a[1]', functions: [step('visit')] }];
    const loop: Pipeline = [{ type: 'loop', items: 'context.deep[0].list', functions: inner }];
    const payload = { deep: [{ list: [{ a: [0, [{}, {}]] }] }] };
    expect(await changesOf(loop, 'visit', payload)).toEqual([['/currentItem/sent', true]]);
  });

  it('but leaves other paths, and names the item in references', async () => {
    const loop: Pipeline = [step('read'), { type: 'loop', items: 'records', functions: [step('link')] }];
    expect(await changesOf(loop, 'link')).toEqual([['/currentItem/all', { $: 'ref', value: '/records' }]]);
  });

  it('unless the loop has a range', async () => {
    const loop: Pipeline = [step('read'), { type: 'loop', range: { from: 0, to: 1 }, functions: [step('read')] }];
    expect(await changesOf(loop, 'read')).toEqual([['/records', [{ id: 1 }, { id: 2 }]]]);
  });
});

describe('the mock of a loop or an if', () => {
  const loop: Pipeline = [{ type: 'loop', items: 'records', functions: [step('none')] }];

  it('has no outcome if it was evaluated', async () => {
    expect(await mocksOf(loop, { payload: { records: [] } })).toEqual([{ target: { path: '/0' } }]);
    const observer = { before: ({ kind }: StepInfo) => (kind === 'if' ? { branch: 0 } : undefined) };
    const branch: Pipeline = [{ type: 'if', conditions: [{ condition: '0', functions: [] }] }];
    expect(await mocksOf(branch, { observer })).toEqual([{ target: { path: '/0' } }]);
  });

  it('fails as it did', async () => {
    expect(await mocksOf(loop)).toMatchObject([
      { target: { path: '/0' }, outcome: { error: { message: expect.stringContaining('needs an array') } } },
    ]);
  });

  it('doesn’t fail if only a nested step did', async () => {
    const nested: Pipeline = [{ type: 'loop', items: 'records', functions: [step('fail')] }];
    expect((await mocksOf(nested, { payload: { records: [1] } }))[0]).toEqual({ target: { path: '/0' } });
  });

  it('has the outcome of what replaced it', async () => {
    const observer = new MockObserver([{ target: { path: '/0' }, outcome: { value: 'all' } }]);
    expect(await mocksOf(loop, { observer })).toEqual([{ target: { path: '/0' }, outcome: { value: 'all' } }]);
  });
});
