/** The public types of `Platform.OAuth2`: configuration, session, errors, events, and what observers receive. */

/** A service’s configuration (specification, "OAuth2 service configuration"). */
export interface ServiceConfiguration {
  clientId: string;
  /**
   * Sent in the body of token requests (RFC 6749 section 2.3.1). Use `''` for a public client: then no secret is sent.
   */
  clientSecret: string;
  /**
   * A full URL without fragment, and without parameters of a callback (`code`, `state`, …): a page on the app’s own
   * origin, or the platform’s `/v1/auth/sso-callback`.
   */
  redirectUrl: string;
  /** The URL’s own query is kept. http is changed to https with a console warning, except on loopback. */
  authUrl: string;
  /** `token`: implicit flow; `code`: explicit flow. Default `token`. */
  grantType?: 'token' | 'code';
  /** Required with `code`. https, or http on loopback. */
  grantUrl?: string;
  /** Extra parameters for a login’s token request. They override all parameters except the code and its verifier. */
  grantData?: Record<string, string | number | boolean>;
  /** Prefix for relative paths in `api()`. Its own query is kept. */
  baseUrl?: string;
  /** Sends token and API requests through the platform. Default false. */
  useProxy?: boolean;
  /** Sent unchanged, and expected back. Default: 128 random bits for each login. */
  state?: string;
  /** Separated by commas here, but sent separated by spaces (RFC 6749 section 3.3) or `scopeSeparator`. */
  scope?: string;
  /** Not in the specification: `,` for services that want commas between scopes. Default a space. */
  scopeSeparator?: ' ' | ',';
  /** Whether the service refreshes access tokens. Default false. */
  refresh?: boolean;
  /** Not in the specification: false turns off PKCE (RFC 7636) in the explicit flow. Default true. */
  pkce?: boolean;
  /**
   * Not in the specification: the service’s issuer. A callback with a different `iss` is refused (RFC 9207). Without
   * this option, an `iss` whose host differs from that of `authUrl` is refused.
   */
  issuer?: string;
  /** Not in the specification: where `logout()` revokes the tokens (RFC 7009). */
  revokeUrl?: string;
  /** Not in the specification: time limit for a token request or API call, in milliseconds. Default 60,000. */
  timeout?: number;
  /** Not in the specification: time limit for a login, in milliseconds. Default 600,000. */
  loginTimeout?: number;
}

/** Options of `createOAuth2(window, options)`. */
export interface OAuth2Options {
  /** The platform’s `/v1/proxy`, for services with `useProxy`. Default: the one on the page’s own origin. */
  proxyUrl?: string;
}

/** The fields of a session that the library reads. */
export interface AuthFields {
  service: string;
  access_token: string;
  token_type: string;
  /** Seconds. Absent if the service sent no number. 0 or less means expired. */
  expires_in?: number;
  /** Epoch seconds by this device’s clock. Absent if `expires_in` is. */
  expires?: number;
  /** The granted scopes, separated by spaces. The requested ones if the response has no `scope`. */
  scope: string;
  /** The login’s `state`. */
  state: string;
  refresh_token?: string;
}

/** A session. Also has the fields of the token response that only the service knows, such as `id_token`. */
export interface AuthResponse extends AuthFields {
  [field: string]: unknown;
}

export type AuthEventName = 'auth.login' | 'auth.fail' | 'auth.logout';

/** What handlers receive: the session, the error, or undefined. */
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
  /** In uppercase or lowercase. Default `get`. */
  method?: Method | Uppercase<Method>;
  /**
   * With `get`, the query: what isn’t text has the form that it has in JSON. With `post` and `put`, sent as multipart
   * for FormData, forms, inputs, and FileLists, as it is for Files, Blobs, buffers, and URLSearchParams, and as JSON
   * otherwise. Rejects with ARGUMENT_INVALID for what JSON can’t hold, such as a nested File, a Map, a function, or NaN.
   */
  data?: object | FormData | HTMLInputElement | HTMLFormElement | null;
}

