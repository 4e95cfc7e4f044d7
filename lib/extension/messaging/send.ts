/** Sends a message to the background worker and always returns a `Result`, even if the worker stops. */
import type { ErrorValue, Result } from '../../platform-api/index.ts';
import type { Answers, MessageName, Send } from './protocol.ts';

/** What travels: nothing but data. */
export interface Envelope {
  to: 'background';
  name: string;
  takes?: unknown;
  /** Of this message alone: by it the worker says whether it is at work on it. */
  id?: string;
}

/** The part of `browser.runtime` that sending needs. */
export interface SendRuntime {
  /** Gone when the extension was updated or reloaded under its page. */
  readonly id?: string | undefined;
  sendMessage(message: Envelope): Promise<unknown>;
}

/** Longer than the worker's own longest job, which is to open a debug page: 20 s to ask for it and 30 s to load it. */
const TIME_LIMIT = 60_000;

/** A run may take 120 seconds, and wait before that. */
const TIME_LIMITS: Partial<Record<MessageName, number>> = { 'actions.runWithResult': 180_000 };

/** Messages that change nothing, or nothing more when they come twice: when the worker dies under one, it is sent once more, which starts the worker again. */
const READS: ReadonlySet<MessageName> = new Set<MessageName>([
  'environments.list',
  'environments.test',
  'apps.list',
  'sessions.list',
  'functions.list',
  'dataSources.list',
  'actions.list',
  'logs.list',
  'clock.get',
  'publish.preview',
  'publish.start',
  'publish.list',
  'publish.settle',
  'publish.discard',
  'publish.seen',
  'environments.export',
  'worker.ping',
  'worker.cancel',
  'messages.refused',
  'vault.state',
  'vault.lock',
  'vault.active',
  'vault.setIdle',
  'vault.reset',
]);

/** Besides reads, what may be given up on the way: a page that is not there yet changes nothing. */
const GIVEN_UP: ReadonlySet<MessageName> = new Set<MessageName>(['debugPage.open', 'pages.open']);

/** Larger than any message is to be: what a browser cannot hand over would look as if the worker were gone. */
const LARGEST = 4 * 1024 * 1024;

/** Milliseconds: after `quiet` without an answer the worker is asked whether it is there, and has `sign` to say so. */
export interface Patience {
  quiet: number;
  sign: number;
}
/** Milliseconds for an answer that was on its way when the worker said that it is not at work on the message. */
const GRACE = 250;
const PATIENCE: Patience = { quiet: 1_000, sign: 3_500 };

/**
 * A `Send` over a browser's runtime. The answer is always a `Result`; besides the worker's own errors it can be
 * `WORKER_UNREACHABLE` (stopped under the message), `WORKER_SILENT` (not even a sign of life), `WORKER_SLOW`,
 * `EXTENSION_RELOADED` (this page belongs to the extension before its update), `MESSAGE_UNSENDABLE` or `ABORTED`.
 */
export function createSend(runtime: SendRuntime, timeLimit?: number, patience: Patience = PATIENCE): Send {
  return async (name, takes, signal) => {
    const isRead = READS.has(name);
    const envelope: Envelope = { to: 'background', name, takes, id: crypto.randomUUID() };
    if (!isSendable(takes)) return { ok: false, error: UNSENDABLE };
    if (runtime.id === undefined) return { ok: false, error: reloaded('Nothing was done.') };
    for (let tries = isRead ? 2 : 1; ; tries--) {
      const answer = await ask(
        runtime,
        envelope,
        timeLimit ?? TIME_LIMITS[name] ?? TIME_LIMIT,
        patience,
        isRead || GIVEN_UP.has(name) ? signal : undefined,
      );
      if (typeof answer === 'object') return answer as Result<Answers<typeof name>>;
      if (runtime.id === undefined)
        return { ok: false, error: reloaded(isRead ? '' : 'It is not known whether this was done.') };
      if (answer === 'aborted') return { ok: false, error: ABORTED };
      if (answer === 'slow') return { ok: false, error: slow(timeLimit ?? TIME_LIMITS[name] ?? TIME_LIMIT, isRead) };
      if (answer === 'silent') return { ok: false, error: silent(isRead) };
      if (tries === 1) return { ok: false, error: unreachable(isRead) };
    }
  };
}

type NoAnswer = 'unreachable' | 'silent' | 'slow' | 'aborted';

