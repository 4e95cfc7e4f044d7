/**
 * Runs a login, from the popup to the session: implicit flow (RFC 6749 section 4.2) and explicit flow (section 4.1).
 */
import { type Callback, readCallback } from './callback.ts';
import { fail } from '../errors.ts';
import { type RecordFlow, redactUrl } from '../flow.ts';
import { randomText, s256 } from '../pkce.ts';
import { openPopup } from './popup.ts';
import { type RequestToken, setParameters } from '../token-requests.ts';
import { normalizeScope, readToken } from '../tokens.ts';
import type { AuthResponse, FlowDetail, OAuth2ErrorCode, ServiceConfiguration } from '../types.ts';

/** Default time limit for a login, in milliseconds. The user might need time for a second factor. */
const LOGIN_TIMEOUT = 600_000;

type LoginStarted = Extract<FlowDetail, { kind: 'login-started' }>;

export interface LoginContext {
  service: string;
  configuration: ServiceConfiguration;
  window: Window;
  record: RecordFlow;
  requestToken: RequestToken;
}

interface LoginSecrets {
  state: string;
  /** Empty without PKCE. */
  verifier: string;
}

/**
 * Opens the popup synchronously and returns it.
 * @param onEnd called once, with a promise of the session that rejects with an OAuth2Error
 * @throws OAuth2Error POPUP_BLOCKED, PAGE_INSECURE
 */
export function startLogin(context: LoginContext, onEnd: (session: Promise<AuthResponse>) => void): Window {
  const { service, configuration, window, record } = context;
  const { redirectUrl, loginTimeout = LOGIN_TIMEOUT } = configuration;
  const started = describeLogin(configuration, false);
  record(service, started);
  if (started.pkce && !window.isSecureContext) fail('PAGE_INSECURE', service);
  // RFC 7636 section 4.1: a verifier of 43 characters, from 32 random bytes.
  const secrets = { state: configuration.state || randomText(16), verifier: started.pkce ? randomText(32) : '' };
  const onPopupEnd = (outcome: Callback | OAuth2ErrorCode) => {
    record(service, { kind: 'popup', state: 'closed' });
    onEnd(completeLogin(context, secrets, outcome));
  };
  const popup = openPopup(window, redirectUrl, loginTimeout, onPopupEnd, secrets.state);
  record(service, { kind: 'popup', state: popup ? 'opened' : 'blocked' });
  if (!popup) fail('POPUP_BLOCKED', service);
  void openAuthorizationPage(popup.location, configuration, secrets);
  return popup;
}

/** RFC 6749, sections 4.1.1 and 4.2.1; RFC 7636 section 4.3. */
async function openAuthorizationPage(
  location: Location,
  { authUrl, grantType = 'token', clientId, redirectUrl, scope, scopeSeparator }: ServiceConfiguration,
  { state, verifier }: LoginSecrets,
): Promise<void> {
  const url = new URL(authUrl);
  setParameters(url.searchParams, {
    response_type: grantType,
    client_id: clientId,
    redirect_uri: redirectUrl,
    state,
    scope: normalizeScope(scope, scopeSeparator),
    ...(verifier && { code_challenge: await s256(verifier), code_challenge_method: 'S256' }),
  });
  location.replace(url);
}

async function completeLogin(
  { service, configuration, record, requestToken }: LoginContext,
  { state, verifier }: LoginSecrets,
  outcome: Callback | OAuth2ErrorCode,
): Promise<AuthResponse> {
  if (outcome === 'CALLBACK_INVALID')
    fail(outcome, service, 'no code, token, or error', {}, 'Check redirectUrl, and what redirects to it.');
  if (typeof outcome === 'string') fail(outcome, service);
  const parameters = readCallback(service, configuration, state, outcome, record);
  const { grantType, redirectUrl, grantData, scope } = configuration;
  // RFC 6749 section 4.1.3, RFC 7636 section 4.5.
  const token =
    grantType === 'code'
      ? await requestToken(service, configuration, 'authorization_code', 'login', {
          redirect_uri: redirectUrl,
          ...grantData,
          code: parameters.code,
          code_verifier: verifier,
        })
      : readToken(parameters, Date.now());
  if (typeof token === 'string') fail('TOKEN_INVALID', service, token, {}, 'Check the service’s settings.');
  return { service, scope: normalizeScope(scope), state, ...token };
}

/** @param shared whether the call joined a login whose popup is already open */
export function describeLogin(
  { grantType = 'token', pkce = true, scope, authUrl, redirectUrl }: ServiceConfiguration,
  shared: boolean,
): LoginStarted {
  return {
    kind: 'login-started',
    grantType,
    pkce: grantType === 'code' && pkce,
    scope: normalizeScope(scope) || null,
    authUrl: redactUrl(authUrl),
    redirectUrl: redactUrl(redirectUrl),
    shared,
  };
}
