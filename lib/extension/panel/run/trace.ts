/** The trace of a run: steps, context changes, console lines, requests, and result. */
import type { Change, PageState, RemoteError, RemoteValue, StepState } from '../../inspector/contract.ts';
import { UNDEFINED } from '../shared/remote-value.ts';

export type RunState = 'running' | 'completed' | 'failed' | 'stopped' | 'interrupted';

/** What a trace records of one run at most. The rest is only counted. */
export const TRACE_LIMITS = { lines: 10_000, requests: 10_000, changes: 200_000 };

export interface TraceStep {
  id: number;
  parent: number | null;
  /** 0 at the top. */
  depth: number;
  /** JSON Pointer into the pipeline; null when the runtime doesn't report it. */
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
  /** Loop: the expected number of iterations, when known. */
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

/** All steps at one path of the pipeline, summed up for the pipeline tree. */
export interface PathSummary {
  state: 'running' | StepState;
  count: number;
  failed: number;
  milliseconds: number;
  /** Loop: iterations started, and the expected number. */
  iterations?: number;
  total?: number;
  /** If: how often each branch ran, and how. */
  branches?: Map<number | 'else', { count: number; state: 'running' | StepState }>;
}

export interface Trace {
  runId: string;
  tracing: PageState['tracing'];
  startedAt: number;
  payload: RemoteValue;
  /** At the start of the run, and after all changes so far. */
  initialContext: RemoteValue;
  context: RemoteValue;
  steps: Map<number, TraceStep>;
  /** The same steps, in the order they started. */
  order: TraceStep[];
  paths: Map<string, PathSummary>;
  /** All changes of the context, in order. */
  changes: Change[];
  /** Snapshots of the context, one per `SNAPSHOT_INTERVAL` changes. */
  snapshots: RemoteValue[];
  console: ConsoleLine[];
  requests: Map<number, RequestLine>;
  state: RunState;
  result?: RemoteValue;
  resultBytes: number | null;
  /** Handle of the whole result as JSON text, in the page. */
  resultText?: number;
  /** Stopped, but the page's runtime can't be aborted: its code may still be running. */
  stillInPage: boolean;
  error?: RemoteError;
  milliseconds: number;
  /** The innermost step that failed first. */
  failedStep: number | null;
  /** How many were dropped beyond `TRACE_LIMITS`. */
  omitted: { lines: number; requests: number; changes: number };
  /** Events that the page's bounded log lost. */
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
    snapshots: [],
    console: [],
    requests: new Map(),
    state: 'running',
    resultBytes: null,
    stillInPage: false,
    milliseconds: 0,
    failedStep: null,
    omitted: { lines: 0, requests: 0, changes: 0 },
    dropped: 0,
  };
}

/** Where a loop's number of iterations comes from: an array in the context, or its range. */
export type LoopSource = { items: string } | { total: number };
