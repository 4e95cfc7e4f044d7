/** Compares replays of all kinds with the runs that were recorded: they do the same if nothing is changed. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { MockObserver } from '../../../lib/debugging/mocks/mock-observer.ts';
import { mockOf } from '../../../lib/debugging/mocks/mock-of.ts';
import type { Mock } from '../../../lib/debugging/mocks/types.ts';
import type { Recording } from '../../../lib/debugging/recording/format.ts';
import { RecordedPrefix } from '../../../lib/debugging/replay/recorded-prefix.ts';
import { replay } from '../../../lib/debugging/replay/replay.ts';
import { replayWith } from '../../../lib/debugging/replay/what-if.ts';
import { type Context, type Observer, type Pipeline, runPipeline } from '../../../lib/pipeline/index.ts';
import { payload, pipeline } from '../pipeline/random-pipelines.ts';
import { record, type RecordedRun } from './record.ts';
import { MORE, watch } from './watched-run.ts';

const RUNS = Number(process.env.RUNS ?? 150);
const options = { numRuns: RUNS };
const TIMEOUT = Math.max(60_000, RUNS * 60);

interface Watched extends RecordedRun {
  lines: unknown[];
}

async function watched(steps: Pipeline, given: Context): Promise<Watched> {
  const lines: unknown[] = [];
  return { ...(await record(steps, MORE, { payload: given, observer: watch(lines) })), lines };
}

/** Runs the pipeline again, with an observer that replaces outcomes. */
async function again(steps: Pipeline, given: Context, observer: Observer): Promise<Omit<Watched, 'recording'>> {
  const lines: unknown[] = [];
  const run = { payload: structuredClone(given), functions: new Map(Object.entries(MORE)) };
  const end = await runPipeline(steps, { ...run, observer: watch(lines, observer) }).then(
    (result) => ({ result }),
    (error: unknown) => ({ error }),
  );
  return { ...end, lines };
}

const messageOf = (error: unknown): string | undefined => (error as Error | undefined)?.message;

/** As far as a replay with changes records the same: it has its own name for what replaced outcomes, and its own clock. */
function comparable({ steps, end, lost }: Recording) {
  return {
    steps: steps.map(({ at: _at, milliseconds: _milliseconds, replaced: _replaced, ...step }) => step),
    end,
    lost,
  };
}

test(
  'a replay with changes, of which there are none, equals the replay and the run, and records the same',
  async () => {
    await fc.assert(
      fc.asyncProperty(pipeline, payload, async (steps, given) => {
        const { recording, result, error, lines } = await watched(steps, given);
        const exact = await replay(recording);
        const replayed: unknown[] = [];
        const run = await replayWith(recording, {}, { observer: watch(replayed) });
        expect(run.end.state).toBe(exact.state);
        if (run.end.state === 'completed') expect(run.end).toEqual({ state: 'completed', result });
        else expect(run.end).toMatchObject({ state: 'failed', error: { message: messageOf(error) } });
        expect(replayed).toEqual(lines);
        expect(comparable(run.recording)).toEqual(comparable(recording));
        // The same pipeline, payload, and no mocks are no change.
        const same = await replayWith(recording, { pipeline: steps, payload: given, mocks: [] });
        expect(same.end.state).toBe(run.end.state);
        expect(comparable(same.recording)).toEqual(comparable(recording));
      }),
      options,
    );
  },
  TIMEOUT,
);

test(
  'a run from any step of a recorded run equals the run',
  async () => {
    await fc.assert(
      fc.asyncProperty(pipeline, payload, fc.nat(), async (steps, given, nth) => {
        const { recording, result, error, lines } = await watched(steps, given);
        if (recording.steps.length === 0) return;
        const { path, iteration = [] } = recording.steps[nth % recording.steps.length]!;
        const prefix = new RecordedPrefix(recording, { path, iteration });
        const run = await again(steps, given, {
          // Before the step is seen, as in the page.
          before: (info) => prefix.before(info),
          after: (info) => prefix.after(info),
        });
        expect(run.result).toEqual(result);
        expect(messageOf(run.error)).toBe(messageOf(error));
        expect(endsOf(run.lines)).toEqual(endsOf(lines));
      }),
      options,
    );
  },
  TIMEOUT,
);

/** Steps from the recording have their changes already when an observer sees that they start. */
const endsOf = (lines: unknown[]): unknown[] => lines.filter((line) => String(line).startsWith('<'));

test(
  'a run with mocks of its own outcomes equals the run',
  async () => {
    let compared = 0;
    await fc.assert(
      fc.asyncProperty(pipeline, payload, async (steps, given) => {
        const { recording, result, error, lines } = await watched(steps, given);
        const mocks = mocksOf(recording);
        if (!mocks) return;
        compared++;
        const observer = new MockObserver(mocks);
        const calls: string[] = [];
        const run = await again(steps, given, {
          before: (info) => {
            const mocked = observer.before(info);
            if (info.kind === 'function' && !mocked) calls.push(info.path);
            return mocked;
          },
        });
        expect(calls).toEqual([]);
        expect(endsOf(run.lines)).toEqual(endsOf(lines));
        expect(messageOf(run.error)).toBe(messageOf(error));
        // A mock’s value is a copy: what later steps change in the context isn’t changed in it.
        const isShared = recording.steps.some((step) => step.shared);
        if (error === undefined && !isShared) expect(run.result).toEqual(result);
      }),
      options,
    );
    expect(compared).toBeGreaterThan(RUNS / 4);
  },
  TIMEOUT,
);

/**
 * Mocks of all functions, one for each iteration. Null if a function has no outcome of its own, since a nested step failed,
 * or if a condition can’t distinguish iterations of nested loops.
 */
function mocksOf(recording: Recording): Mock[] | null {
  const mocks: Mock[] = [];
  for (const [index, { kind, iteration = [], state, error }] of recording.steps.entries()) {
    if (iteration.length > 1) return null;
    if (kind !== 'function') continue;
    if (state === 'failed' && !error) return null;
    const mock = mockOf(recording, index);
    mocks.push(iteration.length === 0 ? mock : { ...mock, condition: `currentIndex === ${iteration[0]}` });
  }
  return mocks;
}
