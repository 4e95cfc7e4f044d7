/** Owns the faults that a demo service has on offer: where each strikes, what it says, and what it does to an answer. */
import type { Answer } from './answer.ts';
import { pageAnswer } from './pages.ts';

/** `authorize`: before the login page. `redirect`: the way back to the app. `token`: the token endpoint. `api`: the protected API. `now`: at once. */
export type Place = 'authorize' | 'redirect' | 'token' | 'api' | 'now';
/** What the service forgets: access tokens, refresh tokens, or everything with the remembered login. */
export type Forget = 'access' | 'refresh' | 'all';

export interface Fault {
  says: string;
  at: readonly Place[];
  /** Answers in place of the service, which then never hears of the request. */
  instead?: () => Answer;
  /** The service's own answer, changed; null closes the connection instead. */
  change?: (answer: Answer) => Answer | null;
  /** Waits this many milliseconds before the service hears of the request. */
  wait?: number;
  forget?: Forget;
  /** Strikes a preflight too. */
  preflight?: boolean;
}

const MEGABYTE = 1024 * 1024;
const MARKUP = '<img src=x onerror="alert(1)"><script>alert(2)</script><a href="javascript:alert(3)">click</a>';
const CLOCK_AHEAD = 10 * 60_000;

const json = (status: number, value: object, headers = {}): Answer => ({
  status,
  headers: { 'content-type': 'application/json', 'cache-control': 'no-store', ...headers },
  body: Buffer.from(JSON.stringify(value)),
});
const tokenError = (status: number, error: string, description: string): Pick<Fault, 'at' | 'change'> => ({
  at: ['token'],
  // The service's own headers stay, so that its CORS rules are those of any other answer.
  change: ({ headers }) => json(status, { error, error_description: description }, cors(headers)),
});
const cors = (headers: Answer['headers']): Answer['headers'] =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => name.startsWith('access-control-') || name === 'vary'));

/** The parameters that the app is answered with, in the query or the fragment, wherever the service put them. */
const back = (edit: (params: URLSearchParams) => void): Pick<Fault, 'at' | 'change'> => ({
  at: ['redirect'],
  change: (answer) => editRedirect(answer, edit),
});

function editRedirect(answer: Answer, edit: (params: URLSearchParams) => void): Answer {
  const location = new URL(String(answer.headers.location));
  const params = new URLSearchParams(location.hash ? location.hash.slice(1) : location.search);
  edit(params);
  if (location.hash) location.hash = params.toString();
  else location.search = params.toString();
  return { ...answer, headers: { ...answer.headers, location: location.href }, body: Buffer.alloc(0) };
}

const failed = (error: string, description: string) =>
  back((params) => {
    const state = params.get('state');
    for (const name of Array.from(params.keys())) params.delete(name);
    for (const [name, value] of Object.entries({
      error,
      error_description: description,
      ...(state !== null && { state }),
    }))
      params.set(name, value);
  });

/** Changes what a token is told with, at the token endpoint or on the way back of the implicit flow; other answers are left alone. */
const told = (edit: (token: Record<string, unknown>) => void): Pick<Fault, 'at' | 'change'> => ({
  at: ['token', 'redirect'],
  change(answer) {
    const token: Record<string, unknown> = {};
    const copy = (params: URLSearchParams): void => {
      Object.assign(token, Object.fromEntries(params));
      edit(token);
      for (const name of Array.from(params.keys())) params.delete(name);
      for (const [name, value] of Object.entries(token)) params.set(name, String(value));
    };
    if (answer.headers.location !== undefined) return editRedirect(answer, copy);
    if (answer.status !== 200) return answer;
    Object.assign(token, JSON.parse(answer.body.toString()));
    edit(token);
    return { ...answer, body: Buffer.from(JSON.stringify(token)) };
  },
});

const changed = (change: (answer: Answer) => Answer | null): Pick<Fault, 'at' | 'change'> => ({
  at: ['token', 'api'],
  change,
});

