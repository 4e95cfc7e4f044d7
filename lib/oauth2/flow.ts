/**
 * Records the events of logins, token requests, and API calls for observers such as DevTools. Never records secrets.
 */
import type { FlowDetail, FlowEvent } from './types.ts';

/** How many past events a new observer receives. */
const FLOW_EVENTS = 200;

export type RecordFlow = (service: string, detail: FlowDetail) => void;

export interface FlowLog {
  record: RecordFlow;
  /** Calls `fn` with the most recent events, then with each new one. The returned function stops this. */
  observe(fn: (event: FlowEvent) => void): () => void;
}

export function createFlowLog(): FlowLog {
  const events: FlowEvent[] = [];
  const observers = new Set<(event: FlowEvent) => void>();
  let n = 0;
  return {
    record(service, detail) {
      const event: FlowEvent = { n: ++n, at: Date.now(), service, ...detail };
      if (events.push(event) > FLOW_EVENTS) events.shift();
      callAll(observers, event);
    },
    observe(fn) {
      for (const event of events) callAll([fn], event);
      observers.add(fn);
      return () => void observers.delete(fn);
    },
  };
}

/** Calls functions provided by the page. If one throws, reports the error as an uncaught error, and continues. */
export function callAll<T>(fns: Iterable<(value: T) => unknown>, value: T): void {
  for (const fn of fns) {
    try {
      fn(value);
    } catch (error) {
      reportError(error);
    }
  }
}

/** A URL without user information, fragment, and query values. */
export function redactUrl(url: string): string {
  return url
    .replace(/#.*/s, '')
    .replace(/^((?:(?!\/\/)[^?])*\/\/)[^?]*@/, '$1')
    .replace(/\?.*/s, (query) => query.replace(/=[^&]*/g, '=…'));
}
