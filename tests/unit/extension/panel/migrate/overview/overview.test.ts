import type { Signal } from '@preact/signals';
import { expect, onTestFinished, test, vi } from 'vitest';
import { record } from '../../../../../../lib/debugging/index.ts';
import type { Recording } from '../../../../../../lib/debugging/recording/format.ts';
import { Migrating } from '../../../../../../lib/extension/panel/migrate/migrating.ts';
import { migratingOf } from '../../../../../../lib/extension/panel/migrate/migrating-of.ts';
import { overviewOf as overviewOfApp } from '../../../../../../lib/extension/panel/migrate/overview/overview-of.ts';
import { Overview } from '../../../../../../lib/extension/panel/migrate/overview/overview.ts';
import type { Prover } from '../../../../../../lib/extension/panel/migrate/prover.ts';
import type { Panel } from '../../../../../../lib/extension/panel/shell/panel.ts';
import type { Pipeline } from '../../../../../../lib/pipeline/index.ts';
import type { Action } from '../../../../../../lib/platform-api/action.ts';
import { ownPackages } from '../../../../migrate/run-both.ts';
import { newAction } from '../../actions/support/fake-app.ts';
import { nodeProver } from '../node-prover.ts';
import { gatherPanel, type GatherPanelOptions } from '../support.ts';

const say = (message: string) => ({ functionPackage: 'com.platform.function.return-string', settings: { message } });
const BRANCHES: Pipeline = [
  { type: 'if', conditions: [{ condition: 'a == 1', functions: [say('one')] }], elseFunctions: [say('other')] },
];
const INVALID = [{ type: 'loop' }] as unknown as Pipeline;

const actionOf = (id: number, name: string, functions: Pipeline): Action =>
  newAction(id, { name, functions: functions as never });

const ACTIONS = [
  actionOf(1, 'branches', BRANCHES),
  actionOf(2, 'invalid', INVALID),
  actionOf(3, 'unrecorded', [say('never')]),
  actionOf(4, 'greet', [say('hello')]),
];

async function recorded(action: number, functions: Pipeline, payload: Record<string, unknown> = {}) {
  const { recording } = await record(functions, { payload, functions: new Map(ownPackages(() => undefined, [])) });
  return [{ subject: `subject-${action}` }, recording] as [object, Recording];
}

const RUNS = [
  await recorded(1, BRANCHES, { a: 1 }),
  await recorded(1, BRANCHES, { a: 2 }),
  await recorded(4, [say('hello')]),
];

const panelOf = (given: GatherPanelOptions = {}): Panel =>
  gatherPanel({ actions: ACTIONS, runs: RUNS, stored: new Map(), ...given });

function overviewOf(panel = panelOf(), prover: Partial<Prover> = {}): Overview {
  const overview = new Overview({
    panel,
    prover: { ...nodeProver, ...prover },
    environmentId: 'e',
    appId: 1,
  });
  onTestFinished(() => overview.dispose());
  return overview;
}

const loaded = async (overview: Overview): Promise<Overview> => {
  await vi.waitFor(() => expect(overview.isLoaded.value).toBe(true));
  return overview;
};

const statuses = (overview: Overview): Record<string, string> =>
  Object.fromEntries(overview.all.value.map(({ action, status }) => [action.name, status]));

const CHECKED = { branches: 'proved', invalid: 'unreadable', unrecorded: 'unproved', greet: 'proved' };

