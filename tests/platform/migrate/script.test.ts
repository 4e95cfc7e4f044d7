/** The command on a real local platform: what it reads, writes, and prints, and its exit codes. */
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Tokens } from '../../../lib/cli/command/output.ts';
import { placeOf } from '../../../lib/cli/files.ts';
import { migrateApp } from '../../../lib/cli/migrate/migrate-app.ts';
import type { ActionReport } from '../../../lib/cli/migrate/types.ts';
import { type Ran, runCli } from '../../support/run-cli.ts';
import { start, startForTest, temporaryFolder, type TestPlatform } from '../support/platform.ts';

/** The app has no others here. `tests/exhaustive/platform/migrate/demo-actions.test.ts` migrates all. */
const ACTIONS = ['number-range', 'throws-on-bad-address', 'count-open-visits'];

let platform: TestPlatform;
beforeAll(async () => {
  platform = await start({ oauthDemoPort: null });
  const { body } = await platform.ask<{ actions: { id: number; name: string }[] }>('/v1/apps/101/actions');
  for (const { id, name } of body.actions)
    if (!ACTIONS.includes(name)) await platform.ask(`/v1/apps/101/actions/${id}?by=id`, { method: 'DELETE' });
  for (const [id, payload] of [
    [1004, {}],
    [1005, {}],
  ] as const)
    await platform.ask(`/v1/apps/101/actions/${id}/run-with-result`, { body: { payload, record: true } });
});
afterAll(() => platform.close());

/** Runs the command with the platform’s token. */
const run = (args: string[], env: Record<string, string> = { PLATFORM_TOKEN: platform.authToken }): Promise<Ran> =>
  runCli(['migrate', ...args], { env });

const onPlatform = (...args: string[]): string[] => ['--url', platform.baseUrl, '--app', '101', ...args];
const reportIn = async (out: string, name: string): Promise<ActionReport> =>
  JSON.parse(await readFile(join(out, name, 'report.json'), 'utf8')) as ActionReport;

test('an action with a recorded run of all its branches is proved, and the exit code is 0', async () => {
  const out = await temporaryFolder();
  const { code, out: text, error } = await run(onPlatform('--action', 'number-range', '--out', out));
  expect({ code, error }).toEqual({ code: 0, error: '' });
  expect(text).toMatch(/^number-range  proved  2 of 2 +\d of \d$/m);
  expect(text).toContain('1 action: 1 proved. Nothing was changed on the platform.');
  expect(await readdir(out)).toEqual(['number-range']);
  expect(await reportIn(out, 'number-range')).toMatchObject({ status: 'proved', name: 'number-range' });
});

describe('all actions of an app', () => {
  let out: string;
  let ran: Ran;
  beforeAll(async () => {
    out = await mkdtemp(join(tmpdir(), 'platform-test-'));
    ran = await run(onPlatform('--out', out, '--json'));
  });
  afterAll(() => rm(out, { recursive: true, force: true }));

  test('are migrated, with the exit code of the worst', async () => {
    const { actions } = JSON.parse(ran.out) as { actions: { name: string; report: ActionReport }[] };
    const statuses = Object.fromEntries(actions.map(({ name, report }) => [name, report.status]));
    expect(statuses).toMatchObject({ 'number-range': 'proved', 'count-open-visits': 'needs-person' });
    expect(ran.code).toBe(2);
    expect((await readdir(out)).sort()).toEqual(Object.keys(statuses).sort());
    // The package’s source came from the platform.
    expect(await readFile(join(out, 'throws-on-bad-address/action.v3.js'), 'utf8')).toContain('isn’t an email address');
  });

  test('have the same bytes when the input is the same', async () => {
    const files = async (): Promise<string[]> =>
      Promise.all(
        ['action.v3.js', 'action.v3.json', 'report.json'].map((name) =>
          readFile(join(out, 'throws-on-bad-address', name), 'utf8'),
        ),
      );
    const first = await files();
    await run(onPlatform('--action', 'throws-on-bad-address', '--out', out, '--force'));
    expect(await files()).toEqual(first);
  });
});

test('the token of a file is used, and never printed', async () => {
  const folder = await temporaryFolder();
  await writeFile(join(folder, 'token'), 'a-wrong-token');
  const ran = await run(onPlatform('--token-file', join(folder, 'token')));
  expect(ran).toMatchObject({ code: 5, error: expect.stringContaining('TOKEN_') });
  expect(JSON.stringify(ran)).not.toContain('a-wrong-token');
});

