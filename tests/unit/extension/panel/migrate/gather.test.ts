import { signal } from '@preact/signals';
import { expect, test } from 'vitest';
import { lost, type RecordedValue } from '../../../../../lib/debugging/recording/values.ts';
import type { Recording } from '../../../../../lib/debugging/recording/format.ts';
import { Gatherer } from '../../../../../lib/extension/panel/migrate/gather.ts';
import type { RunRecord } from '../../../../../lib/extension/panel/run/history/run-store.ts';
import type { Panel } from '../../../../../lib/extension/panel/shell/panel.ts';
import type { Action } from '../../../../../lib/platform-api/action.ts';
import { newAction } from '../actions/support/fake-app.ts';
import { gatherPanel, recordingOf } from './support.ts';

const STEPS = [{ functionPackage: 'com.platform.function.fail', settings: { message: 'no' } }];
const action = newAction(7, { functions: STEPS });

const gathered = (runs: [Partial<RunRecord>, Partial<Recording> | null][], given: Partial<Action> = {}) =>
  new Gatherer(gatherPanel({ runs })).runs({ ...action, ...given });

test('takes the recordings of the action’s runs, newest first', async () => {
  const { runs, aside } = await gathered([
    [{ number: 2 }, { pipeline: STEPS as RecordedValue, milliseconds: 2 }],
    [{ number: 1 }, { pipeline: STEPS as RecordedValue, milliseconds: 1 }],
  ]);
  expect(runs.map(({ label, recording }) => [label, recording.milliseconds])).toEqual([
    ['Run 2', 2],
    ['Run 1', 1],
  ]);
  expect(aside).toEqual([]);
});

test('puts a run of another version of the pipeline aside', async () => {
  const other = [{ ...STEPS[0], settings: { message: 'yes' } }];
  expect((await gathered([[{ number: 3 }, { pipeline: other as RecordedValue }]])).aside).toEqual([
    { label: 'Run 3', reason: 'Step /0 was different when the run was recorded.' },
  ]);
});

test('a masked setting doesn’t make another version of the pipeline', async () => {
  const masked = [{ ...STEPS[0], settings: { message: lost('masked') } }] as RecordedValue;
  expect((await gathered([[{}, { pipeline: masked }]])).runs).toHaveLength(1);
});

test.each([
  [{ recordingProblem: 'too-large' as const }, 'The recording was too large to be stored.'],
  [{ thinned: true }, 'The recording was removed to save space.'],
  [{}, 'The run has no recording.'],
])('says why a run with %j has no recording', async (over, reason) => {
  expect((await gathered([[{ ...over, recording: undefined }, null]])).aside).toEqual([{ label: 'Run 1', reason }]);
});

test('leaves out replays and runs of V3 code, which repeat another run', async () => {
  const origins = ['replay', 'what-if', 'smallest', 'v3'] as const;
  const found = await gathered(origins.map((origin) => [{ origin }, { pipeline: STEPS as RecordedValue }]));
  expect(found).toEqual({ runs: [], aside: [], runsError: null });
});

test('takes runs that the platform’s server has recorded, once', async () => {
  const known = recordingOf({ pipeline: STEPS as RecordedValue, startedAt: '2026-11-20T10:00:00.000Z' });
  const other = { ...known, startedAt: '2026-11-20T11:00:00.000Z', milliseconds: 5 };
  const panel = gatherPanel({
    runs: [[{}, known]],
    onServer: new Map([
      [41, known],
      [42, other],
    ]),
  });
  const { runs } = await new Gatherer(panel).runs(action);
  expect(runs.map(({ label }) => label)).toEqual(['Run 1', 'Log record 42']);
});

test('a recording of the platform that can’t be read is left out with a reason', async () => {
  const { runs, aside } = await new Gatherer(gatherPanel({ onServer: new Map([[41, null]]) })).runs(action);
  expect({ runs, aside }).toEqual({
    runs: [],
    aside: [{ label: 'Log record 41', reason: 'Its recording couldn’t be read.' }],
  });
});

test('says which runs couldn’t be listed', async () => {
  const { runsError } = await new Gatherer(gatherPanel({ unlisted: true })).runs(action);
  expect(runsError).toMatch(
    /^Couldn’t read the stored runs: .* Couldn’t read the platform’s log of runs: No access\.$/,
  );
});

test('takes no source of users’ packages from a page of another app', async () => {
  const functions = [{ functionPackage: 'com.example.x' }, ...STEPS];
  const panel = gatherPanel({ pageOf: 2, functions: { 'com.example.x': '() => 1' } });
  expect(await new Gatherer(panel).packages({ ...action, functions })).toEqual({
    sources: new Map(),
    unknownPackages: [{ name: 'com.example.x', reason: 'the tab has no page of the app' }],
  });
});

test('takes the source of users’ packages from a page of the platform only', async () => {
  const functions = [{ functionPackage: 'com.example.x', functions: [{ function: 'com.example.y' }] }, ...STEPS];
  const panel = (url: string): Panel =>
    gatherPanel({ url, functions: { 'com.example.x': '() => 1', 'com.example.y': '() => outside' } });
  const there = await new Gatherer(panel('https://platform.test/v1/page')).packages({ ...action, functions });
  expect([...there.sources.keys()]).toEqual(['com.example.x']);
  expect(there.unknownPackages).toEqual([
    { name: 'com.example.y', reason: 'it uses outside, which is outside of its function' },
  ]);
  const elsewhere = await new Gatherer(panel('https://elsewhere.test/')).packages({ ...action, functions });
  expect([...elsewhere.sources]).toEqual([]);
});

test('takes the source of the local platform’s example packages, too', async () => {
  const functions = [{ functionPackage: 'com.example.function.check-address' }, ...STEPS];
  const panel = gatherPanel({ functions: { 'com.example.function.check-address': '() => 1' } });
  const { sources } = await new Gatherer(panel).packages({ ...action, functions });
  expect([...sources.keys()]).toEqual(['com.example.function.check-address']);
});

test('two data sources with one name have no known ID', async () => {
  const dataSources = [
    { id: 1, name: 'admins', columns: [] },
    { id: 2, name: 'twice', columns: [] },
    { id: 3, name: 'twice', columns: [] },
  ];
  expect((await new Gatherer(gatherPanel({ dataSources })).dataSources()).dataSources).toEqual(
    new Map([['admins', 1]]),
  );
});

test('a run without a selected app has no recordings', async () => {
  const panel = {
    ...gatherPanel({}),
    subjectOfAction: () => null,
    catalog: { backend: signal(null), environment: signal(null) },
  };
  expect(await new Gatherer(panel as unknown as Panel).runs(action)).toEqual({ runs: [], aside: [], runsError: null });
});
