/** Tests what mocks do in a run. */
import { describe, expect, it } from 'vitest';
import { dryRunMocks, OUTGOING_PACKAGES } from '../../../../lib/debugging/mocks/dry-run.ts';
import { MockObserver, type Timer } from '../../../../lib/debugging/mocks/mock-observer.ts';
import type { Mock } from '../../../../lib/debugging/mocks/types.ts';
import { lost } from '../../../../lib/debugging/recording/values.ts';
import {
  type Context,
  isPipelineError,
  type PipelineFunction,
  type PipelineStep,
  runPipeline,
  type StepInfo,
  type StepOutcome,
} from '../../../../lib/pipeline/index.ts';

const SEND: PipelineStep = { functionPackage: 'send' };
const READ: PipelineStep = { functionPackage: 'read' };
const EACH: PipelineStep = { type: 'loop', items: 'records', functions: [SEND] };

interface MockedRun {
  /** Path, iteration, and state of each step, and what replaced it. */
  ends: string[];
  calls: number;
  context: Context;
  result?: unknown;
  error?: unknown;
}

async function run(
  mocks: Mock[],
  pipeline: PipelineStep[],
  { timer, signal, payload = {} }: { timer?: Timer; signal?: AbortSignal; payload?: Context } = {},
): Promise<MockedRun> {
  const mocked: MockedRun = { ends: [], calls: 0, context: {} };
  const observer = new MockObserver(mocks, { timer, signal });
  const after = ({ path, iteration }: StepInfo, { state, replaced }: StepOutcome): void =>
    void mocked.ends.push([[path, ...iteration].join('#'), state, ...(replaced ? [`by ${replaced}`] : [])].join(' '));
  const functions = new Map<string, PipelineFunction>([
    ['send', () => `sent ${++mocked.calls}`],
    ['read', (_: unknown, context: Context) => void (context.records = [{ id: 1 }, { id: 2 }])],
    ['change', (_: unknown, { given }: Context) => void (given as Context[])[0]!.list],
  ]);
  try {
    mocked.result = await runPipeline(pipeline, {
      payload,
      functions,
      signal,
      observer: {
        before: (info) => {
          mocked.context = info.context;
          return observer.before(info);
        },
        after,
      },
    });
  } catch (error) {
    mocked.error = error;
  }
  return mocked;
}

const causeOf = (error: unknown): { name: string; code?: string; message: string; hint?: string } =>
  (isPipelineError(error) ? error.cause : error) as Error;

describe('a mock', () => {
  it('of a path gives a value, and the function isn’t called', async () => {
    const mocked = await run([{ target: { path: '/0' }, outcome: { value: { ok: true } } }], [SEND, READ]);
    expect(mocked.result).toEqual({ ok: true });
    expect(mocked.calls).toBe(0);
    expect(mocked.ends).toEqual(['/0 completed by mock', '/1 completed']);
  });

  it('of a package applies to every step that has it', async () => {
    const mocked = await run([{ target: { package: 'send' }, outcome: {} }], [READ, EACH]);
    expect(mocked.ends).toEqual([
      '/0 completed',
      '/1/functions/0#0 completed by mock',
      '/1/functions/0#1 completed by mock',
      '/1 completed',
    ]);
    expect(mocked.result).toBeUndefined();
  });

  it('gives an error with its name', async () => {
    const mocked = await run(
      [{ target: { path: '/0' }, outcome: { error: { name: 'RangeError', message: 'No' } } }],
      [SEND],
    );
    expect(mocked.error).toMatchObject({ code: 'STEP_FAILED', message: 'send failed: No' });
    expect(causeOf(mocked.error)).toMatchObject({ name: 'RangeError', message: 'No' });
    expect(mocked.ends).toEqual(['/0 failed by mock']);
  });

  it('skips a step and its nested steps', async () => {
    const mocked = await run([{ target: { path: '/0' }, outcome: { skip: true } }], [{ ...SEND, functions: [READ] }]);
    expect(mocked.ends).toEqual(['/0 skipped by mock']);
  });

  it('replaces a loop and an if without running what is in them', async () => {
    const branch: PipelineStep = { type: 'if', conditions: [{ condition: 'x.y', functions: [SEND] }] };
    const mocks: Mock[] = [
      { target: { path: '/0' }, outcome: { value: 'looped' } },
      { target: { path: '/1' }, outcome: { skip: true } },
    ];
    const mocked = await run(mocks, [EACH, branch]);
    expect(mocked.ends).toEqual(['/0 completed by mock', '/1 skipped by mock']);
    expect(mocked.result).toBe('looped');
  });

  it('of a package doesn’t apply to a loop with the package’s name', async () => {
    const mocked = await run([{ target: { package: 'loop' }, outcome: { skip: true } }], [READ, EACH]);
    expect(mocked.calls).toBe(2);
  });

  it('without an outcome lets the step run', async () => {
    const mocked = await run([{ target: { path: '/0' }, changes: [['/by', 'mock']] }], [SEND]);
    expect(mocked.result).toBe('sent 1');
    expect(mocked.context).toEqual({ by: 'mock' });
    expect(mocked.ends).toEqual(['/0 completed']);
  });

  it('that is off does nothing', async () => {
    const mocked = await run([{ target: { path: '/0' }, outcome: {}, isOff: true }], [SEND]);
    expect(mocked.calls).toBe(1);
  });

  it('of a path has precedence over one of a package, whatever their order', async () => {
    const mocks: Mock[] = [
      { target: { package: 'send' }, outcome: { value: 'package' } },
      { target: { path: '/0' }, outcome: { value: 'path' } },
    ];
    expect((await run(mocks, [SEND])).result).toBe('path');
  });

  it('comes first if its target has several', async () => {
    const mocks: Mock[] = [
      { target: { package: 'send' }, outcome: { value: 'first' } },
      { target: { package: 'send' }, outcome: { value: 'second' } },
    ];
    expect((await run(mocks, [SEND])).result).toBe('first');
  });

  it('gives each call a value of its own', async () => {
    const mocked = await run([{ target: { package: 'send' }, outcome: { value: { list: [] } } }], [SEND]);
    const again = await run([{ target: { package: 'send' }, outcome: { value: { list: [] } } }], [SEND]);
    expect(mocked.result).toEqual(again.result);
    const observer = new MockObserver([{ target: { package: 'send' }, outcome: { value: { list: [] } } }]);
    const info: StepInfo = { path: '/0', iteration: [], kind: 'function', name: 'send', step: SEND, context: {} };
    const [one, other] = [observer.before(info), observer.before(info)] as { value: object }[];
    expect(one).toEqual({ value: { list: [] }, by: 'mock' });
    expect(one!.value).not.toBe(other!.value);
  });
});

