/** Explains a service's options, and what's wrong with them (specification, "OAuth2 service configuration"). */
import { intendedOption, REQUIRED } from './option-names.ts';
import type { ServiceOption } from './types.ts';

const MEANINGS: Record<string, string> = {
  clientId: 'Client ID that the service issued',
  clientSecret: 'Client secret that the service issued, readable by anyone who opens the page',
  redirectUrl: 'Where the service sends the user after the login',
  authUrl: 'The service’s login page',
  grantType: '“token” for the implicit flow, “code” for the explicit flow',
  grantUrl: 'The service’s token endpoint, for the explicit flow',
  grantData: 'Extra parameters for the token request',
  baseUrl: 'Base URL for relative paths in api()',
  useProxy: 'Sends token and API requests through the platform',
  state: 'Value sent with the login request and expected in the callback',
  scope: 'Requested scopes, separated by commas',
  scopeSeparator: 'What separates scopes in the login request: a space or a comma',
  refresh: 'Whether expired access tokens are refreshed automatically',
  pkce: 'Whether PKCE protects the explicit flow’s code (RFC 7636)',
  issuer: 'Issuer expected in callbacks (RFC 9207)',
  revokeUrl: 'URL that revokes tokens on logout (RFC 7009)',
  timeout: 'Time limit for a request, in milliseconds',
  loginTimeout: 'Time limit for a login, in milliseconds',
};
const NAMES = Object.keys(MEANINGS);

export interface ShownOption {
  name: string;
  /** Null if a required option is missing. */
  option: ServiceOption | null;
  meaning: string;
  problem: string | null;
}

/** Options in the specification's order, including missing required ones, followed by all others. */
export function shownOptions(options: readonly ServiceOption[]): ShownOption[] {
  const find = (name: string) => options.find((option) => option.name === name) ?? null;
  const required = find('grantType')?.value === 'code' ? [...REQUIRED, 'grantUrl'] : [...REQUIRED];
  const known = NAMES.flatMap((name): ShownOption[] => {
    const option = find(name);
    const meaning = MEANINGS[name] ?? '';
    if (option) return [{ name, option, meaning, problem: problemOf(option) }];
    return required.includes(name) ? [{ name, option, meaning, problem: missingProblem(name) }] : [];
  });
  const unknown = options.filter(({ name }) => !NAMES.includes(name)).map(unknownOption);
  return [...known, ...unknown];
}

function missingProblem(name: string): string {
  return name === 'grantUrl' ? 'Missing. Required for the explicit flow.' : 'Missing. Required for login.';
}

function unknownOption(option: ServiceOption): ShownOption {
  const { name } = option;
  const intended = intendedOption(name);
  return { name, option, meaning: '', problem: intended ? `Unknown option. Did you mean ${intended}?` : null };
}

function problemOf({ name, type, value, masked }: ServiceOption): string | null {
  if (REQUIRED.includes(name) && type !== 'string') return `${name} must be a string.`;
  const isEmpty = (masked?.length ?? String(value).length) === 0;
  if (REQUIRED.includes(name) && name !== 'clientSecret' && isEmpty) return 'Empty. Required for login.';
  if (name === 'grantType' && value !== 'token' && value !== 'code') return 'grantType must be “token” or “code”.';
  return name.endsWith('Url') ? urlProblem(name, value) : null;
}

function urlProblem(name: string, value: unknown): string | null {
  if (typeof value !== 'string' || !URL.canParse(value)) return `${name} must be a full URL.`;
  const { protocol, hostname } = new URL(value);
  if (protocol !== 'https:' && protocol !== 'http:') return `${name} must start with https:// or http://.`;
  if (protocol === 'https:' || /^(localhost|.+\.localhost|127(\.\d+){3}|\[::1\])$/.test(hostname)) return null;
  return name === 'redirectUrl' || name === 'baseUrl' || name === 'authUrl'
    ? 'http isn’t encrypted: others on the network can read what is sent.'
    : 'http isn’t encrypted, so secrets can’t be sent there.';
}
