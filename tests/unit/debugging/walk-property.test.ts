/** Compares walks through recorded runs with the runs. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Recording } from '../../../lib/debugging/recording/format.ts';
import { RunRecorder } from '../../../lib/debugging/recording/recorder.ts';
import { readValue } from '../../../lib/debugging/recording/values.ts';
import { RecordingWalk } from '../../../lib/debugging/replay/walk.ts';
import { runPipeline } from '../../../lib/pipeline/index.ts';
import { payload, pipeline } from '../pipeline/random-pipelines.ts';
import { MORE, textOf, watch } from './watched-run.ts';

const TIMEOUT = Math.max(60_000, Number(process.env.RUNS ?? 0) * 60);

test(
  'a walk through a recording has the steps and contexts of the run, without evaluating anything',
  async () => {
    await fc.assert(
      fc.asyncProperty(pipeline, payload, fc.integer({ min: 1, max: 5 }), async (steps, given, slice) => {
        const recorder = new RunRecorder({ pipeline: steps, payload: given, engine: 'ours' });
        const lines: unknown[] = [];
        const run = await runPipeline(steps, {
          functions: new Map(Object.entries(MORE)),
          payload: structuredClone(given),
          observer: watch(lines, recorder.observer),
          sources: recorder.sources,
        }).then(
          (result) => ({ result }),
          (error: unknown) => ({ error }),
        );
        const recording = JSON.parse(JSON.stringify(recorder.finish(run))) as Recording;
        const walked: string[] = [];
        const walk = new RecordingWalk(recording, {
          started: ({ recorded: { path, iteration = [], kind } }, context) =>
            walked.push(`> ${path} ${iteration.join('.')} ${textOf(kind)} ${textOf(context)}`),
          ended: ({ recorded: { path, iteration = [], state, branch, iterations, value } }, context) => {
            const outcome = { branch, iterations, value: value === undefined ? value : readValue(value) };
            const more = textOf(state === 'completed' ? outcome : state);
            walked.push(`< ${path} ${iteration.join('.')} ${more} ${textOf(context)}`);
          },
        });
        while (walk.advance(slice));
        expect(walked).toEqual(lines);
      }),
      { numRuns: Number(process.env.RUNS ?? 300) },
    );
  },
  TIMEOUT,
);
