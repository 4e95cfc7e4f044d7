/**
 * Keeps tokens and secrets in the page. All text that leaves the page is masked here. Known secrets are masked wherever
 * they occur. In text of unknown origin, values after sensitive names and anything that looks like a token are masked
 * too.
 */
import { charCodeAt, indexOf, mapGet, MapOf, mapSet, mapSize, slice } from '../../agent/pristine.ts';
import { bareList } from '../../agent/safe.ts';
import type { RemoteValue } from '../../contract.ts';
import {
  inlineMask,
  isLetters,
  maskForeignText,
  MAX_READ,
  MIN_SECRET,
  truncateAtWord,
  withoutUser,
} from '../../../../shared/secrets/secret-text.ts';
import { KnownSecrets } from '../../../../shared/secrets/known-secrets.ts';
import { isDigit, isSecretName } from '../../../../shared/secrets/secret-names.ts';

const MAX_SECRETS = 100;
const MAX_CACHED = 500;
const MAX_TEXT = 8_000_000;
const MAX_CACHED_TEXT = 300;
const MAX_PARAMETERS = 30;

export class Mask {
  /** The one that was added last is at the end. */
  readonly #secrets = bareList<string>();
  #known = new KnownSecrets([]);
  /** Caches masked text, since the same strings, especially URLs, occur often. */
  #cache = new MapOf<string, string>();

  /** Adds a secret to mask in all text. */
  add(secret: unknown): void {
    if (typeof secret !== 'string' || secret.length < MIN_SECRET || secret.length > MAX_READ) return;
    const secrets = this.#secrets;
    let at = 0;
    while (at < secrets.length && secrets[at] !== secret) at++;
    const isNew = at === secrets.length;
    // The oldest one makes room.
    if (isNew && at >= MAX_SECRETS) at = 0;
    for (; at + 1 < secrets.length; at++) secrets[at] = secrets[at + 1]!;
    secrets[at] = secret;
    if (!isNew) return;
    this.#known = new KnownSecrets(secrets, inlineMask);
    this.#cache = new MapOf();
  }

  /** A sentence of unknown origin, such as an error message. */
  text(text: string, maxLength = 500): string {
    return this.#apply(text, maxLength, 't', (given) => maskForeignText(given, true));
  }

  /** Text that the user is meant to see, such as a scope or an API response. Long IDs aren't masked. */
  plain(text: string, maxLength = 2_000): string {
    return this.#apply(text, maxLength, 'p', (given) => maskForeignText(given, false));
  }

  /** A code or name. */
  word(text: string): string {
    return this.text(text, 100);
  }

  /** A URL without its user, fragment, and query values. */
  url(text: string, maxLength = 2_000): string {
    return this.#apply(text, maxLength, 'u', maskUrl);
  }

  /** The same description with masked text. Truncated values lose their handles, so the rest can't be requested. */
  value(value: RemoteValue, key = ''): RemoteValue {
    switch (value.t) {
      case 'string':
        if (!isSecretName(key)) return { t: 'string', v: this.plain(value.v, 20_000), length: value.length };
        return { t: 'string', v: value.v === '' ? '' : inlineMask(value.v), length: value.length };
      case 'array': {
        const items: RemoteValue[] = [];
        for (let i = 0; i < value.items.length; i++) items[i] = this.value(value.items[i]!, key);
        return { t: 'array', length: value.length, items };
      }
      case 'object': {
        const entries: [string, RemoteValue][] = [];
        for (let i = 0; i < value.entries.length; i++) {
          const entry = value.entries[i]!;
          entries[i] = [this.plain(entry[0], 1_000), this.value(entry[1], entry[0])];
        }
        const name = value.name === undefined ? {} : { name: this.word(value.name) };
        return { t: 'object', ...name, size: value.size, entries };
      }
      case 'error':
        return { t: 'error', name: this.word(value.name), message: this.text(value.message), stack: '' };
      case 'unreadable':
        return { t: 'unreadable', message: this.text(value.message) };
      default:
        return 'v' in value && typeof value.v === 'string'
          ? ({ ...value, v: this.plain(value.v) } as RemoteValue)
          : value;
    }
  }

  /** @param maskRest masks the text that remains after known secrets have been masked */
  #apply(text: string, maxLength: number, kind: string, maskRest: (text: string) => string): string {
    // Too short to contain a secret.
    if (text.length < MIN_SECRET) return text;
    const key = text.length <= MAX_CACHED_TEXT ? `${kind}${maxLength} ${text}` : null;
    const cached = key === null ? undefined : mapGet(this.#cache, key);
    if (cached !== undefined) return cached;
    const whole = text.length > MAX_TEXT ? `…[${text.length}]` : maskRest(truncateAtWord(this.#known.mask(text)));
    const masked = whole.length > maxLength ? `${slice(whole, 0, maxLength)}…` : whole;
    if (key !== null) {
      if (mapSize(this.#cache) >= MAX_CACHED) this.#cache = new MapOf();
      mapSet(this.#cache, key, masked);
    }
    return masked;
  }
}

function maskUrl(text: string): string {
  const scheme = indexOf(text, ':');
  if (scheme > 0 && scheme < 12 && isOpaque(text, scheme)) return `${slice(text, 0, scheme)}:…`;
  const hash = indexOf(text, '#');
  const whole = hash < 0 ? text : slice(text, 0, hash);
  const question = indexOf(whole, '?');
  const path = maskForeignText(withoutUser(question < 0 ? whole : slice(whole, 0, question)), false);
  const query = question < 0 ? '' : maskQuery(whole, question + 1);
  return hash < 0 || hash === text.length - 1 ? path + query : `${path}${query}#…`;
}

/**
 * Whether the colon ends the scheme of a URL without a path, such as `data:` or `javascript:`. If a digit follows, the
 * colon precedes a port instead.
 */
function isOpaque(text: string, colon: number): boolean {
  const next = text[colon + 1];
  return isLetters(slice(text, 0, colon)) && next !== '/' && next !== '\\' && !isDigit(charCodeAt(text, colon + 1));
}

/** Keeps only the names of the query's parameters. */
function maskQuery(url: string, start: number): string {
  let from = start;
  let query = '';
  for (let count = 0; from <= url.length && count < MAX_PARAMETERS; count++) {
    let end = indexOf(url, '&', from);
    if (end < 0) end = url.length;
    const part = slice(url, from, end);
    const equals = indexOf(part, '=');
    const name = equals < 0 ? part : slice(part, 0, equals);
    if (part !== '') query += `${query ? '&' : '?'}${maskForeignText(name, true)}${equals < 0 ? '' : '=…'}`;
    from = end + 1;
  }
  return query;
}
