/** Sends a message to the background worker and always returns a `Result`, even if the worker stops. */
import type { ErrorValue, Result } from '../../platform-api/index.ts';
import { type Unreadable, withUnreadable } from '../../platform-api/lists/unreadable.ts';
import type { Answers, MessageName, Send } from './protocol.ts';

/** The message as it’s transferred. */
export interface Envelope {
  to: 'background';
  name: string;
  takes?: unknown;
  /** Identifies the message in `worker.ping` and `worker.cancel`. */
  id?: string;
}

/** The part of `browser.runtime` needed for sending. */
export interface SendRuntime {
  /** Undefined once the extension is updated or reloaded while its page stays open. */
  readonly id?: string | undefined;
  sendMessage(message: Envelope): Promise<unknown>;
}

/** In milliseconds. Longer than it takes to open a debug page: 20 s to request it and 30 s to load it. */
const TIME_LIMIT = 60_000;

/** In milliseconds. A change waits up to two minutes for earlier ones, because they are sent one at a time. */
const CHANGE_LIMIT = 180_000;
/** A run can then take 120 seconds, plus the time it waits in the platform’s queue. */
const RUN_LIMIT = 340_000;
/** The worker’s own limit for a page to load, plus that for what comes before. */
const OPEN_LIMIT = 360_000;
const TIME_LIMITS: Partial<Record<MessageName, number>> = {
  'debugPage.open': OPEN_LIMIT,
  'pages.open': OPEN_LIMIT,
  'actions.create': CHANGE_LIMIT,
  'actions.update': CHANGE_LIMIT,
  'actions.remove': CHANGE_LIMIT,
  'actions.publish': CHANGE_LIMIT,
  'actions.restore': CHANGE_LIMIT,
  'actions.run': CHANGE_LIMIT,
  'actions.runWithResult': RUN_LIMIT,
  'actionsV3.create': CHANGE_LIMIT,
  'actionsV3.update': CHANGE_LIMIT,
  'actionsV3.publish': CHANGE_LIMIT,
  'actionsV3.unpublish': CHANGE_LIMIT,
  'actionsV3.remove': CHANGE_LIMIT,
  'actionsV3.run': CHANGE_LIMIT,
  'logs.create': CHANGE_LIMIT,
  'clock.move': CHANGE_LIMIT,
};

/**
 * Idempotent messages. If the worker stops while handling one, the message is sent again, which restarts the worker.
 */
export const IDEMPOTENT: ReadonlySet<MessageName> = new Set<MessageName>([
  'environments.list',
  'environments.test',
  'localPlatform.find',
  'apps.list',
  'sessions.list',
  'functions.list',
  'dataSources.list',
  'actions.list',
  'actions.revisions',
  'actions.revision',
  'actionsV3.list',
  'actionsV3.get',
  'logs.list',
  'logs.recording',
  'secrets.mask',
  'clock.get',
  'publish.preview',
  'publish.start',
  'publish.list',
  'publish.settle',
  'publish.cancel',
  'publish.discard',
  'publish.seen',
  'environments.export',
  'environments.readFile',
  'worker.ping',
  'worker.cancel',
  'messages.refused',
  'guard.list',
  'guard.lock',
  'vault.state',
  'vault.lock',
  'vault.active',
  'vault.setIdle',
  'vault.reset',
]);

/**
 * Messages that can be canceled but not repeated. Canceling is safe, because a page that hasn’t loaded has no effect.
 */
const CANCELABLE: ReadonlySet<MessageName> = new Set<MessageName>(['debugPage.open', 'pages.open']);

/** In characters. If the browser couldn’t transfer a message, the worker would seem to have stopped. */
const SIZE_LIMIT = 4 * 1024 * 1024;

/** In milliseconds. If there’s no response within `quiet`, the worker is pinged, and must reply within `sign`. */
export interface WaitLimits {
  quiet: number;
  sign: number;
}
/** Milliseconds to wait for a response that the worker sent just before it replied to the ping. */
const GRACE = 250;
const WAIT_LIMITS: WaitLimits = { quiet: 1_000, sign: 3_500 };

/**
 * Creates a `Send` that uses the browser’s runtime. Besides the worker’s errors, it returns `WORKER_UNREACHABLE`
 * (stopped while handling the message), `WORKER_SILENT` (no reply to a ping), `WORKER_SLOW`, `EXTENSION_RELOADED` (this
 * page is older than the extension), `MESSAGE_UNSENDABLE`, or `ABORTED`.
 */
