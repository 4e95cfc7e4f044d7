/** Finds the option meant by a misspelled name (specification, "OAuth2 service configuration"). */
import { editDistance } from '../../../shared/edit-distance.ts';

export const REQUIRED: readonly string[] = ['clientId', 'clientSecret', 'redirectUrl', 'authUrl'];
const KNOWN = [
  ...REQUIRED,
  'grantType',
  'grantUrl',
  'grantData',
  'baseUrl',
  'useProxy',
  'state',
  'scope',
  'scopeSeparator',
  'refresh',
  'pkce',
  'issuer',
  'revokeUrl',
  'timeout',
  'loginTimeout',
];

/** Names used by other libraries and services, in lowercase. */
const ALIASES: Record<string, string> = {
  client: 'clientId',
  appid: 'clientId',
  secret: 'clientSecret',
  callbackurl: 'redirectUrl',
  redirecturi: 'redirectUrl',
  authorizationurl: 'authUrl',
  authorizeurl: 'authUrl',
  authorizationendpoint: 'authUrl',
  tokenurl: 'grantUrl',
  tokenendpoint: 'grantUrl',
  accesstokenurl: 'grantUrl',
  responsetype: 'grantType',
  apiurl: 'baseUrl',
  proxy: 'useProxy',
  scopes: 'scope',
};
const MAX_EDITS = 2;

/** Null if the name is correct, or isn't similar to any option. */
export function intendedOption(name: string): string | null {
  if (KNOWN.includes(name) || name.length > 60) return null;
  const bare = name.toLowerCase().replace(/[^a-z]/g, '');
  if (Object.hasOwn(ALIASES, bare)) return ALIASES[bare]!;
  const near = KNOWN.map((known) => ({ known, edits: editDistance(known.toLowerCase(), bare) })).sort(
    (a, b) => a.edits - b.edits,
  )[0]!;
  // In a short name, two typos would change half of it.
  return near.edits <= MAX_EDITS && near.edits * 3 < near.known.length ? near.known : null;
}
