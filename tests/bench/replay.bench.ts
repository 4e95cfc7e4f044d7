/** Measures replays: 100,000 steps beside a run whose functions come from a table, and a replay with changes of 10,000. */
import type { Recording } from '../../lib/debugging/recording/format.ts';
import { RunRecorder } from '../../lib/debugging/recording/recorder.ts';
import { contextsAt } from '../../lib/debugging/replay/contexts-at.ts';
import { replay } from '../../lib/debugging/replay/replay.ts';
import { replayWith } from '../../lib/debugging/replay/what-if.ts';
import { type Pipeline, type PipelineFunction, runPipeline } from '../../lib/pipeline/index.ts';
import { interleave, median, ratio, type Row, row, type Table } from './measure.ts';

const STEPS = 100_000;
const CHANGED = 10_000;
/** Milliseconds. */
const REPLAYED = 300;
const WHAT_IF = 100;
const CONTEXT = 300;
/** How many times as long as the run. */
const TIMES = 3;

const ADD = 'com.example.function.add';

/** A loop, an if, and a function: about as many steps as wanted. */
const pipelineOf = (steps: number, condition = 'currentItem > 0'): Pipeline => [
  {
    type: 'loop',
    range: { from: 1, to: steps / 2 },
    functions: [{ type: 'if', conditions: [{ condition, functions: [{ functionPackage: ADD }] }] }],
  },
];
const add: PipelineFunction = (_, context) => (context.sum = Number(context.sum ?? 0) + Number(context.currentItem));

async function recorded(steps: number): Promise<Recording> {
  const recorder = new RunRecorder({ pipeline: pipelineOf(steps), payload: {}, engine: 'ours' });
  const { observer, sources } = recorder;
  const result = await runPipeline(pipelineOf(steps), { functions: new Map([[ADD, add]]), observer, sources });
  return JSON.parse(JSON.stringify(recorder.finish({ result }))) as Recording;
}

/** The outcomes of a recorded run, by step and iteration: what a replay needs at least. */
function tableOf(recording: Recording): Map<string, unknown> {
  const outcomes = new Map<string, unknown>();
  for (const { kind, path, iteration = [], value } of recording.steps)
    if (kind === 'function') outcomes.set(`${path} ${iteration.join()}`, value);
  return outcomes;
}

/** Runs the pipeline with functions that look up their outcomes and set them. */
function runFromTable(recording: Recording, outcomes: ReadonlyMap<string, unknown>): Promise<unknown> {
  const path = '/0/functions/0/conditions/0/functions/0';
  const fn: PipelineFunction = (_, context) => (context.sum = outcomes.get(`${path} ${String(context.currentIndex)}`));
  return runPipeline(recording.pipeline, { functions: new Map([[ADD, fn]]) });
}

const milliseconds = (name: string, samples: readonly number[], target: number): Row => {
  const each = samples.map((nanoseconds) => nanoseconds / 1e6);
  const reached = median(each);
  return { ...row(name, each), target: { text: `${target} ms or less`, met: reached <= target } };
};

async function check(run: () => Promise<{ state: string }>): Promise<void> {
  const { state } = await run();
  if (state !== 'completed') throw new Error(`The replay ended as ${state}.`);
}

export async function bench(): Promise<Table[]> {
  const [long, short] = [await recorded(STEPS), await recorded(CHANGED)];
  const outcomes = tableOf(long);
  const change = { pipeline: pipelineOf(CHANGED, 'currentItem > 0 && true') };
  await check(() => replay(long));
  await check(async () => (await replayWith(short, change)).end);
  const names = {
    table: 'a run of 100,000 steps with outcomes from a table',
    replay: 'its replay',
    context: 'the context at its last step',
    whatIf: 'a replay of 10,000 steps with a changed condition',
  };
  const samples = await interleave(
    [
      { name: names.table, units: 1, run: () => runFromTable(long, outcomes) },
      { name: names.replay, units: 1, run: () => replay(long), isSubject: true },
      { name: names.context, units: 1, run: () => contextsAt(long, [long.steps.length - 1]), isSubject: true },
      { name: names.whatIf, units: 1, run: () => replayWith(short, change), isSubject: true },
    ],
    9,
  );
  const of = (name: string): number[] => samples.get(name) ?? [];
  const times = ratio(samples, names.replay, names.table);
  const rows: Row[] = [
    row(
      names.table,
      of(names.table).map((nanoseconds) => nanoseconds / 1e6),
    ),
    milliseconds(names.replay, of(names.replay), REPLAYED),
    {
      ...row('times as long as the run', [times]),
      target: { text: `at most ${TIMES}x the run: ${times.toFixed(1)}x`, met: times <= TIMES },
    },
    milliseconds(names.context, of(names.context), CONTEXT),
    milliseconds(names.whatIf, of(names.whatIf), WHAT_IF),
  ];
  return [{ title: 'Replay', unit: 'ms of processor time', rows }];
}
