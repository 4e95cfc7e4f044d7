/** The public types of `Platform.OAuth2`: configuration, session, errors, events, and what observers receive. */

/** One service (specification, "OAuth2 service configuration"). */
export interface ServiceConfiguration {
  clientId: string;
  /** Sent in the body of token requests (RFC 6749 section 2.3.1). `''` for a public client: then nothing is sent. */
  clientSecret: string;
  /** A full URL: a page on the app’s own origin, or the platform’s `/v1/auth/sso-callback`. */
  redirectUrl: string;
  /** https, or http on loopback. Its query is kept. */
  authUrl: string;
  /** `token`: implicit flow; `code`: explicit flow. Default `token`. */
  grantType?: 'token' | 'code';
  /** Required with `code`. https, or http on loopback. */
  grantUrl?: string;
  /** Added to the token request of a login. Overrides everything but the code and its verifier. */
  grantData?: Record<string, string | number | boolean>;
  /** Relative paths of `api()` are joined to it. */
  baseUrl?: string;
  /** Sends token and API requests through the platform. Default false. */
  useProxy?: boolean;
  /** Sent as it is, and expected back. Default: 128 random bits for each login. */
  state?: string;
  /** Separated by commas. Sent separated by spaces (RFC 6749 section 3.3). */
  scope?: string;
  /** Whether the service refreshes access tokens. Default false. */
  refresh?: boolean;
  /** Additive: false turns PKCE (RFC 7636) off in the explicit flow. Default true. */
  pkce?: boolean;
  /**
   * Additive: the service’s issuer. A callback with another `iss` is refused (RFC 9207).
   * Without this option, an `iss` on another host than `authUrl` is refused.
   */
  issuer?: string;
  /** Additive: where `logout()` revokes the tokens (RFC 7009). */
  revokeUrl?: string;
  /** Additive: time limit of a token request or API call, in milliseconds. Default 60,000. */
  timeout?: number;
  /** Additive: time limit of a login, in milliseconds. Default 600,000. */
  loginTimeout?: number;
}

/** Options of `createOAuth2(window, options)`. */
export interface OAuth2Options {
  /** The platform’s `/v1/proxy`, for services with `useProxy`. Default: the one on the page’s own origin. */
  proxyUrl?: string;
}

/** A session. */
export interface AuthResponse {
  service: string;
  access_token: string;
  token_type: string;
  /** Seconds. Absent when the service sent no number. 0 or less means expired. */
  expires_in?: number;
  /** Epoch seconds by this device’s clock. Absent without `expires_in`. */
  expires?: number;
  /** The granted scopes, or the requested ones when the service doesn’t say. Separated by spaces. */
  scope: string;
  /** The state of the login. */
  state: string;
  refresh_token?: string;
}

export type AuthEventName = 'auth.login' | 'auth.fail' | 'auth.logout';

/** What handlers receive: the session, the error, or nothing. */
export interface AuthEvents {
  'auth.login': AuthResponse;
  'auth.fail': OAuth2Failure;
  'auth.logout': undefined;
}

export type Method = 'get' | 'post' | 'put' | 'delete';

/** The options of `api()` (specification, "Options of `api(options)`"). */
export interface ApiOptions {
  /** Relative to `baseUrl`, or a full URL. */
  path: string;
  /** In upper or lower case. Default `get`. */
  method?: Method | Uppercase<Method>;
  /** With `get`, the query. With `post` and `put`, JSON, or multipart for FormData, inputs, and forms. */
  data?: object | FormData | HTMLInputElement | HTMLFormElement | null;
}

/** Why a call failed. */
export type OAuth2ErrorCode =
  /* configure(), and calls with wrong arguments */
  | 'OPTION_MISSING' // a required option, or grantUrl with `code`
  | 'OPTION_UNKNOWN' // probably misspelled: the message suggests a similar name
  | 'OPTION_INVALID'
  | 'SERVICE_UNKNOWN' // not configured
  | 'ARGUMENT_INVALID' // of api(), on(), or configure()
  /* login */
  | 'POPUP_BLOCKED'
  | 'POPUP_CLOSED' // by the user, or a page in it cut itself off from its opener (COOP)
  | 'LOGIN_TIMEOUT'
  | 'LOGIN_REFUSED' // `error` and `description` come from the service
  | 'STATE_MISMATCH'
  | 'ISSUER_MISMATCH'
  | 'CALLBACK_INVALID' // no code or token, or a repeated parameter
  | 'PAGE_INSECURE' // PKCE needs https
  /* token requests */
  | 'TOKEN_REFUSED' // `status`, `error`, and `description` come from the service
  | 'TOKEN_INVALID' // not a token response; with `status`
  | 'REFRESH_REFUSED' // like TOKEN_REFUSED; the session has ended
  | 'REFRESH_UNAVAILABLE' // refresh() without a refresh token
  /* api */
  | 'NOT_LOGGED_IN'
  | 'PATH_RELATIVE' // without baseUrl
  | 'URL_INSECURE' // tokens are sent over https, or over http to loopback
  | 'SESSION_EXPIRED' // status 401, and the session has expired
  | 'API_REFUSED' // status 400 or more; with `status` and `body`
  | 'ANSWER_INVALID' // a JSON response that can't be parsed; with `status`
  /* any request */
  | 'NETWORK_FAILED'
  | 'CORS_REFUSED' // the host responds, but not to this origin
  | 'REQUEST_TIMEOUT'
  | 'PROXY_FAILED'; // refused by the platform: `status`, and its code in `error`

