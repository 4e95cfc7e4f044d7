/**
 * Defines the data that the agent's run part reports: values, the page, and run events, which are also stored and
 * exported.
 */
import type { DebuggerSettings, ResumeCommand, StepPlace } from '../../debugging/stepper/types.ts';
import type { ErrorValue, Result } from '../../platform-api/errors.ts';
import type { AgentDocument, EventBatch } from './agent-protocol.ts';
import type { AgentDebugOptions, DebugOptions, Evaluated } from './run/debug-options.ts';
import type { CompactEvent } from './run/event-format.ts';

export type { DebugOptions, Evaluated, RunFrom } from './run/debug-options.ts';

/**
 * A page value, truncated to a budget. `handle` gives access to the rest: a string's text or an object's entries.
 * The value was truncated if there are fewer `items` than `length`, fewer `entries` than `size`, or if `v` is shorter
 * than its `length`. Page values are untrusted: the UI shows them as text and never interprets them.
 */
export type RemoteValue =
  | { t: 'undefined' }
  | { t: 'null' }
  | { t: 'boolean'; v: boolean }
  /** `v` is a string if JSON can't represent the number: NaN, Infinity, -Infinity, -0. */
  | { t: 'number'; v: number | string }
  | { t: 'string'; v: string; length: number; handle?: number }
  | { t: 'bigint' | 'symbol' | 'function' | 'node' | 'date' | 'regexp'; v: string }
  | { t: 'error'; name: string; message: string; stack: string }
  | { t: 'array'; length: number; items: RemoteValue[]; handle?: number }
  | { t: 'object'; name?: string; size: number; entries: [string, RemoteValue][]; handle?: number }
  /** A reference to an ancestor `up` levels above. */
  | { t: 'cycle'; up: number }
  /** A getter, or a proxy that threw an error. */
  | { t: 'unreadable'; message: string };

/**
 * A change to the context. To get the context after an event, start with the `context` of `run-started` and apply the
 * `changes` of all events up to that one, in order. `path` is a JSON Pointer; `''` is the whole context.
 */
export interface Change {
  path: string;
  /** Absent if the value was added. */
  before?: RemoteValue;
  /** Absent if the value was removed. */
  after?: RemoteValue;
}

/** The page state that runs depend on. */
export interface PageState extends AgentDocument {
  protocol: number;
  url: string;
  ready: boolean;
  /** How the document was loaded; absent if the browser doesn't report it. */
  navigation?: { status: number; isFromServiceWorker: boolean } | undefined;
  platform: 'absent' | 'not-an-object' | 'throws' | 'no-pipeline' | 'ready';
  /** The URL that the document was loaded with. A page can change its own later. */
  loadedUrl?: string | undefined;
  /** Whether the page has an opaque origin, so that nothing can change its URL. */
  isSandboxed?: boolean | undefined;
  /**
   * If the page lacks the namespace: the URL of a frame that has it, and how many frames of other sites may have it. Absent
   * without frames.
   */
  frames?: { withNamespace: string | null; unchecked: number } | undefined;
  /** The value that was found instead, such as `string`, or the getter's error. */
  platformDetail?: string;
  /**
   * `observed`: the engine's observer traces steps. `wrapped`: only calls of registered functions are traced.
   * `bare`: only the start and end are known.
   */
  tracing: 'observed' | 'wrapped' | 'bare';
  env: { appId: number | null; taskId: number | null; organizationId: number | null; mode: string | null } | null;
  pipeline: { ok: true; steps: number; handle: number; bytes: number } | { ok: false; error: ErrorValue };
  /** Registered packages and the URLs of their scripts, or null if unknown. */
  functions: { name: string; url: string | null }[];
  /** Whether the page has `App.Actions.get()`. */
  hasActions?: boolean | undefined;
  /**
   * The page registered functions before the agent was installed, so tracing their calls requires a reload with the
   * agent.
   */
  canTraceAfterReload?: boolean;
  run: { id: string; startedAt: number } | null;
  /** The newest event's sequence number. */
  lastSeq: number;
}

/** What orchestrates a run: the runtime of the page’s platform, or our engine in the page, with the page’s functions. */
export type Engine = 'platform' | 'ours';

interface EventBase {
  /** The sequence number within the document, starting at 1. */
  n: number;
  runId: string;
  /** Milliseconds since the run started. */
  at: number;
}
/**
 * Why the debugger has paused a run. `request`: the user asked for it. `page-left`: the page was left or frozen, and is
 * back.
 */