/** Why a call failed. */
export type OAuth2ErrorCode =
  /* configure(), and calls with wrong arguments */
  | 'OPTION_MISSING' // a required option, or grantUrl with `code`
  | 'OPTION_UNKNOWN' // probably misspelled: the message suggests a similar name
  | 'OPTION_INVALID'
  | 'SERVICE_UNKNOWN' // not configured: any call but on() and off()
  | 'ARGUMENT_INVALID' // of api(), on(), or configure()
  /* login */
  | 'POPUP_BLOCKED'
  | 'POPUP_CLOSED' // by the user, or because a page in the popup cut itself off from its opener (COOP)
  | 'LOGIN_TIMEOUT'
  | 'LOGIN_REFUSED' // `error` and `description` come from the service
  | 'STATE_MISMATCH'
  | 'ISSUER_MISMATCH'
  | 'CALLBACK_INVALID' // no code or token, or a repeated parameter
  | 'PAGE_INSECURE' // PKCE needs https
  /* token requests */
  | 'TOKEN_REFUSED' // `status`, `error`, and `description` come from the service
  | 'TOKEN_INVALID' // not a token response; see `status`
  | 'REFRESH_REFUSED' // like TOKEN_REFUSED, but the refresh token is refused; the session has ended
  | 'REFRESH_UNAVAILABLE' // refresh() without a refresh token
  /* api */
  | 'NOT_LOGGED_IN'
  | 'PATH_RELATIVE' // without baseUrl
  | 'URL_INSECURE' // tokens are sent only over https, or over http to loopback
  | 'SESSION_EXPIRED' // status 401, and the session has expired by this device's clock
  | 'API_REFUSED' // status 400 or higher; see `status` and `body`
  | 'ANSWER_INVALID' // a JSON response that can't be parsed, or the connection broke before its end; see `status`
  /* any request */
  | 'NETWORK_FAILED'
  | 'CORS_REFUSED' // no response, but the host responds: it doesn't allow this origin, or the connection broke
  | 'REQUEST_TIMEOUT'
  | 'PROXY_FAILED'; // refused by the platform (see `status`, and its code in `error`), or not known to be the service's

/**
 * The error that calls throw or reject with, and that `auth.fail` receives. Contains no token, code, secret, or
 * verifier.
 */
export interface OAuth2Failure extends Error {
  code: OAuth2ErrorCode;
  /** `''` when the error isn’t about a service. */
  service: string;
  /** The option that caused the error. */
  option?: string;
  /** HTTP status of the service’s response. */
  status?: number;
  /** The body of an API_REFUSED response: parsed JSON, or text. */
  body?: unknown;
  /** The service’s own code, such as `invalid_grant` (RFC 6749 section 5.2). */
  error?: string;
  /** The service’s own message, which can be any text, cut off at 300 characters. */
  description?: string;
}

/** What observers receive. Contains no token, code, secret, or verifier. URLs have no fragment and no query values. */
export type FlowEvent = FlowHead & FlowDetail;

export interface FlowHead {
  /** Counts from 1 in each page. */
  n: number;
  /** Epoch milliseconds. */
  at: number;
  service: string;
}

