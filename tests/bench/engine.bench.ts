/** Measures the engine beside a hand-written loop and two other engines: 10,000 records, an `if` and one async step each. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { StateMachine } from 'aws-local-stepfunctions';
import { AsyncLogicEngine } from 'json-logic-engine';
import { RunRecorder } from '../../lib/debugging/recording/recorder.ts';
import {
  type Observer,
  type Pipeline,
  type PipelineFunction,
  type StepInfo,
  type StepOutcome,
  runPipeline,
} from '../../lib/pipeline/index.ts';
import { type Contender, type Table, interleave, ratio, repeat, row } from './measure.ts';

const RECORDS = 10_000;
/** Number of steps that the trace retains. */
const KEPT = 5000;
const records = Array.from({ length: RECORDS }, (_, id) => ({
  id,
  data: { email: `user${id}@example.com`, active: true },
}));

let sent = 0;
const send: PipelineFunction = async (settings) => {
  sent += settings.to === 'team@example.com' ? 1 : 0;
};
const functions = new Map([['com.example.function.send', send]]);
const pipeline: Pipeline = [
  {
    type: 'loop',
    items: 'records',
    functions: [
      {
        type: 'if',
        conditions: [
          {
            condition: 'currentItem.data.active === true',
            functions: [
              { functionPackage: 'com.example.function.send', settings: { to: 'team@example.com', subject: 'Report' } },
            ],
          },
        ],
      },
    ],
  },
];

async function handWritten(): Promise<void> {
  const context: { records: typeof records; currentItem?: (typeof records)[number]; currentIndex?: number } = {
    records,
  };
  const settings = { to: 'team@example.com', subject: 'Report' };
  for (let index = 0; index < context.records.length; index++) {
    context.currentItem = context.records[index];
    context.currentIndex = index;
    if (context.currentItem?.data.active === true) await send(settings, context);
  }
}

/** Keeps what a timeline needs about each of the last 5,000 steps. */
function tracer(): Observer {
  const records: { info: StepInfo; outcome: StepOutcome; start: number; end: number }[] = [];
  const starts: number[] = [];
  let count = 0;
  return {
    before: () => {
      starts.push(performance.now());
    },
    after: (info, outcome) => {
      records[count++ % KEPT] = { info, outcome, start: starts.pop() ?? 0, end: performance.now() };
    },
  };
}

/** Records the whole payload, each outcome, and each change of the context. */
async function recorded(): Promise<void> {
  const recorder = new RunRecorder({ pipeline, payload: { records }, engine: 'ours' });
  const { observer, sources } = recorder;
  const result = await runPipeline(pipeline, { payload: { records }, functions, observer, sources });
  recorder.finish({ result });
}

function jsonLogic(): () => Promise<unknown> {
  const engine = new AsyncLogicEngine();
  engine.addMethod('send', async ([settings]: [Record<string, unknown>]) => {
    await send(settings, {});
    return null;
  });
  const logic = {
    map: [
      { var: 'records' },
      { if: [{ '===': [{ var: 'data.active' }, true] }, { send: [{ preserve: { to: 'team@example.com' } }] }, null] },
    ],
  };
  const built = engine.build(logic) as Promise<(data: unknown) => unknown>;
  return async () => (await built)({ records });
}

function stepFunctions(count: number): () => Promise<unknown> {
  const machine = new StateMachine({
    StartAt: 'Each',
    States: {
      Each: {
        Type: 'Map',
        ItemsPath: '$.records',
        MaxConcurrency: 1,
        End: true,
        ItemProcessor: {
          StartAt: 'If',
          States: {
            If: {
              Type: 'Choice',
              Choices: [{ Variable: '$.data.active', BooleanEquals: true, Next: 'Send' }],
              Default: 'Skip',
            },
            Send: { Type: 'Task', Resource: 'arn:aws:lambda:us-east-1:123456789012:function:Send', End: true },
            Skip: { Type: 'Succeed' },
          },
        },
      },
    },
  } as never);
  const input = { records: records.slice(0, count) };
  const handler = async (): Promise<null> => {
    await send({ to: 'team@example.com' }, {});
    return null;
  };
  return () => machine.run(input, { overrides: { taskResourceLocalHandlers: { Send: handler } } }).result;
}

async function times(): Promise<Table> {
  // One for all runs, so that a run is measured, and not the making of a tracer.
  const observer = tracer();
  const fewer = 500;
  const contenders: Contender[] = [
    { name: 'hand-written loop', units: RECORDS, run: handWritten },
    {
      name: 'runPipeline',
      units: RECORDS,
      run: () => runPipeline(pipeline, { payload: { records }, functions }),
      isSubject: true,
    },
    {
      name: 'runPipeline, full tracing',
      units: RECORDS,
      run: () => runPipeline(pipeline, { payload: { records }, functions, observer }),
      isSubject: true,
    },
    { name: 'runPipeline, recording whole values', units: RECORDS, run: recorded, isSubject: true },
    { name: 'json-logic-engine', units: RECORDS, run: jsonLogic() },
    { name: 'aws-local-stepfunctions', units: fewer, run: stepFunctions(fewer) },
  ];
  for (const { name, units, run } of contenders) {
    sent = 0;
    await run();
    if (sent !== units) throw new Error(`${name} did not do the work: ${sent} of ${units}.`);
  }
  const times = [200, 60, 20, 10, 30, 6];
  const samples = await interleave(
    contenders.map((contender, index) => repeat(contender, times[index] as number)),
    9,
    2,
  );
  const rows = contenders.map(({ name }) => row(name, samples.get(name) ?? []));
  const [loop, plain, traced, whole] = rows;
  for (const [of, most] of [
    [plain, 4],
    [traced, 10],
    [whole, 20],
  ] as const) {
    if (!of || !loop) continue;
    const times = ratio(samples, of.name, loop.name);
    of.target = { text: `at most ${most}x the loop: ${times.toFixed(1)}x`, met: times <= most };
  }
  return { title: 'Engine: 10,000 records, an if and an async step each', unit: 'ns per record', rows };
}

async function heap(): Promise<Table> {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const retainedHeap = async (observer?: Observer): Promise<number> => {
    const used = (): number => (collect(), collect(), process.memoryUsage().heapUsed);
    const before = used();
    // Reads the heap while the run is still in progress, a million steps later.
    let after = 0;
    const measured = new Map(functions).set('com.example.function.measure', () => void (after = used()));
    const steps: Pipeline = [
      {
        type: 'loop',
        range: { from: 1, to: 500_000 },
        functions: [
          {
            type: 'if',
            conditions: [{ condition: 'currentItem > 0', functions: [{ function: 'com.example.function.send' }] }],
          },
        ],
      },
      { function: 'com.example.function.measure' },
    ];
    await runPipeline(steps, { functions: measured, observer });
    return (after - before) / 1024;
  };
  await retainedHeap();
  const rows = [
    row('no observer', [await retainedHeap(), await retainedHeap(), await retainedHeap()]),
    row('full tracing, 5,000 steps retained', [
      await retainedHeap(tracer()),
      await retainedHeap(tracer()),
      await retainedHeap(tracer()),
    ]),
  ];
  const [plain, traced] = rows;
  if (plain) plain.target = { text: 'none: under 512 KiB', met: plain.median < 512, isSpeed: false };
  if (traced)
    traced.target = { text: 'the bounded trace alone: under 8,192 KiB', met: traced.median < 8192, isSpeed: false };
  return { title: 'Engine: heap retained after 1,000,000 steps', unit: 'KiB', rows };
}

export async function bench(): Promise<Table[]> {
  return [await times(), await heap()];
}
