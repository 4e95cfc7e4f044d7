/** Finds the function packages of users that a pipeline calls. */
import type { Pipeline } from '../../../pipeline/index.ts';

/** Their names, sorted. The platform’s own packages have none of these. */
export function userPackagesOf(pipeline: Pipeline): string[] {
  const names = new Set<string>();
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    if (Array.isArray(value)) return value.forEach(visit);
    const { functionPackage, function: alias, conditions, functions, elseFunctions } = value as Record<string, unknown>;
    for (const name of [functionPackage, alias])
      if (typeof name === 'string' && !name.startsWith('com.platform.function.')) names.add(name);
    [conditions, functions, elseFunctions].forEach(visit);
  };
  visit(pipeline);
  return [...names].sort();
}
