/** The types of the doctor's findings: a stable code, what is wrong, why, the evidence, and one fix. */
import type { ProbeResult, ProbeRequest } from '../types.ts';

/** `error`: doesn't work. `warning`: works for now, or is intended. `advice`: works, but could be safer. */
export type Severity = 'error' | 'warning' | 'advice';

export type FindingCode =
  /* configuration */
  | 'OPTION_MISSING'
  | 'OPTION_MISSPELLED'
  | 'OPTION_INVALID'
  | 'GRANT_URL_MISSING' // grantType code without grantUrl
  | 'CONFIGURE_REFUSED' // by a library without error codes
  | 'SERVICE_UNKNOWN'
  | 'SECRET_IN_PAGE'
  | 'IMPLICIT_FLOW' // though the service offers codes
  /* login */
  | 'POPUP_BLOCKED'
  | 'POPUP_CLOSED'
  | 'REDIRECT_URL_REFUSED'
  | 'REDIRECT_URL_ELSEWHERE' // not a page of this app
  | 'STATE_MISMATCH'
  | 'ISSUER_MISMATCH'
  | 'CALLBACK_INVALID'
  | 'LOGIN_DENIED'
  | 'LOGIN_REFUSED'
  | 'GRANT_TYPE_REFUSED'
  | 'PAGE_INSECURE'
  /* token requests */
  | 'CLIENT_REFUSED'
  | 'CODE_USED'
  | 'PKCE_REFUSED'
  | 'REFRESH_REFUSED'
  | 'TOKEN_REFUSED'
  | 'GRANT_URL_WRONG'
  | 'SERVICE_FAILED'
  | 'CLOCK_OFF'
  /* session */
  | 'SESSION_EXPIRED'
  | 'SCOPE_NOT_GRANTED'
  | 'STORAGE_BLOCKED'
  /* API calls */
  | 'BASE_URL_MISSING'
  | 'BASE_URL_JOIN'
  | 'TOKEN_TO_FOREIGN_HOST'
  | 'TOKEN_REJECTED'
  | 'API_FORBIDDEN'
  | 'ANSWER_INVALID'
  | 'URL_INSECURE'
  | 'NOT_LOGGED_IN'
  /* any request */
  | 'CSP_BLOCKED'
  | 'CORS_REFUSED'
  | 'NETWORK_FAILED'
  | 'REQUEST_TIMEOUT'
  | 'PROXY_FAILED';

/** `entry`: id of the timeline's entry that shows it. */
export interface Evidence {
  text: string;
  entry?: number;
}

/** Its texts quote the page and services, so they must be rendered as text. They contain no token or secret. */
export interface Finding {
  code: FindingCode;
  /** The service's name, truncated. `''` when the finding isn't about a service. */
  service: string;
  severity: Severity;
  /** What is wrong, in one line without a period. */
  title: string;
  /** The most probable reason. */
  cause: string;
  evidence: Evidence[];
  /** One thing to do. */
  fix: string;
  /** Code to copy. */
  snippet?: string;
  /** Requests that would tell more, sent only when the user asks for it. */
  probes?: ProbeRequest[];
  /** About what only the user saw. */
  question?: Question;
}

export interface Question {
  text: string;
  yes: string;
  no: string;
  /** Id of the entry that it is about. */
  about: number;
}

/** The result of a check. `result` is null when the page was busy or navigated. */
export interface Checked {
  request: ProbeRequest;
  result: ProbeResult | null;
  /** Epoch milliseconds, by this device's clock. */
  at: number;
}

/** Results of checks, and the user's answers by entry id. */
export interface Knowledge {
  checked: readonly Checked[];
  answers: ReadonlyMap<number, boolean>;
}

/** The number of findings that aren't advice. */
export function countFaults(findings: readonly Finding[]): number {
  return findings.filter(({ severity }) => severity !== 'advice').length;
}
