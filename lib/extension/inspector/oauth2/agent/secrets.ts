/** Owns finding what must not be told in the texts of strangers: JWTs, what follows a telling name, and what looks like a token. */
import { charCodeAt, indexOf, lastIndexOf, slice, toLowerCase } from '../../agent/pristine.ts';
import type { Masked } from '../contract.ts';

/** Characters without a break that have letters and digits: no word is like that. */
const TOKEN_LIKE = 20;
/** With fewer, two characters at each end would tell too much. */
const TELLS_ENDS = 16;
/** Shorter ones are words that stand anywhere. */
export const SHORTEST_SECRET = 6;

const LONGEST_NAME = 60;
const SENSITIVE = [
  'accesstoken',
  'refreshtoken',
  'idtoken',
  'token',
  'authtoken',
  'clientsecret',
  'secret',
  'password',
  'passwd',
  'clientassertion',
  'assertion',
  'codeverifier',
  'verifier',
  'apikey',
  'authorization',
  'jwt',
  'credential',
  'credentials',
  'privatekey',
  'cookie',
  'sessionid',
  'devicecode',
];
/** Of these the value is secret where it stands as in a query or in JSON; elsewhere they are words. */
const SENSITIVE_VALUES = ['code', 'state', 'nonce'];

/** How a secret is told: its ends, when it is long, and its length. */
export function maskOf(secret: string): Masked {
  const { length } = secret;
  const ends =
    length >= TELLS_ENDS &&
    isTokenCode(charCodeAt(secret, 0)) &&
    isTokenCode(charCodeAt(secret, 1)) &&
    isTokenCode(charCodeAt(secret, length - 1)) &&
    isTokenCode(charCodeAt(secret, length - 2));
  return { masked: ends ? `${slice(secret, 0, 2)}…${slice(secret, -2)}` : '…', length };
}

/** Whether a value of this name is a secret, however the name is written. */
export function isSensitive(name: string): boolean {
  if (name.length > LONGEST_NAME) return false;
  const bare = normalized(name);
  for (let i = 0; i < SENSITIVE.length; i++)
    if (bare === SENSITIVE[i] || (SENSITIVE[i]!.length > 5 && endsWith(bare, SENSITIVE[i]!))) return true;
  return endsWith(bare, 'token');
}

/** Lower case, letters alone. */
export function normalized(name: string): string {
  let bare = '';
  for (let i = 0; i < name.length; i++) if (isLetter(charCodeAt(name, i))) bare += name[i]!;
  return toLowerCase(bare);
}

/** The same in a text: `ey…3f[1204]`. */
export function inline(secret: string): string {
  const { masked, length } = maskOf(secret);
  return `${masked}[${length}]`;
}

/** Takes out JWTs and what follows a telling name, and, when `strict`, every run of characters that is like a token. */
export function strangers(text: string, strict: boolean): string {
  let told = '';
  /** How much of the text stands in `told`. */
  let done = 0;
  const leaveOut = (from: number, to: number): void => {
    told += slice(text, done, from) + inline(slice(text, from, to));
    done = to;
  };
  for (let at = 0; at < text.length;) {
    if (!isTokenCode(charCodeAt(text, at))) {
      at++;
      continue;
    }
    const end = runEnd(text, at);
    const jwtEnd = jwtEndOf(text, at, end);
    if (jwtEnd > (strict ? 0 : end)) {
      leaveOut(at, jwtEnd);
      at = jwtEnd;
      continue;
    }
    if (strict && end - at >= TOKEN_LIKE && hasDigit(text, at, end) && hasLetter(text, at, end)) leaveOut(at, end);
    const value = valueAfter(text, at, end);
    at = end;
    if (!value) continue;
    // What is masked already stays as it is.
    if (value.to > value.from && !isMasked(text, value.from, value.to)) leaveOut(value.from, value.to);
    at = value.to;
  }
  return done === 0 ? text : told + slice(text, done);
}

function isMasked(text: string, from: number, to: number): boolean {
  return (text[from] === '…' || text[from + 2] === '…') && indexOf(slice(text, from, to), '[') > 0;
}

function runEnd(text: string, from: number): number {
  let end = from;
  while (end < text.length && isTokenCode(charCodeAt(text, end))) end++;
  return end;
}

