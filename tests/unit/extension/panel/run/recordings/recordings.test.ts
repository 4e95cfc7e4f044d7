/** Opens, exports, and replays recordings in the panel’s state, with and without the page that ran them. */
import { effect } from '@preact/signals';
import { describe, expect, it } from 'vitest';
import type { Recording } from '../../../../../../lib/debugging/recording/format.ts';
import { lost } from '../../../../../../lib/debugging/recording/values.ts';
import { describeReplay } from '../../../../../../lib/extension/panel/run/recordings/describe-replay.ts';
import { originBadge } from '../../../../../../lib/extension/panel/run/describe-badges.ts';
import { runOfRecording } from '../../../../../../lib/extension/panel/run/recordings/run-of-recording.ts';
import { maskInParts } from '../../../../../../lib/extension/panel/run/secrets/run-mask.ts';
import type { Panel } from '../../../../../../lib/extension/panel/shell/panel.ts';
import { observedRuntime, openPage } from '../../../inspector/support/page.ts';
import { exportedRun, file, stepsOf, withoutPage } from './open-recorded.ts';
import { closing } from '../../shell/open-panel.ts';
import { openDebugger } from '../debug/open-debugger.ts';

const errorOf = (panel: Panel) => panel.runs.error.value;

const OTHER_ACTION = 'http://localhost/v1/apps/1/tasks/3/compile?html';

describe('a recording of a run in the page', () => {
  it('is waited for, as long as the run has ended but its recording isn’t stored yet', async () => {
    const { panel, ended } = await openDebugger();
    let early: Promise<Recording | null> | undefined;
    closing.push(
      effect(() => {
        void panel.runs.version.value;
        const run = panel.runs.shown.value;
        if (run && run.trace.state !== 'running') early ??= panel.recordingOf(run);
      }),
    );
    await panel.run();
    await ended('completed');
    expect(await early).toMatchObject({ end: { state: 'completed' } });
  });
});

describe('a recording from a file', () => {
  it('opens as a run with its own pipeline, steps, and values, in a panel without its page', async () => {
    const original = await exportedRun();
    const { panel } = await withoutPage();
    await panel.importFile(file(original.text));
    await panel.runs.settled();
    expect(stepsOf(panel)).toEqual(stepsOf(original.panel));
    expect(panel.treeNodes.value.map(({ path }) => path)).toEqual(
      original.panel.page.nodes.value.map(({ path }) => path),
    );
    const { record, trace } = panel.runs.shown.value!;
    expect(record).toMatchObject({ origin: 'file', state: 'completed', number: 1, title: 'app 1 · action 2' });
    expect(trace.result).toMatchObject({ v: 'sent 5' });
    expect(originBadge(record, [])?.text).toBe('from file');
    expect(panel.needsEnvironment.value).toBe(false);
  });

  it('is stored, and opens again from the list of all runs', async () => {
    const original = await exportedRun();
    const { panel } = await withoutPage();
    await panel.importFile(file(original.text));
    await panel.runs.settled();
    const { id } = panel.runs.shown.value!.record;
    panel.runs.close();
    await panel.runs.open(id);
    expect(panel.runs.shown.value!.record.recording?.size).toBeGreaterThan(0);
    expect(stepsOf(panel)).toEqual(stepsOf(original.panel));
    expect(panel.treeNodes.value).toHaveLength(original.panel.page.nodes.value.length);
  });

  it('is stored without the secrets that it has', async () => {
    const { text } = await exportedRun({ payload: '{"since":1}' });
    const { panel, files } = await withoutPage();
    await panel.importFile(file(text.replace('"payload":{', '"payload":{"password":"hunter-2-hunter",')));
    await panel.runs.settled();
    await panel.recordings.export(panel.runs.shown.value!);
    expect(files[0]).toContain('password');
    expect(files[0]).not.toContain('hunter-2');
  });

  it('isn’t stored twice', async () => {
    const { text } = await exportedRun();
    const { panel } = await withoutPage();
    await panel.importFile(file(text));
    await panel.runs.settled();
    const { id } = panel.runs.shown.value!.record;
    await panel.importFile(file(text));
    await panel.runs.settled();
    expect(panel.runs.shown.value!.record.id).toBe(id);
    expect(await panel.runs.listAll()).toHaveLength(1);
  });

  it('is exported as it was', async () => {
    const { recording, text } = await exportedRun();
    const { panel, files } = await withoutPage();
    await panel.importFile(file(text));
    await panel.runs.settled();
    await panel.recordings.export(panel.runs.shown.value!);
    expect(JSON.parse(files[0]!)).toEqual(recording);
  });

  it('can’t be expanded beyond its values after another run was opened', async () => {
    const { text } = await exportedRun();
    const { panel } = await withoutPage();
    await panel.importFile(file(text));
    const handle = panel.runs.shown.value!.local!.values.add(['one', 'two']);
    expect(await panel.expand(handle, 1, 1)).toMatchObject({ ok: true, value: { t: 'array' } });
    panel.runs.close();
    expect(await panel.expand(handle, 1, 1)).toMatchObject({ ok: false, error: { code: 'HANDLE_GONE' } });
  });

  it('shows the page’s pipeline, with its breakpoints, if it has the same', async () => {
    const { panel, text } = await exportedRun();
    await panel.importFile(file(text));
    expect(panel.runs.shown.value!.local).toBeDefined();
    expect(panel.isTreeLocal.value).toBe(false);
    expect(panel.treeNodes.value).toBe(panel.page.nodes.value);
  });

  it('stays shown, with its own pipeline, while the page opens another action', async () => {
    const { text } = await exportedRun();
    const { panel, tab } = await withoutPage();
    await panel.importFile(file(text));
    const shown = panel.runs.shown.value;
    tab.page = await openPage({ url: OTHER_ACTION, before: observedRuntime, agent: false });
    closing.push(() => tab.page.close());
    await tab.page.until(() => panel.page.nodes.value.length > 0);
    expect(panel.runs.shown.value).toBe(shown);
    expect(panel.treeNodes.value).toBe(shown!.local!.nodes);
  });
});