/** The answer, or why there is none. */
async function ask(
  runtime: SendRuntime,
  envelope: Envelope,
  timeLimit: number,
  { quiet, sign }: Patience,
  signal: AbortSignal | undefined,
): Promise<object | NoAnswer> {
  if (signal?.aborted) return 'aborted';
  const { promise, resolve } = Promise.withResolvers<object | NoAnswer>();
  const timers = [setTimeout(() => resolve('slow'), timeLimit)];
  // Asked early, and only once: one that is at work may have no time for it later.
  timers.push(
    setTimeout(() => {
      timers.push(setTimeout(() => resolve('silent'), sign));
      const silence = timers.at(-1);
      void exchange(runtime, { to: 'background', name: 'worker.ping', takes: { id: envelope.id } }).then((answer) => {
        if (answer === 'unreachable') return;
        clearTimeout(silence);
        // Another worker than the one that it was sent to: nobody will answer.
        if ((answer as { value?: { isAtWork?: boolean } | null }).value?.isAtWork === false)
          timers.push(setTimeout(() => resolve('unreachable'), GRACE));
      });
    }, quiet),
  );
  const abort = (): void => {
    resolve('aborted');
    void exchange(runtime, { to: 'background', name: 'worker.cancel', takes: { id: envelope.id } });
  };
  signal?.addEventListener('abort', abort);
  void exchange(runtime, envelope).then(resolve);
  const first = await promise;
  signal?.removeEventListener('abort', abort);
  for (const timer of timers) clearTimeout(timer);
  return first;
}

/** Firefox answers undefined, Chromium rejects, when nobody is there or the worker stops under the message. */
function exchange(runtime: SendRuntime, envelope: Envelope): Promise<object | 'unreachable'> {
  return Promise.resolve()
    .then(() => runtime.sendMessage(envelope))
    .then(
      (value) => (isResult(value) ? value : 'unreachable'),
      () => 'unreachable' as const,
    );
}

function isResult(value: unknown): value is object {
  return typeof value === 'object' && value !== null && typeof (value as { ok?: unknown }).ok === 'boolean';
}

const RELOAD = 'Reload this page (close and reopen DevTools for the panel)';
const ASK_AGAIN = `${RELOAD}, and try again.`;
const LOOK_FIRST =
  'Check whether it was done before you try again. If nothing responds, reload this page (close and reopen DevTools for the panel).';

function unreachable(isRead: boolean): ErrorValue {
  return {
    code: 'WORKER_UNREACHABLE',
    message: isRead
      ? 'The extension’s background worker doesn’t respond.'
      : 'The extension’s background worker stopped before it answered, so it is not known whether this was done.',
    hint: isRead ? ASK_AGAIN : LOOK_FIRST,
  };
}

function silent(isRead: boolean): ErrorValue {
  return {
    code: 'WORKER_SILENT',
    message: `The extension’s background worker doesn’t respond${isRead ? '.' : ', so it is not known whether this was done.'}`,
    hint: isRead ? ASK_AGAIN : LOOK_FIRST,
  };
}

function reloaded(done: string): ErrorValue {
  return {
    code: 'EXTENSION_RELOADED',
    message: `The extension was updated or reloaded, and this page belongs to the one before. ${done}`.trim(),
    hint: `${RELOAD}.`,
  };
}

const ABORTED: ErrorValue = { code: 'ABORTED', message: 'The request was canceled.' };

const UNSENDABLE: ErrorValue = {
  code: 'MESSAGE_UNSENDABLE',
  message:
    'This is too large, nested too deeply or no plain data, so it cannot be handed to the extension’s background worker.',
  hint: 'Try again with a smaller or simpler value. Nothing was sent.',
};

/** Whether a browser can hand it over; the worker has limits of its own. */
function isSendable(takes: unknown): boolean {
  try {
    return (JSON.stringify(takes)?.length ?? 0) <= LARGEST;
  } catch {
    return false;
  }
}

function slow(timeLimit: number, isRead: boolean): ErrorValue {
  const silent = `The extension’s background worker didn’t respond within ${Math.round(timeLimit / 1000)} seconds`;
  return {
    code: 'WORKER_SLOW',
    message: isRead ? `${silent}.` : `${silent}, so it is not known whether this was done.`,
    hint: isRead
      ? 'Try again. If it happens twice, reload the extension.'
      : 'Check whether it was done before you try again. If it happens twice, reload the extension.',
  };
}
