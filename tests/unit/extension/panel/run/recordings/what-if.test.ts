/** Replays recorded runs with changes in the panel’s state, without the page that ran them. */
import { describe, expect, it, vi } from 'vitest';
import type { Mock } from '../../../../../../lib/debugging/mocks/types.ts';
import { replayWith } from '../../../../../../lib/debugging/replay/what-if.ts';
import type { Pipeline } from '../../../../../../lib/pipeline/index.ts';
import { describeWhatIf } from '../../../../../../lib/extension/panel/run/recordings/what-if/describe-what-if.ts';
import { record } from '../../../../debugging/record.ts';
import { originBadge } from '../../../../../../lib/extension/panel/run/describe-badges.ts';
import { openDebugger } from '../debug/open-debugger.ts';
import { exportedRun, openRecorded, stepsOf } from './open-recorded.ts';

const IF = '/1/functions/0';
const ADD = `${IF}/conditions/0/functions/0`;
const CONDITION = `${IF}/conditions/0/condition`;

/** The editor of the recorded run, in a panel without a page. */
async function opened() {
  const { recording } = await exportedRun();
  const { panel, run } = await openRecorded(recording);
  await panel.recordings.whatIf.open(run);
  return { panel, run, whatIf: panel.recordings.whatIf };
}

describe('what if', () => {
  it('says what the replay takes for granted', async () => {
    const { recording } = await exportedRun();
    const changed = structuredClone(recording);
    changed.steps[0]!.late = [{ changes: [['/edited', 1]], by: 'edit' }];
    const report = describeWhatIf(await replayWith(changed, {}), changed);
    expect(report).toMatchObject({
      state: 'completed',
      note: 'The context was edited as in the recorded run: /edited.',
    });
  });

  it('starts with the pipeline and the payload as recorded', async () => {
    const { whatIf } = await opened();
    expect(JSON.parse(whatIf.pipelineText.value)).toHaveLength(3);
    expect(whatIf.payloadText.value).toBe('{}');
    expect([whatIf.isChanged.value, whatIf.unavailable.value]).toEqual([false, null]);
  });

  it('opens a new run that shows the other branch, and says what it was made from', async () => {
    const { panel, run, whatIf } = await opened();
    whatIf.chooseStep(IF);
    expect(whatIf.fields.value).toMatchObject([{ label: 'When', text: 'currentItem > 1' }]);
    whatIf.setField(CONDITION, 'text', 'currentItem > 2');
    await whatIf.replay();
    await panel.runs.settled();
    const shown = panel.runs.shown.value!;
    expect(stepsOf(panel)).not.toContain(`${ADD}#1 completed`);
    expect(stepsOf(panel).at(-1)).toBe(`${IF}/elseFunctions/0#1 stopped`);
    expect(shown.record).toMatchObject({ origin: 'what-if', madeFrom: run.record.id, state: 'stopped' });
    expect(originBadge(shown.record, [run.record])).toMatchObject({ text: `what if · run ${run.record.number}` });
    expect(whatIf.isOpen.value).toBe(false);
  });

  it('lists its run as the newest one, whatever run it was made from', async () => {
    const { panel, run, whatIf } = await opened();
    run.record.startedAt = Date.parse('2026-01-01');
    const before = Date.now();
    await whatIf.replay();
    await panel.runs.settled();
    const all = await panel.runs.listAll();
    expect(all!.map(({ origin }) => origin)).toEqual(['replay', 'file']);
    expect(all![0]!.startedAt).toBeGreaterThanOrEqual(before);
    expect(panel.runs.shown.value!.trace.startedAt).toBeLessThan(before);
  });

  it('stops at a call without a recorded outcome, and replays further with a mock for it', async () => {
    const { panel, whatIf } = await opened();
    whatIf.setField(CONDITION, 'text', 'currentItem > 0');
    whatIf.chooseStep(IF);
    whatIf.setField(CONDITION, 'text', 'currentItem > 0');
    await whatIf.replay();
    expect(whatIf.report.value).toMatchObject({
      state: 'no-outcome',
      text: `What if: no recorded outcome for add (${ADD}, iteration 1). Mock the step, or run the action.`,
      place: { path: ADD, iteration: [0] },
      mockable: 'com.example.function.add',
    });
    whatIf.addMock(whatIf.report.value!.place!, 'com.example.function.add');
    expect(whatIf.isOpen.value).toBe(true);
    expect(JSON.parse(whatIf.pipelineText.value)[1].functions[0].conditions[0].condition).toBe('currentItem > 0');
    whatIf.setMock(ADD, '{"added": ');
    expect(whatIf.unavailable.value).toBe('Correct the mocks');
    whatIf.setMock(ADD, '{"added": true}');
    await whatIf.replay();
    // The mock doesn’t change the sum, which the function reads.
    expect(whatIf.report.value).toMatchObject({
      state: 'other-input',
      note: expect.stringMatching(/^“sum” in the context would be 0, and was 5 /),
      mockable: 'com.example.function.send',
    });
    whatIf.addMock(whatIf.report.value!.place!, 'com.example.function.send');
    await whatIf.replay();
    expect(whatIf.report.value?.state).toBe('completed');
    const { order } = panel.runs.shown.value!.trace;
    expect(new Set(order.map(({ name, replaced }) => `${name} ${replaced ?? ''}`))).toContain(
      'com.example.function.add mock',
    );
    // All other functions have recorded outcomes.
    expect(order.filter(({ replaced }) => replaced !== undefined)).toHaveLength(4);
  });

  it('keeps edits while the panel shows the result, until another run is edited', async () => {
    const { panel, run, whatIf } = await opened();
    whatIf.payloadText.value = '{"since": 1}';
    await whatIf.replay();
    const result = panel.runs.shown.value!;
    whatIf.reopen();
    expect(whatIf.payloadText.value).toBe('{"since": 1}');
    await whatIf.open(run);
    expect(whatIf.payloadText.value).toBe('{"since": 1}');
    await whatIf.open(result);
    expect([whatIf.isChanged.value, JSON.parse(whatIf.payloadText.value)]).toEqual([false, { since: 1 }]);
  });

  it.each([
    ['a pipeline that isn’t JSON', '[', '{}', 'Correct the pipeline'],
    ['a pipeline with an invalid step', '[{"type":"loop","functions":[]}]', '{}', 'Correct the pipeline'],
    ['a payload that isn’t an object', '[]', '[1]', 'Correct the payload'],
  ])('isn’t available with %s, and says what is wrong', async (_what, pipeline, payload, reason) => {
    const { whatIf } = await opened();
    whatIf.setPipeline(pipeline);
    whatIf.payloadText.value = payload;
    expect(whatIf.unavailable.value).toBe(reason);
    expect([...whatIf.pipelineProblems.value, whatIf.payloadProblem.value ?? ''].join('')).not.toBe('');
    whatIf.reset();
    expect(whatIf.unavailable.value).toBeNull();
  });

  it('keeps settings that aren’t valid yet as entered', async () => {
    const { whatIf } = await opened();
    whatIf.chooseStep('/2');
    const before = whatIf.pipelineText.value;
    whatIf.setField('/2/settings', 'json', '{"to": ');
    expect(whatIf.fields.value).toMatchObject([{ text: '{"to": ', problem: expect.stringContaining('expected') }]);
    expect([whatIf.unavailable.value, whatIf.pipelineText.value]).toEqual(['Correct the settings', before]);
    whatIf.setField('/2/settings', 'json', '{"to": "bo@example.com"}');
    expect(JSON.parse(whatIf.pipelineText.value)[2].settings).toEqual({ to: 'bo@example.com' });
    await whatIf.replay();
    expect(whatIf.report.value).toMatchObject({
      state: 'other-input',
      text: 'What if: unknown from send (/2) on. The step would get other input than when it was recorded.',
      note: 'Its setting “to” would be "bo@example.com", and was "ada@example.com" when it was recorded.',
      mockable: 'com.example.function.send',
      payload: null,
    });
  });

  it('runs another payload for real, in a dry run, which is on for that run only', async () => {
    const pipeline = [
      { functionPackage: 'com.example.function.read' },
      { functionPackage: 'com.platform.function.send-email', settings: {} },
    ];
    const functions = `'com.example.function.read'(settings, context) { return context.since; },
      'com.platform.function.send-email'() { throw new Error('Nothing is sent here.'); },`;
    const { panel, ended } = await openDebugger({ pipeline, functions });
    panel.payloads.setText('{"since": 1}');
    await panel.run();
    await ended('failed');
    const { whatIf } = panel.recordings;
    await whatIf.open(panel.runs.shown.value!);
    whatIf.payloadText.value = '{"since": 2}';
    await whatIf.replay();
    const { note, payload } = whatIf.report.value!;
    expect(note).toBe(
      '“since” in the context would be 2, and was 1 when it was recorded. Which parts of the context the function reads isn’t known.',
    );
    expect(panel.whyNotInPage(panel.runs.shown.value!.record)).toBeNull();
    await panel.dryRun(payload!);
    await ended('completed');
    const { trace, record } = panel.runs.shown.value!;
    expect(JSON.parse(record.payload)).toEqual({ since: 2 });
    expect(trace.order.map(({ replaced }) => replaced)).toEqual([undefined, 'mock']);
    expect([panel.mocks.isDryRun.value, panel.payloads.text.value]).toEqual([false, payload]);
  });

  it('without a change is a replay', async () => {
    const { panel, whatIf } = await opened();
    await whatIf.replay();
    expect(panel.runs.shown.value!.record.origin).toBe('replay');
  });
});

