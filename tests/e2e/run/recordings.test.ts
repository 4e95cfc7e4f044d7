/** A failed run as a recording: exported, opened elsewhere, replayed, changed, and compared. */
import { expect, test } from 'vitest';
import { fill } from '../../../lib/browser-driver/pages/fill.ts';
import { waitFor } from '../../../lib/browser-driver/wait-for.ts';
import { CHECK, command, has, noticeOf, RecordingsBed } from '../../support/recordings-bed.ts';
import { press } from '../../../lib/browser-driver/pages/press.ts';

const recordings = new RecordingsBed();

test('a failed run is exported as a recording', async () => {
  const file = await recordings.file();
  expect(file.name).toMatch(/^throws-on-bad-address-.*\.run\.json$/);
  expect(JSON.parse(file.text)).toMatchObject({ format: 'platform-devtools/run', end: { state: 'failed' } });
  expect((JSON.parse(file.text) as { steps: unknown[] }).steps.length).toBeGreaterThan(0);
  expect(file.text).not.toContain(recordings.bed.platform.authToken);
});

test('the recording opens without the page, with its pipeline, steps, and whole contexts', async () => {
  const panel = await recordings.opened();
  expect((await panel.tree())[CHECK]).toBe('failed');
  expect((await panel.alert())?.text).toMatch(/check-address failed in iteration 12/);
  await press(panel.frame(), 'Context', { role: 'tab' });
  await panel.press('Before');
  await waitFor('the whole context', () => has(panel, '[aria-label="Context before"]'));
  expect(await panel.details()).toContain('records');
});

test('a changed condition shows the new branch, a missing outcome is mocked, and the result is compared', async () => {
  const panel = await recordings.opened();
  const frame = panel.frame();
  await command(panel, 'What if…');
  await waitFor('the editor', () => has(panel, '[data-what-if]'));
  await frame.select('select[name=what-if-step]', '/1/functions/0');
  await fill(frame, 'input[name=what-if-field]', "currentItem.data.role === 'none'");
  await panel.press('Replay with changes');
  expect(await noticeOf(panel, 'WHAT_IF_NO_OUTCOME')).toBe(
    'What if: no recorded outcome for return-string (/2). Mock the step, or run the action.',
  );
  expect((await panel.tree())[CHECK]).toBe('idle');

  await panel.press('Mock the step…');
  await waitFor('the mock', () => has(panel, '[data-what-if-mock="/2"]'));
  await fill(frame, '[name=what-if-mock]', '"all valid"');
  await panel.press('Replay with changes');
  expect(await noticeOf(panel, 'WHAT_IF_COMPLETED')).toContain('completes with "all valid"');
  expect(await panel.runState()).toBe('completed');
  await panel.press('Compare with the original');
  await waitFor('the comparison', () => has(panel, '[data-compare=ready]'));
});

test('replays offline, with the platform stopped', async () => {
  const panel = await recordings.opened();
  await recordings.bed.platform.close();
  await command(panel, 'Replay');
  expect(await noticeOf(panel, 'REPLAY_SAME')).toMatch(
    /Replayed with the recorded outcomes: same \d+ steps, same error\./,
  );
});
