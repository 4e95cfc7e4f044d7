/** Builds a run's trace from the agent's events. The same events always produce the same trace. */
import { itemsPath } from '../../../pipeline/syntax.ts';
import { parsePointer } from '../../../shared/json-pointer.ts';
import type { AgentEvent, Change, RemoteValue, StepState } from '../../inspector/contract.ts';
import { applyChange, isComposite, sizeOf, valueAt } from '../shared/remote-value.ts';
import {
  type FailedAttempt,
  isPartial,
  type LoopSource,
  type PathSummary,
  type RunState,
  type Trace,
  TRACE_LIMITS,
  type TraceStep,
} from './trace.ts';

/** Number of changes between context snapshots. Restoring a context replays at most this many changes. */
export const SNAPSHOT_INTERVAL = 500;

type EventOf<Kind extends AgentEvent['kind']> = Extract<AgentEvent, { kind: Kind }>;
type LoopAt = (path: string) => LoopSource | null;

/**
 * Adds this run's events, oldest first. Changes the trace in place, because copying 100,000 steps per batch is too
 * slow.
 */
export function addEvents(trace: Trace, events: readonly AgentEvent[], loopAt: LoopAt = () => null): Trace {
  for (const event of events) if (event.runId === trace.runId) addEvent(trace, event, loopAt);
  return trace;
}

function addEvent(trace: Trace, event: AgentEvent, loopAt: LoopAt): void {
  trace.milliseconds = Math.max(trace.milliseconds, event.at);
  switch (event.kind) {
    case 'run-started':
      return startRun(trace, event);
    case 'step-started':
      return startStep(trace, event, loopAt);
    case 'step-ended':
      return endStep(trace, event);
    case 'console':
      return addConsoleLine(trace, event);
    case 'request-started':
      return startRequest(trace, event);
    case 'request-ended':
      return endRequest(trace, event);
    case 'paused':
      trace.paused = {
        pause: event.pause,
        step: event.step,
        reason: event.reason,
        error: event.error,
        canRetry: event.canRetry,
      };
      return;
    case 'resumed':
      trace.paused = null;
      trace.resumedInAbsence ||= event.by === 'absence';
      return;
    case 'context-edited':
    case 'context-changed':
      return changeContext(trace, event);
    case 'step-retried':
      return retryStep(trace, event);
    case 'run-ended':
      return endRun(trace, event);
  }
}

function startRun(trace: Trace, event: EventOf<'run-started'>): void {
  const { tracing, payload, startedAt, context, mocks = 0, from = null, debuggerError = null } = event;
  Object.assign(trace, { tracing, payload, startedAt, initialContext: context, context });
  Object.assign(trace, { mocks, from, debuggerError });
}

function addConsoleLine(trace: Trace, { step: id, at, level, args }: EventOf<'console'>): void {
  if (trace.console.length < TRACE_LIMITS.lines) trace.console.push({ step: id, at, level, args });
  else trace.omitted.lines++;
  const step = id === null ? undefined : trace.steps.get(id);
  if (step) step.lines++;
}

function startRequest(trace: Trace, event: EventOf<'request-started'>): void {
  const { step: id, at, request, method, url, headers, body } = event;
  if (trace.requests.size >= TRACE_LIMITS.requests) trace.omitted.requests++;
  else {
    const line = { step: id, at, id: request, method, url, end: null, status: null, bytes: null, headers, body };
    trace.requests.set(request, line);
  }
  const step = id === null ? undefined : trace.steps.get(id);
  if (step) step.requests++;
}

function endRequest(trace: Trace, event: EventOf<'request-ended'>): void {
  const { at, request: id, status, bytes, error, headers, body } = event;
  const request = trace.requests.get(id);
  if (!request) return;
  if (request.end === null) Object.assign(request, { end: at, status, bytes, error, responseHeaders: headers });
  if (body) request.responseBody = body;
}

function endRun(trace: Trace, event: EventOf<'run-ended'>): void {
  trace.milliseconds = event.milliseconds;
  trace.tracingMilliseconds = event.tracingMilliseconds;
  trace.result = event.result;
  trace.resultBytes = event.resultBytes ?? null;
  trace.resultText = event.resultText;
  trace.stillInPage = event.goesOn ?? false;
  trace.stoppedBy = event.stoppedBy;
  trace.error = event.error;
  endTrace(trace, event.state);
}