/** Where the JWT ends whose first part is this run, JSON in base64; 0 when it is none. */
function jwtEndOf(text: string, at: number, end: number): number {
  if (end - at < 10 || text[at] !== 'e' || text[at + 1] !== 'y') return 0;
  let last = end;
  for (let parts = 1; parts < 5 && text[last] === '.'; parts++) {
    const next = runEnd(text, last + 1);
    if (next === last + 1) break;
    last = next;
  }
  return last;
}

/** As much of a text as is read. */
export const LONGEST_READ = 100_000;

/** A long text's beginning; what stands at the end of it may be the first part of a token. */
export function bounded(text: string): string {
  if (text.length <= LONGEST_READ) return text;
  let end = LONGEST_READ;
  while (end > 0 && (isTokenCode(charCodeAt(text, end - 1)) || text[end - 1] === '.')) end--;
  return `${slice(text, 0, end)}…`;
}

/** Where the value stands that belongs to the name at `start` to `end`; null when that tells nothing, or has none. */
function valueAfter(text: string, start: number, end: number): { from: number; to: number } | null {
  let at = end;
  const quote = text[at];
  const inQuotes = quote === '"' || quote === "'";
  if (inQuotes) at++;
  while (text[at] === ' ') at++;
  const sign = text[at];
  const isNamed = sign === '=' || sign === ':';
  const isScheme = at > end || isNamed;
  if (end - start > LONGEST_NAME || !isScheme) return null;
  if ((end - start === 6 || end - start === 5) && isCredentialScheme(normalized(slice(text, start, end)))) {
    if (isNamed) at++;
    while (text[at] === ' ') at++;
    const to = valueEnd(text, at);
    return to - at >= SHORTEST_SECRET && (to - at >= TOKEN_LIKE || hasDigit(text, at, to)) ? { from: at, to } : null;
  }
  if (!isNamed) return null;
  const name = slice(text, start, end);
  if (!isSensitive(name) && !((sign === '=' || inQuotes) && includes(SENSITIVE_VALUES, normalized(name)))) return null;
  at++;
  while (text[at] === ' ') at++;
  const opened = text[at];
  if (opened === '"' || opened === "'") return { from: at + 1, to: closing(text, at + 1, opened) };
  // A scheme before a credential, such as `authorization: Bearer …`.
  const to = valueEnd(text, at);
  if (to - at <= 6 && text[to] === ' ' && isCredentialScheme(normalized(slice(text, at, to))))
    return { from: to + 1, to: valueEnd(text, to + 1) };
  return { from: at, to };
}

function isCredentialScheme(word: string): boolean {
  return word === 'bearer' || word === 'basic';
}

function closing(text: string, from: number, quote: string): number {
  for (let at = from; at < text.length; at++) {
    if (text[at] === '\\') at++;
    else if (text[at] === quote) return at;
  }
  return text.length;
}

const ENDS = ' \t\r\n&"\',;)}]<>#';
function valueEnd(text: string, from: number): number {
  let at = from;
  while (at < text.length && indexOf(ENDS, text[at]!) < 0) at++;
  return at;
}

function includes(list: readonly string[], item: string): boolean {
  for (let i = 0; i < list.length; i++) if (list[i] === item) return true;
  return false;
}
function endsWith(text: string, end: string): boolean {
  return text.length >= end.length && slice(text, text.length - end.length) === end;
}
function hasDigit(text: string, from: number, to: number): boolean {
  for (let i = from; i < to; i++) if (isDigit(charCodeAt(text, i))) return true;
  return false;
}
function hasLetter(text: string, from: number, to: number): boolean {
  for (let i = from; i < to; i++) if (isLetter(charCodeAt(text, i))) return true;
  return false;
}
export function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}
function isLetter(code: number): boolean {
  return (code >= 65 && code <= 90) || (code >= 97 && code <= 122);
}
/** Letters, digits and `- _ ~ + %`; a dot or slash parts what stands beside it. */
function isTokenCode(code: number): boolean {
  return isLetter(code) || isDigit(code) || code === 45 || code === 95 || code === 126 || code === 43 || code === 37;
}
export function isLetters(text: string): boolean {
  for (let i = 0; i < text.length; i++) if (!isLetter(charCodeAt(text, i))) return false;
  return true;
}
/** An address without the user before its host. */
export function withoutUser(text: string): string {
  const start = indexOf(text, '//');
  if (start < 0) return text;
  let end = indexOf(text, '/', start + 2);
  if (end < 0) end = text.length;
  const user = lastIndexOf(slice(text, 0, end), '@');
  return user < start ? text : slice(text, 0, start + 2) + slice(text, user + 1);
}
