/** Compares replays of recorded runs with the runs. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { RunRecorder } from '../../../lib/debugging/recording/recorder.ts';
import type { Recording } from '../../../lib/debugging/recording/format.ts';
import { replay } from '../../../lib/debugging/replay/replay.ts';
import { runPipeline } from '../../../lib/pipeline/index.ts';
import { payload, pipeline } from '../pipeline/random-pipelines.ts';
import { MORE, watch } from './watched-run.ts';

const TIMEOUT = Math.max(60_000, Number(process.env.RUNS ?? 0) * 60);

test(
  'replay(record(run)) has the steps, contexts, and end of the run',
  async () => {
    const ends = { completed: 0, failed: 0 };
    await fc.assert(
      fc.asyncProperty(pipeline, payload, async (steps, given) => {
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
        // As a file that another program has read.
        const recording = JSON.parse(JSON.stringify(recorder.finish(run))) as Recording;
        expect(recording.lost).toBe(0);
        const replayed: unknown[] = [];
        const end = await replay(recording, { observer: watch(replayed) });
        if ('result' in run) expect(end).toEqual({ state: 'completed', result: run.result });
        else expect(end).toMatchObject({ state: 'failed', error: { message: (run.error as Error).message } });
        expect(replayed).toEqual(lines);
        ends['result' in run ? 'completed' : 'failed']++;
      }),
      { numRuns: Number(process.env.RUNS ?? 400) },
    );
    // Both kinds occurred.
    expect(ends.completed).toBeGreaterThan(40);
    expect(ends.failed).toBeGreaterThan(40);
  },
  TIMEOUT,
);

test(
  'a recording that ends at its limit has the first steps of the run, and replays them',
  async () => {
    const ends = new Set<string>();
    await fc.assert(
      fc.asyncProperty(pipeline, payload, fc.integer({ min: 200, max: 5_000 }), async (steps, given, limit) => {
        const options = { pipeline: steps, payload: given, engine: 'server', limit } as const;
        const recorder = new RunRecorder({ ...options, endsAtLimit: true });
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
        expect(JSON.stringify(recording.steps).length).toBeLessThan(2 * limit + 10_000);
        const replayed: unknown[] = [];
        const end = await replay(recording, { observer: watch(replayed) });
        ends.add(recording.end.state);
        if (recording.end.state !== 'interrupted') return;
        expect(end.state).toMatch(/^(stopped|unknown)$/);
        const started = (all: unknown[]) => all.filter((line) => String(line).startsWith('>'));
        expect(started(lines).slice(0, started(replayed).length)).toEqual(started(replayed));
      }),
      { numRuns: Number(process.env.RUNS ?? 200) },
    );
    expect([...ends].sort()).toEqual(['completed', 'failed', 'interrupted']);
  },
  TIMEOUT,
);
