/** Tests the published schema of recordings: it accepts what is recorded, and refuses what the reader refuses. */
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { readFileSync } from 'node:fs';
import { describe, expect, it, test } from 'vitest';
import type { Recording } from '../../../../lib/debugging/recording/format.ts';
import { maskRecording } from '../../../../lib/debugging/recording/mask.ts';
import { parseRecording } from '../../../../lib/debugging/recording/file/parse.ts';
import { isLossReason } from '../../../../lib/debugging/recording/values.ts';
import { payload, pipeline } from '../../pipeline/random-pipelines.ts';
import { record } from '../record.ts';
import { MORE } from '../watched-run.ts';

interface Schema {
  $defs: { mark: { oneOf: { properties: { $: { const: string }; value: { enum: string[] } } }[] } };
}
const file = new URL('../../../../assets/schemas/run.v1.schema.json', import.meta.url);
const schema = JSON.parse(readFileSync(file, 'utf8')) as Schema;
const validate = new Ajv2020({ strict: true, strictRequired: false, strictTypes: false, strictTuples: false }).compile(
  schema,
);

/** The first problem; null if there is none. */
function problemOf(recording: unknown): string | null {
  if (validate(recording)) return null;
  return validate.errors!.map(({ instancePath, message }) => `${instancePath} ${message}`).join(', ');
}

/** A recording that tests put anything in. */
type Damaged = ReturnType<typeof JSON.parse>;

async function sample(): Promise<Recording> {
  const { recording } = await record(
    [
      { functionPackage: 'step' },
      { type: 'loop', range: { from: 1, to: 2 }, functions: [{ functionPackage: 'step' }] },
      { type: 'if', conditions: [{ condition: 'Date.now() > Math.random()', functions: [] }] },
    ],
    {
      step: (_, context) => {
        const self: Record<string, unknown> = {
          $: 1,
          date: new Date(0),
          big: 12n,
          nan: NaN,
          none: undefined,
          fn: () => 1,
        };
        return (context.made = [self, context.made]);
      },
    },
    { payload: { password: 'x' }, recorder: { action: { baseUrl: 'https://a.example', appId: 1, name: 'a' } } },
  );
  recording.console = [{ at: 1, step: 0, level: 'log', args: ['a', { $: 'entries', value: [['a', 1]], more: 2 }] }];
  recording.requests = [
    { at: 1, step: 0, method: 'GET', url: '/', headers: [['a', 'b']], body: { text: '', cut: 'total' }, status: 200 },
  ];
  recording.leftOut = { lines: 1, requests: 0 };
  return recording;
}

describe('the schema accepts', () => {
  test('any recorded run', async () => {
    await fc.assert(
      fc.asyncProperty(pipeline, payload, fc.integer({ min: 50, max: 5_000 }), async (steps, given, limit) => {
        const { recording } = await record(steps, MORE, { payload: given, recorder: { limit } });
        expect(problemOf(recording)).toBeNull();
      }),
      { numRuns: 100 },
    );
  });
  test('values that JSON doesn’t have, a masked recording, and properties of later versions', async () => {
    const recording = await sample();
    expect(parseRecording(JSON.stringify(recording))).toMatchObject({ ok: true });
    expect(problemOf(recording)).toBeNull();
    expect(problemOf(maskRecording(recording))).toBeNull();
    expect(
      problemOf({ ...recording, note: 1, steps: recording.steps.map((step) => ({ ...step, note: 1 })) }),
    ).toBeNull();
  });
  test('every reason for a lost value', () => {
    const lost = schema.$defs.mark.oneOf.find(({ properties }) => properties.$.const === 'lost')!;
    expect(lost.properties.value.enum.filter((reason) => !isLossReason(reason))).toEqual([]);
    expect(lost.properties.value.enum).toHaveLength(7);
  });
});

describe('the schema and the reader refuse', () => {
  it.each<[string, (recording: Damaged) => unknown]>([
    ['another format', (recording) => (recording.format = 'a')],
    ['another version', (recording) => (recording.version = 0)],
    ['no steps', (recording) => delete recording.steps],
    ['no payload', (recording) => delete recording.payload],
    ['steps that aren’t an array', (recording) => (recording.steps = {})],
    ['a date that isn’t one', (recording) => (recording.startedAt = 'yesterday')],
    ['an unknown engine', (recording) => (recording.engine = 'theirs')],
    ['a negative count', (recording) => (recording.lost = -1)],
    ['a fraction as a count', (recording) => (recording.lost = 1.5)],
    ['a time beyond all dates', (recording) => (recording.milliseconds = 1e13)],
    ['a step without a path', (recording) => delete recording.steps[0].path],
    ['a path that isn’t a pointer', (recording) => (recording.steps[0].path = '0')],
    ['an unknown kind of step', (recording) => (recording.steps[0].kind = 'while')],
    ['an unknown state of a step', (recording) => (recording.steps[0].state = 'running')],
    ['a change without a path', (recording) => (recording.steps[0].changes = [[]])],
    ['a change with two values', (recording) => (recording.steps[0].changes = [['/a', 1, 2]])],
    ['a branch that isn’t one', (recording) => (recording.steps[0].branch = 'then')],
    ['an iteration that isn’t a number', (recording) => (recording.steps[0].iteration = ['0'])],
    ['an unknown end', (recording) => (recording.end = { state: 'ended' })],
    ['an end without its result', (recording) => (recording.end = { state: 'completed' })],
    ['a failure without its error', (recording) => (recording.end = { state: 'failed' })],
    ['an unknown mark', (recording) => (recording.payload = { a: [{ $: 'map' }] })],
    ['an unknown reason for a loss', (recording) => (recording.payload = { a: { $: 'lost', value: 'away' } })],
    ['a mark for undefined with a value', (recording) => (recording.payload = [{ $: 'undefined', value: 1 }])],
    ['digits that aren’t any', (recording) => (recording.payload = [{ $: 'bigint', value: '1e3' }])],
    ['entries without names', (recording) => (recording.payload = { $: 'entries', value: [[1, 2]] })],
    [
      'a mark in entries that isn’t one',
      (recording) => (recording.payload = { $: 'entries', value: [['a', { $: 1 }]] }),
    ],
    ['an unknown level of a line', (recording) => (recording.console[0].level = 'trace')],
    ['a header without a value', (recording) => (recording.requests[0].headers = [['a']])],
    ['a request without a URL', (recording) => delete recording.requests[0].url],
    ['an unknown reason for a cut body', (recording) => (recording.requests[0].body = { text: '', cut: 'a' })],
  ])('%s', async (_, damage) => {
    const recording: Damaged = await sample();
    damage(recording);
    expect(parseRecording(JSON.stringify(recording))).toMatchObject({ ok: false });
    expect(problemOf(recording)).not.toBeNull();
  });
});
