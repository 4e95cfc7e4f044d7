/** The payloads with which both versions really run: those of recorded runs, and then generated ones. */
import { expect, test } from 'vitest';
import { payloadsOf } from '../../../../lib/cli/migrate/effects/payloads.ts';
import type { RecordedError, Recording } from '../../../../lib/debugging/recording/format.ts';

const recording = (payload: unknown, end = 'completed', error?: Partial<RecordedError>): Recording =>
  ({ payload, end: { state: end }, steps: [{ path: '/0', ...(error && { error }) }] }) as unknown as Recording;
const generated = (
  payload: unknown,
  reached: string[] = [],
  ...how: [end?: string, error?: Partial<RecordedError>]
) => ({
  recording: recording(payload, ...how),
  reached,
});

test('each recorded payload once, and then each generated one that nobody recorded, marked', () => {
  expect(payloadsOf([recording({ a: 1 }), recording({ a: 1 })], [generated({ a: 1 }), generated({ a: 2 })])).toEqual([
    { payload: { a: 1 } },
    { payload: { a: 2 }, generated: true },
  ]);
});

test('without recordings, an empty one', () => {
  expect(payloadsOf([], [generated({}), generated({ a: 1 })])).toEqual([
    { payload: {} },
    { payload: { a: 1 }, generated: true },
  ]);
});

test('at most 10 generated ones, of which those that take a new branch are first', () => {
  const many = Array.from({ length: 30 }, (_, a) => generated({ a }, a === 20 ? ['/0/conditions/1'] : []));
  const [, first, ...others] = payloadsOf([], many);
  expect(first).toEqual({ payload: { a: 20 }, generated: true });
  expect(others).toHaveLength(9);
});

test('no generated run whose end can’t be compared', () => {
  const failing = [
    generated({ a: 1 }, [], 'failed', { name: 'ConditionError', message: 'Couldn’t read “b”.' }),
    generated({ a: 2 }, [], 'stopped'),
    generated({ a: 3 }, [], 'failed', { name: 'Error', message: 'No a' }),
  ];
  expect(payloadsOf([], failing)).toEqual([{ payload: {} }, { payload: { a: 3 }, generated: true }]);
});

test('no payload that a platform refuses, or that wasn’t recorded whole', () => {
  const lost = { $: 'lost', value: 'too-large' };
  expect(payloadsOf([recording({ a: lost })], [generated({ a: 'x'.repeat(3_000) })])).toEqual([{ payload: {} }]);
});
