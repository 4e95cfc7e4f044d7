/** Owns a login, from the popup to the session: implicit (RFC 6749 section 4.2) and explicit flow (section 4.1). */
import { parseUrl } from './configuration.ts';
import { fail, quote } from './errors.ts';
import { type Flow, safeUrl } from './flow.ts';
import { LOGIN_TIMEOUT } from './limits.ts';
import { random, s256 } from './pkce.ts';
import { type Callback, openPopup } from './popup.ts';
import { type RequestToken, addAll } from './token-requests.ts';
import { readToken } from './tokens.ts';
import type { AuthResponse, FlowDetail, OAuth2ErrorCode, ServiceConfiguration } from './types.ts';

type Started = Extract<FlowDetail, { kind: 'login-started' }>;

/**
 * Begins a login, synchronously as far as the popup, which it answers; what comes of it is handed to `ended`, once: the session or an OAuth2Error.
 * @throws OAuth2Error POPUP_BLOCKED, PAGE_INSECURE
 */
export function startLogin(
  service: string,
  configuration: ServiceConfiguration,
  window: Window,
  tell: Flow['tell'],
  requestToken: RequestToken,
  ended: (session: Promise<AuthResponse>) => void,
): Window {
  const { redirectUrl, loginTimeout = LOGIN_TIMEOUT, grantData, issuer } = configuration;
  const started = loginStarted(configuration, false);
  const { grantType, pkce, scope } = started;
  tell(service, started);
  if (pkce && !window.isSecureContext) fail('PAGE_INSECURE', service);
  const state = configuration.state || random(16);
  // RFC 7636 section 4.1: 43 letters of 32 random bytes.
  const verifier = pkce ? random(32) : '';
  const popup = openPopup(window, redirectUrl, loginTimeout, (outcome) => {
    tell(service, { kind: 'popup', state: 'closed' });
    ended(finish(outcome));
  });
  tell(service, { kind: 'popup', state: popup ? 'opened' : 'blocked' });
  if (!popup) fail('POPUP_BLOCKED', service);
  void go(popup.location);
  return popup;

  /** RFC 6749, sections 4.1.1 and 4.2.1; RFC 7636 section 4.3. */
  async function go(location: Location): Promise<void> {
    const url = new URL(configuration.authUrl);
    url.hash = '';
    addAll(url.searchParams, {
      response_type: grantType,
      client_id: configuration.clientId,
      redirect_uri: redirectUrl,
      state,
      scope,
      ...(pkce && { code_challenge: await s256(verifier), code_challenge_method: 'S256' }),
    });
    location.replace(url);
  }

  async function finish(outcome: Callback | OAuth2ErrorCode): Promise<AuthResponse> {
    if (typeof outcome === 'string') fail(outcome, service);
    const { query, fragment } = outcome;
    const pairs = [...new URLSearchParams((query + fragment).replace('#', '&'))];
    const all = (name: string) => pairs.filter(([key]) => key === name).map(([, value]) => value);
    const error = quote(all('error')[0]);
    const description = quote(all('error_description')[0]);
    tell(service, {
      kind: 'callback',
      origin: new URL(redirectUrl).origin,
      parameters: pairs.slice(0, 20).map(([name]) => quote(name)),
      error: error || null,
      description: description || null,
    });
    // RFC 9700 section 4.7: first of all, so that nobody else's answer is looked at. The join keeps a second one from passing.
    const matches = all('state').join('&') === state;
    tell(service, { kind: 'state-checked', matches });
    if (!matches) fail('STATE_MISMATCH', service, '', { error });
    if (error) fail('LOGIN_REFUSED', service, description || error, { error, description });
    // RFC 9207 section 2.4: a code of another service, which this one led to, must not be sent here (mix-up, RFC 9700 section 4.4). Without the option the host tells.
    const iss = all('iss').join(' ');
    if (issuer ? iss !== issuer : iss && parseUrl(iss)?.host !== new URL(configuration.authUrl).host)
      fail('ISSUER_MISMATCH', service, quote(iss));
    // RFC 6749 section 3.1: no parameter comes twice. A token where a code was asked for is somebody else's.
    const wanted = grantType === 'code' ? 'code' : 'access_token';
    const found = all(wanted);
    if (!found[0] || found.length > 1) fail('CALLBACK_INVALID', service, `${found.length || 'no'} ${wanted}`);
    // RFC 6749 section 4.1.3, RFC 7636 section 4.5.
    const token =
      grantType === 'code'
        ? await requestToken(service, configuration, 'authorization_code', 'login', {
            redirect_uri: redirectUrl,
            ...grantData,
            code: found[0],
            code_verifier: verifier,
          })
        : readToken(Object.fromEntries(pairs), Date.now());
    if (typeof token === 'string') fail('TOKEN_INVALID', service, token);
    return { service, scope: scope ?? '', state, ...token };
  }
}

/** What is told of a login that starts. Commas between scopes are the specification's, spaces RFC 6749's (section 3.3). */
export function loginStarted(
  { grantType = 'token', pkce = true, scope = '', authUrl, redirectUrl }: ServiceConfiguration,
  shared: boolean,
): Started {
  return {
    kind: 'login-started',
    grantType,
    pkce: grantType === 'code' && pkce,
    scope: scope.replace(/[\s,]+/g, ' ').trim() || null,
    authUrl: safeUrl(authUrl),
    redirectUrl: safeUrl(redirectUrl),
    shared,
  };
}
