/** Payloads with keys of every kind are compared like any other, and values that were cut are unknown. */
import { describe, expect, test } from 'vitest';
import type { Recording } from '../../../lib/debugging/index.ts';
import { prove } from '../../../lib/migrate/proof/prove.ts';
import type { Pipeline, PipelineFunction } from '../../../lib/pipeline/index.ts';
import { escapeToken } from '../../../lib/shared/json-pointer.ts';
import { load, recordings } from './recorded-runs.ts';
import { migrated, sourcesOf } from './run-both.ts';
import { each, say, set, use } from './steps.ts';

const KEYS = [
  'payload',
  'data',
  'context',
  'Math',
  'JSON',
  'Object',
  'Date',
  'globalThis',
  'result',
  'execute',
  'Platform',
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'hasOwnProperty',
  '__at',
  '__packages',
  '$',
  'length',
  '',
  ' ',
  'a b',
  'a.b',
  'a/b',
  'a~b',
  '0',
  '1e3',
  "'",
  '"',
  '`${a}`',
  '*/',
  '\u2028',
  '\n',
  'currentItem',
  '{{a}}',
];

const functions: Record<string, PipelineFunction> = { nothing: () => undefined };

/** An own property, whatever its name. */
const withKey = (key: string, value: unknown): Record<string, unknown> =>
  Object.fromEntries([
    ['first', [1, 2]],
    [key, value],
    ['last', { [`${key}!`]: key }],
  ]);

describe('a payload with the key', () => {
  test.each(KEYS)('%j', async (key) => {
    const pipeline: Pipeline = [
      set({ x: 'last', y: `context[${JSON.stringify(key)}]` }),
      each('first', use('nothing')),
      say('{{y}}'),
    ];
    const plain: Pipeline = [set({ x: 'last' }), each('first', use('nothing')), say('{{x}}')];
    for (const functions_ of [pipeline, plain]) {
      const { code, report } = migrated({ name: 'keys', functions: functions_ }, { sources: sourcesOf(functions) });
      const payloads = ['text', 5, { max: 1 }, [1], null].map((value) => withKey(key, value));
      const runs = await recordings(functions_, functions, payloads);
      const proofOf = (text: string) =>
        prove({ code: text, steps: report.steps }, functions_, { load, recordings: runs });
      const proof = await proofOf(code);
      expect(
        proof.comparisons.flatMap(({ differences }) => differences),
        code,
      ).toEqual([]);
      expect(proof.comparisons.every(({ isWhole }) => isWhole)).toBe(true);
      const name = JSON.stringify(key);
      const other = `Object.defineProperty(data, ${name}, { value: 'other', enumerable: true });`;
      const places = new Set<unknown>();
      for (const wrong of [`delete data[${name}];`, other]) {
        const { comparisons } = await proofOf(code.replace('// /0\n', `${wrong}\n// /0\n`));
        for (const { differences } of comparisons) places.add(differences[0]?.place);
      }
      expect([...places], code).toEqual([`/${escapeToken(key)}`]);
    }
  });
});

describe('a value that was cut is unknown, never equal', () => {
  const pipeline: Pipeline = [set({ a: '1' }), say('{{a}}')];
  const { code, report } = migrated({ name: 'cut', functions: pipeline });

  test.each<[string, unknown, string]>([
    ['a text within', { a: [{ b: { $: 'lost', value: 'too-large' } }] }, '/long/a/0/b'],
    ['the rest of a list', [1, { $: 'rest', value: 3 }], '/long/1'],
  ])('%s', async (_, long, place) => {
    const [recording] = await recordings(pipeline, {}, [{ long: 'x' }]);
    const cut = { ...recording!, payload: { long } } as Recording;
    const proof = await prove({ code, steps: report.steps }, pipeline, { load, recordings: [cut] });
    expect(proof.status).toBe('equal-so-far');
    expect(proof.comparisons[0]).toMatchObject({ differences: [] });
    expect(proof.comparisons[0]?.unknown).toContainEqual({
      path: '/1',
      reason: `The context’s ${place} isn’t in the recording.`,
    });
  });

  test('a key of the payload, which stops the code when it copies the payload', async () => {
    const [recording] = await recordings(pipeline, {}, [{ long: 'x' }]);
    const cut = { ...recording!, payload: { long: { $: 'lost', value: 'too-large' } } } as Recording;
    const proof = await prove({ code, steps: report.steps }, pipeline, { load, recordings: [cut] });
    expect(proof.status).toBe('equal-so-far');
    expect(proof.aside).toMatchObject([{ recording: 0, path: '' }]);
  });
});
