import { expect, onTestFinished, test } from 'vitest';
import { record } from '../../../../../lib/debugging/index.ts';
import type { Recording } from '../../../../../lib/debugging/recording/format.ts';
import { Migrating } from '../../../../../lib/extension/panel/migrate/migrating.ts';
import type { Prover } from '../../../../../lib/extension/panel/migrate/prover.ts';
import type { Pipeline } from '../../../../../lib/pipeline/index.ts';
import type { Action } from '../../../../../lib/platform-api/action.ts';
import { ownPackages } from '../../../migrate/run-both.ts';
import { newAction } from '../actions/support/fake-app.ts';
import { nodeProver } from './node-prover.ts';
import { gatherPanel, type GatherPanelOptions } from './support.ts';

const say = (message: string) => ({ functionPackage: 'com.platform.function.return-string', settings: { message } });
const PIPELINE: Pipeline = [
  { type: 'if', conditions: [{ condition: 'a == 1', functions: [say('one')] }], elseFunctions: [say('other')] },
];

async function recorded(payload: Record<string, unknown>, pipeline = PIPELINE): Promise<Recording> {
  const { recording } = await record(pipeline, { payload, functions: new Map(ownPackages(() => undefined, [])) });
  return recording;
}

interface Given extends GatherPanelOptions {
  payloads?: Record<string, unknown>[];
  prover?: Partial<Prover>;
  action?: Action;
}

const actionOf = (functions: Pipeline): Action => newAction(7, { name: 'greet', functions: functions as never });

async function migrating(given: Given = {}): Promise<Migrating> {
  const { payloads = [{ a: 1 }, { a: 2 }], prover, action = actionOf(PIPELINE), ...rest } = given;
  const recordings = await Promise.all(payloads.map((payload) => recorded(payload, action.functions as Pipeline)));
  const runs = recordings.map((recording, index): [object, Recording] => [{ number: index + 1 }, recording]);
  const panel = gatherPanel({ runs, ...rest });
  const created = new Migrating({ panel, action, prover: { ...nodeProver, ...prover }, environmentId: 'e' });
  onTestFinished(() => created.dispose());
  await created.start();
  await created.prove();
  return created;
}

const statusesOf = (shown: Migrating) => [...shown.steps.value].map(([path, { status }]) => [path, status]);

test('migrates the action, and proves it on its recorded runs', async () => {
  const shown = await migrating();
  expect(shown.status.value).toBe('proved');
  expect(shown.edit.code.value).toContain("'one'");
});

test('opening a migration proves nothing, so that no page gets recorded runs unasked', async () => {
  let proofs = 0;
  const prove: Prover['prove'] = (...given) => {
    proofs++;
    return nodeProver.prove(...given);
  };
  const panel = gatherPanel({ runs: [[{}, await recorded({ a: 1 })]] });
  const prover = { ...nodeProver, prove };
  const shown = new Migrating({ panel, action: actionOf(PIPELINE), prover, environmentId: 'e' });
  await shown.start();
  expect([shown.cannotProve.value, proofs]).toEqual([null, 0]);
});

test.each([
  ['of another app', { pageOf: 2 }],
  ['at another URL', { url: 'https://other.test/' }],
  ['whose URL names another app', { url: 'https://platform.test/v1/apps/2/preview' }],
])('a page %s can’t prove the code', async (_, given) => {
  const shown = await migrating(given);
  expect(shown.cannotProve.value).toBe('Open a page of this app in the tab: the code is compared there');
  expect(shown.proving.proved.value).toBe(null);
});

/** A branch that no payload can take. */
const IMPOSSIBLE: Pipeline = [
  { type: 'if', conditions: [{ condition: 'a == 1 && a == 2', functions: [say('both')] }], elseFunctions: [say('no')] },
];

test('a branch that no run took makes its step equal so far', async () => {
  const shown = await migrating({ payloads: [{ a: 1 }], action: actionOf(IMPOSSIBLE) });
  expect(statusesOf(shown)).toContainEqual(['/0', 'equal-so-far']);
  expect(shown.branchesAt('/0')).toEqual([
    { name: '/0/conditions/0', runs: 0, example: null },
    { name: '/0/elseFunctions', runs: 1, example: null },
  ]);
});

