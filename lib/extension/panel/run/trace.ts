/** A run's trace: steps, context changes, console lines, requests, and result. */
import type { StepPlace } from '../../../debugging/stepper/types.ts';
import type { ErrorValue } from '../../../platform-api/errors.ts';
import type {
  AgentEvent,
  Change,
  PageState,
  PauseReason,
  RecordedBody,
  RecordedHeaders,
  RemoteError,
  RemoteValue,
  StepState,
} from '../../inspector/contract.ts';
import { UNDEFINED } from '../shared/remote-value.ts';

export type RunState = 'running' | 'completed' | 'failed' | 'stopped' | 'interrupted';

/** Maximum number of items of each kind that a trace records per run. Further items are only counted. */
export const TRACE_LIMITS = { lines: 10_000, requests: 10_000, changes: 200_000 };

export interface TraceStep {
  id: number;
  parent: number | null;
  /** 0 at the top level. */
  depth: number;
  /** JSON Pointer into the pipeline; null if the runtime doesn't report it. */
  path: string | null;
  iteration: number[];
  /** Whether this is the first step of a loop iteration. */
  opensIteration: boolean;
  kind: 'function' | 'loop' | 'if';
  name: string;
  settings: RemoteValue;
  /** `unstored`: the step's end wasn't received or isn't stored, so its outcome is unknown. */
  state: 'running' | StepState | 'unstored';
  /** Milliseconds since the run started. `end` is null while the step is running. */
  start: number;
  end: number | null;
  value?: RemoteValue;
  error?: RemoteError;
  iterations?: number;
  /** For a loop, the expected number of iterations, if known. */
  total?: number;
  branch?: number | 'else' | null;
  /** What gave the outcome instead of the step itself, such as `mock`. */
  replaced?: string;
  changes: Change[];
  /** What the user edited in the context before the step. */
  edits: Change[];
  /** The attempts that failed while the run paused at their failure. All else is about the last attempt. */
  attempts: FailedAttempt[];
  shallow: boolean;
  children: number[];
  lines: number;
  requests: number;
  /** Positions in `Trace.changes` when the step started and ended. */
  changesBefore: number;
  changesAfter: number;
}

export interface FailedAttempt {
  /** Set once the step was retried. */
  error: RemoteError | null;
  /** What it changed in the context, as far as it was noticed before an edit or the retry. */
  changes: Change[];
  /** What the user edited after it. */
  edits: Change[];
}

/** Where and why the debugger has paused a run. */
export interface PausedStep {
  /** ID of the pause in its document. */
  pause: number;
  /** ID of the step. */
  step: number;
  reason: PauseReason;
  error?: RemoteError | undefined;
  /** The failed step can run again. */
  canRetry?: boolean | undefined;
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
  /** Absent if they weren't recorded. */
  headers?: RecordedHeaders;
  body?: RecordedBody;
  responseHeaders?: RecordedHeaders;
  responseBody?: RecordedBody;
}

/** A summary of all steps at one pipeline path, for the pipeline tree. */
export interface PathSummary {
  state: TraceStep['state'];
  count: number;
  failed: number;
  milliseconds: number;
  /** When the latest of the steps started, in milliseconds since the run started. */
  lastStart: number;
  /** For a loop, the number of iterations started and the expected total. */
  iterations?: number;
  total?: number;
  /** How many of the steps a mock has replaced. Absent if none. */
  mocked?: number;
  /** How many have their outcome from a recording. Absent if none. */
  recorded?: number;
  /** For an `if`, how often each branch ran, and each branch's state. */
  branches?: Map<number | 'else', { count: number; state: TraceStep['state'] }>;
}

export interface Trace {
  runId: string;
  tracing: PageState['tracing'];
  startedAt: number;
  payload: RemoteValue;
  /** The context at the start of the run, and after all changes so far. */
  initialContext: RemoteValue;
  context: RemoteValue;
  steps: Map<number, TraceStep>;
  /** The same steps, in start order. */
  order: TraceStep[];
  paths: Map<string, PathSummary>;
  /** All context changes, in order. */
  changes: Change[];
  /** Context snapshots, one per `SNAPSHOT_INTERVAL` changes. */
  snapshots: RemoteValue[];
  console: ConsoleLine[];
  requests: Map<number, RequestLine>;
  state: RunState;
  /** How the run completed, while its last steps are still on their way. */
  ahead: Extract<AgentEvent, { kind: 'run-ended' }> | null;
  /** Where the run is paused at a step; null if it isn’t. */
  paused: PausedStep | null;
  /** The run went on without the panel, because it was gone for too long during a pause. */
  resumedInAbsence: boolean;
  /** The number of mocks that were on. */
  mocks: number;
  /** The step of a recorded run where the run has started; null for a run from the beginning. */
  from: StepPlace | null;
  /** Why the run ignores its breakpoints; null if it doesn’t, or if it has none. */
  debuggerError: ErrorValue | null;
  result?: RemoteValue;
  resultBytes: number | null;
  /** Handle of the full result, as JSON text in the page. */
  resultText?: number;
  /** The run was stopped, but its code might still be running because the page's runtime can't abort it. */
  stillInPage: boolean;
  /** What stopped the run instead of the user. */
  stoppedBy?: 'page-left';
  error?: RemoteError;
  milliseconds: number;
  /** How many of these milliseconds tracing took. Undefined until the run ends, and for runs of earlier versions. */
  tracingMilliseconds?: number;
  /** The number of steps that mocks have replaced. */
  mocked: number;
  /** ID of the innermost step that failed first. */
  failedStep: number | null;
  /** Numbers of items dropped because of `TRACE_LIMITS`. */
  omitted: { lines: number; requests: number; changes: number };
  /** Number of events that the panel didn’t receive, as far as is known. */
  dropped: number;
  /** For a past run, what isn't stored of it: its number of steps, or null if unknown. Null if everything is stored. */
  unstored: { steps: number | null } | null;
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
    snapshots: [],
    console: [],
    requests: new Map(),
    state: 'running',
    ahead: null,
    paused: null,
    resumedInAbsence: false,
    mocks: 0,
    from: null,
    debuggerError: null,
    resultBytes: null,
    stillInPage: false,
    milliseconds: 0,
    mocked: 0,
    failedStep: null,
    omitted: { lines: 0, requests: 0, changes: 0 },
    dropped: 0,
    unstored: null,
  };
}

/** Whether events of the run are missing, so that more may have happened than the trace says. */
export const isPartial = ({ dropped, unstored, state }: Pick<Trace, 'dropped' | 'unstored' | 'state'>): boolean =>
  dropped > 0 || unstored !== null || state === 'interrupted';

/** The source of a loop's iteration count: an array in the context, or the loop's range. */
export type LoopSource = { items: string } | { total: number };
