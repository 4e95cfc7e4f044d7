/** Opens recordings as runs, and compares them with the runs that were recorded. */
import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import type { Recording } from '../../../../../../lib/debugging/recording/format.ts';
import { RunRecorder } from '../../../../../../lib/debugging/recording/recorder.ts';
import { ChangedNames } from '../../../../../../lib/debugging/recording/changed-names.ts';
import { RecordingWalk } from '../../../../../../lib/debugging/replay/walk.ts';
import type { AgentEvent } from '../../../../../../lib/extension/inspector/contract.ts';
import { addEvents } from '../../../../../../lib/extension/panel/run/build-trace.ts';
import { restoreTrace } from '../../../../../../lib/extension/panel/run/history/stored-run.ts';
import { loopsOf } from '../../../../../../lib/extension/panel/run/recordings/local-run.ts';
import { LocalValues } from '../../../../../../lib/extension/panel/run/recordings/local-values.ts';
import { runOfRecording } from '../../../../../../lib/extension/panel/run/recordings/run-of-recording.ts';
import { TraceWriter } from '../../../../../../lib/extension/panel/run/recordings/trace-writer.ts';
import { createTrace, type Trace } from '../../../../../../lib/extension/panel/run/trace.ts';
import { toJson } from '../../../../../../lib/extension/panel/shared/value-json.ts';
import { runPipeline } from '../../../../../../lib/pipeline/index.ts';
import { debugged } from '../../../../debugging/debugged-run.ts';
import { record } from '../../../../debugging/record.ts';
import { MORE } from '../../../../debugging/watched-run.ts';
import { payload, pipeline } from '../../../../pipeline/random-pipelines.ts';
import { agentSource, openPage, type Page } from '../../../inspector/support/page.ts';

const FACTS = { id: 'opened', origin: 'file' } as const;

/** What a trace says of its steps, other than the page's handles and the stacks of its errors. */
function stepsOf(trace: Trace) {
  return trace.order.map(
    ({ id, parent, path, iteration, opensIteration, kind, name, settings, state, start, end, ...rest }) => ({
      id,
      parent,
      path,
      iteration,
      opensIteration,
      kind,
      name,
      settings: toJson(settings),
      state,
      start,
      end,
      value: rest.value && toJson(rest.value),
      error: rest.error && [rest.error.code, rest.error.errorType, rest.error.errorMessage, rest.error.trace[0]],
      branch: rest.branch,
      iterations: rest.iterations,
      total: rest.total,
      changes: rest.changes.map((change) => [change.path, change.after && toJson(change.after)]),
      replaced: rest.replaced,
    }),
  );
}

describe('a run in the page, opened from its recording', () => {
  let page: Page;
  afterEach(() => page.close());

  const PIPELINE = [
    { functionPackage: 'read', settings: { limit: 3 } },
    {
      type: 'loop',
      items: 'records',
      functions: [
        {
          type: 'if',
          conditions: [{ condition: 'currentItem.isAdmin', functions: [{ functionPackage: 'send' }] }],
          elseFunctions: [{ functionPackage: 'skip', functions: [{ functionPackage: 'send' }] }],
        },
      ],
    },
    { type: 'loop', range: { from: 2, to: 3 }, functions: [{ functionPackage: 'check' }] },
  ];
  const runtime = (check: string): string => `
    ENV = { appId: 1, taskPipeline: ${JSON.stringify(PIPELINE)} };
    Platform = { Functions: { register() {} }, App: { Actions: { Pipeline: { run: async () => 0 } } } };
    Platform.Functions.register('read', (settings, context) => {
      context.records = [{ isAdmin: true, text: 'x'.repeat(20000) }, { isAdmin: false }, { isAdmin: true }];
    });
    Platform.Functions.register('send', async (settings, context) => {
      console.info('sending', context.currentIndex);
      context.currentItem.sent = true;
      return context.currentIndex;
    });
    Platform.Functions.register('skip', () => Promise.reject());
    Platform.Functions.register('check', (settings, context) => { ${check} });`;

  async function both(check: string): Promise<{ original: Trace; opened: Awaited<ReturnType<typeof runOfRecording>> }> {
    page = await openPage({ agent: false });
    page.run(await agentSource());
    page.port().watch('run', 'Platform');
    page.run(runtime(check));
    const events = await page.finish('{"since":"2026"}', 'ours');
    const found = page.agent('recording', 'run-1')!;
    const recording = JSON.parse(page.agent('text', found.handle, 0, 1_000_000)!) as Recording;
    const opened = await runOfRecording(recording, FACTS);
    const original = addEvents(createTrace('run-1', 0), events, loopsOf(opened.local.nodes));
    // Both recorders read the clock one after the other.
    for (const trace of [original, opened.trace]) for (const step of trace.order) step.start = step.end = 0;
    return { original, opened };
  }

  it('has the same steps, context, and result', async () => {
    const { original, opened } = await both('return context.currentItem');
    expect(stepsOf(opened.trace)).toEqual(stepsOf(original));
    expect(toJson(opened.trace.context)).toBe(toJson(original.context));
    expect(opened.trace).toMatchObject({ state: 'completed', result: { v: 3 }, runId: 'opened' });
    expect(opened.record).toMatchObject({ state: 'completed', result: '3', origin: 'file', engine: 'ours' });
    expect(JSON.parse(opened.record.payload)).toEqual({ since: '2026' });
  });

  it('has the same failure', async () => {
    const { original, opened } = await both('if (context.currentItem === 3) throw new RangeError("too much")');
    expect(stepsOf(opened.trace)).toEqual(stepsOf(original));
    expect(opened.trace.failedStep).toBe(original.failedStep);
    expect(opened.trace.error).toMatchObject({
      code: 'STEP_FAILED',
      errorType: 'RangeError',
      errorMessage: 'too much',
      path: '/2/functions/0',
      iteration: [1],
      trace: ['step /2/functions/0 (check), iteration 2'],
    });
    expect(opened.record.error).toBe('RangeError: too much');
  });

  it('has the console lines of the run', async () => {
    const { original, opened } = await both('');
    const linesOf = ({ console: lines }: Trace) =>
      lines.map(({ step, level, args }) => [step, level, args.map((arg) => toJson(arg))]);
    expect(linesOf(original)).toHaveLength(2);
    expect(linesOf(opened.trace)).toEqual(linesOf(original));
  });

  it('has values that can be expanded without the page', async () => {
    const { opened } = await both('');
    const { trace, local } = opened;
    const text = trace.order.flatMap(({ changes }) => changes).find(({ path }) => path === '/records')!.after!;
    const first = text.t === 'array' ? text.items[0]! : text;
    const long = first.t === 'object' ? first.entries.find(([name]) => name === 'text')![1] : first;
    expect(long).toMatchObject({ t: 'string', length: 20_000 });
    expect(local.values.text((long as { handle: number }).handle)).toBe('x'.repeat(20_000));
  });
});

