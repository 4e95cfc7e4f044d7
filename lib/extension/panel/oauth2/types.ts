/** Types of the panel's OAuth2 state. Nothing in it is a token or secret. */
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

/** A snapshot of everything the panel knows, for the doctor and the exported file. */
export interface OAuth2State {
  /** Null before the first contact, or while the page can't be inspected. */
  page: OAuth2Page | null;
  services: readonly PageService[];
  /** Oldest first. With “Preserve log”, also those of earlier documents. */
  entries: readonly Entry[];
  /** Events that aren't among the entries, since there were too many. */
  dropped: number;
  /** Epoch milliseconds. The page has the same clock. */
  now: number;
}

export type EntryDetail =
  | FlowDetail
  | SeenDetail
  /** The tab loaded another document. `url` has no fragment and no query values. */
  | { kind: 'navigated'; url: string; origin: string }
  /** This many events are missing here. */
  | { kind: 'dropped'; count: number };

/** One entry of the timeline. */
export interface Entry {
  /** Counts up. Evidence refers to it. */
  id: number;
  /** Of `OAuth2Page.documentId`. */
  documentId: string;
  /** Epoch milliseconds. */
  at: number;
  /** `''` when the error isn’t about a service. */
  service: string;
  /** Shared by the entries of one login, refresh, logout, or API call. */
  flow: number;
  detail: EntryDetail;
}

/** Sends a request from the page. Used only when the user asks for it. */
export type Probe = (request: ProbeRequest) => Promise<Result<ProbeResult>>;