describe('edited code', () => {
  let migrated: string;
  beforeAll(async () => {
    migrated = await mkdtemp(join(tmpdir(), 'platform-test-'));
    await run(onPlatform('--action', 'number-range', '--out', migrated));
  });
  afterAll(() => rm(migrated, { recursive: true, force: true }));

  async function edited(edit: (code: string) => string): Promise<string> {
    const out = await temporaryFolder();
    await cp(migrated, out, { recursive: true });
    const file = join(out, 'number-range/action.v3.js');
    await writeFile(file, edit(await readFile(file, 'utf8')));
    return out;
  }
  const proving = (out: string): string[] => onPlatform('--action', 'number-range', '--out', out, '--prove');

  test('isn’t overwritten, and is proved again', async () => {
    const out = await edited((code) => code.replace('const data', '// Mine.\n  const data'));
    expect(await run(onPlatform('--action', 'number-range', '--out', out))).toMatchObject({
      code: 4,
      out: expect.stringContaining('FILE_CHANGED'),
    });
    expect((await run(proving(out))).code).toBe(0);
    expect(await readFile(join(out, 'number-range/action.v3.js'), 'utf8')).toContain('// Mine.');
  });

  test('gets its dependencies, and what you have changed beside it stays', async () => {
    const out = await edited((code) =>
      code.replace('const data', "await Platform.Notifications.send({ title: 'a', message: 'b' });\n  const data"),
    );
    const file = join(out, 'number-range/action.v3.json');
    const draft = async () =>
      JSON.parse(await readFile(file, 'utf8')) as { description: unknown; dependencies: string[] };
    const before = await draft();
    await writeFile(file, JSON.stringify({ ...before, description: 'Mine.' }));
    await run(proving(out));
    expect(await draft()).toEqual({
      ...before,
      description: 'Mine.',
      dependencies: [...before.dependencies, 'platform-notifications'].sort(),
    });
  });

  test('beside a damaged file is an error that names it', async () => {
    const out = await edited((code) => code);
    await writeFile(join(out, 'number-range/action.v3.json'), '{"name":');
    expect(await run(proving(out))).toMatchObject({ code: 4, out: expect.stringContaining('action.v3.json') });
  });

  test('that differs has exit code 3, and the summary names the step', async () => {
    const out = await edited((code) => code.replace('% 2 === 0', '% 2 === 1'));
    expect(await run(proving(out))).toMatchObject({
      code: 3,
      out: expect.stringContaining('number-range: V3 differs at /1/functions/'),
    });
  });

  test('that V3 refuses isn’t proved', async () => {
    const out = await edited((code) => `${code}\nconst other = 1;\n`);
    expect(await run(proving(out))).toMatchObject({
      code: 4,
      out: expect.stringContaining('CODE_VALIDATION_FAILED'),
    });
  });

  test('that never ends is an error, and not a wait', async () => {
    const out = await edited((code) => code.replace('const data', 'for (;;);\n  const data'));
    const { authToken: token, baseUrl } = platform;
    const from = { connection: { baseUrl, token }, appId: 101, names: ['number-range'] };
    const options = {
      sources: new Map(),
      recordings: null,
      force: false,
      prove: true,
      effects: false,
      timeLimit: 2_000,
    };
    expect(await migrateApp({ from, out: placeOf(out, out), tokens: new Tokens(), ...options })).toMatchObject({
      ok: true,
      value: [{ error: { code: 'CODE_ENDLESS' } }],
    });
  });
});