test('a branch that only a generated run took is known by its payload, and its steps are equal so far', async () => {
  const shown = await migrating({ payloads: [{ a: 1 }] });
  expect(statusesOf(shown)).toEqual([
    ['/0', 'proved'],
    ['/0/conditions/0/functions/0', 'proved'],
    ['/0/elseFunctions/0', 'equal-so-far'],
  ]);
  expect(shown.branchesAt('/0')).toContainEqual({
    name: '/0/elseFunctions',
    runs: 0,
    example: expect.stringMatching(/^\{.*\}$/),
  });
  expect(shown.blockTexts.value).toEqual(
    new Map([
      ['/0/conditions/0', '1 run'],
      ['/0/elseFunctions', 'only generated'],
    ]),
  );
});

test('without recorded runs, nothing is proved, and the way says so', async () => {
  const shown = await migrating({ payloads: [] });
  expect(shown.status.value).toBe('unproved');
  expect(shown.cannotProve.value).toBe('Record a run first');
});

test('without a page, the code is shown, and the way says how to prove it', async () => {
  const panel = gatherPanel({ runs: [[{}, await recorded({ a: 1 })]] });
  panel.page.state.value = null;
  const shown = new Migrating({ panel, action: actionOf(PIPELINE), prover: nodeProver, environmentId: 'e' });
  await shown.start();
  expect(shown.migration.value.state).toBe('ready');
  expect(shown.cannotProve.value).toBe('Open a page of this app in the tab: the code is compared there');
});

test('a step and its lines are linked both ways', async () => {
  const shown = await migrating();
  const line = shown.edit.code.value.split('\n').findIndex((text) => text.includes("'other'")) + 1;
  shown.cursorAt(line);
  expect(shown.selected.value).toBe('/0/elseFunctions/0');
  shown.select('/0/conditions/0/functions/0');
  const lines = shown.edit.code.value.split('\n').slice((shown.highlighted.value?.from ?? 1) - 1);
  expect(lines[0]).toContain('// /0/conditions/0/functions/0');
  expect(shown.revealed.value?.line).toBe(shown.highlighted.value?.from);
});

test('the cursor in the code shows its step, even below a collapsed one', async () => {
  const shown = await migrating();
  shown.setCollapsed('/0', true);
  shown.cursorAt(shown.edit.code.value.split('\n').findIndex((text) => text.includes("'other'")) + 1);
  expect(shown.rows.value.map(({ path }) => path)).toContain('/0/elseFunctions/0');
});

test('an edit that changes what the code does differs after the next proof', async () => {
  const shown = await migrating();
  shown.edit.set(shown.edit.code.value.replace("'other'", "'wrong'"));
  expect([shown.isStale.value, shown.status.value]).toEqual([true, 'unproved']);
  await shown.proveAgain();
  expect(shown.status.value).toBe('differs');
  const [found] = shown.differencesAt('/0/elseFunctions/0');
  expect(found).toMatchObject({ run: 1, difference: { what: 'result', v2: 'other', v3: 'wrong' } });
});

test('edited code and accepted differences are there again after the panel was closed', async () => {
  const stored = new Map<string, string>();
  const before = await migrating({ stored });
  const edited = before.edit.code.value.replace("'other'", "'wrong'");
  before.edit.set(edited);
  await before.proveAgain();
  const [found] = before.differencesAt('/0/elseFunctions/0');
  before.edit.accept(found!.difference, 'Nobody reads it.');
  const after = await migrating({ stored });
  expect(after.edit.code.value).toBe(edited);
  expect(after.edit.isOutdated.value).toBe(false);
  expect(after.edit.reasonOf(after.differencesAt('/0/elseFunctions/0')[0]!.difference)).toBe('Nobody reads it.');
});

test('an accepted difference stays a difference', async () => {
  const shown = await migrating();
  shown.edit.set(shown.edit.code.value.replace("'other'", "'wrong'"));
  await shown.proveAgain();
  shown.edit.accept(shown.differencesAt('/0/elseFunctions/0')[0]!.difference, 'Fine.');
  await shown.proveAgain();
  expect(shown.status.value).toBe('differs');
  shown.edit.withdraw(shown.differencesAt('/0/elseFunctions/0')[0]!.difference);
  expect(shown.edit.accepted.value).toEqual([]);
});

