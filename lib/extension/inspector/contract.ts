/** Owns what the page agent and the panel say to each other; both sides are built from this file. */
import type { ErrorValue } from '../../platform-api/index.ts';

/** Raised with every change of this file that an older side could misread. */
export const AGENT_PROTOCOL = 3;

/**
 * A value of the page, cut to a budget. `handle` asks the agent for the rest: of a string's text, of an object's entries.
 * Fewer `items` than `length`, or fewer `entries` than `size`, means that the value was cut; so does a `v` shorter than
 * its `length`. What the page says is untrusted: it is shown as text and never parsed as anything else.
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
  /** An ancestor again; `up` levels above. */
  | { t: 'cycle'; up: number }
  /** A getter or proxy that threw. */
  | { t: 'unreadable'; message: string };

/**
 * One difference of the context. The context after an event is `run-started`'s `context` with the `changes` of all events
 * up to it applied in order. The path `''` is the context as a whole.
 * Of one: `path` is a JSON Pointer; `before` absent when added, `after` absent when removed. */
export interface Change {
  path: string;
  before?: RemoteValue;
  after?: RemoteValue;
}

/** What the page is, told at once and again whenever asked. */
export interface PageState {
  protocol: number;
  /** New for each document: the panel notices a reload or navigation by it. */
  documentId: string;
  url: string;
  ready: boolean;
  platform: 'absent' | 'not-an-object' | 'throws' | 'no-pipeline' | 'ready';
  /** What was found instead, such as `string` or the getter's error. */
  platformDetail?: string;
  /** `observed`: steps are traced by the engine's observer. `wrapped`: calls of registered functions only. `bare`: start and end only. */
  tracing: 'observed' | 'wrapped' | 'bare';
  env: { appId: number | null; taskId: number | null; organizationId: number | null; mode: string | null } | null;
  pipeline: { ok: true; steps: number; handle: number; bytes: number } | { ok: false; error: ErrorValue };
  /** Registered packages and where their script is; url null when it can't be told. */
  functions: { name: string; url: string | null }[];
  /** True when functions were registered before the agent came: reloading with the agent would show their calls. */
  canTraceAfterReload?: boolean;
  run: { id: string; startedAt: number } | null;
  /** Number of the newest event. */
  last: number;
  /** The same text as in `AgentReading`. */
  look?: string;
}

interface EventBase {
  /** Counts up by one for each event of the document. */
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
        /** what changed since the last step event, such as a loop's `currentItem` */ changes?: Change[];
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
        /** true when the context was too large to compare in depth */ shallow?: boolean;
      }
    /** `step` is the step during which it happened, null outside any. */
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
        /** handle of the result's whole JSON text, when there is one */ resultText?: number;
        /** the runtime takes no signal: its code goes on in the page, unwatched, until a reload */ goesOn?: boolean;
      }
  );
type WithoutBase<T> = T extends unknown ? Omit<T, keyof EventBase> : never;
export type AgentEventBody = WithoutBase<AgentEvent>;

/** What was thrown, in the terms of the specification's failure result, with the place where there is one. */
export interface RemoteError {
  code: string | null;
  errorType: string;
  errorMessage: string;
  /** Lines, the failing step first. */
  trace: string[];
  path: string | null;
  iteration: number[];
  /** Set when what was thrown is no Error: a string, undefined, an object. */
  thrown?: RemoteValue;
}

/** The agent in the page. None of its methods throws; what they answer travels as JSON text through `AgentPort`. */
export interface Agent {
  state(namespace: string): PageState;
  /**
   * `payload` is JSON text; the answer is at once, with `run-started`: the page may be gone before anything else can be read.
   * The run is told by events.
   */
  start(
    runId: string,
    payload: string,
    namespace: string,
  ): { ok: true; events: AgentEvent[] } | { ok: false; error: ErrorValue };
  /** Asks the run to stop; false when there is none with that id. */
  stop(runId: string): boolean;
  /**
   * Events after `after`, oldest first, at most about `bytes`; `dropped` counts those that the bounded log no longer holds.
   * `look` is a text that differs when `state` would: the panel asks for the state again then.
   */
  read(after: number, bytes: number, namespace: string): AgentReading;
  /** Entries `from` to `from + count` of an object or array; null when the handle is gone. */
  expand(handle: number, from: number, count: number): RemoteValue | null;
  /** A piece of a string (or of the pipeline's JSON); null when the handle is gone. */
  text(handle: number, from: number, length: number): string | null;
  /** Has the page tell an analytics event; `data` is JSON text. The answer is at once, what became of it is asked for by `tracked`. */
  track(id: string, method: 'pageView' | 'event', data: string, namespace: string): Tracked;
  /** Null: this document was told no such event. */
  tracked(id: string): Tracked | null;
}
/** What became of an analytics event. `fired` are the actions that it fired, once they have ended; null when the page does not say. */
export type Tracked =
  | { state: 'waiting' }
  | { state: 'told'; fired: FiredAction[] | null }
  | { state: 'refused'; code: string; message: string };
export interface FiredAction {
  actionId: number;
  name: string;
  state: 'completed' | 'failed';
}
export interface AgentReading {
  documentId: string;
  events: AgentEvent[];
  last: number;
  dropped: number;
  look: string;
}

/** How the panel finds the agent: `window[AGENT_KEY]`. */
export const AGENT_KEY = 'platform-devtools.agent';

/** The name under which DevTools lists the agent, and stacks name it. */
export const AGENT_SOURCE = 'platform-devtools-agent.js';

/** What stands under `AGENT_KEY`. */
export interface AgentPort {
  protocol: number;
  /** Calls a method of `Agent`; the answer is JSON text, so that it crosses `eval` alike in every browser. */
  call(method: keyof Agent, args: readonly unknown[]): string;
  /** The function that was registered under a name, unwrapped: for the console's `debug`. */
  registered(namespace: string, name: string): unknown;
  /** Wraps functions as they are registered from now on, also when the namespace does not exist yet. */
  watchRegistrations(namespace: string): void;
}
