/** Tests recordings that are made of runs in the history: what is known is the same, and what was cut is unknown. */
import { describe, expect, it, onTestFinished } from 'vitest';
import { parseRecording, writeRecording } from '../../../../../../lib/debugging/recording/file/parse.ts';
import { replay } from '../../../../../../lib/debugging/replay/replay.ts';
import type { AgentEvent, RemoteValue } from '../../../../../../lib/extension/inspector/contract.ts';
import { createRunStore } from '../../../../../../lib/extension/panel/run/history/run-database.ts';
import { readRunFile, writeRunFile } from '../../../../../../lib/extension/panel/run/history/run-file.ts';
import type { RunRecord } from '../../../../../../lib/extension/panel/run/history/run-store.ts';
import { RemoteRecorder } from '../../../../../../lib/extension/panel/run/recordings/recorded-remote.ts';
import { recordingOfEvents } from '../../../../../../lib/extension/panel/run/recordings/recording-of-events.ts';
import { noRecording } from '../../../../../../lib/extension/panel/run/recordings/recording-texts.ts';
import { DebuggedPage, onFailure } from '../../../inspector/support/debugged-page.ts';
import { observedRuntime } from '../../../inspector/support/page.ts';
import { openPanel } from '../../shell/open-panel.ts';

const PIPELINE = [
  { functionPackage: 'set' },
  { type: 'loop', range: { from: 1, to: 3 }, functions: [{ functionPackage: 'add' }] },
];

/** A run as the history has it. */
async function pastRun(runtime = observedRuntime, state = 'completed'): Promise<[RunRecord, AgentEvent[]]> {
  const { panel, finished, name } = await openPanel(runtime);
  panel.payloads.setText('{"since": "2026-11-01"}');
  await panel.run();
  await finished(state);
  const store = createRunStore(undefined, name);
  const [record] = await store.list();
  return [record!, await store.events(record!.id)];
}

/** As it’s read from a file. */
function recorded([record, events]: [RunRecord, AgentEvent[]], pipeline?: unknown) {
  const recording = recordingOfEvents(record, events, pipeline)!;
  // The page’s runtime doesn’t report it.
  for (const step of recording.steps) if (step.kind === 'loop' && step.state === 'completed') step.iterations = 3;
  const parsed = parseRecording(writeRecording(recording));
  expect(parsed).toEqual({ ok: true, value: recording });
  return recording;
}

