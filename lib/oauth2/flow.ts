/** Records the events of logins, token requests, and API calls for observers such as DevTools, without secrets. */
import type { FlowDetail, FlowEvent } from './types.ts';

/** How many past events a new observer receives. */
const FLOW_EVENTS = 200;

export type RecordFlow = (service: string, detail: FlowDetail) => void;

export interface FlowLog {
  record: RecordFlow;
  /** Calls `fn` with the last events and then with each new one, until the returned function is called. */
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

/** Calls functions of the page. Their errors are reported as the page’s own and stop nothing here. */
export function callAll<T>(fns: Iterable<(value: T) => unknown>, value: T): void {
  for (const fn of fns) {
    try {
      fn(value);
    } catch (error) {
      reportError(error);
    }
  }
}

/** A URL without user, fragment, and query values. */
export function redactUrl(url: string): string {
  return url
    .replace(/#.*/s, '')
    .replace(/\/\/[^?]*@/, '//')
    .replace(/\?.*/s, (query) => query.replace(/=[^&]*/g, '=…'));
}
