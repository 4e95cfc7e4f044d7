/** Tests `replay`: arguments, texts, JSON, and exit codes. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseRecording } from '../../../../lib/debugging/recording/file/parse.ts';
import type { Recording } from '../../../../lib/debugging/recording/format.ts';
import type { Pipeline } from '../../../../lib/pipeline/index.ts';
import { type Ran, runCli } from '../../../support/run-cli.ts';
import { record } from '../../debugging/record.ts';

const pipeline: Pipeline = [
  {
    type: 'if',
    conditions: [{ condition: 'user.age >= 18', functions: [{ function: 'com.example.function.admit' }] }],
    elseFunctions: [{ function: 'com.example.function.refuse' }],
  },
];
const functions = {
  'com.example.function.admit': () => 'admitted',
  'com.example.function.refuse': () => 'refused',
};

let folder: string;
let recording: Recording;
const save = (name: string, value: unknown): Promise<void> =>
  writeFile(join(folder, name), typeof value === 'string' ? value : JSON.stringify(value));
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'replay-'));
  ({ recording } = await record(pipeline, functions, { payload: { user: { age: 18 } } }));
  await save('same.run.json', recording);
  await save('different.run.json', { ...recording, payload: { user: { age: 17 } } });
  await save('unknown.run.json', { ...recording, payload: { $: 'lost', value: 'masked' } });
  await save('damaged.run.json', '{"format": "platform-devtools/run"');
  const set = {
    name: 'all',
    mocks: [{ target: { package: 'com.example.function.refuse' }, outcome: { value: 'MOCK' } }],
  };
  await save('mocks.json', { format: 'platform-devtools/mocks', version: 1, sets: [set] });
});
afterAll(() => rm(folder, { recursive: true }));

const replay = (...args: string[]): Promise<Ran> => runCli(['replay', ...args], { cwd: folder });
const json = async (...args: string[]): Promise<unknown> => JSON.parse((await replay(...args, '--json')).out);

describe('replay', () => {
  it('says that a replay did the same, with exit code 0', async () => {
    expect(await replay('same.run.json')).toEqual({
      code: 0,
      out: 'same  same.run.json\n  2 steps, completed: "admitted"\n',
      error: '',
    });
  });

  it('shows the first difference, with exit code 2', async () => {
    expect(await replay('different.run.json')).toEqual({
      code: 2,
      out:
        'different  different.run.json\n' +
        '  The replay first differs at /0: another branch ran.\n' +
        '    recorded: branch 1\n' +
        '    replayed: else\n',
      error: '',
    });
  });

  it('says where a replay depends on a value that the recording doesn’t have', async () => {
    const { code, out } = await replay('unknown.run.json');
    expect(code).toBe(2);
    expect(out).toContain('Couldn’t replay further than the start. The recording doesn’t have this value');
  });

  it('has a stable JSON document', async () => {
    expect(await json('same.run.json', 'different.run.json')).toEqual({
      replays: [
        { name: 'same.run.json', outcome: 'same', steps: 2, end: { state: 'completed', result: 'admitted' } },
        {
          name: 'different.run.json',
          outcome: 'different',
          steps: 2,
          divergence: { what: 'branch', path: '/0', iteration: [], recorded: 0, replayed: 'else' },
        },
      ],
    });
  });

  it('expands a pattern that the shell didn’t', async () => {
    const { replays } = (await json('*e.run.json', 'd*t.run.json')) as { replays: { name: string }[] };
    expect(replays.map(({ name }) => name)).toEqual(['same.run.json', 'different.run.json']);
    expect(await replay('none-*.run.json')).toMatchObject({ code: 74 });
  });

  it('replays the other files after one that can’t be opened, and fails with a single one', async () => {
    const both = await replay('damaged.run.json', 'same.run.json');
    expect(both.code).toBe(1);
    expect(both.out).toContain('error  damaged.run.json');
    expect(both.out).toContain('same  same.run.json');
    const single = await replay('damaged.run.json');
    expect(single).toMatchObject({ code: 1, out: '' });
    expect(single.error).toContain('(RECORDING_NOT_JSON)');
    expect(await json('missing.run.json')).toMatchObject({ error: { code: 'FILE_NOT_READ' } });
  });

  it('needs files or a log record, and not both', async () => {
    for (const args of [[], ['same.run.json', '--log', '3']])
      expect(await replay(...args)).toMatchObject({ code: 64, error: expect.stringContaining('(ARGUMENT_INVALID)') });
  });
});

describe('replay with a change', () => {
  it('shows both ends and the branches that changed', async () => {
    expect(await replay('same.run.json', '--set', '/user/age=17', '--mocks', 'mocks.json')).toEqual({
      code: 0,
      out:
        'changed  same.run.json\n' +
        '  recorded: 2 steps, completed: "admitted"\n' +
        '  replayed: 2 steps, completed: "MOCK"\n' +
        '  /0: branch 1 → else\n',
      error: '',
    });
  });

  it('has exit code 2 if the recorded run has no outcome for a function', async () => {
    const { code, out } = await replay('same.run.json', '--payload', '{"user": {"age": 17}}');
    expect(code).toBe(2);
    expect(out).toContain('ended at /0/elseFunctions/0: the recorded run has no outcome for this call of refuse');
  });

  it('takes the payload from standard input, and the pipeline from an action’s file', async () => {
    await save('action.json', { action: { functions: [pipeline[0], { function: 'com.example.function.admit' }] } });
    const ran = await runCli(
      ['replay', 'same.run.json', '--payload-file', '-', '--pipeline', 'action.json', '--json'],
      {
        cwd: folder,
        input: '\uFEFF{"user": {"age": 30}}',
      },
    );
    expect(JSON.parse(ran.out)).toMatchObject({
      replays: [
        {
          outcome: 'changed',
          branches: [],
          replayed: {
            end: {
              state: 'other-input',
              path: '/0/conditions/0/functions/0',
              input: { of: 'context', pointer: '/user/age', recorded: '18', replayed: '30' },
            },
          },
        },
      ],
    });
    const { out } = await replay('same.run.json', '--pipeline', 'action.json');
    expect(out).toContain('ended at /1: the recorded run has no outcome for this call of admit');
  });

  it('doesn’t have the recorded outcome for another payload, and says what is different, with exit code 2', async () => {
    const { code, out } = await replay('same.run.json', '--set', '/user/age=20');
    expect(code).toBe(2);
    expect(out).toContain(
      'unknown from /0/conditions/0/functions/0 on: admit would get other input. “user.age” in the context would be 20, and was 18 when it was recorded.',
    );
  });

  it('writes the replayed run as a recording', async () => {
    await replay('same.run.json', '--set', '/user/age=20', '--out', 'changed.run.json');
    const written = parseRecording(await readFile(join(folder, 'changed.run.json'), 'utf8'));
    expect(written.ok && written.value.payload).toEqual({ user: { age: 20 } });
  });

  it.each([
    [['--set', 'user=1'], 'must be a JSON Pointer'],
    [['--set', '/user/age=old'], 'isn’t JSON'],
    [['--set', '/nobody/age=1'], 'has no object at /nobody'],
    [['--payload', '{'], 'isn’t JSON'],
    [['--payload', '[]'], 'must be an object'],
    [['--payload', '{}', '--set', '/a=1'], 'can’t be used with --payload'],
    [['--payload', '{}', '--payload-file', 'x'], 'can’t be used together'],
    [['--pipeline', 'mocks.json'], 'has no pipeline'],
    [['--out', 'x.run.json'], '--out needs a change'],
  ])('refuses %j', async (args, message) => {
    const ran = await replay('same.run.json', ...args);
    expect(ran).toMatchObject({ code: 64, out: '', error: expect.stringContaining(message) });
  });

  it('ends at a limit if a loop of the changed pipeline takes too long, with steps or without', async () => {
    const loop = { type: 'loop', range: { from: 1, to: 1_000_000_000 } };
    await save('endless.json', [{ ...loop, functions: [{ function: 'com.example.function.refuse' }] }]);
    await save('empty.json', [loop]);
    for (const pipelineFile of ['endless.json', 'empty.json']) {
      const ran = await replay('same.run.json', '--pipeline', pipelineFile, '--mocks', 'mocks.json');
      expect(ran).toMatchObject({ code: 1, error: expect.stringContaining('(REPLAY_TOO_LONG)') });
    }
    await save('empty.run.json', { ...recording, pipeline: [loop], steps: [] });
    expect((await replay('empty.run.json')).error).toContain('(REPLAY_TOO_LONG)');
    expect((await runCli(['explain', 'empty.run.json'], { cwd: folder })).error).toContain('(REPLAY_TOO_LONG)');
  });

  it('says that a recording can’t be written', async () => {
    const ran = await replay('same.run.json', '--set', '/user/age=20', '--out', 'missing/changed.run.json');
    expect(ran).toMatchObject({ code: 74, error: expect.stringContaining('(FILES_NOT_WRITTEN)') });
  });
});
