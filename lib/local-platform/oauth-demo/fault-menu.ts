/** Lists a demo service’s faults: where each one applies, its description, and how it changes a response. */
import type { DemoResponse } from './response.ts';
import { pageResponse } from './pages.ts';

/**
 * What a fault applies to. `authorize`: the login page. `redirect`: the redirect to the app. `token`: the token
 * endpoint. `api`: the protected API. `now`: stored tokens.
 */
export type FaultTarget = 'authorize' | 'redirect' | 'token' | 'api' | 'now';
/** What the service discards: access tokens, refresh tokens, or everything, including the remembered user. */
export type Forget = 'access' | 'refresh' | 'all';

export interface Fault {
  says: string;
  at: readonly FaultTarget[];
  /** A response that is sent instead of calling the service. */
  instead?: () => DemoResponse;
  /** Changes the service’s response. Null closes the connection instead. */
  change?: (response: DemoResponse) => DemoResponse | null;
  /** Delay before calling the service, in milliseconds. */
  wait?: number;
  forget?: Forget;
  /** Also applies to preflight requests. */
  preflight?: boolean;
}

const MEGABYTE = 1024 * 1024;
const MARKUP = '<img src=x onerror="alert(1)"><script>alert(2)</script><a href="javascript:alert(3)">click</a>';
const CLOCK_AHEAD = 10 * 60_000;

const json = (status: number, value: object, headers = {}): DemoResponse => ({
  status,
  headers: { 'content-type': 'application/json', 'cache-control': 'no-store', ...headers },
  body: Buffer.from(JSON.stringify(value)),
});
const tokenError = (status: number, error: string, description: string): Pick<Fault, 'at' | 'change'> => ({
  at: ['token'],
  // Keeps the service’s CORS headers, so that the page can read the error.
  change: ({ headers }) => json(status, { error, error_description: description }, cors(headers)),
});
const cors = (headers: DemoResponse['headers']): DemoResponse['headers'] =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => name.startsWith('access-control-') || name === 'vary'));

/** Edits the parameters of the redirect to the app, in the query or fragment. */
const redirectFault = (edit: (params: URLSearchParams) => void): Pick<Fault, 'at' | 'change'> => ({
  at: ['redirect'],
  change: (response) => editRedirect(response, edit),
});

function editRedirect(response: DemoResponse, edit: (params: URLSearchParams) => void): DemoResponse {
  const location = new URL(String(response.headers.location));
  const params = new URLSearchParams(location.hash ? location.hash.slice(1) : location.search);
  edit(params);
  if (location.hash) location.hash = params.toString();
  else location.search = params.toString();
  return { ...response, headers: { ...response.headers, location: location.href }, body: Buffer.alloc(0) };
}

const errorRedirect = (error: string, description: string) =>
  redirectFault((params) => {
    for (const name of Array.from(params.keys())) if (!KEPT_WITH_ERROR.has(name)) params.delete(name);
    params.set('error', error);
    params.set('error_description', description);
  });

/** Parameters of every response, with or without an error (RFC 6749 section 4.1.2.1, RFC 9207 section 2). */
const KEPT_WITH_ERROR = new Set(['state', 'iss']);

/** Edits a token’s fields, at the token endpoint or in the implicit flow’s redirect. */
const tokenFault = (edit: (token: Record<string, unknown>) => void): Pick<Fault, 'at' | 'change'> => ({
  at: ['token', 'redirect'],
  change(response) {
    const token: Record<string, unknown> = {};
    const editParameters = (params: URLSearchParams): void => {
      Object.assign(token, Object.fromEntries(params));
      edit(token);
      for (const name of Array.from(params.keys())) params.delete(name);
      for (const [name, value] of Object.entries(token)) params.set(name, String(value));
    };
    if (response.headers.location !== undefined) return editRedirect(response, editParameters);
    if (response.status !== 200) return response;
    Object.assign(token, JSON.parse(response.body.toString()));
    edit(token);
    return { ...response, body: Buffer.from(JSON.stringify(token)) };
  },
});

const responseFault = (change: (response: DemoResponse) => DemoResponse | null): Pick<Fault, 'at' | 'change'> => ({
  at: ['token', 'api'],
  change,
});

