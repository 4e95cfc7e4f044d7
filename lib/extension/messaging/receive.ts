/** Receives a message, and checks its sender, size, and shape before handling it. */
import * as v from 'valibot';
import type { ErrorValue, Result } from '../../platform-api/index.ts';
import { CodedError, issueDetails, toErrorValue } from '../../platform-api/index.ts';
import { unreadableOf } from '../../platform-api/lists/unreadable.ts';
import { formatCount } from '../../shared/format.ts';
import { DEPTH_LIMIT, measure } from './measure.ts';
import type { Answers, MessageName, Surface } from './protocol.ts';
import type { Refusals } from './refusals.ts';
import type { Parsed, Rule } from './rules.ts';
import { RULES } from './rules.ts';
import { IDEMPOTENT } from './send.ts';

/**
 * Default maximum size of a message, in characters of JSON. The longest such message contains a 4,096-character token.
 */
const SIZE_LIMIT = 16_384;
/** In characters of JSON. Browsers refuse messages over 64 MB. */
const RESPONSE_LIMIT = 60 * 1024 * 1024;

/** The checked part of the browser’s message sender. */
export interface Sender {
  id?: string | undefined;
  url?: string | undefined;
  /** The document’s origin, if the browser reports it. A sandboxed document has none. */
  origin?: string | undefined;
}

/** The part of `browser.runtime` needed for receiving. */
export interface ReceiveRuntime {
  readonly id: string;
  getURL(path: string): string;
}

/** `signal` is aborted when the sender stops waiting. Anything that a handler throws becomes an `ErrorValue`. */
export type Handlers = { readonly [N in MessageName]: (takes: Parsed<N>, signal?: AbortSignal) => Promise<Answers<N>> };

/** Handlers of messages whose names start with `Family` and a dot. */
export type HandlersOf<Family extends string> = Pick<Handlers, Extract<MessageName, `${Family}.${string}`>>;
/** All handlers except the listener’s own. */
export type MainHandlers = Omit<Handlers, `worker.${string}`>;

/**
 * Handles one message. Never rejects. Refused messages end with `SENDER_REFUSED` or `MESSAGE_…`, and are passed to
 * `count`. Responses that can’t be sent become `ANSWER_TOO_LARGE`, `ANSWER_TOO_DEEP`, or `ANSWER_NOT_DATA`.
 */
export async function receive(
  handlers: Handlers,
  runtime: ReceiveRuntime,
  message: unknown,
  sender: Sender,
  count: Refusals['count'] = () => {},
  signal?: AbortSignal,
): Promise<Result<unknown>> {
  try {
    const { name, takes } = accept(runtime, message, sender);
    const handler = handlers[name] as (takes: unknown, signal?: AbortSignal) => Promise<unknown>;
    const value = (await handler(takes, signal)) ?? null;
    check(value, RESPONSE_LIMIT, (problem, limit) => responseError(name, problem, limit));
    const unreadable = Array.isArray(value) ? unreadableOf(value) : [];
    return { ok: true, value, ...(unreadable.length > 0 && { unreadable }) };
  } catch (error) {
    if (isRefused(error)) count(error.code, error.reason);
    return { ok: false, error: toErrorValue(error) };
  }
}

/** A refused message. `reason` is counted, so it must not contain text from the message. */
class Refused extends CodedError {
  readonly reason: string;
  constructor(value: ErrorValue, reason: string = value.message) {
    super(value);
    this.reason = reason;
  }
}

/** Values thrown by a handler can throw again when inspected. */
function isRefused(thrown: unknown): thrown is Refused {
  try {
    return thrown instanceof Refused;
  } catch {
    return false;
  }
}

const RELOAD = 'Reload the page: it may be from an older version of the extension.';

