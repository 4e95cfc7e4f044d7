/** The table, the words, and the exit code of a migration. */
import { expect, test } from 'vitest';
import { exitCodeOf, summaryOf } from '../../../../lib/cli/migrate/output/summary.ts';
import type { EffectsReport } from '../../../../lib/cli/migrate/effects/types.ts';
import type { ActionReport, MigratedAction } from '../../../../lib/cli/migrate/types.ts';
import type { Status } from '../../../../lib/migrate/index.ts';

const migrated = (name: string, status: Status, ran = 1, effects?: EffectsReport[]): MigratedAction => {
  const branches = [
    { path: '/0', block: '/0/conditions/0', runs: 1 },
    { path: '/0', block: '/0', runs: ran },
  ];
  const proof = {
    status,
    branches,
    comparisons: [],
    coverage: '1 of 2 branches ran. /0 without a match never did.',
  };
  const report = { status, proof, steps: [], strength: { caught: 9, total: 10, missed: [] }, effects };
  return { name, folder: name, report: report as unknown as ActionReport };
};
const failed = (name: string, code: string): MigratedAction => ({
  name,
  folder: name,
  error: { code, message: 'Couldn’t do it.', hint: 'Try something else.' },
});

test('shows each action, what is missing, and how many have each status', () => {
  const actions = [migrated('report', 'proved'), migrated('a', 'equal-so-far', 0), failed('b', 'FILE_CHANGED')];
  expect(summaryOf(actions, 'v3')).toBe(`action  status        branches  mutants caught
report  proved        2 of 2    9 of 10
a       equal so far  1 of 2    9 of 10
b       FILE_CHANGED

a: 1 of 2 branches ran. /0 without a match never did.
b: Couldn’t do it. Try something else. (FILE_CHANGED)

3 actions: 1 proved, 1 equal so far, 1 failed. Nothing was changed on the platform. The files are in v3.
`);
});

test('shows what both versions really did, if they ran', () => {
  const run = { payload: {}, messages: 2, entries: 0, requests: 0 };
  const differing = [{ what: 'message' as const, index: 1, place: '/to', v2: 'a', v3: 'b' }];
  const [plain, envelope] = [{ profile: 'plain' as const }, { profile: 'envelope' as const }];
  const actions = [
    migrated('a', 'proved', 1, [{ ...plain, state: 'equal', runs: [{ ...run, differences: [] }] }]),
    migrated('b', 'differs', 1, [
      { ...plain, state: 'equal', runs: [] },
      { ...envelope, state: 'differs', runs: [{ ...run, differences: differing }] },
    ]),
    migrated('c', 'proved', 1, [{ ...plain, state: 'unknown', reason: 'The run doesn’t end in time.', runs: [] }]),
    migrated('d', 'differs', 1, [
      { ...plain, state: 'differs', runs: [{ ...run, generated: true, differences: differing }] },
    ]),
  ];
  const text = summaryOf(actions, 'v3');
  expect(text).toContain(`a       proved   2 of 2    9 of 10         equal
b       differs  2 of 2    9 of 10         differs
c       proved   2 of 2    9 of 10         unknown
`);
  expect(text).toContain('b: V3 really differs in run 1 (envelope): message 2 at /to.');
  expect(text).toContain('d: V3 really differs in generated run 1 (plain): message 2 at /to.');
  expect(text).toContain('c: its effects aren’t known. The run doesn’t end in time.');
});

test('shows no characters that a terminal obeys', () => {
  expect(summaryOf([migrated('a\u001b[2Jb\u202e', 'proved')], 'v3')).not.toMatch(/[^\P{C}\n]/u);
});

test('says that an app has no actions', () => expect(summaryOf([], 'v3')).toBe('The app has no V2 actions.\n'));

test.each([
  [[], 0],
  [['proved'], 0],
  [['proved', 'equal-so-far'], 1],
  [['faithful', 'proved'], 1],
  [['needs-person', 'faithful'], 2],
  [['blocked'], 2],
  [['differs', 'blocked'], 3],
] as [Status[], number][])('the exit code of %j is %d', (statuses, code) => {
  expect(exitCodeOf(statuses.map((status) => migrated(status, status)))).toBe(code);
});

test('a pipeline that V2 refuses is blocked, and any other failure has an exit code of its own', () => {
  expect(exitCodeOf([failed('a', 'PIPELINE_INVALID')])).toBe(2);
  expect(exitCodeOf([failed('a', 'FILE_CHANGED'), migrated('b', 'differs')])).toBe(4);
});

test('aligns names by the columns that a terminal shows, cuts them between characters, and escapes what it would obey', () => {
  const actions = [
    migrated('会議', 'proved'),
    migrated('👍🏽'.repeat(40), 'proved'),
    failed('a\u001b[2J', 'FILE_CHANGED'),
  ];
  const [head, wide, long, failing] = summaryOf(actions, 'v3').split('\n');
  expect(head).toBe(`action${' '.repeat(55)}status        branches  mutants caught`);
  expect(wide).toBe(`会議${' '.repeat(57)}proved        2 of 2    9 of 10`);
  expect(long).toBe(`${'👍🏽'.repeat(29)}…  proved        2 of 2    9 of 10`);
  expect(failing).toBe(`a\\u001b[2J${' '.repeat(51)}FILE_CHANGED`);
});
