/** Defines the data that the agent's OAuth2 part reports, and the requests that the panel can make. */
import type { ErrorValue } from '../../../platform-api/errors.ts';
import type { FlowDetail as LibraryFlowDetail } from '../../../oauth2/types.ts';
import type { Masked } from '../../../shared/secrets/secret-text.ts';
import type { AgentDocument, EventBatch } from '../agent-protocol.ts';
import type { RemoteValue } from '../contract.ts';

/** A `FlowDetail` from any library, which might use its own error codes and might not know about PKCE. */
export type FlowDetail = Loose<LibraryFlowDetail>;
type Loose<T> = T extends unknown
  ? { [K in keyof T]: K extends 'code' ? string | null : K extends 'pkce' ? boolean | null : T[K] }
  : never;

export type { Masked };

/** A service's option. `value` is null if the option is secret or isn't a plain value. */
export interface ServiceOption {
  name: string;
  type: 'string' | 'number' | 'boolean' | 'object' | 'function' | 'other';
  /**
   * Strings are truncated at 2,000 characters, and URLs have no query values. Objects (`grantData`) are in `entries`.
   */
  value: string | number | boolean | null;
  secret: boolean;
  /** Set if the option is secret. */
  masked: Masked | null;
  /** Set if the option is an object. Each entry is a separate option, and there are no deeper levels. */
  entries: ServiceOption[] | null;
}

/** A session without its tokens. */
export interface ServiceSession {
  tokenType: string | null;
  /**
   * `expires` is in epoch seconds, `expiresIn` in seconds, both as found in the session. Null if the value isn't a
   * number.
   */
  expires: number | null;
  expiresIn: number | null;
  /** As found in the session, truncated at 2,000 characters. */
  scope: string | null;
  accessToken: (Masked & { jwt: Jwt | null }) | null;
  refreshToken: Masked | null;
  idToken: (Masked & { jwt: Jwt | null }) | null;
  /** All other fields. Plain values with harmless names are shown, and the rest is masked. */
  others: ServiceOption[];
}

/** A JWT's header and claims (RFC 7519). The signature never leaves the page and isn't verified. */
export interface Jwt {
  header: RemoteValue;
  claims: RemoteValue | null;
  /** Why `claims` is null: the token is encrypted, too large, or not JSON. */
  problem: string | null;
}

export interface PageService {
  name: string;
  /** Null if only the service's name is known, from a call. */
  options: ServiceOption[] | null;
  /** Null if there is no session or it hasn't been read yet (`sessionKnown`). */
  session: ServiceSession | null;
  sessionKnown: boolean;
  sessionProblem: string | null;
}

/**
 * How the flow is traced. `observed`: the library reports it. `wrapped`: the agent watches calls, events, requests, and
 * popups.
 * `late`: like `wrapped`, but the page might use method references from before the agent was installed.
 */
export type OAuth2Tracing = 'observed' | 'wrapped' | 'late';

/** The page state that logins depend on. */
export interface OAuth2Page extends AgentDocument {
  protocol: number;
  origin: string;
  /** Without the fragment and query values. */
  url: string;
  /** Whether the page uses HTTPS or a loopback host, so that PKCE and Web Locks are available. */
  secure: boolean;
  library: 'absent' | 'not-a-function' | 'throws' | 'ready';
  /** The value that was found instead. */
  detail: string | null;
  tracing: OAuth2Tracing;
  version: string | null;
  features: string[];
  /**
   * Whether `configure()` returns the configurations. If it doesn't, those from before the agent was installed are
   * unknown.
   */
  readable: boolean;
  /** Whether the services have a `refresh()` method. */
  canRefresh: boolean;
  /** The policies in `meta` elements. Header policies aren't visible, but their violations are (event `csp`). */
  csp: string[];
  storage: 'available' | 'blocked';
  services: PageService[];
  /** The number of services beyond the first 200. */
  moreServices: number;
}

/** Events that don't come from the library itself. */
export type SeenDetail =
  /** An action that the user started in the panel. `waiting` means that it needs a click on the page. */
  | {
      kind: 'action';
      action: ActionName;
      id: number;
      state: 'waiting' | 'started' | 'done' | 'failed' | 'cancelled' | 'timed-out';
      code: string | null;
      message: string | null;
      milliseconds: number | null;
    }
  /** The page's Content-Security-Policy blocked a request or window. */
  | { kind: 'csp'; directive: string; blocked: string }
  /** The outcome of a call to `login`, `logout`, or `refresh` of a library that doesn't report its flow. */
  | { kind: 'settled'; call: string; code: string | null; message: string | null; milliseconds: number };

export type ActionName = 'login' | 'logout' | 'api' | 'refresh';

export type OAuth2Event = {
  /** The sequence number within the document, starting at 1. */
  n: number;
  /** Epoch milliseconds. */
  at: number;
  /** `''` if the event doesn't concern a service. */
  service: string;
} & (FlowDetail | SeenDetail);

/** The response to an API call from the panel. Known secrets in `body` are masked. */
export interface ApiResponse {
  id: number;
  ok: boolean;
  status: number | null;
  code: string | null;
  message: string | null;
  body: RemoteValue | null;
  milliseconds: number;
}

export type ProbeRequest = {
  url: string;
  /**
   * `no-cors`: whether the host responds at all. `cors`: what this page can read. Sends only the `Accept` header, and
   * no cookies.
   */
  mode: 'no-cors' | 'cors';
  /** Form data to post. Default: a GET. */
  form?: string | undefined;
};
/** `json`: the body, if it's a JSON object. `date`: the header, if the page can read it. */
export interface ProbeResult {
  /** Whether the host responded. */
  answered: boolean;
  status: number | null;
  date: string | null;
  json: RemoteValue | null;
  milliseconds: number;
}

/** The OAuth2 part of the agent. Its methods never throw. */
export interface OAuth2Agent {
  /**
   * Finds and watches the library, and describes the page. `refresh` rereads everything that the library reported
   * before.
   */
  page(namespace: string, refresh: boolean): OAuth2Page;
  /** Events after a sequence number: about `maxChars` characters, but at least one event. */
  read(after: number, maxChars: number, namespace: string): EventBatch<OAuth2Event>;
  /**
   * The clear text of a secret option (`clientSecret`, or `grantData` and one of its names), but never a token. Null if
   * there is none.
   */
  reveal(service: string, path: string[]): string | null;
  /**
   * Starts an action for the user, unless this is another document than the one that the user sees (`PAGE_LEFT`). Events
   * of kind `action` report its progress, and `apiResponse` returns the result of `api`.
   */
  startAction(request: ActionRequest, documentId?: string | null): Started;
  cancelAction(id: number): boolean;
  apiResponse(id: number): ApiResponse | null;
  /** Starts a request for the user, as `startAction` does. `probeResult` returns the response. */
  startProbe(request: ProbeRequest, documentId?: string | null): Started;
  probeResult(id: number): ProbeResult | 'pending' | null;
}

export type Started = { ok: true; id: number } | { ok: false; error: ErrorValue };

export type ActionRequest =
  | { action: 'login' | 'logout' | 'refresh'; service: string }
  /** `data` is JSON text or null. */
  | { action: 'api'; service: string; path: string; method: string; data: string | null };