/** @throws Refused if this sender can’t send the message, or if the message doesn’t match its rule */
function accept(runtime: ReceiveRuntime, message: unknown, sender: Sender): { name: MessageName; takes: unknown } {
  const surface = surfaceOf(sender, runtime);
  if (!surface)
    throw new Refused({
      code: 'SENDER_REFUSED',
      message: 'Only the extension’s own pages may send messages.',
      hint: RELOAD,
    });
  const { name, takes } = read(message);
  const rule: Rule<unknown> = RULES[name];
  check(message, rule.size ?? SIZE_LIMIT, (problem, limit) => messageError(name, problem, limit));
  if (!rule.from.includes(surface))
    throw new Refused({ code: 'SENDER_REFUSED', message: `The ${surface} page may not send ${name}.`, hint: RELOAD });
  return { name, takes: parse(name, rule, takes) };
}

function parse(name: MessageName, rule: Rule<unknown>, takes: unknown): unknown {
  let parsed: v.SafeParseResult<Rule<unknown>['takes']>;
  try {
    parsed = v.safeParse(rule.takes, takes);
  } catch {
    throw new Refused({ code: 'MESSAGE_INVALID', message: `Couldn’t read the message ${name}.`, hint: RELOAD });
  }
  if (!parsed.success) throw new Refused(invalid(name, parsed.issues), `${name} has an invalid format.`);
  return parsed.output;
}

/** The extension page that sent the message. Content scripts share the extension’s ID, but have their page’s URL. */
function surfaceOf({ id, url, origin }: Sender, runtime: ReceiveRuntime): Surface | null {
  if (id !== runtime.id || !url) return null;
  if (origin !== undefined && `${origin}/` !== runtime.getURL('/')) return null;
  const page = url.replace(/[?#].*$/s, '');
  return (
    (['options', 'panel', 'popup', 'app'] as const).find((surface) => page === runtime.getURL(`/${surface}.html`)) ??
    null
  );
}

function read(message: unknown): { name: MessageName; takes: unknown } {
  try {
    const { to, name, takes } = Object(message) as Record<string, unknown>;
    if (to === 'background' && typeof name === 'string' && Object.hasOwn(RULES, name))
      return { name: name as MessageName, takes };
  } catch {
    // Reading one of the sender’s properties threw.
  }
  throw new Refused({
    code: 'MESSAGE_UNKNOWN',
    message: 'The background worker doesn’t recognize this message.',
    hint: RELOAD,
  });
}

type Problem = 'TOO_LARGE' | 'TOO_DEEP' | 'NOT_DATA';

const describe = (subject: string, problem: Problem, limit: string): string =>
  ({
    TOO_LARGE: `${subject} is limited to ${limit} characters. This one has more.`,
    TOO_DEEP: `${subject} is nested more than ${DEPTH_LIMIT} levels deep.`,
    NOT_DATA: `${subject} contains a value that isn’t plain data.`,
  })[problem];

const responseError = (name: MessageName, problem: Problem, limit: string): CodedError =>
  new CodedError(withoutResponse(name, `ANSWER_${problem}`, describe('The response', problem, limit)));

/** The error for a request that was carried out, and whose response can’t be sent. */
export const withoutResponse = (name: MessageName, code: string, why: string): ErrorValue =>
  IDEMPOTENT.has(name)
    ? { code, message: why, hint: 'Try again with less data.' }
    : {
        code,
        message: `The request was carried out. ${why}`,
        hint: 'Check the current state before you try again.',
      };

const messageError = (name: MessageName, problem: Problem, limit: string): CodedError =>
  new Refused({
    code: `MESSAGE_${problem}`,
    message: describe(name, problem, limit),
    hint: problem === 'TOO_LARGE' ? 'Try again with less data.' : 'Use plain JSON data.',
  });

function check(value: unknown, limit: number, error: (problem: Problem, limit: string) => CodedError): void {
  const size = measure(value, limit);
  const problem = size === 'deep' ? 'TOO_DEEP' : size === 'not data' ? 'NOT_DATA' : size > limit ? 'TOO_LARGE' : null;
  if (problem) throw error(problem, formatCount(limit));
}

function invalid(name: MessageName, issues: readonly v.BaseIssue<unknown>[]): ErrorValue {
  const details = issueDetails(issues);
  return {
    code: 'MESSAGE_INVALID',
    message: details[0]?.message ?? `${name} has an invalid format.`,
    hint: 'Check the value, then try again.',
    details,
  };
}