export const FAULTS: Record<string, Fault> = {
  'redirect-refused': {
    says: 'The service doesn’t recognize the redirect URL.',
    at: ['authorize'],
    instead: () =>
      pageResponse(
        400,
        'Unknown redirect_uri',
        'This redirect_uri isn’t registered for the client (invalid_redirect_uri).',
      ),
  },
  'wrong-state': {
    says: 'The callback’s state doesn’t match the one that was sent.',
    ...redirectFault((params) => params.set('state', 'somebody-elses')),
  },
  'no-state': { says: 'The callback has no state.', ...redirectFault((params) => params.delete('state')) },
  'two-codes': {
    says: 'The callback has two codes or two tokens.',
    ...redirectFault((params) => params.append(params.has('code') ? 'code' : 'access_token', 'another')),
  },
  'empty-callback': {
    says: 'The callback has no parameters.',
    ...redirectFault((params) => [...params.keys()].forEach((name) => params.delete(name))),
  },
  'access-denied': {
    says: 'The callback has the error access_denied.',
    ...errorRedirect('access_denied', 'The user or the service denied the request.'),
  },
  'markup-error': {
    says: 'The callback has an error with markup in its description.',
    ...errorRedirect('server_error', MARKUP),
  },
  'long-error': {
    says: 'The callback has an error with a 1 MB description.',
    at: ['redirect'],
    change: longError,
  },
  'expires-in-zero': { says: 'expires_in is 0.', ...tokenFault((token) => (token.expires_in = 0)) },
  'expires-in-negative': { says: 'expires_in is negative.', ...tokenFault((token) => (token.expires_in = -60)) },
  'expires-in-digits': {
    says: 'expires_in is a string of digits.',
    ...tokenFault((token) => (token.expires_in = String(token.expires_in))),
  },
  'expires-in-text': {
    says: 'expires_in isn’t a number.',
    ...tokenFault((token) => (token.expires_in = 'soon')),
  },
  'expires-in-absent': { says: 'expires_in is missing.', ...tokenFault((token) => delete token.expires_in) },
  'long-token': {
    says: 'The access token is 1 MB long.',
    ...tokenFault((token) => (token.access_token = 'a'.repeat(MEGABYTE))),
    at: ['token'],
  },
  'no-token': { says: 'The token response has no access token.', ...tokenFault((token) => delete token.access_token) },
  'form-encoded': { says: 'The token response is form-encoded.', ...tokenAsForm() },
  'error-in-200': {
    says: 'The token endpoint responds with an error and status 200.',
    ...tokenError(200, 'bad_verification_code', 'The code passed is incorrect or expired.'),
  },
  'code-used': {
    says: 'The token endpoint responds that the code was already used.',
    ...tokenError(400, 'invalid_grant', 'The authorization code was already used.'),
  },
  'client-refused': {
    says: 'The token endpoint rejects the client with status 401.',
    ...tokenError(401, 'invalid_client', 'The client is unknown, or its secret is wrong.'),
  },
  'long-token-error': {
    says: 'The token endpoint responds with a 1 MB description.',
    ...tokenError(400, 'invalid_request', `${MARKUP}${'x'.repeat(MEGABYTE)}`),
  },
  'expired-token': { says: 'All access tokens expire now.', at: ['now'], forget: 'access' },
  'refused-refresh': { says: 'All refresh tokens are revoked now.', at: ['now'], forget: 'refresh' },
  'revoked-session': {
    says: 'All tokens and permissions are removed now, and the remembered user is forgotten.',
    at: ['now'],
    forget: 'all',
  },
  slow: { says: 'The next response takes 3 seconds.', at: ['token', 'api'], wait: 3_000 },
  'no-cors': {
    says: 'The next response has no CORS headers.',
    preflight: true,
    ...responseFault((response) => ({
      ...response,
      headers: Object.fromEntries(
        Object.entries(response.headers).filter(([name]) => !name.startsWith('access-control-')),
      ),
    })),
  },
  malformed: {
    says: 'The next response is truncated JSON.',
    ...responseFault((response) => ({
      ...response,
      headers: { ...response.headers, 'content-type': 'application/json' },
      body: response.body.subarray(0, Math.floor(response.body.length / 2)),
    })),
  },
  'html-error': {
    says: 'The next response is an HTML page with status 502.',
    ...responseFault((response) => ({
      status: 502,
      headers: { ...cors(response.headers), 'content-type': 'text/html' },
      body: Buffer.from('<!doctype html><title>502 Bad Gateway</title><h1>Bad Gateway</h1><script>alert(1)</script>'),
    })),
  },
  'cut-off': { says: 'The connection closes without a response.', ...responseFault(() => null) },
  'clock-ahead': {
    says: 'The Date header of the next response is 10 minutes ahead.',
    ...responseFault((response) => ({
      ...response,
      headers: { ...response.headers, date: new Date(Date.now() + CLOCK_AHEAD).toUTCString() },
    })),
  },
};

/** Headers and requests can’t be this long, so a page does the redirect, and the data goes in the fragment. */
function longError(response: DemoResponse): DemoResponse {
  const location = new URL(String(response.headers.location));
  const params = new URLSearchParams(location.search + location.hash.replace('#', '&'));
  const kept = [...params].filter(([name]) => KEPT_WITH_ERROR.has(name));
  location.search = '';
  location.hash = new URLSearchParams([
    ...kept,
    ['error', 'server_error'],
    ['error_description', 'x'.repeat(MEGABYTE)],
  ]).toString();
  return pageResponse(200, 'Redirecting…', 'You’re being redirected to the app.', location.href);
}

function tokenAsForm(): Pick<Fault, 'at' | 'change'> {
  return {
    at: ['token'],
    change(response) {
      const fields = JSON.parse(response.body.toString()) as Record<string, unknown>;
      return {
        ...response,
        headers: { ...response.headers, 'content-type': 'application/x-www-form-urlencoded' },
        body: Buffer.from(
          new URLSearchParams(Object.entries(fields).map(([name, value]) => [name, String(value)])).toString(),
        ),
      };
    },
  };
}
