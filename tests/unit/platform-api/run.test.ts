import { describe, expect, it } from 'vitest';
import { describeFailure, runFailed } from '../../../lib/platform-api/runs/run.ts';
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
      errorMessage: expect.stringContaining('no address'),
      trace: [
        '/1/functions/0/elseFunctions/0/functions/0 bad',
        '/1/functions/0/elseFunctions/0 good',
        '/1/functions/0 if',
        '/1 loop, iteration 3',
      ],
    });
  });

  it('reports the engine’s own refusals by code', async () => {
    expect(await failed([{ functionPackage: 'none' }])).toMatchObject({
      errorType: 'PIPELINE_INVALID',
      trace: ['/0 none'],
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
