/** Masks secrets that are known, wherever they occur in a text, also encoded. */
import { type Decoding, decoded, hexNumber, maskInViews, type Range } from './decoded-views.ts';
import { charCodeAt, encodeUri, fromCharCode, indexOf, slice } from './pristine-text.ts';

/** Written instead of a secret. */
export const MASK = '••••';

/** In characters. Shorter secrets would match ordinary words, so they're masked only where they're the whole text. */
const MIN_SECRET = 6;
const PLAIN: Decoding = { joinsLines: true, isQuotedPrintable: false };
const QUOTED_PRINTABLE: Decoding = { joinsLines: true, isQuotedPrintable: true };

export class KnownSecrets {
  readonly #mask: (found: string) => string;
  readonly #short: string[] = [];
  readonly #forms: string[] = [];
  /** What Base64 of any text with a secret contains. */
  readonly #encoded: string[] = [];
  #shortest = Infinity;

  /** @param mask called with a secret as it’s written in the text */
  constructor(secrets: readonly string[], mask: (found: string) => string = () => MASK) {
    this.#mask = mask;
    for (let index = 0; index < secrets.length; index++) {
      const secret = secrets[index]!;
      if (secret.length >= MIN_SECRET) this.#addLong(secret);
      else if (secret.length > 0) this.#add(this.#short, secret);
    }
  }

  /**
   * Finds a secret as it is; percent-encoded, or in escapes of JSON or JavaScript, or in character references, also in part
   * and in several of them; in quoted-printable; in hexadecimal; in Base64, also with line breaks, and as part of another
   * text. The time it takes is in proportion to the text’s length.
   */
  mask(text: string): string {
    if (text.length < this.#shortest) return text;
    for (let index = 0; index < this.#short.length; index++) if (this.#short[index] === text) return this.#mask(text);
    if (this.#forms.length === 0) return text;
    const find = (view: string): Range[] => this.#find(view);
    const masked = maskInViews(text, PLAIN, find, this.#mask);
    return mayBeQuotedPrintable(masked) ? maskInViews(masked, QUOTED_PRINTABLE, find, this.#mask) : masked;
  }

  #addLong(secret: string): void {
    this.#add(this.#forms, secret);
    // A secret can itself look encoded, or have several lines.
    for (let bare = secret, next = decoded(bare, PLAIN); next !== bare; next = decoded(bare, PLAIN))
      if (this.#add(this.#forms, (bare = next)).length < MIN_SECRET) break;
    if (indexOf(secret, ' ') >= 0) this.#add(this.#forms, withPluses(secret));
    const bytes = utf8(secret);
    this.#add(this.#forms, hexOf(bytes, '0123456789abcdef'));
    this.#add(this.#forms, hexOf(bytes, '0123456789ABCDEF'));
    this.#addBase64(bytes);
    // As in Basic authentication of OAuth 2.0 (RFC 6749 section 2.3.1).
    const inForm = percentEncoded(secret);
    if (inForm === secret) return;
    this.#addBase64(inForm);
    // Decoded, it would be missed after a `%`.
    this.#add(this.#forms, inForm);
  }

  /** Base64 groups three bytes, so a secret has three forms. The characters that it shares with its neighbors vary. */
  #addBase64(bytes: string): void {
    for (let before = 0; before < 3; before++) {
      this.#add(this.#encoded, base64Part(bytes, before, '+/'));
      this.#add(this.#encoded, base64Part(bytes, before, '-_'));
    }
  }

  #add(forms: string[], form: string): string {
    if (form.length >= MIN_SECRET || forms === this.#short) {
      if (form.length < this.#shortest) this.#shortest = form.length;
      for (let index = 0; index < forms.length; index++) if (forms[index] === form) return form;
      forms[forms.length] = form;
    }
    return form;
  }

  #find(view: string): Range[] {
    const ranges: Range[] = [];
    for (let index = 0; index < this.#forms.length; index++) {
      const form = this.#forms[index]!;
      for (let at = indexOf(view, form); at >= 0; at = indexOf(view, form, at + form.length))
        ranges[ranges.length] = { from: at, to: at + form.length };
    }
    for (let index = 0; index < this.#encoded.length; index++) addRuns(ranges, view, this.#encoded[index]!);
    return ranges;
  }
}

/** Adds each run of Base64 that contains a part. */
function addRuns(ranges: Range[], text: string, part: string): void {
  let done = 0;
  for (let at = indexOf(text, part); at >= 0; at = indexOf(text, part, done)) {
    let from = at;
    while (from > done && isBase64(charCodeAt(text, from - 1))) from--;
    let to = at + part.length;
    while (to < text.length && isBase64(charCodeAt(text, to))) to++;
    ranges[ranges.length] = { from, to };
    done = to;
  }
}

/** Letters, digits, and `+ - / = _`. */
const isBase64 = (code: number): boolean =>
  (code >= 97 && code <= 122) ||
  (code >= 65 && code <= 90) ||
  (code >= 47 && code <= 57) ||
  code === 43 ||
  code === 45 ||
  code === 61 ||
  code === 95;

/** Whether a `=` is at the end of a line or before a byte. */
function mayBeQuotedPrintable(text: string): boolean {
  for (let at = indexOf(text, '='); at >= 0; at = indexOf(text, '=', at + 1)) {
    const next = text[at + 1];
    const isBreak = next === '\\' ? text[at + 2] === 'n' || text[at + 2] === 'r' : next === '\n' || next === '\r';
    if (isBreak || hexNumber(text, at + 1, at + 3) >= 32) return true;
  }
  return false;
}

/** The bytes of a text, each as a character. */
function utf8(text: string): string {
  const encoded = percentEncoded(text);
  let bytes = '';
  for (let at = 0; at < encoded.length; at++) {
    const byte = encoded[at] === '%' ? hexNumber(encoded, at + 1, at + 3) : -1;
    bytes += byte < 0 ? encoded[at]! : fromCharCode(byte);
    if (byte >= 0) at += 2;
  }
  return bytes;
}

function percentEncoded(text: string): string {
  try {
    return encodeUri(text);
  } catch {
    // It has half of a surrogate pair, which no encoding has.
    return text;
  }
}

function hexOf(bytes: string, digits: string): string {
  let hex = '';
  for (let at = 0; at < bytes.length; at++) {
    const byte = charCodeAt(bytes, at) & 255;
    hex += digits[byte >> 4]! + digits[byte & 15]!;
  }
  return hex;
}

const BASE64 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/** Those characters of Base64 that depend on nothing but these bytes, with so many others before them. */
function base64Part(bytes: string, before: number, last: string): string {
  const alphabet = BASE64 + last;
  let part = '';
  let bits = 0;
  let count = (6 - ((before * 8) % 6)) % 6;
  // The rest of a character that is shared with the bytes before.
  let skipped = count;
  count = 0;
  for (let at = 0; at < bytes.length; at++) {
    bits = ((bits << 8) | (charCodeAt(bytes, at) & 255)) & 0xffff;
    count += 8;
    if (skipped > 0) {
      count -= skipped;
      skipped = 0;
      bits &= (1 << count) - 1;
    }
    for (; count >= 6; count -= 6) part += alphabet[(bits >> (count - 6)) & 63]!;
  }
  return part;
}

function withPluses(text: string): string {
  let result = '';
  for (let at = 0; at < text.length; at++) result += text[at] === ' ' ? '+' : slice(text, at, at + 1);
  return result;
}
