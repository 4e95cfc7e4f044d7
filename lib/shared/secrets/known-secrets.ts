/** Masks secrets that are known, wherever they occur in a text, also encoded. */

/** Written instead of a secret. */
export const MASK = '••••';

/** In characters. Shorter secrets would match ordinary words, so they're masked only where they're the whole text. */
const MIN_SECRET = 6;
const BASE64 = /[\w+/=-]/;

export class KnownSecrets {
  readonly #short: ReadonlySet<string>;
  /** Longest first, so that a secret that contains another one is masked as a whole. */
  readonly #forms: readonly string[];
  /** What Base64 of any text with the secret contains. */
  readonly #encoded: readonly string[];
  readonly #shortest: number;

  constructor(secrets: readonly string[]) {
    const long = secrets.filter(({ length }) => length >= MIN_SECRET);
    this.#short = new Set(secrets.filter(({ length }) => length > 0 && length < MIN_SECRET));
    this.#forms = [...new Set(long.flatMap(formsOf))].toSorted((one, other) => other.length - one.length);
    this.#encoded = [...new Set(long.flatMap(base64Of))];
    this.#shortest = Math.min(...[...this.#short, ...this.#forms, ...this.#encoded].map(({ length }) => length));
  }

  mask(text: string): string {
    if (text.length < this.#shortest) return text;
    if (this.#short.has(text)) return MASK;
    let masked = text;
    for (const form of this.#forms) if (masked.includes(form)) masked = masked.replaceAll(form, MASK);
    for (const part of this.#encoded) if (masked.includes(part)) masked = withoutRun(masked, part);
    return masked;
  }
}

/** A secret as it is, in URLs, in forms, and in JSON. */
function formsOf(secret: string): string[] {
  const encoded = [encodeURIComponent(secret.toWellFormed()), new URLSearchParams([['', secret]]).toString().slice(1)];
  const inLowerCase = encoded.map((form) => form.replace(/%../g, (byte) => byte.toLowerCase()));
  return [secret, ...encoded, ...inLowerCase, JSON.stringify(secret).slice(1, -1)];
}

/** Base64 groups three bytes, so a secret has three forms. The characters that it shares with its neighbors vary. */
function base64Of(secret: string): string[] {
  const bytes = String.fromCharCode(...new TextEncoder().encode(secret));
  return [0, 1, 2].flatMap((before) => {
    const bits = (before + bytes.length) * 8;
    const part = btoa('\0'.repeat(before) + bytes).slice(Math.ceil((before * 8) / 6), Math.floor(bits / 6));
    return [part, part.replaceAll('+', '-').replaceAll('/', '_')];
  });
}

/** Masks each run of Base64 that contains a part. */
function withoutRun(text: string, part: string): string {
  let masked = '';
  let done = 0;
  for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, done)) {
    let from = at;
    while (from > done && BASE64.test(text[from - 1]!)) from--;
    let to = at + part.length;
    while (to < text.length && BASE64.test(text[to]!)) to++;
    masked += text.slice(done, from) + MASK;
    done = to;
  }
  return masked + text.slice(done);
}