describe('a recording', () => {
  const add = (_: unknown, context: { n?: number }) => (context.n = (context.n ?? 0) + 1);

  it('has its recorded times', async () => {
    let now = 0;
    const { recording } = await record(
      [{ functionPackage: 'add' }, { functionPackage: 'add' }],
      { add },
      {
        recorder: { now: () => (now += 10) },
      },
    );
    const { trace } = await runOfRecording(recording, FACTS);
    expect(trace.order.map(({ start, end }) => [start, end])).toEqual(
      recording.steps.map(({ at, milliseconds }) => [at, at + milliseconds]),
    );
    expect(trace.milliseconds).toBe(recording.milliseconds);
    expect(trace.startedAt).toBe(Date.parse(recording.startedAt));
  });

  it('shows lost values as such, even if a condition depends on them', async () => {
    const { recording } = await record(
      [
        { functionPackage: 'token' },
        { type: 'if', conditions: [{ condition: 'token.length > 3', functions: [{ functionPackage: 'add' }] }] },
      ],
      { add, token: (_, context) => void (context.token = 'secret') },
    );
    recording.steps[0]!.changes = [['/token', { $: 'lost', value: 'masked' }]];
    const { trace } = await runOfRecording(recording, FACTS);
    expect(trace.order.map(({ path, state }) => `${path} ${state}`)).toEqual([
      '/0 completed',
      '/1 completed',
      '/1/conditions/0/functions/0 completed',
    ]);
    expect(JSON.parse(toJson(trace.context))).toEqual({ token: '«unreadable: not in the recording»', n: 1 });
  });

  it('whose steps and changes don’t fit its pipeline is shown as it is', async () => {
    const { recording } = await record(
      [{ type: 'loop', range: { from: 1, to: 2 }, functions: [{ functionPackage: 'add' }] }],
      { add },
    );
    recording.pipeline = [{ functionPackage: 'other' }];
    recording.steps[1]!.changes!.push(['/gone/deep', 1], ['/__proto__/polluted', true]);
    const { trace } = await runOfRecording(recording, FACTS);
    expect(trace.order.map(({ path }) => path)).toEqual(['/0', '/0/functions/0', '/0/functions/0']);
    expect({}).not.toHaveProperty('polluted');
  });

  it('ends as its run did, also if that was stopped, or if its end is unknown', async () => {
    const { recording } = await record([{ functionPackage: 'add' }], { add });
    for (const state of ['stopped', 'interrupted'] as const) {
      const stored: AgentEvent[] = [];
      const opened = await runOfRecording({ ...recording, end: { state } }, FACTS, (events) => stored.push(...events));
      expect(opened.record).toMatchObject({ state });
      expect(await restoreTrace(opened.record, stored)).toMatchObject({ state, dropped: 0 });
    }
  });

  it('of 20,000 steps opens with all steps while the panel stays responsive', async () => {
    const pipeline = [
      { type: 'loop' as const, range: { from: 1, to: 19_999 }, functions: [{ functionPackage: 'add' }] },
    ];
    const recorder = new RunRecorder({ pipeline, payload: {}, engine: 'ours' });
    const result = await runPipeline(pipeline, { functions: new Map([['add', add]]), observer: recorder.observer });
    const recording = recorder.finish({ result });
    let turns = 0;
    const timer = setInterval(() => turns++, 10);
    const stored: AgentEvent[] = [];
    const { trace, record } = await runOfRecording(recording, FACTS, (events) => stored.push(...events));
    clearInterval(timer);
    expect(trace.order).toHaveLength(20_000);
    expect(turns).toBeGreaterThan(2);
    expect((await restoreTrace(record, stored)).order).toHaveLength(20_000);
  });
});