test('edited code of an earlier version of the action says so, until it’s kept', async () => {
  const stored = new Map<string, string>();
  (await migrating({ stored })).edit.set('async function execute(context) {}');
  const action = actionOf([...PIPELINE, say('more')]);
  const changed = await migrating({ stored, action });
  expect([changed.edit.isOutdated.value, changed.edit.code.value]).toEqual([
    true,
    'async function execute(context) {}',
  ]);
  changed.edit.keep();
  expect((await migrating({ stored, action })).edit.isOutdated.value).toBe(false);
});

test('starting over restores the generated code', async () => {
  const stored = new Map<string, string>();
  const shown = await migrating({ stored });
  shown.edit.set('async function execute(context) {}');
  shown.edit.startOver();
  expect(shown.edit.code.value).toBe(shown.edit.generated.value);
  expect((await migrating({ stored })).edit.isEdited.value).toBe(false);
});

test('a step whose comment was removed is unlinked', async () => {
  const shown = await migrating();
  shown.edit.set(shown.edit.code.value.replace('// /0/elseFunctions/0', ''));
  expect(shown.steps.value.get('/0/elseFunctions/0')?.isUnlinked).toBe(true);
  expect(shown.steps.value.get('/0')?.isUnlinked).toBe(false);
});

test('code that breaks a rule of V3 can’t be proved, and says where', async () => {
  const shown = await migrating();
  shown.edit.set(`${shown.edit.code.value}\nconst more = 1;`);
  expect(shown.cannotProve.value).toBe('Correct the code first');
  expect(shown.edit.problems.value).toMatchObject([{ line: shown.edit.code.value.split('\n').length }]);
});

