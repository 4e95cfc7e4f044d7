/**
 * Finds what is written in an encoded form: reads a text as it is, decoded, decoded twice, and so on, and maps what is found
 * back. Each step takes time in proportion to the text’s length.
 *
 * Decodes percent-encoding, escapes of JSON and JavaScript, character references of XML and HTML, and quoted-printable.
 */
import { charCodeAt, fromCharCode, fromCodePoint, indexOf, slice, sort } from './pristine-text.ts';

/** Part of a text, in UTF-16 code units. `to` isn’t part of it. */
export interface Range {
  from: number;
  to: number;
}

/** How a text is decoded. */
export interface Decoding {
  /** Whether line breaks are left out, with the indentation after them, as in Base64 of several lines. */
  joinsLines: boolean;
  /** Whether `=2D` and a `=` at the end of a line are decoded. Elsewhere, such as in URLs, they have another meaning. */
  isQuotedPrintable: boolean;
}

/** Decoded at most this often. */
const MAX_DEPTH = 5;
const PERCENT = 37;
const AMPERSAND = 38;
const EQUALS = 61;
const BACKSLASH = 92;
const LF = 10;
const CR = 13;

/**
 * Replaces what is found in a text, however it’s encoded.
 * @param find called with the text, the decoded text, and so on
 * @param mask called with what is found as it’s written in the text
 */
export function maskInViews(
  text: string,
  decoding: Decoding,
  find: (view: string) => Range[],
  mask: (found: string) => string,
): string {
  let masked = replaced(text, find(text), mask);
  let views = [masked];
  for (let depth = 1; depth <= MAX_DEPTH; depth++) {
    for (let level = views.length; level <= depth; level++) {
      const view = decoded(views[level - 1]!, decoding);
      if (view === views[level - 1]) return masked;
      views[level] = view;
    }
    let ranges = find(views[depth]!);
    if (ranges.length === 0) continue;
    for (let level = depth - 1; level >= 0; level--) ranges = encodedRanges(views[level]!, merged(ranges), decoding);
    masked = replaced(masked, ranges, mask);
    views = [masked];
  }
  return masked;
}

/** The text with everything decoded once. */
export function decoded(text: string, decoding: Decoding): string {
  let result = '';
  let done = 0;
  const starts = new Starts(text, decoding);
  for (let at = starts.next(0); at < text.length; at = starts.next(at)) {
    if (!readUnit(text, at, decoding)) at++;
    else {
      result += slice(text, done, at) + unit.text;
      at = done = at + unit.length;
    }
  }
  return done === 0 ? text : result + slice(text, done);
}

/** Finds where something encoded can start. Most texts have few of these characters. */
class Starts {
  readonly #text: string;
  readonly #characters: string;
  readonly #found = [-1, -1, -1, -1, -1, -1];

  constructor(text: string, { joinsLines, isQuotedPrintable }: Decoding) {
    this.#text = text;
    this.#characters = `%\\&${joinsLines ? '\r\n' : ''}${isQuotedPrintable ? '=' : ''}`;
  }

