import { afterEach, describe, expect, it } from 'vitest';
import type { Pipeline } from '../../../lib/pipeline/index.ts';
import { createCode } from '../../../lib/actions/v3/code.ts';
import { createPageRunner } from '../../../lib/actions/page-runs.ts';
import { describeFailure, runningTrace } from '../../../lib/actions/run-failure.ts';
import { errorTypeSpellings, withCurrentErrorType } from '../../../lib/platform-api/runs/error-type.ts';
import { runFailed } from '../../../lib/platform-api/runs/run.ts';
import { whereMismatches } from '../../../lib/platform-api/where.ts';
import { runPipeline } from '../../../lib/pipeline/index.ts';
import type { PipelineStep } from '../../../lib/platform-api/action.ts';

const functions = new Map<string, () => unknown>([
  ['bad', () => Promise.reject(new TypeError('no address'))],
  ['good', () => 1],
]);
const failed = async (pipeline: PipelineStep[]) =>
  describeFailure(
    await runPipeline(pipeline, { functions }).then(
      () => null,
      (error: unknown) => error,
    ),
    pipeline,
  );

describe('a failed run', () => {
  it('reports the error and its trace, the failing step first', async () => {
    const pipeline: PipelineStep[] = [
      { functionPackage: 'good' },
      {
        type: 'loop',
        range: { from: 1, to: 3 },
        functions: [
          {
            type: 'if',
            conditions: [{ condition: 'currentItem < 3', functions: [{ function: 'good' }] }],
            elseFunctions: [{ functionPackage: 'good', functions: [{ function: 'bad' }] }],
          },
        ],
      },
    ];
    expect(await failed(pipeline)).toEqual({
      errorType: 'TypeError',
      errorMessage: 'no address',
      trace: [
        '/1/functions/0/elseFunctions/0/functions/0 bad, iteration 3',
        '/1/functions/0/elseFunctions/0 good, iteration 3',
        '/1/functions/0 if, iteration 3',
        '/1 loop',
      ],
    });
  });

  it('reports a failure result that was thrown as it is', async () => {
    functions.set('passes', () => Promise.reject({ errorType: 'Quota', errorMessage: 'Full', trace: [] }));
    expect(await failed([{ function: 'passes' }])).toMatchObject({ errorType: 'Quota', errorMessage: 'Full' });
  });

  it('reports the engine’s own refusals by code', async () => {
    expect(await failed([{ functionPackage: 'none' }])).toMatchObject({
      errorType: 'PIPELINE_INVALID',
      trace: ['/0: No function is registered under “none”.'],
    });
    expect(await failed([{ type: 'loop', items: 'nothing', functions: [] }])).toMatchObject({
      errorType: 'LOOP_ITEMS_INVALID',
      trace: ['/0 loop'],
    });
  });

  it.each([[undefined], [null], ['text'], [{}], [new Error('')], [Object.create(null)], [Symbol('s')]])(
    'reports anything that was thrown: %s',
    (thrown) => {
      const { errorType, errorMessage, trace } = describeFailure(thrown, []);
      expect([typeof errorType, typeof errorMessage, trace]).toEqual(['string', 'string', []]);
      expect(errorMessage).not.toBe('');
    },
  );

  it('has a code, a status, and a message for its caller', () => {
    const failure = { errorType: 'Error', errorMessage: 'why', trace: [] };
    expect(runFailed('a', 'ACTION_FAILED', failure)).toEqual({
      code: 'ACTION_FAILED',
      status: 424,
      message: 'The action a failed: why',
    });
    expect(runFailed('a', 'TIMEOUT', failure)).toMatchObject({ code: 'TIMEOUT', status: 504 });
    expect(runFailed('a', 'RESULT_TOO_LARGE', failure)).toMatchObject({ code: 'RESULT_TOO_LARGE', status: 424 });
  });
});

describe('a stopped run', () => {
  const steps: PipelineStep[] = [
    { functionPackage: 'a' },
    {
      type: 'loop',
      range: { from: 1, to: 2 },
      functions: [{ type: 'loop', items: 'x', functions: [{ function: 'b' }] }],
    },
  ];

  it('has a trace of the running step, the steps that contain it, and those that ended before', () => {
    const started = [
      { path: '/0', iteration: [] },
      { path: '/1', iteration: [] },
      { path: '/1/functions/0', iteration: [1] },
      { path: '/1/functions/0/functions/0', iteration: [1, 3] },
      { path: '/1/functions/0/functions/0', iteration: [1, 4] },
    ];
    expect(runningTrace(started, steps)).toEqual([
      '/1/functions/0/functions/0 b, iteration 2.5',
      '/1/functions/0 loop, iteration 2',
      '/1 loop',
      'after /1/functions/0/functions/0 b, iteration 2.4',
      'after /0 a',
    ]);
  });

  it('has no trace before its first step', () => {
    expect(runningTrace([], steps)).toEqual([]);
  });

  it('has a trace even for a step that its pipeline doesn’t contain', () => {
    expect(runningTrace([{ path: '/7/x', iteration: [] }], steps)).toEqual(['/7/x']);
  });
});

