/** The run inspector as the panel sees it: its methods and its events. */
import type { ErrorValue, Result } from '../../../platform-api/errors.ts';
import type { AgentEvent, PageState, RemoteValue, RunAgent } from '../contract.ts';

/** The agent's own events, in order and each once, and what happens to the page. */
export type InspectorEvent =
  | AgentEvent
  /** Another document, or the same one with another `Platform`, pipeline, or list of functions. */
  | { kind: 'page-changed'; state: PageState; newDocument: boolean }
  /** The document went away before its run ended. */
  | { kind: 'run-lost'; runId: string; reason: 'reload' | 'navigation' }
  /** The page doesn't respond (`PAGE_BUSY`) or can't be inspected (`PAGE_UNREACHABLE`). Emitted once, until it responds. */
  | { kind: 'page-lost'; error: ErrorValue }
  | { kind: 'page-recovered' }
  /** So many events are missing here: the page's log no longer holds them, or they were invalid or too large. */
  | { kind: 'events-dropped'; count: number };

/** One per panel. No method throws or rejects: every failure is a value. */
export interface RunInspector {
  readonly capabilities: { readonly source: boolean; readonly reload: boolean };
  /** Describes the page and starts polling it. Call it again to change the namespace or to poll now. */
  attach(namespace?: string): Promise<Result<PageState>>;
  /**
   * Runs the page's pipeline with a payload of JSON text. `PAYLOAD_NOT_JSON`, `PAYLOAD_NOT_OBJECT`, `PAYLOAD_TOO_LARGE`,
   * `RUN_IN_PROGRESS`, `PLATFORM_NOT_READY`.
   */
  start(payload: string): Promise<Result<{ runId: string }>>;
  /** Stops the current run. Resolves with false when there is none. */
  stop(): Promise<Result<boolean>>;
  /** Calls the agent directly, for `trackEvent` and `readRunEvents`. */
  call<T>(method: keyof RunAgent, args: readonly unknown[], parse: (response: unknown) => T | null): Promise<Result<T>>;
  /** The name of `Platform` in the page. */
  namespace(): string;
  /** Returns a function that unsubscribes. */
  subscribe(listener: (event: InspectorEvent) => void): () => void;
  /** Entries `from` to `from + count` of a value that was cut. `HANDLE_GONE` when the page no longer has it. */
  expand(handle: number, from: number, count: number): Promise<Result<RemoteValue>>;
  /** The whole text of a string that was cut (or of `resultText`). `HANDLE_GONE`, `TEXT_TOO_LARGE`. */
  text(handle: number): Promise<Result<string>>;
  /** The page's pipeline as data. Conditions that are functions are their source text. */
  pipeline(): Promise<Result<unknown[]>>;
  /** Opens a function's script in the Sources panel. `SOURCE_UNKNOWN`, `SOURCE_NOT_FOUND`, `SOURCE_UNSUPPORTED`. */
  openSource(name: string): Promise<Result<null>>;
  /** Pauses in a function when it is called, or no longer; kept across reloads. `BREAK_UNSUPPORTED`, `FUNCTION_UNKNOWN`. */
  setBreakpoint(name: string, on: boolean): Promise<Result<null>>;
  /** Reloads the page with the agent in place before its first script. `RELOAD_UNSUPPORTED`. */
  reloadWithAgent(): Promise<Result<null>>;
  dispose(): void;
}
