/** A recording whose context doubles with each step: it has the same object twice, each time deeper. */
import type { Recording } from '../../../lib/debugging/recording/format.ts';

export function doubledValue(steps: number): Recording {
  const half = { $: 'ref', value: '/value' };
  return {
    format: 'platform-devtools/run',
    version: 1,
    startedAt: '2026-01-01T00:00:00.000Z',
    milliseconds: 1,
    engine: 'ours',
    pipeline: [
      { type: 'loop', range: { from: 1, to: steps }, functions: [{ functionPackage: 'double' }] },
      { type: 'if', conditions: [{ condition: 'value', functions: [] }] },
    ],
    payload: { value: { n: 1 } },
    steps: [
      { kind: 'loop', path: '/0', at: 0, milliseconds: 1, state: 'completed', iterations: steps },
      ...Array.from({ length: steps }, (_, index) => ({
        kind: 'function' as const,
        path: '/0/functions/0',
        iteration: [index],
        name: 'double',
        at: 0,
        milliseconds: 0,
        state: 'completed' as const,
        changes: [['/value', { left: half, right: half }]] as [string, { left: typeof half; right: typeof half }][],
      })),
      { kind: 'if', path: '/1', at: 1, milliseconds: 0, state: 'completed', branch: 0 },
    ],
    end: { state: 'completed', result: { $: 'undefined' } },
    lost: 0,
  };
}
