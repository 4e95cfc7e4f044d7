/** Owns what observers are told: the flow as it happens, without anything that is worth stealing. */
import { KEPT } from './limits.ts';
import type { FlowDetail, FlowEvent } from './types.ts';

export interface Flow {
  tell(service: string, detail: FlowDetail): void;
  observe(fn: (event: FlowEvent) => void): () => void;
}

export function createFlow(): Flow {
  const past: FlowEvent[] = [];
  const observers = new Set<(event: FlowEvent) => void>();
  let n = 0;
  return {
    tell(service, detail) {
      const event: FlowEvent = { n: ++n, at: Date.now(), service, ...detail };
      if (past.push(event) > KEPT) past.shift();
      callEach(observers, event);
    },
    observe(fn) {
      for (const event of past) callEach([fn], event);
      observers.add(fn);
      return () => void observers.delete(fn);
    },
  };
}

/** Calls what a page gave us: its errors are its own, and end nothing of ours. */
export function callEach<T>(fns: Iterable<(value: T) => unknown>, value: T): void {
  for (const fn of fns) {
    try {
      fn(value);
    } catch (error) {
      reportError(error);
    }
  }
}

/** An address as it can be told: no fragment, no user, and of the query the names alone. */
export function safeUrl(address: string): string {
  return address
    .replace(/#.*/s, '')
    .replace(/\/\/[^?]*@/, '//')
    .replace(/\?.*/s, (query) => query.replace(/=[^&]*/g, '=…'));
}
