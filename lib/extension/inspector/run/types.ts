/** The run inspector's methods and events, as the panel uses them. */
import type { DebuggerSettings, ResumeCommand } from '../../../debugging/stepper/types.ts';
import type { ErrorValue, Result } from '../../../platform-api/errors.ts';
import type { AgentEvent, Evaluated, PageState, RemoteValue, RunAgent, StartOptions } from '../contract.ts';
import type { PagePause, PagePosition } from '../page-pause.ts';

/** The agent's events, in order and without duplicates, and changes to the page. */
export type InspectorEvent =
  | AgentEvent
  /** A new document, or the same document with a new `Platform`, pipeline, or list of functions. */
  | { kind: 'page-changed'; state: PageState; newDocument: boolean }
  /** The document went away before its run ended. */
  | { kind: 'run-lost'; runId: string; reason: 'reload' | 'navigation' }
  /**
   * The page doesn't respond (`PAGE_BUSY`) or can't be inspected (`PAGE_UNREACHABLE`). Emitted once until it responds.
   */
  | { kind: 'page-lost'; error: ErrorValue }
  | { kind: 'page-recovered' }
  /** The debugger has paused the page, or it has moved to another line. */
  | { kind: 'debugger-paused'; pause: PagePause }
  | { kind: 'debugger-resumed' }
  /** How a run completed, before all of its steps have arrived. The event comes again, after them. */
  | { kind: 'completed-ahead'; end: Extract<AgentEvent, { kind: 'run-ended' }> }
  /** The number of events missing at this point: the page's log dropped them, or they were invalid or too large. */
  | { kind: 'events-dropped'; count: number };

/** Controls the current run while it’s paused at a step. `pause` is the number of the event `paused`. */
export interface RunDebugger {
  /** Changes the current run’s breakpoints. Resolves with false if there is no run, or if it ignores breakpoints. */
  update(settings: DebuggerSettings): Promise<Result<boolean>>;
  /** Pauses before the next step. Resolves with false if there is no run. Fails with `DEBUGGER_UNAVAILABLE`. */
  pause(): Promise<Result<boolean>>;
  /** Ends a pause. Fails with `PAUSE_GONE` or `OUTCOME_IMPOSSIBLE`. */
  resume(pause: number, command: ResumeCommand): Promise<Result<null>>;
  /** The context as JSON text, with marks for what JSON doesn’t have. Fails with `PAUSE_GONE`. */
  contextText(pause: number): Promise<Result<string>>;
  /**
   * Applies an edited text: all of it or nothing. Fails with `PAUSE_GONE`, `CONTEXT_NOT_JSON`, `CONTEXT_NOT_OBJECT`,
   * `CONTEXT_TOO_LARGE`, `CONTEXT_VALUE_LOST`, or `CONTEXT_READ_ONLY`.
   */
  editContext(pause: number, text: string): Promise<Result<null>>;
  /**
   * The values of expressions in the condition language, which can’t change the context. At most 100. Fails with
   * `PAUSE_GONE`.
   */
  evaluate(pause: number, sources: readonly string[]): Promise<Result<Evaluated[]>>;
}

/** One instance per panel. Methods never throw or reject: all failures are values. */
export interface RunInspector {
  readonly capabilities: { readonly source: boolean; readonly reload: boolean };
  /** Describes the page and starts polling it. Call this again to change the namespace or to poll right away. */
  attach(namespace?: string): Promise<Result<PageState>>;
  /**
   * Runs the page's pipeline. `payload` is JSON text.
   * Fails with `PAYLOAD_NOT_JSON`, `PAYLOAD_NOT_OBJECT`, `PAYLOAD_TOO_LARGE`, `RUN_IN_PROGRESS`,
   * `PLATFORM_NOT_READY`, `FUNCTIONS_MISSING`, or `PAGE_LEFT`. With options for debugging, also with
   * `MOCKS_UNAVAILABLE`, `MOCKS_LIVE`, or `DEBUGGER_UNAVAILABLE`.
   */
  start(payload: string, options?: StartOptions): Promise<Result<{ runId: string }>>;
  /** Stops the current run. Resolves with false if there is none. */
  stop(): Promise<Result<boolean>>;
  /** Reads what the page has reported by now. */
  poll(): Promise<void>;
  readonly debugger: RunDebugger;
  /** The text of a run’s recording, once the run has ended. Null if the page doesn’t have it. */
  recording(runId: string): Promise<Result<string | null>>;
  /** Calls the agent directly. Used by `readRunEvents`. */
  call<T>(method: keyof RunAgent, args: readonly unknown[], parse: (response: unknown) => T | null): Promise<Result<T>>;
  /** The name of the page's `Platform` namespace. */
  namespace(): string;
  /**
   * The page's clock in epoch milliseconds, as of now, minus the time that the debugger has paused the current run. Stands
   * still during a pause. Null until the page was polled.
   */
  pageNow(): number | null;
  /** Shows a position in the Sources panel. Fails with `SOURCE_NOT_FOUND` or `SOURCE_UNSUPPORTED`. */
  openPosition(position: PagePosition): Promise<Result<null>>;
  /** Returns a function that unsubscribes. */
  subscribe(listener: (event: InspectorEvent) => void): () => void;
  /**
   * Entries `from` to `from + count` of a truncated value. Fails with `HANDLE_GONE` if the page has dropped the value.
   */
  expand(handle: number, from: number, count: number): Promise<Result<RemoteValue>>;
  /** The full text of a truncated string (or of `resultText`). Fails with `HANDLE_GONE` or `TEXT_TOO_LARGE`. */
  text(handle: number): Promise<Result<string>>;
  /** The page's pipeline as data. Conditions that are functions are replaced with their source text. */
  pipeline(): Promise<Result<unknown[]>>;
  /**
   * Opens a function's script in the Sources panel.
   * Fails with `SOURCE_UNKNOWN`, `SOURCE_NOT_FOUND`, or `SOURCE_UNSUPPORTED`.
   */
  openSource(name: string): Promise<Result<null>>;
  /** The source text of a registered function. Null if the page has none. */
  functionSource(name: string): Promise<Result<string | null>>;
  /**
   * Sets or clears a breakpoint in a function. Breakpoints survive reloads.
   * Fails with `BREAK_UNSUPPORTED` or `FUNCTION_UNKNOWN`.
   */
  setBreakpoint(name: string, on: boolean): Promise<Result<null>>;
  /**
   * Reloads the page and installs the agent before the page's first script runs.
   * Fails with `RELOAD_UNSUPPORTED`, or, if the URL can't get the payload, with `PAYLOAD_NOT_SET`.
   */
  reloadWithAgent(payload?: string): Promise<Result<null>>;
  dispose(): void;
}