/** Ends the run in `state`. Steps that were still running count as stopped, unless more may have happened. */
export function endTrace(trace: Trace, state: Exclude<RunState, 'running'>): void {
  trace.state = state;
  trace.ahead = null;
  trace.paused = null;
  const isLost = isPartial(trace);
  for (const step of trace.steps.values()) {
    if (step.state !== 'running') continue;
    step.state = isLost ? 'unstored' : 'stopped';
    if (!isLost) step.end = trace.milliseconds;
    const summary = summaryOf(trace, step.path);
    if (summary?.state === 'running') summary.state = step.state;
  }
}

/** A step that hasn’t run yet has the edited context. */
function changeContext(trace: Trace, event: EventOf<'context-edited' | 'context-changed'>): void {
  const { kind, step: id, attempt, changes } = event;
  addChanges(trace, changes);
  const step = trace.steps.get(id);
  if (!step) return;
  const isEdit = kind === 'context-edited';
  if (attempt !== undefined) attemptAt(step, attempt)[isEdit ? 'edits' : 'changes'].push(...changes);
  else {
    if (isEdit) step.edits.push(...changes);
    step.changesBefore = trace.changes.length;
  }
}

function retryStep(trace: Trace, { step: id, attempt, error }: EventOf<'step-retried'>): void {
  const step = trace.steps.get(id);
  if (!step) return;
  attemptAt(step, attempt).error = error;
  step.changesBefore = trace.changes.length;
}

/** The page numbers them from 1, without gaps. */
function attemptAt({ attempts }: TraceStep, number: number): FailedAttempt {
  const index = Math.max(0, Math.min(number - 1, attempts.length));
  return (attempts[index] ??= { error: null, changes: [], edits: [] });
}

function startStep(trace: Trace, event: EventOf<'step-started'>, loopAt: LoopAt): void {
  if (trace.steps.has(event.step)) return;
  addChanges(trace, event.changes ?? []);
  const parent = event.parent === null ? undefined : trace.steps.get(event.parent);
  const step: TraceStep = {
    id: event.step,
    // Only a step that has started, so that no step contains itself.
    parent: parent ? event.parent : null,
    depth: parent ? parent.depth + 1 : 0,
    path: event.path,
    iteration: event.iteration,
    opensIteration: opensIteration(trace, event.iteration, parent),
    kind: event.stepKind,
    name: event.name,
    settings: event.settings,
    state: 'running',
    start: event.at,
    end: null,
    changes: [],
    edits: [],
    attempts: [],
    shallow: false,
    children: [],
    lines: 0,
    requests: 0,
    changesBefore: trace.changes.length,
    changesAfter: trace.changes.length,
  };
  parent?.children.push(step.id);
  trace.steps.set(step.id, step);
  trace.order.push(step);
  if (step.path === null) return;
  if (step.kind === 'loop') step.total = expectedIterations(trace, loopAt(step.path));
  countStart(trace, step.path, step);
  if (parent?.path) countInParent(trace, parent, step);
}

function opensIteration(trace: Trace, iteration: readonly number[], parent: TraceStep | undefined): boolean {
  if (!parent || iteration.length <= parent.iteration.length) return false;
  const previous = trace.steps.get(parent.children.at(-1) ?? -1);
  return previous?.iteration.at(-1) !== iteration.at(-1);
}

function expectedIterations(trace: Trace, source: LoopSource | null): number | undefined {
  if (!source) return undefined;
  if ('total' in source) return source.total;
  const { context } = trace;
  const path = itemsPath(source.items, (name) => valueAt(context, [name]) !== undefined);
  const items = valueAt(context, path);
  return items && isComposite(items) ? sizeOf(items) : undefined;
}

function summaryOf(trace: Trace, path: string | null): PathSummary | undefined {
  return path === null ? undefined : trace.paths.get(path);
}

function countStart(trace: Trace, path: string, { start, total }: TraceStep): void {
  const summary = trace.paths.get(path) ?? { state: 'running', count: 0, failed: 0, milliseconds: 0, lastStart: 0 };
  trace.paths.set(path, summary);
  summary.state = 'running';
  summary.count++;
  summary.lastStart = start;
  if (total !== undefined) summary.total = (summary.total ?? 0) + total;
}