test('checks all actions one after the other, and one that can’t be read doesn’t stop the others', async () => {
  const overview = await loaded(overviewOf());
  expect(new Set(Object.values(statuses(overview)))).toEqual(new Set(['unchecked']));
  const shown: string[] = [];
  const stop = overview.progress.subscribe(
    (now) => now && shown.push(`${now.done} of ${now.total}: ${now.action.name}`),
  );
  await overview.checkAll();
  stop();
  expect(shown).toEqual(['0 of 4: branches', '1 of 4: invalid', '2 of 4: unrecorded', '3 of 4: greet']);
  expect(statuses(overview)).toEqual(CHECKED);
  expect(overview.progress.value).toBe(null);
  const [branches, invalid, unrecorded] = overview.all.value.map(({ checked }) => checked);
  expect(branches).toMatchObject({
    coverage: { ran: 2, total: 2 },
    runs: { recorded: 2, aside: 0 },
    strength: { caught: branches?.strength?.total },
  });
  expect(invalid).toMatchObject({ error: { code: 'PIPELINE_INVALID' } });
  expect(unrecorded).toMatchObject({ reason: 'No recorded runs', coverage: null, strength: null });
});

test('the results are there again in another panel, and without a page', async () => {
  const stored = new Map<string, string>();
  await (await loaded(overviewOf(panelOf({ stored })))).checkAll();
  const panel = panelOf({ stored });
  panel.page.state.value = null;
  const overview = await loaded(overviewOf(panel));
  expect(statuses(overview)).toEqual(CHECKED);
  expect(overview.cannotCheck.value).toBe('Open a page of this app in the tab: the code is compared there');
});

test('what was stored but can’t be read counts as not checked', async () => {
  const stored = new Map<string, string>();
  await (await loaded(overviewOf(panelOf({ stored })))).checkAll();
  for (const [key, text] of stored)
    if (key.endsWith('/4 migration-check')) stored.set(key, JSON.stringify({ ...JSON.parse(text), version: 2 }));
  expect(statuses(await loaded(overviewOf(panelOf({ stored }))))).toEqual({ ...CHECKED, greet: 'unchecked' });
});

test('the result of an action that was edited since doesn’t count', async () => {
  const panel = panelOf();
  const overview = await loaded(overviewOf(panel));
  await overview.checkAll();
  const edited = ACTIONS.map((action) => (action.id === 4 ? actionOf(4, 'greet', [say('goodbye')]) : action));
  panel.catalog.actions.value = { state: 'ready', value: edited, error: null };
  await vi.waitFor(() => expect(statuses(overview)).toEqual({ ...CHECKED, greet: 'changed' }));
  expect(overview.summary.value).toBe('1 proved, 1 not proved, 1 can’t be read, 1 not checked');
});

test('the result of code that a person has edited since doesn’t count', async () => {
  const stored = new Map<string, string>();
  const panel = panelOf({ stored });
  const overview = await loaded(overviewOf(panel));
  await overview.checkAll();
  const migrating = new Migrating({ panel, action: ACTIONS[3]!, prover: nodeProver, environmentId: 'e' });
  await migrating.start();
  panel.migrating.value = ACTIONS[3]!;
  migrating.edit.set(migrating.edit.code.value.replace("'hello'", "'hi'"));
  panel.migrating.value = null;
  await vi.waitFor(() => expect(statuses(overview)).toEqual({ ...CHECKED, greet: 'changed' }));
  await overview.check(ACTIONS[3]!);
  expect(statuses(overview)).toEqual({ ...CHECKED, greet: 'differs' });
});

test('what the view of an action proves is the action’s result', async () => {
  const panel = panelOf();
  const registered = new Map<unknown, unknown>();
  Object.assign(panel, {
    registry: {
      get(key: { name: string }, create: () => unknown) {
        if (!registered.has(key)) registered.set(key, key.name === 'prover' ? () => nodeProver : create());
        return registered.get(key);
      },
    },
  });
  const overview = overviewOfApp(panel);
  panel.migrating.value = ACTIONS[3]!;
  const migrating = migratingOf(panel, ACTIONS[3]!);
  onTestFinished(() => {
    migrating.dispose();
    overview.dispose();
  });
  await vi.waitFor(() => expect(migrating.cannotProve.value).toBe(null));
  await migrating.prove();
  panel.migrating.value = null;
  await vi.waitFor(() => expect(statuses(overview)).toMatchObject({ greet: 'proved' }));
});

