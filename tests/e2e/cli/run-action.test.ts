/** Actions that the command line runs on debug pages in the installed browser: both engines, on several platforms. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { explainRecording } from '../../../lib/cli/operations/explain.ts';
import { recordingOfText } from '../../../lib/cli/operations/recordings.ts';
import { replayRecording } from '../../../lib/cli/operations/replay.ts';
import {
  type ActionRun,
  runAction as runIn,
  type RunArgs,
  type RunHooks,
  type RunProgress,
  type RunQuestion,
} from '../../../lib/cli/operations/run.ts';
import { writeRecording } from '../../../lib/debugging/recording/file/parse.ts';
import { type Platform, startPlatform } from '../../../lib/local-platform/index.ts';
import { isExhaustive } from '../../support/exhaustive.ts';
import { sharedRunBrowser } from '../../support/run-browser.ts';
import { findAction } from '../../support/test-bed.ts';
import { type ForeignServer, startForeignPages } from '../../support/servers/foreign-pages.ts';
import { FOREIGN_FUNCTIONS, FOREIGN_RESULT, FOREIGN_RUNTIME_NAMES } from '../../support/servers/foreign-runtimes.ts';
import { outbox } from '../../support/ask.ts';

let platform: Platform;
let specOnly: Platform;
let foreign: ForeignServer;
beforeAll(async () => {
  platform = await startPlatform({ port: 0, data: 'memory', oauthDemoPort: null });
  if (isExhaustive()) specOnly = await startPlatform({ port: 0, data: 'memory', specOnly: true, oauthDemoPort: null });
  foreign = await startForeignPages();
});
afterAll(async () => {
  await platform?.close();
  await specOnly?.close();
  await foreign?.close();
});

const on = ({ baseUrl, authToken }: Platform, name: string): Pick<RunArgs, 'connection' | 'appId' | 'action'> => {
  const { appId, taskId } = findAction(platform, name);
  return { connection: { baseUrl, token: authToken }, appId, action: String(taskId) };
};

const runAction = (args: RunArgs, hooks?: RunHooks): Promise<ActionRun> =>
  runIn(args, { startBrowser: sharedRunBrowser, ...hooks });

const pathsOf = ({ run }: ActionRun): string[] => [...new Set(run.steps.map(({ path = '' }) => path))];

const ENGINES = ['platform', 'ours'] as const;
/**
 * In `npm test`, one runtime with the platform’s engine: the unit tests of the agent and of our engine have all of them, and
 * the test of mocks runs another one with our engine.
 */
const runtimesWith = (engine: (typeof ENGINES)[number]) =>
  FOREIGN_RUNTIME_NAMES.filter((_, index) => isExhaustive() || (engine === 'platform' && index === 0));

