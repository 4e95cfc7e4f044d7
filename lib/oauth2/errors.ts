/** Owns the library's errors: a code, what happened and what to do; none is ever made of a token, code, secret or verifier. */
import type { OAuth2ErrorCode, OAuth2Failure } from './types.ts';

/** What to do, where the code and what it is about do not say it. */
const NEXT: Partial<Record<OAuth2ErrorCode, string>> = {
  SERVICE_UNKNOWN: 'Call configure() first.',
  POPUP_BLOCKED: 'Call login() in a click, or allow popups.',
  POPUP_CLOSED: 'Log in again.',
  LOGIN_TIMEOUT: 'Log in again.',
  STATE_MISMATCH: 'Log in again.',
  ISSUER_MISMATCH: 'Set issuer, if this is right.',
  CALLBACK_INVALID: 'Check grantType.',
  PAGE_INSECURE: 'Use https, or set pkce: false.',
  TOKEN_REFUSED: 'Check clientId, clientSecret and redirectUrl.',
  TOKEN_INVALID: 'Check grantUrl.',
  REFRESH_REFUSED: 'Log in again.',
  REFRESH_UNAVAILABLE: 'Log in again.',
  NOT_LOGGED_IN: 'Log in first.',
  PATH_RELATIVE: 'Set baseUrl, or use a full address.',
  URL_INSECURE: 'Use https.',
  SESSION_EXPIRED: 'Log in again, or set refresh.',
  ANSWER_INVALID: 'Try again.',
  NETWORK_FAILED: 'Check address, network and Content-Security-Policy.',
  CORS_REFUSED: 'Allow this origin there, or set useProxy.',
  REQUEST_TIMEOUT: 'Try again.',
};

export class OAuth2Error extends Error implements OAuth2Failure {
  declare readonly code: OAuth2ErrorCode;
  declare readonly service: string;
  declare readonly option?: string;
  declare readonly status?: number;
  declare readonly body?: unknown;
  declare readonly error?: string;
  declare readonly description?: string;
  constructor(
    code: OAuth2ErrorCode,
    service: string,
    about?: unknown,
    more?: Pick<OAuth2Failure, 'option' | 'status' | 'body' | 'error' | 'description'>,
  ) {
    // The code in words: "demo: Popup closed. Log in again."
    super(
      `${service}: ${code[0]}${code.slice(1).toLowerCase().replaceAll('_', ' ')}${about ? `: ${String(about).replace(/\.$/, '')}` : ''}. ${NEXT[code] ?? ''}`.trim(),
    );
    Object.assign(this, { name: 'OAuth2Error', code, service }, more);
  }
}

/** Throws an OAuth2Error, also in the middle of an expression. */
export function fail(...given: ConstructorParameters<typeof OAuth2Error>): never {
  throw new OAuth2Error(...given);
}

/** A stranger's text, short enough to be shown, and without what we sent: services are known to repeat a secret that they refuse. */
export function quote(text: unknown, secrets: readonly unknown[] = [], length = 300): string {
  let shown = String(text ?? '');
  for (const secret of secrets) if (String(secret).length > 3) shown = shown.replaceAll(secret as string, '…');
  return shown.slice(0, length);
}
