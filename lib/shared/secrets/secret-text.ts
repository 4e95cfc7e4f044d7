/** Finds secrets in text of unknown origin: JWTs, values after sensitive names, and strings that look like tokens. */
import { charCodeAt, indexOf, lastIndexOf, slice } from './pristine-text.ts';
import { isLetter, isSensitive, isSensitiveInPairs, normalize } from './secret-names.ts';

/** A masked secret: `ey…3f` for a long one, `…` for one with fewer than 16 characters. */
export interface Masked {
  masked: string;
  length: number;
}

/** What is secret in a text, and what is written instead. */
export interface TextRules {
  /** Also masks every run of characters that looks like a token. */
  isStrict: boolean;
  /** Whether a value with this name is secret. `isPair`: in a query or in JSON. */
  isSecret: (name: string, isPair: boolean) => boolean;
  /** Whether everything up to the end of the line belongs to the value with this name. */
  takesLine: (name: string) => boolean;
  mask: (secret: string) => string;
}

/** Consecutive letters and digits. No ordinary word is this long. */
const MIN_TOKEN = 20;
/** For shorter secrets, showing two characters at each end would reveal too much. */
const MIN_WITH_ENDS = 16;
/** In characters. Shorter secrets would match ordinary words. */
export const MIN_SECRET = 6;

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

/** A masked secret inside other text, such as `ey…3f[1204]`. */
export function inlineMask(secret: string): string {
  const { masked, length } = maskSecret(secret);
  return `${masked}[${length}]`;
}

const foreign = (isStrict: boolean): TextRules => ({
  isStrict,
  isSecret: (name, isPair) => (isPair ? isSensitiveInPairs(name) : isSensitive(name)),
  takesLine: () => false,
  mask: inlineMask,
});
const FOREIGN = foreign(false);
const STRICT = foreign(true);

/**
 * Masks JWTs and values after sensitive names. With `strict`, also masks every run of characters that looks like a
 * token.
 */
export const maskForeignText = (text: string, strict: boolean): string => maskText(text, strict ? STRICT : FOREIGN);

/** Masks JWTs and values after names that are secret by these rules. */
export function maskText(text: string, rules: TextRules): string {
  let masked = '';
  /** How many characters of the text have been written to `masked`. */
  let done = 0;
  const maskRange = (from: number, to: number): void => {
    masked += slice(text, done, from) + rules.mask(slice(text, from, to));
    done = to;
  };
  for (let at = 0; at < text.length;) {
    if (!isTokenCode(charCodeAt(text, at))) {
      at++;
      continue;
    }
    const end = runEnd(text, at);
    const jwtEnd = jwtEndOf(text, at, end);
    if (jwtEnd > (rules.isStrict ? 0 : end)) {
      maskRange(at, jwtEnd);
      at = jwtEnd;
      continue;
    }
    if (rules.isStrict && end - at >= MIN_TOKEN && hasDigit(text, at, end) && hasLetter(text, at, end))
      maskRange(at, end);
    const value = valueAfter(text, at, end, rules);
    at = end;
    if (!value) continue;
    // Don't mask text that is already masked.
    if (value.to > value.from && !isMasked(text, value.from, value.to)) maskRange(value.from, value.to);
    at = value.to;
  }
  return done === 0 ? text : masked + slice(text, done);
}

