/** Types of the doctor's findings: a stable code, the problem, its cause, the evidence, and a fix. */
import type { ProbeResult, ProbeRequest } from '../types.ts';

/** `error`: broken. `warning`: works for now, or might be intended. `advice`: works, but could be safer. */
export type Severity = 'error' | 'warning' | 'advice';

export type FindingCode =
  /* configuration */
  | 'OPTION_MISSING'
  | 'OPTION_MISSPELLED'
  | 'OPTION_INVALID'
  | 'GRANT_URL_MISSING' // grantType code without grantUrl
  | 'CONFIGURE_REFUSED' // the error has no known code
  | 'SERVICE_UNKNOWN'
  | 'SECRET_IN_PAGE'
  | 'IMPLICIT_FLOW' // though the service offers codes
  /* login */
  | 'POPUP_BLOCKED'
  | 'POPUP_CLOSED'
  | 'REDIRECT_URL_REFUSED'
  | 'REDIRECT_URL_ELSEWHERE' // not one of this app's pages
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

/** `entry`: ID of the timeline entry that shows it. */
export interface Evidence {
  text: string;
  entry?: number;
}

/** A finding quotes the page and services, so render it as plain text. It contains no tokens or secrets. */
export interface Finding {
  code: FindingCode;
  /** The service's name, truncated; `''` if the finding isn't about a service. */
  service: string;
  severity: Severity;
  /** The problem, in one line without a period. */
  title: string;
  /** The most likely reason. */
  cause: string;
  evidence: Evidence[];
  /** The next thing to do. */
  fix: string;
  /** Code to copy. */
  snippet?: string;
  /** Requests that would reveal more. Sent only when the user asks for it. */
  probes?: ProbeRequest[];
  /** Asks about something that only the user can have seen. */
  question?: Question;
}

export interface Question {
  text: string;
  yes: string;
  no: string;
  /** ID of the timeline entry in question. */
  about: number;
}

/** A check's result. `result` is null if the page was busy or navigated. */
export interface Checked {
  request: ProbeRequest;
  result: ProbeResult | null;
  /** Epoch milliseconds, according to this computer's clock. */
  at: number;
}

/** Check results, and the user's answers by entry ID. */
export interface Knowledge {
  checked: readonly Checked[];
  answers: ReadonlyMap<number, boolean>;
}

/** Counts findings other than advice. */
export function countFaults(findings: readonly Finding[]): number {
  return findings.filter(({ severity }) => severity !== 'advice').length;
}
