/** The list of all runs: what is found, what an import adds, and what happens to runs without their page. */
import { describe, expect, it } from 'vitest';
import { importText, NO_RUN_FILTER } from '../../../../../lib/extension/panel/run/history/all-runs.ts';
import type { RunRecord } from '../../../../../lib/extension/panel/run/history/run-store.ts';
import { observedRuntime } from '../../inspector/support/page.ts';
import { openPanel } from '../shell/open-panel.ts';

const record = (id: string, more: Partial<RunRecord> = {}): RunRecord => ({
  id,
  subject: 'http://localhost:4400/1/2',
  title: 'Field Service · notify',
  number: 1,
  payload: '{"since":"2026"}',
  startedAt: 1,
  state: 'completed',
  milliseconds: 5,
  tracing: 'observed',
  error: null,
  size: 0,
  cut: false,
  ...more,
});

async function openRuns() {
  const { panel, tab, finished, files } = await openPanel(observedRuntime);
  await panel.run();
  await finished('completed');
  panel.allRuns.open();
  await tab.page.until(() => panel.allRuns.all.value !== null);
  return { panel, tab, finished, files, list: panel.allRuns };
}

describe('the list of all runs', () => {
  it('finds runs by action, app, state, payload, and result or error, if all words match', async () => {
    const { list } = await openRuns();
    list.all.value = [
      record('a', { result: '{"sent":3}' }),
      record('b', { state: 'failed', error: 'TypeError: no e-mail', startedAt: 2 }),
      record('c', { title: 'Visitor Desk · check', subject: 'https://eu.example/9/9', pinned: true, startedAt: 3 }),
      record('d', { importedAt: 1, payload: '{"desk":true}', startedAt: 4 }),
    ];
    const found = (filter: Partial<typeof NO_RUN_FILTER>): string => {
      list.filter.value = { ...NO_RUN_FILTER, ...filter };
      return list.rows.value.map(({ id }) => id).join('');
    };
    expect(found({})).toBe('dcba');
    expect(found({ query: 'DESK' })).toBe('dc');
    expect(found({ query: 'desk visitor' })).toBe('c');
    expect(found({ query: 'sent' })).toBe('a');
    expect(found({ query: 'typeerror' })).toBe('b');
    expect(found({ query: 'failed' })).toBe('b');
    expect(found({ state: 'completed', query: 'field' })).toBe('da');
    expect(found({ which: 'pinned' })).toBe('c');
    expect(found({ which: 'imported' })).toBe('d');
    expect(found({ origin: 'https://eu.example' })).toBe('c');
    list.filter.value = NO_RUN_FILTER;
    list.sortBy('startedAt');
    expect(list.rows.value.map(({ id }) => id).join('')).toBe('abcd');
  });

  it('has the result of a run, and follows what is stored', async () => {
    const { list, panel, tab } = await openRuns();
    const [first] = list.rows.value;
    expect(first).toMatchObject({ result: '6', steps: { total: 5, stored: 5 } });
    await panel.runs.pin(first!.id, true);
    await tab.page.until(() => list.rows.value[0]?.pinned === true);
    await list.remove(first!.id);
    await tab.page.until(() => list.rows.value.length === 0);
  });

  it('shows what was imported from another base URL, and where', async () => {
    const { panel, list, files } = await openRuns();
    await panel.exportRuns([list.rows.value[0]!]);
    const elsewhere = files[0]!
      .replaceAll(list.rows.value[0]!.id, 'of-another-platform')
      .replace('http://localhost/1/2', 'https://eu.example/1/2');
    list.close();
    await list.importRuns(elsewhere);
    expect(list.isOpen.value).toBe(true);
    expect(list.importText.value).toBe('Added 1 run of app 1 · action 2 at https://eu.example');
    await panel.runs.settled();
    expect(list.rows.value.map(({ id }) => id)).toEqual(['of-another-platform']);
    expect(list.selected.value).toMatchObject({ id: 'of-another-platform', importedAt: expect.any(Number) });
    await expect.poll(() => panel.runs.shown.value?.record.id).toBe('of-another-platform');
    expect(panel.runs.shown.value?.trace.steps.size).toBe(5);
    list.close();
    expect(panel.runs.shown.value).toBeNull();
    await list.importRuns(elsewhere);
    expect(list.importText.value).toBe('1 run was already stored');
  });

  it('keeps the list of the action as it is when its own runs are imported', async () => {
    const { panel, list, files } = await openRuns();
    await panel.exportRuns();
    const [run] = panel.runs.records.value;
    list.close();
    await panel.runs.remove(run!.id);
    await list.importRuns(files[0]!);
    expect(list.isOpen.value).toBe(false);
    expect(list.importText.value).toBe('Added 1 run of app 1 · action 2 at http://localhost');
    expect(panel.runs.records.value.map(({ id }) => id)).toEqual([run!.id]);
  });

  it('closes when a run starts', async () => {
    const { panel, list, finished } = await openRuns();
    await panel.run();
    await finished('completed');
    expect(list.isOpen.value).toBe(false);
  });
});

it('an import of many actions names two of them', () => {
  const added = ['a', 'b', 'c', 'c'].map((title, index) => record(String(index), { title }));
  expect(importText({ added, known: 2 })).toBe(
    'Added 1 run of a at http://localhost:4400, 1 run of b at http://localhost:4400, 2 runs of other actions. 2 runs were already stored',
  );
});
