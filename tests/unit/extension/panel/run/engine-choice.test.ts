/** Tests the choice between the platform’s runtime and our engine, and what a run stores of it. */
import { signal } from '@preact/signals';
import { describe, expect, it } from 'vitest';
import { EngineChoice, offersEngine } from '../../../../../lib/extension/panel/run/engine-choice.ts';
import { readRunFile, writeRunFile } from '../../../../../lib/extension/panel/run/history/run-file.ts';
import { bareRuntime, openPage } from '../../inspector/support/page.ts';
import { closing, openPanel } from '../shell/open-panel.ts';

function memory(): { getItem: (key: string) => string | null; setItem: (key: string, value: string) => void } {
  const items = new Map<string, string>();
  return { getItem: (key) => items.get(key) ?? null, setItem: (key, value) => void items.set(key, value) };
}

describe('the choice of an engine', () => {
  it('is the platform’s runtime until you choose, and is remembered for each environment', () => {
    const stored = memory();
    const environment = signal<{ id: string } | null>({ id: 'one' });
    const choice = new EngineChoice(stored, environment);
    expect(choice.chosen.value).toBe('platform');
    choice.choose('ours');
    environment.value = { id: 'two' };
    expect(choice.chosen.value).toBe('platform');
    environment.value = null;
    expect(choice.chosen.value).toBe('platform');
    const again = new EngineChoice(stored, signal({ id: 'one' }));
    expect(again.chosen.value).toBe('ours');
    again.choose('platform');
    expect(new EngineChoice(stored, signal({ id: 'one' })).chosen.value).toBe('platform');
  });
});

describe('the choice', () => {
  const ready = (tracing: 'observed' | 'wrapped' | 'bare') => ({ platform: 'ready' as const, tracing });

  it('is offered only in a page whose runtime doesn’t report its steps', () => {
    expect(offersEngine(ready('wrapped'), 'platform')).toBe(true);
    expect(offersEngine(ready('bare'), 'platform')).toBe(true);
    expect(offersEngine(ready('observed'), 'platform')).toBe(false);
    expect(offersEngine({ platform: 'absent', tracing: 'bare' }, 'platform')).toBe(false);
    expect(offersEngine(null, 'platform')).toBe(false);
  });

  it('of our engine is always shown, so that no run has it silently', () => {
    expect(offersEngine(ready('observed'), 'ours')).toBe(true);
    expect(offersEngine(null, 'ours')).toBe(true);
  });
});

const RUNTIME = `${bareRuntime('return "the platform’s"')}
  ENV.taskPipeline = '[{"functionPackage":"one"}]';
  Platform.Functions = { get: (name) => (name === 'one' ? () => 'ours' : undefined), list: () => ['one'] };`;

describe('a run in the panel', () => {
  it('says and stores what it ran with, and keeps it in an exported file', async () => {
    const { panel, finished, files } = await openPanel(RUNTIME);
    expect(panel.page.tracingHint.value).not.toBeNull();
    await panel.run();
    await finished('completed');
    panel.engine.choose('ours');
    expect(panel.page.tracingHint.value).toBeNull();
    await panel.run();
    await finished('completed');
    expect(
      panel.runs.records.value.map(({ number, engine, result, tracing }) => [number, engine, result, tracing]),
    ).toEqual([
      [2, 'ours', '"ours"', 'observed'],
      [1, 'platform', '"the platform’s"', 'bare'],
    ]);
    await panel.exportRuns();
    const read = readRunFile(files[0]!);
    expect(read.ok && read.value.map(({ record }) => record.engine).toSorted()).toEqual(['ours', 'platform']);
    expect(read.ok && readRunFile(writeRunFile(read.value)).ok).toBe(true);
  });

  it('that an earlier version stored ran with the platform’s runtime', () => {
    const record = {
      id: 'a',
      subject: 's',
      title: 't',
      number: 1,
      payload: '{}',
      startedAt: 1,
      state: 'completed',
      milliseconds: 1,
      tracing: 'observed',
      error: null,
      size: 0,
      cut: false,
    };
    const file = (more: object): string =>
      JSON.stringify({
        format: 'platform-devtools-runs',
        version: 1,
        runs: [{ record: { ...record, ...more }, events: [] }],
      });
    const read = readRunFile(file({}));
    expect(read.ok && read.value[0]!.record.engine).toBeUndefined();
    expect(readRunFile(file({ engine: 'another' })).ok).toBe(false);
  });

  it('with our engine on a page whose functions are unknown says why, and isn’t stored', async () => {
    const { panel } = await openPanel(
      `${bareRuntime('return 1')} ENV.taskPipeline = [{ functionPackage: 'one' }]; Platform.Functions = { register() {} };`,
      { reload: () => {} },
    );
    panel.engine.choose('ours');
    await panel.run();
    expect(panel.runs.error.value).toMatchObject({
      code: 'FUNCTIONS_MISSING',
      hint: expect.stringContaining('Reload') as string,
    });
    expect(panel.runs.records.value).toEqual([]);
    expect(panel.page.state.value?.canTraceAfterReload).toBe(true);
  });

  it('uses the pipeline that the page has by then, which the panel then shows', async () => {
    const page = await openPage({ before: RUNTIME, agent: false });
    closing.push(() => page.close());
    const { panel, finished } = await openPanel('', { page });
    await page.until(() => panel.page.nodes.value.length === 1);
    panel.engine.choose('ours');
    page.run(`ENV.taskPipeline = [{ functionPackage: 'one' }, { functionPackage: 'one' }]`);
    await panel.run();
    await finished('completed');
    expect(panel.runs.shown.value?.trace.steps.size).toBe(2);
    await page.until(() => panel.page.nodes.value.length === 2);
  });
});
