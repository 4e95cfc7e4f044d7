/** Owns what a step did to the context, also through the steps nested in it. */
import type { Change, RemoteValue } from '../../inspector/contract.ts';
import { contextAfter, type Trace, type TraceStep } from './trace.ts';

/** A change as it is shown: what was there when the step began, what was there when it ended. */
export interface ContextDifference {
  path: string;
  kind: 'added' | 'removed' | 'changed';
  before?: RemoteValue;
  after?: RemoteValue;
}

/** Differences between the start and the end of a step, or of the whole run; one per path, in the order of their first change. */
export function contextDifferences(trace: Pick<Trace, 'changes'>, step: TraceStep | null): ContextDifference[] {
  const changes = step ? trace.changes.slice(step.changesBefore, step.changesAfter) : trace.changes;
  const byPath = new Map<string, Change>();
  for (const change of changes) {
    const first = byPath.get(change.path);
    byPath.set(change.path, { path: change.path, before: first ? first.before : change.before, after: change.after });
  }
  const differences: ContextDifference[] = [];
  for (const { path, before, after } of byPath.values()) {
    if (before === undefined && after === undefined) continue;
    differences.push({
      path,
      before,
      after,
      kind: before === undefined ? 'added' : after === undefined ? 'removed' : 'changed',
    });
  }
  return differences;
}

/** The whole context when a step began and when it ended (or of the run: at its start, and as last told). */
export function contextsOf(trace: Trace, step: TraceStep | null): { before: RemoteValue; after: RemoteValue } {
  if (!step) return { before: trace.initialContext, after: trace.context };
  return {
    before: contextAfter(trace, step.changesBefore),
    after: contextAfter(trace, step.end === null ? trace.changes.length : step.changesAfter),
  };
}

/** Ids of a step and of all that is nested in it; null for the whole run. */
export function withNested(trace: Pick<Trace, 'steps'>, step: TraceStep | null): ReadonlySet<number> | null {
  if (!step) return null;
  const ids = new Set([step.id]);
  for (const id of ids) for (const child of trace.steps.get(id)?.children ?? []) ids.add(child);
  return ids;
}
