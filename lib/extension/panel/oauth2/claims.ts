/** Explains a token's claims (RFC 7519 section 4.1, RFC 8693, RFC 9068, OpenID Connect Core section 2). */
import { formatDuration, formatTime } from '../../../shared/format.ts';
import { entriesOf, isComposite, previewOf, type RemoteValue } from '../shared/remote-value.ts';
import type { Tone } from './entry-text.ts';

export interface Claim {
  name: string;
  /** The value in the token. */
  value: string;
  /** What the claim means. For times, includes the formatted time. */
  meaning: string;
  tone: Tone;
}

const CLIENT = 'Client that the token was issued to';
const SCOPE = 'Granted scopes';
const TOKEN_TYPE = 'Token type';
const MEANINGS = new Map([
  ['iss', 'Token issuer'],
  ['sub', 'User or client that the token represents'],
  ['aud', 'Audience: the API that the token is intended for'],
  ['exp', 'Expires'],
  ['nbf', 'Not valid before'],
  ['iat', 'Issued'],
  ['auth_time', 'User logged in'],
  ['updated_at', 'Profile updated'],
  ['jti', 'Token ID'],
  ['scope', SCOPE],
  ['scp', SCOPE],
  ['scopes', SCOPE],
  ['client_id', CLIENT],
  ['azp', CLIENT],
  ['cid', CLIENT],
  ['nonce', 'Ties the token to the login request'],
  ['acr', 'Authentication level'],
  ['amr', 'Authentication methods, such as pwd for a password'],
  ['at_hash', 'Hash of the access token'],
  ['c_hash', 'Hash of the code'],
  ['sid', 'Session ID on the service'],
  ['typ', TOKEN_TYPE],
  ['token_use', TOKEN_TYPE],
  ['email', 'Email'],
  ['email_verified', 'Whether the service verified the email'],
  ['name', 'Full name'],
  ['preferred_username', 'Preferred username'],
  ['roles', 'Roles'],
  ['groups', 'Groups'],
  ['tid', 'Tenant'],
  ['alg', 'Signature algorithm'],
  ['kid', 'Signing key ID'],
  ['cnf', 'Key that the sender must prove it holds'],
]);
const TIMES = ['exp', 'nbf', 'iat', 'auth_time', 'updated_at'];
/** In milliseconds. Clocks differ, so an issue time can be this far in the future. */
const CLOCK_TOLERANCE = 60_000;

/** @param now epoch milliseconds */
export function explainClaims(claims: RemoteValue, now: number): Claim[] {
  if (!isComposite(claims)) return [];
  return entriesOf(claims).map(([name, value]) => {
    const isTime = TIMES.includes(name) && value.t === 'number' && typeof value.v === 'number';
    if (isTime) return explainTime(name, Number(value.v), now);
    const plain = value.t === 'string' ? value.v : previewOf(value, 300);
    const isUnsigned = name === 'alg' && plain === 'none';
    return { name, value: plain, meaning: MEANINGS.get(name) ?? '', tone: isUnsigned ? 'danger' : 'plain' };
  });
}

function explainTime(name: string, seconds: number, now: number): Claim {
  const time = seconds * 1000;
  const isPast = time <= now;
  const isWrong =
    (name === 'exp' && isPast) || (name === 'nbf' && !isPast) || (name === 'iat' && time > now + CLOCK_TOLERANCE);
  const meaning = name === 'exp' && isPast ? 'Expired' : MEANINGS.get(name);
  return {
    name,
    value: String(seconds),
    meaning: `${meaning}: ${whenIs(time, now)}`,
    tone: isWrong ? 'danger' : 'plain',
  };
}

/** For example, `Mon 23 Nov 14:03, in 9 min 12 s`. */
export function whenIs(time: number, now: number): string {
  if (Number.isNaN(new Date(time).getTime())) return 'invalid date';
  return `${formatTime(time, { now })}, ${relative(time - now)}`;
}

/**
 * For example, `in 9 min 12 s` or `3 h 5 min ago`. Below a second it's `now`, because the clock ticks once per second.
 */
function relative(milliseconds: number): string {
  if (Math.abs(milliseconds) < 1000) return 'now';
  const text = formatSpan(Math.abs(milliseconds));
  return milliseconds >= 0 ? `in ${text}` : `${text} ago`;
}

/** Includes seconds below an hour, and minutes below a day. */
export function formatSpan(milliseconds: number): string {
  const seconds = Math.floor(milliseconds / 1000);
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3_600) return formatDuration(seconds * 1000);
  const minutes = Math.floor(seconds / 60);
  if (minutes < 1_440) return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
  return `${Math.floor(minutes / 1_440)} d ${Math.floor((minutes % 1_440) / 60)} h`;
}
