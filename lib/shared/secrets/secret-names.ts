/** Recognizes the names of secret values. */
import { charCodeAt, indexOf, slice, toLowerCase } from './pristine-text.ts';

/** Only the end of a longer name is read. In characters. */
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

/** Whether a value with this name is secret. Ignores the name's case and punctuation. */
export function isSensitive(name: string): boolean {
  const bare = normalize(slice(name, -MAX_NAME));
  for (let i = 0; i < SENSITIVE.length; i++)
    if (bare === SENSITIVE[i] || (SENSITIVE[i]!.length > 5 && endsWith(bare, SENSITIVE[i]!))) return true;
  return endsWith(bare, 'token');
}

/** Whether a value with this name is secret in a query or in JSON. */
export function isSensitiveInPairs(name: string): boolean {
  if (isSensitive(name)) return true;
  const bare = normalize(slice(name, -MAX_NAME));
  for (let i = 0; i < SENSITIVE_VALUES.length; i++) if (bare === SENSITIVE_VALUES[i]) return true;
  return false;
}

/** Names whose values are masked in recordings. Others can decide a branch, so masking them would cost the replay. */
const CREDENTIALS = [
  'authorization',
  'cookie',
  'cookies',
  'authtoken',
  'accesstoken',
  'refreshtoken',
  'clientsecret',
  'password',
];

/** Whether a value with this name is a credential. Ignores the name's case and punctuation, and what it starts with. */
export function isCredentialName(name: string): boolean {
  const bare = normalize(slice(name, -MAX_NAME));
  for (let i = 0; i < CREDENTIALS.length; i++) if (endsWith(bare, CREDENTIALS[i]!)) return true;
  return false;
}

/** Keeps only letters, in lowercase, also those that are percent-encoded. */
export function normalize(name: string): string {
  let bare = '';
  for (let i = 0; i < name.length; i++) {
    const encoded = name[i] === '%' ? hexAt(name, i + 1) : -1;
    const code = encoded < 0 ? charCodeAt(name, i) : encoded;
    if (isLetter(code)) bare += LETTERS[(code | 32) - 97]!;
    if (encoded >= 0) i += 2;
  }
  return bare;
}

const LETTERS = 'abcdefghijklmnopqrstuvwxyz';
const HEX_DIGITS = '0123456789abcdef';

/** The number of two hexadecimal digits, or -1. */
function hexAt(text: string, at: number): number {
  const digits = toLowerCase(slice(text, at, at + 2));
  const first = indexOf(HEX_DIGITS, slice(digits, 0, 1));
  const last = indexOf(HEX_DIGITS, slice(digits, 1));
  return digits.length < 2 || first < 0 || last < 0 ? -1 : first * 16 + last;
}

function endsWith(text: string, end: string): boolean {
  return text.length >= end.length && slice(text, text.length - end.length) === end;
}

export function isLetter(code: number): boolean {
  return (code >= 65 && code <= 90) || (code >= 97 && code <= 122);
}
