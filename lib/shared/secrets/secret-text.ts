/** Finds secrets in text of unknown origin: JWTs, values after sensitive names, and strings that look like tokens. */
import { type Decoding, maskInViews, type Range } from './decoded-views.ts';
import { charCodeAt, indexOf, lastIndexOf, slice, toLowerCase } from './pristine-text.ts';
import {
  canBeSecret,
  isDigit,
  isLetter,
  isLoginSecret,
  isNameOfName,
  isNameOfValue,
  isSecretName,
  normalize,
} from './secret-names.ts';

/** A masked secret: `ey…3f` for a long one, `…` for one with fewer than 16 characters. */
export interface Masked {
  masked: string;
  length: number;
}

/** What is secret in a text, and what is written instead. */
export interface TextRules {
  /** Also masks every run of characters that looks like a token. */
  isStrict: boolean;
  /** Also masks what only logins have: `code`, `state`, and `nonce` in a query or in JSON. */
  hasLogins: boolean;
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

const foreign = (isStrict: boolean): TextRules => ({ isStrict, hasLogins: true, mask: inlineMask });
const FOREIGN = foreign(false);
const STRICT = foreign(true);
const DECODING: Decoding = { joinsLines: false, isQuotedPrintable: false };

/**
 * Masks JWTs and values after sensitive names. With `strict`, also masks every run of characters that looks like a
 * token.
 */
export const maskForeignText = (text: string, strict: boolean): string => maskText(text, strict ? STRICT : FOREIGN);

/**
 * Masks JWTs and values after names that are secret: in headers, queries, forms (also multipart), JSON (also in lists of pairs
 * and in objects of a name and a value), XML, and sentences, also encoded and in each other. The time it takes is in proportion
 * to the text’s length.
 */
export const maskText = (text: string, rules: TextRules): string =>
  maskInViews(text, DECODING, (view) => new Scan(view, rules).run(), rules.mask);

/** What is known of an object, or of a tag of XML. */
interface Named {
  /** Whether it has the name of a secret. */
  isSecret: boolean;
  /** Where its value starts, or -1. */
  valueAt: number;
}

/** Deeper objects count as part of the one around them. */
const MAX_OBJECTS = 1_000;
/** In characters. */
const MAX_PART_HEADER = 1_000;

/** Finds the secrets of one text. Each character is read a few times at most, whatever the text is. */
class Scan {
  readonly #text: string;
  readonly #rules: TextRules;
  readonly #ranges: Range[] = [];
  readonly #objects: Named[] = [nothing()];
  #tag: Named | null = null;
  /** Where the first word of the tag ends. */
  #prefixEnd = 0;

  constructor(text: string, rules: TextRules) {
    this.#text = text;
    this.#rules = rules;
  }

  run(): Range[] {
    const text = this.#text;
    for (let at = 0; at < text.length;) {
      const code = charCodeAt(text, at);
      at = isTokenCode(code) ? this.#word(at) : this.#punctuation(code, at);
    }
    return this.#ranges;
  }

  /** Returns where to go on. */
  #word(at: number): number {
    const text = this.#text;
    const { isStrict } = this.#rules;
    const end = runEnd(text, at);
    if (end - at >= 10) {
      const jwtEnd = jwtEndOf(text, at, end);
      if (jwtEnd > (isStrict ? 0 : end)) return this.#add({ from: at, to: jwtEnd });
      if (isStrict && end - at >= MIN_TOKEN && hasDigit(text, at, end) && hasLetter(text, at, end))
        this.#add({ from: at, to: end });
    }
    const value = this.#valueAfter(at, end);
    return value ? this.#add(value) : end;
  }

  #punctuation(code: number, at: number): number {
    const objects = this.#objects;
    switch (code) {
      case OPENS_OBJECT:
        if (objects.length < MAX_OBJECTS) objects[objects.length] = nothing();
        break;
      case CLOSES_OBJECT:
        if (objects.length > 1) objects.length--;
        else objects[0] = nothing();
        break;
      case OPENS_TAG:
        this.#tag = nothing();
        this.#prefixEnd = runEnd(this.#text, at + 1);
        break;
      case CLOSES_TAG: {
        const tag = this.#tag;
        this.#tag = null;
        if (tag?.isSecret && this.#text[at - 1] !== '/') return this.#add(contentAt(this.#text, at + 1));
      }
    }
    return at + 1;
  }

