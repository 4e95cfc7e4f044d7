/** Checks the names in conditions and other expressions against a run, before they’re evaluated in the next one. */
import { signal } from '@preact/signals';
import { describe, expect, it } from 'vitest';
import { NameChecks } from '../../../../../../lib/extension/panel/run/debug/name-checks.ts';
import type { ShownRun } from '../../../../../../lib/extension/panel/run/runs.ts';
import type { Pipeline } from '../../../../../../lib/pipeline/index.ts';
import { PEOPLE, recordedRun, when } from '../why/recorded-run.ts';

const LOOP: Pipeline = [
  { type: 'loop', items: 'records', functions: [when('currentItem.data.Admin'), { function: 'note' }] },
];
const NOTE = { path: '/0/functions/1' };

async function checksOf(pipeline = LOOP, payload: Record<string, unknown> = { records: PEOPLE }) {
  const { run } = await recordedRun(pipeline, { payload });
  const shown = signal<ShownRun | null>({ ...run, record: { ...run.record, number: 14 } });
  return { shown, names: new NameChecks({ shown, version: signal(0), isOfPage: () => true }) };
}

describe('a name that the run didn’t have at the step', () => {
  it.each([
    [
      'currentItem.data.emial == "x"',
      'currentItem.data.emial was undefined here in run 14, 2 times. Did you mean “email”?',
    ],
    // The first part is never true, so that the second one isn’t evaluated.
    [
      'currentItem.id > 9 && curentItem.id',
      'curentItem was undefined here in run 14, 2 times. Did you mean “currentItem”?',
    ],
    ['recrods.length > 0', 'recrods was undefined here in run 14, 2 times. Did you mean “records”?'],
    ['records.lenght > 0', 'records.lenght was undefined here in run 14, 2 times. Did you mean “length”?'],
    ['context.recrods', 'context.recrods was undefined here in run 14, 2 times. Did you mean “records”?'],
    ['foo == 1', 'foo was undefined here in run 14, 2 times.'],
    [
      'records.some((one) => one.data.emial)',
      'one.data.emial was undefined here in run 14, 2 times. Did you mean “email”?',
    ],
  ])('is found in %s', async (source, text) => {
    const { names } = await checksOf();
    expect(names.ofExpression(source, NOTE)).toBe(text);
  });

  it.each([
    'currentItem.data.email.includes("@") && currentIndex > 0 && context.records.length',
    'Math.max(records.length, 1) && records.some((one) => one.id == 2)',
    // It allows for them to be absent.
    'foo == null || typeof bar == "string" || (baz ?? 1)',
    // Not finished yet.
    'currentItem.data.emial ==',
    '',
  ])('isn’t in %s', async (source) => {
    const { names } = await checksOf();
    expect(names.ofExpression(source, NOTE)).toBeNull();
  });

  it('is found in a breakpoint’s condition and message, in a mock’s condition, and in a watched expression', async () => {
    const { names } = await checksOf();
    const text = expect.stringContaining('Did you mean “email”?') as string;
    const source = 'currentItem.data.emial';
    expect(names.ofBreakpoint({ path: NOTE.path, condition: source })).toEqual(text);
    expect(names.ofBreakpoint({ path: NOTE.path, log: `to {{currentItem.id}} {{${source}}}` })).toEqual(text);
    expect(names.ofMock(source, 'note')).toEqual(text);
    expect(names.ofMock(source, NOTE.path)).toEqual(text);
    expect(names.ofExpression(source, 'anywhere')).toEqual(text);
  });

  it('isn’t claimed of a name that some context had, nor of steps that the run didn’t reach', async () => {
    const { names, shown } = await checksOf();
    // Only the loop itself starts without them.
    expect(names.ofExpression('currentItem.id', 'anywhere')).toBeNull();
    const text = 'currentItem.nothing was undefined at 6 steps of run 14.';
    expect(names.ofExpression('currentItem.nothing', 'anywhere')).toBe(text);
    expect(names.ofExpression('recrods', { path: '/7' })).toBeNull();
    expect(names.ofExpression('recrods', { package: 'other' })).toBeNull();
    shown.value = null;
    expect(names.ofExpression('recrods', NOTE)).toBeNull();
  });

  it('is counted among those of the steps that were checked, if there were too many', async () => {
    const { names } = await checksOf(LOOP, { records: Array.from({ length: 150 }, () => PEOPLE[0]!) });
    expect(names.ofExpression('foo == 1', NOTE)).toBe('foo was undefined here in run 14, 100 of 100 checked times.');
    expect(names.ofExpression('foo == 1', 'anywhere')).toBe('foo was undefined at 100 of 100 checked steps of run 14.');
  });

  it('isn’t claimed of what wasn’t transferred', async () => {
    const wide = Object.fromEntries(Array.from({ length: 5_000 }, (_, index) => [`name${index}`, index]));
    const { names } = await checksOf([{ function: 'note' }], { wide });
    expect(names.ofExpression('wide.name4999x == 1', { path: '/0' })).toBeNull();
  });
});