describe('a mock’s condition', () => {
  it('decides for each call whether the mock applies', async () => {
    const mocked = await run(
      [{ target: { package: 'send' }, condition: 'currentItem.id === 2', outcome: { value: 'mocked' } }],
      [READ, EACH],
    );
    expect(mocked.ends.slice(1, 3)).toEqual(['/1/functions/0#0 completed', '/1/functions/0#1 completed by mock']);
  });

  it('that is false leaves the step to the next mock, also to one of its package', async () => {
    const mocks: Mock[] = [
      { target: { path: '/0' }, condition: 'false', outcome: { value: 'never' } },
      { target: { package: 'send' }, condition: '0', outcome: { value: 'never' } },
      { target: { package: 'send' }, condition: '1', outcome: { value: 'last' } },
    ];
    expect((await run(mocks, [SEND])).result).toBe('last');
  });

  it('can’t change the context', async () => {
    const mocked = await run([{ target: { path: '/0' }, condition: 'list.push(1)', outcome: {} }], [SEND], {
      payload: { list: [] },
    });
    expect(mocked.context).toEqual({ list: [] });
    expect(mocked.calls).toBe(0);
    expect(mocked.error).toBeDefined();
  });

  it('that fails also fails the step, which isn’t run', async () => {
    const mocked = await run([{ target: { path: '/0' }, condition: 'missing.id', outcome: {} }], [SEND]);
    expect(mocked.calls).toBe(0);
    expect(mocked.ends).toEqual(['/0 failed by mock']);
    expect(causeOf(mocked.error)).toMatchObject({ name: 'MockError', code: 'MOCK_CONDITION_FAILED' });
    expect(causeOf(mocked.error).message).toMatch(/^Couldn’t mock step \/0: its condition failed: .*missing/);
  });

  it('that isn’t valid fails the step, which isn’t run', async () => {
    const mocked = await run([{ target: { package: 'send' }, condition: 'id ===', outcome: {} }], [SEND]);
    expect(mocked.calls).toBe(0);
    expect(causeOf(mocked.error)).toMatchObject({ code: 'MOCK_CONDITION_INVALID' });
    expect(causeOf(mocked.error).message).toMatch(/^Couldn’t mock send: its condition isn’t valid: /);
  });

  it('that never ends fails the step', async () => {
    const condition = '[..."x".repeat(5000)].some(() => [..."x".repeat(5000)].some(() => false))';
    const mocked = await run([{ target: { path: '/0' }, condition, outcome: {} }], [SEND]);
    expect(causeOf(mocked.error)).toMatchObject({ code: 'MOCK_CONDITION_FAILED' });
  });
});

