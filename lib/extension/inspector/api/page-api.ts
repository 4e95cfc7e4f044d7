/** Calls functions of the page's JavaScript API, and waits for their outcomes. Nothing is called twice. */
import * as v from 'valibot';
import { type ErrorValue, type Result, RunFailure } from '../../../platform-api/errors.ts';
import type { AgentConnection } from '../agent-connection.ts';
import { count, fields, number, oneOf, optional, orNull, readOrNull, text } from '../bounded-reader.ts';
import type { ApiOutcome, ApiPath, ApiRejection, ApiTarget } from './contract.ts';

/** Milliseconds between polls, increasing from the first to the last. */
const [FIRST_INTERVAL, LAST_INTERVAL] = [40, 1_000];
/** In characters. The agent writes at most 8 MB. */
const PIECE = 500_000;
const MAX_TEXT = 8 * 1024 * 1024;

export interface ApiCall {
  path: ApiPath;
  args: readonly unknown[];
  /** How long to wait for the outcome, in milliseconds. */
  limit: number;
  /** Completes “Couldn’t …”, such as `load the actions`. */
  task: string;
  /**
   * Set for calls that change something: completes “Couldn’t confirm whether …”, and the step to take then. `done`, if
   * set, is true once the page has responded with anything.
   */
  change?: { whether: string; check: string; done?: string };
}

/** Codes of a page that may respond again. */
const TRANSIENT: ReadonlySet<string> = new Set(['PAGE_BUSY', 'PAGE_UNREACHABLE']);

export class PageApi {
  readonly #connection: Pick<AgentConnection, 'call' | 'useNamespace'>;

  constructor(connection: Pick<AgentConnection, 'call' | 'useNamespace'>) {
    this.#connection = connection;
  }

  /**
   * Resolves with the JSON value of the function's result. Fails with `PAGE_CALL_FAILED` if the function rejects, or
   * with `API_MISSING`, `PAGE_LEFT`, `PAGE_SILENT`, `PAGE_ANSWER_TOO_LARGE`, `PAGE_ANSWER_UNREADABLE`, or a code of the
   * connection. A call that might have changed something fails with `OUTCOME_UNKNOWN` instead.
   */
  async call(target: ApiTarget, call: ApiCall): Promise<Result<unknown>> {
    const id = crypto.randomUUID();
    this.#connection.useNamespace(target.namespace);
    const deadline = performance.now() + call.limit;
    const { origin } = target;
    let answer = await this.#ask('call', [id, call.path, JSON.stringify(call.args), target], origin);
    if (!answer.ok && answer.error.code === 'PAGE_LEFT')
      return failed({ state: 'not-called', why: 'other-page' }, call);
    for (let wait = FIRST_INTERVAL; ; wait = Math.min(wait * 1.5, LAST_INTERVAL)) {
      const outcome = answer.ok ? answer.value.outcome : null;
      if (outcome?.state === 'fulfilled') return this.#value(id, outcome, call);
      if (outcome && outcome.state !== 'pending') return failed(outcome, call);
      if (answer.ok && outcome === null) return left(call);
      const isOver = performance.now() >= deadline;
      if (!answer.ok && (isOver || !TRANSIENT.has(answer.error.code))) return interrupted(call, answer.error);
      if (isOver) return silent(call);
      await new Promise((resolve) => setTimeout(resolve, wait));
      answer = await this.#ask('outcome', [id, target.documentId]);
    }
  }

  #ask(
    method: 'call' | 'outcome',
    args: readonly unknown[],
    origin?: string,
  ): Promise<Result<{ outcome: ApiOutcome | null }>> {
    return this.#connection.call('api', method, args, parseOutcome, origin);
  }

  async #value(id: string, given: { text: string; length: number }, call: ApiCall): Promise<Result<unknown>> {
    if (given.length > MAX_TEXT) return failed({ state: 'unreadable', why: 'too-large', path: '' }, call);
    let json = given.text;
    while (json.length < given.length) {
      const length = Math.min(PIECE, given.length - json.length);
      const piece = await this.#connection.call('api', 'text', [id, json.length, length], (value) =>
        typeof value === 'string' && value.length === length ? value : null,
      );
      // The call has succeeded, so it isn't repeated.
      if (!piece.ok) return interrupted(call, piece.error);
      json += piece.value;
    }
    try {
      return { ok: true, value: JSON.parse(json) };
    } catch {
      return failed({ state: 'unreadable', why: 'not-json', path: '' }, call);
    }
  }
}

const failure = (error: ErrorValue): { ok: false; error: ErrorValue } => ({ ok: false, error });

const unknown = ({ whether, check }: NonNullable<ApiCall['change']>, cause: string): { ok: false; error: ErrorValue } =>
  failure({ code: 'OUTCOME_UNKNOWN', message: `Couldn’t confirm whether ${whether}: ${cause}.`, hint: check });

