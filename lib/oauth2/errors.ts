/** Defines the library’s errors. Their messages never contain a token, code, secret, or verifier. */
import type { OAuth2ErrorCode, OAuth2Failure } from './types.ts';

type FailureDetails = Pick<OAuth2Failure, 'option' | 'status' | 'body' | 'error' | 'description'>;

/** The hints that a note replaces. */
const HINT = / (Try again|Check (grantType|clientId, clientSecret, and redirectUrl))\.$/;

/** What happened, why, and what to do. */
const MESSAGES: Record<OAuth2ErrorCode, string> = {
  OPTION_MISSING: 'Couldn’t use {service}: the option {cause} is missing. Add it in configure().',
  OPTION_UNKNOWN: 'Couldn’t use {service}: unknown option {cause}',
  OPTION_INVALID: 'Couldn’t use {service}: {cause}.',
  SERVICE_UNKNOWN: 'Couldn’t use {service}: it isn’t configured. Call configure() first.',
  ARGUMENT_INVALID: 'Couldn’t call {service}: {cause}.',
  POPUP_BLOCKED: 'Couldn’t log in to {service}: the browser blocked the popup. Call login() in a click handler.',
  POPUP_CLOSED: 'Couldn’t log in to {service}: the popup was closed, or its page cut the link to this one. Try again.',
  LOGIN_TIMEOUT: 'Couldn’t log in to {service}: the login took too long. Try again.',
  LOGIN_REFUSED: '{service} rejected the login: {cause}.',
  STATE_MISMATCH: 'Couldn’t log in to {service}: the callback’s state doesn’t match. Try again.',
  ISSUER_MISMATCH: 'Couldn’t log in to {service}: {cause}. Set the issuer option if this is correct.',
  CALLBACK_INVALID: 'Couldn’t log in to {service}: the callback is invalid ({cause}). Check grantType.',
  PAGE_INSECURE: 'Couldn’t log in to {service}: PKCE needs https. Use https, or set pkce to false.',
  TOKEN_REFUSED: '{service} rejected the token request: {cause}. Check clientId, clientSecret, and redirectUrl.',
  TOKEN_INVALID: 'Couldn’t read the token from {service}: {cause}.',
  REFRESH_REFUSED: '{service} refused to refresh the token: {cause}. Log in again.',
  REFRESH_UNAVAILABLE: 'Couldn’t refresh the token for {service}: the session has no refresh token. Log in again.',
  NOT_LOGGED_IN: 'Couldn’t use {service}: it has no session. Log in first.',
  PATH_RELATIVE: 'Couldn’t call {service}: the path is relative. Set baseUrl, or use a full URL.',
  URL_INSECURE: 'Couldn’t call {service}: tokens are sent only over https. Use an https URL.',
  SESSION_EXPIRED: '{service} rejected the token, which has expired by this device’s clock. Log in again.',
  API_REFUSED: '{service} rejected the call with status {cause}.',
  ANSWER_INVALID: 'Couldn’t read the response from {service}: {cause}. Try again.',
  NETWORK_FAILED:
    'Couldn’t get a response from {service} at {cause}. Check the URL, the network, and the Content-Security-Policy.',
  CORS_REFUSED:
    'Couldn’t read a response from {service}: {cause} doesn’t allow this origin, or the connection broke. ' +
    'Set useProxy, or allow it in the service’s settings.',
  REQUEST_TIMEOUT: 'Couldn’t call {service}: {cause} took too long to respond. Try again.',
  PROXY_FAILED: 'Couldn’t call {service} through the platform’s proxy: {cause}.',
};

export class OAuth2Error extends Error implements OAuth2Failure {
  declare readonly code: OAuth2ErrorCode;
  declare readonly service: string;
  declare readonly option?: string;
  declare readonly status?: number;
  declare readonly body?: unknown;
  declare readonly error?: string;
  declare readonly description?: string;

  /** @param note what to do in this case, in place of what the code’s message says, or after it */
  constructor(code: OAuth2ErrorCode, service: string, cause: unknown = '', details: FailureDetails = {}, note = '') {
    const values = { service: service ? `“${service}”` : 'configure()', cause: String(cause) };
    const message = MESSAGES[code].replace(/\{(service|cause)\}/g, (_, name: keyof typeof values) => values[name]);
    // Text from a service can end with a period, unlike other causes.
    const text = message.replace(/\.\.(?= |$)/, '.');
    super(note ? `${text.replace(HINT, '')} ${note}` : text);
    Object.assign(this, { name: 'OAuth2Error', code, service }, details);
  }
}

/** Throws an OAuth2Error. Can be used inside an expression. */
export function fail(...parameters: ConstructorParameters<typeof OAuth2Error>): never {
  throw new OAuth2Error(...parameters);
}

/**
 * Shortens a service’s text, and removes the secrets that were sent to it: some services echo a secret that they
 * refuse.
 */
export function redact(text: unknown, secrets: readonly unknown[] = [], length = 300): string {
  let redacted = String(text ?? '');
  for (const secret of secrets) if (String(secret).length > 3) redacted = redacted.replaceAll(secret as string, '…');
  return redacted.slice(0, length);
}
