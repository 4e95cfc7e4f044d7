/** Generated runs take branches that nobody recorded, in V2’s own engine, and count less than recorded ones. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseRecording, type Recording, replay, writeRecording } from '../../../lib/debugging/index.ts';
import { generateRuns, prove } from '../../../lib/migrate/index.ts';
import type { Pipeline, PipelineFunction } from '../../../lib/pipeline/index.ts';
import { casesOf, isExhaustive } from '../../support/exhaustive.ts';
import * as random from '../pipeline/random-pipelines.ts';
import { load, recordings } from './recorded-runs.ts';
import { migrated, sourcesOf } from './run-both.ts';
import { each, own, say, set, use, when } from './steps.ts';

const CASES = casesOf(8, 25);

async function proofOf(
  pipeline: Pipeline,
  recorded: Recording[],
  functions: Record<string, PipelineFunction> = {},
  tries = 300,
) {
  const { code, report } = migrated({ name: 'generated', functions: pipeline }, { sources: sourcesOf(functions) });
  const generated = await generateRuns(pipeline, { recordings: recorded, tries });
  const proof = await prove({ code, steps: report.steps }, pipeline, { load, recordings: recorded, generated });
  return { proof, generated, code };
}

const BOTH: Pipeline = [
  { ...when('amount > 100 && status === "open"', set({ size: "'big'" })), elseFunctions: [set({ size: "'small'" })] },
  say('{{size}}'),
];

describe('branches that no recording covers are reached', () => {
  test.each<[string, Pipeline, string[]]>([
    ['each block of an if, and none', [when('amount === 5', set({ a: '1' }))], ['/0/conditions/0', '/0']],
    ['a comparison with a boundary', [when('order.total >= 1000', set({ a: '1' }))], ['/0/conditions/0', '/0']],
    [
      'several conditions in order',
      [
        {
          type: 'if',
          conditions: [
            { condition: 'kind === "a" && level > 3', functions: [] },
            { condition: 'kind === "b" || level < 0', functions: [] },
          ],
          elseFunctions: [],
        },
      ],
      ['/0/conditions/0', '/0/conditions/1', '/0/elseFunctions'],
    ],
    ['a loop with no and with several items', [each('order.lines', say('{{currentItem.id}}'))], ['/0', '/0/functions']],
    [
      'a condition on the entries of a data source',
      [
        own('read-datasource', { dataSourceId: 5 }),
        set({ long: 'records.filter(visit => visit.data.minutes > 120).length', share: 'long / records.length' }),
        when('share > 0.5', say('many')),
      ],
      ['/2/conditions/0', '/2'],
    ],
    [
      'a condition on a response',
      [
        own('http-request', { url: 'https://example.com/' }),
        when('response.status >= 400', own('fail', { message: 'x' })),
      ],
      ['/1/conditions/0', '/1'],
    ],
    [
      'the package if, and an entry that equals the payload',
      [
        own('read-datasource', { dataSourceId: 5 }),
        own('if', { condition: 'records[0].data.email == email' }, [say('found')]),
      ],
      ['/1/functions', '/1'],
    ],
  ])('%s', async (_, pipeline, blocks) => {
    const { proof, generated } = await proofOf(pipeline, []);
    expect(new Set(generated.flatMap(({ reached }) => reached))).toEqual(new Set(blocks));
    expect(proof).toMatchObject({ status: 'equal-so-far' });
    expect(proof.coverage).toBe(
      `${blocks.length} of ${blocks.length} branches ran, ${blocks.length} of them only with generated payloads.`,
    );
  });
});

test('a step is proved only if a recorded run ran it, and the coverage says what only generated runs did', async () => {
  const { proof, generated } = await proofOf(BOTH, await recordings(BOTH, {}, [{ amount: 1, status: 'open' }]));
  expect(proof.coverage).toBe('2 of 2 branches ran, 1 of them only with generated payloads.');
  expect(proof.steps.map(({ path, status, runs }) => [path, status, runs])).toEqual([
    ['/0', 'proved', 1],
    ['/0/conditions/0/functions/0', 'equal-so-far', 0],
    ['/0/elseFunctions/0', 'proved', 1],
    ['/1', 'proved', 1],
  ]);
  expect(proof.steps[1]?.generated).toBeGreaterThan(0);
  expect(proof.branches[0]).toMatchObject({ runs: 0, example: { payload: '{"amount":101,"status":"open"}' } });
  expect(generated.flatMap(({ reached }) => reached)).toEqual(['/0/conditions/0']);
});

test('what can’t happen isn’t reached', async () => {
  const { proof } = await proofOf([when('false', say('never')), say('x')], []);
  expect(proof.coverage).toBe(
    '1 of 2 branches ran, 1 of them only with generated payloads. /0/conditions/0 never did.',
  );
});

test('a wrong translation in a branch that nobody recorded is found', async () => {
  const { code, report } = migrated({ name: 'wrong', functions: BOTH });
  const recorded = await recordings(BOTH, {}, [{ amount: 1, status: 'open' }]);
  const generated = await generateRuns(BOTH, { recordings: recorded });
  const wrong = { code: code.replace("data.size = 'big'", "data.size = 'huge'"), steps: report.steps };
  expect((await prove(wrong, BOTH, { load, recordings: recorded })).status).toBe('equal-so-far');
  const proof = await prove(wrong, BOTH, { load, recordings: recorded, generated });
  expect(proof.status).toBe('differs');
  expect(proof.generated?.flatMap(({ differences }) => differences)).toContainEqual(
    expect.objectContaining({ what: 'context', place: '/size', v2: 'big', v3: 'huge' }),
  );
});

test('packages have their recorded outcomes', async () => {
  const functions: Record<string, PipelineFunction> = {
    lookUp: (_, context) => {
      context.customer = { level: 'gold', orders: [1, 2] };
      return 'found';
    },
  };
  const pipeline: Pipeline = [use('lookUp'), when('customer.level === "gold" && urgent', say('now'))];
  const recorded = await recordings(pipeline, functions, [{}]);
  const { generated } = await proofOf(pipeline, recorded, functions);
  const [run] = generated.filter(({ reached }) => reached.includes('/1/conditions/0'));
  expect(run?.recording.steps[0]).toMatchObject({ name: 'lookUp', value: 'found', changes: [['/customer', {}]] });
});

test('the same every time', async () => {
  const pipeline: Pipeline = [...BOTH, when('Math.random() > 0.5 && Date.now() > since', say('x'))];
  const [one, other] = [await generateRuns(pipeline), await generateRuns(pipeline)];
  expect(one.length).toBeGreaterThan(0);
  expect(JSON.stringify(one)).toBe(JSON.stringify(other));
});

test('a pipeline that never ends is tried a bounded number of times', async () => {
  const range = { from: 1, to: 1_000_000_000 };
  let tries = 0;
  const pipeline: Pipeline = [
    { type: 'loop', range, functions: [when('a === currentItem', own('wait', { ms: 1e9 }))] },
  ];
  await generateRuns(pipeline, { pause: () => void tries++ });
  expect(tries).toBeLessThanOrEqual(600);
});

const [LENGTH, TRIES] = isExhaustive() ? [5_000, 20] : [1_000, 100];

test('a long pipeline is tried fewer times', async () => {
  let tries = 0;
  const pipeline: Pipeline = Array.from({ length: LENGTH }, (_, index) => when(`a === ${index}`, say('x')));
  await generateRuns(pipeline, { pause: () => void tries++ });
  expect(tries).toBeLessThanOrEqual(TRIES);
});

test('random pipelines: generated runs are runs of V2, and right code is equal in them', async () => {
  const { functions } = random;
  let count = 0;
  await fc.assert(
    fc.asyncProperty(random.pipeline, random.payload, async (pipeline, payload) => {
      const recorded = await recordings(pipeline, functions, [payload]);
      const { proof, generated, code } = await proofOf(pipeline, recorded, functions, 60);
      count += generated.length;
      expect(proof.generated?.flatMap(({ differences }) => differences) ?? [], code).toEqual([]);
      for (const { recording } of generated.slice(0, 3)) {
        expect((await replay(recording)).state).not.toBe('diverged');
        expect(parseRecording(writeRecording(recording))).toMatchObject({ ok: true });
      }
    }),
    CASES,
  );
  expect(count).toBeGreaterThan(1.6 * CASES.numRuns);
});