describe.each(ENGINES)('with the engine “%s”', (engine) => {
  // `run-command` has a failure with the platform’s engine.
  if (engine === 'ours' || isExhaustive())
    test('a run has its payload, and a failure has its place and trace', async () => {
      const registered = await runAction({
        ...on(platform, 'is-email-registered'),
        payload: '{"email": "nobody@example.com"}',
        engine,
      });
      expect(registered.run.state).toBe('completed');
      expect(registered.recording?.payload).toEqual({ email: 'nobody@example.com' });
      const failed = await runAction({ ...on(platform, 'throws-on-bad-address'), engine });
      expect(failed.run).toMatchObject({
        state: 'failed',
        failure: { code: 'STEP_FAILED', path: '/1/functions/0/conditions/0/functions/0' },
      });
      expect(failed.run.failure!.trace.length).toBeGreaterThan(0);
      expect(failed.run.steps.at(-1)).toMatchObject({
        name: 'com.example.function.check-address',
        error: '“lena.tanaka(at)northwind.example” isn’t an email address.',
      });
      expect('result' in failed.run).toBe(false);
      const { failure } = await explainRecording(failed.recording!);
      expect(failure).toBe(failed.run.failure!.message);
    });

  test.each(runtimesWith(engine))('the runtime “%s” of another installation runs its pipeline', async (name) => {
    const connection = { baseUrl: foreign.origin, token: 'a-token-of-elsewhere' };
    const action = String(FOREIGN_RUNTIME_NAMES.indexOf(name) + 1);
    const { run, recording } = await runAction({ connection, appId: 7, action, engine });
    expect(run).toMatchObject({ state: 'completed', result: FOREIGN_RESULT });
    expect(run.steps.map((step) => step.name)).toEqual(FOREIGN_FUNCTIONS);
    expect(run.steps.map((step) => step.path)).toEqual(
      engine === 'ours' ? ['/0', '/1', '/2'] : [undefined, undefined, undefined],
    );
    expect(recording === null).toBe(engine === 'platform');
  });

  // With our engine, `run-command` runs and replays an action.
  if (engine === 'ours' && !isExhaustive()) return;

  test('a run has its steps with their branches, reported as they end, and its result', async () => {
    const progress: RunProgress[] = [];
    const done = await runAction(
      { ...on(platform, 'number-range'), action: 'number-range', engine },
      { onProgress: (one) => progress.push(one) },
    );
    expect(progress.slice(0, 3)).toEqual([{ kind: 'browser' }, { kind: 'page' }, { kind: 'run' }]);
    const reported = progress.flatMap((one) => (one.kind === 'step' ? [one.step] : []));
    expect(reported).toHaveLength(done.run.steps.length);
    expect(reported.at(-1)).toMatchObject({ path: '/2', state: 'completed' });
    expect(done.run).toMatchObject({
      action: { appId: 101, actionId: 1004, name: 'number-range', baseUrl: platform.baseUrl },
      engine,
      tracing: 'observed',
      state: 'completed',
      result: 'Sum: 210, even numbers: 2,4,6,8,10,12,14,16,18,20',
      missing: 0,
      warnings: [],
    });
    expect(pathsOf(done)).toEqual([
      '/0',
      '/1',
      '/1/functions/0',
      '/1/functions/1',
      '/1/functions/1/conditions/0/functions/0',
      '/2',
    ]);
    const branches = done.run.steps.filter(({ kind }) => kind === 'if').map(({ branch }) => branch);
    expect(branches).toEqual(Array.from({ length: 20 }, (_, index) => (index % 2 === 1 ? 0 : null)));
  });

  // `run-command` replays a recording and has a dry run, the runs of `mcp-run` send nothing, and the tests of modes run an
  // action of such a platform.
  if (!isExhaustive()) return;

  test('a recording replays to the same end', async () => {
    const { run, recording } = await runAction({ ...on(platform, 'one-of-each-step'), engine, mustRecord: true });
    const read = recordingOfText(writeRecording(recording!));
    expect(read.action).toEqual(run.action);
    expect(read.engine).toBe(engine);
    expect(await replayRecording(read)).toMatchObject({ outcome: 'same', steps: run.steps.length });
  });

  test('a dry run sends nothing and asks nothing', async () => {
    const before = await outbox(platform, 101);
    const asked: RunQuestion[] = [];
    const confirm = async (question: RunQuestion): Promise<void> => void asked.push(question);
    const dry = await runAction({ ...on(platform, 'notify-admins'), engine, dryRun: true }, { confirm });
    expect(dry.run).toMatchObject({ state: 'completed', mocks: 4 });
    expect(dry.run.steps.filter(({ replaced }) => replaced === 'mock').length).toBeGreaterThan(1);
    expect(await outbox(platform, 101)).toEqual(before);
    expect(asked).toEqual([]);
  });

  test('a platform that offers only what the specification shows runs its actions', async () => {
    const { run } = await runAction({ ...on(specOnly, 'number-range'), engine });
    expect(run).toMatchObject({ state: 'completed', tracing: 'observed', result: expect.stringContaining('Sum: 210') });
  });
});

test('a run really sends without mocks, after it has asked', async () => {
  const before = await outbox(platform, 101);
  const asked: RunQuestion[] = [];
  const { run } = await runAction(on(platform, 'notify-admins'), {
    confirm: async (question) => void asked.push(question),
  });
  expect(run).toMatchObject({ state: 'completed', mocks: 0, result: '5 of 40 people notified' });
  expect((await outbox(platform, 101)).slice(before.length)).toContain('email');
  expect(asked).toEqual([
    expect.objectContaining({
      action: 'notify-admins',
      replaced: [],
      called: expect.arrayContaining(['com.platform.function.send-email']),
    }),
  ]);
});

// `mcp-run` declines, and `run-command` doesn’t confirm.
if (isExhaustive())
  test('nothing runs if the question is refused', async () => {
    const before = await outbox(platform, 101);
    const refuse = (): Promise<void> => Promise.reject(new Error('not today'));
    await expect(runAction(on(platform, 'notify-admins'), { confirm: refuse })).rejects.toThrow('not today');
    expect(await outbox(platform, 101)).toEqual(before);
  });

