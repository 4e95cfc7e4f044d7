/** Owns a login, from the popup to the session: implicit (RFC 6749 section 4.2) and explicit flow (section 4.1). */
import { OAuth2Error, quote } from './errors.ts';
import { type Flow, safeUrl } from './flow.ts';
import { random, s256 } from './pkce.ts';
import { type Callback, openPopup } from './popup.ts';
import { type RequestToken, addAll } from './token-requests.ts';
import { readToken } from './tokens.ts';
import type { AuthResponse, FlowDetail, ServiceConfiguration } from './types.ts';

/** A person may have to find a second factor first. */
const LOGIN_TIMEOUT = 600_000;

/**
 * Begins a login, synchronously as far as the popup, which it answers; the session is handed to `succeeded`, an OAuth2Error to `failed`, once.
 * @throws OAuth2Error POPUP_BLOCKED, PAGE_INSECURE
 */
export function startLogin(
  window: Window,
  tell: Flow['tell'],
  requestToken: RequestToken,
  service: string,
  configuration: ServiceConfiguration,
  succeeded: (session: AuthResponse) => void,
  failed: (error: unknown) => void,
): Window {
  const { redirectUrl, loginTimeout = LOGIN_TIMEOUT, grantData, issuer } = configuration;
  const { grantType, pkce, scope } = describe(configuration);
  if (pkce && !window.isSecureContext) throw new OAuth2Error('PAGE_INSECURE', service);
  const state = configuration.state || random(16);
  // RFC 7636 section 4.1: 43 letters of 32 random bytes.
  const verifier = pkce ? random(32) : '';
  const popup = openPopup(window, redirectUrl, loginTimeout, (outcome) => {
    tell(service, { kind: 'popup', state: 'closed' });
    if (typeof outcome === 'string') failed(new OAuth2Error(outcome, service));
    else finish(outcome).then(succeeded, failed);
  });
  tell(service, { kind: 'popup', state: popup ? 'opened' : 'blocked' });
  if (!popup) throw new OAuth2Error('POPUP_BLOCKED', service);
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

  async function finish({ query, fragment }: Callback): Promise<AuthResponse> {
    const pairs = [...new URLSearchParams(query), ...new URLSearchParams(fragment.slice(1))];
    const all = (name: string) => pairs.filter(([key]) => key === name).map(([, value]) => value);
    const error = quote(all('error')[0]);
    const description = quote(all('error_description')[0]);
    tell(service, { kind: 'callback', origin: new URL(redirectUrl).origin, parameters: pairs.slice(0, 20).map(([name]) => quote(name)), error: error || null, description: description || null });
    // RFC 9700 section 4.7: first of all, so that nobody else's answer is looked at. The join keeps a second one from passing.
    const matches = all('state').join('&') === state;
    tell(service, { kind: 'state-checked', matches });
    if (!matches) throw new OAuth2Error('STATE_MISMATCH', service, '', { error });
    if (error) throw new OAuth2Error('LOGIN_REFUSED', service, description || error, { error, description });
    // RFC 9207 section 2.4: a code of another service, which this one led to, must not be sent here (mix-up, RFC 9700 section 4.4). Without the option the host tells.
    const iss = all('iss').join(' ');
    if (issuer ? iss !== issuer : iss && hostOf(iss) !== hostOf(configuration.authUrl)) throw new OAuth2Error('ISSUER_MISMATCH', service, quote(iss));
    // RFC 6749 section 3.1: no parameter comes twice. A token where a code was asked for is somebody else's.
    const wanted = grantType === 'code' ? 'code' : 'access_token';
    const found = all(wanted);
    if (!found[0] || found[1] !== undefined) throw new OAuth2Error('CALLBACK_INVALID', service, `${found.length || 'no'} ${wanted}`);
    // RFC 6749 section 4.1.3, RFC 7636 section 4.5.
    const token =
      grantType === 'code'
        ? await requestToken(service, configuration, 'authorization_code', 'login', { redirect_uri: redirectUrl, ...grantData, code: found[0], code_verifier: verifier })
        : readToken(Object.fromEntries(pairs), Date.now());
    if (typeof token === 'string') throw new OAuth2Error('TOKEN_INVALID', service, token);
    return { service, scope, state, ...token };
  }
}

/** What a configuration means, with its defaults. Commas between scopes are the specification's, spaces RFC 6749's (section 3.3). */
function describe({ grantType = 'token', pkce = true, scope = '' }: ServiceConfiguration) {
  return { grantType, pkce: grantType === 'code' && pkce, scope: scope.split(/[\s,]+/).filter(Boolean).join(' ') };
}

const hostOf = (url: string) => URL.canParse(url) && new URL(url).host;

/** What is told of a login that starts. */
export function loginStarted(configuration: ServiceConfiguration, shared: boolean): FlowDetail {
  const { scope, ...flow } = describe(configuration);
  return { kind: 'login-started', ...flow, scope: scope || null, authUrl: safeUrl(configuration.authUrl), redirectUrl: safeUrl(configuration.redirectUrl), shared };
}
