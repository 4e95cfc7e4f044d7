/** The stored revisions of an action: the list, comparing one with the working copy, and restoring it. */
import { describe, expect, it } from 'vitest';
import type { Action } from '../../../../../lib/platform-api/action.ts';
import type { ActionRevision, FullRevision } from '../../../../../lib/platform-api/actions/revision.ts';
import type { Result } from '../../../../../lib/platform-api/errors.ts';
import { Revisions, revisionSummary } from '../../../../../lib/extension/panel/actions/revisions.ts';

const COPY = {
  name: 'report',
  active: true,
  environment: 'any' as const,
  triggers: [],
  frequency: null,
  timezone: null,
  pageId: null,
  functions: [{ functionPackage: 'a' }],
};
const action = (over: Partial<Action> = {}): Action => ({
  ...COPY,
  id: 7,
  appId: 1,
  revision: 3,
  lastRunAt: null,
  nextRunAt: null,
  createdAt: '2026-11-01T00:00:00.000Z',
  updatedAt: '2026-11-01T00:00:00.000Z',
  ...over,
});
const listed = (revision: number, over: Partial<ActionRevision> = {}): ActionRevision => ({
  revision,
  createdAt: '2026-11-01T00:00:00.000Z',
  change: 'update',
  changed: ['active'],
  restored: null,
  by: null,
  ...over,
});
const full = (revision: number, over: object = {}): FullRevision => ({
  ...listed(revision),
  action: { ...COPY, ...over },
});
const ok = <T>(value: T): Result<T> => ({ ok: true, value });
const failure = { code: 'NETWORK', message: 'No response.' };

function world(stored: readonly FullRevision[]) {
  const asked: string[] = [];
  let answer: <T>(result: Result<T>) => Promise<Result<T>> = async (result) => result;
  const revisions = new Revisions(() => ({
    history: async (id) => {
      asked.push(`list ${id}`);
      return answer(ok(stored.map(({ revision }) => listed(revision))));
    },
    revision: async (_, revision) => {
      asked.push(`read ${revision}`);
      return answer(ok(stored.find((one) => one.revision === revision)!));
    },
  }));
  return { revisions, asked, respond: (how: typeof answer) => (answer = how) };
}

describe('the revisions of an action', () => {
  it('are listed once for each revision of the action', async () => {
    const { revisions, asked } = world([full(3), full(2)]);
    await revisions.show(action());
    await revisions.show(action());
    expect([asked, revisions.list.value.value?.length]).toEqual([['list 7'], 2]);
    await revisions.show(action({ revision: 4 }));
    expect(asked).toEqual(['list 7', 'list 7']);
  });

  it('are compared with the working copy: the differences are what restoring changes', async () => {
    const { revisions } = world([full(2, { active: false, functions: [], timezone: 'UTC' })]);
    await revisions.show(action());
    await revisions.select(2);
    expect(revisions.comparison.value).toEqual({
      revision: 2,
      differences: [
        { path: '/active', kind: 'changed', before: true, after: false },
        { path: '/functions/0', kind: 'removed', before: { functionPackage: 'a' } },
      ],
    });
    await revisions.show(action({ active: false, functions: [], revision: 4 }));
    expect(revisions.comparison.value?.differences).toEqual([]);
  });

  it('show only the last selected one, in whichever order the responses arrive', async () => {
    const { revisions, respond } = world([full(1, { name: 'first' }), full(2, { name: 'second' })]);
    await revisions.show(action());
    const held = Promise.withResolvers<void>();
    respond(async (result) => held.promise.then(() => result));
    const first = revisions.select(1);
    respond(async (result) => result);
    await revisions.select(2);
    held.resolve();
    await first;
    expect(revisions.comparison.value?.revision).toBe(2);
  });

  it('of another action replace those of the one before', async () => {
    const { revisions, respond } = world([full(1)]);
    await revisions.show(action());
    await revisions.select(1);
    respond(async () => ({ ok: false, error: failure }));
    await revisions.show(action({ id: 8 }));
    expect([revisions.list.value, revisions.selected.value, revisions.comparison.value]).toEqual([
      { state: 'failed', value: null, error: failure },
      null,
      null,
    ]);
  });

  it('report a revision that can’t be read, and keep the list', async () => {
    const { revisions, respond } = world([full(1)]);
    await revisions.show(action());
    respond(async () => ({ ok: false, error: failure }));
    await revisions.select(1);
    expect([revisions.error.value, revisions.list.value.state]).toEqual([failure, 'ready']);
    await revisions.select(null);
    expect(revisions.error.value).toBeNull();
  });
});

it.each<[Partial<ActionRevision>, string]>([
  [{ change: 'create', changed: null, by: { kind: 'user', email: 'ada@x.example' } }, 'created, ada@x.example'],
  [{ changed: ['active', 'functions'], by: { kind: 'run', email: null } }, 'changed active, functions, a run'],
  [{ changed: [], by: { kind: 'page', email: 'ada@x.example' } }, 'changed nothing, a page of ada@x.example'],
  [{ change: 'restore', restored: 4 }, 'restored from revision 4, unknown author'],
  [{ change: null, changed: null }, 'unknown change, unknown author'],
])('a revision %o is summarized as “%s”', (over, summary) => {
  const { what, who } = revisionSummary(listed(1, over));
  expect(`${what}, ${who}`).toBe(summary);
});