export type FlowDetail =
  | { kind: 'configured' }
  /** `configure()` threw, perhaps before there were any observers. */
  | { kind: 'refused'; call: 'configure'; code: OAuth2ErrorCode; message: string; option: string | null }
  | {
      kind: 'login-started';
      grantType: 'token' | 'code';
      pkce: boolean;
      authUrl: string;
      redirectUrl: string;
      scope: string | null;
      /** The call joined a login that was already open. */
      shared: boolean;
    }
  | { kind: 'popup'; state: 'opened' | 'focused' | 'blocked' | 'closed' }
  | {
      kind: 'callback';
      origin: string;
      /** The names of up to 20 parameters. */
      parameters: string[];
      /** The service’s error code. */
      error: string | null;
      /** The service’s own message, cut off at 300 characters. */
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
      /** The library’s error code. */
      code: OAuth2ErrorCode | null;
      /** The service’s error code. */
      error: string | null;
      /** The service’s own message, cut off at 300 characters. */
      description: string | null;
      /**
       * How many seconds this device’s clock is ahead of the service’s. Null if the response’s Date header is hidden.
       */
      clockAhead: number | null;
      token: { type: string; expiresIn: number | null; scope: string | null; refreshable: boolean } | null;
    }
  | {
      kind: 'session';
      change: 'stored' | 'removed' | 'changed-elsewhere';
      /** False if the session is only in memory, because the browser’s storage is full or blocked. */
      persistent: boolean;
    }
  | { kind: 'event'; name: AuthEventName; code: OAuth2ErrorCode | null }
  | { kind: 'api-started'; call: number; method: string; url: string; proxy: boolean }
  | {
      kind: 'api-ended';
      call: number;
      status: number | null;
      milliseconds: number;
      /** The response’s length in characters. */
      bytes: number | null;
      code: OAuth2ErrorCode | null;
      /** The response’s headers that the page may read, each as `name: value`. Null if there was no response. */
      headers: string[] | null;
    };

/** `Platform.OAuth2(service)` (specification, "OAuth2 client library (beta)"). */
export interface OAuth2Service {
  /**
   * Opens a popup, so call it in a click handler. If a login is already open, focuses its popup and shares its outcome.
   * Rejects with an `OAuth2Failure`, after `auth.fail`.
   */
  login(): Promise<AuthResponse>;
  /**
   * Ends the session on this device even if the service can’t be reached, and fires `auth.logout`. Rejects with
   * SERVICE_UNKNOWN.
   * @returns `revoked`, which isn’t in the specification: whether the service confirmed that it revoked the token. Null
   * if it wasn’t asked to
   */
  logout(): Promise<{ revoked: boolean | null }>;
  /** The session (even if it has expired), or null. */
  getAuthResponse(): Promise<AuthResponse | null>;
  /** Sends a GET request. Resolves with parsed JSON, or with text. Rejects with an `OAuth2Failure`. */
  api(path: string): Promise<unknown>;
  api(options: ApiOptions): Promise<unknown>;
  /** @throws OAuth2Failure ARGUMENT_INVALID for an unknown event */
  on<E extends AuthEventName>(eventName: E, fn: (detail: AuthEvents[E]) => void): null;
  /** Without `fn`, removes all of the event’s handlers. */
  off<E extends AuthEventName>(eventName: E, fn?: (detail: AuthEvents[E]) => void): null;
  /**
   * Not in the specification: refreshes the token now. Rejects with REFRESH_UNAVAILABLE, or with the refresh’s error.
   */
  refresh(): Promise<AuthResponse>;
}

/** `Platform.OAuth2`. */
export interface OAuth2 {
  (service: string): OAuth2Service;
  /**
   * Configures all services. If it throws, it configures none.
   * @throws OAuth2Failure OPTION_MISSING, OPTION_UNKNOWN, OPTION_INVALID, ARGUMENT_INVALID
   */
  configure(service: string, configuration: ServiceConfiguration): OAuth2;
  configure(services: Record<string, ServiceConfiguration>): OAuth2;
  /** Returns a copy of the configuration, or null if there is none. */
  configure(service: string): ServiceConfiguration | null;
  /** Returns copies of all configurations. */
  configure(): Record<string, ServiceConfiguration>;
  /**
   * Not in the specification: calls `fn` with the last 200 events, then with each new one. Call the returned function
   * to stop.
   */
  observe(fn: (event: FlowEvent) => void): () => void;
  /** Names of features that aren’t in the specification. */
  features: readonly string[];
  version: string;
}
