/** Tests where conditions get the time and random numbers from. */
import { expect, it, vi } from 'vitest';
import { compileCondition, explainCondition, type Pipeline, runPipeline } from '../../../lib/pipeline/index.ts';

const NOON = Date.UTC(2026, 10, 23, 12);
const block = (condition: string): Pipeline => [
  { type: 'if', conditions: [{ condition, functions: [{ function: 'yes' }] }], elseFunctions: [{ function: 'no' }] },
];
const functions = new Map([
  ['yes', () => 'yes'],
  ['no', () => 'no'],
]);

it.each([
  [`Date.now() === ${NOON}`, 'yes'],
  [`Date() === ${JSON.stringify(new Date(NOON).toString())}`, 'yes'],
  ['Math.random() === 0.25', 'yes'],
  ['Date.parse("2026-11-23T12:00:00Z") === Date.now()', 'yes'],
  ['Math.max(1, 2) === 2 && Math.PI > 3', 'yes'],
])('a run’s conditions use its clock and random numbers: %s', async (condition, expected) => {
  const sources = { now: () => NOON, random: () => 0.25 };
  expect(await runPipeline(block(condition), { functions, sources })).toBe(expected);
});

it('the sources of a run aren’t those of another run, or of other conditions', async () => {
  const slow = new Map([...functions, ['wait', () => new Promise((done) => setImmediate(done))]] as never);
  const pipeline: Pipeline = [{ function: 'wait' }, ...block('Date.now() === 1')];
  const seen = await Promise.all([
    runPipeline(pipeline, { functions: slow as typeof functions, sources: { now: () => 1 } }),
    runPipeline(pipeline, { functions: slow as typeof functions, sources: { now: () => 2 } }),
    runPipeline(pipeline, { functions: slow as typeof functions }),
  ]);
  expect(seen).toEqual(['yes', 'no', 'no']);
  expect(compileCondition('Date.now()')({})).toBeGreaterThan(NOON - 1e12);
});

it('a source that throws fails the condition, and the next one uses the system’s clock', async () => {
  const sources = {
    now: () => {
      throw new Error('No time was recorded.');
    },
  };
  await expect(runPipeline(block('Date.now() > 1'), { functions, sources })).rejects.toMatchObject({
    code: 'CONDITION_FAILED',
    message: expect.stringContaining('No time was recorded.'),
  });
  vi.useFakeTimers({ now: 5 });
  try {
    expect(compileCondition('Date.now()')({})).toBe(5);
  } finally {
    vi.useRealTimers();
  }
});

it('an explanation can use recorded values', () => {
  expect(explainCondition('Math.random() < Date.now()', {}, { now: () => 3, random: () => 0.5 })).toMatchObject({
    value: true,
    parts: [{ value: 0.5 }, { value: 3 }],
  });
});
