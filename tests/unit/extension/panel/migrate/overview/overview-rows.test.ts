import { expect, test } from 'vitest';
import type { Checked } from '../../../../../../lib/extension/panel/migrate/overview/checked.ts';
import { overviewCsv } from '../../../../../../lib/extension/panel/migrate/overview/overview-file.ts';
import {
  coverageCell,
  NO_FILTER,
  OVERVIEW_STATUSES,
  type OverviewColumn,
  type OverviewRow,
  type OverviewStatus,
  runsCell,
  shownRows,
  strengthCell,
  summaryOf,
} from '../../../../../../lib/extension/panel/migrate/overview/overview-rows.ts';
import { newAction } from '../../actions/support/fake-app.ts';

const checkedAs = (over: Partial<Checked> = {}): Checked => ({
  pipeline: 'hash',
  edited: null,
  at: Date.UTC(2026, 10, 20, 10),
  status: 'proved',
  error: null,
  reason: null,
  coverage: { ran: 9, total: 11, text: '9 of 11 branches ran. /3/elseFunctions and /5 without a match never did.' },
  runs: { recorded: 3, aside: 0, generated: 0 },
  strength: { caught: 18, total: 20 },
  ...over,
});

let lastId = 0;
const row = (name: string, status: OverviewStatus, checked: Partial<Checked> | null = {}): OverviewRow => ({
  action: newAction(++lastId, { name }),
  status,
  checked: checked && checkedAs(checked),
  isChecking: false,
});

const names = (rows: readonly OverviewRow[]): string[] => rows.map(({ action }) => action.name);
const sorted = (rows: readonly OverviewRow[], by: OverviewColumn, descending = false): string[] =>
  names(shownRows(rows, NO_FILTER, { by, descending }));

test('the worst status comes first, then what isn’t known, then what works', () => {
  const rows = OVERVIEW_STATUSES.map((status) => row(status, status));
  expect(sorted(rows, 'status', true)).toEqual([
    'differs',
    'unreadable',
    'failed',
    'blocked',
    'needs-person',
    'unproved',
    'changed',
    'unchecked',
    'faithful',
    'equal-so-far',
    'proved',
  ]);
});

test('actions with the same status are sorted by name, in both directions', () => {
  const rows = [row('b', 'proved'), row('C', 'proved'), row('a', 'proved'), row('d', 'differs')];
  expect(sorted(rows, 'status', true)).toEqual(['d', 'a', 'b', 'C']);
  expect(sorted(rows, 'status')).toEqual(['a', 'b', 'C', 'd']);
});

test('coverage and mistakes are sorted by their share, and what has none comes last', () => {
  const rows = [
    row('half', 'proved', { coverage: { ran: 5, total: 10, text: '' }, strength: { caught: 1, total: 2 } }),
    row('never', 'unchecked', null),
    row('most', 'proved', { coverage: { ran: 2, total: 3, text: '' }, strength: { caught: 2, total: 3 } }),
    row('all', 'proved', { coverage: { ran: 0, total: 0, text: '' }, strength: { caught: 0, total: 0 } }),
  ];
  for (const by of ['coverage', 'strength'] as const) {
    expect(sorted(rows, by)).toEqual(['half', 'most', 'all', 'never']);
    expect(sorted(rows, by, true)).toEqual(['all', 'most', 'half', 'never']);
  }
});

test('runs and times are sorted as numbers', () => {
  const runs = (recorded: number) => ({ recorded, aside: 0, generated: 0 });
  const rows = [row('ten', 'proved', { runs: runs(10), at: 10 }), row('nine', 'proved', { runs: runs(9), at: 9 })];
  expect([sorted(rows, 'runs'), sorted(rows, 'checkedAt')]).toEqual([
    ['nine', 'ten'],
    ['nine', 'ten'],
  ]);
});

test('the filters are by status and by every word of the name, in any case', () => {
  const rows = [row('Weekly report', 'proved'), row('weekly-mail', 'differs'), row('report', 'proved')];
  const listed = (query: string, status: OverviewStatus | null): string[] =>
    names(shownRows(rows, { query, status }, { by: 'name', descending: false }));
  expect(listed('REPORT weekly', null)).toEqual(['Weekly report']);
  expect(listed('', 'proved')).toEqual(['report', 'Weekly report']);
  expect(listed('report', 'differs')).toEqual([]);
});

