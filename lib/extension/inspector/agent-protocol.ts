/** The protocol between the panel and the agent in the page that the run inspector and the OAuth2 inspector share. */
import type { RunAgent } from './contract.ts';
import type { OAuth2Agent } from './oauth2/contract.ts';

/** Raised with every change of the protocol that an older side could misread. */
export const AGENT_PROTOCOL = 4;

/** The panel finds the agent at `window[AGENT_KEY]`. */
export const AGENT_KEY = 'platform-devtools.agent';

/** The name of the agent's script in DevTools and in stacks. */
export const AGENT_SOURCE = 'platform-devtools-agent.js';

/** The parts of the agent. The OAuth2 part is created, and starts to watch the page, with the first call. */
export interface AgentParts {
  run: RunAgent;
  oauth2: OAuth2Agent;
}

/** The value of `window[AGENT_KEY]`. */
export interface AgentPort {
  readonly protocol: number;
  /** Calls a method of a part. The response is JSON text, so that it crosses `eval` alike in every browser. */
  call(part: keyof AgentParts, method: string, args: readonly unknown[]): string;
  /** The function registered under a name, unwrapped, for the console command `debug`. */
  registeredFunction(namespace: string, name: string): unknown;
  /** Watches what a part needs from now on, also when the namespace doesn't exist yet. */
  watch(part: keyof AgentParts, namespace: string): void;
}

/** A page as a part describes it. */
export interface AgentDocument {
  /** New for each document: the panel notices a reload or navigation by it. */
  documentId: string;
  /** Differs when the description would. Empty when the agent didn't compute it. */
  fingerprint: string;
}

/** Events of a document after a sequence number, oldest first. */
export interface EventBatch<E> extends AgentDocument {
  events: E[];
  /** Sequence number of the newest event. */
  lastSeq: number;
  /** How many of the requested events the bounded log no longer holds. */
  dropped: number;
}
