/** Owns what a configuration must be (specification, "OAuth2 service configuration"): checked at once, so that no typing error waits for a login. */
import { fail, quote } from './errors.ts';
import { LONGEST } from './limits.ts';
import type { ServiceConfiguration } from './types.ts';

/** What each option must be, the required ones first, and grantUrl after them for the explicit flow: an answer of `typeof`, an address, or one of two words; codes and secrets go to safe ones alone (RFC 6749, sections 3.1 and 3.2). */
const KINDS: Record<string, string> = {
  clientId: 'string',
  clientSecret: 'string',
  redirectUrl: 'URL',
  authUrl: 'https URL',
  grantUrl: 'https URL',
  grantType: 'token or code',
  grantData: 'object',
  baseUrl: 'URL',
  useProxy: 'boolean',
  state: 'string',
  scope: 'string',
  refresh: 'boolean',
  pkce: 'boolean',
  issuer: 'string',
  revokeUrl: 'https URL',
  timeout: 'number',
  loginTimeout: 'number',
};
const NAMES = Object.keys(KINDS);

/**
 * A copy of a configuration that is one.
 * @throws OAuth2Error OPTION_MISSING, OPTION_UNKNOWN, OPTION_INVALID
 */
export function readConfiguration(service: string, given: unknown): ServiceConfiguration {
  const copy: Record<string, unknown> = {};
  // The misspelled option comes before the one that is missing because of it.
  checkNames(service, given, NAMES);
  for (const [option, value] of Object.entries(given ?? {})) {
    const kind = KINDS[option]!;
    if (value === undefined || value === null) continue;
    if (!isOf(kind, value)) fail('OPTION_INVALID', service, `${option} must be ${kind}`, { option });
    copy[option] = kind === 'object' ? { ...value } : value;
  }
  for (const option of NAMES.slice(0, copy.grantType === 'code' ? 5 : 4)) {
    // An empty clientSecret is that of a public client; no address is empty, and the first name must not be.
    if (copy[option] === undefined || copy.clientId === '') fail('OPTION_MISSING', service, option, { option });
  }
  return copy as unknown as ServiceConfiguration;
}

function isOf(kind: string, value: unknown): boolean {
  if (kind === 'token or code') return value === 'token' || value === 'code';
  if (kind.endsWith('URL')) {
    // No space before it: addresses are sent as they are.
    const url = /^https?:/i.test(value as string) && parseUrl(value);
    return !!url && (kind === 'URL' || isSafe(url));
  }
  // A function or a list in grantData would reach the service as something else.
  if (kind === 'object' && Object.values(Object(value) as object).some((each) => Object(each) === each)) return false;
  // oxlint-disable-next-line valid-typeof -- what is left are answers of typeof
  return typeof value === kind && (kind !== 'number' || ((value as number) > 0 && (value as number) < LONGEST));
}

export const parseUrl = (text: unknown) => (URL.canParse(text as string) ? new URL(text as string) : null);

/** Where secrets may go: https, and http on this machine. */
export function isSafe({ protocol, hostname }: URL): boolean {
  return protocol === 'https:' || /^(localhost|.+\.localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);
}

/** @throws OAuth2Error OPTION_UNKNOWN, which suggests the near name */
export function checkNames(service: string, given: unknown, names: readonly string[]): void {
  for (const option of Object.keys(given ?? {})) {
    if (names.includes(option)) continue;
    const near = names.find((name) => isNear(name.toLowerCase(), option.toLowerCase().replace(/[^a-z]/g, '')));
    fail('OPTION_UNKNOWN', service, quote(option) + (near ? `; did you mean ${near}?` : ''), { option });
  }
}

/** About as long, and at most two letters that the other has not. */
function isNear(a: string, b: string): boolean {
  const strange =
    [...a].filter((letter) => !b.includes(letter)).length + [...b].filter((letter) => !a.includes(letter)).length;
  return strange < 3 && Math.abs(a.length - b.length) < 3;
}
