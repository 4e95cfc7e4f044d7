/** Owns reading what token endpoints and redirects say about a token (RFC 6749, sections 4.2.2, 5.1 and 5.2), in every form that services are known to give it. */
import { parse } from './globals.ts';
import type { AuthResponse } from './types.ts';

/** The fields of an answer: JSON as it should be, or form-encoded; none when it is neither. */
export function readFields(text: string): Record<string, unknown> {
  try {
    return { ...(parse(text) as object) };
  } catch {
    return /^[\w.-]+=/.test(text) ? Object.fromEntries(new URLSearchParams(text.trim())) : {};
  }
}

/** The service's error code in an answer of any status; some wrap it in an object. Undefined when there is none. */
export function readError({ error }: Record<string, unknown>): unknown {
  const { code, type } = (error ?? {}) as { code?: unknown; type?: unknown };
  return code ?? type ?? error;
}

export type Token = Omit<AuthResponse, 'service' | 'scope' | 'state'> & { scope?: string };

/**
 * The token of an answer, or a text that says what is wrong. Numbers may be texts; what is no number counts as absent.
 * @param now epoch milliseconds of the request: a slow answer makes no token younger
 */
export function readToken(
  { access_token, token_type, expires_in, scope, refresh_token }: Record<string, unknown>,
  now: number,
): Token | string {
  // What does not fit into a header cannot be used (RFC 6749 appendix A.12).
  if (typeof access_token !== 'string' || !/^[!-~]+$/.test(access_token)) return 'no access_token';
  // A type that one does not know must not be used (RFC 6749 section 7.1); many services leave it out.
  const type = String(token_type || 'Bearer');
  if (!/^bearer$/i.test(type)) return 'token_type is not Bearer';
  const seconds = /\d/.test(String(expires_in)) ? Number(expires_in) : NaN;
  return {
    access_token,
    token_type: type,
    ...(Number.isFinite(seconds) && { expires_in: seconds, expires: Math.floor(now / 1000 + seconds) }),
    ...(!!scope && { scope: [scope].flat().join(' ') }),
    ...(!!refresh_token && { refresh_token: String(refresh_token) }),
  };
}