describe('a recording of a run in the history', () => {
  it('has its steps, and replays as the run with the pipeline that it ran', async () => {
    const recording = recorded(await pastRun(), PIPELINE);
    expect(recording).toMatchObject({
      payload: { since: '2026-11-01' },
      end: { state: 'completed', result: 6 },
      lost: 0,
    });
    expect(recording.steps.map(({ path }) => path)).toEqual(['/0', '/1', ...Array(3).fill('/1/functions/0')]);
    expect(recording.steps[0]!.changes).toEqual([
      ['/list', [1]],
      ['/sum', 0],
    ]);
    expect(await replay(recording)).toEqual({ state: 'completed', result: 6 });
  });

  it('replays a failure with the message of the run', async () => {
    const failing = observedRuntime.replace('return context.sum', "if (context.sum > 2) throw new Error('too many')");
    const recording = recorded(await pastRun(failing, 'failed'), PIPELINE);
    expect(recording.steps.at(-1)!.error).toMatchObject({
      name: 'Error',
      message: expect.stringMatching(/^too many$/),
    });
  });

  it('has an edit before the steps within another outcome that was chosen', async () => {
    const condition = 'qty < 10';
    const functions = [{ type: 'if', conditions: [{ condition, functions: [{ functionPackage: 'none' }] }] }];
    const pipeline = [{ functionPackage: 'pay', functions }];
    const page = await DebuggedPage.open(pipeline, `pay() { throw new Error('refused'); }, none() {},`);
    onTestFinished(() => page.page.close());
    page.start(onFailure, { payload: { qty: 99 } });
    await page.paused();
    page.change((context) => Object.assign(context, { qty: 5 }));
    page.resume({ go: 'resume', outcome: { value: 'mine' } });
    await page.ended();
    const record = { title: '', payload: '{"qty":99}', milliseconds: 1 } as RunRecord;
    const recording = recordingOfEvents(record, page.events(), pipeline)!;
    const edit = { changes: [['/qty', 5]], by: 'edit', attempt: 1 };
    expect(recording.steps.map(({ late, changes }) => late ?? changes)).toEqual([[edit], undefined, undefined]);
    expect(await replay(recording)).toEqual({ state: 'completed', result: 'mine' });
  });

  it('is unknown without the pipeline', async () => {
    expect(await replay(recorded(await pastRun()))).toMatchObject({ state: 'unknown' });
  });

  it('is unknown where a value was cut, and keeps what is known of it for display', async () => {
    const long = observedRuntime.replace('context.sum = 0;', "context.sum = 0; context.note = 'x'.repeat(50_000);");
    const run = await pastRun(long);
    const pipeline = [
      PIPELINE[0],
      { ...PIPELINE[1], functions: [{ functionPackage: 'add' }] },
      { type: 'if', conditions: [{ condition: 'note.length > 1', functions: [] }] },
    ];
    const recording = recorded(run, pipeline);
    const [, note] = recording.steps[0]!.changes!.find(([path]) => path === '/note')!;
    expect(note).toEqual({ $: 'lost', value: 'too-large', text: expect.stringMatching(/^x+$/) });
    expect(recording.lost).toBe(1);
    recording.steps.push({ kind: 'if', path: '/2', at: 1, milliseconds: 0, state: 'completed', branch: 0 });
    expect(await replay(recording)).toMatchObject({ state: 'unknown', path: '/2', cause: { reason: 'too-large' } });
  });

  it('is interrupted if the history lacks some of its steps', async () => {
    const [record, events] = await pastRun();
    const recording = recorded(
      [{ ...record, cut: true }, events.filter(({ n }) => n < 5 || n === events.length)],
      PIPELINE,
    );
    expect(recording.end).toEqual({ state: 'interrupted' });
    expect(await replay(recording)).toEqual({ state: 'stopped' });
  });

  it('can be made of an exported file', async () => {
    const [record, events] = await pastRun();
    const file = readRunFile(writeRunFile([{ record, events }]));
    const [run] = file.ok ? file.value : [];
    expect(recordingOfEvents(run!.record, run!.events)!.steps).toHaveLength(5);
  });

  it('is what an imported run is exported as, and replayed from', async () => {
    const [record, events] = await pastRun();
    const { panel, files } = await openPanel(observedRuntime);
    await panel.runs.importRuns(writeRunFile([{ record, events }]));
    await panel.runs.open(record.id);
    const run = panel.runs.shown.value!;
    expect(noRecording(run)).toBeNull();
    await panel.recordings.export(run);
    const parsed = parseRecording(files[0]!);
    expect(parsed.ok && parsed.value.steps).toHaveLength(5);
    await panel.recordings.replay(run);
    expect(panel.recordings.report.value).toMatchObject({ runId: record.id });
    const justEnded = { ...record, startedAt: Date.now(), recording: undefined } as unknown as RunRecord;
    expect(noRecording({ ...run, record: justEnded })).toBe('Run again: the page hasn’t given a recording of this run');
  });

  it('doesn’t exist if the run’s steps weren’t traced', async () => {
    const [record, events] = await pastRun();
    const bare = events.map((event) => (event.kind === 'run-started' ? { ...event, tracing: 'bare' as const } : event));
    expect(recordingOfEvents(record, bare)).toBeNull();
    expect(recordingOfEvents(record, events.slice(1))).toBeNull();
  });
});

it('a run whose steps were all too large to compare has each name as lost once', () => {
  const names = Array.from({ length: 50 }, (_, index) => `name${index}`);
  const payload = JSON.stringify(Object.fromEntries(names.map((name) => [name, 1])));
  const base = { runId: 'r', at: 0 };
  const steps = names.flatMap((_, index): AgentEvent[] => [
    {
      ...base,
      n: 2 * index + 2,
      kind: 'step-started',
      step: index + 1,
      parent: null,
      path: '/0',
      iteration: [],
      stepKind: 'function',
      name: 'set',
      settings: { t: 'null' },
    },
    { ...base, n: 2 * index + 3, kind: 'step-ended', step: index + 1, state: 'completed', changes: [], shallow: true },
  ]);
  const start = { ...base, n: 1, kind: 'run-started', tracing: 'observed', engine: 'ours', startedAt: 0 } as const;
  const nothing = { t: 'object', name: undefined, size: 0, entries: [] } as const;
  const events = [{ ...start, payload: nothing, context: nothing } as unknown as AgentEvent, ...steps];
  const record = { title: '', payload, milliseconds: 1 } as RunRecord;
  const recording = recordingOfEvents(record, events)!;
  expect(recording.steps.flatMap(({ changes = [] }) => changes)).toHaveLength(names.length);
});

describe('values of a page that are lost', () => {
  const cut: RemoteValue = { t: 'array', length: 9, items: [] };

  it('are lost with what is in them, until they’re replaced', () => {
    const values = new RemoteRecorder();
    values.value(cut, '/a/b');
    expect(['/a/b/0', '/a/b', '/a/bc/0'].map((path) => values.isInsideOfLost(path))).toEqual([true, false, false]);
    values.forget('/a');
    expect(values.isInsideOfLost('/a/b/0')).toBe(false);
  });
});
