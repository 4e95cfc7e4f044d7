/** Finds what a step and its nested steps changed in the context. */
import type { Change, RemoteValue } from '../../inspector/contract.ts';
import { contextAfter } from './build-trace.ts';
import type { Trace, TraceStep } from './trace.ts';

/** A changed property: its value before and after the step. */
export interface ContextDifference {
  path: string;
  kind: 'added' | 'removed' | 'changed';
  before?: RemoteValue;
  after?: RemoteValue;
}

/**
 * The differences between the start and end of a step or of the whole run. One per path, in order of the first change.
 */
export function contextDifferences(trace: Pick<Trace, 'changes'>, step: TraceStep | null): ContextDifference[] {
  if (!step) return differencesOf(trace.changes);
  const edits = new Set(step.attempts.flatMap((attempt) => attempt.edits));
  const changes = trace.changes.slice(step.changesBefore, step.changesAfter);
  return differencesOf(edits.size === 0 ? changes : changes.filter((change) => !edits.has(change)));
}

export function differencesOf(changes: readonly Change[]): ContextDifference[] {
  const byPath = new Map<string, Change>();
  for (const change of changes) {
    const first = byPath.get(change.path);
    byPath.set(change.path, { path: change.path, before: first ? first.before : change.before, after: change.after });
  }
  return [...byPath.values()]
    .filter(({ before, after }) => (before !== undefined || after !== undefined) && !isSameScalar(before, after))
    .map(({ path, before, after }) => ({
      path,
      before,
      after,
      kind: before === undefined ? 'added' : after === undefined ? 'removed' : 'changed',
    }));
}

/** Whether a property has its first value again. Objects, and strings that are cut, may differ in what isn't here. */
function isSameScalar(before: RemoteValue | undefined, after: RemoteValue | undefined): boolean {
  switch (before?.t) {
    case 'null':
    case 'undefined':
      return after?.t === before.t;
    case 'boolean':
    case 'number':
      return after?.t === before.t && after.v === before.v;
    case 'string':
      return (
        after?.t === 'string' &&
        after.v === before.v &&
        before.v.length === before.length &&
        after.length === before.length
      );
    default:
      return false;
  }
}

/** The full context before and after a step, or at the start and current end of the run. */
export function contextsOf(trace: Trace, step: TraceStep | null): { before: RemoteValue; after: RemoteValue } {
  if (!step) return { before: trace.initialContext, after: trace.context };
  return {
    before: contextAfter(trace, step.changesBefore),
    after: contextAfter(trace, step.end === null ? trace.changes.length : step.changesAfter),
  };
}

/** IDs of a step and all its nested steps; null for the whole run. */
export function withNested(trace: Pick<Trace, 'steps'>, step: TraceStep | null): ReadonlySet<number> | null {
  if (!step) return null;
  const ids = new Set([step.id]);
  for (const id of ids) for (const child of trace.steps.get(id)?.children ?? []) ids.add(child);
  return ids;
}