describe('without a platform', () => {
  const functions = [
    { functionPackage: 'com.acme.double', settings: { n: 2 } },
    { functionPackage: 'com.platform.function.return-string', settings: { message: '{{doubled}}' } },
  ];

  async function files(): Promise<string> {
    const folder = await temporaryFolder();
    await writeFile(join(folder, 'a.json'), JSON.stringify({ name: 'A', functions }));
    const source = `Platform.Functions.register('com.acme.double', (s, c) => void (c.doubled = s.n * 2));`;
    await writeFile(join(folder, 'double.js'), source);
    return folder;
  }

  test('an action, its package, and its recordings are read from files', async () => {
    const folder = await files();
    const own = await startForTest({ oauthDemoPort: null, functions: folder });
    await own.ask('/v1/apps/101/actions', { body: { name: 'A', functions } });
    await own.ask('/v1/apps/101/actions/A/run-with-result', { body: { record: true } });
    const { logs } = (await own.ask<{ logs: { id: number }[] }>('/v1/apps/101/logs?type=app.action.completed')).body;
    const recording = await own.ask(`/v1/apps/101/logs/${logs[0]!.id}/recording`);
    await mkdir(join(folder, 'runs'));
    await writeFile(join(folder, 'runs/a.run.json'), recording.text);
    const args = ['--action-file', join(folder, 'a.json'), '--source', `com.acme.double=${join(folder, 'double.js')}`];
    const out = join(folder, 'out');
    expect(await run([...args, '--recordings', join(folder, 'runs'), '--out', out], {})).toMatchObject({ code: 1 });
    const [name = ''] = await readdir(out);
    const { steps } = await reportIn(out, name);
    expect(steps.map(({ status, runs }) => `${status} ${runs}`)).toEqual(['faithful 1', 'proved 1']);
  });

  test('both versions really run, with generated payloads, too, and another effect is a difference', async () => {
    const folder = await temporaryFolder();
    const notify = (message: string) => ({
      functionPackage: 'com.platform.function.send-notification',
      settings: { title: 'Hi', message },
    });
    const conditions = [{ condition: 'name === "Zoe"', functions: [notify('one'), notify('two')] }];
    const file = join(folder, 'wrong.json');
    await writeFile(
      file,
      JSON.stringify({ name: 'wrong', functions: [{ type: 'if', conditions, elseFunctions: [] }] }),
    );
    const out = join(folder, 'out');
    const options = {
      from: { files: [file] },
      out: placeOf(out, folder),
      tokens: new Tokens(),
      sources: new Map(),
      recordings: null,
      force: false,
    };
    await migrateApp({ ...options, prove: false, effects: false });
    const code = join(out, (await readdir(out))[0]!, 'action.v3.js');
    await writeFile(code, (await readFile(code, 'utf8')).replace("'two'", "'another'"));
    const proved = await migrateApp({ ...options, prove: true, effects: true, profiles: ['plain'] });
    const [wrong] = proved.ok ? proved.value.map((each) => ('report' in each ? each.report : null)) : [];
    expect(wrong).toMatchObject({ status: 'differs', effects: [{ profile: 'plain', state: 'differs' }] });
    const { runs } = wrong!.effects![0]!;
    expect(runs[0]).toMatchObject({ payload: {}, messages: 0, differences: [] });
    const differences = [{ what: 'message', index: 1, place: '/message', v2: 'two', v3: 'another' }];
    const zoe = { payload: { name: 'Zoe' }, generated: true, messages: 2, differences };
    expect(runs).toContainEqual(expect.objectContaining(zoe));
  });

  test('a package whose source isn’t known blocks the action', async () => {
    const folder = await files();
    const ran = await run(['--action-file', join(folder, 'a.json'), '--out', join(folder, 'out')], {});
    expect(ran).toMatchObject({ code: 2, out: expect.stringContaining('The source of the package isn’t known.') });
  });

  test.each([
    ['a missing file', 'missing.json', undefined, 'FILE_NOT_READ'],
    ['a file that isn’t an action', 'x.json', '{"name": "x"}', 'ACTION_FILE_INVALID'],
    ['a file that isn’t JSON', 'x.json', '<html>', 'ACTION_FILE_INVALID'],
  ])('%s is named', async (_, name, content, code) => {
    const folder = await temporaryFolder();
    if (content !== undefined) await writeFile(join(folder, name), content);
    const ran = await run(['--action-file', join(folder, name)], {});
    expect(ran).toMatchObject({ code: 5, error: expect.stringContaining(`(${code})`) });
  });

  test('two actions with the same name aren’t written over each other', async () => {
    const file = join(await files(), 'a.json');
    expect(await run(['--action-file', file, '--action-file', file], {})).toMatchObject({
      code: 5,
      error: expect.stringContaining('ACTION_TWICE'),
    });
  });

  test('a recording that is damaged is named by its file', async () => {
    const folder = await files();
    await mkdir(join(folder, 'runs'));
    await writeFile(join(folder, 'runs/broken.json'), '{"format":');
    const args = ['--action-file', join(folder, 'a.json'), '--recordings', join(folder, 'runs')];
    expect((await run(args, {})).error).toMatch(/^broken\.json: .*\(RECORDING_NOT_JSON\)\n$/);
  });
});

test('on a platform that offers only what the specification shows, the message says what to do', async () => {
  const specOnly = await startForTest({ specOnly: true, oauthDemoPort: null });
  const ran = await run(['--app', '101', '--url', specOnly.baseUrl], { PLATFORM_TOKEN: specOnly.authToken });
  expect(ran).toMatchObject({ code: 5, out: '' });
  expect(ran.error).toMatch(
    /may not offer them over REST\. Copy the JSON .* with --action-file\. \(ACTIONS_NOT_LISTED\)/,
  );
});

test('an unknown action or app is an error', async () => {
  expect((await run(onPlatform('--action', 'no-such-action'))).error).toContain('(ACTION_NOT_FOUND)');
  expect((await run(['--url', platform.baseUrl, '--app', '999'])).error).toContain('(NOT_FOUND)');
});

test('a wrong argument has exit code 64, and --json prints errors as JSON', async () => {
  expect((await run(['--aap', '101'])).code).toBe(64);
  const { out } = await run(['--aap', '101', '--json']);
  expect(JSON.parse(out)).toMatchObject({ error: { code: 'ARGUMENT_INVALID' } });
});
