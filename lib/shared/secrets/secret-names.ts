/** Recognizes the names of secret values: one list for the page, the runner, the panel, and the command line. */
import { hexNumber } from './decoded-views.ts';
import { charCodeAt, fromCharCode, slice, toLowerCase } from './pristine-text.ts';

/** Only the end of a longer name is read. In characters. */
const MAX_NAME = 60;
/** A name is secret if it ends like this, whatever is before it. No ordinary word does. */
const ENDS = [
  'token',
  'secret',
  'password',
  'passwd',
  'passphrase',
  'passcode',
  'passwordconfirmation',
  'authorization',
  'cookie',
  'cookies',
  'credential',
  'credentials',
  'assertion',
  'codeverifier',
  'oauthverifier',
  'devicecode',
  'apikey',
  'privatekey',
  'secretkey',
  'secretaccesskey',
  'signingkey',
  'encryptionkey',
  'subscriptionkey',
  'sessionid',
  'sessid',
  'amzsignature',
  'googsignature',
];
/** A name is secret if it ends with one of these words. In other words, they are just letters. */
const WORDS = ['jwt', 'otp', 'totp', 'otpcode', 'pwd'];
/** A name is secret if it is one of these. */
const NAMES = ['verifier', 'sig'];
/** They end like secrets, but tell where the next page of a list starts. */
const CURSORS = ['pagetoken', 'nexttoken', 'continuationtoken', 'synctoken'];
/** What a login has besides: one-time values in a query or in JSON. Elsewhere, these names are ordinary words. */
const LOGIN_NAMES = ['code', 'state', 'nonce'];
/** A session that gives access has a random ID. That of a log record of the platform is a number. */
const SESSIONS = ['sessionid', 'sessid'];
/** In digits. */
const MAX_NUMBER = 15;
/** What can be under the name of a secret without being one. The last three are options of `fetch`. */
const NO_SECRETS = ['', 'null', 'undefined', 'true', 'false', 'None', 'include', 'omit', 'same-origin'];

/** What was found of the names so far: a recording has few names, but many values. */
let known: Record<string, boolean> = { __proto__: null } as never;
let count = 0;
const MAX_KNOWN = 2_000;

/** Whether a value with this name is secret. Ignores the name's case and punctuation, and what it starts with. */
export function isSecretName(name: string): boolean {
  const end = slice(name, -MAX_NAME);
  const found = known[end];
  if (found !== undefined) return found;
  if (++count > MAX_KNOWN) {
    known = { __proto__: null } as never;
    count = 1;
  }
  return (known[end] = isSecret(end));
}

function isSecret(name: string): boolean {
  const bare = normalize(name);
  if (hasEnd(bare, CURSORS)) return false;
  if (hasEnd(bare, ENDS) || includes(NAMES, bare)) return true;
  for (let i = 0; i < WORDS.length; i++) if (endsWith(bare, WORDS[i]!) && isWord(name, WORDS[i]!.length)) return true;
  return false;
}

/** Whether a value with this name is secret in a query or in JSON of a login. */
export function isLoginSecret(name: string): boolean {
  return isSecretName(name) || includes(LOGIN_NAMES, normalize(slice(name, -MAX_NAME)));
}

/** Whether a value can be secret under this name, which is that of a secret. */
export function canBeSecret(value: unknown, name = ''): boolean {
  if (value === null || value === undefined || typeof value === 'boolean') return false;
  if (typeof value === 'string' && includes(NO_SECRETS, value)) return false;
  return !isNumber(value) || !hasEnd(normalize(slice(name, -MAX_NAME)), SESSIONS);
}

/** Also as text. */
function isNumber(value: unknown): boolean {
  if (typeof value !== 'string') return typeof value === 'number';
  if (value.length > MAX_NUMBER) return false;
  for (let i = 0; i < value.length; i++) if (!isDigit(charCodeAt(value, i))) return false;
  return true;
}

/** Whether an object has a secret as its `value`, as in `{ name: 'Authorization', value: '…' }`. */
export function hasNamedSecret(entries: readonly (readonly [name: string, value: unknown])[]): boolean {
  return entries.some(([name, value]) => isNameOfName(name) && typeof value === 'string' && isSecretName(value));
}

const NAMES_OF_NAMES = ['name', 'key', 'header', 'field'];

/** Whether the value with this name is itself the name of another one, named `value`. */
export const isNameOfName = (name: string): boolean => name.length <= 6 && includes(NAMES_OF_NAMES, toLowerCase(name));
export const isNameOfValue = (name: string): boolean => name.length === 5 && toLowerCase(name) === 'value';

/** Keeps only letters, in lowercase, also those that are percent-encoded. */
export function normalize(name: string): string {
  let bare = '';
  for (let i = 0; i < name.length; i++) {
    const encoded = name[i] === '%' ? hexNumber(name, i + 1, i + 3) : -1;
    const code = encoded < 0 ? charCodeAt(name, i) : encoded;
    if (isLetter(code)) bare += fromCharCode(code | 32);
    if (encoded >= 0) i += 2;
  }
  return bare;
}

/** Whether a word starts where a name has so many letters left: after another character, or with a capital. */
function isWord(name: string, letters: number): boolean {
  let at = name.length;
  for (let left = letters; left > 0 && at > 0;) if (isLetter(charCodeAt(name, --at))) left--;
  if (at === 0) return true;
  const before = charCodeAt(name, at - 1);
  return !isLetter(before) || (isCapital(charCodeAt(name, at)) && !isCapital(before));
}

const isCapital = (code: number): boolean => code >= 65 && code <= 90;

function includes(list: readonly string[], text: string): boolean {
  for (let i = 0; i < list.length; i++) if (list[i] === text) return true;
  return false;
}

function hasEnd(text: string, ends: readonly string[]): boolean {
  for (let i = 0; i < ends.length; i++) if (endsWith(text, ends[i]!)) return true;
  return false;
}

function endsWith(text: string, end: string): boolean {
  return text.length >= end.length && slice(text, text.length - end.length) === end;
}

export function isLetter(code: number): boolean {
  return (code >= 65 && code <= 90) || (code >= 97 && code <= 122);
}
export function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}
