/** Owns what the doctor says of a fault: a stable code, what is wrong, why, what shows it, and what to do. */
import type { ProbeResult, ProbeRequest } from '../types.ts';

/** `error`: it does not work. `warning`: it works for now, or may be meant so. `advice`: it works, and could be safer. */
export type Severity = 'error' | 'warning' | 'advice';

export type FindingCode =
  /* configuration */
  | 'OPTION_MISSING'
  | 'OPTION_MISSPELLED'
  | 'OPTION_INVALID'
  | 'GRANT_URL_MISSING' // grantType code without grantUrl
  | 'CONFIGURE_REFUSED' // by a library that gives no code
  | 'SERVICE_UNKNOWN'
  | 'SECRET_IN_PAGE'
  | 'IMPLICIT_FLOW' // where code is offered
  /* login */
  | 'POPUP_BLOCKED'
  | 'POPUP_CLOSED'
  | 'REDIRECT_URL_REFUSED'
  | 'REDIRECT_URL_ELSEWHERE' // no page of this app
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

/** `entry`: the line of the timeline that shows it, by its id. */
export interface Evidence {
  text: string;
  entry?: number;
}

/** Its texts hold words of the page and of services: they are shown as text, and hold no token or secret. */
export interface Finding {
  code: FindingCode;
  /** The service's name as the page gave it, cut; `''` where it concerns none. */
  service: string;
  severity: Severity;
  /** What is wrong, in a few words. */
  title: string;
  /** Why, most probably. */
  cause: string;
  evidence: Evidence[];
  /** What to do. */
  fix: string;
  /** What to write into the configuration, or into the page's policy. */
  snippet?: string;
  /** Addresses whose answers would tell more; asked on a person's word alone. */
  ask?: ProbeRequest[];
  /** What only the person can have seen. */
  question?: Question;
}

export interface Question {
  text: string;
  yes: string;
  no: string;
  /** The entry that it is about; what an answer is kept under. */
  about: number;
}

/** An address that was looked at. `answer` null: the page could not be asked. */
export interface Checked {
  request: ProbeRequest;
  answer: ProbeResult | null;
  /** Epoch milliseconds, by this device's clock. */
  at: number;
}

/** What is known beyond the page's state: answers of addresses, and of the person by the entry that they are about. */
export interface Knowledge {
  checked: readonly Checked[];
  said: ReadonlyMap<number, boolean>;
}

/** The number of findings that aren't advice. */
export function countFaults(findings: readonly Finding[]): number {
  return findings.filter(({ severity }) => severity !== 'advice').length;
}
