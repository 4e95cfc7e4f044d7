/** Owns the receiving side: who sent it, how large it is, what it is, and only then what is done. */
import * as v from 'valibot';
import type { ErrorValue, Result } from '../contract/index.ts';
import { CodedError, issueDetails, toErrorValue } from '../contract/index.ts';
import type { Answers, MessageName, Surface } from './protocol.ts';
import type { Parsed, Rule } from './rules.ts';
import { RULES } from './rules.ts';

/** Largest message unless its rule says otherwise, in characters of its JSON; the longest of them carries a token of 4,096. */
const SIZE_LIMIT = 16_384;

/** The part of the browser's message sender that is looked at. */
export interface Sender {
  id?: string | undefined;
  url?: string | undefined;
}

/** The part of `browser.runtime` that receiving needs. */
export interface ReceiveRuntime {
  readonly id: string;
  getURL(path: string): string;
}

/** What is done for each message. A handler throws `CodedError`, or anything: it comes out as an `ErrorValue`. */
export type Handlers = { readonly [N in MessageName]: (takes: Parsed<N>) => Promise<Answers<N>> };

/**
 * Answers one message. Never rejects: refusals are `SENDER_REFUSED`, `MESSAGE_TOO_LARGE`, `MESSAGE_UNKNOWN`,
 * `MESSAGE_INVALID`; what a handler throws keeps its own code.
 */
export async function receive(handlers: Handlers, runtime: ReceiveRuntime, message: unknown, sender: Sender): Promise<Result<unknown>> {
  try {
    const { name, takes } = understood(runtime, message, sender);
    const handler = handlers[name] as (takes: unknown) => Promise<unknown>;
    return { ok: true, value: (await handler(takes)) ?? null };
  } catch (error) {
    return { ok: false, error: toErrorValue(error) };
  }
}

/** The message as its handler takes it. */
function understood(runtime: ReceiveRuntime, message: unknown, sender: Sender): { name: MessageName; takes: unknown } {
  try {
    const surface = surfaceOf(sender, runtime);
    if (!surface) throw refused('SENDER_REFUSED', 'Only the extension’s own pages may ask the background worker.');
    const { name, takes } = read(message);
    const rule: Rule<unknown> = RULES[name];
    const most = rule.size ?? SIZE_LIMIT;
    const size = sizeOf(message);
    if (size > most) throw refused('MESSAGE_TOO_LARGE', `${name} takes at most ${most.toLocaleString('en')} characters; this has ${size.toLocaleString('en')}.`, 'Send less.');
    if (!rule.from.includes(surface)) throw refused('SENDER_REFUSED', `The ${surface} page may not send ${name}.`);
    const parsed = v.safeParse(rule.takes, takes);
    if (!parsed.success) throw new CodedError(invalid(name, parsed.issues));
    return { name, takes: parsed.output };
  } catch (error) {
    if (error instanceof CodedError) throw error;
    // What JSON has no word for, contains itself, or is deeper than a stack.
    throw refused('MESSAGE_INVALID', 'The message cannot be read.');
  }
}

/** Which of our pages sent it. A content script carries our id too, but the address of the page that it runs in. */
function surfaceOf(sender: Sender, runtime: ReceiveRuntime): Surface | null {
  if (sender.id !== runtime.id || !sender.url) return null;
  const page = sender.url.replace(/[?#].*$/s, '');
  return (['options', 'panel', 'popup', 'app'] as const).find((surface) => page === runtime.getURL(`/${surface}.html`)) ?? null;
}

function sizeOf(message: unknown): number {
  return JSON.stringify(message)?.length ?? 0;
}

function read(message: unknown): { name: MessageName; takes: unknown } {
  const { to, name, takes } = (typeof message === 'object' && message !== null ? message : {}) as Record<string, unknown>;
  if (to !== 'background' || typeof name !== 'string' || !Object.hasOwn(RULES, name)) {
    throw refused('MESSAGE_UNKNOWN', 'The background worker does not know this message.');
  }
  return { name: name as MessageName, takes };
}

function refused(code: string, message: string, next = 'Reload the page that sent it: it may be older than the worker.'): CodedError {
  return new CodedError({ code, message, next });
}

function invalid(name: MessageName, issues: readonly v.BaseIssue<unknown>[]): ErrorValue {
  const details = issueDetails(issues);
  return { code: 'MESSAGE_INVALID', message: details[0]?.message ?? `${name} has another form.`, next: 'Correct it and try again.', details };
}