export function createSend(runtime: SendRuntime, timeLimit?: number, waitLimits: WaitLimits = WAIT_LIMITS): Send {
  return async (name, takes, signal) => {
    const isRead = IDEMPOTENT.has(name);
    const limit = timeLimit ?? TIME_LIMITS[name] ?? TIME_LIMIT;
    const envelope: Envelope = { to: 'background', name, takes, id: crypto.randomUUID() };
    if (!isSendable(takes)) return { ok: false, error: UNSENDABLE };
    if (runtime.id === undefined) return { ok: false, error: reloaded('Nothing was sent.') };
    const until = isRead || CANCELABLE.has(name) ? signal : undefined;
    let answer = await ask(runtime, envelope, limit, waitLimits, until);
    if (answer === 'unreachable' && isRead && runtime.id !== undefined)
      answer = await ask(runtime, envelope, limit, waitLimits, until);
    if (typeof answer === 'object') return withItsUnreadable(answer as Result<Answers<typeof name>>);
    return { ok: false, error: noAnswer(answer, limit, isRead, runtime.id === undefined) };
  };
}

/** What couldn’t be read of a list is sent beside it. */
function withItsUnreadable<T>(answer: Result<T>): Result<T> {
  const { unreadable } = answer as { unreadable?: readonly Unreadable[] };
  if (answer.ok && unreadable && Array.isArray(answer.value)) withUnreadable(answer.value, unreadable);
  return answer;
}

type NoAnswer = 'unreachable' | 'silent' | 'slow' | 'aborted';

function noAnswer(reason: NoAnswer, limit: number, isRead: boolean, isReloaded: boolean): ErrorValue {
  if (isReloaded) return reloaded(isRead ? '' : `${UNKNOWN}.`);
  if (reason === 'aborted') return ABORTED;
  if (reason === 'slow') return slow(limit, isRead);
  return reason === 'silent' ? silent(isRead) : unreachable(isRead);
}

/** The response, or the reason why there is none. */
async function ask(
  runtime: SendRuntime,
  envelope: Envelope,
  timeLimit: number,
  { quiet, sign }: WaitLimits,
  signal: AbortSignal | undefined,
): Promise<object | NoAnswer> {
  if (signal?.aborted) return 'aborted';
  const { promise, resolve } = Promise.withResolvers<object | NoAnswer>();
  const timers = [setTimeout(() => resolve('slow'), timeLimit)];
  // Pings early, and only once, because a busy worker might not get to a later ping.
  timers.push(
    setTimeout(() => {
      timers.push(setTimeout(() => resolve('silent'), sign));
      const silence = timers.at(-1);
      void exchange(runtime, { to: 'background', name: 'worker.ping', takes: { id: envelope.id } }).then((answer) => {
        if (answer === 'unreachable') return;
        clearTimeout(silence);
        // A restarted worker doesn’t know the message, so no response will come.
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

/** If there’s no listener or the worker stops, Firefox resolves to undefined and Chromium rejects. */
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

const RELOAD = 'Reload this page (for the panel, close and reopen DevTools)';
const UNKNOWN = 'Couldn’t confirm whether the request succeeded';
const CHECK_FIRST = 'Check whether it succeeded before you try again.';

const workerError = (
  code: string,
  problem: string,
  isRead: boolean,
  fix = `${RELOAD}, then try again.`,
): ErrorValue => ({
  code,
  message: isRead ? `The extension’s background worker ${problem}.` : `${UNKNOWN}: the background worker ${problem}.`,
  hint: isRead ? fix : CHECK_FIRST,
});

const unreachable = (isRead: boolean): ErrorValue =>
  workerError('WORKER_UNREACHABLE', isRead ? 'isn’t responding' : 'stopped before it responded', isRead);
const silent = (isRead: boolean): ErrorValue => workerError('WORKER_SILENT', 'isn’t responding', isRead);
const slow = (timeLimit: number, isRead: boolean): ErrorValue =>
  workerError(
    'WORKER_SLOW',
    `didn’t respond within ${Math.round(timeLimit / 1000)} seconds`,
    isRead,
    'Try again. If it happens twice, reload the extension.',
  );

const reloaded = (outcome: string): ErrorValue => ({
  code: 'EXTENSION_RELOADED',
  message: `The extension was updated or reloaded since this page opened. ${outcome}`.trim(),
  hint: `${RELOAD}.`,
});

const ABORTED: ErrorValue = { code: 'ABORTED', message: 'The request was canceled.' };

const UNSENDABLE: ErrorValue = {
  code: 'MESSAGE_UNSENDABLE',
  message: 'Couldn’t send the request: it’s too large, nested too deeply, or not plain data. Nothing was sent.',
  hint: 'Try again with a smaller or simpler value.',
};

/** Whether the browser can transfer the value. The worker has limits of its own. */
function isSendable(takes: unknown): boolean {
  try {
    return (JSON.stringify(takes)?.length ?? 0) <= SIZE_LIMIT;
  } catch {
    return false;
  }
}
