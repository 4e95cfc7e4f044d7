/** Makes the code report each step before it runs. */
import { pathsIn } from '../paths.ts';
import { changesInPlace } from './contexts/in-place.ts';

/** The same lines, with a call in place of each comment that has a step’s path. */
export function instrument(code: string): string {
  const probed = withProbes(code, '');
  return changesInPlace(probed) ? probed : withProbes(code, ', true');
}

/** @param facts further arguments of each call: whether the code leaves objects as they are, other than `data` itself */
function withProbes(code: string, facts: string): string {
  const lines = code.split('\n');
  for (const { path, line } of pathsIn(code))
    lines[line - 1] = `await __at(${JSON.stringify(path)}, typeof data === 'undefined' ? undefined : data${facts});`;
  return lines.join('\n').replace(/^( *const packages = )functionPackages\(\);$/m, '$1__packages;');
}