export type PauseReason = 'breakpoint' | 'step' | 'failure' | 'request' | 'run-to' | 'page-left';
/** `logpoint`: written by a breakpoint that logs. */
export type ConsoleLevel = 'log' | 'info' | 'warn' | 'error' | 'debug' | 'logpoint';

export type StepState = 'completed' | 'skipped' | 'failed' | 'stopped';

export type AgentEvent = EventBase &
  (
    | {
        kind: 'run-started';
        tracing: PageState['tracing'];
        /** Absent for `platform`, as in runs that earlier versions stored. */
        engine?: Engine;
        payload: RemoteValue;
        context: RemoteValue;
        startedAt: number;
        /** The number of mocks that are on. Absent if none is. */
        mocks?: number;
        /** The run has started at this step of a recorded run. */
        from?: StepPlace;
        /** Why the run ignores breakpoints (`DEBUGGER_UNAVAILABLE`). Set only if it has some. */
        debuggerError?: ErrorValue;
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
        /** Changes since the last step event, such as a loop's `currentItem`. */
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
        /** What gave the outcome instead of the step itself, such as `mock`. */
        replaced?: string;
        changes: Change[];
        /** True if the context was too large to compare all of it. */
        shallow?: boolean;
      }
    /** The run is paused before a step, or, for `failure`, before it ends with the step’s failure. */
    | {
        kind: 'paused';
        /** Identifies the pause in this document. */
        pause: number;
        step: number;
        reason: PauseReason;
        /** The failure, or why a breakpoint’s condition couldn’t be evaluated. */
        error?: RemoteError;
        /** The failed step can run again. */
        canRetry?: boolean | undefined;
      }
    /**
     * `absence`: the panel was gone for too long, so that the run has gone on by itself. `page-left`: likewise, but the run
     * was stopped, because its page had been left.
     */
    | { kind: 'resumed'; pause: number; by: 'panel' | 'absence' | 'page-left' }
    /** The user has edited the context: before the step, or after this attempt of it, which has failed. The first is 1. */
    | { kind: 'context-edited'; step: number; attempt?: number | undefined; changes: Change[] }
    /** What else had changed before an edit or a retry: by this attempt, or by a function that wasn’t awaited. */
    | { kind: 'context-changed'; step: number; attempt?: number | undefined; changes: Change[] }
    /** This attempt of the step has failed with this error, and the step runs again. */
    | { kind: 'step-retried'; step: number; attempt: number; error: RemoteError }
    /** `step` is the step during which the event occurred, or null outside of steps. */
    | { kind: 'console'; step: number | null; level: ConsoleLevel; args: RemoteValue[] }
    | {
        kind: 'request-started';
        step: number | null;
        request: number;
        method: string;
        url: string;
        /** Absent in runs that earlier versions stored. */
        headers?: RecordedHeaders;
        /** Only if the user asked for bodies. */
        body?: RecordedBody;
      }
    /** Reported again, with the body, if the body was read after the response’s headers. */
    | {
        kind: 'request-ended';
        request: number;
        status: number | null;
        bytes: number | null;
        error?: string;
        headers?: RecordedHeaders;
        body?: RecordedBody;
      }
    | {
        kind: 'run-ended';
        state: 'completed' | 'failed' | 'stopped';
        result?: RemoteValue;
        resultBytes?: number | null;
        error?: RemoteError;
        milliseconds: number;
        /** How many of these milliseconds tracing took. Absent in runs that earlier versions stored. */
        tracingMilliseconds?: number;
        /** The handle of the result's complete JSON text. */
        resultText?: number;
        /**
         * Set if the runtime doesn't support abort signals: its code keeps running in the page, untraced, until a
         * reload.
         */
        goesOn?: boolean;
        /** What stopped the run instead of the user: the page was left or frozen, and the run must not act later. */
        stoppedBy?: 'page-left';
      }
  );
type WithoutBase<T> = T extends unknown ? Omit<T, keyof EventBase> : never;
export type AgentEventBody = WithoutBase<AgentEvent>;

