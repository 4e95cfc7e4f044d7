/** Owns the record of one run: it grows by the agent's events, and everything shown of a run comes from it. */
import type { AgentEvent, Change, PageState, RemoteError, RemoteValue, StepState } from '../../inspector/contract.ts';
import { applyChange, pointerParts, sizeOf, isComposite, UNDEFINED, valueAt } from '../shared/remote-value.ts';

export type RunState = 'running' | 'completed' | 'failed' | 'stopped' | 'interrupted';

/** Changes from one held context to the next: rebuilding one between them stays quick in a run of any length. */
export const CONTEXT_EVERY = 500;

/** How much is held of one run: of a flood, or of a run without end, the first so many. What is left out is counted. */
export const HELD = { lines: 10_000, requests: 10_000, changes: 200_000 };

export interface TraceStep {
  id: number;
  parent: number | null;
  /** 0 at the top. */
  depth: number;
  /** JSON Pointer into the pipeline; null where the runtime does not tell. */
  path: string | null;
  iteration: number[];
  /** The first step of a loop's iteration. */
  opensIteration: boolean;
  kind: 'function' | 'loop' | 'if';
  name: string;
  settings: RemoteValue;
  state: 'running' | StepState;
  /** Milliseconds since the run started; `end` is null while it runs. */
  start: number;
  end: number | null;
  value?: RemoteValue;
  error?: RemoteError;
  iterations?: number;
  /** Loop: how many iterations it should make, where that is known. */
  total?: number;
  branch?: number | 'else' | null;
  changes: Change[];
  shallow: boolean;
  children: number[];
  lines: number;
  requests: number;
  /** Position in `Trace.changes` when it started and when it ended. */
  changesBefore: number;
  changesAfter: number;
}

export interface ConsoleLine {
  step: number | null;
  at: number;
  level: string;
  args: RemoteValue[];
}
export interface RequestLine {
  step: number | null;
  at: number;
  id: number;
  method: string;
  url: string;
  end: number | null;
  status: number | null;
  bytes: number | null;
  error?: string;
}

/** What is known of all steps at one path of the pipeline: what the tree shows. */
export interface PathSummary {
  state: 'running' | StepState;
  count: number;
  failed: number;
  milliseconds: number;
  /** Loop: iterations begun, and how many there should be. */
  iterations?: number;
  total?: number;
  /** If: how often each branch ran. */
  branches?: Map<number | 'else', { count: number; state: 'running' | StepState }>;
}

export interface Trace {
  runId: string;
  tracing: PageState['tracing'];
  startedAt: number;
  payload: RemoteValue;
  /** As the run started, and as the changes told so far have left it. */
  initialContext: RemoteValue;
  context: RemoteValue;
  steps: Map<number, TraceStep>;
  /** The same steps in the order in which they started. */
  order: TraceStep[];
  paths: Map<string, PathSummary>;
  /** Every change in the order of its telling. */
  changes: Change[];
  /** The context as it was after every `CONTEXT_EVERY` of them. */
  contexts: RemoteValue[];
  console: ConsoleLine[];
  requests: Map<number, RequestLine>;
  state: RunState;
  result?: RemoteValue;
  resultBytes: number | null;
  /** Asks the page for the whole result as JSON text. */
  resultText?: number;
  /** Stopped, though its code goes on in the page: the runtime takes no signal. */
  goesOn: boolean;
  error?: RemoteError;
  milliseconds: number;
  /** The step that failed first, innermost. */
  failedStep: number | null;
  /** How many came after as many as `HELD` says. */
  leftOut: { lines: number; requests: number; changes: number };
  /** Events that were lost because the log is bounded. */
  dropped: number;
}