function failed(
  outcome: Exclude<ApiOutcome, { state: 'pending' | 'fulfilled' }>,
  call: ApiCall,
): { ok: false; error: ErrorValue } {
  if (outcome.state === 'rejected') return failure(rejected(outcome, call));
  if (outcome.state === 'unreadable') return unreadable(outcome, call);
  const { why, message = '' } = outcome;
  const nothing = call.change ? ' Nothing was changed.' : '';
  if (why === 'missing')
    return failure({
      code: 'API_MISSING',
      message: `Couldn’t ${call.task}: the page doesn’t offer it.${nothing} ${message}`.trim(),
      hint: 'Open a debug page or the preview page of the app.',
    });
  if (why === 'other-page')
    return failure({
      code: 'PAGE_LEFT',
      message: `Couldn’t ${call.task}: the tab has another page now.${nothing}`,
      hint: 'Try again on the page that’s open now.',
    });
  return failure({
    code: 'PAGE_BUSY',
    message: `Couldn’t ${call.task}: the page is busy or paused in the debugger.${nothing}`,
    hint: 'Resume or reload the page, then try again.',
  });
}

/** The page's code and message are foreign text, so they're shown as such and never interpreted. */
function rejected({ code, status = null, message, details }: ApiRejection, { task, change }: ApiCall): ErrorValue {
  const said = message?.trim() || 'no reason given';
  const given = details === null ? null : parseDetails(details);
  const isRunFailure = given !== null && !Array.isArray(given);
  // Anything else, such as a lost connection, can follow a change that was made.
  const isRefusal = isRunFailure || (status !== null && status >= 400 && status < 500);
  const error: ErrorValue =
    change && !isRefusal
      ? unknown(change, `the page reported “${said}”`).error
      : {
          code: 'PAGE_CALL_FAILED',
          message: `Couldn’t ${task}. The page reported: ${said}`,
          hint: 'Check the page’s console for more.',
        };
  return {
    ...error,
    ...(status !== null && { status }),
    said: { code: code ?? '', message: said },
    ...(Array.isArray(given) ? { details: given } : given && { failure: given }),
  };
}

const Details = v.union([
  v.pipe(v.array(v.object({ path: v.string(), message: v.string() })), v.maxLength(100)),
  RunFailure,
]);

function parseDetails(details: string): v.InferOutput<typeof Details> | null {
  try {
    const parsed = v.safeParse(Details, JSON.parse(details));
    return parsed.success ? parsed.output : null;
  } catch {
    return null;
  }
}

function unreadable(
  { why, path }: Extract<ApiOutcome, { state: 'unreadable' }>,
  { task, change }: ApiCall,
): { ok: false; error: ErrorValue } {
  const isLarge = why === 'too-large';
  const cause = isLarge
    ? 'the page’s response has more than 8 MB or 200 levels'
    : 'the page’s response isn’t plain data';
  if (change && change.done === undefined) return unknown(change, cause);
  const at = path === '' ? '' : ` (${path})`;
  return failure({
    code: isLarge ? 'PAGE_ANSWER_TOO_LARGE' : 'PAGE_ANSWER_UNREADABLE',
    message: change ? `Couldn’t show the result: ${cause}${at}. ${change.done}` : `Couldn’t ${task}: ${cause}${at}.`,
    hint: change?.check ?? 'Check what the function returns in the page’s console.',
  });
}

function left({ task, change }: ApiCall): { ok: false; error: ErrorValue } {
  const cause = 'the page was left before it responded';
  if (change) return unknown(change, cause);
  return failure({
    code: 'PAGE_LEFT',
    message: `Couldn’t ${task}: ${cause}.`,
    hint: 'Try again on the page that’s open now.',
  });
}

function silent({ task, change, limit }: ApiCall): { ok: false; error: ErrorValue } {
  const cause = `the page didn’t respond within ${limit / 1_000} seconds`;
  if (change) return unknown(change, cause);
  return failure({
    code: 'PAGE_SILENT',
    message: `Couldn’t ${task}: ${cause}.`,
    hint: 'Reload the page, then try again.',
  });
}

/** The page stopped responding to the panel, so it's unknown whether the function was called. */
function interrupted({ change }: ApiCall, error: ErrorValue): { ok: false; error: ErrorValue } {
  return change ? unknown(change, 'the page doesn’t respond to the panel') : failure(error);
}

const WHY = ['cycle', 'too-large', 'not-json', 'unreadable'] as const;
const NOT_CALLED = ['other-page', 'missing', 'never-received'] as const;

const parseOutcome = (value: unknown): { outcome: ApiOutcome | null } | null =>
  readOrNull(() => ({ outcome: orNull(readOutcome, value) }));

function readOutcome(value: unknown): ApiOutcome {
  const given = fields(value);
  switch (oneOf(['pending', 'fulfilled', 'unreadable', 'rejected', 'not-called'], given.state)) {
    case 'pending':
      return { state: 'pending' };
    case 'fulfilled':
      return { state: 'fulfilled', text: text(given.text), length: count(given.length) };
    case 'unreadable':
      return { state: 'unreadable', why: oneOf(WHY, given.why), path: text(given.path) };
    case 'rejected':
      return {
        state: 'rejected',
        code: orNull(bounded, given.code),
        status: orNull(number, given.status ?? null),
        message: orNull(bounded, given.message),
        details: orNull(text, given.details),
      };
    case 'not-called':
      return {
        state: 'not-called',
        why: oneOf(NOT_CALLED, given.why),
        message: optional(bounded, given.message) ?? '',
      };
  }
}

/** The agent cuts text, but a page can replace the agent. */
const bounded = (value: unknown): string => text(value).slice(0, 1_001);
