/** Makes the code report each step before it runs. */
import { pathsIn } from '../paths.ts';

/** Variables that instrumented code sees, in addition to those of V3. */
export const PROBES = ['__at', '__packages'] as const;

/** The same lines, with a call in place of each comment that has a step’s path. */
export function instrument(code: string): string {
  const lines = code.split('\n');
  for (const { path, line } of pathsIn(code))
    lines[line - 1] = `await __at(${JSON.stringify(path)}, typeof data === 'undefined' ? undefined : data);`;
  return lines.join('\n').replace(/^( *const packages = )functionPackages\(\);$/m, '$1__packages;');
}
