/** The code’s run as a recording: Compare shows no difference for a right translation, and the place of a wrong one. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseRecording, type Recording, replay, writeRecording } from '../../../lib/debugging/index.ts';
import { comparedRun, compareRuns, type Comparison } from '../../../lib/extension/panel/run/compare/compare-runs.ts';
import { runOfRecording } from '../../../lib/extension/panel/run/recordings/run-of-recording.ts';
import { instrument, recordingOf } from '../../../lib/migrate/index.ts';
import type { Pipeline, PipelineFunction, PipelineStep } from '../../../lib/pipeline/index.ts';
import { casesOf } from '../../support/exhaustive.ts';
import * as random from '../pipeline/random-pipelines.ts';
import { load, recordings } from './recorded-runs.ts';
import { migrated, sourcesOf } from './run-both.ts';
import { each, own, say, set, use, when } from './steps.ts';

async function compared(before: Recording, now: Recording): Promise<Comparison> {
  const run = async (recording: Recording, id: string) => {
    const { record, trace } = await runOfRecording(recording, { id, tabId: 1, url: '', title: '' } as never);
    return comparedRun(record, trace);
  };
  return compareRuns(await run(before, 'v2'), await run(now, 'v3'));
}

/** The rows that differ: the step or `end`, and how. */
const rowsOf = ({ rows }: Comparison): unknown[] =>
  rows
    .filter(({ kinds }) => kinds.length > 0)
    .map(({ what, before, now, kinds }) => [
      what === 'step' ? [(now ?? before)?.path, ...((now ?? before)?.iteration ?? [])].join(' ') : what,
      ...kinds,
    ]);

async function codeRun(
  pipeline: Pipeline,
  payload: Record<string, unknown>,
  edit: (code: string) => string = (code) => code,
  functions: Record<string, PipelineFunction> = {},
): Promise<{ before: Recording; now: Recording }> {
  const { code } = migrated({ name: 'run', functions: pipeline }, { sources: sourcesOf(functions) });
  const [before] = await recordings(pipeline, functions, [payload]);
  return { before: before!, now: await recordingOf(instrument(edit(code)), before!, { load }) };
}

test('random pipelines: the code’s run is like the recorded one, and a recording of its own', async () => {
  const { functions } = random;
  await fc.assert(
    fc.asyncProperty(random.pipeline, random.payload, async (pipeline, payload) => {
      const { before, now } = await codeRun(pipeline, payload, undefined, functions);
      expect(rowsOf(await compared(before, now))).toEqual([]);
      expect(now.end).toEqual(before.end);
      expect(parseRecording(writeRecording(now))).toMatchObject({ ok: true });
      expect((await replay(now)).state).not.toBe('diverged');
    }),
    casesOf(30, 100),
  );
});

const email = (to: string): PipelineStep => own('send-email', { to, subject: 'Hello', html: 'x' });
const functions: Record<string, PipelineFunction> = {
  boom: () => {
    throw new TypeError('boom');
  },
  skip: () => Promise.reject(),
};

describe('a difference is seen where it is', () => {
  test.each<[string, Pipeline, Record<string, unknown>, (code: string) => string, unknown[]]>([
    [
      'another block',
      [{ ...when('a', set({ b: '1' })), elseFunctions: [set({ b: '2' })] }, say('x')],
      { a: 1 },
      (code) => code.replace('if (data.a)', 'if (!data.a)'),
      [['/0', 'condition', 'state']],
    ],
    [
      'no block',
      [when('a', set({ b: '1' })), say('x')],
      { a: 1 },
      (code) => code.replace('if (data.a)', 'if (!data.a)'),
      [
        ['/0', 'condition'],
        ['/0/conditions/0/functions/0', 'missing'],
      ],
    ],
    [
      'another argument',
      [set({ b: '1' }), email('a@b.c'), say('x')],
      {},
      (code) => code.replace("'a@b.c'", "'b@b.c'"),
      [['/1', 'settings', 'state']],
    ],
    [
      'another argument in a later iteration',
      [each('list', email('{{currentItem}}'))],
      { list: ['a', 'b', 'c'] },
      (code) => code.replace('requireString(item', "requireString(item === 'b' ? 'x' : item"),
      [
        ['/0', 'state'],
        ['/0/functions/0 1', 'state', 'network'],
      ],
    ],
    [
      'another value in the context',
      [set({ b: '1' }), set({ c: '2' }), say('x')],
      {},
      (code) => code.replace('data.b = 1', 'data.b = 3'),
      [['/0', 'changes']],
    ],
    [
      'fewer iterations',
      [{ type: 'loop', range: { from: 1, to: 3 }, functions: [set({ a: 'currentItem' })] }, say('x')],
      {},
      (code) => code.replace('number <= 3', 'number < 3'),
      [
        ['/0', 'iterations'],
        ['/0/functions/0 2', 'missing'],
      ],
    ],
    ['another result', [say('x')], {}, (code) => code.replace("'x'", "'y'"), [['end', 'result']]],
    [
      'a failure that V2 didn’t have',
      [set({ a: '1' }), say('x')],
      {},
      (code) => code.replace('data.a = 1;', "data.a = 1; throw new RangeError('no');"),
      [
        ['/0', 'state'],
        ['/1', 'missing'],
        ['end', 'outcome'],
      ],
    ],
    [
      'a failure that is swallowed',
      [use('boom'), say('after')],
      {},
      (code) => code.replace("await run('boom', {});", "await run('boom', {}).catch(() => 0);"),
      [
        ['/0', 'state'],
        ['/1', 'missing'],
        ['end', 'outcome'],
      ],
    ],
    [
      'nested steps that V2 skipped',
      [use('skip', {}, [set({ a: '1' })]), say('x')],
      {},
      (code) => code.replace("if (await run('skip', {}))", "if (!(await run('skip', {})))"),
      [
        ['/0', 'skipped'],
        ['/0/functions/0', 'missing'],
      ],
    ],
    [
      'nothing more',
      [set({ a: '1' }), email('a@b.c')],
      {},
      (code) => code.replace('// /1', '// /1\nreturn;').replace('// /1\n', ''),
      [['/1', 'missing']],
    ],
  ])('%s', async (_, pipeline, payload, edit, expected) => {
    const { before, now } = await codeRun(pipeline, payload, edit, functions);
    const rows = rowsOf(await compared(before, now)) as unknown[][];
    for (const row of expected) expect(rows).toContainEqual(row);
    expect(rows[0]).toEqual(expected[0]);
    expect(parseRecording(writeRecording(now))).toMatchObject({ ok: true });
  });
});