test('a run whose page crashes is interrupted', async () => {
  const shared = await sharedRunBrowser();
  const crash = async (): Promise<void> => {
    const [page] = await shared.browser.pages();
    const session = await page!.createCDPSession();
    await session.send('Page.crash').catch(() => undefined);
  };
  let hasCrashed = false;
  const onProgress = ({ kind }: RunProgress): void => {
    if (kind !== 'step' || hasCrashed) return;
    hasCrashed = true;
    void crash();
  };
  const startBrowser = () => Promise.resolve(shared);
  const { run, recording } = await runAction(on(platform, 'never-ends'), { startBrowser, onProgress });
  expect(run).toMatchObject({
    state: 'interrupted',
    failure: { code: 'PAGE_CRASHED', hint: 'Check what the action has done before you run it again.' },
  });
  expect(run.steps.length).toBeGreaterThan(0);
  expect(recording).toBeNull();
});

describe('mocks', () => {
  const elsewhere = (): Pick<RunArgs, 'connection' | 'appId' | 'action'> => ({
    connection: { baseUrl: foreign.origin, token: 'a-token-of-elsewhere' },
    appId: 7,
    action: '2',
  });
  const step = [{ target: { path: '/2' }, outcome: { value: 'MOCKED' } }];

  test('that the platform’s runtime would ignore keep the run from starting, and apply with our engine', async () => {
    await expect(runAction({ ...elsewhere(), mocks: step })).rejects.toMatchObject({
      value: { code: 'MOCKS_UNAVAILABLE', hint: 'Try --engine ours.' },
    });
    const { run } = await runAction({ ...elsewhere(), mocks: step, engine: 'ours' });
    expect(run).toMatchObject({ state: 'completed', result: 'MOCKED', mocks: 1 });
  });

  // The unit tests of mocks have these rules.
  if (isExhaustive())
    test('of a step that isn’t there keep the run from starting, and an unused package is a warning', async () => {
      const missing = [{ target: { path: '/9' }, outcome: {} }];
      await expect(runAction({ ...elsewhere(), mocks: missing })).rejects.toMatchObject({ code: 'MOCK_UNMATCHED' });
      const unused = [{ target: { package: 'com.example.function.other' }, outcome: {} }];
      const { run } = await runAction({ ...elsewhere(), mocks: unused, engine: 'ours' });
      expect(run.warnings).toEqual(['Mock 1: The pipeline has no step that matches com.example.function.other.']);
    });
});

test('a run that can’t be recorded isn’t started if it must be', async () => {
  const connection = { baseUrl: foreign.origin, token: 'a-token-of-elsewhere' };
  await expect(runAction({ connection, appId: 7, action: '1', mustRecord: true })).rejects.toMatchObject({
    code: 'RECORDING_UNAVAILABLE',
  });
});

describe('an action', () => {
  test('that isn’t there is refused with the name that was probably meant', async () => {
    const wanted = { ...on(platform, 'notify-admins'), action: 'notify-admin' };
    await expect(runAction(wanted)).rejects.toMatchObject({
      value: {
        code: 'ACTION_NOT_FOUND',
        message: 'Couldn’t find an action “notify-admin” in the app’s list. Did you mean “notify-admins”?',
      },
    });
    await expect(runAction({ ...wanted, action: '999999' })).rejects.toMatchObject({ value: { status: 404 } });
  });

  // Commands that only read have this rule, too.
  if (isExhaustive())
    test('needs its ID on a platform that doesn’t list actions', async () => {
      const wanted = { ...on(specOnly, 'notify-admins'), action: 'notify-admins' };
      await expect(runAction(wanted)).rejects.toMatchObject({ code: 'ACTIONS_NOT_LISTED' });
    });

  test('isn’t opened with a token that the platform doesn’t know, or with a payload that is too large', async () => {
    const wanted = on(platform, 'notify-admins');
    const connection = { baseUrl: platform.baseUrl, token: 'unknown-token' };
    await expect(runAction({ ...wanted, connection })).rejects.toMatchObject({ code: 'TOKEN_REFUSED' });
    const payload = JSON.stringify({ text: 'x'.repeat(2_048) });
    await expect(runAction({ ...wanted, payload })).rejects.toMatchObject({ code: 'PAYLOAD_TOO_LARGE' });
    await expect(runAction({ ...wanted, payload: '[]' })).rejects.toMatchObject({ code: 'PAYLOAD_NOT_OBJECT' });
  });
});
