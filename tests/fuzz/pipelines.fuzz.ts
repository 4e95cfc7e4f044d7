/** Fuzzes pipelines: any value is validated without an exception, and a run ends or can be stopped. */
import * as fc from 'fast-check';
import { isPipelineError, type PipelineFunction, runPipeline, validatePipeline } from '../../lib/pipeline/index.ts';
import { assertCoded, check, Finding } from './check.ts';
import { damaged, live, spoiled, word } from './inputs.ts';

export const name = 'pipelines';

const STEP = (functionPackage: string, more: object = {}) => ({
  functionPackage,
  settings: { to: 'a@b.example', list: [1, { a: 2 }] },
  ...more,
});
const SAMPLES = [
  [
    STEP('ok'),
    STEP('set'),
    {
      type: 'loop',
      items: 'records',
      functions: [
        STEP('ok'),
        {
          type: 'if',
          conditions: [
            { condition: 'currentItem.id > 1', functions: [STEP('odd')] },
            { condition: 'true', functions: [] },
          ],
          elseFunctions: [STEP('skips')],
        },
      ],
    },
  ],
  [
    { type: 'loop', range: { from: 0, to: 3 }, functions: [STEP('async', { functions: [STEP('mutates')] })] },
    STEP('fails'),
  ],
  [{ type: 'loop', range: { from: 1, to: 1e9 }, functions: [{ type: 'loop', items: 'list', functions: [] }] }],
  [{ type: 'if', conditions: [{ condition: 'list.length', functions: [STEP('ok')] }] }, { function: 'ok' }],
  [],
];
const TEXTS = SAMPLES.map((sample) => JSON.stringify(sample));
const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
};

const inputs = fc.record({
  pipeline: fc.oneof(
    { weight: 4, arbitrary: spoiled(SAMPLES, fc.oneof(live, fc.constantFrom(...SAMPLES))) },
    { weight: 2, arbitrary: damaged(TEXTS).map(parsed) },
    { weight: 1, arbitrary: live },
  ),
  payload: fc.oneof(
    fc.constant({ records: [{ id: 1 }, { id: 2 }], list: [1, 2] }),
    spoiled([{ records: [{ id: 1 }, { id: 2 }], list: [1, 2], currentItem: 'x' }], live),
    live,
  ),
  response: live,
  key: word,
  observed: fc.boolean(),
});

/** A run is stopped after this many calls and observed steps, or after this many milliseconds without either. */
const STEPS = 300;
const PATIENCE = 30;

export function fuzz(runs: number, seed: number): Promise<void> {
  return check(runs, seed, inputs, async ({ pipeline, payload, response, key, observed }) => {
    const problems = validatePipeline(pipeline, { packages: ['ok', 'set', 'fails'] });
    for (const problem of problems.slice(0, 100)) assertCoded(problem);
    const abort = new AbortController();
    let steps = 0;
    const counted =
      (fn: PipelineFunction): PipelineFunction =>
      (settings, context) => {
        if (++steps >= STEPS) abort.abort();
        return fn(settings, context);
      };
    const functions = new Map(
      Object.entries<PipelineFunction>({
        ok: () => 1,
        set: (_, context) => void (context[key] = response),
        odd: () => response,
        skips: () => Promise.reject(undefined),
        fails: () => {
          throw response;
        },
        async: () => Promise.resolve(response),
        mutates: (settings, context) => {
          for (const each of [settings, context])
            for (const name of Object.keys(each)) if (name !== key) delete each[name];
          return undefined;
        },
      }).map(([name, fn]) => [name, counted(fn)]),
    );
    const timer = setTimeout(() => abort.abort(), PATIENCE);
    const observer = {
      before: () => {
        if (++steps >= STEPS) abort.abort();
      },
      after: () => {},
    };
    try {
      await runPipeline(pipeline, {
        payload: payload as Record<string, unknown>,
        functions,
        signal: abort.signal,
        ...(observed && { observer }),
      });
    } catch (error) {
      if (!isPipelineError(error)) throw error;
      assertCoded(error);
      if (
        problems.length === 0 &&
        error.code === 'PIPELINE_INVALID' &&
        !JSON.stringify(error.problems).includes('UNKNOWN_PACKAGE')
      )
        throw new Finding(`Found valid, and refused when it was run: ${error.message}`);
    } finally {
      clearTimeout(timer);
    }
  });
}
