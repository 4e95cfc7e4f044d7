/** Says what counts as a login’s callback, and validates it: state, issuer, error, and the code or token. */
import { isResponse, parseUrl } from '../configuration.ts';
import { fail, redact } from '../errors.ts';
import type { RecordFlow } from '../flow.ts';
import { readError } from '../tokens.ts';
import type { ServiceConfiguration } from '../types.ts';

/** Maximum number of parameters whose names are passed to observers. */
const RECORDED_PARAMETERS = 20;

/** Query and fragment of the redirect page’s URL, each as in the URL, or empty. */
export interface Callback {
  query: string;
  fragment: string;
}

const parametersOf = ({ query, fragment }: Callback) => new URLSearchParams(`${query}${fragment}`.replace('#', '&'));

export const isCallback = (callback: Callback): boolean => [...parametersOf(callback).keys()].some(isResponse);

/**
 * Ranks what a redirect page’s URL says about the login that sent `state`. 3: its callback. 2: a callback with another
 * state. 1: that the page was reached without a code, token, or error. 0: nothing, since a page that is also the
 * authorization endpoint has the login’s own request (RFC 6749 section 4.1.1).
 */
export function rankCallback(callback: Callback, state: string): number {
  const parameters = parametersOf(callback);
  if (isCallback(callback)) return joinStates(parameters) === state ? 3 : 2;
  return parameters.has('response_type') ? 0 : 1;
}

/** A repeated state never matches, because its values are joined. */
const joinStates = (parameters: URLSearchParams) => parameters.getAll('state').join('&');

/**
 * Returns the parameters of a callback, for a login that sent `state`.
 * @throws OAuth2Error STATE_MISMATCH, ISSUER_MISMATCH, LOGIN_REFUSED, CALLBACK_INVALID
 */
export function readCallback(
  service: string,
  configuration: ServiceConfiguration,
  state: string,
  callback: Callback,
  record: RecordFlow,
): Record<string, string> {
  const parameters = parametersOf(callback);
  const fields = Object.fromEntries(parameters);
  const { error, description } = readError(fields);
  record(service, {
    kind: 'callback',
    origin: new URL(configuration.redirectUrl).origin,
    parameters: [...parameters.keys()].slice(0, RECORDED_PARAMETERS).map((name) => redact(name)),
    error: error || null,
    description: description || null,
  });
  // Checked first, so that a forged callback has no effect (RFC 9700 section 4.7).
  const matches = joinStates(parameters) === state;
  record(service, { kind: 'state-checked', matches });
  if (!matches) fail('STATE_MISMATCH', service, '', { error });
  checkIssuer(service, configuration, parameters.getAll('iss').join(' '), error);
  const grant = configuration.grantType === 'code' ? 'code' : 'access_token';
  // Some services send a code of success beside the grant.
  if (fields.error || ((error || description) && !fields[grant]))
    fail('LOGIN_REFUSED', service, description || error, { error, description });
  checkGrant(service, grant, parameters);
  return fields;
}

/**
 * Without `issuer`, compares hosts: a code from another service must not be sent (RFC 9207, RFC 9700 section 4.4). Error
 * responses have an issuer, too.
 */
function checkIssuer(service: string, { issuer, authUrl }: ServiceConfiguration, iss: string, error: string): void {
  const isExpected = issuer ? iss === issuer : !iss || parseUrl(iss)?.host === new URL(authUrl).host;
  if (isExpected) return;
  fail('ISSUER_MISMATCH', service, `the callback’s issuer is ${redact(iss) || 'missing'}`, { error });
}

/**
 * No parameter can appear twice (RFC 6749 section 3.1). If we requested a code, a callback with only a token is
 * invalid.
 */
function checkGrant(service: string, name: string, parameters: URLSearchParams): void {
  const values = parameters.getAll(name);
  if (values.length > 1) fail('CALLBACK_INVALID', service, `${name} appears ${values.length} times`);
  if (!values[0]) fail('CALLBACK_INVALID', service, `${name} is ${values.length === 0 ? 'missing' : 'empty'}`);
}
