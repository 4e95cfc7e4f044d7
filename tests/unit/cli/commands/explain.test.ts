/** Tests `explain`: arguments, texts, and JSON. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Pipeline } from '../../../../lib/pipeline/index.ts';
import { type Ran, runCli } from '../../../support/run-cli.ts';
import { record } from '../../debugging/record.ts';

const pipeline: Pipeline = [
  {
    type: 'loop',
    items: 'users',
    functions: [
      { type: 'if', conditions: [{ condition: 'currentItem.data.admin', functions: [{ function: 'send' }] }] },
    ],
  },
  { type: 'if', conditions: [{ condition: 'user.emial.length > 3', functions: [] }] },
];
const payload = { users: [{ data: { admin: true } }, { data: { Admin: true } }], user: { email: 'a@b.example' } };

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'explain-'));
  const { recording } = await record(pipeline, { send: () => undefined }, { payload });
  await writeFile(join(folder, 'a.run.json'), JSON.stringify(recording));
  const many = { users: Array.from({ length: 600 }, () => ({ data: {} })), user: payload.user };
  const long = await record(pipeline, { send: () => undefined }, { payload: many });
  await writeFile(join(folder, 'long.run.json'), JSON.stringify(long.recording));
  const hostile = { ...payload, users: [{ data: { admin: '\u001b[2J\u202e' } }] };
  const bad = await record(pipeline, { send: () => undefined }, { payload: hostile });
  await writeFile(join(folder, 'hostile.run.json'), JSON.stringify(bad.recording));
});
afterAll(() => rm(folder, { recursive: true }));

const explain = (...args: string[]): Promise<Ran> => runCli(['explain', ...args], { cwd: folder });

describe('explain', () => {
  it('has a line for why the run failed, and one for each if', async () => {
    const { code, out, error } = await explain('a.run.json');
    expect([code, error]).toEqual([0, '']);
    expect(out.split('\n')).toEqual([
      expect.stringMatching(/^failed at \/1: .*\(CONDITION_FAILED\)$/),
      'user.emial is undefined. Did you mean “email”?',
      '/0/functions/0, iteration 1: branch 1  true: true',
      '/0/functions/0, iteration 2: no branch  false: undefined  currentItem.data.admin is undefined. Did you mean “Admin”?',
      expect.stringMatching(/^\/1: failed {2}failed: .*Did you mean “email”\?$/),
      '',
    ]);
  });

  it('has the values of each part of one step', async () => {
    const { out } = await explain('a.run.json', '--step', '/0/functions/0', '--iteration', '2');
    expect(out.split('\n').slice(2)).toEqual([
      '/0/functions/0, iteration 2: no branch',
      '  when currentItem.data.admin: false',
      '    currentItem.data.admin  →  undefined',
      '      currentItem.data  →  {Admin: true}',
      '        currentItem  →  {data: {Admin: true}}',
      '  currentItem.data.admin is undefined. Did you mean “Admin”?',
      '',
    ]);
  });

  it('says that a step didn’t run, and why', async () => {
    const step = '/0/functions/0/conditions/0/functions/0';
    const { out } = await explain('a.run.json', '--step', step, '--iteration', '2');
    expect(out).toContain(`${step} didn’t run.\n/0/functions/0, iteration 2: no branch\n`);
  });

  it('has a JSON document', async () => {
    const { explanation } = JSON.parse((await explain('a.run.json', '--json')).out) as {
      explanation: { failure: string; steps: unknown[] };
    };
    expect(explanation.failure).toBe('user.emial is undefined. Did you mean “email”?');
    expect(explanation.steps[1]).toEqual({
      path: '/0/functions/0',
      iteration: [1],
      branch: null,
      state: 'evaluated',
      conditions: [
        {
          state: 'false',
          source: 'currentItem.data.admin',
          text: 'undefined',
          hints: ['currentItem.data.admin is undefined. Did you mean “Admin”?'],
        },
      ],
    });
  });

  it('cuts long lists, but not in the JSON', async () => {
    const { out } = await explain('long.run.json');
    expect(out.trimEnd().split('\n').at(-1)).toBe('… 101 more steps. Use --json to see all of them.');
    const { explanation } = JSON.parse((await explain('long.run.json', '--json')).out) as {
      explanation: { steps: unknown[] };
    };
    expect(explanation.steps).toHaveLength(601);
  });

  it('shows control characters of values as text', async () => {
    const { out } = await explain('hostile.run.json', '--step', '/0/functions/0');
    // eslint-disable-next-line no-control-regex
    expect(out).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u202e]/);
    expect(out).toContain('\\u001b[2J\\u202e');
  });

  it.each([
    [[], 64, 'Either files of recordings or --log is required.'],
    [['a.run.json', '--iteration', '1'], 64, '--iteration needs --step.'],
    [['a.run.json', '--step', '/0', '--iteration', '0'], 64, 'must be numbers from 1 on'],
    [['a.run.json', '--step', '/9'], 1, '(STEP_NOT_FOUND)'],
    [['missing.run.json'], 74, '(FILE_NOT_READ)'],
    [['a.run.json', 'b.run.json'], 64, '(ARGUMENT_INVALID)'],
    [['a.run.json', '--stp', '/0'], 64, 'Did you mean “--step”?'],
  ])('refuses %j', async (args, code, message) => {
    expect(await explain(...args)).toMatchObject({ code, out: '', error: expect.stringContaining(message) });
  });
});
