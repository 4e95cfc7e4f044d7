/**
 * Owns what keeps tokens and secrets in the page: every text that leaves it goes through here. Those that the agent knows are
 * taken out wherever they stand; of texts that strangers wrote also what follows a telling name, and what looks like a token.
 */
import { charCodeAt, encodeUri, indexOf, mapGet, MapOf, mapSet, mapSize, slice } from '../../agent/pristine.ts';
import { attempt, bareList } from '../../agent/safe.ts';
import type { RemoteValue } from '../../contract.ts';
import {
  bounded,
  inline,
  isDigit,
  isLetters,
  isSensitive,
  LONGEST_READ,
  SHORTEST_SECRET,
  strangers,
  withoutUser,
} from './secrets.ts';

const MOST_SECRETS = 100;
const MOST_REMEMBERED = 500;
const LONGEST_TEXT = 8_000_000;

export type Mask = ReturnType<typeof createMask>;

export function createMask() {
  /** The longest first, so that none is taken for a part of it; `age` says which goes when there are too many. */
  const secrets = bareList<{ text: string; age: number }>();
  let age = 0;
  /** Texts repeat, addresses above all. */
  let remembered = new MapOf<string, string>();

  /** From now on it stands in no text that is told. */
  function add(secret: unknown): void {
    if (typeof secret !== 'string' || secret.length < SHORTEST_SECRET) return;
    insert(secret);
    const encoded = secret.length < LONGEST_READ ? attempt(() => encodeUri(secret)) : undefined;
    if (encoded !== undefined && encoded !== secret) insert(encoded);
  }
  function insert(text: string): void {
    for (let i = 0; i < secrets.length; i++) {
      if (secrets[i]!.text !== text) continue;
      secrets[i]!.age = ++age;
      return;
    }
    remembered = new MapOf();
    if (secrets.length >= MOST_SECRETS) forgetOldest();
    let at = secrets.length;
    for (; at > 0 && secrets[at - 1]!.text.length < text.length; at--) secrets[at] = secrets[at - 1]!;
    secrets[at] = { text, age: ++age };
  }
  function forgetOldest(): void {
    let oldest = 0;
    for (let i = 1; i < secrets.length; i++) if (secrets[i]!.age < secrets[oldest]!.age) oldest = i;
    for (let i = oldest; i + 1 < secrets.length; i++) secrets[i] = secrets[i + 1]!;
    secrets.length--;
  }
  /** The text without any secret that is known. */
  function without(text: string): string {
    let rest = text;
    for (let i = 0; i < secrets.length; i++) {
      const secret = secrets[i]!.text;
      if (secret.length > rest.length) continue;
      let at = indexOf(rest, secret);
      if (at < 0) continue;
      let clean = '';
      let from = 0;
      for (; at >= 0; at = indexOf(rest, secret, from)) {
        clean += slice(rest, from, at) + inline(secret);
        from = at + secret.length;
      }
      rest = clean + slice(rest, from);
    }
    return rest;
  }
  /** @param clean how, after the known ones were taken out */
  function masked(text: string, most: number, kind: string, clean: (text: string) => string): string {
    // No room for a secret, nor for anything like one.
    if (text.length < SHORTEST_SECRET) return text;
    const key = text.length <= 300 ? `${kind}${most} ${text}` : null;
    const before = key === null ? undefined : mapGet(remembered, key);
    if (before !== undefined) return before;
    const all = text.length > LONGEST_TEXT ? `…[${text.length}]` : clean(bounded(without(text)));
    const told = all.length > most ? `${slice(all, 0, most)}…` : all;
    if (key !== null) {
      if (mapSize(remembered) >= MOST_REMEMBERED) remembered = new MapOf();
      mapSet(remembered, key, told);
    }
    return told;
  }

  const mask = {
    add,
    /** A sentence of a stranger. */
    text: (text: string, most = 500) => masked(text, most, 't', (given) => strangers(given, true)),
    /** What is meant to be seen, such as a scope or an answer of an API: long ids stay. */
    plain: (text: string, most = 2_000) => masked(text, most, 'p', (given) => strangers(given, false)),
    /** A code or name. */
    word: (text: string) => masked(text, 100, 't', (given) => strangers(given, true)),
    /** An address without user, fragment and values of its query. */
    url: (text: string, most = 2_000) => masked(text, most, 'u', address),
    value: maskedValue,
  };

  function address(text: string): string {
    const scheme = indexOf(text, ':');
    if (
      scheme > 0 &&
      scheme < 12 &&
      isLetters(slice(text, 0, scheme)) &&
      text[scheme + 1] !== '/' &&
      text[scheme + 1] !== '\\' &&
      !isDigit(charCodeAt(text, scheme + 1))
    )
      return `${slice(text, 0, scheme)}:…`;
    const hash = indexOf(text, '#');
    const whole = hash < 0 ? text : slice(text, 0, hash);
    const question = indexOf(whole, '?');
    const path = withoutUser(question < 0 ? whole : slice(whole, 0, question));
    let told = strangers(path, false);
    if (question >= 0) {
      let from = question + 1;
      let names = '';
      for (let count = 0; from <= whole.length && count < 30; count++) {
        let end = indexOf(whole, '&', from);
        if (end < 0) end = whole.length;
        const part = slice(whole, from, end);
        const equals = indexOf(part, '=');
        if (part !== '')
          names += `${names ? '&' : '?'}${strangers(equals < 0 ? part : slice(part, 0, equals), true)}${equals < 0 ? '' : '=…'}`;
        from = end + 1;
      }
      told += names;
    }
    return hash < 0 || hash === text.length - 1 ? told : `${told}#…`;
  }

  /** The same description with its texts masked; what was cut cannot be asked for. */
  function maskedValue(value: RemoteValue, key = ''): RemoteValue {
    if (value.t === 'string') {
      if (isSensitive(key)) return { t: 'string', v: value.v === '' ? '' : inline(value.v), length: value.length };
      return { t: 'string', v: mask.plain(value.v, 20_000), length: value.length };
    }
    if (value.t === 'array') {
      const items: RemoteValue[] = [];
      for (let i = 0; i < value.items.length; i++) items[i] = maskedValue(value.items[i]!, key);
      return { t: 'array', length: value.length, items };
    }
    if (value.t === 'object') {
      const entries: [string, RemoteValue][] = [];
      for (let i = 0; i < value.entries.length; i++) {
        const entry = value.entries[i]!;
        entries[i] = [mask.plain(entry[0], 1_000), maskedValue(entry[1], entry[0])];
      }
      return {
        t: 'object',
        ...(value.name !== undefined && { name: mask.word(value.name) }),
        size: value.size,
        entries,
      };
    }
    if (value.t === 'error')
      return { t: 'error', name: mask.word(value.name), message: mask.text(value.message), stack: '' };
    if (value.t === 'unreadable') return { t: 'unreadable', message: mask.text(value.message) };
    return 'v' in value && typeof value.v === 'string'
      ? ({ ...value, v: mask.plain(value.v, 2_000) } as RemoteValue)
      : value;
  }

  return mask;
}
