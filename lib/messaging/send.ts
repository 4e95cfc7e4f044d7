/** Owns the sending side: one message to the background worker, one `Result` back, whatever becomes of the worker. */
import type { ErrorValue, Result } from '../contract/index.ts';
import type { Answers, MessageName, Send } from './protocol.ts';

/** What travels: nothing but data. */
export interface Envelope {
  to: 'background';
  name: string;
  takes?: unknown;
}

/** The part of `browser.runtime` that sending needs. */
export interface SendRuntime {
  sendMessage(message: Envelope): Promise<unknown>;
}

/** Longer than the worker's own longest job, which is to open a debug page: 20 s to ask for it and 30 s to load it. */
const TIME_LIMIT = 60_000;

/** A run may take 120 seconds, and wait before that. */
const TIME_LIMITS: Partial<Record<MessageName, number>> = { 'actions.runWithResult': 180_000 };

/** Messages that change nothing, or nothing more when they come twice: when the worker dies under one, it is sent once more, which starts the worker again. */
const READS: ReadonlySet<MessageName> = new Set<MessageName>(['environments.list', 'environments.test', 'apps.list', 'sessions.list', 'functions.list', 'dataSources.list', 'actions.list', 'logs.list', 'clock.get', 'publish.preview', 'publish.start', 'publish.list', 'publish.settle', 'publish.discard', 'publish.seen', 'environments.export', 'vault.state', 'vault.lock', 'vault.active', 'vault.setIdle', 'vault.reset']);

/**
 * A `Send` over a browser's runtime. The answer is always a `Result`; besides the worker's own errors it can be
 * `WORKER_UNREACHABLE` (stopped under the message, or the extension was updated) or `WORKER_SLOW`.
 */
export function createSend(runtime: SendRuntime, timeLimit?: number): Send {
  return async (name, takes) => {
    const tries = READS.has(name) ? 2 : 1;
    for (let tried = 1; ; tried++) {
      const answer = await ask(runtime, { to: 'background', name, takes }, timeLimit ?? TIME_LIMITS[name] ?? TIME_LIMIT);
      if (answer !== 'unreachable') return answer as Result<Answers<typeof name>>;
      if (tried === tries) return { ok: false, error: unreachable(READS.has(name)) };
    }
  };
}

async function ask(runtime: SendRuntime, envelope: Envelope, timeLimit: number): Promise<unknown> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const limit = new Promise<unknown>((resolve) => {
    timer = setTimeout(() => resolve({ ok: false, error: slow(timeLimit, READS.has(envelope.name as MessageName)) }), timeLimit);
  });
  // Firefox answers undefined, Chromium rejects, when nobody is there or the worker stops under the message.
  const answer = Promise.resolve()
    .then(() => runtime.sendMessage(envelope))
    .then((value) => (isResult(value) ? value : 'unreachable'), () => 'unreachable');
  const first = await Promise.race([answer, limit]);
  clearTimeout(timer);
  return first;
}

function isResult(value: unknown): boolean {
  return typeof value === 'object' && value !== null && typeof (value as { ok?: unknown }).ok === 'boolean';
}

function unreachable(isRead: boolean): ErrorValue {
  return {
    code: 'WORKER_UNREACHABLE',
    message: isRead
      ? 'The extension’s background worker does not answer.'
      : 'The extension’s background worker stopped before it answered, so it is not known whether this was done.',
    next: isRead ? 'Reload this page (close and reopen DevTools for the panel), and try again.' : 'Look whether it was done before you try again; if nothing answers any more, reload this page (close and reopen DevTools for the panel).',
  };
}

function slow(timeLimit: number, isRead: boolean): ErrorValue {
  const silent = `The extension’s background worker gave no answer within ${Math.round(timeLimit / 1000)} seconds`;
  return {
    code: 'WORKER_SLOW',
    message: isRead ? `${silent}.` : `${silent}, so it is not known whether this was done.`,
    next: isRead ? 'Try again; if it happens twice, reload the extension.' : 'Look whether it was done before you try again; if it happens twice, reload the extension.',
  };
}
