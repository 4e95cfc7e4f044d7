/** Which past runs lose their steps, and which are removed, when the limits are exceeded. */
import { describe, expect, it } from 'vitest';
import { HISTORY_LIMITS } from '../../../../../lib/extension/messaging/model/stored-data.ts';
import {
  describeRetention,
  type HistoryLimits,
  planRetention,
} from '../../../../../lib/extension/panel/run/history/retention.ts';
import type { RunRecord } from '../../../../../lib/extension/panel/run/history/run-store.ts';

const MB = 1_000_000;

let started = 0;
function run(subject: string, id: string, size: number, more: Partial<RunRecord> = {}): RunRecord {
  return {
    id,
    subject,
    title: `App · ${subject}`,
    number: ++started,
    payload: '',
    startedAt: started,
    state: 'completed',
    milliseconds: 1,
    tracing: 'observed',
    error: null,
    size,
    cut: false,
    ...more,
  };
}
const runs = (subject: string, count: number, size: number, more?: Partial<RunRecord>): RunRecord[] =>
  Array.from({ length: count }, (_, index) => run(subject, `${subject}${index + 1}`, size, more));

function plan(records: readonly RunRecord[], limits: Partial<HistoryLimits> = {}, current: string | null = null) {
  return planRetention(records, { ...HISTORY_LIMITS, ...limits }, current).map(
    ({ record, how, why }) => `${record.id} ${how} ${why}`,
  );
}

describe('past runs within the limits', () => {
  it('all stay', () => expect(plan([...runs('a', 200, 1_000), ...runs('b', 5, 5 * MB)])).toEqual([]));
});

describe('past runs beyond a limit', () => {
  it('of one action never cost other actions theirs', () => {
    const large = runs('large', 5, 10 * MB);
    expect(plan([...runs('a', 30, 1_000), ...runs('b', 30, 1_000), ...large], {}, 'large5')).toEqual([
      'large1 thinned sizeOfAction',
      'large2 thinned sizeOfAction',
      'large3 thinned sizeOfAction',
    ]);
  });

  it('lose the steps of large runs first, even if small ones are older', () => {
    expect(plan([...runs('small', 100, 1_000), ...runs('large', 12, 9 * MB)], { sizeOfAction: 200 * MB })).toEqual([
      'large1 thinned size',
    ]);
  });

  it('keep the newest 20 of each action, whatever they need', () => {
    const limits = { size: 40_000, largeRun: 10 * MB };
    const all = [...runs('a', 25, 1_000), ...runs('b', 25, 1_000)];
    const removed = plan(all, limits);
    expect(removed).toHaveLength(10);
    expect(removed.every((change) => /^[ab][1-5] removed size$/.test(change))).toBe(true);
    expect(plan(all, { runs: 5 })).toHaveLength(10);
  });

  it('are removed oldest first when an action has too many', () => {
    expect(plan(runs('a', 203, 10))).toEqual(['a1', 'a2', 'a3'].map((id) => `${id} removed runsOfAction`));
  });

  it('leave pinned ones as they are, which don’t count toward their action', () => {
    const pinned = runs('a', 3, 10 * MB, { pinned: true });
    expect(plan([...pinned, run('a', 'newer', 10 * MB), run('a', 'newest', 10 * MB)])).toEqual([]);
    expect(plan([...pinned, ...runs('a', 200, 10)])).toEqual([]);
  });

  it('never remove pinned ones, also if there are too many runs in all, or they are too large', () => {
    const all = [...runs('a', 25, 1_000, { pinned: true }), ...runs('b', 25, 1_000)];
    const removed = ['b1', 'b2', 'b3', 'b4', 'b5'];
    expect(plan(all, { runs: 1 })).toEqual(removed.map((id) => `${id} removed runs`));
    expect(plan(all, { size: 1 })).toEqual(removed.map((id) => `${id} removed size`));
  });

  it('leave a run in progress as it is', () => {
    expect(plan([run('a', 'running', 30 * MB, { state: 'running' }), run('a', 'new', 1)], {}, 'new')).toEqual([]);
  });

  it('cost the run just stored its steps only if pinned runs use all of the space', () => {
    const pinned = runs('a', 10, 10 * MB, { pinned: true });
    const current = run('b', 'current', 5 * MB);
    expect(plan([...pinned, current], {}, 'current')).toEqual(['current thinned pinned']);
    const old = run('b', 'old', 9 * MB);
    expect(plan([...pinned.slice(1), old, current], {}, 'current')).toEqual(['old thinned size']);
  });
});

it('the report names what was done, to how many runs of which action, and why', () => {
  const records = runs('a', 3, 1);
  const changes = [
    { record: records[0]!, how: 'removed', why: 'runsOfAction' },
    { record: records[1]!, how: 'removed', why: 'runsOfAction' },
    { record: records[2]!, how: 'thinned', why: 'size' },
  ] as const;
  expect(describeRetention(changes, HISTORY_LIMITS)).toEqual([
    'Removed 2 runs of “App · a”: an action’s runs are limited to 200.',
    'Removed the steps of 1 run of “App · a”: all runs are limited to 100 MB.',
  ]);
});
