/** Reads token responses and callbacks (RFC 6749, sections 4.2.2, 5.1, and 5.2), in every format that services use. */
import { parse } from './intrinsics.ts';
import type { AuthResponse } from './types.ts';

/** The fields of a JSON or form-encoded body. Empty if the body is neither. */
export function readFields(text: string): Record<string, unknown> {
  try {
    return { ...(parse(text) as object) };
  } catch {
    return /^[\w.-]+=/.test(text) ? Object.fromEntries(new URLSearchParams(text.trim())) : {};
  }
}

/** The service’s error code, or undefined. Some services wrap the code in an object. */
export function readError({ error }: Record<string, unknown>): unknown {
  const { code, type } = (error ?? {}) as { code?: unknown; type?: unknown };
  return code ?? type ?? error;
}

/** The specification and some services separate scopes with commas, RFC 6749 section 3.3 with spaces. */
export function normalizeScope(scope: unknown = ''): string {
  // Converts an array to a list separated by commas.
  return String(scope)
    .replace(/[\s,]+/g, ' ')
    .trim();
}

export type Token = Omit<AuthResponse, 'service' | 'scope' | 'state'> & { scope?: string };

/**
 * Returns the token, or a string that says what is wrong. Numbers can be strings. A non-numeric `expires_in` is
 * ignored.
 * @param now time of the request in epoch milliseconds: a slow response doesn’t extend the token’s life
 */
export function readToken(
  { access_token, token_type, expires_in, scope, refresh_token }: Record<string, unknown>,
  now: number,
): Token | string {
  // Other characters aren’t valid in a header (RFC 6749 appendix A.12).
  if (typeof access_token !== 'string' || !/^[!-~]+$/.test(access_token)) return 'access_token is missing or invalid';
  // Tokens of unknown types must not be used (RFC 6749 section 7.1). Many services omit the type.
  const type = String(token_type || 'Bearer');
  if (!/^bearer$/i.test(type)) return 'token_type isn’t Bearer';
  const seconds = /\d/.test(String(expires_in)) ? Number(expires_in) : NaN;
  return {
    access_token,
    token_type: type,
    ...(Number.isFinite(seconds) && { expires_in: seconds, expires: Math.floor(now / 1000 + seconds) }),
    ...(scope !== undefined && scope !== null && { scope: normalizeScope(scope) }),
    ...(!!refresh_token && { refresh_token: String(refresh_token) }),
  };
}