test('checking one action leaves the others as they were', async () => {
  const overview = await loaded(overviewOf());
  await overview.check(ACTIONS[3]!);
  expect(statuses(overview)).toEqual({
    branches: 'unchecked',
    invalid: 'unchecked',
    unrecorded: 'unchecked',
    greet: 'proved',
  });
});

/** Waits in the proof of `greet` until the proof is canceled. */
function stuck() {
  const started = Promise.withResolvers<void>();
  const prover: Partial<Prover> = {
    async prove(task, options) {
      if (!task.code.includes('hello')) return nodeProver.prove(task, options);
      started.resolve();
      await new Promise((resolve) => options?.signal?.addEventListener('abort', resolve));
      return { ok: false, error: { code: 'PROOF_CANCELED', message: 'The proof was canceled.' } };
    },
  };
  return { started: started.promise, prover };
}

test('canceling keeps what is known by then', async () => {
  const stored = new Map<string, string>();
  const { started, prover } = stuck();
  const overview = await loaded(overviewOf(panelOf({ stored }), prover));
  const checking = overview.checkAll();
  await started;
  expect(overview.cannotCheck.value).toBe('Wait until the check has ended');
  overview.cancel();
  await checking;
  const expected = { ...CHECKED, greet: 'unchecked' };
  expect([overview.progress.value, overview.error.value, statuses(overview)]).toEqual([null, null, expected]);
  expect(statuses(await loaded(overviewOf(panelOf({ stored }))))).toEqual(expected);
});

test('a proof counts, even if its strength is canceled', async () => {
  const started = Promise.withResolvers<void>();
  const overview = await loaded(
    overviewOf(panelOf(), {
      async strength(_task, options) {
        started.resolve();
        await new Promise((resolve) => options?.signal?.addEventListener('abort', resolve));
        return { ok: false, error: { code: 'PROOF_CANCELED', message: 'The proof was canceled.' } };
      },
    }),
  );
  const checking = overview.checkAll();
  await started.promise;
  overview.cancel();
  await checking;
  expect(overview.all.value[0]).toMatchObject({ status: 'proved', checked: { strength: null } });
});

test('a page that is lost stops the check, and says at which action', async () => {
  const error = { code: 'PAGE_LEFT', message: 'The tab has left the page.' };
  const overview = await loaded(
    overviewOf(panelOf(), {
      prove: async (task, options) =>
        task.code.includes('one') ? { ok: false, error } : nodeProver.prove(task, options),
    }),
  );
  await overview.checkAll();
  expect(overview.error.value).toEqual({ ...error, message: `branches: ${error.message}` });
  expect(new Set(Object.values(statuses(overview)))).toEqual(new Set(['unchecked']));
});

test('a page that is closed stops the check', async () => {
  const panel = panelOf();
  const overview = await loaded(
    overviewOf(panel, {
      async strength(task, options) {
        panel.page.state.value = null;
        return nodeProver.strength(task, options);
      },
    }),
  );
  await overview.checkAll();
  expect(overview.error.value).toMatchObject({ code: 'PAGE_LEFT' });
  expect(statuses(overview)).toMatchObject({ branches: 'proved', greet: 'unchecked' });
});

test('an action whose code can’t be proved says why, and the next one is checked', async () => {
  const error = { code: 'PAGE_EXCEPTION', message: 'Couldn’t finish the proof: a value has no type.' };
  const overview = await loaded(
    overviewOf(panelOf(), {
      prove: async (task, options) =>
        task.code.includes('one') ? { ok: false, error } : nodeProver.prove(task, options),
    }),
  );
  await overview.checkAll();
  expect(statuses(overview)).toEqual({ ...CHECKED, branches: 'failed' });
  expect(overview.all.value[0]?.checked?.error).toEqual(error);
});