test('what a person writes for a blocked step is proved', async () => {
  const action = actionOf([{ functionPackage: 'com.example.unknown' }, say('end')]);
  const recording = {
    ...(await recorded({}, [say('end')])),
    pipeline: action.functions as never,
    steps: [
      { kind: 'function', name: 'com.example.unknown', path: '/0', at: 0, milliseconds: 0, state: 'completed' },
      {
        kind: 'function',
        name: 'com.platform.function.return-string',
        path: '/1',
        at: 0,
        milliseconds: 0,
        state: 'completed',
        value: 'end',
      },
    ],
  } as unknown as Recording;
  const shown = new Migrating({
    panel: gatherPanel({ runs: [[{}, recording]] }),
    action,
    prover: nodeProver,
    environmentId: 'e',
  });
  await shown.start();
  expect(shown.steps.value.get('/0')?.status).toBe('blocked');
  shown.edit.set(shown.edit.code.value.replace(/throw new Error\([^;]*;/, 'data.done = true;'));
  expect(shown.steps.value.get('/0')?.report).toMatchObject({
    level: 'idiomatic',
    reasons: [expect.any(String), 'A person has written this code.'],
  });
});

test('what a person writes for a blocked step isn’t proved by that', async () => {
  const action = actionOf([{ functionPackage: 'com.example.unknown' }] as Pipeline);
  const shown = await migrating({ action, payloads: [] });
  expect(shown.status.value).toBe('blocked');
  shown.edit.set(shown.edit.code.value.replace(/throw new Error\([^;]*;/, 'context.done = true;'));
  expect(shown.status.value).toBe('unproved');
});

test('a stored edit that can’t be read isn’t overwritten, and says so', async () => {
  const stored = new Map([['migration e/1/7 migration', '{"version": 2}']]);
  const panel = gatherPanel({ stored });
  const shown = new Migrating({ panel, action: actionOf(PIPELINE), prover: nodeProver, environmentId: 'e' });
  await shown.start();
  expect(shown.edit.error.value?.code).toBe('EDIT_UNREADABLE');
  shown.edit.dismiss();
  shown.edit.set(`${shown.edit.code.value}\n`);
  await Promise.resolve();
  expect(shown.edit.error.value?.code).toBe('EDIT_UNREADABLE');
  expect([...stored.values()]).toEqual(['{"version": 2}']);
});

test('a pipeline that V2 refuses says which steps', async () => {
  const action = actionOf([{ type: 'loop' }] as Pipeline);
  const shown = await migrating({ action, payloads: [] });
  expect(shown.migration.value.error).toMatchObject({ code: 'PIPELINE_INVALID', details: [{ path: '/0' }] });
});

test('a proof that was canceled leaves no earlier one, which the status would show', async () => {
  let isSecond = false;
  const started = Promise.withResolvers<void>();
  const answer = Promise.withResolvers<void>();
  const shown = await migrating({
    prover: {
      async prove(...given) {
        if (!isSecond) return nodeProver.prove(...given);
        started.resolve();
        await answer.promise;
        return { ok: false, error: { code: 'PROOF_CANCELED', message: 'Canceled.' } };
      },
    },
  });
  isSecond = true;
  const proving = shown.proveAgain();
  await started.promise;
  expect(shown.proving.progress.value).toMatchObject({ what: 'runs' });
  shown.proving.cancel();
  expect(shown.proving.progress.value).toBe(null);
  answer.resolve();
  await proving;
  expect([shown.proving.proved.value, shown.proving.error.value, shown.status.value]).toEqual([null, null, 'unproved']);
});

test('a proof that fails leaves no earlier one, neither while it runs nor afterward', async () => {
  const error = { code: 'PROOF_TOO_SLOW', message: 'Couldn’t finish the proof.' };
  const during: unknown[] = [];
  let isSecond = false;
  const shown = await migrating({
    prover: {
      async prove(...given) {
        if (!isSecond) return nodeProver.prove(...given);
        during.push(shown.status.value, shown.proving.strength.value);
        return { ok: false, error };
      },
    },
  });
  expect(shown.status.value).toBe('proved');
  isSecond = true;
  await shown.proveAgain();
  expect(during).toEqual(['unproved', null]);
  const { proved, strength, progress } = shown.proving;
  expect([shown.status.value, proved.value, strength.value, progress.value]).toEqual(['unproved', null, null, null]);
  expect(shown.proving.error.value).toBe(error);
});

test('an action that was closed while its runs were collected proves nothing', async () => {
  let proofs = 0;
  const prove: Prover['prove'] = (...given) => {
    proofs++;
    return nodeProver.prove(...given);
  };
  const shown = await migrating({ prover: { prove } });
  const proving = shown.proveAgain();
  shown.dispose();
  await proving;
  expect(proofs).toBe(1);
});

test('a change of the action since it was opened offers the new version', async () => {
  const changed = actionOf([say('new')]);
  expect((await migrating({ actions: [changed] })).replacement.value).toBe(changed);
  expect((await migrating({ actions: [actionOf(PIPELINE)] })).replacement.value).toBe(null);
});

test('the files are the code, the action’s other properties, and the report with the proof', async () => {
  const files = new Map<string, string>();
  const shown = await migrating({ saveFile: (name, text) => void files.set(name, text) });
  shown.edit.set(shown.edit.code.value.replace("'other'", 'undefined'));
  await shown.proveAgain();
  shown.edit.accept(shown.differencesAt('/0/elseFunctions/0')[0]!.difference, 'Fine.');
  shown.saveFiles();
  expect(files.get('action.v3.js')).toBe(shown.edit.code.value);
  expect(JSON.parse(files.get('action.v3.json') ?? '')).toMatchObject({ name: 'greet', active: false });
  expect(JSON.parse(files.get('report.json') ?? '')).toMatchObject({
    isEdited: true,
    status: 'differs',
    proof: {
      coverage: '2 of 2 branches ran.',
      comparisons: [{ differences: [] }, { differences: [{ v2: 'other', v3: { $: 'undefined' } }] }],
    },
    runs: ['Run 1', 'Run 2'],
    accepted: [{ path: '/0/elseFunctions/0', reason: 'Fine.' }],
  });
});

test('the properties name the packages that edited code uses', async () => {
  const shown = await migrating({});
  expect(shown.properties.value?.dependencies).toEqual([]);
  shown.edit.set(shown.edit.code.value.replace(/return /, 'await Platform.Notifications.send({}); return '));
  expect(shown.properties.value?.dependencies).toEqual(['platform-notifications']);
});

test('a report of code that was changed since has no proof', async () => {
  const files = new Map<string, string>();
  const shown = await migrating({ saveFile: (name, text) => void files.set(name, text) });
  shown.edit.set(`${shown.edit.code.value}// changed`);
  shown.saveFile('report.json');
  expect(JSON.parse(files.get('report.json') ?? '')).toMatchObject({ status: null, strength: null });
});

test('measures how many mistakes the runs would find', async () => {
  const { caught, total, missed } = (await migrating({ payloads: [{ a: 1 }], action: actionOf(IMPOSSIBLE) })).proving
    .strength.value!;
  expect(caught + missed.length).toBe(total);
  // No run has both comparisons true.
  expect(missed.map(({ mistake }) => mistake)).toContain('== is stricter');
});
