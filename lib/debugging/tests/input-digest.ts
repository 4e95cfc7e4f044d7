/** A digest of what the functions of a recorded run got, so that a test notices if the file says something else since. */
import { valueAt } from '../../shared/json-pointer.ts';
import { hashValue } from '../compare/hash-value.ts';
import { listSteps, withNested } from '../pipelines/steps.ts';
import type { Recording } from '../recording/format.ts';

/** Of the payload, of the settings of all steps, and of what loops iterate over. Conditions are evaluated by each replay. */
export function inputDigest({ payload, pipeline }: Pick<Recording, 'payload' | 'pipeline'>): string {
  const steps = withNested(listSteps(pipeline))
    .filter(({ kind }) => kind !== 'if')
    .map(({ path, name }) => {
      const { settings = {}, items = null, range = null } = Object(valueAt(pipeline, path)) as Record<string, unknown>;
      return [name, settings, items, range];
    });
  const input = [payload, steps];
  // Too deep for a hash of its parts.
  return (hashValue(input) ?? hashValue(JSON.stringify(input)) ?? 0).toString(16);
}
