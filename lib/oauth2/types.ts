/** Owns what callers and observers of `Platform.OAuth2` see: configuration, session, error codes, events and the flow as it happens. */

/** One service (specification, "OAuth2 service configuration"). */
export interface ServiceConfiguration {
  clientId: string;
  /** Sent in the body of token requests (RFC 6749 section 2.3.1); `''` for a public client, of which nothing is sent. */
  clientSecret: string;
  /** A full address: a page of the app's own origin, or the platform's `/v1/auth/sso-callback`. */
  redirectUrl: string;
  /** https, or http on loopback; its query is kept. */
  authUrl: string;
  /** `token`: implicit flow; `code`: explicit flow. Default `token`. */
  grantType?: 'token' | 'code';
  /** Required with `code`; https, or http on loopback. */
  grantUrl?: string;
  /** More parameters of the token request of a login; they win over ours, but for code and verifier. */
  grantData?: Record<string, string | number | boolean>;
  /** What relative paths of `api()` are joined to. */
  baseUrl?: string;
  /** Token and API requests go through the platform. Default false. */
  useProxy?: boolean;
  /** Sent and expected back as it is; otherwise 128 random bits for each login. */
  state?: string;
  /** As the service names them, between commas; sent between spaces (RFC 6749 section 3.3). */
  scope?: string;
  /** Whether the service refreshes access tokens. Default false. */
  refresh?: boolean;
  /** Additive: false leaves PKCE (RFC 7636) out of the explicit flow. Default true. */
  pkce?: boolean;
  /** Additive: the service's issuer; a callback whose `iss` differs is refused (RFC 9207), without the option one whose `iss` is of another host than `authUrl`. */
  issuer?: string;
  /** Additive: where `logout()` revokes the tokens (RFC 7009). */
  revokeUrl?: string;
  /** Additive: how long a token request or API call may take, in milliseconds. Default 60,000. */
  timeout?: number;
  /** Additive: how long a person may take to log in, in milliseconds. Default 600,000. */
  loginTimeout?: number;
}

/** A session (decisions, "OAuth2 library"). */
export interface AuthResponse {
  service: string;
  access_token: string;
  token_type: string;
  /** Seconds; absent when the service gave no number. 0 or less is expired. */
  expires_in?: number;
  /** Epoch seconds by this device's clock; absent with `expires_in`. */
  expires?: number;
  /** What the service granted, otherwise what was asked for; between spaces. */
  scope: string;
  /** Of the login. */
  state: string;
  refresh_token?: string;
}

export type AuthEventName = 'auth.login' | 'auth.fail' | 'auth.logout';

/** What `auth.login` hands over is the session, `auth.fail` the error, `auth.logout` nothing. */
export interface AuthEvents {
  'auth.login': AuthResponse;
  'auth.fail': OAuth2Failure;
  'auth.logout': undefined;
}

export type Method = 'get' | 'post' | 'put' | 'delete';

/** The options of `api()` (specification, "Options of `api(options)`"). */
export interface ApiOptions {
  /** Relative to `baseUrl`, or a full address. */
  path: string;
  /** In any case. Default `get`. */
  method?: Method | Uppercase<Method>;
  /** With `get` the query; with `post` and `put` JSON, or multipart for the other three. */
  data?: object | FormData | HTMLInputElement | HTMLFormElement | null;
}

/** Every way in which the library refuses or fails. */
export type OAuth2ErrorCode =
  /* configure, and calls that can't be right */
  | 'OPTION_MISSING' // a required option, or grantUrl with code
  | 'OPTION_UNKNOWN' // most likely misspelled; the sentence suggests the near one
  | 'OPTION_INVALID' // of the wrong type, or no address
  | 'SERVICE_UNKNOWN' // not configured
  | 'ARGUMENT_INVALID' // of api(), on() or configure()
  /* login */
  | 'POPUP_BLOCKED'
  | 'POPUP_CLOSED' // by the person, or its page cut itself off (COOP)
  | 'LOGIN_TIMEOUT'
  | 'LOGIN_REFUSED' // `error` and `description` are the service's
  | 'STATE_MISMATCH'
  | 'ISSUER_MISMATCH'
  | 'CALLBACK_INVALID' // neither code nor token, or a parameter twice
  | 'PAGE_INSECURE' // no https, so no PKCE
  /* token requests */
  | 'TOKEN_REFUSED' // `status`, `error` and `description` are the service's
  | 'TOKEN_INVALID' // an answer that is no token answer; `status`
  | 'REFRESH_REFUSED' // as TOKEN_REFUSED; the session has ended
  | 'REFRESH_UNAVAILABLE' // refresh() without a refresh token
  /* api */
  | 'NOT_LOGGED_IN'
  | 'PATH_RELATIVE' // and no baseUrl
  | 'URL_INSECURE' // a token goes to https, or http on loopback, alone
  | 'SESSION_EXPIRED' // 401, and the session is past its time
  | 'API_REFUSED' // a status of 400 or more; `status` and `body`
  | 'ANSWER_INVALID' // says that it is JSON, and is not; `status`
  /* any request */
  | 'NETWORK_FAILED'
  | 'CORS_REFUSED' // the host answers, but not to this origin
  | 'REQUEST_TIMEOUT'
  | 'PROXY_FAILED'; // the platform's own refusal: `status`, `error` its code

