/** Owns what the panel sees of the inspector: its methods, its events, and what it needs from DevTools. */
import type { ErrorValue, Result } from '../../../platform-api/index.ts';
import type { Connection } from './connection.ts';
import type { AgentEvent, PageState, RemoteValue } from '../contract.ts';

/**
 * Evaluates an expression in the inspected page; it always answers a string.
 * @throws CodedError `PAGE_BUSY` (no answer in time), `PAGE_UNREACHABLE` (DevTools can't evaluate here), `PAGE_EXCEPTION`
 */
export type Evaluate = (expression: string) => Promise<string>;

export interface InspectorOptions {
  evaluate: Evaluate;
  /** The text of `page-agent.js`, asked for once. */
  agentSource: () => Promise<string>;
  /** `devtools.panels.openResource`, where there is one; `line` is 0-based; false: DevTools has no such resource. */
  openResource?: (url: string, line: number) => Promise<boolean>;
  /** `devtools.inspectedWindow.reload`. */
  reload?: (options: { injectedScript?: string }) => void;
  /** `devtools.network.onNavigated`; answers how to stop listening. Polling notices a navigation too, only later. */
  onNavigated?: (listener: () => void) => () => void;
  /** Milliseconds between two looks at the page; default 80 while a run goes, 1000 otherwise. */
  intervals?: { running: number; idle: number };
}

/** The agent's own events, in order and each once, and what happens to the page around them. */
export type InspectorEvent =
  | AgentEvent
  /** Another document, or the same one with another `Platform`, pipeline or list of functions. */
  | { kind: 'page-changed'; state: PageState; newDocument: boolean }
  /** The document went away while its run had not ended. */
  | { kind: 'run-lost'; runId: string; reason: 'reload' | 'navigation' }
  /** The page no longer answers (`PAGE_BUSY`) or can't be inspected (`PAGE_UNREACHABLE`); told once, until it answers again. */
  | { kind: 'page-lost'; error: ErrorValue }
  | { kind: 'page-back' }
  /** The page produced more events than its log holds, or events that make no sense: so many are missing here. */
  | { kind: 'events-dropped'; count: number };

/** One per panel. Nothing here throws or rejects: every failure is a value. */
export interface RunInspector {
  readonly capabilities: { readonly source: boolean; readonly reload: boolean };
  /** Installs the agent when the document has none, and answers what the page is. Polling starts with the first call; call again to change the namespace or to look now. */
  attach(namespace?: string): Promise<Result<PageState>>;
  /** Runs the page's pipeline with a payload of JSON text. `PAYLOAD_NOT_JSON`, `PAYLOAD_NOT_OBJECT`, `PAYLOAD_TOO_LARGE`, `RUN_IN_PROGRESS`, `PLATFORM_NOT_READY`. */
  start(payload: string): Promise<Result<{ runId: string }>>;
  /** Stops the run that goes on; false when there is none. */
  stop(): Promise<Result<boolean>>;
  /** Asks the agent for what is seldom needed, which the parts that need it bring along: `trackEvent`, `readRest`. */
  readonly call: Connection['call'];
  /** What the platform is called in the page. */
  namespace(): string;
  subscribe(listener: (event: InspectorEvent) => void): () => void;
  /** Entries `from` to `from + count` of a value that was cut. `HANDLE_GONE` when the page no longer has it. */
  expand(handle: number, from: number, count: number): Promise<Result<RemoteValue>>;
  /** The whole text of a string that was cut (or of `resultText`), fetched in pieces. */
  text(handle: number): Promise<Result<string>>;
  /** The page's pipeline as data; conditions that are functions are their source. */
  pipeline(): Promise<Result<unknown[]>>;
  /** Opens a function's script in the Sources panel. `SOURCE_UNKNOWN`, `SOURCE_NOT_FOUND`, `SOURCE_UNSUPPORTED`. */
  openSource(name: string): Promise<Result<null>>;
  /** Makes the debugger stop in a function, or no longer; kept across reloads. `BREAK_UNSUPPORTED`, `FUNCTION_UNKNOWN`. */
  setBreakpoint(name: string, on: boolean): Promise<Result<null>>;
  /** Reloads with the agent there before the page's first script. `RELOAD_UNSUPPORTED`. */
  reloadWithAgent(): Promise<Result<null>>;
  dispose(): void;
}
