/** Finds secrets in text of unknown origin: JWTs, values after sensitive names, and strings that look like tokens. */
import { charCodeAt, indexOf, lastIndexOf, slice, toLowerCase } from './pristine.ts';
import { includes } from './safe.ts';
import type { Masked } from '../oauth2/contract.ts';

/** Consecutive letters and digits. No ordinary word is this long. */
const MIN_TOKEN = 20;
/** For shorter secrets, showing two characters at each end would reveal too much. */
const MIN_WITH_ENDS = 16;
/** In characters. Shorter secrets would match ordinary words. */
export const MIN_SECRET = 6;

const MAX_NAME = 60;
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
/** Names whose values are secret in a query or in JSON. Elsewhere, these names are ordinary words. */
const SENSITIVE_VALUES = ['code', 'state', 'nonce'];

/** The first and last characters of a long secret, and the length of any secret. */
export function maskSecret(secret: string): Masked {
  const { length } = secret;
  const ends =
    length >= MIN_WITH_ENDS &&
    isTokenCode(charCodeAt(secret, 0)) &&
    isTokenCode(charCodeAt(secret, 1)) &&
    isTokenCode(charCodeAt(secret, length - 1)) &&
    isTokenCode(charCodeAt(secret, length - 2));
  return { masked: ends ? `${slice(secret, 0, 2)}…${slice(secret, -2)}` : '…', length };
}

/** Whether a value with this name is secret. Ignores the name's case and punctuation. */
export function isSensitive(name: string): boolean {
  if (name.length > MAX_NAME) return false;
  const bare = normalize(name);
  for (let i = 0; i < SENSITIVE.length; i++)
    if (bare === SENSITIVE[i] || (SENSITIVE[i]!.length > 5 && endsWith(bare, SENSITIVE[i]!))) return true;
  return endsWith(bare, 'token');
}

/** Keeps only letters, in lowercase. */
export function normalize(name: string): string {
  let bare = '';
  for (let i = 0; i < name.length; i++) if (isLetter(charCodeAt(name, i))) bare += name[i]!;
  return toLowerCase(bare);
}

/** A masked secret inside other text, such as `ey…3f[1204]`. */
export function inlineMask(secret: string): string {
  const { masked, length } = maskSecret(secret);
  return `${masked}[${length}]`;
}

/**
 * Masks JWTs and values after sensitive names. With `strict`, also masks every run of characters that looks like a
 * token.
 */
export function maskForeignText(text: string, strict: boolean): string {
  let masked = '';
  /** How many characters of the text have been written to `masked`. */
  let done = 0;
  const maskRange = (from: number, to: number): void => {
    masked += slice(text, done, from) + inlineMask(slice(text, from, to));
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
      maskRange(at, jwtEnd);
      at = jwtEnd;
      continue;
    }
    if (strict && end - at >= MIN_TOKEN && hasDigit(text, at, end) && hasLetter(text, at, end)) maskRange(at, end);
    const value = valueAfter(text, at, end);
    at = end;
    if (!value) continue;
    // Don't mask text that is already masked.
    if (value.to > value.from && !isMasked(text, value.from, value.to)) maskRange(value.from, value.to);
    at = value.to;
  }
  return done === 0 ? text : masked + slice(text, done);
}

function isMasked(text: string, from: number, to: number): boolean {
  return (text[from] === '…' || text[from + 2] === '…') && indexOf(slice(text, from, to), '[') > 0;
}

function runEnd(text: string, from: number): number {
  let end = from;
  while (end < text.length && isTokenCode(charCodeAt(text, end))) end++;
  return end;
}

/**
 * The end of the JWT whose first part (Base64 of JSON) is the characters from `at` to `end`, or 0 if they don't start a
 * JWT.
 */
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

/** The maximum number of characters to read from a string. */
export const MAX_READ = 100_000;

/** Truncates a long text before any run of characters that might be the first part of a token. */
export function truncateAtWord(text: string): string {
  if (text.length <= MAX_READ) return text;
  let end = MAX_READ;
  while (end > 0 && (isTokenCode(charCodeAt(text, end - 1)) || text[end - 1] === '.')) end--;
  return `${slice(text, 0, end)}…`;
}

interface Range {
  from: number;
  to: number;
}

/**
 * The range of the value after the name from `start` to `end`, or null if there is no value or the name is harmless.
 */
function valueAfter(text: string, start: number, end: number): Range | null {
  const inQuotes = text[end] === '"' || text[end] === "'";
  const at = skipSpaces(text, inQuotes ? end + 1 : end);
  const sign = text[at];
  const isNamed = sign === '=' || sign === ':';
  if (end - start > MAX_NAME || (at === end && !isNamed)) return null;
  if (isCredentialScheme(text, start, end)) return credentialAt(text, skipSpaces(text, isNamed ? at + 1 : at));
  if (!isNamed) return null;
  const name = slice(text, start, end);
  const isSecret = isSensitive(name) || ((sign === '=' || inQuotes) && includes(SENSITIVE_VALUES, normalize(name)));
  return isSecret ? valueAt(text, skipSpaces(text, at + 1)) : null;
}

/** The credential after an authentication scheme, unless it's an ordinary word. */
function credentialAt(text: string, from: number): Range | null {
  const to = valueEnd(text, from);
  const isCredential = to - from >= MIN_SECRET && (to - from >= MIN_TOKEN || hasDigit(text, from, to));
  return isCredential ? { from, to } : null;
}

/** A name's value: either a quoted string or a single word. */
function valueAt(text: string, from: number): Range {
  const quote = text[from];
  if (quote === '"' || quote === "'") return { from: from + 1, to: closing(text, from + 1, quote) };
  const to = valueEnd(text, from);
  // A scheme before a credential, as in `authorization: Bearer …`.
  if (text[to] === ' ' && isCredentialScheme(text, from, to)) return { from: to + 1, to: valueEnd(text, to + 1) };
  return { from, to };
}

function isCredentialScheme(text: string, from: number, to: number): boolean {
  if (to - from !== 5 && to - from !== 6) return false;
  const word = normalize(slice(text, from, to));
  return word === 'bearer' || word === 'basic';
}

function skipSpaces(text: string, from: number): number {
  let at = from;
  while (text[at] === ' ') at++;
  return at;
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
/** Whether the character is a letter, a digit, or one of `- _ ~ + %`. Dots and slashes separate runs. */
function isTokenCode(code: number): boolean {
  return isLetter(code) || isDigit(code) || code === 45 || code === 95 || code === 126 || code === 43 || code === 37;
}
export function isLetters(text: string): boolean {
  for (let i = 0; i < text.length; i++) if (!isLetter(charCodeAt(text, i))) return false;
  return true;
}
/** The URL without the user info before its host. */
export function withoutUser(text: string): string {
  const start = indexOf(text, '//');
  if (start < 0) return text;
  let end = indexOf(text, '/', start + 2);
  if (end < 0) end = text.length;
  const user = lastIndexOf(slice(text, 0, end), '@');
  return user < start ? text : slice(text, 0, start + 2) + slice(text, user + 1);
}