describe('a mock’s context changes', () => {
  it('set and remove properties, in order', async () => {
    const changes: Mock['changes'] = [['/response', { status: 200 }], ['/response/body', 'ok'], ['/old']];
    const mocked = await run([{ target: { path: '/0' }, outcome: {}, changes }], [SEND], { payload: { old: 1 } });
    expect(mocked.context).toEqual({ response: { status: 200, body: 'ok' } });
  });

  it('that don’t fit fail the step and name the path', async () => {
    const mocked = await run([{ target: { path: '/0' }, outcome: {}, changes: [['/user/name', 'x']] }], [SEND]);
    expect(mocked.ends).toEqual(['/0 failed by mock']);
    expect(causeOf(mocked.error)).toMatchObject({
      code: 'MOCK_MISFIT',
      message: 'Couldn’t mock step /0: the context has no object for /user/name.',
    });
  });

  it('define __proto__ as an own property', async () => {
    const mocked = await run([{ target: { path: '/0' }, outcome: {}, changes: [['/__proto__', { x: 1 }]] }], [SEND]);
    expect(Object.keys(mocked.context)).toEqual(['__proto__']);
    expect(({} as { x?: number }).x).toBeUndefined();
  });
});

describe('a lost value in a mock', () => {
  it('fails the step with the reason, and changes nothing', async () => {
    const mocked = await run(
      [{ target: { path: '/0' }, outcome: { value: lost('masked') }, changes: [['/a', 1]] }],
      [SEND],
    );
    expect(causeOf(mocked.error)).toMatchObject({
      name: 'LostValueError',
      message: 'The recording doesn’t have this value: it was masked as a secret.',
    });
    expect(mocked.context).toEqual({});
  });

  it('fails only what reads it if it’s in another value', async () => {
    const given: Mock = {
      target: { path: '/0' },
      outcome: { value: 1 },
      changes: [['/given', [{ list: lost('cycle') }]]],
    };
    const mocked = await run([given], [SEND, { functionPackage: 'change' }]);
    expect(mocked.ends).toEqual(['/0 completed by mock', '/1 failed']);
    expect(causeOf(mocked.error).message).toBe('The recording doesn’t have this value: it contained itself.');
  });
});

describe('a mock’s delay', () => {
  it('passes before the context changes and the outcome', async () => {
    const order: string[] = [];
    const timer: Timer = (callback, milliseconds) => {
      order.push(`wait ${milliseconds}`);
      setImmediate(callback);
      return () => undefined;
    };
    const mocks: Mock[] = [{ target: { path: '/0' }, delay: 5_000, outcome: { value: 'late' }, changes: [['/a', 1]] }];
    const mocked = await run(mocks, [SEND], { timer });
    expect(order).toEqual(['wait 5000']);
    expect(mocked.result).toBe('late');
    expect(mocked.context).toEqual({ a: 1 });
  });

  it('passes before a step that isn’t replaced', async () => {
    const timer: Timer = (callback) => (setImmediate(callback), () => undefined);
    const mocked = await run([{ target: { path: '/0' }, delay: 1 }], [SEND], { timer });
    expect(mocked.result).toBe('sent 1');
  });

  it('ends when the run is stopped, and nothing is changed then', async () => {
    const controller = new AbortController();
    let isCanceled = false;
    const timer: Timer = () => {
      setImmediate(() => controller.abort());
      return () => (isCanceled = true);
    };
    const mocks: Mock[] = [{ target: { path: '/0' }, delay: 60_000, outcome: {}, changes: [['/a', 1]] }];
    const mocked = await run(mocks, [SEND], { timer, signal: controller.signal });
    expect(mocked.error).toMatchObject({ code: 'ABORTED' });
    expect(isCanceled).toBe(true);
    expect(mocked.context).toEqual({});
  });

  it('uses setTimeout by default', async () => {
    expect((await run([{ target: { path: '/0' }, delay: 1, outcome: { value: 1 } }], [SEND])).result).toBe(1);
  });
});

describe('a dry run', () => {
  it('mocks what leaves the page, and the packages that the user has marked, each once', () => {
    const packages = dryRunMocks(['com.example.sms', OUTGOING_PACKAGES[0]!]).map(({ target }) => target);
    expect(packages).toEqual([
      { package: 'com.platform.function.send-email' },
      { package: 'com.platform.function.send-notification' },
      { package: 'com.platform.function.http-request' },
      { package: 'com.platform.function.write-datasource' },
      { package: 'com.example.sms' },
    ]);
  });

  it('gives a request an empty response, so that the steps after it can read it', async () => {
    const observer = new MockObserver(dryRunMocks());
    const context: Context = {};
    const name = 'com.platform.function.http-request';
    const info: StepInfo = { path: '/0', iteration: [], kind: 'function', name, step: {}, context };
    expect(observer.before(info)).toEqual({ value: undefined, by: 'mock' });
    expect(context).toEqual({ response: { status: 200, headers: {}, body: {} } });
  });
});