  /** Adds what isn’t empty or masked. Returns where it ends. */
  #add({ from, to }: Range): number {
    const isNew =
      to > from && !isMasked(this.#text, from, to) && (to - from > 12 || canBeSecret(slice(this.#text, from, to)));
    if (isNew) this.#ranges[this.#ranges.length] = { from, to };
    return to;
  }

  /** The value after the name from `start` to `end`; null if there is none, or the name is harmless. */
  #valueAfter(start: number, end: number): Range | null {
    const text = this.#text;
    if (this.#tag && this.#isTagName(start, end)) {
      this.#tag.isSecret = isSecretName(slice(text, start, end));
      return null;
    }
    switch (text[end]) {
      case '"':
      case "'":
        return this.#afterQuoted(start, end);
      case ' ':
      case '=':
      case ':':
        return this.#afterWord(start, end);
      case ']':
        // In a form, such as `user[password]=`.
        return text[end + 1] === '=' ? this.#value(slice(text, start, end), skipSpaces(text, end + 2), '=') : null;
      default:
        return null;
    }
  }

  #afterQuoted(start: number, end: number): Range | null {
    const text = this.#text;
    const at = skipSpace(text, end + 1);
    if (text[at] === ',') return this.#pair(start, end, skipSpace(text, at + 1));
    const isNamed = text[at] === ':' || text[at] === '=';
    return isNamed ? this.#value(slice(text, start, end), skipSpace(text, at + 1), '"') : null;
  }

  #afterWord(start: number, end: number): Range | null {
    const text = this.#text;
    const at = skipSpaces(text, end);
    const isNamed = text[at] === '=' || text[at] === ':';
    if (isCredentialScheme(text, start, end)) return credentialAt(text, skipSpaces(text, isNamed ? at + 1 : at));
    return isNamed ? this.#value(slice(text, start, end), skipSpaces(text, at + 1), text[at]!) : null;
  }

  /** Whether it’s the name of an element of XML, which can have a prefix. */
  #isTagName(start: number, end: number): boolean {
    const text = this.#text;
    const isAfter = text[start - 1] === '<' || (text[start - 1] === ':' && start - 1 === this.#prefixEnd);
    return isAfter && indexOf('> \t\r\n/', text[end] ?? '-') >= 0;
  }

  /** @param after `"` if the name is quoted, or else what separates it from its value */
  #value(name: string, at: number, after: string): Range | null {
    const text = this.#text;
    const hasLogins = this.#rules.hasLogins && after !== ':' && !isNested(text, at);
    if (hasLogins ? isLoginSecret(name) : isSecretName(name)) {
      if (after === ':' && takesLine(name) && !isQuote(text[at])) return { from: at, to: lineEnd(text, at) };
      const value = after === '"' ? anyValueAt(text, at) : valueAt(text, at);
      return canBeSecret(slice(text, value.from, value.to), name) ? value : null;
    }
    if (isNameOfName(name)) return this.#named(at, after === '=');
    return isNameOfValue(name) ? this.#valueOfNamed(at, after === '=') : null;
  }

  /** A name at this position, as in `{"name":"Authorization","value":"…"}` and in a form of several parts. */
  #named(at: number, isAttribute: boolean): Range | null {
    const text = this.#text;
    if (!isQuote(text[at])) return null;
    const name = slice(text, at + 1, closing(slice(text, at, at + 100), 1, text[at]!) + at);
    if (!isSecretName(name)) return null;
    if (isAttribute && !this.#tag) return partAt(text, at);
    const named = isAttribute ? this.#tag! : this.#objects[this.#objects.length - 1]!;
    const { valueAt: before } = named;
    named.isSecret = before < 0;
    named.valueAt = -1;
    // Its value came first. What it contains was read already.
    if (before >= 0 && !isNested(text, before)) this.#add(valueAt(text, before));
    return null;
  }

  #valueOfNamed(at: number, isAttribute: boolean): Range | null {
    const text = this.#text;
    const named = isAttribute ? this.#tag : this.#objects[this.#objects.length - 1]!;
    if (!named) return null;
    named.valueAt = named.isSecret ? -1 : at;
    if (!named.isSecret) return null;
    named.isSecret = false;
    return anyValueAt(text, at);
  }

  /** The value of a pair in a list of pairs, as in `[["Authorization", "…"]]`. */
  #pair(start: number, end: number, at: number): Range | null {
    const text = this.#text;
    const opening = skipSpaceBefore(text, start - 1);
    const isInList =
      text[opening - 1] === '[' && indexOf('[,', text[skipSpaceBefore(text, opening - 1) - 1] ?? '-') >= 0;
    if (!isInList || !isQuote(text[start - 1]) || !isSecretName(slice(text, start, end))) return null;
    const value = anyValueAt(text, at);
    if (isNested(text, at)) return value;
    const after = skipSpace(text, isQuote(text[at]) ? value.to + 1 : value.to);
    return after >= text.length || text[after] === ']' ? value : null;
  }
}