export function createTrace(runId: string, startedAt: number): Trace {
  return {
    runId,
    startedAt,
    tracing: 'bare',
    payload: UNDEFINED,
    initialContext: UNDEFINED,
    context: UNDEFINED,
    steps: new Map(),
    order: [],
    paths: new Map(),
    changes: [],
    contexts: [],
    console: [],
    requests: new Map(),
    state: 'running',
    resultBytes: null,
    goesOn: false,
    milliseconds: 0,
    failedStep: null,
    leftOut: { lines: 0, requests: 0, changes: 0 },
    dropped: 0,
  };
}

/** Adds events of this run, oldest first, in place: a record of 100,000 steps can't be copied for each batch. Same events, same record. */
export function addEvents(
  trace: Trace,
  events: readonly AgentEvent[],
  loopTotal: (path: string) => LoopSource | null = () => null,
): Trace {
  for (const event of events) if (event.runId === trace.runId) addEvent(trace, event, loopTotal);
  return trace;
}

/** Where a loop's number of iterations comes from. */
export type LoopSource = { items: string } | { total: number };

function addEvent(trace: Trace, event: AgentEvent, loopTotal: (path: string) => LoopSource | null): void {
  trace.milliseconds = Math.max(trace.milliseconds, event.at);
  switch (event.kind) {
    case 'run-started':
      Object.assign(trace, {
        tracing: event.tracing,
        payload: event.payload,
        startedAt: event.startedAt,
        initialContext: event.context,
        context: event.context,
      });
      return;
    case 'step-started':
      return startStep(trace, event, loopTotal);
    case 'step-ended':
      return endStep(trace, event);
    case 'console': {
      if (trace.console.length < HELD.lines)
        trace.console.push({ step: event.step, at: event.at, level: event.level, args: event.args });
      else trace.leftOut.lines++;
      const step = event.step === null ? undefined : trace.steps.get(event.step);
      if (step) step.lines++;
      return;
    }
    case 'request-started': {
      if (trace.requests.size >= HELD.requests) trace.leftOut.requests++;
      else
        trace.requests.set(event.request, {
          step: event.step,
          at: event.at,
          id: event.request,
          method: event.method,
          url: event.url,
          end: null,
          status: null,
          bytes: null,
        });
      const step = event.step === null ? undefined : trace.steps.get(event.step);
      if (step) step.requests++;
      return;
    }
    case 'request-ended': {
      const request = trace.requests.get(event.request);
      if (request)
        Object.assign(request, { end: event.at, status: event.status, bytes: event.bytes, error: event.error });
      return;
    }
    case 'run-ended':
      trace.milliseconds = event.milliseconds;
      trace.result = event.result;
      trace.resultBytes = event.resultBytes ?? null;
      trace.resultText = event.resultText;
      trace.goesOn = event.goesOn ?? false;
      trace.error = event.error;
      endTrace(trace, event.state);
  }
}

/** Ends the run in `state`; steps that were still under way end with it. */
export function endTrace(trace: Trace, state: Exclude<RunState, 'running'>): void {
  trace.state = state;
  for (const step of trace.steps.values()) {
    if (step.state !== 'running') continue;
    step.state = 'stopped';
    step.end = trace.milliseconds;
    const summary = step.path === null ? undefined : trace.paths.get(step.path);
    if (summary?.state === 'running') summary.state = 'stopped';
  }
}

