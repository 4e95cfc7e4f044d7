/** The globals of V3, which answer as the recorded run’s steps did. */
import type { Context } from '../../pipeline/types.ts';
import type { Call } from './expected-calls.ts';

/** Variables that instrumented code sees, in addition to those of V3. */
export const PROBES = ['__at', '__packages'] as const;

export interface GlobalsOptions {
  /** Notes a call of the current step. Returns false once nothing can be compared anymore. */
  call(call: Call): boolean;
  /** Resolves or rejects as the current step ended in V2, if the code waits for it. */
  outcome(): Promise<unknown>;
  /** The recorded context, with the step’s changes. */
  context(): Context;
  clock(kind: 'now' | 'random'): number;
}

export function v3Globals({ call, outcome, context, clock }: GlobalsOptions): Record<string, unknown> {
  const answer = (...made: Call): Promise<unknown> => (call(structuredClone(made)) ? outcome() : never());
  const source = {
    find: (query: unknown) => answer('find', query).then(() => structuredClone(context().records)),
    insert: (entry: unknown) => answer('insert', entry),
  };
  const time = clockGlobals(clock);
  return {
    Platform: {
      Communicate: { sendEmail: (message: unknown) => answer('Communicate.sendEmail', message) },
      Notifications: { send: (message: unknown) => answer('Notifications.send', message) },
      DataSources: {
        connect: async (id: unknown) => (call(['DataSources.connect', id]) ? source : never()),
      },
    },
    fetch: (url: string, { method, headers, body }: { method?: string; headers?: HeadersInit; body?: string } = {}) =>
      answer('fetch', url, method, [...new Headers(headers)], body).then(() => responseOf(context().response)),
    // Waiting takes no time.
    setTimeout: (resolve: () => void, ms: unknown) => {
      if (call(['setTimeout', ms])) queueMicrotask(resolve);
    },
    ...time,
    globalThis: { ...ownGlobals(), ...time },
  };
}

/** Code that nothing waits for must not fail, either. */
export const never = (): Promise<never> => new Promise(() => undefined);

const ownGlobals = (): Record<string, unknown> => ({ Boolean, Number, isNaN, parseInt, parseFloat });

function clockGlobals(clock: GlobalsOptions['clock']): Record<string, unknown> {
  const now = (): number => clock('now');
  const RecordedDate = Object.assign(() => new Date(now()).toString(), { now, parse: Date.parse, UTC: Date.UTC });
  const random = { value: () => clock('random'), configurable: true, writable: true };
  const RecordedMath: unknown = Object.defineProperties({}, { ...Object.getOwnPropertyDescriptors(Math), random });
  // So that a value of the real kind is still recognized.
  Object.defineProperty(RecordedDate, Symbol.hasInstance, { value: (value: unknown) => value instanceof Date });
  return { Date: RecordedDate, Math: RecordedMath };
}

function responseOf(recorded: unknown): unknown {
  const { status, headers, body } = (recorded ?? {}) as { status?: number; headers?: HeadersInit; body?: unknown };
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return { status, headers: new Headers(headers), text: async () => text };
}
