/** Defines what the run part of the agent reports: values, the page, and run events, which are also stored and exported. */
import type { ErrorValue } from '../../platform-api/errors.ts';
import type { AgentDocument, EventBatch } from './agent-protocol.ts';

/**
 * A value of the page, cut to a budget. `handle` gives access to the rest: a string's text, an object's entries.
 * Fewer `items` than `length`, or fewer `entries` than `size`, means that the value was cut; so does a `v` shorter than
 * its `length`. Values of the page are untrusted: they are shown as text and never parsed as anything else.
 */
export type RemoteValue =
  | { t: 'undefined' }
  | { t: 'null' }
  | { t: 'boolean'; v: boolean }
  /** `v` as text when JSON has no such number: NaN, Infinity, -Infinity, -0. */
  | { t: 'number'; v: number | string }
  | { t: 'string'; v: string; length: number; handle?: number }
  | { t: 'bigint' | 'symbol' | 'function' | 'node' | 'date' | 'regexp'; v: string }
  | { t: 'error'; name: string; message: string; stack: string }
  | { t: 'array'; length: number; items: RemoteValue[]; handle?: number }
  | { t: 'object'; name?: string; size: number; entries: [string, RemoteValue][]; handle?: number }
  /** An ancestor again, `up` levels above. */
  | { t: 'cycle'; up: number }
  /** A getter, or a proxy that threw. */
  | { t: 'unreadable'; message: string };

/**
 * A change of the context. The context after an event is `run-started`'s `context` with the `changes` of all events up to
 * it applied in order. `path` is a JSON Pointer; `''` is the whole context.
 */
export interface Change {
  path: string;
  /** Absent when the value was added. */
  before?: RemoteValue;
  /** Absent when the value was removed. */
  after?: RemoteValue;
}

/** The state of the page that matters for runs. */
export interface PageState extends AgentDocument {
  protocol: number;
  url: string;
  ready: boolean;
  platform: 'absent' | 'not-an-object' | 'throws' | 'no-pipeline' | 'ready';
  /** What was found instead, such as `string` or the getter's error. */
  platformDetail?: string;
  /** `observed`: the engine's observer traces steps. `wrapped`: only calls of registered functions. `bare`: start and end only. */
  tracing: 'observed' | 'wrapped' | 'bare';
  env: { appId: number | null; taskId: number | null; organizationId: number | null; mode: string | null } | null;
  pipeline: { ok: true; steps: number; handle: number; bytes: number } | { ok: false; error: ErrorValue };
  /** Registered packages and the URLs of their scripts; null when unknown. */
  functions: { name: string; url: string | null }[];
  /** Functions were registered before the agent was installed: a reload with the agent would trace their calls. */
  canTraceAfterReload?: boolean;
  run: { id: string; startedAt: number } | null;
  /** Sequence number of the newest event. */
  lastSeq: number;
}

interface EventBase {
  /** Sequence number within the document, from 1. */
  n: number;
  runId: string;
  /** Milliseconds since the run started. */
  at: number;
}
export type StepState = 'completed' | 'skipped' | 'failed' | 'stopped';

export type AgentEvent = EventBase &
  (
    | {
        kind: 'run-started';
        tracing: PageState['tracing'];
        payload: RemoteValue;
        context: RemoteValue;
        startedAt: number;
      }
    | {
        kind: 'step-started';
        step: number;
        parent: number | null;
        path: string | null;
        iteration: number[];
        stepKind: 'function' | 'loop' | 'if';
        name: string;
        settings: RemoteValue;
        /** What changed since the last step event, such as a loop's `currentItem`. */
        changes?: Change[];
      }
    | {
        kind: 'step-ended';
        step: number;
        state: StepState;
        value?: RemoteValue;
        error?: RemoteError;
        iterations?: number;
        branch?: number | 'else' | null;
        changes: Change[];
        /** True when the context was too large to compare in depth. */
        shallow?: boolean;
      }
    /** `step` is the step during which it happened; null outside of steps. */
    | { kind: 'console'; step: number | null; level: 'log' | 'info' | 'warn' | 'error' | 'debug'; args: RemoteValue[] }
    | { kind: 'request-started'; step: number | null; request: number; method: string; url: string }
    | { kind: 'request-ended'; request: number; status: number | null; bytes: number | null; error?: string }
    | {
        kind: 'run-ended';
        state: 'completed' | 'failed' | 'stopped';
        result?: RemoteValue;
        resultBytes?: number | null;
        error?: RemoteError;
        milliseconds: number;
        /** Handle of the result's whole JSON text. */
        resultText?: number;
        /** The runtime takes no signal: its code keeps running in the page, untraced, until a reload. */
        goesOn?: boolean;
      }
  );
type WithoutBase<T> = T extends unknown ? Omit<T, keyof EventBase> : never;
export type AgentEventBody = WithoutBase<AgentEvent>;

/** A thrown value in the terms of the specification's failure result, with the step's path when it is known. */
export interface RemoteError {
  code: string | null;
  errorType: string;
  errorMessage: string;
  /** Lines, the failing step first. */
  trace: string[];
  path: string | null;
  iteration: number[];
  /** Set when the thrown value isn't an Error: a string, undefined, an object. */
  thrown?: RemoteValue;
}

/** An action that an analytics event fired. */
export interface FiredAction {
  actionId: number;
  name: string;
  state: 'completed' | 'failed';
}

/** The outcome of an analytics event. `fired`: the actions that it fired, once they have ended; null when the page doesn't report them. */
export type TrackOutcome =
  | { state: 'pending' }
  | { state: 'reported'; fired: FiredAction[] | null }
  | { state: 'rejected'; code: string; message: string };

/** The run part of the agent. No method throws. */
export interface RunAgent {
  state(namespace: string): PageState;
  /**
   * Starts a run with a payload of JSON text. The response comes at once, with `run-started`, because the page may be gone
   * before anything else can be read.
   */
  start(
    runId: string,
    payload: string,
    namespace: string,
  ): { ok: true; events: AgentEvent[] } | { ok: false; error: ErrorValue };
  /** False when there is no run with that id. */
  stop(runId: string): boolean;
  /** Events after a sequence number, about `maxChars` of them but at least one. No fingerprint while a run is running. */
  read(after: number, maxChars: number, namespace: string): EventBatch<AgentEvent>;
  /** Entries `from` to `from + count` of an object or array; null when the handle is gone. */
  expand(handle: number, from: number, count: number): RemoteValue | null;
  /** A piece of a string (or of the pipeline's JSON); null when the handle is gone. */
  text(handle: number, from: number, length: number): string | null;
  /** Sends an analytics event through the page. `data` is JSON text. The outcome is read with `trackOutcome`. */
  track(id: string, method: 'pageView' | 'event', data: string, namespace: string): TrackOutcome;
  /** Null when this document doesn't know the event. */
  trackOutcome(id: string): TrackOutcome | null;
}