function countInParent(trace: Trace, parent: TraceStep, step: TraceStep): void {
  const summary = summaryOf(trace, parent.path);
  if (!summary) return;
  if (parent.kind === 'loop') {
    if (step.opensIteration) summary.iterations = (summary.iterations ?? 0) + 1;
    return;
  }
  if (parent.kind !== 'if' || parent.children.length > 1) return;
  const branch = branchOf(parent.path ?? '', step.path ?? '');
  if (branch === null) return;
  summary.branches ??= new Map();
  const count = summary.branches.get(branch)?.count ?? 0;
  summary.branches.set(branch, { count: count + 1, state: 'running' });
}

/** The branch of the `if` at `path` that contains the step at `innerPath`. */
function branchOf(path: string, innerPath: string): number | 'else' | null {
  const [property, index] = parsePointer(innerPath.slice(path.length));
  return property === 'elseFunctions' ? 'else' : property === 'conditions' ? Number(index) : null;
}

function endStep(trace: Trace, event: EventOf<'step-ended'>): void {
  const step = trace.steps.get(event.step);
  if (!step) return;
  addChanges(trace, event.changes);
  Object.assign(step, {
    state: event.state,
    end: event.at,
    value: event.value,
    error: event.error,
    iterations: event.iterations,
    branch: event.branch,
    replaced: event.replaced,
    changes: event.changes,
    shallow: event.shallow ?? false,
    changesAfter: trace.changes.length,
  });
  if (event.state === 'failed') trace.failedStep ??= step.id;
  if (event.replaced === 'mock') trace.mocked++;
  const summary = summaryOf(trace, step.path);
  if (summary) countEnd(summary, step, event);
}

function countEnd(summary: PathSummary, step: TraceStep, event: EventOf<'step-ended'>): void {
  if (event.state === 'failed') summary.failed++;
  countReplaced(summary, event.replaced);
  summary.milliseconds += event.at - step.start;
  summary.state = summary.failed > 0 ? 'failed' : event.state;
  if (step.kind === 'loop' && event.iterations !== undefined && summary.count === 1)
    summary.iterations = event.iterations;
  if (event.branch !== undefined && event.branch !== null) endBranch(summary, step, event.branch, event.state);
  if (event.state !== 'failed') return;
  for (const other of summary.branches?.values() ?? []) if (other.state === 'running') other.state = 'failed';
}

function countReplaced(summary: PathSummary, by: string | undefined): void {
  if (by === 'mock') summary.mocked = (summary.mocked ?? 0) + 1;
  if (by === 'recording') summary.recorded = (summary.recorded ?? 0) + 1;
}

function endBranch(summary: PathSummary, step: TraceStep, index: number | 'else', state: StepState): void {
  summary.branches ??= new Map();
  const { count } = summary.branches.get(index) ?? { count: 0 };
  // A branch with steps was counted when its first step started.
  summary.branches.set(index, { count: step.children.length === 0 ? count + 1 : count, state });
}

function addChanges(trace: Trace, changes: readonly Change[]): void {
  for (const change of changes) {
    trace.context = applyChange(trace.context, change);
    if (trace.changes.length >= TRACE_LIMITS.changes) {
      trace.omitted.changes++;
      continue;
    }
    trace.changes.push(change);
    if (trace.changes.length % SNAPSHOT_INTERVAL === 0) trace.snapshots.push(trace.context);
  }
}

/** The context after the run's first `count` changes, restored from the closest earlier snapshot. */
export function contextAfter(
  trace: Pick<Trace, 'initialContext' | 'changes' | 'snapshots'>,
  count: number,
): RemoteValue {
  const snapshots = Math.min(trace.snapshots.length, Math.floor(count / SNAPSHOT_INTERVAL));
  let context = trace.snapshots[snapshots - 1] ?? trace.initialContext;
  for (let index = snapshots * SNAPSHOT_INTERVAL; index < count; index++) {
    const change = trace.changes[index];
    if (change) context = applyChange(context, change);
  }
  return context;
}