/** What is thrown, rejected and handed to `auth.fail`. None of its texts holds a token, code, secret or verifier. */
export interface OAuth2Failure extends Error {
  code: OAuth2ErrorCode;
  /** The name it was asked under; `''` where there is none. */
  service: string;
  /** The option concerned. */
  option?: string;
  /** HTTP status, where an answer said no. */
  status?: number;
  /** Of API_REFUSED: parsed where it is JSON. */
  body?: unknown;
  /** The service's own code, such as `invalid_grant` (RFC 6749 section 5.2). */
  error?: string;
  /** The service's own sentence: text of a stranger, cut at 300 characters. */
  description?: string;
}

/** Told to observers as it happens; holds no token, code, secret or verifier, and URLs without fragments and without the values of their query. */
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
  /** `configure()` threw; the page may have done so before anybody observed. */
  | { kind: 'refused'; call: 'configure'; code: OAuth2ErrorCode; message: string; option: string | null }
  | {
      kind: 'login-started';
      grantType: 'token' | 'code';
      pkce: boolean;
      authUrl: string;
      redirectUrl: string;
      scope: string | null;
      /** Joined one that was open. */ shared: boolean;
    }
  | { kind: 'popup'; state: 'opened' | 'focused' | 'blocked' | 'closed' }
  | {
      kind: 'callback';
      origin: string;
      /** Names alone, the first 20. */ parameters: string[];
      /** The service's error code. */ error: string | null;
      /** Its sentence, cut at 300 characters. */ description: string | null;
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
      /** Our code. */
      code: OAuth2ErrorCode | null;
      /** The service's code. */
      error: string | null;
      /** The service's own sentence, cut at 300 characters. */
      description: string | null;
      /** How far this device's clock is ahead of the service's, in seconds; null where the browser hides the answer's date. */
      clockAhead: number | null;
      token: { type: string; expiresIn: number | null; scope: string | null; refreshable: boolean } | null;
    }
  | {
      kind: 'session';
      change: 'stored' | 'removed' | 'changed-elsewhere';
      /** False: in memory alone, since the browser's storage is full or blocked. */ persistent: boolean;
    }
  | { kind: 'event'; name: AuthEventName; code: OAuth2ErrorCode | null }
  | { kind: 'api-started'; call: number; method: string; url: string; proxy: boolean }
  | {
      kind: 'api-ended';
      call: number;
      status: number | null;
      milliseconds: number;
      /** Characters of the answer. */ bytes: number | null;
      code: OAuth2ErrorCode | null;
    };

/** `Platform.OAuth2(service)` (specification, "OAuth2 client library (beta)"). */
export interface OAuth2Service {
  /** Opens a popup, so call it in a click's handler; while one is open, focuses it and shares its outcome. Rejects with an `OAuth2Failure`, after `auth.fail`. */
  login(): Promise<AuthResponse>;
  /** Ends the session on this device whatever the service says, and fires `auth.logout`. */
  logout(): Promise<void>;
  /** The session, expired or not, or null. */
  getAuthResponse(): Promise<AuthResponse | null>;
  /** A GET; answers parsed JSON, otherwise text. Rejects with an `OAuth2Failure`. */
  api(path: string): Promise<unknown>;
  api(options: ApiOptions): Promise<unknown>;
  /** @throws OAuth2Failure ARGUMENT_INVALID for another event */
  on<E extends AuthEventName>(eventName: E, fn: (detail: AuthEvents[E]) => void): null;
  /** Without `fn`, every handler of the event. */
  off<E extends AuthEventName>(eventName: E, fn?: (detail: AuthEvents[E]) => void): null;
  /** Additive: refreshes now, whatever the time. Rejects with REFRESH_UNAVAILABLE, or as a refresh fails. */
  refresh(): Promise<AuthResponse>;
}

/** `Platform.OAuth2`. */
export interface OAuth2 {
  (service: string): OAuth2Service;
  /** @throws OAuth2Failure OPTION_MISSING, OPTION_UNKNOWN, OPTION_INVALID, ARGUMENT_INVALID; then nothing is configured */
  configure(service: string, configuration: ServiceConfiguration): OAuth2;
  configure(services: Record<string, ServiceConfiguration>): OAuth2;
  /** A copy, or null when there is none. */
  configure(service: string): ServiceConfiguration | null;
  /** Copies of all. */
  configure(): Record<string, ServiceConfiguration>;
  /** Additive: tells the last 200 events, then each as it happens; the answer ends it. */
  observe(fn: (event: FlowEvent) => void): () => void;
  /** Names of what is additive. */
  features: readonly string[];
  version: string;
}