const nothing = (): Named => ({ isSecret: false, valueAt: -1 });

const OPENS_OBJECT = 123;
const CLOSES_OBJECT = 125;
const OPENS_TAG = 60;
const CLOSES_TAG = 62;

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

/** The text of an element, after its tag. */
function contentAt(text: string, at: number): Range {
  const from = skipSpace(text, at);
  const data = '<![CDATA[';
  if (slice(text, from, from + data.length) === data)
    return { from: from + data.length, to: endAt(text, ']]>', from + data.length) };
  const to = endAt(text, '<', from);
  return { from, to };
}

/** The content of a part of a form, after the name in its header. */
function partAt(text: string, name: number): Range | null {
  const isPart = indexOf(toLowerCase(slice(text, name < 40 ? 0 : name - 40, name)), 'form-data') >= 0;
  const header = isPart ? slice(text, name, name + MAX_PART_HEADER) : '';
  const blank = indexOf(header, '\r\n\r\n');
  const end = blank < 0 ? indexOf(header, '\n\n') : blank + 2;
  if (end < 0) return null;
  const from = name + end + 2;
  const to = endAt(text, '\n--', from);
  return { from, to: text[to - 1] === '\r' ? to - 1 : to };
}

function endAt(text: string, end: string, from: number): number {
  const at = indexOf(text, end, from);
  return at < 0 ? text.length : at;
}

const isQuote = (character: string | undefined): boolean => character === '"' || character === "'";

/** The end of an object or array in JSON. */
function nestedEnd(text: string, from: number): number {
  let depth = 0;
  for (let at = from; at < text.length; at++) {
    if (text[at] === '"') at = closing(text, at + 1, '"');
    else if (text[at] === '{' || text[at] === '[') depth++;
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
  const quote = text[from];
  if (quote !== undefined && isQuote(quote)) return { from: from + 1, to: closing(text, from + 1, quote) };
  const to = valueEnd(text, from);
  // A scheme before a credential, as in `authorization: Bearer …`.
  if (text[to] === ' ' && isCredentialScheme(text, from, to)) return { from: to + 1, to: valueEnd(text, to + 1) };
  return { from, to };
}

const isNested = (text: string, at: number): boolean => text[at] === '{' || text[at] === '[';

/** Also an object or array in JSON. */
const anyValueAt = (text: string, at: number): Range =>
  isNested(text, at) ? { from: at, to: nestedEnd(text, at) } : valueAt(text, at);

/** Whether everything up to the end of the line belongs to the value with this name. */
function takesLine(name: string): boolean {
  const bare = normalize(slice(name, -20));
  return slice(bare, -13) === 'authorization' || slice(bare, -6) === 'cookie' || slice(bare, -7) === 'cookies';
}

function isCredentialScheme(text: string, from: number, to: number): boolean {
  if (to - from !== 5 && to - from !== 6) return false;
  const code = charCodeAt(text, from) | 32;
  if (code !== 98) return false;
  const word = toLowerCase(slice(text, from, to));
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
  while (isSpace(charCodeAt(text, at))) at++;
  return at;
}

const isSpace = (code: number): boolean => code === 32 || code === 10 || code === 13 || code === 9;

/** Where white space before a position starts. Long white space isn’t skipped. */
function skipSpaceBefore(text: string, from: number): number {
  let at = from;
  while (at > 0 && from - at < 100 && indexOf(' \t\r\n', text[at - 1]!) >= 0) at--;
  return at;
}

/** Where a quoted string ends. */
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

function hasDigit(text: string, from: number, to: number): boolean {
  for (let i = from; i < to; i++) if (isDigit(charCodeAt(text, i))) return true;
  return false;
}
function hasLetter(text: string, from: number, to: number): boolean {
  for (let i = from; i < to; i++) if (isLetter(charCodeAt(text, i))) return true;
  return false;
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
