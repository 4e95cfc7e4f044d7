/** Describes a session without its tokens. Only a token's ends, its length, and a JWT's claims are reported. */
import { describe } from '../../agent/describe/describe.ts';
import { ownValue } from '../../agent/describe/describe-cursor.ts';
import { createHandles } from '../../agent/handles.ts';
import {
  dateTime,
  decodeBase64,
  fromUtf8,
  indexOf,
  isArray,
  isFinite,
  keys,
  parseJson,
  slice,
} from '../../agent/pristine.ts';
import { attempt, includes, isObject, join, stringsIn } from '../../agent/safe.ts';
import type { RemoteValue } from '../../contract.ts';
import type { Jwt, Masked, ServiceSession } from '../contract.ts';
import type { Mask } from './mask.ts';
import { describeOption } from './options.ts';
import { normalize } from '../../../../shared/secrets/secret-names.ts';
import { maskSecret } from '../../../../shared/secrets/secret-text.ts';

const MAX_FIELDS = 40;
const MAX_SCOPES = 200;
const MAX_CLAIMS = 64_000;
const CLAIMS = { nodes: 400, chars: 20_000, depth: 6 };
/** Larger numbers must be milliseconds. In seconds, they would be in the year 5138 or later. */
const MAX_SECONDS = 1e11;

/** Fields that aren't listed in `others`: they're described separately, or not at all. */
const KNOWN_FIELDS = [
  'accesstoken',
  'token',
  'refreshtoken',
  'idtoken',
  'scope',
  'scopes',
  'tokentype',
  'expires',
  'expiresat',
  'expiresin',
  'service',
  'authresponse',
];
const HARMLESS_FIELDS = [
  'network',
  'provider',
  'issuer',
  'displayname',
  'clientid',
  'status',
  'refresh',
  'useproxy',
  'granttype',
  'createdat',
  'updatedat',
];

/**
 * Describes the result of `getAuthResponse`, and registers its tokens, so that they're masked in all text. Returns null
 * if the result isn't a session.
 */
export function describeSession(given: unknown, mask: Mask): ServiceSession | null {
  if (typeof given === 'string' && given !== '')
    return describeFields({ __proto__: null, access_token: given } as object, mask);
  if (!isObject(given)) return null;
  const inner = fieldOf(given, 'authresponse');
  const session = isObject(inner) && fieldOf(given, 'accesstoken') === undefined ? inner : given;
  const token = fieldOf(session, 'accesstoken') ?? fieldOf(session, 'token');
  return token === undefined ? null : describeFields(session, mask);
}

function describeFields(session: object, mask: Mask): ServiceSession {
  const access = fieldOf(session, 'accesstoken') ?? fieldOf(session, 'token');
  const refresh = fieldOf(session, 'refreshtoken');
  const id = fieldOf(session, 'idtoken');
  mask.add(access);
  mask.add(refresh);
  mask.add(id);
  const scope = fieldOf(session, 'scope') ?? fieldOf(session, 'scopes');
  const scopes = isArray(scope) ? join(stringsIn(scope, MAX_SCOPES), ' ') : scope;
  const type = fieldOf(session, 'tokentype');
  return {
    tokenType: typeof type === 'string' ? mask.word(type) : null,
    expires: readTime(fieldOf(session, 'expires') ?? fieldOf(session, 'expiresat')),
    expiresIn: readSeconds(fieldOf(session, 'expiresin')),
    scope: typeof scopes === 'string' ? mask.plain(scopes) : null,
    accessToken: describeToken(access, mask),
    refreshToken: typeof refresh === 'string' && refresh !== '' ? maskSecret(refresh) : null,
    idToken: describeToken(id, mask),
    others: describeOthers(session, mask),
  };
}

function describeOthers(session: object, mask: Mask): ServiceSession['others'] {
  const others: ServiceSession['others'] = [];
  const names = keys(session);
  for (let i = 0; i < names.length && others.length < MAX_FIELDS; i++) {
    const normalized = normalize(names[i]!);
    if (includes(KNOWN_FIELDS, normalized)) continue;
    const value = ownValue(session, names[i]!);
    const option = describeOption(names[i]!, value, mask, 1);
    // A string with an unknown name could be a secret.
    if (typeof value === 'string' && !includes(HARMLESS_FIELDS, normalized)) {
      mask.add(value);
      others[others.length] = { ...option, value: null, secret: true, masked: maskSecret(value) };
    } else others[others.length] = option;
  }
  return others;
}

function describeToken(token: unknown, mask: Mask): (Masked & { jwt: Jwt | null }) | null {
  if (typeof token !== 'string' || token === '') return null;
  return { ...maskSecret(token), jwt: decodeJwt(token, mask) };
}

/** A JWT's header and claims (RFC 7519), or null if the token isn't a JWT. */
function decodeJwt(token: string, mask: Mask): Jwt | null {
  if (token[0] !== 'e' || token[1] !== 'y') return null;
  const first = indexOf(token, '.');
  if (first < 0 || first > MAX_CLAIMS) return null;
  const header = decodePart(slice(token, 0, first));
  if (!isObject(header)) return null;
  const describePart = (value: unknown): RemoteValue => mask.value(describe(value, CLAIMS, createHandles()));
  const withoutClaims = (problem: string): Jwt => ({ header: describePart(header), claims: null, problem });
  if (ownValue(header, 'enc') !== undefined)
    return withoutClaims('The token is encrypted: only the service can read its claims.');
  const second = indexOf(token, '.', first + 1);
  const payload = slice(token, first + 1, second < 0 ? token.length : second);
  if (payload.length > MAX_CLAIMS)
    return withoutClaims(`Claims are limited to ${MAX_CLAIMS} characters. These have ${payload.length}.`);
  const claims = decodePart(payload);
  if (!isObject(claims)) return withoutClaims('The token’s payload isn’t a JSON object.');
  return { header: describePart(header), claims: describePart(claims), problem: null };
}

function decodePart(part: string): unknown {
  return attempt(() => {
    let base64 = '';
    for (let i = 0; i < part.length; i++) base64 += part[i] === '-' ? '+' : part[i] === '_' ? '/' : part[i]!;
    return parseJson(fromUtf8(decodeBase64!(base64)));
  });
}

/** An own property, found by its normalized name. Never calls the page's getters. */
function fieldOf(object: object, normalized: string): unknown {
  const names = keys(object);
  for (let i = 0; i < names.length && i < 200; i++) {
    if (normalize(names[i]!) !== normalized) continue;
    const value = ownValue(object, names[i]!);
    if (value !== undefined && value !== null && typeof value !== 'symbol') return value;
  }
  return undefined;
}

function readSeconds(value: unknown): number | null {
  const date = isObject(value) ? attempt(() => dateTime(value as Date)) : undefined;
  const seconds = date !== undefined ? date : typeof value === 'string' && value !== '' ? +value : value;
  return typeof seconds === 'number' && isFinite(seconds) ? seconds : null;
}

/** Epoch seconds, converted from a `Date` or from milliseconds if needed. */
function readTime(value: unknown): number | null {
  const seconds = readSeconds(value);
  return seconds !== null && seconds > MAX_SECONDS ? seconds / 1000 : seconds;
}
