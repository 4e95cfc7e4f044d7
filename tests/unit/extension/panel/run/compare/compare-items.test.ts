/** Compares runs whose lists have other items: what was inserted, removed, or moved doesn't shift the rest. */
import { describe, expect, it } from 'vitest';
import {
  type ComparedRow,
  compareRuns,
  type Comparison,
} from '../../../../../../lib/extension/panel/run/compare/compare-runs.ts';
import { differenceTexts } from '../../../../../../lib/extension/panel/run/compare/describe-differences.ts';
import { valueDifferences } from '../../../../../../lib/extension/panel/run/compare/compare-values.ts';
import { offeredPatterns, Volatility } from '../../../../../../lib/extension/panel/run/compare/volatile/volatility.ts';
import type { Pipeline } from '../../../../../../lib/pipeline/index.ts';
import { remote } from '../remote.ts';
import { recordSide, type RecordedSide } from './recorded-runs.ts';

interface Person {
  id: number;
  name: string;
  admin: boolean;
  at?: number;
}

const people = (...ids: number[]): Person[] => ids.map((id) => ({ id, name: `n${id}`, admin: id % 2 === 0 }));

/** Marks each item, and lists those of administrators. */
const PIPELINE: Pipeline = [
  {
    type: 'loop',
    items: 'records',
    functions: [
      { functionPackage: 'mark' },
      {
        type: 'if',
        conditions: [{ condition: 'currentItem.admin', functions: [{ functionPackage: 'list' }] }],
      },
    ],
  },
];
const FUNCTIONS = {
  mark: (_settings: unknown, context: Record<string, unknown>) => {
    (context['currentItem'] as { sent?: boolean }).sent = true;
  },
  list: (_settings: unknown, context: Record<string, unknown>) => {
    const found = (context['found'] ??= []) as unknown[];
    found.push({ of: (context['currentItem'] as Person).id });
  },
};

const side = (id: string, records: Person[]): Promise<RecordedSide> => recordSide(id, PIPELINE, { records }, FUNCTIONS);

async function compared(before: Person[], now: Person[], volatility?: Volatility): Promise<Comparison> {
  return compareRuns((await side('a', before)).run, (await side('b', now)).run, volatility);
}

const lines = (comparison: Comparison): string[] =>
  comparison.rows
    .filter((row) => row.what === 'step' && row.kinds.length > 0)
    .map((row) => `${placeOf(row)} ${differenceTexts(comparison, row).join(' · ')}`);
const placeOf = ({ before, now }: ComparedRow): string =>
  `${(now ?? before)?.path} ${before?.iteration ?? '–'}→${now?.iteration ?? '–'}`;

