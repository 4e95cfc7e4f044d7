/** Owns what the panel knows of a page's logins: the page, its services and sessions, and the entries of the timeline. Nothing in it is a token or secret. */
import type { Result } from '../../../platform-api/errors.ts';
import type {
  FlowDetail,
  OAuth2Page,
  PageService,
  ProbeResult,
  ProbeRequest,
  SeenDetail,
} from '../../inspector/oauth2/contract.ts';

export type {
  FlowDetail,
  Jwt,
  Masked,
  OAuth2Page,
  PageService,
  ProbeResult,
  ProbeRequest,
  OAuth2Tracing,
  SeenDetail,
  ServiceOption,
  ServiceSession,
} from '../../inspector/oauth2/contract.ts';

/** All that is known; a plain value, made anew at each change. What `diagnose` is given. */
export interface OAuth2State {
  /** Null: not looked at yet, or the page can't be asked. */
  page: OAuth2Page | null;
  services: readonly PageService[];
  /** Oldest first, of this document and, where they are kept, of those before. */
  entries: readonly Entry[];
  /** Events that are not among the entries, because there were too many. */
  dropped: number;
  /** Epoch milliseconds by this device's clock, which is the page's clock too. */
  now: number;
}

export type EntryDetail =
  | FlowDetail
  | SeenDetail
  /** Another document came into the tab. `url` without fragment and without the values of its query. */
  | { kind: 'navigated'; url: string; origin: string }
  /** So many events are missing at this place. */
  | { kind: 'dropped'; count: number };

/** One line of the timeline. */
export interface Entry {
  /** Counts up; what evidence points at. */
  id: number;
  /** Of `OAuth2Page.documentId`. */
  documentId: string;
  /** Epoch milliseconds. */
  at: number;
  /** `''` where it concerns none. */
  service: string;
  /** Entries of one login, refresh, logout or API call share it. */
  flow: number;
  detail: EntryDetail;
}

/** Asks the page to look at an address, on a person's word alone. */
export type Probe = (request: ProbeRequest) => Promise<Result<ProbeResult>>;
