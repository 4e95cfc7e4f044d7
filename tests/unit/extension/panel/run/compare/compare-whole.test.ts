/** Compares whole values with the recordings of both runs, and what is ignored as volatile. */
import { describe, expect, it } from 'vitest';
import { aspectsOf, detailRows } from '../../../../../../lib/extension/panel/run/compare/compare-details.ts';
import { Compare } from '../../../../../../lib/extension/panel/run/compare/compare.ts';
import type { ComparedRow } from '../../../../../../lib/extension/panel/run/compare/compare-runs.ts';
import { differenceTexts } from '../../../../../../lib/extension/panel/run/compare/describe-differences.ts';
import {
  patternProblem,
  VOLATILE_PATHS,
} from '../../../../../../lib/extension/panel/run/compare/volatile/volatile-paths.ts';
import type { WholeDetails } from '../../../../../../lib/extension/panel/run/compare/whole/whole-details.ts';
import { MockDocument } from '../../../../../../lib/extension/panel/run/mocks/mock-document.ts';
import type { PipelineFunction } from '../../../../../../lib/pipeline/index.ts';
import { recordSide, type RecordedSide } from './recorded-runs.ts';

/** Longer than what a trace has of a value. */
const long = (end: string): string => 'x'.repeat(20_000) + end;

const PIPELINE = [
  { functionPackage: 'read', settings: { query: 'all' } },
  { type: 'loop' as const, items: 'records', functions: [{ functionPackage: 'mark' }] },
];

interface Facts {
  body: string;
  ids?: number[];
  time?: number;
}

function side(id: string, startedAt: number, facts: Facts, more: object = {}): Promise<RecordedSide> {
  const { body, ids = [1, 2, 3], time = 0 } = facts;
  const read: PipelineFunction = (_settings, context) => {
    context['records'] = ids.map((each) => ({ id: each, updatedAt: time + each }));
    context['body'] = body;
    return { body };
  };
  const mark: PipelineFunction = (_settings, context) => {
    (context['currentItem'] as { sent?: boolean }).sent = true;
  };
  return recordSide(id, PIPELINE, {}, { read, mark }, { startedAt, ...more });
}

/** What the panel has stored. */
class Stored {
  readonly texts = new Map<string, string>();
  debugging = (subject: string, name: string): Promise<string | undefined> =>
    Promise.resolve(this.texts.get(`${subject} ${name}`));
  putDebugging = async (subject: string, name: string, text: string): Promise<void> =>
    void this.texts.set(`${subject} ${name}`, text);
}

interface Opened {
  compare: Compare;
  rowAt: (path: string, iteration?: string) => ComparedRow;
  textAt: (path: string) => string;
}

async function open(
  before: RecordedSide,
  now: RecordedSide,
  { hasRecordings = true, stored = new Stored() } = {},
): Promise<Opened> {
  const sides = [before, now];
  const compare = new Compare(
    {
      store: {
        list: () => Promise.resolve(sides.map(({ run }) => run.record)),
        events: () => Promise.resolve(before.events),
      },
      recordingOf: ({ record: { id } }) =>
        Promise.resolve((hasRecordings && sides.find(({ run }) => run.record.id === id)?.recording) || null),
      volatile: new MockDocument(stored, 's', VOLATILE_PATHS),
    },
    { record: now.run.record, trace: now.run.trace },
  );
  await compare.compareWith(before.run.record.id);
  const rowAt: Opened['rowAt'] = (path, iteration = '') => {
    const rows = compare.comparison.peek().value?.rows ?? [];
    const found = rows.find(({ now: step }) => step?.path === path && step.iteration.join('.') === iteration);
    if (!found) throw new Error(`There’s no row at ${path} ${iteration}.`);
    return found;
  };
  const textAt: Opened['textAt'] = (path) => differenceTexts(compare.comparison.peek().value!, rowAt(path)).join(' · ');
  return { compare, rowAt, textAt };
}

async function detailsOf(compare: Compare, row: ComparedRow): Promise<WholeDetails | null> {
  await compare.loadDetails(row);
  return compare.details.value.get(row.id) ?? null;
}