describe('a comparison of loops', () => {
  it('finds only the inserted item, and not what follows it', async () => {
    expect(lines(await compared(people(1, 2, 3, 4), people(1, 9, 2, 3, 4)))).toEqual([
      '/0 → 4 iterations before, 5 now',
      '/0/functions/0 –→1 iteration 2 ran only now',
      '/0/functions/1 –→1 ran only now',
    ]);
  });

  it('finds only the removed item, also if it was the first or changed the list of another step', async () => {
    expect(lines(await compared(people(2, 1, 4), people(1, 4)))).toEqual([
      '/0 → 3 iterations before, 2 now',
      '/0/functions/0 0→– iteration 1 ran only before',
      '/0/functions/1 0→– ran only before',
      '/0/functions/1/conditions/0/functions/0 0→– ran only before',
      // The first one creates the list.
      expect.stringMatching(/^\/0\/functions\/1\/conditions\/0\/functions\/0 2→1 context: found/),
    ]);
  });

  it('finds the property that differs in an item that is at another place', async () => {
    const now = people(9, 1, 2, 3).map((person) => (person.id === 3 ? { ...person, name: 'other' } : person));
    const comparison = await compared(people(1, 2, 3), now);
    expect(lines(comparison).at(-1)).toBe('/0/functions/0 2→3 input: currentItem.name: "n3" before, "other" now');
    expect(comparison.different).toBe(4);
  });

  it('says which iteration has moved', async () => {
    const comparison = await compared(people(1, 3, 5, 7), people(7, 1, 3, 5));
    expect(lines(comparison)).toEqual(['/0/functions/0 3→0 iteration 4 before, 1 now']);
  });

  it('is empty for the same run, and counts steps of either run once', async () => {
    expect(lines(await compared(people(1, 2, 3), people(1, 2, 3)))).toEqual([]);
    const { rows } = await compared(people(1, 2, 3), people(4, 3, 1));
    for (const one of ['before', 'now'] as const) {
      const ids = rows.flatMap((row) => row[one]?.id ?? []);
      expect(new Set(ids).size).toBe(ids.length);
    }
  });

  it('aligns items without an ID by what they contain, and nested loops in aligned iterations', async () => {
    const pipeline: Pipeline = [
      {
        type: 'loop',
        items: 'groups',
        functions: [{ type: 'loop', items: 'currentItem', functions: [{ functionPackage: 'mark' }] }],
      },
    ];
    const run = (id: string, groups: { tag: string }[][]): Promise<RecordedSide> =>
      recordSide(id, pipeline, { groups }, { mark: () => undefined });
    const tags = (...names: string[]): { tag: string }[] => names.map((tag) => ({ tag }));
    const before = await run('a', [tags('a', 'b'), tags('c', 'd')]);
    const now = await run('b', [tags('new'), tags('a', 'b'), tags('c', 'x', 'd')]);
    expect(lines(compareRuns(before.run, now.run))).toEqual([
      '/0 → 2 iterations before, 3 now',
      '/0/functions/0 –→0 iteration 1 ran only now',
      '/0/functions/0/functions/0 –→0,0 iteration 1 ran only now',
      expect.stringContaining('/0/functions/0 1→2 '),
      '/0/functions/0/functions/0 –→2,1 iteration 2 ran only now',
    ]);
  });
});

describe('differences of lists', () => {
  const list = (before: unknown[], now: unknown[]): string[] =>
    valueDifferences(remote(before), remote(now)).map(({ path, kind }) => `${path} ${kind}`);

  it('are the inserted, removed, changed, and moved items', () => {
    expect(list(people(1, 2, 3), people(1, 9, 2, 3))).toEqual(['/1 added']);
    expect(list(people(1, 2, 3), people(2, 3))).toEqual(['/0 removed']);
    expect(list(people(1, 3, 5), people(5, 1, 3))).toEqual(['/0 moved']);
    expect(list(['a', 'b'], ['b', 'a'])).toHaveLength(1);
  });
});

describe('what is volatile', () => {
  const at = (time: number): Person[] => people(1, 3).map((person) => ({ ...person, at: time + person.id }));

  it('isn’t a difference, and is counted', async () => {
    const volatility = new Volatility(['/currentItem/at', '/records/*/at']);
    const comparison = await compared(at(100), at(200), volatility);
    expect(lines(comparison)).toEqual([]);
    expect(comparison.rows[0]?.kinds).toEqual([]);
    // Of the payload and of both items.
    expect(volatility.ignored).toBe(4);
    expect(lines(await compared(at(100), at(200)))).toHaveLength(2);
  });

  it('is only what the pattern is of', async () => {
    const volatility = new Volatility(['/(settings)/at', '/(returned)/at', '/(result)/at']);
    expect(lines(await compared(at(100), at(200), volatility))).toHaveLength(2);
    expect(volatility.in('settings')?.('/at/x')).toBe(true);
    expect(volatility.in('context')?.('/at')).toBe(false);
  });

  it('is offered for the path in all items, and for the property everywhere', () => {
    expect(offeredPatterns('context', '/records/3/updatedAt').map(({ pattern }) => pattern)).toEqual([
      '/records/*/updatedAt',
      '/**/updatedAt',
    ]);
    expect(offeredPatterns('value', '/list/3').map(({ pattern }) => pattern)).toEqual(['/(returned)/list/*']);
    expect(offeredPatterns('context', '')).toEqual([]);
  });
});
