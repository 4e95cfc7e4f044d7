/** A runner for tests: real processes, with the platform’s function packages and those of the test. */
import { expect } from 'vitest';
import type { Pipeline } from '../../../lib/platform-api/index.ts';
import { createCatalogue } from '../../../lib/local-platform/functions/catalogue.ts';
import { createRunFetch } from '../../../lib/local-platform/runner/fetch.ts';
import {
  createRunner,
  type Runner,
  type RunnerOptions,
  type RecordingMode,
  type RunReport,
} from '../../../lib/local-platform/runner/index.ts';

export interface TestRunner extends Runner {
  /** Runs one function of the test, given as the text of its body; `settings` and `context` are in its scope. */
  code(body: string, payload?: Record<string, unknown>): Promise<RunReport>;
  pipeline(
    pipeline: Pipeline,
    payload?: Record<string, unknown>,
    scripts?: { name: string; source: string }[],
  ): Promise<RunReport>;
}

export const BASE_URL = 'http://platform.test:4400/';

export interface TestRunnerOptions extends Partial<Omit<RunnerOptions, 'fetch'>> {
  allowPrivate?: string[];
  /** Default: never. With a recording, a run that hangs ends five seconds later. */
  recording?: RecordingMode;
  api?: (request: Request) => Response | Promise<Response>;
}

export function testRunner({
  allowPrivate = [],
  api = () => new Response('{}'),
  recording = 'never',
  ...options
}: TestRunnerOptions = {}): TestRunner {
  const fetch = createRunFetch({ api: { origin: () => new URL(BASE_URL).origin, fetch: api }, allowPrivate });
  const runner = createRunner({ time: 20_000, result: 6 * 1024 * 1024, spare: 0, ...options, fetch });
  const pipeline: TestRunner['pipeline'] = async (taskPipeline, payload = {}, own = []) => {
    const packages = [...(await createCatalogue()()).values()].map((each) => ({
      name: `functions/${each.package}.js`,
      source: each.source,
    }));
    return runner.run({
      baseUrl: BASE_URL,
      env: { appId: 1, taskPipeline, token: 'the-run' },
      payload,
      scripts: [...packages, ...own],
      screen: false,
      recording,
    });
  };
  return {
    ...runner,
    pipeline,
    code: (body, payload) =>
      pipeline([{ functionPackage: 'test.code' }], payload, [
        {
          name: 'functions/test.code.js',
          source: `Platform.Functions.register('test.code', async function (settings, context) {\n${body}\n});`,
        },
      ]),
  };
}

/** Why a run failed, and how it is reported. */
export function failure({ outcome }: RunReport) {
  if (outcome.state !== 'failed') throw new Error(`The run didn’t fail: ${JSON.stringify(outcome)}`);
  return { code: outcome.code, ...outcome.failure };
}

export function result({ outcome }: RunReport): unknown {
  if (outcome.state !== 'completed') throw new Error(`It failed: ${JSON.stringify(outcome)}`);
  return outcome.result;
}

/** Blocks a run’s process, which needs no processor time, other than an endless loop. */
export const BLOCKS = 'Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);';

/** Checks that the time limit of one second kills a run of this code. */
export async function expectTimeout(runner: TestRunner, code: string): Promise<void> {
  expect(failure(await runner.code(code))).toEqual({
    code: 'TIMEOUT',
    errorType: 'TIMEOUT',
    errorMessage: 'The action ran longer than 1 second and was stopped.',
    trace: ['/0 test.code'],
  });
}