export const FAULTS: Record<string, Fault> = {
  'redirect-refused': {
    says: 'The service says that the redirect URL is not registered.',
    at: ['authorize'],
    instead: () =>
      pageAnswer(
        400,
        'redirect_uri not registered',
        'The service does not know the redirect_uri of this request for this client (invalid_redirect_uri).',
      ),
  },
  'wrong-state': {
    says: 'The callback carries another state.',
    ...back((params) => params.set('state', 'somebody-elses')),
  },
  'no-state': { says: 'The callback carries no state.', ...back((params) => params.delete('state')) },
  'two-codes': {
    says: 'The callback carries two codes, or two tokens.',
    ...back((params) => params.append(params.has('code') ? 'code' : 'access_token', 'another')),
  },
  'empty-callback': {
    says: 'The callback carries nothing.',
    ...back((params) => [...params.keys()].forEach((name) => params.delete(name))),
  },
  'access-denied': {
    says: 'The callback says that access was denied.',
    ...failed('access_denied', 'The person or the service denied the request.'),
  },
  'markup-error': {
    says: 'The callback carries an error with markup in its description.',
    ...failed('server_error', MARKUP),
  },
  'long-error': {
    says: 'The callback carries an error with a description of 1 MB.',
    at: ['redirect'],
    change: longError,
  },
  'expires-in-zero': { says: 'The token lives for 0 seconds.', ...told((token) => (token.expires_in = 0)) },
  'expires-in-negative': { says: 'expires_in is negative.', ...told((token) => (token.expires_in = -60)) },
  'expires-in-digits': {
    says: 'expires_in is a text of digits.',
    ...told((token) => (token.expires_in = String(token.expires_in))),
  },
  'expires-in-text': {
    says: 'expires_in is a text that is no number.',
    ...told((token) => (token.expires_in = 'soon')),
  },
  'expires-in-absent': { says: 'expires_in is absent.', ...told((token) => delete token.expires_in) },
  'long-token': {
    says: 'The access token has 1 MB.',
    ...told((token) => (token.access_token = 'a'.repeat(MEGABYTE))),
    at: ['token'],
  },
  'no-token': { says: 'The token answer has no access token.', ...told((token) => delete token.access_token) },
  'form-encoded': { says: 'The token answer is form-encoded.', ...tokenAsForm() },
  'error-in-200': {
    says: 'The token endpoint tells its error in an answer of 200.',
    ...tokenError(200, 'bad_verification_code', 'The code passed is incorrect or expired.'),
  },
  'code-used': {
    says: 'The token endpoint says that the code was used before.',
    ...tokenError(400, 'invalid_grant', 'The authorization code was used already.'),
  },
  'client-refused': {
    says: 'The token endpoint refuses the client with 401.',
    ...tokenError(401, 'invalid_client', 'The client or its secret is not known.'),
  },
  'long-token-error': {
    says: 'The token endpoint answers an error with a description of 1 MB.',
    ...tokenError(400, 'invalid_request', `${MARKUP}${'x'.repeat(MEGABYTE)}`),
  },
  'expired-token': { says: 'All access tokens so far expire now.', at: ['now'], forget: 'access' },
  'refused-refresh': { says: 'All refresh tokens so far are refused from now on.', at: ['now'], forget: 'refresh' },
  'revoked-session': {
    says: 'All sessions are revoked now: tokens, consent and the remembered login.',
    at: ['now'],
    forget: 'all',
  },
  slow: { says: 'The next answer takes 3 seconds.', at: ['token', 'api'], wait: 3_000 },
  'no-cors': {
    says: 'The next answer has no CORS headers.',
    preflight: true,
    ...changed((answer) => ({
      ...answer,
      headers: Object.fromEntries(
        Object.entries(answer.headers).filter(([name]) => !name.startsWith('access-control-')),
      ),
    })),
  },
  malformed: {
    says: 'The next answer is JSON that ends in the middle.',
    ...changed((answer) => ({
      ...answer,
      headers: { ...answer.headers, 'content-type': 'application/json' },
      body: answer.body.subarray(0, Math.floor(answer.body.length / 2)),
    })),
  },
  'html-error': {
    says: 'The next answer is an HTML page with status 502.',
    ...changed((answer) => ({
      status: 502,
      headers: { ...cors(answer.headers), 'content-type': 'text/html' },
      body: Buffer.from('<!doctype html><title>502 Bad Gateway</title><h1>Bad Gateway</h1><script>alert(1)</script>'),
    })),
  },
  'cut-off': { says: 'The connection is closed without an answer.', ...changed(() => null) },
  'clock-ahead': {
    says: 'The clock of the next answer is 10 minutes ahead.',
    ...changed((answer) => ({
      ...answer,
      headers: { ...answer.headers, date: new Date(Date.now() + CLOCK_AHEAD).toUTCString() },
    })),
  },
};

/** By way of a page, and in the fragment: neither a header nor a request's address may be that long. */
function longError(answer: Answer): Answer {
  const state =
    new URLSearchParams(new URL(String(answer.headers.location)).search).get('state') ??
    new URLSearchParams(new URL(String(answer.headers.location)).hash.slice(1)).get('state');
  const location = new URL(String(answer.headers.location));
  location.search = '';
  location.hash = new URLSearchParams({
    error: 'server_error',
    ...(state !== null && { state }),
    error_description: 'x'.repeat(MEGABYTE),
  }).toString();
  return pageAnswer(200, 'Going back', 'The service sends you back to the app.', location.href);
}

function tokenAsForm(): Pick<Fault, 'at' | 'change'> {
  return {
    at: ['token'],
    change(answer) {
      const fields = JSON.parse(answer.body.toString()) as Record<string, unknown>;
      return {
        ...answer,
        headers: { ...answer.headers, 'content-type': 'application/x-www-form-urlencoded' },
        body: Buffer.from(
          new URLSearchParams(Object.entries(fields).map(([name, value]) => [name, String(value)])).toString(),
        ),
      };
    },
  };
}