/** What calls throw or reject with, and what `auth.fail` receives. Contains no token, code, secret, or verifier. */
export interface OAuth2Failure extends Error {
  code: OAuth2ErrorCode;
  /** `''` when the error isn’t about a service. */
  service: string;
  /** The option that the error is about. */
  option?: string;
  /** HTTP status of the service’s refusal. */
  status?: number;
  /** Of API_REFUSED: parsed JSON, or text. */
  body?: unknown;
  /** The service’s own code, such as `invalid_grant` (RFC 6749 section 5.2). */
  error?: string;
  /** The service’s own sentence, which may be anything, cut at 300 characters. */
  description?: string;
}

/** What observers receive. Contains no token, code, secret, or verifier; URLs have no fragment and no query values. */
export type FlowEvent = FlowHead & FlowDetail;

export interface FlowHead {
  /** Counts from 1 within a page. */
  n: number;
  /** Epoch milliseconds. */
  at: number;
  service: string;
}

export type FlowDetail =
  | { kind: 'configured' }
  /** `configure()` threw, perhaps before there were observers. */
  | { kind: 'refused'; call: 'configure'; code: OAuth2ErrorCode; message: string; option: string | null }
  | {
      kind: 'login-started';
      grantType: 'token' | 'code';
      pkce: boolean;
      authUrl: string;
      redirectUrl: string;
      scope: string | null;
      /** The login joined one that was already open. */
      shared: boolean;
    }
  | { kind: 'popup'; state: 'opened' | 'focused' | 'blocked' | 'closed' }
  | {
      kind: 'callback';
      origin: string;
      /** Names of the first 20. */
      parameters: string[];
      /** The service’s error code. */
      error: string | null;
      /** The service’s own sentence, cut at 300 characters. */
      description: string | null;
    }
  | { kind: 'state-checked'; matches: boolean }
  | {
      kind: 'token-requested';
      grant: 'authorization_code' | 'refresh_token';
      url: string;
      proxy: boolean;
      reason: 'login' | 'expired' | 'unauthorized' | 'asked';
    }
  | {
      kind: 'token-answered';
      status: number | null;
      milliseconds: number;
      /** The library’s code. */
      code: OAuth2ErrorCode | null;
      /** The service’s code. */
      error: string | null;
      /** The service’s own sentence, cut at 300 characters. */
      description: string | null;
      /** How far this device’s clock is ahead of the service’s, in seconds. Null when the response’s date is hidden. */
      clockAhead: number | null;
      token: { type: string; expiresIn: number | null; scope: string | null; refreshable: boolean } | null;
    }
  | {
      kind: 'session';
      change: 'stored' | 'removed' | 'changed-elsewhere';
      /** False when the session is in memory, since the browser’s storage is full or blocked. */
      persistent: boolean;
    }
  | { kind: 'event'; name: AuthEventName; code: OAuth2ErrorCode | null }
  | { kind: 'api-started'; call: number; method: string; url: string; proxy: boolean }
  | {
      kind: 'api-ended';
      call: number;
      status: number | null;
      milliseconds: number;
      /** Length of the response in characters. */
      bytes: number | null;
      code: OAuth2ErrorCode | null;
    };

/** `Platform.OAuth2(service)` (specification, "OAuth2 client library (beta)"). */
export interface OAuth2Service {
  /**
   * Opens a popup, so call it in a click handler. While one is open, focuses it and shares its outcome.
   * Rejects with an `OAuth2Failure`, after `auth.fail`.
   */
  login(): Promise<AuthResponse>;
  /** Ends the session on this device even if the service can’t be reached, and fires `auth.logout`. */
  logout(): Promise<void>;
  /** The session, expired or not, or null. */
  getAuthResponse(): Promise<AuthResponse | null>;
  /** Sends a GET. Resolves with parsed JSON, or with text. Rejects with an `OAuth2Failure`. */
  api(path: string): Promise<unknown>;
  api(options: ApiOptions): Promise<unknown>;
  /** @throws OAuth2Failure ARGUMENT_INVALID for an unknown event */
  on<E extends AuthEventName>(eventName: E, fn: (detail: AuthEvents[E]) => void): null;
  /** Without `fn`, removes every handler of the event. */
  off<E extends AuthEventName>(eventName: E, fn?: (detail: AuthEvents[E]) => void): null;
  /** Additive: refreshes the token now. Rejects with REFRESH_UNAVAILABLE, or with the error of the refresh. */
  refresh(): Promise<AuthResponse>;
}

/** `Platform.OAuth2`. */
export interface OAuth2 {
  (service: string): OAuth2Service;
  /**
   * Configures all services, or none when it throws.
   * @throws OAuth2Failure OPTION_MISSING, OPTION_UNKNOWN, OPTION_INVALID, ARGUMENT_INVALID
   */
  configure(service: string, configuration: ServiceConfiguration): OAuth2;
  configure(services: Record<string, ServiceConfiguration>): OAuth2;
  /** A copy, or null when there is none. */
  configure(service: string): ServiceConfiguration | null;
  /** Copies of all. */
  configure(): Record<string, ServiceConfiguration>;
  /** Additive: calls `fn` with the last 200 events, then with each new one. Call the returned function to stop. */
  observe(fn: (event: FlowEvent) => void): () => void;
  /** Names of additive features. */
  features: readonly string[];
  version: string;
}
