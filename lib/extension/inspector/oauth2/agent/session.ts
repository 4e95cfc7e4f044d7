/** Owns the description of a session: everything of it but its tokens, which are told as their ends and length, and by the claims of a JWT. */
import { describe } from '../../agent/describe.ts';
import { ownValue } from '../../agent/describe-cursor.ts';
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
import { attempt, isObject } from '../../agent/safe.ts';
import type { Jwt, Masked, ServiceSession } from '../contract.ts';
import type { Mask } from './mask.ts';
import { describeOption } from './options.ts';
import { maskOf, normalized } from './secrets.ts';

const MOST_FIELDS = 40;
const LONGEST_CLAIMS = 64_000;
const CLAIMS = { nodes: 400, chars: 20_000, depth: 6 };
/** Numbers above are milliseconds: as seconds they would be the year 5138. */
const MOST_SECONDS = 1e11;

/** What `getAuthResponse` answered, described; null when it is no session. Its tokens are never told again, wherever they stand. */
export function describeSession(given: unknown, mask: Mask): ServiceSession | null {
  if (typeof given === 'string' && given !== '')
    return describeFields({ __proto__: null, access_token: given } as object, mask);
  if (!isObject(given)) return null;
  const inner = fieldOf(given, 'authresponse');
  const session = isObject(inner) && fieldOf(given, 'accesstoken') === undefined ? inner : given;
  return fieldOf(session, 'accesstoken') === undefined && fieldOf(session, 'token') === undefined
    ? null
    : describeFields(session, mask);
}

function describeFields(session: object, mask: Mask): ServiceSession {
  const access = fieldOf(session, 'accesstoken') ?? fieldOf(session, 'token');
  const refresh = fieldOf(session, 'refreshtoken');
  const id = fieldOf(session, 'idtoken');
  mask.add(access);
  mask.add(refresh);
  mask.add(id);
  const scope = fieldOf(session, 'scope') ?? fieldOf(session, 'scopes');
  const type = fieldOf(session, 'tokentype');
  return {
    tokenType: typeof type === 'string' ? mask.word(type) : null,
    expires: seconds(fieldOf(session, 'expires') ?? fieldOf(session, 'expiresat'), true),
    expiresIn: seconds(fieldOf(session, 'expiresin'), false),
    scope:
      typeof scope === 'string' ? mask.plain(scope) : isArray(scope) ? mask.plain(joined(scope as unknown[])) : null,
    accessToken: describeToken(access, mask),
    refreshToken: typeof refresh === 'string' && refresh !== '' ? maskOf(refresh) : null,
    idToken: describeToken(id, mask),
    others: othersOf(session, mask),
  };
}

const TOLD = [
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
const HARMLESS = [
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

function othersOf(session: object, mask: Mask): ServiceSession['others'] {
  const others: ServiceSession['others'] = [];
  const names = keys(session);
  for (let i = 0; i < names.length && others.length < MOST_FIELDS; i++) {
    const bare = normalized(names[i]!);
    if (has(TOLD, bare)) continue;
    const value = ownValue(session, names[i]!);
    const option = describeOption(names[i]!, value, mask, 1);
    // A text under a name that says nothing may be anything.
    if (typeof value === 'string' && !has(HARMLESS, bare)) {
      mask.add(value);
      others[others.length] = { ...option, value: null, secret: true, masked: maskOf(value) };
    } else others[others.length] = option;
  }
  return others;
}

function describeToken(token: unknown, mask: Mask): (Masked & { jwt: Jwt | null }) | null {
  if (typeof token !== 'string' || token === '') return null;
  const told = maskOf(token);
  return { masked: told.masked, length: told.length, jwt: decodeJwt(token, mask) };
}

/** Header and claims; null when the token is no JWT. */
function decodeJwt(token: string, mask: Mask): Jwt | null {
  if (token[0] !== 'e' || token[1] !== 'y') return null;
  const first = indexOf(token, '.');
  if (first < 0 || first > LONGEST_CLAIMS) return null;
  const header = decoded(slice(token, 0, first));
  if (!isObject(header)) return null;
  const second = indexOf(token, '.', first + 1);
  const tell = (value: unknown) => mask.value(describe(value, CLAIMS, createHandles()));
  const without = (problem: string): Jwt => ({ header: tell(header), claims: null, problem });
  if (ownValue(header, 'enc') !== undefined) return without('It is encrypted: only the service can read its claims.');
  const payload = slice(token, first + 1, second < 0 ? token.length : second);
  if (payload.length > LONGEST_CLAIMS)
    return without(`Its claims have ${payload.length} characters, too many to show.`);
  const claims = decoded(payload);
  return isObject(claims)
    ? { header: tell(header), claims: tell(claims), problem: null }
    : without('Its second part is no JSON object.');
}

function decoded(part: string): unknown {
  return attempt(() => {
    let text = '';
    for (let i = 0; i < part.length; i++) text += part[i] === '-' ? '+' : part[i] === '_' ? '/' : part[i]!;
    return parseJson(fromUtf8(decodeBase64!(text)));
  });
}

/** An own field by its name, however that is written; a getter of the page is not called. */
function fieldOf(object: object, bare: string): unknown {
  const names = keys(object);
  for (let i = 0; i < names.length && i < 200; i++) {
    if (normalized(names[i]!) !== bare) continue;
    const value = ownValue(object, names[i]!);
    if (value !== undefined && value !== null && typeof value !== 'symbol') return value;
  }
  return undefined;
}

function seconds(value: unknown, isTime: boolean): number | null {
  const date = isObject(value) ? attempt(() => dateTime(value as Date)) : undefined;
  const given = date !== undefined ? date : typeof value === 'string' && value !== '' ? +value : value;
  if (typeof given !== 'number' || !isFinite(given)) return null;
  return isTime && given > MOST_SECONDS ? given / 1000 : given;
}

function joined(list: unknown[]): string {
  let text = '';
  for (let i = 0; i < list.length && i < 200; i++)
    if (typeof list[i] === 'string') text += text ? ` ${list[i] as string}` : (list[i] as string);
  return text;
}
function has(list: readonly string[], item: string): boolean {
  for (let i = 0; i < list.length; i++) if (list[i] === item) return true;
  return false;
}
