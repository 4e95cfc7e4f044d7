/** Owns what the OAuth2 agent in the page and the panel say to each other; both sides are built from this file. */
import type { ErrorValue } from '../../../platform-api/index.ts';
import type { FlowDetail as ToldDetail } from '../../../oauth2/types.ts';
import type { RemoteValue } from '../contract.ts';

/** The library's `FlowDetail`, of any library: a code may be another's, and whether PKCE is used may not be known. */
export type FlowDetail = Loose<ToldDetail>;
type Loose<T> = T extends unknown
  ? { [K in keyof T]: K extends 'code' ? string | null : K extends 'pkce' ? boolean | null : T[K] }
  : never;

/** Raised with every change of this file that an older side could misread. */
export const OAUTH2_PROTOCOL = 2;

/** How the panel finds the agent: `window[OAUTH2_KEY]`. */
export const OAUTH2_KEY = 'platform-devtools.oauth2-agent';

/** The name under which DevTools lists the agent. */
export const OAUTH2_SOURCE = 'platform-devtools-oauth2-agent.js';

/** A text that is not told: `ey…3f` of a long one, `…` of one with fewer than 16 characters. */
export interface Masked {
  masked: string;
  length: number;
}

/** One option of a service as the page holds it. `secret` ones, and everything that is no plain value, have `value: null`. */
export interface ServiceOption {
  name: string;
  type: 'string' | 'number' | 'boolean' | 'object' | 'function' | 'other';
  /** Texts are cut at 2,000 characters; of addresses the query's values are left out. Objects (`grantData`) are in `entries`. */
  value: string | number | boolean | null;
  secret: boolean;
  /** Of a secret. */
  masked: Masked | null;
  /** Of an object, one level deep; each is an option of its own. */
  entries: ServiceOption[] | null;
}

/** A session without its tokens. */
export interface ServiceSession {
  tokenType: string | null;
  /** Epoch seconds, and seconds, as the session says; null when it has no number there. */
  expires: number | null;
  expiresIn: number | null;
  /** As the session has it, cut at 2,000 characters. */
  scope: string | null;
  accessToken: (Masked & { jwt: Jwt | null }) | null;
  refreshToken: Masked | null;
  idToken: (Masked & { jwt: Jwt | null }) | null;
  /** Its further fields: plain ones by value where their name is harmless, all others masked. */
  others: ServiceOption[];
}

/** Header and claims of a token that is a JWT (RFC 7519); its signature never leaves the page, nor is it checked. */
export interface Jwt {
  header: RemoteValue;
  claims: RemoteValue | null;
  /** Why `claims` is null: encrypted, too large, no JSON. */ problem: string | null;
}

export interface PageService {
  name: string;
  /** Null when the page never told them: the name is known from a call alone. */
  options: ServiceOption[] | null;
  /** Null: none, or not asked for yet (`sessionKnown`). */
  session: ServiceSession | null;
  sessionKnown: boolean;
  /** Why the session could not be read. */
  sessionProblem: string | null;
}

/**
 * How much is seen of the flow. `observed`: the library tells it. `wrapped`: calls, events, requests and popups are watched
 * from outside. `late`: as `wrapped`, but the page may hold methods from before.
 */
export type OAuth2Tracing = 'observed' | 'wrapped' | 'late';

/** What the page is, as far as logins go. */
export interface OAuth2Page {
  protocol: number;
  /** New for each document. */
  documentId: string;
  origin: string;
  /** Without fragment and without the values of its query. */
  url: string;
  /** https, or loopback: PKCE and Web Locks are there. */
  secure: boolean;
  library: 'absent' | 'not-a-function' | 'throws' | 'ready';
  /** What was found instead. */
  detail: string | null;
  tracing: OAuth2Tracing;
  version: string | null;
  features: string[];
  /** Whether `configure()` told the configurations; false: those made before the agent came are unknown. */
  readable: boolean;
  /** Whether `refresh()` is there. */
  canRefresh: boolean;
  /** Policies that stand in the document's `meta` elements; headers are not seen, their violations are (event `csp`). */
  csp: string[];
  storage: 'available' | 'blocked';
  services: PageService[];
  /** Services beyond the 200 that are told. */
  moreServices: number;
}

