/** Owns what is said beside the options of a service: what each is for, and what is wrong with it (specification, "OAuth2 service configuration"). */
import type { ServiceOption } from './types.ts';

const MEANINGS: Record<string, string> = {
  clientId: 'The app’s id at the service',
  clientSecret: 'The app’s secret at the service; whoever opens the page can read it',
  redirectUrl: 'Where the service sends the person after the login',
  authUrl: 'The service’s login page',
  grantType: 'token: implicit flow; code: explicit flow',
  grantUrl: 'Where the explicit flow gets its token',
  grantData: 'What is sent to grantUrl besides',
  baseUrl: 'What relative paths of api() are joined to',
  useProxy: 'Token and API requests go through the platform',
  state: 'Sent with the login and expected back',
  scope: 'What the app asks for, between commas',
  refresh: 'Whether the service refreshes tokens',
  pkce: 'Whether the explicit flow proves who began it (RFC 7636)',
  issuer: 'Whom answers of the service must come from (RFC 9207)',
  revokeUrl: 'Where a logout revokes the tokens (RFC 7009)',
  timeout: 'Milliseconds that a request may take',
  loginTimeout: 'Milliseconds that a person may take to log in',
};
const NAMES = Object.keys(MEANINGS);
const REQUIRED = ['clientId', 'clientSecret', 'redirectUrl', 'authUrl'];

export interface ShownOption {
  name: string;
  /** Null: it is not set, and should be. */
  option: ServiceOption | null;
  meaning: string;
  problem: string | null;
}

/** The options as they are shown: those of the specification in its order, then the others; required ones also when they are not there. */
export function shownOptions(options: readonly ServiceOption[]): ShownOption[] {
  const of = (name: string): ServiceOption | null => options.find((option) => option.name === name) ?? null;
  const shown: ShownOption[] = [];
  const needsGrantUrl = of('grantType')?.value === 'code';
  for (const name of NAMES) {
    const option = of(name);
    const isMissing = option === null && (REQUIRED.includes(name) || (name === 'grantUrl' && needsGrantUrl));
    if (!option && !isMissing) continue;
    const missing =
      name === 'grantUrl' ? 'Missing: the explicit flow needs it.' : 'Missing: no login works without it.';
    shown.push({ name, option, meaning: MEANINGS[name] ?? '', problem: option ? problemOf(option) : missing });
  }
  for (const option of options) {
    if (Object.hasOwn(MEANINGS, option.name)) continue;
    const near = NAMES.find((name) => isNear(name.toLowerCase(), option.name.toLowerCase().replace(/[^a-z]/g, '')));
    shown.push({ name: option.name, option, meaning: '', problem: near ? `No such option; ${near} is meant?` : null });
  }
  return shown;
}

function problemOf({ name, type, value, masked }: ServiceOption): string | null {
  if (
    REQUIRED.includes(name) &&
    (type !== 'string' || (name !== 'clientSecret' && (masked?.length ?? String(value).length) === 0))
  )
    return type === 'string' ? 'Empty: no login works without it.' : 'Not a text.';
  if (name === 'grantType' && value !== 'token' && value !== 'code') return 'Neither token nor code.';
  if (name.endsWith('Url')) return addressProblem(name, value);
  return null;
}

function addressProblem(name: string, value: unknown): string | null {
  if (typeof value !== 'string' || !URL.canParse(value)) return 'No full address, such as https://example.com/page.';
  const { protocol, hostname } = new URL(value);
  if (protocol !== 'https:' && protocol !== 'http:') return 'Neither https nor http.';
  if (protocol === 'http:' && !/^(localhost|.+\.localhost|127(\.\d+){3}|\[::1\])$/.test(hostname))
    return name === 'redirectUrl' || name === 'baseUrl'
      ? 'http: what is sent there can be read on the way.'
      : 'http: secrets would travel in the clear.';
  return null;
}

/** At most two letters too few, too many, changed or swapped. */
export function isNear(name: string, option: string, left = 2): boolean {
  if (name === option) return true;
  if (left === 0 || Math.abs(name.length - option.length) > left) return false;
  let at = 0;
  while (at < name.length && name[at] === option[at]) at++;
  const a = name.slice(at);
  const b = option.slice(at);
  return isNear(a.slice(1), b, left - 1) || isNear(a, b.slice(1), left - 1) || isNear(a.slice(1), b.slice(1), left - 1);
}
