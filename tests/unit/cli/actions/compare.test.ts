import { expect, it } from 'vitest';
import { changeOf, entryOf, goneFiles, pairsOf } from '../../../../lib/cli/actions/compare.ts';
import { type ActionContent, contentOf, digestOf } from '../../../../lib/cli/actions/content.ts';
import type { Entry } from '../../../../lib/cli/actions/state.ts';
import type { Action } from '../../../../lib/platform-api/index.ts';

const here = (name: string, change: Partial<ActionContent> = {}): ActionContent => ({
  ...contentOf({ name }),
  ...change,
});
const there = (id: number, content: ActionContent, revision = 1): Action => ({
  ...content,
  id,
  revision,
  appId: 101,
  lastRunAt: null,
  nextRunAt: null,
  createdAt: '2026-01-01T00:00:00.000Z',
  updatedAt: '2026-01-01T00:00:00.000Z',
});
const BASE = here('a');
const ENTRY = entryOf(BASE, there(7, BASE));
const EDIT = here('a', { active: false });
const OTHER_EDIT = here('a', { timezone: 'Europe/Amsterdam' });

const pair = (ours: ActionContent, theirs: ActionContent, entry: Entry | null) => ({
  name: 'a',
  file: 'a.json',
  here: ours,
  there: there(7, theirs, 2),
  entry,
});

it.each([
  ['nothing', BASE, BASE, ENTRY, 'none'],
  ['nothing, after both made the same change', EDIT, EDIT, ENTRY, 'none'],
  ['nothing, although nothing is known of it', EDIT, EDIT, null, 'none'],
  ['the file', EDIT, BASE, ENTRY, 'here'],
  ['the platform’s action', BASE, EDIT, ENTRY, 'there'],
  ['both', EDIT, OTHER_EDIT, ENTRY, 'both'],
  ['one of them, and it’s unknown which', EDIT, BASE, null, 'both'],
  ['the file, after a push whose response was lost', OTHER_EDIT, EDIT, { ...ENTRY, sent: digestOf(EDIT) }, 'here'],
  ['both, after a push that didn’t arrive', EDIT, OTHER_EDIT, { ...ENTRY, sent: digestOf(EDIT) }, 'both'],
] as const)('finds that %s has changed', (_what, ours, theirs, entry, expected) => {
  expect(changeOf(pair(ours, theirs, entry))).toBe(expected);
});

it('finds no change when the platform reports another form of what was sent', () => {
  const entry = entryOf(EDIT, there(7, OTHER_EDIT));
  expect(changeOf(pair(EDIT, OTHER_EDIT, entry))).toBe('none');
  expect(changeOf(pair(BASE, OTHER_EDIT, entry))).toBe('here');
});

it('pairs a file and an action by ID when the name of one has changed', () => {
  const entries = new Map([['a.json', ENTRY]]);
  const [renamed] = pairsOf([{ file: 'a.json', content: here('b') }], [there(7, BASE)], entries);
  expect(renamed).toMatchObject({ name: 'b', there: { id: 7 }, entry: ENTRY });
});

it('pairs a file that was renamed by the name of its action, with what is known of it', () => {
  const entries = new Map([['a.json', ENTRY]]);
  const [moved] = pairsOf([{ file: 'z.json', content: BASE }], [there(7, BASE)], entries);
  expect(moved).toMatchObject({ file: 'z.json', there: { id: 7 }, entry: ENTRY });
});

it('doesn’t trust what it knows of an action with a lower revision, which is in another database', () => {
  const entry = entryOf(BASE, there(7, BASE, 5));
  const [found] = pairsOf([{ file: 'a.json', content: EDIT }], [there(7, BASE, 2)], new Map([['a.json', entry]]));
  expect(found).toMatchObject({ there: { id: 7 }, entry: null });
  const [other] = pairsOf(
    [{ file: 'a.json', content: EDIT }],
    [there(7, here('another'), 2)],
    new Map([['a.json', entry]]),
  );
  expect(other!.there).toBe(null);
});

it('lists actions without a file, with the file that was removed', () => {
  const pairs = pairsOf([], [there(7, BASE), there(8, here('new'))], new Map([['a.json', ENTRY]]));
  expect(pairs).toMatchObject([
    { name: 'a', file: 'a.json', here: null, entry: ENTRY },
    { name: 'new', file: null, here: null, entry: null },
  ]);
});

it('finds entries that neither side has any longer', () => {
  const entries = new Map([
    ['a.json', ENTRY],
    ['b.json', { ...ENTRY, id: 8 }],
    ['c.json', { ...ENTRY, id: 9 }],
  ]);
  expect(goneFiles([{ file: 'a.json', content: BASE }], [there(8, here('b'))], entries)).toEqual(['c.json']);
});