/** Whether it's the result of `inlineMask`, whose last bracket can be after the end. */
function isMasked(text: string, from: number, to: number): boolean {
  let at = text[from] === '…' ? from + 1 : text[from + 2] === '…' ? from + 5 : to;
  if (at >= to || text[at] !== '[') return false;
  while (at + 1 < to && isDigit(charCodeAt(text, at + 1))) at++;
  return at + 1 === to || (at + 2 === to && text[at + 1] === ']');
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
function valueAfter(text: string, start: number, end: number, rules: TextRules): Range | null {
  if (text[end] === '>') return elementValue(text, start, end, rules);
  // JSON text in a JSON string has escaped quotes.
  const escapes = backslashesAt(text, end);
  if (isQuote(text[end + escapes])) {
    const at = skipSpace(text, end + escapes + 1);
    const isNamed = text[at] === ':' || text[at] === '=';
    if (!isNamed) return null;
    return jsonValue(text, skipSpace(text, at + 1), { name: slice(text, start, end), escapes, rules });
  }
  // In a form, such as `user[password]=`.
  const at = text[end] === ']' && text[end + 1] === '=' ? end + 1 : skipSpaces(text, end);
  const isNamed = text[at] === '=' || text[at] === ':';
  if (at === end && !isNamed) return null;
  if (isCredentialScheme(text, start, end)) return credentialAt(text, skipSpaces(text, isNamed ? at + 1 : at));
  if (!isNamed) return null;
  const name = slice(text, start, end);
  return rules.isSecret(name, text[at] === '=') ? valueOf(text, skipSpaces(text, at + 1), rules.takesLine(name)) : null;
}

/** The text of an XML element. Its name can have a prefix. */
function elementValue(text: string, start: number, end: number, { isSecret }: TextRules): Range | null {
  const isElement = text[start - 1] === '<' || text[start - 1] === ':';
  const isValue = isElement && isSecret(slice(text, start, end), false);
  return isValue ? { from: end + 1, to: endAt(text, '<', end + 1) } : null;
}

function jsonValue(
  text: string,
  from: number,
  { name, escapes, rules }: { name: string; escapes: number; rules: TextRules },
): Range | null {
  if (text[from] !== '{' && text[from] !== '[') return rules.isSecret(name, true) ? valueAt(text, from) : null;
  return rules.isSecret(name, false) ? { from, to: nestedEnd(text, from, escapes) } : null;
}

function endAt(text: string, end: string, from: number): number {
  const at = indexOf(text, end, from);
  return at < 0 ? text.length : at;
}

const isQuote = (character: string | undefined): boolean => character === '"' || character === "'";

function backslashesAt(text: string, from: number): number {
  let at = from;
  while (text[at] === '\\') at++;
  return at - from;
}

/** The end of an object or array in JSON whose quotes are preceded by this number of backslashes. */
function nestedEnd(text: string, from: number, escapes: number): number {
  let depth = 0;
  for (let at = from; at < text.length; at++) {
    const found = backslashesAt(text, at);
    at += found;
    if (text[at] === '"') {
      if (found < escapes) return at - found;
      at = closing(text, at + 1, '"', escapes) + escapes;
    } else if (text[at] === '{' || text[at] === '[') depth++;
    else if ((text[at] === '}' || text[at] === ']') && --depth === 0) return at + 1;
  }
  return text.length;
}

/** The credential after an authentication scheme, unless it's an ordinary word. */
function credentialAt(text: string, from: number): Range | null {
  const to = valueEnd(text, from);
  const isCredential = to - from >= MIN_SECRET && (to - from >= MIN_TOKEN || hasDigit(text, from, to));
  return isCredential ? { from, to } : null;
}

/** A name's value: either a quoted string or a single word. */
function valueAt(text: string, from: number): Range {
  const escapes = backslashesAt(text, from);
  const quote = text[from + escapes];
  const start = from + escapes + 1;
  if (quote !== undefined && isQuote(quote)) return { from: start, to: closing(text, start, quote, escapes) };
  const to = valueEnd(text, from);
  // A scheme before a credential, as in `authorization: Bearer …`.
  if (text[to] === ' ' && isCredentialScheme(text, from, to)) return { from: to + 1, to: valueEnd(text, to + 1) };
  return { from, to };
}

function valueOf(text: string, from: number, takesLine: boolean): Range {
  const isLine = takesLine && !isQuote(text[from + backslashesAt(text, from)]);
  return isLine ? { from, to: lineEnd(text, from) } : valueAt(text, from);
}

function isCredentialScheme(text: string, from: number, to: number): boolean {
  if (to - from !== 5 && to - from !== 6) return false;
  const word = normalize(slice(text, from, to));
  return word === 'bearer' || word === 'basic';
}

/** The end of a line, of a string in JSON, or of an element. */
function lineEnd(text: string, from: number): number {
  let at = from;
  while (at < text.length && indexOf('\r\n"\\<', text[at]!) < 0) at++;
  return at;
}

function skipSpaces(text: string, from: number): number {
  let at = from;
  while (text[at] === ' ') at++;
  return at;
}

/** Also skips line breaks, which JSON can have beside a colon. */
function skipSpace(text: string, from: number): number {
  let at = from;
  while (at < text.length && indexOf(' \t\r\n', text[at]!) >= 0) at++;
  return at;
}

/** Where a string ends whose quotes are preceded by this number of backslashes. */
function closing(text: string, from: number, quote: string, escapes: number): number {
  for (let at = from; at < text.length; at++) {
    const found = backslashesAt(text, at);
    at += found;
    if (text[at] !== quote) continue;
    // An outer string ends.
    if (found < escapes) return at - found;
    // The string's own backslashes and quotes are escaped as often as its quotes are, and once more.
    if (found % (2 * (escapes + 1)) === escapes) return at - escapes;
  }
  return text.length;
}

const ENDS = ' \t\r\n&"\',;)}]<>#';
function valueEnd(text: string, from: number): number {
  let at = from;
  while (at < text.length && indexOf(ENDS, text[at]!) < 0) at++;
  return at;
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
  if (start < 0 || endAt(text, '?', 0) < start || endAt(text, '#', 0) < start) return text;
  let end = text.length;
  for (let i = 0; i < 3; i++) {
    const stop = endAt(text, '/?#'[i]!, start + 2);
    if (stop < end) end = stop;
  }
  const user = lastIndexOf(slice(text, 0, end), '@');
  return user < start ? text : slice(text, 0, start + 2) + slice(text, user + 1);
}