describe('a comparison with recordings', () => {
  it('finds a difference after what the traces have of a value', async () => {
    const [before, now] = [await side('a', 1, { body: long('a') }), await side('b', 2, { body: long('b') })];
    const { compare, textAt, rowAt } = await open(before, now);
    expect(compare.wholeness.value).toBe('whole');
    expect(textAt('/0')).toBe('context: differs in what isn’t shown here · returned differs in what isn’t shown here');
    const whole = await detailsOf(compare, rowAt('/0'));
    expect(differenceTexts(compare.comparison.value.value!, rowAt('/0'), whole!)[0]).toMatch(
      /^context: body: "x+… before, "x+… now$/,
    );
    const rows = detailRows(aspectsOf(compare.comparison.value.value!, rowAt('/0'), whole), new Set(['contextAfter']));
    expect(rows.map(({ level, name, how }) => `${level} ${name} ${how}`)).toEqual(
      expect.arrayContaining([
        '0 Context changes changed',
        '1 body changed',
        '0 Returned value changed',
        '0 Whole context before same',
        '0 Whole context after changed',
      ]),
    );
    const { compare: cut, textAt: cutText } = await open(before, now, { hasRecordings: false });
    expect(cut.wholeness.value).toBe('none');
    expect(cutText('/0')).toBe('same as far as recorded');
    expect(await detailsOf(cut, rowAt('/0'))).toBeNull();
  });

  it('finds no difference if whole values are the same', async () => {
    const [before, now] = [await side('a', 1, { body: long('a') }), await side('b', 2, { body: long('a') })];
    const { value } = (await open(before, now)).compare.comparison.value;
    expect(value).toMatchObject({ different: 0, unknown: 0, firsts: [] });
  });

  it('never calls a lost value the same', async () => {
    const [before, now] = [await side('a', 1, { body: long('a') }), await side('b', 2, { body: long('a') })];
    const lose = ({ recording }: RecordedSide): void => {
      const step = recording.steps[0]!;
      step.value = { $: 'lost', value: 'masked' };
      step.changes = step.changes!.map(([path, value]) =>
        path === '/body' ? [path, { $: 'lost', value: 'masked' }] : [path, value!],
      );
    };
    lose(before);
    lose(now);
    const { compare, textAt, rowAt } = await open(before, now);
    expect(textAt('/0')).toBe('same as far as recorded');
    expect(compare.comparison.value.value).toMatchObject({ different: 0, firsts: [] });
    expect(compare.comparison.value.value?.unknown).toBeGreaterThan(0);
    const rows = detailRows(
      aspectsOf(compare.comparison.value.value!, rowAt('/0'), await detailsOf(compare, rowAt('/0'))),
      new Set(['contextAfter']),
    );
    expect(rows.find(({ name }) => name === 'body')).toMatchObject({ how: 'unknown', scope: 'context', path: '/body' });
  });

  it('has the steps of a run that is stored in part', async () => {
    const more = { cut: true, steps: { total: 5, stored: 2 } };
    const before = await side('a', 1, { body: 'a' }, more);
    before.events.length = 4;
    const { compare } = await open(before, await side('b', 2, { body: 'a' }));
    expect(compare.comparison.value.value).toMatchObject({ different: 0, common: 5, isComplete: true });
  });

  it('is of iterations of the same item, at other places in both recordings', async () => {
    const before = await side('a', 1, { body: 'a', ids: [1, 2, 3] });
    const now = await side('b', 2, { body: 'a', ids: [9, 1, 2, 3] });
    const { compare, rowAt } = await open(before, now);
    const whole = await detailsOf(compare, rowAt('/1/functions/0', '2'));
    expect(whole?.contextBefore?.differences.map(({ path, kind }) => `${path} ${kind}`)).toEqual([
      '/records/0 added',
      '/currentIndex changed',
    ]);
  });
});

describe('ignored paths', () => {
  it('are stored for the action, and compared again once they’re removed', async () => {
    const stored = new Stored();
    const [before, now] = [await side('a', 1, { body: 'a' }), await side('b', 2, { body: 'a', time: 50 })];
    const { compare, rowAt } = await open(before, now, { stored });
    const different = (): number | undefined => compare.comparison.value.value?.different;
    expect(different()).toBe(4);
    await compare.setIgnored('/**/updatedAt', true);
    expect(different()).toBe(0);
    expect(compare.comparison.value.value?.volatility.ignored).toBeGreaterThan(4);
    expect(rowAt('/0').kinds).toEqual([]);
    expect(JSON.parse(stored.texts.get('s volatile')!)).toEqual({ version: 1, paths: ['/**/updatedAt'] });

    const again = (await open(before, now, { stored })).compare;
    expect(again.comparison.value.value?.different).toBe(0);
    await again.setIgnored('/**/updatedAt', false);
    expect(again.comparison.value.value?.different).toBe(4);
  });

  it.each([
    ['a newer version', '{"version": 2, "paths": []}', 'VOLATILE_NEWER'],
    ['another form', '["/a"]', 'VOLATILE_DAMAGED'],
    ['a text that is cut off', '{"version": 1, "pa', 'VOLATILE_DAMAGED'],
  ])('of %s aren’t replaced, and nothing is ignored', async (_name, text, code) => {
    const stored = new Stored();
    stored.texts.set('s volatile', text);
    const sides = [await side('a', 1, { body: 'a' }), await side('b', 2, { body: 'b' })] as const;
    const { compare } = await open(...sides, { stored });
    expect(compare.volatile.unreadable.value?.error.code).toBe(code);
    await compare.setIgnored('/body', true);
    expect(stored.texts.get('s volatile')).toBe(text);
    expect(compare.comparison.value.value?.different).toBe(1);
  });

  it('must be JSON Pointers that don’t match everything, and be new', () => {
    expect(patternProblem('/a/*', [])).toBeNull();
    expect(patternProblem('/**', [])).toMatch(/^A path must be a JSON Pointer/);
    expect(patternProblem('a', [])).toMatch(/^A path must be a JSON Pointer/);
    expect(patternProblem('/a', ['/a'])).toBe('This path is already ignored.');
  });
});
