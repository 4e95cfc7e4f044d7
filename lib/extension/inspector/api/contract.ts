/** Defines calls of the page's JavaScript API (specification, "App Actions V2 JavaScript API"; actions-v3) through the agent. */
import type { RejectionReason } from '../agent/foreign-json.ts';

/** What the panel can call, and nothing else: paths below the namespace. */
export const API_PATHS = [
  'App.Actions.get',
  'App.Actions.create',
  'App.Actions.update',
  'App.Actions.remove',
  'App.Actions.publish',
  'App.Actions.run',
  'App.Actions.runWithResult',
  'App.Actions.getLogs',
  'App.V3.Actions.get',
  'App.V3.Actions.getById',
  'App.V3.Actions.create',
  'App.V3.Actions.update',
  'App.V3.Actions.remove',
  'App.V3.Actions.run',
  'App.V3.Actions.publish',
  'App.V3.Actions.unpublish',
  'App.V3.Actions.getLogs',
  'App.Tasks.Functions.get',
  'App.Analytics.pageView',
  'App.Analytics.event',
] as const;
export type ApiPath = (typeof API_PATHS)[number];

/** The document that a call is meant for. In any other, or for another app, nothing is called. */
export interface ApiTarget {
  documentId: string;
  /** Of the document’s URL, which is the browser’s. A page of another origin gets nothing of the call. */
  origin?: string;
  /** The app of the document, as the agent reports it in `PageState.env`. */
  appId: number;
  namespace: string;
}

/** A rejection. `details` is JSON text of its `details`, or of the fields of a failed run; null if it has none. */
export interface ApiRejection {
  state: 'rejected';
  code: string | null;
  /** The status of a response. */
  status?: number | null;
  message: string | null;
  details: string | null;
}

export type ApiOutcome =
  | { state: 'pending' }
  /** `text` is the start of the value's JSON, which has `length` characters. */
  | { state: 'fulfilled'; text: string; length: number }
  /** The page responded, but its response can't be transferred. */
  | { state: 'unreadable'; why: RejectionReason; path: string }
  | ApiRejection
  /**
   * Nothing was called, and nothing will be: the tab has another page, the page doesn't have the function (`message`
   * says more), or the agent never got the call.
   */
  | { state: 'not-called'; why: 'other-page' | 'missing' | 'never-received'; message?: string };

/** The API part of the agent. Its methods never throw. */
export interface ApiAgent {
  /** Calls the function once per `id`. `args` is JSON text of the arguments. */
  call(id: string, path: ApiPath, args: string, target: ApiTarget): ApiOutcome;
  /** Null in another document. After `never-received`, a late call with this ID calls nothing. */
  outcome(id: string, documentId: string): ApiOutcome | null;
  /** A piece of the JSON text, or null if the agent has dropped it. */
  text(id: string, from: number, length: number): string | null;
}
