/** Migrated actions with their recorded runs, to be proved in pages. */
import { type Recording, record } from '../../lib/debugging/index.ts';
import type { ProofTask } from '../../lib/extension/panel/migrate/prover.ts';
import type { LoadCode } from '../../lib/migrate/index.ts';
import type { Pipeline } from '../../lib/pipeline/types.ts';
import { migrated, ownPackages } from '../unit/migrate/run-both.ts';
import { each, own, say, set, when } from '../unit/migrate/steps.ts';

export const PIPELINE: Pipeline = [
  set({ total: '0' }),
  each('orders', when("currentItem.state == 'open'", set({ total: 'total + currentItem.price' }))),
  own('send-email', { to: 'ada@example.com', subject: 'Open orders', html: 'Total: {{total}}' }),
  say('{{total}}'),
];
export const ORDERS = {
  orders: [
    { state: 'open', price: 3 },
    { state: 'shipped', price: 9 },
    { state: 'open', price: 4 },
  ],
};

async function recordingsOf(pipeline: Pipeline, payloads: readonly Record<string, unknown>[]): Promise<Recording[]> {
  const functions = new Map(ownPackages(() => undefined));
  const runs = payloads.map((payload) => record(pipeline, { payload: structuredClone(payload), functions }));
  return (await Promise.all(runs)).map(({ recording }) => recording);
}

/** @param payloads of the recorded runs */
export async function taskOf(pipeline: Pipeline, ...payloads: Record<string, unknown>[]): Promise<ProofTask> {
  const { code, report } = migrated({ name: 'orders', functions: pipeline });
  const recordings = await recordingsOf(pipeline, payloads);
  return { code, steps: report.steps, functions: pipeline, recordings, dataSources: new Map() };
}

/** Loads code in the test’s own realm. */
export const load: LoadCode = (code, names) =>
  // oxlint-disable-next-line no-new-func, no-implied-eval -- runs the generated code
  new Function(...names, `'use strict';\n${code}\nreturn execute;`) as ReturnType<LoadCode>;
