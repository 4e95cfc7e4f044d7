/** A runner for tests: real processes, with the platform’s function packages and those of the test. */
import type { Pipeline } from '../../../lib/platform-api/index.ts';
import { createCatalogue } from '../../../lib/local-platform/functions/catalogue.ts';
import { createRunFetch } from '../../../lib/local-platform/runner/fetch.ts';
import {
  createRunner,
  type Runner,
  type RunnerOptions,
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
  api?: (request: Request) => Response | Promise<Response>;
}

export function testRunner({
  allowPrivate = [],
  api = () => new Response('{}'),
  ...options
}: TestRunnerOptions = {}): TestRunner {
  const fetch = createRunFetch({ api: { origin: () => new URL(BASE_URL).origin, fetch: api }, allowPrivate });
  const runner = createRunner({ time: 20_000, result: 6 * 1024 * 1024, spare: 1, ...options, fetch });
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
      recording: 'failed',
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
