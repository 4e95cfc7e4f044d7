/** Validates a login’s callback: state, issuer, error, and the code or token. */
import { parseUrl } from '../configuration.ts';
import { fail, redact } from '../errors.ts';
import type { RecordFlow } from '../flow.ts';
import type { Callback } from './popup.ts';
import { readError } from '../tokens.ts';
import type { ServiceConfiguration } from '../types.ts';

/** Maximum number of parameters whose names are passed to observers. */
const RECORDED_PARAMETERS = 20;

/**
 * Returns the parameters of a callback, for a login that sent `state`.
 * @throws OAuth2Error STATE_MISMATCH, ISSUER_MISMATCH, LOGIN_REFUSED, CALLBACK_INVALID
 */
export function readCallback(
  service: string,
  configuration: ServiceConfiguration,
  state: string,
  { query, fragment }: Callback,
  record: RecordFlow,
): Record<string, string> {
  const pairs = [...new URLSearchParams((query + fragment).replace('#', '&'))];
  const valuesOf = (name: string) => pairs.filter(([key]) => key === name).map(([, value]) => value);
  const parameters = Object.fromEntries(pairs);
  const { error, description } = readError(parameters);
  record(service, {
    kind: 'callback',
    origin: new URL(configuration.redirectUrl).origin,
    parameters: pairs.slice(0, RECORDED_PARAMETERS).map(([name]) => redact(name)),
    error: error || null,
    description: description || null,
  });
  // Checked first, so that a forged callback has no effect (RFC 9700 section 4.7). A repeated state fails because its
  // values are joined.
  const matches = valuesOf('state').join('&') === state;
  record(service, { kind: 'state-checked', matches });
  if (!matches) fail('STATE_MISMATCH', service, '', { error });
  checkIssuer(service, configuration, valuesOf('iss').join(' '), error);
  const grant = configuration.grantType === 'code' ? 'code' : 'access_token';
  if (error || (description && !parameters[grant]))
    fail('LOGIN_REFUSED', service, description || error, { error, description });
  checkGrant(service, grant, valuesOf);
  return parameters;
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
function checkGrant(service: string, name: string, valuesOf: (name: string) => string[]): void {
  const values = valuesOf(name);
  if (values.length > 1) fail('CALLBACK_INVALID', service, `${name} appears ${values.length} times`);
  if (!values[0]) fail('CALLBACK_INVALID', service, `${name} is ${values.length === 0 ? 'missing' : 'empty'}`);
}