describe('time travel', () => {
  it('shows the whole context before and after a step, beyond what the trace has', async () => {
    const long = 'x'.repeat(50_000);
    const { recording } = await exportedRun({
      functions: `'com.example.function.read'(settings, context) { context.rows = [1, 2, 3]; context.sum = 0;
        context.long = 'x'.repeat(50000); },
      'com.example.function.add'(settings, context) { context.sum += context.currentItem; },
      'com.example.function.skipped'() {}, 'com.example.function.send'() {},`,
    });
    const { panel, run } = await openRecorded(recording);
    const { travel } = panel.recordings;
    const step = run.trace.order.find(({ path, iteration }) => path === ADD && iteration[0] === 2)!;
    expect(travel.contextsOf(run, step)).toBeNull();
    await vi.waitUntil(() => travel.contextsOf(run, step));
    const { before, after } = travel.contextsOf(run, step)!;
    const valueOf = (context: typeof before, name: string) =>
      context.t === 'object' ? context.entries.find(([key]) => key === name)?.[1] : undefined;
    expect([valueOf(before, 'sum'), valueOf(after, 'sum')]).toMatchObject([{ v: 2 }, { v: 5 }]);
    expect(valueOf(before, 'long')).toMatchObject({ v: long });
  });
});

describe('the report of a replay with changes', () => {
  async function report(pipeline: Pipeline, mocks: Mock[], engine: 'ours' | 'platform' = 'ours') {
    const { recording } = await record(pipeline, { fails: () => Promise.reject(new Error('no')), one: () => 1 });
    const recorded = { ...recording, engine };
    return describeWhatIf(await replayWith(recorded, { mocks }), recorded).text;
  }

  it('rests on the recorded outcomes, and on our engine if the platform’s runtime ran', async () => {
    const one = [{ functionPackage: 'one' }];
    expect(await report(one, [])).toBe('What if: with the recorded outcomes, the run completes with 1.');
    expect(await report(one, [], 'platform')).toBe(
      'What if: in our engine, with the recorded outcomes, the run completes with 1.',
    );
  });

  it('says whether a mock made the run fail', async () => {
    const mock: Mock = { target: { path: '/0' }, outcome: { error: { message: 'mocked' } } };
    expect(await report([{ functionPackage: 'one' }], [mock])).toMatch(/the run fails because of a mock\. /);
    expect(await report([{ functionPackage: 'fails' }], [])).toMatch(/the run fails\. /);
  });
});