  /** The first one from this position on. */
  next(from: number): number {
    let first = this.#text.length;
    for (let index = 0; index < this.#characters.length; index++) {
      let at = this.#found[index]!;
      if (at < from) {
        at = indexOf(this.#text, this.#characters[index]!, from);
        if (at < 0) at = this.#text.length;
        this.#found[index] = at;
      }
      if (at < first) first = at;
    }
    return first;
  }
}

/** Where in a text these ranges of its decoded form are. What is partly in a range is whole in the result. */
function encodedRanges(text: string, ranges: readonly Range[], decoding: Decoding): Range[] {
  const result: Range[] = [];
  /** How many characters the decoded text has fewer up to here. */
  let shift = 0;
  let next = 0;
  let isInside = false;
  let from = 0;
  const close = (end: number): void => {
    result[result.length] = { from, to: end };
    isInside = false;
    next++;
  };
  const upTo = (position: number, at: number, length: number, width: number): void => {
    for (; next < ranges.length;) {
      const { from: start, to: end } = ranges[next]!;
      if (!isInside) {
        if (start >= position + length) return;
        from = start < position ? start + shift : at;
        isInside = true;
      }
      if (end > position + length) return;
      close(end <= position ? end + shift : at + width);
    }
  };
  const starts = new Starts(text, decoding);
  for (let at = starts.next(0); at < text.length && next < ranges.length; at = starts.next(at)) {
    if (!readUnit(text, at, decoding)) at++;
    else {
      upTo(at - shift, at, unit.text.length, unit.length);
      shift += unit.length - unit.text.length;
      at += unit.length;
    }
  }
  upTo(text.length - shift, text.length, Infinity, 0);
  return result;
}

/** What `readUnit` has read: its length, and the character that it encodes. One object, since there can be millions. */
const unit = { length: 0, text: '' };

function isUnit(length: number, text: string): true {
  unit.length = length;
  unit.text = text;
  return true;
}

/** Whether something encoded starts here. */
function readUnit(text: string, at: number, { joinsLines, isQuotedPrintable }: Decoding): boolean {
  switch (charCodeAt(text, at)) {
    case PERCENT:
      return readByte(text, at);
    case BACKSLASH:
      return readEscape(text, at, joinsLines);
    case AMPERSAND:
      return readReference(text, at);
    case EQUALS:
      return isQuotedPrintable && (readSoftBreak(text, at) || readByte(text, at));
    case LF:
    case CR:
      return joinsLines && isUnit(indentEnd(text, at) - at, '');
    default:
      return false;
  }
}

function indentEnd(text: string, from: number): number {
  let at = from + 1;
  while (at < text.length && indexOf('\r\n\t ', text[at]!) >= 0) at++;
  return at;
}

/** A character in UTF-8, as in `%C3%A9` and `=C3=A9`. A byte that isn’t UTF-8 is read as the character with its number. */
function readByte(text: string, at: number): boolean {
  const byte = hexNumber(text, at + 1, at + 3);
  if (byte < 0) return false;
  const bytes = byte < 0xc2 ? 1 : byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : byte < 0xf5 ? 4 : 1;
  let code = byte & (0xff >> (bytes + 1));
  for (let start = at + 3; start < at + 3 * bytes; start += 3) {
    const next = text[start] === text[at] ? hexNumber(text, start + 1, start + 3) : -1;
    if (next >> 6 !== 2) return isUnit(3, fromCharCode(byte));
    code = (code << 6) | (next & 63);
  }
  if (bytes === 1 || code > 0x10ffff) return isUnit(3, fromCharCode(byte));
  return isUnit(3 * bytes, fromCodePoint(code));
}

function readSoftBreak(text: string, at: number): boolean {
  const breaks = ['\r\n', '\n', '\\r\\n', '\\n'];
  for (let index = 0; index < breaks.length; index++) {
    const { length } = breaks[index]!;
    if (slice(text, at + 1, at + 1 + length) === breaks[index]) return isUnit(1 + length, '');
  }
  return false;
}

const ESCAPED = '"\'`\\/ntrbf';
const ESCAPES = '"\'`\\/\n\t\r\b\f';

function readEscape(text: string, at: number, joinsLines: boolean): boolean {
  const kind = text[at + 1];
  if (kind === undefined) return false;
  if (kind === 'u' || kind === 'x') {
    if (text[at + 2] === '{') return readNumber(text, at, at + 3, '}', 16);
    const length = kind === 'u' ? 6 : 4;
    const code = hexNumber(text, at + 2, at + length);
    return code >= 0 && isUnit(length, fromCharCode(code));
  }
  const index = indexOf(ESCAPED, kind);
  if (index < 0) return false;
  if (joinsLines && (kind === 'n' || kind === 'r')) return isUnit(indentEnd(text, at + 1) - at, '');
  return isUnit(2, ESCAPES[index]!);
}

const ENTITIES = ['amp;', '&', 'lt;', '<', 'gt;', '>', 'quot;', '"', 'apos;', "'"];

function readReference(text: string, at: number): boolean {
  if (text[at + 1] === '#') {
    const isHex = text[at + 2] === 'x' || text[at + 2] === 'X';
    return readNumber(text, at, at + (isHex ? 3 : 2), ';', isHex ? 16 : 10);
  }
  for (let index = 0; index < ENTITIES.length; index += 2) {
    const { length } = ENTITIES[index]!;
    if (slice(text, at + 1, at + 1 + length) === ENTITIES[index]) return isUnit(1 + length, ENTITIES[index + 1]!);
  }
  return false;
}

/** A code point’s number, from `start` up to the character `end`. */
function readNumber(text: string, at: number, start: number, end: string, base: number): boolean {
  let code = 0;
  let to = start;
  for (; to < start + 8 && text[to] !== end; to++) {
    const digit = digitAt(text, to);
    if (digit < 0 || digit >= base) return false;
    code = code * base + digit;
  }
  return to > start && text[to] === end && code <= 0x10ffff && isUnit(to + 1 - at, fromCodePoint(code));
}

/** -1 if it isn’t a hexadecimal number. */
export function hexNumber(text: string, from: number, to: number): number {
  let number = 0;
  for (let at = from; at < to; at++) {
    const digit = digitAt(text, at);
    if (digit < 0) return -1;
    number = number * 16 + digit;
  }
  return number;
}

function digitAt(text: string, at: number): number {
  if (at >= text.length) return -1;
  const code = charCodeAt(text, at);
  if (code >= 48 && code <= 57) return code - 48;
  const letter = code | 32;
  return letter >= 97 && letter <= 102 ? letter - 87 : -1;
}

/** Ranges in order, without overlaps. */
function merged(ranges: Range[]): Range[] {
  const result: Range[] = [];
  const sorted = sort(ranges, (one, other) => one.from - other.from);
  for (let index = 0; index < sorted.length; index++) {
    const { from, to } = sorted[index]!;
    const last = result[result.length - 1];
    if (!last || from >= last.to) result[result.length] = { from, to };
    else if (to > last.to) last.to = to;
  }
  return result;
}

function replaced(text: string, ranges: Range[], mask: (found: string) => string): string {
  if (ranges.length === 0) return text;
  const inOrder = merged(ranges);
  let result = '';
  let done = 0;
  for (let index = 0; index < inOrder.length; index++) {
    const { from, to } = inOrder[index]!;
    result += slice(text, done, from) + mask(slice(text, from, to));
    done = to;
  }
  return result + slice(text, done);
}
