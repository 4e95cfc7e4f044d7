/** Looks for the smallest payload of a failed run in the panel’s state. */
import { describe, expect, it } from 'vitest';
import { exportedRun, openRecorded } from './open-recorded.ts';

const FUNCTIONS = `
  'com.example.function.read'(settings, context) { context.rows = [1, 2, 3]; context.sum = 0; },
  'com.example.function.add'() { throw new Error('No.'); },
  'com.example.function.skipped'() {},
  'com.example.function.send'() {},
`;
const failed = () =>
  exportedRun({ functions: FUNCTIONS, state: 'failed', payload: '{"since":"2026-11-01","names":["Ada","Bo"]}' });

describe('the smallest failing payload', () => {
  it('opens as a run that still fails, and can be used as payload', async () => {
    const { recording } = await failed();
    const { panel, run } = await openRecorded(recording);
    await panel.recordings.smallest.find(run);
    await panel.runs.settled();
    const shown = panel.runs.shown.value!;
    expect(shown.record).toMatchObject({ origin: 'smallest', madeFrom: run.record.id, state: 'failed' });
    expect(shown.trace.error?.errorMessage).toBe(run.trace.error?.errorMessage);
    expect(panel.recordings.smallest.report.value?.text).toMatch(
      /^Still fails with \d+ of \d+ characters of payload and recorded data\. This rests on \d+ replays with the recorded outcomes\. \d+ removals couldn’t be judged, such as one in which read \(\/0\) would get other input\. Mock it to judge more\.$/,
    );
    expect(panel.recordings.smallest.progress.value).toBeNull();
    // The first function is given the whole payload.
    const payload = JSON.parse(run.record.payload) as object;
    expect(JSON.parse(shown.record.payload)).toEqual(payload);
    panel.recordings.smallest.usePayload();
    expect(JSON.parse(panel.payloads.text.value)).toEqual(payload);
  });

  it('says that nothing more can be removed only if each removal was judged', async () => {
    const pipeline = [
      { type: 'if', conditions: [{ condition: 'names.length > 1', functions: [] }] },
      { type: 'loop', items: 'missing', functions: [] },
    ];
    const { recording } = await exportedRun({ pipeline, state: 'failed', payload: '{"since":1,"names":["Ada","Bo"]}' });
    const { panel, run } = await openRecorded(recording);
    await panel.recordings.smallest.find(run);
    await panel.runs.settled();
    expect(panel.recordings.smallest.report.value).toMatchObject({
      payload: expect.stringMatching(/^\{\s*"names"/),
      text: expect.stringMatching(/recorded outcomes\. No single item, property, or character can be removed\.$/),
    });
  });

  it('is what was found until the search was canceled', async () => {
    const { recording } = await failed();
    const { panel, run } = await openRecorded(recording);
    const searching = panel.recordings.smallest.find(run);
    expect(panel.recordings.smallest.progress.value?.runId).toBe(run.record.id);
    panel.recordings.smallest.cancel();
    await searching;
    expect(panel.recordings.smallest.report.value?.text).toContain('You canceled the search.');
    expect(panel.runs.shown.value!.record.state).toBe('failed');
  });

  it('isn’t looked for in a run that completed, which says why', async () => {
    const { recording } = await exportedRun();
    const { panel, run } = await openRecorded(recording);
    await panel.recordings.smallest.find(run);
    expect(panel.runs.error.value?.code).toBe('SMALLEST_NOT_FAILED');
    expect(panel.runs.shown.value).toBe(run);
  });
});