test('the summary counts each status, best first, and what has changed as not checked', () => {
  expect(
    summaryOf([
      ...['a', 'b', 'c'].map((name) => row(name, 'proved')),
      ...['d', 'e'].map((name) => row(name, 'equal-so-far')),
      row('f', 'blocked'),
      ...['g', 'h', 'i'].map((name) => row(name, 'unchecked', null)),
      row('j', 'changed'),
    ]),
  ).toBe('3 proved, 2 equal so far, 1 blocked, 4 not checked');
});

test('the summary is grammatical for one and for several', () => {
  const rows = (['needs-person', 'differs', 'unreadable', 'failed', 'unproved'] as const).map((each) => row('', each));
  expect(summaryOf(rows)).toBe('1 not proved, 1 needs a person, 1 couldn’t check, 1 can’t be read, 1 differs');
  expect(summaryOf([...rows, ...rows])).toBe(
    '2 not proved, 2 need a person, 2 couldn’t check, 2 can’t be read, 2 differ',
  );
});

test('cells say in words what was compared, or why nothing was', () => {
  expect(coverageCell(row('', 'proved'))).toBe('9 of 11 branches ran');
  expect(coverageCell(row('', 'proved', { coverage: { ran: 0, total: 0, text: '' } }))).toBe('No branches');
  expect(coverageCell(row('', 'unproved', { coverage: null, reason: 'No recorded runs' }))).toBe('No recorded runs');
  const reason = 'The source of com.example.own isn’t known: the page doesn’t have it';
  expect(coverageCell(row('', 'blocked', { reason }))).toBe(reason);
  const error = { code: 'PIPELINE_INVALID', message: 'Couldn’t migrate the pipeline: /0: Unknown type' };
  expect(coverageCell(row('', 'unreadable', { error }))).toBe(error.message);
  expect(coverageCell(row('', 'unchecked', null))).toBe('');
  expect(runsCell(row('', 'proved'))).toBe('3');
  expect(runsCell(row('', 'proved', { runs: { recorded: 3, aside: 1, generated: 2 } }))).toBe('3 + 2 generated');
  expect(strengthCell(row('', 'proved'))).toBe('18 of 20');
  expect(strengthCell(row('', 'differs', { strength: null }))).toBe('');
});

const csv = (...rows: OverviewRow[]): string[] => overviewCsv(rows).split('\r\n');

test('the CSV has what is listed, in its order, as numbers and words', () => {
  const [head, first, second, third, end] = csv(
    row('orders', 'equal-so-far', { runs: { recorded: 3, aside: 1, generated: 2 } }),
    row('report', 'unchecked', null),
    row('import', 'unreadable', {
      coverage: null,
      strength: null,
      runs: { recorded: 0, aside: 0, generated: 0 },
      error: { code: 'PIPELINE_INVALID', message: 'Couldn’t migrate.' },
    }),
  );
  expect(head).toBe(
    '\uFEFFname,id,status,coverage,recordedRuns,generatedRuns,mistakesFound,possibleMistakes,lastChecked,error',
  );
  expect(first).toBe(`orders,${lastId - 2},Equal so far,9 of 11 branches ran,3,2,18,20,2026-11-20T10:00:00.000Z,`);
  expect(second).toBe(`report,${lastId - 1},Not checked yet,,,,,,,`);
  expect(third).toMatch(
    /^import,\d+,Can’t be read,Couldn’t migrate\.,0,0,,,2026-11-20T10:00:00\.000Z,PIPELINE_INVALID$/,
  );
  expect(end).toBe('');
});

test('the CSV contains no formulas, and quotes what needs it', () => {
  const lines = csv(
    row('=HYPERLINK("https://x")', 'proved', null),
    row('a,b', 'proved', null),
    row('+1', 'proved', null),
  );
  expect(lines.slice(1, 4).map((line) => line.replace(/,\d+,Proved.*/, ''))).toEqual([
    `"'=HYPERLINK(""https://x"")"`,
    '"a,b"',
    "'+1",
  ]);
});
