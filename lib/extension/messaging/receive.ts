/** Receives a message: checks its sender, size, and form before it is handled. */
import * as v from 'valibot';
import type { ErrorValue, Result } from '../../platform-api/index.ts';
import { CodedError, issueDetails, toErrorValue } from '../../platform-api/index.ts';
import { DEPTH_LIMIT, measure } from './measure.ts';
import type { Answers, MessageName, Surface } from './protocol.ts';
import type { Refusals } from './refusals.ts';
import type { Parsed, Rule } from './rules.ts';
import { RULES } from './rules.ts';

/** Largest message unless its rule says otherwise, in characters of its JSON; the longest of them carries a token of 4,096. */
const SIZE_LIMIT = 16_384;
/** Largest answer, in the same: browsers hand over no more than 64 MB. */
const ANSWER_LIMIT = 60 * 1024 * 1024;

/** The part of the browser's message sender that is looked at. */
export interface Sender {
  id?: string | undefined;
  url?: string | undefined;
  /** Of the document, where the browser tells: a sandboxed one has none of its own. */
  origin?: string | undefined;
}

/** The part of `browser.runtime` that receiving needs. */
export interface ReceiveRuntime {
  readonly id: string;
  getURL(path: string): string;
}

/** What is done for each message; `signal` tells that nobody waits for it any more. A handler throws `CodedError`, or anything: it comes out as an `ErrorValue`. */
export type Handlers = { readonly [N in MessageName]: (takes: Parsed<N>, signal?: AbortSignal) => Promise<Answers<N>> };

/** The handlers of messages whose names start with `Family` and a dot. */
export type HandlersOf<Family extends string> = Pick<Handlers, Extract<MessageName, `${Family}.${string}`>>;
/** All but those of the listener itself. */
export type MainHandlers = Omit<Handlers, `worker.${string}`>;

/**
 * Answers one message. Never rejects: refusals are `SENDER_REFUSED`, `MESSAGE_UNKNOWN`, `MESSAGE_TOO_LARGE`, `MESSAGE_TOO_DEEP`,
 * `MESSAGE_NOT_DATA` and `MESSAGE_INVALID`, and `count` is told of each; `ANSWER_TOO_LARGE`, `ANSWER_TOO_DEEP` and
 * `ANSWER_NOT_DATA` are answers that cannot be handed over; what a handler throws keeps its own code.
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
    check(value, ANSWER_LIMIT, ANSWERS);
    return { ok: true, value };
  } catch (error) {
    if (isRefused(error)) count(error.code, error.reason);
    return { ok: false, error: toErrorValue(error) };
  }
}

/** A message that was refused: `reason` says why in words of ours alone, for the count. */
class Refused extends CodedError {
  readonly reason: string;
  constructor(value: ErrorValue, reason: string = value.message) {
    super(value);
    this.reason = reason;
  }
}

/** Looking at what a handler threw can throw itself. */
function isRefused(thrown: unknown): thrown is Refused {
  try {
    return thrown instanceof Refused;
  } catch {
    return false;
  }
}

const RELOAD = 'Reload the page that sent it: it may be older than the worker.';

/** @throws Refused when it comes from somebody who may not send it, or is not what its rule says */
function accept(runtime: ReceiveRuntime, message: unknown, sender: Sender): { name: MessageName; takes: unknown } {
  const surface = surfaceOf(sender, runtime);
  if (!surface)
    throw new Refused({
      code: 'SENDER_REFUSED',
      message: 'Only the extension’s own pages may ask the background worker.',
      hint: RELOAD,
    });
  const { name, takes } = read(message);
  const rule: Rule<unknown> = RULES[name];
  check(message, rule.size ?? SIZE_LIMIT, messages(name));
  if (!rule.from.includes(surface))
    throw new Refused({ code: 'SENDER_REFUSED', message: `The ${surface} page may not send ${name}.`, hint: RELOAD });
  return { name, takes: parse(name, rule, takes) };
}

function parse(name: MessageName, rule: Rule<unknown>, takes: unknown): unknown {
  let parsed: v.SafeParseResult<Rule<unknown>['takes']>;
  try {
    parsed = v.safeParse(rule.takes, takes);
  } catch {
    throw new Refused({ code: 'MESSAGE_INVALID', message: `${name} cannot be read.`, hint: RELOAD });
  }
  if (!parsed.success) throw new Refused(invalid(name, parsed.issues), `${name} has another form.`);
  return parsed.output;
}

/** Which of our pages sent it. A content script carries our id too, but the address of the page that it runs in. */
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
    // Properties that throw are no data.
  }
  throw new Refused({
    code: 'MESSAGE_UNKNOWN',
    message: 'The background worker does not know this message.',
    hint: RELOAD,
  });
}

type Wrong = (what: 'TOO_LARGE' | 'TOO_DEEP' | 'NOT_DATA', most: string) => CodedError;

const ANSWERS: Wrong = (what, most) =>
  new CodedError({
    code: `ANSWER_${what}`,
    message: {
      TOO_LARGE: `The answer has more than the ${most} characters that are handed over.`,
      TOO_DEEP: `The answer is nested more than ${DEPTH_LIMIT} levels deep.`,
      NOT_DATA: 'The answer is not only data.',
    }[what],
    hint: 'Ask for less at a time.',
  });

const messages =
  (name: MessageName): Wrong =>
  (what, most) =>
    new Refused({
      code: `MESSAGE_${what}`,
      message: {
        TOO_LARGE: `${name} takes at most ${most} characters; this has more.`,
        TOO_DEEP: `${name} is nested more than ${DEPTH_LIMIT} levels deep.`,
        NOT_DATA: `${name} holds something that is no data.`,
      }[what],
      hint: what === 'TOO_LARGE' ? 'Send less.' : 'Send plain data.',
    });

function check(value: unknown, most: number, wrong: Wrong): void {
  const size = measure(value, most);
  if (size === 'deep') throw wrong('TOO_DEEP', '');
  if (size === 'not data') throw wrong('NOT_DATA', '');
  if (size > most) throw wrong('TOO_LARGE', most.toLocaleString('en'));
}

function invalid(name: MessageName, issues: readonly v.BaseIssue<unknown>[]): ErrorValue {
  const details = issueDetails(issues);
  return {
    code: 'MESSAGE_INVALID',
    message: details[0]?.message ?? `${name} has another form.`,
    hint: 'Correct it and try again.',
    details,
  };
}
