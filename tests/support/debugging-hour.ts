/** A developer’s hour with the debugger, in either browser. Each test starts where the previous one ended. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { SavedFile } from '../../lib/browser-driver/pages/saved-file.ts';
import type { ScriptedPanel } from '../../lib/browser-driver/pages/scripted-panel.ts';
import { ScriptedRun } from '../../lib/browser-driver/pages/scripted-run.ts';
import type { Platform } from '../../lib/local-platform/index.ts';
import { compileUrl } from '../../lib/platform-api/index.ts';
import { packedProject } from './packed-project.ts';
import { findAction } from './test-bed.ts';
import { ask, outbox } from './ask.ts';

export interface Hour {
  /** Used by nothing else: the hour stops it. */
  platform: Platform;
  /** A new panel, which has the platform’s environment. */
  panel: ScriptedPanel;
}

const IF = '/1/functions/0';
const CHECK = `${IF}/conditions/0/functions/0`;
const SEND = '/2/functions/0/conditions/0/functions/0';

const step = (name: string, settings: object) => ({ functionPackage: `com.platform.function.${name}`, settings });
const MISSPELLED = {
  name: 'misspelled',
  environment: 'any',
  triggers: [{ trigger: 'manual' }],
  functions: [
    step('read-datasource', { dataSource: 'People', limit: 3 }),
    { type: 'if', conditions: [{ condition: "records[0].data.emial.includes('@')", functions: [] }] },
  ],
};

/** Registers the tests of the hour. */
export function debuggingHour(start: () => Promise<Hour>, end: () => Promise<void>): void {
  let platform: Platform;
  let panel: ScriptedPanel;
  let run: ScriptedRun;
  let recording: SavedFile;
  beforeAll(async () => {
    ({ platform, panel } = await start());
    run = new ScriptedRun(panel);
    await panel.press('Run', 'tab');
    await panel.choose('select[name=environment]', 'Local');
  }, 300_000);
  afterAll(end);

  const open = (action: string): Promise<void> => {
    const { appId, taskId } = findAction(platform, action);
    return run.open(compileUrl(platform.baseUrl, appId, taskId));
  };

  test('a run fails, is exported, and completes once a breakpoint, an edited context, and a set outcome correct it', async () => {
    await open('throws-on-bad-address');
    expect(await run.run()).toBe('failed');
    await panel.says('[role=alert][data-code=STEP_FAILED]', /check-address failed in iteration 12/);
    [recording] = (await run.save(1, 'Export run')) as [SavedFile];
    expect(recording.name).toMatch(/^throws-on-bad-address-.*\.run\.json$/);
    expect(JSON.parse(recording.text)).toMatchObject({ end: { state: 'failed' } });
    expect(recording.text).not.toContain(platform.authToken);

    await run.breakpoint(CHECK, { condition: "currentItem.data.email.includes('(at)')" });
    await run.start();
    await run.paused(/^Paused at check-address, iteration 12 breakpoint/);
    await run.editContext('(at)', '@');
    await run.setValue('by hand');
    await run.paused(/^Paused at if, iteration 13 step/);
    await panel.press('Resume');
    expect(await run.ended()).toBe('completed');
    expect(await run.result()).toBe('All email addresses are valid');
  });

  test('both runs are compared, and the first difference is where they part', async () => {
    await panel.press('Compare');
    await panel.see('the comparison of whole values', '[data-compare=ready][data-wholeness=whole]');
    await panel.says(
      '[data-first-words]',
      /First difference: step \S+, iteration 12: input: records\[11\]\.data\.email: "\S+\(at\)\S+" before, "\S+@\S+" now/,
    );
    await panel.press('Back to run 2');
  });

  test('with mocked mail, the outbox stays empty, also for a run from the middle of a loop', async () => {
    await open('notify-admins');
    const target = { package: 'com.platform.function.send-email' };
    await run.useMocks({ name: 'offline mail', mocks: [{ target, outcome: { value: 'mocked' } }] });
    expect(await run.run()).toBe('completed');
    expect(await run.result()).toBe('5 of 40 people notified');

    await run.select(SEND, '16');
    await run.pick('Run from here…');
    await panel.press('Pause there first');
    await run.paused(/^Paused at send-email, iteration 17 /);
    await run.editContext('"notified": 2', '"notified": 50');
    await panel.press('Resume');
    expect(await run.ended()).toBe('completed');
    expect(await run.result()).toBe('53 of 40 people notified');
    expect(await run.replaced(SEND, 5)).toEqual({
      0: 'from recording',
      8: 'from recording',
      16: 'mocked',
      24: 'mocked',
      32: 'mocked',
    });
    const { appId } = findAction(platform, 'notify-admins');
    expect(await outbox(platform, appId)).not.toContain('email');
  });

  test('a failed condition says which key was misspelled', async () => {
    const { appId } = findAction(platform, 'notify-admins');
    const path = `/v1/apps/${appId}/actions`;
    const { action } = await ask<{ action: { id: number } }>(platform, path, 'POST', MISSPELLED);
    await run.open(compileUrl(platform.baseUrl, appId, action.id));
    expect(await run.run()).toBe('failed');
    await panel.says('[data-detail]', /records\[0\]\.data\.emial is undefined\. Did you mean “email”\?/);
  });

  test('with the platform stopped, the recording replays, and a changed condition shows another branch', async () => {
    await platform.close();
    expect(await run.openRecording(recording)).toBe('failed');
    await panel.says('[role=alert][data-code=STEP_FAILED]', /check-address failed in iteration 12/);
    await run.command('Replay');
    expect(await run.notice('REPLAY_SAME')).toMatch(
      /Replayed with the recorded outcomes: same \d+ steps, same error\./,
    );

    await run.command('What if…');
    await panel.choose('select[name=what-if-step]', IF);
    await panel.fill('what-if-field', "currentItem.data.role === 'none'");
    await panel.press('Replay with changes');
    expect(await run.notice('WHAT_IF_NO_OUTCOME')).toContain('no recorded outcome for return-string (/2)');
    await panel.press('Mock the step…');
    await panel.fill('what-if-mock', '"all valid"');
    await panel.press('Replay with changes');
    expect(await run.notice('WHAT_IF_COMPLETED')).toContain('completes with "all valid"');
    // No address is checked anymore.
    expect(await panel.all(`[role=tree] [data-path="${CHECK}"]`, 'data-state')).toEqual(['idle']);
    await panel.choose('select[name=steps-shown]', `path:${IF}`);
    expect((await panel.texts(`[data-timeline] [data-path="${IF}"]`))[3]).toContain('no match');
  });

  test('the copied test passes in an empty project, and fails once the recorded condition is changed', async () => {
    expect(await run.openRecording(recording)).toBe('failed');
    const files = await run.save(2, 'Copy as test');
    expect(await run.notice('TEST_SAVED')).toContain(files[0]!.name);
    const project = await packedProject(['pipeline']);
    try {
      await mkdir(join(project.folder, 'copied'));
      for (const { name, text } of files) await writeFile(join(project.folder, 'copied', name), text);
      expect(await project.test('copied')).toMatch(/Tests.* 1 passed/);
      const copied = files.find(({ name }) => name.endsWith('.run.json'))!;
      const changed = copied.text.replaceAll("=== 'manager'", "=== 'planner'");
      await writeFile(join(project.folder, 'copied', copied.name), changed);
      await expect(project.test('copied')).rejects.toThrow(/1 failed/);
    } finally {
      await project.remove();
    }
  });
}
