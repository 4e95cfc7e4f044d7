/** What the OAuth2 part of the agent reports, and what the panel can request from it. */
import type { ErrorValue } from '../../../platform-api/errors.ts';
import type { FlowDetail as LibraryFlowDetail } from '../../../oauth2/types.ts';
import type { AgentDocument, EventBatch } from '../agent-protocol.ts';
import type { RemoteValue } from '../contract.ts';

/** `FlowDetail` as any library may report it: with its own error codes, and perhaps without knowing about PKCE. */
export type FlowDetail = Loose<LibraryFlowDetail>;
type Loose<T> = T extends unknown
  ? { [K in keyof T]: K extends 'code' ? string | null : K extends 'pkce' ? boolean | null : T[K] }
  : never;

/** A secret: `ey…3f` of a long one, `…` of one with fewer than 16 characters. */
export interface Masked {
  masked: string;
  length: number;
}

/** An option of a service. Secret options, and those that aren't plain values, have `value: null`. */
export interface ServiceOption {
  name: string;
  type: 'string' | 'number' | 'boolean' | 'object' | 'function' | 'other';
  /** Strings are cut at 2,000 characters; URLs have no query values. Objects (`grantData`) are in `entries`. */
  value: string | number | boolean | null;
  secret: boolean;
  /** Set for a secret. */
  masked: Masked | null;
  /** Set for an object, one level deep; each entry is a separate option. */
  entries: ServiceOption[] | null;
}

/** A session without its tokens. */
export interface ServiceSession {
  tokenType: string | null;
  /** Epoch seconds, and seconds, as the session has them; null when it has no number there. */
  expires: number | null;
  expiresIn: number | null;
  /** As the session has it, cut at 2,000 characters. */
  scope: string | null;
  accessToken: (Masked & { jwt: Jwt | null }) | null;
  refreshToken: Masked | null;
  idToken: (Masked & { jwt: Jwt | null }) | null;
  /** All other fields: plain ones by value when their name is harmless, the rest masked. */
  others: ServiceOption[];
}

/** Header and claims of a token that is a JWT (RFC 7519); its signature never leaves the page, nor is it checked. */
export interface Jwt {
  header: RemoteValue;
  claims: RemoteValue | null;
  /** Why `claims` is null: encrypted, too large, not JSON. */
  problem: string | null;
}

export interface PageService {
  name: string;
  /** Null when unknown: only the name is known, from a call. */
  options: ServiceOption[] | null;
  /** Null when there is none, or when it hasn't been read yet (`sessionKnown`). */
  session: ServiceSession | null;
  sessionKnown: boolean;
  /** Why the session could not be read. */
  sessionProblem: string | null;
}

/**
 * How the flow is traced. `observed`: the library reports it. `wrapped`: calls, events, requests, and popups are watched from
 * outside. `late`: like `wrapped`, but the page may hold methods from before the agent was installed.
 */
export type OAuth2Tracing = 'observed' | 'wrapped' | 'late';

/** The state of the page that matters for logins. */
export interface OAuth2Page extends AgentDocument {
  protocol: number;
  origin: string;
  /** Without the fragment and the values of the query. */
  url: string;
  /** HTTPS or loopback: PKCE and Web Locks are available. */
  secure: boolean;
  library: 'absent' | 'not-a-function' | 'throws' | 'ready';
  /** What was found instead. */
  detail: string | null;
  tracing: OAuth2Tracing;
  version: string | null;
  features: string[];
  /** Whether `configure()` returns the configurations. If not, those made before the agent was installed are unknown. */
  readable: boolean;
  /** Whether the services have `refresh()`. */
  canRefresh: boolean;
  /** Policies in the document's `meta` elements. Headers aren't visible, but their violations are (event `csp`). */
  csp: string[];
  storage: 'available' | 'blocked';
  services: PageService[];
  /** How many services there are beyond the first 200. */
  moreServices: number;
}

/** What happens beyond the library's own events. */
export type SeenDetail =
  /** An action of the panel. `waiting`: for the user's click in the page. */
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
  /** How a call of a foreign library's `login`, `logout`, or `refresh` ended. */
  | { kind: 'settled'; call: string; code: string | null; message: string | null; milliseconds: number };

export type ActionName = 'login' | 'logout' | 'api' | 'refresh';

export type OAuth2Event = {
  /** Sequence number within the document, from 1. */
  n: number;
  /** Epoch milliseconds. */
  at: number;
  /** `''` when the event concerns no service. */
  service: string;
} & (FlowDetail | SeenDetail);

/** The response to an API call of the panel. Known secrets in `body` are masked. */
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
  /** `no-cors`: whether the host responds at all. `cors`: what this page may read. No headers but `Accept`, and no cookies. */
  mode: 'no-cors' | 'cors';
};
/** `json`: the body, when it is a JSON object. `date`: the header, when the page may read it. */
export interface ProbeResult {
  /** Whether the host responded. */
  answered: boolean;
  status: number | null;
  date: string | null;
  json: RemoteValue | null;
  milliseconds: number;
}

/** The OAuth2 part of the agent. No method throws. */
export interface OAuth2Agent {
  /** Finds the library, watches it, and describes the page. `refresh`: also reads again what a foreign library reported before. */
  page(namespace: string, refresh: boolean): OAuth2Page;
  /** Events after a sequence number, about `maxChars` of them but at least one. */
  read(after: number, maxChars: number, namespace: string): EventBatch<OAuth2Event>;
  /** The clear text of a secret option (`clientSecret`, or `grantData` and a name in it), never of a token. Null when there is none. */
  reveal(service: string, path: string[]): string | null;
  /** Starts an action that the user requested. Its progress is events of kind `action`; `apiResponse` has what `api` returned. */
  startAction(request: ActionRequest): { ok: true; id: number } | { ok: false; error: ErrorValue };
  cancelAction(id: number): boolean;
  apiResponse(id: number): ApiResponse | null;
  /** Starts a request that the user asked for. `probeResult` has the response. */
  startProbe(request: ProbeRequest): number;
  probeResult(id: number): ProbeResult | 'pending' | null;
}

export type ActionRequest =
  | { action: 'login' | 'logout' | 'refresh'; service: string }
  /** `data` is JSON text, or null. */
  | { action: 'api'; service: string; path: string; method: string; data: string | null };
