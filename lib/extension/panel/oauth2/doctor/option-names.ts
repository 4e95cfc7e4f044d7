/** Owns the options' names (specification, "OAuth2 service configuration"), and telling which one a misspelled name stands for. */

export const REQUIRED = ['clientId', 'clientSecret', 'redirectUrl', 'authUrl'] as const;
const KNOWN = [
  ...REQUIRED,
  'grantType',
  'grantUrl',
  'grantData',
  'baseUrl',
  'useProxy',
  'state',
  'scope',
  'refresh',
  'pkce',
  'issuer',
  'revokeUrl',
  'timeout',
  'loginTimeout',
];

/** What other libraries and services call them, in lower-case letters. */
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
const MOST_EDITS = 2;

/** The option that is meant; null when the name is right, or like none. */
export function meantBy(name: string): string | null {
  if (KNOWN.includes(name) || name.length > 60) return null;
  const bare = name.toLowerCase().replace(/[^a-z]/g, '');
  if (Object.hasOwn(ALIASES, bare)) return ALIASES[bare]!;
  const near = KNOWN.map((known) => ({ known, edits: edits(known.toLowerCase(), bare) })).sort(
    (one, other) => one.edits - other.edits,
  )[0]!;
  // Of a short name two letters are half of it.
  return near.edits <= MOST_EDITS && near.edits * 3 < near.known.length ? near.known : null;
}

/** How many letters must be added, left out or changed (Levenshtein). */
export function edits(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let i = 1; i <= one.length; i++) {
    const above = row;
    row = [i];
    for (let j = 1; j <= other.length; j++)
      row[j] = Math.min(above[j]! + 1, row[j - 1]! + 1, above[j - 1]! + (one[i - 1] === other[j - 1] ? 0 : 1));
  }
  return row[other.length]!;
}
