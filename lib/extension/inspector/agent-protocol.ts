/** The protocol between the panel and the agent in the page, shared by the run inspector and the OAuth2 inspector. */
import type { ErrorValue } from '../../platform-api/errors.ts';
import type { ApiAgent } from './api/contract.ts';
import type { RunAgent } from './contract.ts';
import type { OAuth2Agent } from './oauth2/contract.ts';

/** Incremented when the protocol changes in a way that an older side could misread. */
export const AGENT_PROTOCOL = 10;

/** The panel finds the agent at `window[AGENT_KEY]`. */
export const AGENT_KEY = 'platform-devtools.agent';

/** The name of the agent's script in DevTools and in stack traces. */
export const AGENT_SOURCE = 'platform-devtools-agent.js';

/** Names the function around everything that the panel evaluates, so that the agent finds it in a stack. */
export const PANEL_FRAME = 'platformDevToolsPanel';

/** The tab has another page, or another document, than the one that the user saw. */
export const PAGE_LEFT: ErrorValue = {
  code: 'PAGE_LEFT',
  message: 'The tab has another page now, which got nothing.',
  hint: 'Try again on the page that’s open now.',
};

/** The same for a run. */
export const RUN_PAGE_LEFT: ErrorValue = {
  ...PAGE_LEFT,
  message: 'Couldn’t run the action: the tab has another page now. Nothing was run.',
};

/** The parts of the agent. The OAuth2 part is created, and starts watching the page, on its first call. */
export interface AgentParts {
  run: RunAgent;
  oauth2: OAuth2Agent;
  api: ApiAgent;
}
/** The parts that can watch the page from its first script on. */
export type WatchingPart = 'run' | 'oauth2';

/** The value of `window[AGENT_KEY]`. */
export interface AgentPort {
  readonly protocol: number;
  /** Calls a method of a part. The response is JSON text, which `eval` transfers the same way in every browser. */
  call(part: keyof AgentParts, method: string, args: readonly unknown[]): string;
  /** A `PageStatus` as JSON text. `ownsStack`: whether callers of the panel's code are paused code. */
  status(ownsStack: boolean): string;
  /** The unwrapped function registered under a name, for the console command `debug`. */
  registeredFunction(namespace: string, name: string): unknown;
  /** Hands over `() => NAME`, because only a script with the name in its text can read a page's `const`, `let`, or class. */
  setLookUp(namespace: string, lookUp: () => unknown): void;
  /** Starts watching the namespace for a part, even if the namespace doesn't exist yet. */
  watch(part: WatchingPart, namespace: string): void;
  /** Another agent takes over, so that this one's run must end. Earlier agents don't have it. */
  retire?(): void;
}

export interface PageStatus {
  /** The page's clock in epoch milliseconds, minus the time that the current run was paused. */
  now: number;
  /** Whether the run is paused at a step. */
  isHeld: boolean;
  /** The call stack of the code that the debugger has paused; empty while it isn't paused. */
  pausedStack: string;
}

/** A part's description of the page. */
export interface AgentDocument {
  /** Unique to each document, so that the panel notices reloads and navigations. */
  documentId: string;
  /** Changes when the description changes. Empty if the agent didn't compute it. */
  fingerprint: string;
}

/** A document's events after a sequence number, oldest first. */
export interface EventBatch<E> extends AgentDocument {
  events: E[];
  /** The newest event's sequence number. */
  lastSeq: number;
  /** The number of requested events that the bounded log has already dropped. */
  dropped: number;
  /** A later event that shouldn't wait for the ones before it: how a run ended. It's part of its own batch, too. */
  ahead?: E | undefined;
}
