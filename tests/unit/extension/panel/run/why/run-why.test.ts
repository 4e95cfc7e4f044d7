/** What the timeline’s `if` rows say: their conditions with values, computed only for the rows that are shown. */
import { describe, expect, it } from 'vitest';
import { effect } from '@preact/signals';
import { textOfSegments } from '../../../../../../lib/debugging/why/inline-text.ts';
import type { ShownRun } from '../../../../../../lib/extension/panel/run/runs.ts';
import type { TraceStep } from '../../../../../../lib/extension/panel/run/trace.ts';
import type { RunWhy } from '../../../../../../lib/extension/panel/run/why/run-why.ts';
import { recordedRun, when } from './recorded-run.ts';

const ifsOf = ({ trace }: ShownRun): TraceStep[] => trace.order.filter(({ kind }) => kind === 'if');

/** The rows’ lines, once those that can be known are. */
async function linesOf(why: RunWhy, run: ShownRun, steps = ifsOf(run)): Promise<(string | null)[]> {
  const lines = (): (string | null)[] =>
    steps.map((step) => {
      const line = why.lineOf(run, step);
      return line && textOfSegments(line);
    });
  lines();
  await expect.poll(() => why.version.value).toBeGreaterThan(0);
  return lines();
}

describe('the row of an if', () => {
  it.each([
    ['one condition that was true', ['records[0].data.Admin == true'], '✓ true == true'],
    ['one condition that wasn’t true', ['records.length > 5'], '✗ 2 > 5'],
    [
      'several conditions of which one was true',
      ['records.length > 5', 'records.length', 'never'],
      '✗ 2 > 5 or when ✓ 2',
    ],
    [
      'several conditions of which none was true',
      ['records.length > 5', 'records[1].data.Admin'],
      '✗ 2 > 5 or when ✗ false',
    ],
    [
      'a condition that failed',
      ['records[0].data.emial.length > 0 || true'],
      '! records[0].data.emial.length > 0 || true',
    ],
  ])('with %s shows them with their values', async (_what, conditions, text) => {
    const { run, why } = await recordedRun([when(...conditions)]);
    expect(await linesOf(why, run)).toEqual([text]);
  });

  it('marks a condition that was true as true, even if a step in its branch failed', async () => {
    const boom = {
      before: ({ kind }: { kind: string }) => (kind === 'function' ? { error: new Error('no') } : undefined),
    };
    const inBranch = { ...when('records.length > 5', 'records.length == 2') };
    const { run, why } = await recordedRun([inBranch], { observer: boom });
    expect(run.trace.state).toBe('failed');
    expect(await linesOf(why, run)).toEqual(['✗ 2 > 5 or when ✓ 2 == 2']);
  });

  it('marks the part that failed, and what wasn’t evaluated', async () => {
    const { run, why } = await recordedRun([when('records[0].data.emial.length > 0 || true')]);
    await linesOf(why, run);
    expect(why.lineOf(run, ifsOf(run)[0]!)).toEqual([
      { text: '! ', state: 'source' },
      { text: 'records[0].data.emial.length', state: 'failed' },
      { text: ' > ', state: 'source' },
      { text: '0', state: 'not-evaluated' },
      { text: ' || ', state: 'source' },
      { text: 'true', state: 'not-evaluated' },
    ]);
  });

  it('has no line if its branch was forced, and none if the run has no recording', async () => {
    const observer = {
      before: ({ kind }: { kind: string }) => (kind === 'if' ? { branch: 0, by: 'debugger' } : undefined),
    };
    const forced = await recordedRun([when('false')], { observer });
    expect(await linesOf(forced.why, forced.run)).toEqual([null]);
    const { run, why, loads } = await recordedRun([when('true')]);
    delete run.record.recording;
    expect(why.lineOf(run, ifsOf(run)[0]!)).toBeNull();
    expect(loads).toEqual([]);
  });

  it('is rendered again once its line is known', async () => {
    const { run, why } = await recordedRun([when('records.length > 1')]);
    const seen: (string | null)[] = [];
    const stop = effect(() => {
      const line = why.lineOf(run, ifsOf(run)[0]!);
      seen.push(line && textOfSegments(line));
    });
    await expect.poll(() => seen.at(-1)).toBe('✓ 2 > 1');
    stop();
    expect(seen[0]).toBeNull();
  });
});

describe('the lines of a run', () => {
  const people = Array.from({ length: 3_000 }, (_, id) => ({ id, isOn: id % 2 === 0 }));
  const LOOP = [{ type: 'loop' as const, items: 'records', functions: [when('currentItem.isOn == true')] }];

  it('are computed for the rows that are shown and those around them, from one recording', async () => {
    const { run, why, loads } = await recordedRun(LOOP, { payload: { records: people } });
    const ifs = ifsOf(run);
    expect(ifs).toHaveLength(3_000);
    expect(await linesOf(why, run, ifs.slice(1_400, 1_402))).toEqual(['✓ true == true', '✗ false == true']);
    const version = why.version.value;
    expect(why.lineOf(run, ifs[1_000]!)).not.toBeNull();
    expect(why.lineOf(run, ifs[1_900]!)).not.toBeNull();
    expect(why.version.value).toBe(version);
    expect(why.lineOf(run, ifs[0]!)).toBeNull();
    await expect.poll(() => why.version.value).toBe(version + 1);
    expect(why.lineOf(run, ifs[0]!)).not.toBeNull();
    expect(loads).toEqual(['r1']);
  });

  it('are those of the run that is shown last', async () => {
    const one = await recordedRun([when('records.length > 1')]);
    const other = await recordedRun([when('records[0].id')]);
    other.run.record.id = 'r2';
    const texts = { r1: JSON.stringify(one.recording), r2: JSON.stringify(other.recording) };
    const { RunRecordings } = await import('../../../../../../lib/extension/panel/run/why/run-recordings.ts');
    const { RunWhy: Lines } = await import('../../../../../../lib/extension/panel/run/why/run-why.ts');
    const why = new Lines(new RunRecordings({ recording: async (id) => texts[id as 'r1'] }));
    why.lineOf(one.run, ifsOf(one.run)[0]!);
    expect(await linesOf(why, other.run)).toEqual(['✓ 1']);
    expect(await linesOf(why, one.run)).toEqual([null]);
    await expect.poll(() => why.lineOf(one.run, ifsOf(one.run)[0]!)).not.toBeNull();
  });

  it('are those of a run that was opened from a file, which needs no store', async () => {
    const { run, recording, why, loads } = await recordedRun([when('records.length > 1')]);
    run.local = { recording, values: null as never, nodes: [] };
    delete run.record.recording;
    expect(await linesOf(why, run)).toEqual(['✓ 2 > 1']);
    expect(loads).toEqual([]);
  });
});