describe('an import', () => {
  it('can be canceled until its run is shown', async () => {
    const { recording, text } = await exportedRun();
    const { panel } = await withoutPage();
    const imported = panel.importFile(file(text));
    expect(panel.importing.value).not.toBeNull();
    panel.cancelImport();
    await imported;
    const steps = Array.from({ length: 200 }, () => recording.steps[0]!);
    const canceled = AbortSignal.abort();
    await expect(maskInParts({ ...recording, steps }, (given) => given, canceled)).rejects.toBe(canceled.reason);
    await expect(
      runOfRecording({ ...recording, steps }, { id: 'r', origin: 'file' }, undefined, canceled),
    ).rejects.toBe(canceled.reason);
    await panel.runs.settled();
    expect(panel.importing.value).toBeNull();
    expect(panel.runs.shown.value).toBeNull();
    expect(await panel.runs.listAll()).toEqual([]);
    expect(errorOf(panel)).toBeNull();
  });

  it('is replaced by the import of another file', async () => {
    const { recording } = await exportedRun();
    const { panel } = await withoutPage();
    const importOf = (payload: Recording['payload']) =>
      panel.importFile(file(JSON.stringify({ ...recording, payload })));
    await Promise.all([importOf({ since: 1 }), importOf({ since: 2 })]);
    await panel.runs.settled();
    expect(panel.importing.value).toBeNull();
    expect(await panel.runs.listAll()).toMatchObject([{ payload: expect.stringContaining('"since": 2') }]);
  });
});

describe('a bad file', () => {
  const bad: [what: string, change: (recording: Recording) => string, code: string][] = [
    ['that is cut off', (recording) => JSON.stringify(recording).slice(0, -20), 'RECORDING_NOT_JSON'],
    ['of a newer version', (recording) => JSON.stringify({ ...recording, version: 2 }), 'RECORDING_NEWER'],
    ['of something else', () => '{"name":"package"}', 'RECORDING_NOT_ONE'],
    [
      'with a step that the pipeline doesn’t have',
      ({ steps: [first, ...rest], ...others }) =>
        JSON.stringify({ ...others, steps: [{ ...first, path: '/9' }, ...rest] }),
      'RECORDING_DAMAGED',
    ],
  ];
  it.each(bad)('%s is refused, and the displayed run stays', async (_what, change, code) => {
    const { panel, recording } = await exportedRun();
    const shown = panel.runs.shown.value;
    await panel.importFile(file(change(recording)));
    expect(errorOf(panel)).toMatchObject({ code, hint: expect.any(String) });
    expect(panel.runs.shown.value).toBe(shown);
    expect(await panel.runs.listAll()).toHaveLength(1);
  });

  it('of 500 MB is refused before it’s read', async () => {
    const { panel } = await withoutPage();
    const large = Object.defineProperties(file('{'), {
      size: { value: 500 * 1024 * 1024 },
      text: { value: () => expect.unreachable() },
    });
    await panel.importFile(large);
    expect(errorOf(panel)).toMatchObject({ code: 'RECORDING_TOO_LARGE', message: expect.stringContaining('500 MB') });
  });

  it('that the browser can’t read is reported', async () => {
    const { panel } = await withoutPage();
    const gone = Object.defineProperty(file('{'), 'text', { value: () => Promise.reject(new Error('NotFoundError')) });
    await panel.importFile(gone);
    expect(errorOf(panel)?.code).toBe('FILE_UNREADABLE');
  });

  it('with __proto__ and markup opens as plain data', async () => {
    const { text } = await exportedRun({ payload: '{"name":"<img src=x onerror=alert(1)>"}' });
    const { panel } = await withoutPage();
    await panel.importFile(file(text.replace('"payload":{', '"payload":{"__proto__":{"isAdmin":true},')));
    expect(errorOf(panel)).toBeNull();
    expect(panel.runs.shown.value!.record.payload).toContain('<img');
    expect({}).not.toHaveProperty('isAdmin');
  });
});

