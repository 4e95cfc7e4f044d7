/** Validates service configurations (specification, "OAuth2 service configuration"), so that mistakes fail at once. */
import { fail, redact } from './errors.ts';
import type { ServiceConfiguration } from './types.ts';

/** Browsers fire timers of this many milliseconds or more immediately. */
const MAX_TIMER = 2 ** 31;

interface OptionType {
  /** Completes “must be” in an error message. */
  description: string;
  matches(value: unknown): boolean;
}

const ofType = (type: 'string' | 'boolean', description: string): OptionType => ({
  description,
  matches: (value) => typeof value === type,
});
const STRING = ofType('string', 'a string');
const BOOLEAN = ofType('boolean', 'true or false');
const URL_TYPE: OptionType = {
  description: 'a full http or https URL without user, fragment, or spaces',
  matches: (value) => parseHttpUrl(value) !== null,
};
/** For URLs that receive codes or secrets (RFC 6749 section 3.2). */
const SECURE_URL: OptionType = {
  description: 'an https URL without user, fragment, or spaces, or http on this machine',
  matches: (value) => isSecureUrl(parseHttpUrl(value)),
};
const oneOf = (one: string, other: string): OptionType => ({
  description: `“${one}” or “${other}”`,
  matches: (value) => value === one || value === other,
});
const TIMEOUT: OptionType = {
  description: 'a number of milliseconds above 0',
  matches: (value) => typeof value === 'number' && value > 0 && value < MAX_TIMER,
};
const PARAMETERS: OptionType = {
  description: 'an object of strings, numbers, and booleans',
  // Functions, arrays, and objects would reach the service as meaningless text.
  matches: (value) =>
    typeof value === 'object' && !Object.values(value as object).some((each) => Object(each) === each),
};

/** Required options come first. */
const OPTION_TYPES: Record<string, OptionType> = {
  clientId: STRING,
  clientSecret: STRING,
  redirectUrl: URL_TYPE,
  authUrl: SECURE_URL,
  grantUrl: SECURE_URL,
  grantType: oneOf('token', 'code'),
  grantData: PARAMETERS,
  baseUrl: URL_TYPE,
  useProxy: BOOLEAN,
  state: STRING,
  scope: STRING,
  scopeSeparator: oneOf(' ', ','),
  refresh: BOOLEAN,
  pkce: BOOLEAN,
  issuer: STRING,
  revokeUrl: SECURE_URL,
  timeout: TIMEOUT,
  loginTimeout: TIMEOUT,
};
const OPTIONS = Object.keys(OPTION_TYPES);
const REQUIRED = ['clientId', 'clientSecret', 'redirectUrl', 'authUrl'];

/**
 * Returns a validated copy of a configuration.
 * @throws OAuth2Error OPTION_MISSING, OPTION_UNKNOWN, OPTION_INVALID
 */
export function readConfiguration(service: string, input: unknown): ServiceConfiguration {
  const configuration: Record<string, unknown> = {};
  // Checked first, so that a misspelled required option is reported as misspelled, not as missing.
  rejectUnknownOptions(service, input, OPTIONS);
  for (const [option, given] of Object.entries(input ?? {})) {
    if (given === undefined || given === null) continue;
    const type = OPTION_TYPES[option]!;
    const problem = `${option} must be ${type.description}`;
    // Published examples have an http authUrl. A login must start over https (RFC 6749 section 3.1).
    const isChanged = option === 'authUrl' && !type.matches(given);
    const value: unknown = isChanged ? String(given).replace(/^http:/i, 'https:') : given;
    if (!type.matches(value)) fail('OPTION_INVALID', service, problem, { option });
    if (isChanged) console.warn(`${problem}. Using https for “${service}”.`);
    configuration[option] = type === PARAMETERS ? { ...(value as object) } : value;
  }
  for (const option of configuration.grantType === 'code' ? [...REQUIRED, 'grantUrl'] : REQUIRED) {
    // A public client has an empty clientSecret, but no client has an empty clientId.
    const isMissing = configuration[option] === undefined || (option === 'clientId' && !configuration.clientId);
    if (isMissing) fail('OPTION_MISSING', service, option, { option });
  }
  rejectCallbackParameters(service, configuration.redirectUrl as string);
  return configuration as unknown as ServiceConfiguration;
}

/** Whether only a service’s response has this parameter. With one of them, a redirect page’s URL is a callback. */
export const isResponse = (name: string) => /^(code|access_token|error\w*)$/.test(name);

/** In a redirect URL, they would be mistaken for the service’s. */
function rejectCallbackParameters(service: string, redirectUrl: string): void {
  const name = [...new URL(redirectUrl).searchParams.keys()].find(
    (each) => isResponse(each) || each === 'state' || each === 'iss',
  );
  if (name) fail('OPTION_INVALID', service, `redirectUrl can’t have the parameter ${name}`, { option: 'redirectUrl' });
}

export function parseUrl(text: unknown): URL | null {
  return URL.canParse(text as string) ? new URL(text as string) : null;
}

/**
 * Rejects what `URL` repairs, such as `https:host` and spaces: URLs are sent unchanged. Fragments aren’t allowed
 * (RFC 6749, sections 3.1 and 3.2), and `fetch` rejects users.
 */
function parseHttpUrl(text: unknown): URL | null {
  return /^https?:\/\/[^\s/\\?#@]+([/?][^\s#]*)?$/i.test(text as string) ? parseUrl(text) : null;
}

/** Whether secrets can be sent to this URL: over https, or over http on this machine. */
export function isSecureUrl(url: URL | null): boolean {
  return /^https:|\/\/(localhost|.+\.localhost|127(\.\d+){3}|\[::1\])(:\d+)?$/.test(String(url?.origin));
}

/** @throws OAuth2Error OPTION_UNKNOWN, suggesting the most similar name */
export function rejectUnknownOptions(service: string, input: unknown, names: readonly string[]): void {
  for (const option of Object.keys(input ?? {})) {
    if (names.includes(option)) continue;
    const letters = option.toLowerCase().replace(/[^a-z]/g, '');
    const similar = names.find((name) => isSimilar(name.toLowerCase(), letters));
    const cause = `“${redact(option)}”. ${similar ? `Did you mean ${similar}?` : 'Remove it.'}`;
    fail('OPTION_UNKNOWN', service, cause, { option });
  }
}

/** Whether two names have about the same length, and each has at most two letters that the other doesn’t have. */
function isSimilar(a: string, b: string): boolean {
  const different =
    [...a].filter((letter) => !b.includes(letter)).length + [...b].filter((letter) => !a.includes(letter)).length;
  return different < 3 && Math.abs(a.length - b.length) < 3;
}