test('another app ends the check, because its runs belong to other actions', async () => {
  const panel = panelOf();
  const { started, prover } = stuck();
  const overview = await loaded(overviewOf(panel, prover));
  const checking = overview.checkAll();
  await started;
  (panel.catalog.appId as Signal<number>).value = 2;
  await checking;
  expect(overview.progress.value).toBe(null);
});

test('a result that can’t be stored is shown, and the error says so', async () => {
  const panel = panelOf();
  const error = { code: 'RUNS_FULL', message: 'The disk is full.' };
  panel.services.store.putDebugging = () => Promise.reject(Object.assign(new Error(), error));
  const overview = await loaded(overviewOf(panel));
  await overview.checkAll();
  expect(statuses(overview)).toEqual(CHECKED);
  expect(overview.error.value).not.toBe(null);
});

test('says that there are no recorded runs only after a check that found none', async () => {
  const overview = await loaded(overviewOf(panelOf({ runs: [] })));
  expect(overview.hasNoRuns.value).toBe(false);
  await overview.checkAll();
  expect(overview.hasNoRuns.value).toBe(true);
  const other = await loaded(overviewOf());
  await other.checkAll();
  expect(other.hasNoRuns.value).toBe(false);
  const unlisted = await loaded(overviewOf(panelOf({ unlisted: true })));
  await unlisted.checkAll();
  expect(unlisted.hasNoRuns.value).toBe(false);
  expect(unlisted.all.value[0]).toMatchObject({ status: 'failed', checked: { error: { code: 'RUNS_UNKNOWN' } } });
});

test('a row opens its action’s migration, and the listed rows are saved as CSV', async () => {
  const files = new Map<string, string>();
  const panel = panelOf({ saveFile: (name, text) => void files.set(name, text) });
  const overview = await loaded(overviewOf(panel));
  overview.sortBy('name');
  overview.filter.value = { query: 'e', status: null };
  overview.saveCsv();
  const [[name, text] = []] = files;
  expect(name).toMatch(/^field-service-1-migration-\d{4}-\d\d-\d\d\.csv$/);
  expect(text?.split('\r\n').map((line) => line.split(',')[0])).toEqual([
    '\uFEFFname',
    'branches',
    'greet',
    'unrecorded',
    '',
  ]);
  overview.open(overview.rows.value[1]!);
  expect(panel.migrating.value?.name).toBe('greet');
});

test('runs that are put aside are counted, and prove nothing', async () => {
  const other = await recorded(4, [say('earlier')]);
  const overview = await loaded(overviewOf(panelOf({ runs: [other] })));
  await overview.check(ACTIONS[3]!);
  expect(overview.all.value[3]).toMatchObject({
    status: 'unproved',
    checked: { reason: 'No run to compare: 1 left out', runs: { recorded: 0, aside: 1 } },
  });
  expect(overview.hasNoRuns.value).toBe(false);
});

test('a package whose source the page doesn’t have is named', async () => {
  const own = actionOf(5, 'own', [{ functionPackage: 'com.example.own' }]);
  const overview = await loaded(overviewOf(panelOf({ actions: [own] })));
  await overview.checkAll();
  expect(overview.all.value[0]).toMatchObject({
    status: 'blocked',
    checked: { reason: 'The source of com.example.own isn’t known: the page doesn’t have it' },
  });
});

test('actions that are already V3 aren’t listed', async () => {
  const actions = [...ACTIONS, { ...actionOf(5, 'new', []), actionVersion: 'v3' }];
  expect(statuses(await loaded(overviewOf(panelOf({ actions }))))).not.toHaveProperty('new');
});

test('a column’s second click turns its order', async () => {
  const overview = await loaded(overviewOf());
  expect(overview.sort.value).toEqual({ by: 'status', descending: true });
  overview.sortBy('status');
  expect(overview.sort.value).toEqual({ by: 'status', descending: false });
  overview.sortBy('name');
  expect(overview.sort.value).toEqual({ by: 'name', descending: false });
});
