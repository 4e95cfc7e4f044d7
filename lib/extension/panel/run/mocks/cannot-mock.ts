/** Says why a step has no outcome to mock. */
import type { TraceStep } from '../trace.ts';

/** Null if it has one. */
export function cannotMock({ state, kind, path }: TraceStep): string | null {
  if (path === null && kind !== 'function') return 'This page’s runtime doesn’t report the step’s path';
  if (state === 'running') return 'Wait for the step to end';
  if (state === 'stopped') return 'Select a step that has ended';
  return state === 'unstored' ? 'The step’s end is unknown' : null;
}
