/** Owns the claims of a token in words (RFC 7519 section 4.1, RFC 8693, RFC 9068, OpenID Connect Core section 2). */
import { formatDuration, formatTime } from '../../../shared/format.ts';
import { entriesOf, isComposite, previewOf, type RemoteValue } from '../shared/remote-value.ts';
import type { Tone } from './words.ts';

export interface Claim {
  name: string;
  /** As it stands in the token. */
  value: string;
  /** What it is, and of a time when that is. */
  meaning: string;
  tone: Tone;
}

const MEANINGS: Record<string, string> = {
  iss: 'Issuer: who made the token',
  sub: 'Subject: whom it is about',
  aud: 'Audience: whom it is for; an API must find itself here',
  exp: 'Expires',
  nbf: 'Not valid before',
  iat: 'Issued',
  auth_time: 'The person logged in',
  updated_at: 'The person’s data changed',
  jti: 'Id of this token',
  scope: 'What it allows',
  scp: 'What it allows',
  scopes: 'What it allows',
  client_id: 'The client that it was given to',
  azp: 'The client that it was given to',
  cid: 'The client that it was given to',
  nonce: 'Ties it to the login that asked for it',
  acr: 'How surely the person was known',
  amr: 'How the person was known, such as pwd for a password',
  at_hash: 'Ties it to its access token',
  c_hash: 'Ties it to its code',
  sid: 'Session at the service',
  typ: 'Kind of token',
  token_use: 'Kind of token',
  email: 'The person’s address',
  email_verified: 'Whether the service checked that address',
  name: 'The person’s name',
  preferred_username: 'The person’s user name',
  roles: 'Roles of the person',
  groups: 'Groups of the person',
  tid: 'Tenant',
  alg: 'How it is signed',
  kid: 'Which key it is signed with',
  cnf: 'Bound to a key: who shows it must have that key',
};
const TIMES = ['exp', 'nbf', 'iat', 'auth_time', 'updated_at'];

/** @param now epoch milliseconds */
export function explainClaims(claims: RemoteValue, now: number): Claim[] {
  if (!isComposite(claims)) return [];
  return entriesOf(claims).map(([name, value]) => {
    const meaning = Object.hasOwn(MEANINGS, name) ? (MEANINGS[name] ?? '') : '';
    const plain = value.t === 'string' ? value.v : previewOf(value, 300);
    const time = TIMES.includes(name) && value.t === 'number' && typeof value.v === 'number' ? value.v * 1000 : null;
    if (time === null)
      return { name, value: plain, meaning, tone: name === 'alg' && plain === 'none' ? 'danger' : 'plain' };
    const isPast = time <= now;
    const wrong = (name === 'exp' && isPast) || (name === 'nbf' && !isPast) || (name === 'iat' && time > now + 60_000);
    return {
      name,
      value: plain,
      meaning: `${name === 'exp' && isPast ? 'Expired' : meaning} ${whenIs(time, now)}`,
      tone: wrong ? 'danger' : 'plain',
    };
  });
}

/** `14:03:27, in 9 min 12 s`, in the person's zone. */
export function whenIs(time: number, now: number): string {
  if (!Number.isFinite(new Date(time).getTime())) return 'at no time that there is';
  return `${formatTime(time, { now })}, ${relative(time - now)}`;
}

/** `in 9 min 12 s`, `3 h 5 min ago`; within a second, which a clock that ticks once in it can't tell apart, `now`. */
function relative(milliseconds: number): string {
  if (Math.abs(milliseconds) < 1000) return 'now';
  const text = span(Math.abs(milliseconds));
  return milliseconds >= 0 ? `in ${text}` : `${text} ago`;
}

/** Seconds below an hour, minutes below a day. */
export function span(milliseconds: number): string {
  const seconds = Math.floor(milliseconds / 1000);
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3_600) return formatDuration(seconds * 1000);
  const minutes = Math.floor(seconds / 60);
  if (minutes < 1_440) return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
  return `${Math.floor(minutes / 1_440)} d ${Math.floor((minutes % 1_440) / 60)} h`;
}
