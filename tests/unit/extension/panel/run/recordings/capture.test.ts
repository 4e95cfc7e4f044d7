/** Stores the recording of a run from a real page once the run has ended. */
import { describe, expect, it } from 'vitest';
import type { Recording } from '../../../../../../lib/debugging/recording/format.ts';
import { recordingBadge } from '../../../../../../lib/extension/panel/run/describe-badges.ts';
import { createRunStore } from '../../../../../../lib/extension/panel/run/history/run-database.ts';
import type { RunRecord } from '../../../../../../lib/extension/panel/run/history/run-store.ts';
import { RecordingCapture } from '../../../../../../lib/extension/panel/run/recordings/capture.ts';
import type { Result } from '../../../../../../lib/platform-api/errors.ts';
import { bareRuntime, observedRuntime } from '../../../inspector/support/page.ts';
import { isExhaustive } from '../../../../../support/exhaustive.ts';
import { openPanel } from '../../shell/open-panel.ts';

async function storedRecording(name: string, id: string): Promise<Recording | null> {
  const text = await createRunStore(undefined, name).recording(id);
  return text === undefined ? null : (JSON.parse(text) as Recording);
}

describe('the recording of a run', () => {
  it('is stored after the run has ended, with what the panel knows of the action', async () => {
    const { panel, finished, name } = await openPanel(observedRuntime);
    panel.payloads.setText('{"since": "2026-11-01"}');
    await panel.run();
    await finished('completed');
    const { record } = panel.runs.shown.value!;
    expect(record.recording).toMatchObject({ lost: 0 });
    expect(recordingBadge(record)).toBeNull();
    expect(recordingBadge({ ...record, recording: { size: 1, lost: 3 } })?.text).toBe('3 values not recorded');
    expect(panel.runs.records.value[0]).toMatchObject({ state: 'completed', recording: record.recording });
    const recording = await storedRecording(name, record.id);
    expect(recording).toMatchObject({
      payload: { since: '2026-11-01' },
      action: { baseUrl: 'http://localhost', appId: 1, actionId: 2 },
      end: { state: 'completed', result: 6 },
    });
    expect(recording!.steps.map(({ path }) => path)).toEqual(['/0', '/1', ...Array(3).fill('/1/functions/0')]);
  });

  it('is stored when the panel was closed before it could be', async () => {
    const first = await openPanel(observedRuntime);
    await first.tab.page.until(() => first.panel.page.nodes.value.length > 0);
    await first.panel.runs.start('{}');
    first.panel.dispose();
    await first.tab.page.until(() => first.tab.page.state().run === null);
    const { panel } = await openPanel('', { page: first.tab.page, name: first.name });
    await first.tab.page.until(() => panel.runs.records.value[0]?.recording !== undefined);
    expect(panel.runs.records.value[0]).toMatchObject({ state: 'completed' });
    expect(await storedRecording(first.name, panel.runs.records.value[0]!.id)).toMatchObject({
      action: { appId: 1, actionId: 2 },
    });
  });

  it('doesn’t exist if the page’s runtime reports no steps', async () => {
    const { panel, finished } = await openPanel(bareRuntime('return 1'));
    await panel.runs.start('{}');
    await finished('completed');
    expect(recordingBadge(panel.runs.shown.value!.record)).toBeNull();
  });
});

describe('the times of a run', () => {
  it('are the same in its recording, opened elsewhere, and opened again', async () => {
    const { panel, files, finished } = await openPanel(observedRuntime);
    await panel.runs.start('{}');
    await finished('completed');
    const run = panel.runs.shown.value!;
    await panel.recordings.export(run);
    const elsewhere = await openPanel('');
    await elsewhere.panel.importFile(new File([files.at(-1)!], 'a.run.json'));
    const imported = elsewhere.panel.runs.shown.value!;
    const timesOf = ({ record, trace }: typeof run) => ({
      startedAt: [record.startedAt, trace.startedAt],
      milliseconds: [record.milliseconds, trace.milliseconds],
      steps: trace.order.map(({ path, start, end }) => [path, start, end]),
      lines: trace.console.map(({ at }) => at),
    });
    expect(timesOf(imported)).toEqual(timesOf(run));
    await panel.runs.open(run.record.id);
    expect(timesOf(panel.runs.shown.value!)).toEqual(timesOf(run));
  });
});

const noTrace = () => Promise.resolve(undefined);

describe('storing a recording', () => {
  const text = JSON.stringify({ lost: 2, steps: [] });
  const capturing = (recording: Result<string | null>) => {
    const stored: unknown[] = [];
    const errors: unknown[] = [];
    let paint = (): void => {};
    const painted = new Promise<void>((resolve) => (paint = resolve));
    let fetched = 0;
    const capture = new RecordingCapture({
      recording: async () => (fetched++, recording),
      history: { storeRecording: async (id, given) => (stored.push([id, given]), {} as RunRecord) },
      action: () => ({ name: 'a' }),
      onError: (error) => errors.push(error),
      painted: () => painted,
    });
    return { capture, stored, errors, paint, fetched: () => fetched };
  };

  it('waits until the result of the run is shown', async () => {
    const { capture, stored, paint, fetched } = capturing({ ok: true, value: text });
    const ended = capture.end('r', noTrace);
    await new Promise((resolve) => setTimeout(resolve));
    expect(fetched()).toBe(0);
    paint();
    await ended;
    expect(stored).toEqual([['r', { lost: 2, steps: [], action: { name: 'a' } }]]);
  });

  it('says that it’s too large, and stores nothing if the page is gone', async () => {
    const error = (code: string): Result<null> => ({ ok: false, error: { code, message: code } });
    const large = capturing(error('TEXT_TOO_LARGE'));
    large.paint();
    await large.capture.end('r', noTrace);
    expect(large.stored).toEqual([['r', null]]);
    const gone = capturing(error('PAGE_UNREACHABLE'));
    gone.paint();
    expect(await gone.capture.end('r', noTrace)).toBeUndefined();
    expect(gone.stored).toEqual([]);
    expect(gone.errors).toEqual([]);
  });

  it('reports a recording that isn’t JSON', async () => {
    const { capture, errors, paint } = capturing({ ok: true, value: '{"steps": [' });
    paint();
    expect(await capture.end('r', noTrace)).toBeUndefined();
    expect(errors).toHaveLength(1);
  });
});

it('a run whose recording exceeds the limit of the database says so, and stays', async () => {
  // The real limit needs a recording of 27 MB.
  const [length, limits] = isExhaustive() ? [1_400_000, {}] : [14_000, { sizeOfRun: 100_000 }];
  const noise = `context.noise = Array.from({ length: ${length} }, () => Math.random())`;
  const { panel, finished, name } = await openPanel(observedRuntime.replace('context.sum = 0', noise), { limits });
  await panel.runs.start('{}');
  await finished('completed');
  const { record } = panel.runs.shown.value!;
  expect(recordingBadge(record)?.text).toBe('recording too large');
  expect(await createRunStore(undefined, name).get(record.id)).toMatchObject({ state: 'completed', number: 1 });
});