describe('the errorType of older servers', () => {
  const old = {
    errorType: 'Timeout',
    errorMessage: 'The action ran longer than 120 seconds and was stopped.',
    trace: [],
  };

  it('is read with today’s spelling', () => {
    expect(withCurrentErrorType(old)).toEqual({ ...old, errorType: 'TIMEOUT' });
  });

  it('stays when a function threw an error of that name', () => {
    const own = { ...old, errorMessage: 'The door didn’t open.' };
    expect(withCurrentErrorType(own)).toBe(own);
  });

  it.each(['Timeout', 'TIMEOUT'])('matches a where that names %s', (errorType) => {
    const record = (found: string) => ({ data: { result: { errorType: found } } });
    expect(whereMismatches(record(errorType), record('TIMEOUT'))).toEqual([]);
    expect(whereMismatches(record(errorType), record('Timeout'))).toEqual([]);
    expect(whereMismatches(record(errorType), record('TypeError'))).toHaveLength(1);
    expect(errorTypeSpellings(errorType)).toEqual(['Timeout', 'TIMEOUT']);
  });
});

describe('a run in a page', () => {
  const reports: unknown[] = [];
  const v3 = { code: createCode(() => ''), loadScript: () => Promise.resolve() };
  const request = async (_: string, { body }: { body?: unknown } = {}) => void reports.push(body);
  const run = (
    fn: (settings: unknown) => unknown,
    functions: Pipeline = [{ functionPackage: 'test' }],
    time = 2_000,
  ) => {
    Reflect.set(globalThis, 'ENV', { appId: 7 });
    reports.length = 0;
    return createPageRunner(new Map([['test', fn]]), () => null, request, v3).run({
      runId: 'r',
      actionId: 1,
      name: 'a',
      trigger: 'manual',
      functions,
      pageId: null,
      payload: {},
      limits: { time, result: 1_000_000 },
    });
  };
  afterEach(() => void Reflect.deleteProperty(globalThis, 'ENV'));

  const nested = (levels: number): unknown => {
    let value: unknown = 1;
    for (let level = 0; level < levels; level += 1) value = [value];
    return value;
  };

  it('can return 1,000 levels of nesting', async () => {
    expect(JSON.stringify(await run(() => nested(1_000)))).toHaveLength(2_001);
    expect(reports).toMatchObject([{ state: 'completed' }]);
  });

  it.each([1_001, 3_000, 100_000])('fails and is reported when it returns %d levels', async (levels) => {
    const failure = { errorType: 'RESULT_TOO_DEEP', errorMessage: expect.stringContaining('1,000 levels'), trace: [] };
    await expect(run(() => nested(levels))).rejects.toMatchObject({ code: 'ACTION_FAILED', details: failure });
    expect(reports).toMatchObject([{ state: 'failed', code: 'ACTION_FAILED', failure }]);
  });

  it('is reported even when its error has characters that no database stores', async () => {
    await expect(run(() => Promise.reject(new Error('no \0 and no \ud800')))).rejects.toMatchObject({
      details: { errorMessage: 'no \ufffd and no \ufffd' },
    });
  });

  it('that is stopped at its limit names the step that runs, those around it, and those before', async () => {
    const test = { functionPackage: 'test' };
    const steps = [
      { ...test, settings: { quick: true } },
      { type: 'loop' as const, range: { from: 1, to: 2 }, functions: [{ ...test, settings: { quick: true } }, test] },
    ];
    const hang = (settings: unknown) => ((settings as { quick?: true }).quick ? 1 : new Promise(() => {}));
    const trace = [
      '/1/functions/1 test, iteration 1',
      '/1 loop',
      'after /1/functions/0 test, iteration 1',
      'after /0 test',
    ];
    await expect(run(hang, steps, 20)).rejects.toMatchObject({ code: 'TIMEOUT', details: { trace } });
    expect(reports).toMatchObject([{ code: 'TIMEOUT', failure: { errorType: 'TIMEOUT', trace } }]);
  });
});
