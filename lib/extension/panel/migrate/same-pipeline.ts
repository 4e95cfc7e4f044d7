/** Compares a recorded pipeline with an action’s. */
import { LostValueError } from '../../../debugging/recording/values.ts';

/** Whether they’re the same, as far as the recording has the pipeline: masked settings, for example, are lost. */
export function isSamePipeline(recorded: () => unknown, actual: unknown): boolean {
  try {
    const value = recorded();
    if (typeof value !== 'object' || value === null || typeof actual !== 'object' || actual === null)
      return value === actual;
    if (Array.isArray(value) !== Array.isArray(actual)) return false;
    const [one, other] = [value as Record<string, unknown>, actual as Record<string, unknown>];
    const [names, otherNames] = [namesOf(one), namesOf(other)];
    return (
      names.length === otherNames.length &&
      names.every((name) => Object.hasOwn(other, name) && isSamePipeline(() => one[name], other[name]))
    );
  } catch (thrown) {
    if (thrown instanceof LostValueError) return true;
    throw thrown;
  }
}

/** JSON has no undefined. Reading a lost value throws, so it counts as a name. */
function namesOf(fields: Record<string, unknown>): string[] {
  return Object.entries(Object.getOwnPropertyDescriptors(fields)).flatMap(([name, property]) =>
    property.enumerable && (property.get || property.value !== undefined) ? [name] : [],
  );
}