/** A thrown value as a failure result (see the specification), with the step's path if it's known. */
export interface RemoteError {
  code: string | null;
  errorType: string;
  errorMessage: string;
  /** One line per entry, starting with the failing step. */
  trace: string[];
  path: string | null;
  iteration: number[];
  /** Set if the thrown value isn't an Error, but a string, undefined, or another value. */
  thrown?: RemoteValue;
}

/** An action that an analytics event triggered. */
export interface FiredAction {
  actionId: number;
  name: string;
  /** `unknown`: the page reports another state, or none. */
  state: 'completed' | 'failed' | 'unknown';
}

/** `unread`: how many more the page reports, which couldn't be read. */
export interface FiredActions {
  actions: FiredAction[];
  unread: number;
}

/** Names and values. The agent has masked secrets, and has cut long values and lists. */
export type RecordedHeaders = [name: string, value: string][];

/**
 * A request's or response's body as text, with secrets masked. `cut` says why it isn't whole: it's long (`length`), the
 * run's bodies take too much space (`total`), it hadn't ended in time (`time`), it doesn't end (`stream`), or it isn't
 * text (`binary`).
 */
export interface RecordedBody {
  text: string;
  cut?: 'length' | 'total' | 'time' | 'stream' | 'binary';
}

export interface StartOptions {
  /** Default: the platform’s runtime. */
  engine?: Engine;
  /** Runs only in this document. By default, in any. */
  documentId?: string;
  debug?: DebugOptions;
}

/** The options as the agent gets them. */
export interface AgentStartOptions extends Omit<StartOptions, 'debug'> {
  debug?: AgentDebugOptions;
}

/** A long text, such as a run’s recording, to be read with `text`. */
export interface LongText {
  handle: number;
  /** In characters. */
  length: number;
}

/** The run part of the agent. Its methods never throw. */
export interface RunAgent {
  state(namespace: string): PageState;
  /**
   * Starts a run. `payload` is JSON text. Responds immediately and includes `run-started`, because the page might
   * navigate away before the panel can read anything else.
   */
  start(
    runId: string,
    payload: string,
    namespace: string,
    options?: AgentStartOptions,
  ): { ok: true; events: AgentEvent[] } | { ok: false; error: ErrorValue };
  /** Whether the next runs record the bodies of requests and responses. Returns the same value. */
  recordBodies(on: boolean): boolean;
  /**
   * Leaves the payload in the page's URL, for a reload. False if nothing can change the URL.
   */
  keepPayload(payload: string): boolean;
  /** The recording of a run that has ended. Null if the run wasn’t recorded, or if its recording was dropped. */
  recording(runId: string): LongText | null;
  /** False if there is no run with that ID. */
  stop(runId: string): boolean;
  /** Receives a long text in pieces, from the first to the last. False if it’s too long, or if a piece is missing. */
  putText(id: string, from: number, piece: string): boolean;
  /** Changes the run’s breakpoints. False if there is no run with that ID, or if it ignores breakpoints. */
  debug(runId: string, settings: DebuggerSettings): boolean;
  /** Pauses before the next step. False if there is no run with that ID. Fails with `DEBUGGER_UNAVAILABLE`. */
  pause(runId: string): Result<boolean>;
  /** Ends a pause. Fails with `PAUSE_GONE` or `OUTCOME_IMPOSSIBLE`. */
  resume(runId: string, pause: number, command: ResumeCommand): Result<null>;
  /** The context of a pause as JSON text. Null if the pause has ended. */
  pausedContext(runId: string, pause: number): LongText | null;
  /** Applies an edited text, by its ID: all of it or nothing. Fails with `PAUSE_GONE` or a code that starts with `CONTEXT_`. */
  editContext(runId: string, pause: number, textId: string): Result<null>;
  /** The values of expressions in the condition language, which can’t change the context. Null if the pause has ended. */
  evaluate(runId: string, pause: number, sources: readonly string[]): Evaluated[] | null;
  /**
   * Events after a sequence number, in their compact form: about `maxChars` characters, but at least one event. The
   * fingerprint is empty during a run. `runId` is the run of the first event.
   */
  read(after: number, maxChars: number, namespace: string): EventBatch<CompactEvent> & { runId: string };
  /** Entries `from` to `from + count` of an object or array, or null if the handle has expired. */
  expand(handle: number, from: number, count: number): RemoteValue | null;
  /** A chunk of a string (or of the pipeline's JSON), or null if the handle has expired. */
  text(handle: number, from: number, length: number): string | null;
}