/** What happens beyond what the library tells of itself. */
export type SeenDetail =
  /** A call of the panel's. `waiting`: for the person's click in the page. */
  | {
      kind: 'action';
      action: ActionName;
      id: number;
      state: 'waiting' | 'started' | 'done' | 'failed' | 'cancelled' | 'timed-out';
      code: string | null;
      message: string | null;
      milliseconds: number | null;
    }
  /** The browser refused a request or window by the page's Content-Security-Policy. */
  | { kind: 'csp'; directive: string; blocked: string }
  /** Of a library that is not ours: how a call of `login`, `logout` or `refresh` ended. */
  | { kind: 'settled'; call: string; code: string | null; message: string | null; milliseconds: number };

export type ActionName = 'login' | 'logout' | 'api' | 'refresh';

export type OAuth2Event = {
  /** Counts up by one within the document. */ n: number;
  /** Epoch milliseconds. */ at: number;
  /** `''` where it concerns none. */ service: string;
} & (FlowDetail | SeenDetail);

/** An answer to a call of the API that the panel made; `body` has no text that the agent knows for a secret. */
export interface ApiResponse {
  id: number;
  ok: boolean;
  status: number | null;
  code: string | null;
  message: string | null;
  body: RemoteValue | null;
  milliseconds: number;
}

export interface OAuth2Reading {
  documentId: string;
  events: OAuth2Event[];
  last: number;
  /** Of the events after the asked number, how many the bounded log no longer holds. */
  dropped: number;
  /** Differs when `look` would answer something else. */
  mark: string;
}

export type ProbeRequest = {
  url: string;
  /** `no-cors`: whether the host answers at all. `cors`: what this page may read; nothing but `Accept` is sent, no cookies. */
  mode: 'no-cors' | 'cors';
};
/** `json` of an answer that is an object in JSON; `date` of its header, where it can be read. */
export interface ProbeResult {
  answered: boolean;
  status: number | null;
  date: string | null;
  json: RemoteValue | null;
  milliseconds: number;
}

/** The agent in the page. None of its methods throws; answers travel as JSON text. */
export interface OAuth2Agent {
  /** Finds the library under the namespace, watches it, and tells what the page is. `again`: also asks anew what a foreign library told before. */
  look(namespace: string, again: boolean): OAuth2Page;
  /** Events after `after`, oldest first, at most about `chars`, but at least one. */
  read(after: number, chars: number, namespace: string): OAuth2Reading;
  /** The clear text of one secret option (`clientSecret`, or `grantData` and a name in it); never of a token. Null when there is none. */
  reveal(service: string, path: string[]): string | null;
  /** Begins what a person asked for; how it goes is told by events `action`, the answer of `api` by `answer`. */
  act(request: ActionRequest): { ok: true; id: number } | { ok: false; error: ErrorValue };
  cancel(id: number): boolean;
  answer(id: number): ApiResponse | null;
  /** A request on a person's word; its answer is asked for by `probed`. */
  probe(request: ProbeRequest): number;
  probed(id: number): ProbeResult | 'waiting' | null;
}

export type ActionRequest =
  | { action: 'login' | 'logout' | 'refresh'; service: string }
  /** `data` is JSON text, or null. */
  | { action: 'api'; service: string; path: string; method: string; data: string | null };

export interface OAuth2Port {
  protocol: number;
  call(method: keyof OAuth2Agent, args: readonly unknown[]): string;
  /** Watches `namespace.OAuth2` from its first moment on, when it is not there yet. */
  watch(namespace: string): void;
}
