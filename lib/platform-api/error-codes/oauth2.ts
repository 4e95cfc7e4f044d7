/** Error codes of `Platform.OAuth2`, and findings of the OAuth2 checks in the panel. */
import type { ErrorText } from './error-text.ts';

export const OAUTH2_ERRORS: Record<string, ErrorText> = {
  OPTION_MISSING: { meaning: 'A required option is missing.', fix: 'Add the option to the configuration.' },
  OPTION_INVALID: { meaning: 'An option has an invalid value.', fix: 'Correct the option.' },
  OPTION_UNKNOWN: { meaning: 'An option is unknown.', fix: 'Check the spelling of the option.' },
  OPTION_MISSPELLED: { meaning: 'An option looks misspelled.', fix: 'Correct the name of the option.' },
  GRANT_URL_MISSING: { meaning: '`grantType: "code"` needs `grantUrl`.', fix: 'Add the token endpoint as grantUrl.' },
  GRANT_URL_WRONG: {
    meaning: '`grantUrl` isn’t a token endpoint.',
    fix: 'Check grantUrl in the service’s documentation.',
  },
  CONFIGURE_REFUSED: { meaning: '`configure()` rejected the configuration.', fix: 'Correct the configuration.' },
  SERVICE_UNKNOWN: {
    meaning: 'No service with this name is configured.',
    fix: 'Check the name, and make sure that configure() ran first.',
  },
  ARGUMENT_INVALID: { meaning: 'An argument is invalid.', fix: 'Correct the argument.' },
  SECRET_IN_PAGE: { meaning: 'A client secret is readable in the page.', fix: 'Use PKCE without a client secret.' },
  IMPLICIT_FLOW: {
    meaning: 'The service uses the implicit flow, which is deprecated.',
    fix: 'Use grantType “code” if the service supports it.',
  },
  POPUP_BLOCKED: {
    meaning: 'The browser blocked the login popup.',
    fix: 'Call login() from a click, or allow popups.',
  },
  POPUP_CLOSED: {
    meaning: 'The login popup was closed, or cut off by its page, before the login finished.',
    fix: 'Log in again.',
  },
  LOGIN_TIMEOUT: { meaning: 'The login didn’t finish in time.', fix: 'Log in again.' },
  LOGIN_DENIED: { meaning: 'The login was denied, by the user or the service.', fix: 'Log in again and allow access.' },
  LOGIN_REFUSED: {
    meaning: 'The service rejected the login.',
    fix: 'Check the configuration against the service’s documentation.',
  },
  REDIRECT_URL_REFUSED: {
    meaning: 'The service doesn’t accept the redirect URL.',
    fix: 'Register the redirect URL with the service.',
  },
  REDIRECT_URL_ELSEWHERE: {
    meaning: 'The redirect URL is on a different origin, which can’t pass the response to the app.',
    fix: 'Use a page on the app’s own origin.',
  },
  STATE_MISMATCH: { meaning: 'The response doesn’t belong to this login.', fix: 'Log in again.' },
  ISSUER_MISMATCH: { meaning: 'The response comes from a different issuer.', fix: 'Check authUrl and the issuer.' },
  CALLBACK_INVALID: {
    meaning: 'The redirect doesn’t contain a usable response.',
    fix: 'Check the service’s response on the OAuth2 tab.',
  },
  GRANT_TYPE_REFUSED: {
    meaning: 'The service doesn’t support the grant type for this client.',
    fix: 'Check which grant types the client may use.',
  },
  CLIENT_REFUSED: {
    meaning: 'The service doesn’t accept the client ID or secret.',
    fix: 'Check clientId and clientSecret.',
  },
  PKCE_REFUSED: { meaning: 'The service rejected PKCE.', fix: 'Set pkce to false if the service doesn’t support it.' },
  CODE_USED: {
    meaning: 'The service didn’t accept the authorization code. Mostly, it was already used or has expired.',
    fix: 'Log in again.',
  },
  TOKEN_REFUSED: { meaning: 'The token endpoint rejected the request.', fix: 'Check the token endpoint’s error.' },
  TOKEN_INVALID: {
    meaning: 'The token endpoint’s response doesn’t contain a usable token.',
    fix: 'Check the token endpoint’s response.',
  },
  TOKEN_REJECTED: { meaning: 'The API doesn’t accept the access token.', fix: 'Log in again.' },
  TOKEN_TO_FOREIGN_HOST: {
    meaning: 'The token was sent to a host other than the service’s.',
    fix: 'Use only URLs that belong to the service.',
  },
  REFRESH_REFUSED: { meaning: 'The service refused to refresh the token.', fix: 'Log in again.' },
  REFRESH_UNAVAILABLE: { meaning: 'The session can’t be refreshed.', fix: 'Log in again.' },
  SESSION_EXPIRED: {
    meaning: 'The service rejected the token, which has expired by this device’s clock.',
    fix: 'Log in again, or set refresh to true.',
  },
  NOT_LOGGED_IN: { meaning: 'The user isn’t logged in to the service.', fix: 'Call login() first.' },
  SCOPE_NOT_GRANTED: {
    meaning: 'The service granted fewer scopes than requested.',
    fix: 'Request only scopes that the client may use.',
  },
  STORAGE_BLOCKED: {
    meaning: 'The browser doesn’t let the page store the session.',
    fix: 'Allow site data for the page.',
  },
  PAGE_INSECURE: { meaning: 'The page isn’t served over HTTPS.', fix: 'Use HTTPS, or localhost.' },
  URL_INSECURE: { meaning: 'Tokens are sent only over HTTPS.', fix: 'Use an https URL.' },
  BASE_URL_MISSING: { meaning: 'A relative path needs `baseUrl`.', fix: 'Add baseUrl, or pass a full URL.' },
  BASE_URL_JOIN: {
    meaning: 'Joining the path and `baseUrl` produced an unintended URL.',
    fix: 'Check the slashes in baseUrl and the path.',
  },
  PATH_RELATIVE: {
    meaning: 'The path is relative, and no `baseUrl` is configured.',
    fix: 'Add baseUrl, or pass a full URL.',
  },
  API_REFUSED: {
    meaning: 'The API responded with an error status.',
    fix: 'Check the status and body of the response.',
  },
  API_FORBIDDEN: { meaning: 'The API doesn’t permit this request.', fix: 'Check the scopes of the session.' },
  CORS_REFUSED: {
    meaning: 'The service doesn’t allow cross-origin requests from this page, or the connection broke.',
    fix: 'Set useProxy to true, or allow the origin in the service’s settings.',
  },
  CSP_BLOCKED: {
    meaning: 'The page’s Content Security Policy blocked the request.',
    fix: 'Add the service to connect-src.',
  },
  NETWORK_FAILED: { meaning: 'The request failed without a response.', fix: 'Check the network and the URL.' },
  REQUEST_TIMEOUT: { meaning: 'The service didn’t respond in time.', fix: 'Try again.' },
  SERVICE_FAILED: { meaning: 'The service failed, is busy, or limits requests.', fix: 'Try again later.' },
  ANSWER_INVALID: {
    meaning: 'The response’s body isn’t valid JSON, or isn’t whole.',
    fix: 'Check the endpoint in the service’s documentation.',
  },
  PROXY_FAILED: {
    meaning: 'The platform’s proxy couldn’t send the request, or didn’t mark the response as the service’s.',
    fix: 'Check the proxy’s error.',
  },
  CLOCK_OFF: { meaning: 'This device’s clock and the service’s differ.', fix: 'Check the device’s clock.' },
  ABORTED: { meaning: 'The request was canceled.', fix: 'Try again if you still need it.' },
};