function startStep(
  trace: Trace,
  event: Extract<AgentEvent, { kind: 'step-started' }>,
  loopTotal: (path: string) => LoopSource | null,
): void {
  if (trace.steps.has(event.step)) return;
  change(trace, event.changes ?? []);
  const parent = event.parent === null ? undefined : trace.steps.get(event.parent);
  const step: TraceStep = {
    id: event.step,
    parent: event.parent,
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
  if (step.kind === 'loop') step.total = totalOf(trace, loopTotal(step.path));
  const summary = trace.paths.get(step.path) ?? { state: 'running', count: 0, failed: 0, milliseconds: 0 };
  trace.paths.set(step.path, summary);
  summary.state = 'running';
  summary.count++;
  if (step.total !== undefined) summary.total = (summary.total ?? 0) + step.total;
  if (parent?.path) countInParent(trace, parent, step);
}

function change(trace: Trace, changes: readonly Change[]): void {
  for (const one of changes) {
    trace.context = applyChange(trace.context, one);
    if (trace.changes.length >= HELD.changes) {
      trace.leftOut.changes++;
      continue;
    }
    trace.changes.push(one);
    if (trace.changes.length % CONTEXT_EVERY === 0) trace.contexts.push(trace.context);
  }
}

function opensIteration(trace: Trace, iteration: readonly number[], parent: TraceStep | undefined): boolean {
  if (!parent || iteration.length <= parent.iteration.length) return false;
  const before = trace.steps.get(parent.children.at(-1) ?? -1);
  return before?.iteration.at(-1) !== iteration.at(-1);
}

function totalOf(trace: Trace, source: LoopSource | null): number | undefined {
  if (!source) return undefined;
  if ('total' in source) return source.total;
  const items = valueAt(trace.context, source.items.split('.'));
  return items && isComposite(items) ? sizeOf(items) : undefined;
}

function countInParent(trace: Trace, parent: TraceStep, step: TraceStep): void {
  const summary = trace.paths.get(parent.path ?? '');
  if (!summary) return;
  if (parent.kind === 'loop') {
    if (step.opensIteration) summary.iterations = (summary.iterations ?? 0) + 1;
    return;
  }
  if (parent.kind !== 'if' || parent.children.length > 1) return;
  const branch = branchOf(parent.path ?? '', step.path ?? '');
  if (branch === null) return;
  summary.branches ??= new Map();
  const told = summary.branches.get(branch) ?? { count: 0, state: 'running' };
  summary.branches.set(branch, { count: told.count + 1, state: 'running' });
}

/** Which branch of the `if` at `path` the step at `inner` stands in. */
function branchOf(path: string, inner: string): number | 'else' | null {
  const [where, index] = pointerParts(inner.slice(path.length));
  return where === 'elseFunctions' ? 'else' : where === 'conditions' ? Number(index) : null;
}

function endStep(trace: Trace, event: Extract<AgentEvent, { kind: 'step-ended' }>): void {
  const step = trace.steps.get(event.step);
  if (!step) return;
  change(trace, event.changes);
  Object.assign(step, {
    state: event.state,
    end: event.at,
    value: event.value,
    error: event.error,
    iterations: event.iterations,
    branch: event.branch,
    changes: event.changes,
    shallow: event.shallow ?? false,
    changesAfter: trace.changes.length,
  });
  if (event.state === 'failed') trace.failedStep ??= step.id;
  const summary = step.path === null ? undefined : trace.paths.get(step.path);
  if (!summary) return;
  if (event.state === 'failed') summary.failed++;
  summary.milliseconds += event.at - step.start;
  summary.state = summary.failed > 0 ? 'failed' : event.state;
  if (step.kind === 'loop' && event.iterations !== undefined && summary.count === 1)
    summary.iterations = event.iterations;
  const branch = event.branch === undefined || event.branch === null ? undefined : summary.branches?.get(event.branch);
  if (branch) branch.state = event.state;
  if (event.state === 'failed')
    for (const one of summary.branches?.values() ?? []) if (one.state === 'running') one.state = 'failed';
}

/** The context after the first `count` changes of the run, rebuilt from the nearest one before that is held. */
export function contextAfter(
  trace: Pick<Trace, 'initialContext' | 'changes' | 'contexts'>,
  count: number,
): RemoteValue {
  const held = Math.min(trace.contexts.length, Math.floor(count / CONTEXT_EVERY));
  let context = trace.contexts[held - 1] ?? trace.initialContext;
  for (let index = held * CONTEXT_EVERY; index < count; index++) {
    const change = trace.changes[index];
    if (change) context = applyChange(context, change);
  }
  return context;
}