describe('replaying a run', () => {
  it('says that the same steps had the same result', async () => {
    const { panel } = await exportedRun();
    await panel.recordings.replay(panel.runs.shown.value!);
    expect(panel.recordings.report.value).toMatchObject({
      outcome: 'same',
      text: 'Replayed with the recorded outcomes: same 9 steps, same result.',
      place: null,
    });
    expect(panel.recordings.busy.value).toBeNull();
  });

  it('says what the recording doesn’t have of the result and of the run’s end', async () => {
    const { recording } = await exportedRun();
    const textOf = (end: Recording['end'], state: 'completed' | 'stopped') =>
      describeReplay({ ...recording, end }, { state, result: 1 }).text;
    for (const part of [lost('masked'), { $: 'rest', value: 3 }])
      expect(textOf({ state: 'completed', result: [part] }, 'completed')).toMatch(
        /same result, as far as it’s recorded\.$/,
      );
    expect(textOf({ state: 'stopped' }, 'stopped')).toMatch(/The recorded run was stopped here\.$/);
    expect(textOf({ state: 'interrupted' }, 'stopped')).toMatch(/How the recorded run ended is unknown\.$/);
  });

  it('shows the first difference of a tampered recording, with both values, and selects its step', async () => {
    const { recording } = await exportedRun();
    const { panel } = await withoutPage();
    const branched = recording.steps.find(({ kind, branch }) => kind === 'if' && branch === 0)!;
    branched.branch = null;
    await panel.importFile(file(JSON.stringify(recording)));
    await panel.recordings.replay(panel.runs.shown.value!);
    const report = panel.recordings.report.value!;
    expect(report.outcome).toBe('different');
    expect(report.text).toMatch(
      /^The replay first differs at if \(\/1\/functions\/0, iteration 2\): another branch ran\./,
    );
    expect(report.values).toEqual({ recorded: 'no branch', replayed: 'branch 1' });
    panel.recordings.showPlace(report.place!);
    const step = panel.runs.shown.value!.trace.steps.get(panel.selection.step.value!);
    expect([step?.path, step?.iteration]).toEqual(['/1/functions/0', [1]]);
  });

  it('says that the result differs', async () => {
    const { recording } = await exportedRun();
    const { panel } = await withoutPage();
    await panel.importFile(file(JSON.stringify({ ...recording, end: { state: 'completed', result: 'other' } })));
    await panel.recordings.replay(panel.runs.shown.value!);
    expect(panel.recordings.report.value).toMatchObject({
      outcome: 'different',
      values: { recorded: '"other"', replayed: '"sent 5"' },
    });
  });

  it('says which value is missing', async () => {
    const { recording } = await exportedRun();
    const { panel } = await withoutPage();
    recording.steps[0]!.changes = recording.steps[0]!.changes!.map(([path]) => [
      path,
      { $: 'lost', value: 'too-large' },
    ]);
    await panel.importFile(file(JSON.stringify(recording)));
    await panel.recordings.replay(panel.runs.shown.value!);
    expect(panel.recordings.report.value).toMatchObject({
      outcome: 'unknown',
      text: expect.stringMatching(/^Couldn’t replay further than .*The recording doesn’t have this value/),
    });
  });
});

describe('copying a run as a test', () => {
  it('saves the test and its recording, which names it', async () => {
    const { panel, files } = await exportedRun();
    await panel.recordings.copyAsTest(panel.runs.shown.value!);
    const [test, saved] = files.slice(-2);
    const { name } = panel.recordings.savedTest.value!;
    expect(test).toContain(`./${name}.run.json`);
    expect(test).toContain('result: "sent 5"');
    expect(JSON.parse(saved!)).toMatchObject({ format: 'platform-devtools/run' });
  });
});

describe('the recording of a log record', () => {
  const log = { environmentId: 'e', baseUrl: 'https://eu.example', appId: 1, logId: 7 };

  it('opens as a run on the Run tab', async () => {
    const { text } = await exportedRun();
    const { panel } = await withoutPage({ 'logs.recording': { ok: true, value: { text } } });
    panel.tabs.open('actions');
    expect(await panel.recordings.openLog(log)).toBe(true);
    await panel.runs.settled();
    expect(panel.tabs.current.value).toBe('run');
    expect(panel.runs.shown.value!.record.origin).toBe('server');
    expect(panel.runs.shown.value!.local!.recording.action?.baseUrl).toBe('http://localhost');
  });

  it.each([
    ['isn’t there anymore', { ok: false, error: { code: 'NOT_FOUND', message: 'gone' } }, 'NOT_FOUND'],
    ['is damaged', { ok: true, value: { text: '{' } }, 'RECORDING_NOT_JSON'],
  ])('that %s is reported beside the record', async (_what, response, code) => {
    const { panel } = await withoutPage({ 'logs.recording': response });
    panel.tabs.open('actions');
    expect(await panel.recordings.openLog(log)).toBe(false);
    expect(panel.recordings.logError.value).toMatchObject({ logId: 7, error: { code } });
    expect(panel.tabs.current.value).toBe('actions');
  });
});
