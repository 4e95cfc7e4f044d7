/** Records runs of V2 pipelines with the platform’s packages, and loads migrated code beside them. */
import { type Recording, record } from '../../../lib/debugging/index.ts';
import type { LoadCode } from '../../../lib/migrate/index.ts';
import type { Pipeline, PipelineFunction } from '../../../lib/pipeline/index.ts';
import { copy, ownPackages } from './run-both.ts';

export const load: LoadCode = (code, names) =>
  // oxlint-disable-next-line no-new-func, no-implied-eval -- runs the generated code
  new Function(...names, `'use strict';\n${code}\nreturn execute;`) as ReturnType<LoadCode>;

export async function recordings(
  pipeline: Pipeline,
  functions: Record<string, PipelineFunction>,
  payloads: Record<string, unknown>[],
  entries: unknown[] = PEOPLE,
): Promise<Recording[]> {
  const registry = new Map([...ownPackages(() => undefined, entries), ...Object.entries(functions)]);
  const runs = payloads.map((payload) => record(pipeline, { payload: copy(payload), functions: registry }));
  return (await Promise.all(runs)).map(({ recording }) => recording);
}

const PEOPLE = [
  { id: 1, data: { name: 'Ada', email: 'ada@example.com', admin: true, city: 'Utrecht' } },
  { id: 2, data: { name: 'Bo', email: 'bo@example.com', admin: '1', city: 'Delft' } },
  { id: 3, data: { name: '<C>', email: 'c@example.com', admin: false } },
];