it('a recorded run with edits and a retried step opens with them', async () => {
  const check = (_: unknown, context: Record<string, unknown>): unknown => {
    context.tried = Number(context.tried ?? 0) + 1;
    if (Number(context.qty) > 10) throw new RangeError(`${String(context.qty)} is too much`);
    return context.qty;
  };
  const { recording } = await debugged(
    [{ function: 'check' }, { function: 'check' }],
    { check },
    {
      payload: { qty: 99 },
      edits: { '/0': (context) => void (context.qty = 70) },
      failures: [{ answer: { retry: true } }, { edit: (context) => void (context.qty = 5), answer: { retry: true } }],
    },
  );
  const { trace } = await runOfRecording(recording, FACTS);
  const [step, next] = trace.order;
  expect(step).toMatchObject({
    edits: [{ path: '/qty', before: { v: 99 }, after: { v: 70 } }],
    attempts: [
      { error: { errorMessage: '70 is too much' }, changes: [{ path: '/tried', after: { v: 1 } }], edits: [] },
      { error: {}, changes: [{ after: { v: 2 } }], edits: [{ path: '/qty', after: { v: 5 } }] },
    ],
    changes: [{ path: '/tried', before: { v: 2 }, after: { v: 3 } }],
    value: { v: 5 },
  });
  expect(next).toMatchObject({ edits: [], attempts: [] });
});

it('a recorded run that failed after its context was edited opens with the edit', async () => {
  const check = (_: unknown, context: Record<string, unknown>): unknown => {
    context.tried = true;
    throw new RangeError('too much');
  };
  const failures = [{ edit: (context: Record<string, unknown>) => void (context.qty = 5) }];
  const { recording } = await debugged([{ function: 'check' }], { check }, { payload: { qty: 99 }, failures });
  const [step] = (await runOfRecording(recording, FACTS)).trace.order;
  expect(step).toMatchObject({
    state: 'failed',
    edits: [],
    attempts: [
      { error: null, changes: [{ path: '/tried' }], edits: [{ path: '/qty', before: { v: 99 }, after: { v: 5 } }] },
    ],
    changes: [],
  });
});

it('a recorded run opens with its contexts, also where their names have the same objects', async () => {
  await fc.assert(
    fc.asyncProperty(pipeline, payload, async (steps, given) => {
      const recorder = new RunRecorder({ pipeline: steps, payload: given, engine: 'ours' });
      const run = await runPipeline(steps, {
        functions: new Map(Object.entries(MORE)),
        payload: structuredClone(given),
        observer: recorder.observer,
        sources: recorder.sources,
      }).then(
        (result) => ({ result }),
        (error: unknown) => ({ error }),
      );
      const recording = JSON.parse(JSON.stringify(recorder.finish(run))) as Recording;
      const { trace } = await runOfRecording(recording, FACTS);
      if (trace.order.length > 0) expect(plain(trace.context)).toEqual(lastContextOf(recording));
    }),
  );
});

const plain = (context: Trace['context']): unknown => JSON.parse(toJson(context));

function lastContextOf(recording: Recording): unknown {
  let last: unknown;
  const walk = new RecordingWalk(recording, {
    started: () => {},
    ended: (_, context) => (last = plain(new LocalValues().describe(context, { nodes: 1e4, chars: 1e5, depth: 20 }))),
  });
  while (walk.advance(100));
  return last;
}

it('a step of a recorded run costs as much, however many names its context has', () => {
  const readsOf = (names: number): number => {
    let reads = 0;
    const properties = Object.fromEntries(Array.from({ length: names }, (_, index) => [`name${index}`, { index }]));
    const context: Record<string, unknown> = new Proxy(properties, {
      getOwnPropertyDescriptor(target, key) {
        reads++;
        return Reflect.getOwnPropertyDescriptor(target, key);
      },
    });
    const changed = new ChangedNames();
    const options = { runId: 'r', startedAt: 0, payload: context, isOurEngine: true, loopAt: () => null };
    const writer = new TraceWriter({ ...options, values: new LocalValues(), changed });
    reads = 0;
    const key = {};
    writer.started(key, { path: '/0', iteration: [], kind: 'function', name: 'set', context, step: {} });
    context.name7 = 'changed';
    delete context.name8;
    changed.addChanges([['/name7', 'changed'], ['/name8']]);
    writer.ended(key, { state: 'completed' });
    const [step] = writer.finish('completed', {}).order;
    expect(step!.changes.map(({ path }) => path)).toEqual(['/name7', '/name8']);
    return reads;
  };
  expect(readsOf(2_000)).toBe(readsOf(20));
});
