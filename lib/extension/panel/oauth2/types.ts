/** Types of the panel's OAuth2 state, which never contains tokens or secrets. */
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

/** A snapshot of everything the panel knows. Used by the doctor and the exported file. */
export interface OAuth2State {
  /** Null until the page first responds, or if it can't be inspected. */
  page: OAuth2Page | null;
  services: readonly PageService[];
  /** Oldest first. With “Preserve log”, includes entries of earlier documents. */
  entries: readonly Entry[];
  /** Number of events missing from the entries, because there were too many. */
  dropped: number;
  /** Epoch milliseconds. The page uses the same clock. */
  now: number;
}

export type EntryDetail =
  | FlowDetail
  | SeenDetail
  /** The tab loaded another document. `url` excludes the fragment and query values. */
  | { kind: 'navigated'; url: string; origin: string }
  /** Number of events missing at this point. */
  | { kind: 'dropped'; count: number };

export interface Entry {
  /** Incremented for each entry. Evidence refers to entries by ID. */
  id: number;
  /** The document's ID, as in `OAuth2Page.documentId`. */
  documentId: string;
  /** Epoch milliseconds. */
  at: number;
  /** `''` if the entry isn't about a service. */
  service: string;
  /** ID shared by all entries of a login, refresh, logout, or API call. */
  flow: number;
  detail: EntryDetail;
}

/** Sends a request from the page. Used only at the user's request. */
export type Probe = (request: ProbeRequest) => Promise<Result<ProbeResult>>;
