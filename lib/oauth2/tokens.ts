/** Reads token responses and callbacks (RFC 6749, sections 4.2.2, 5.1, and 5.2), in every format that services use. */
import { redact } from './errors.ts';
import { parse } from './intrinsics.ts';
import type { AuthFields } from './types.ts';

/** The fields of a JSON or form-encoded body. Empty if the body is neither. */
export function readFields(text: string): Record<string, unknown> {
  try {
    return { ...(parse(text) as object) };
  } catch {
    return /^[\w.-]+=/.test(text) ? Object.fromEntries(new URLSearchParams(text.trim())) : {};
  }
}

/** The first string or number, as text. Empty if there is none. */
const textOf = (...values: unknown[]) =>
  String(values.find((value) => value && /^(string|number)$/.test(typeof value)) ?? '');

/**
 * The service’s error code and message, without the secrets that were sent to it. Empty if it sent none. Some services
 * wrap them in an object.
 */
export function readError(fields: Record<string, unknown>, secrets?: readonly unknown[]): ServiceError {
  const { error, error_code, error_description, error_message, message } = fields;
  const inner = (error ?? {}) as Record<string, unknown>;
  return {
    error: redact(textOf(inner.code, inner.type, error, error_code), secrets),
    description: redact(textOf(error_description, inner.message, error_message, message), secrets),
  };
}

interface ServiceError {
  error: string;
  description: string;
}

/** The specification and some services separate scopes with commas, RFC 6749 section 3.3 with spaces. */
export function normalizeScope(scope: unknown = '', separator = ' '): string {
  // Converts an array to a list separated by commas.
  return String(scope)
    .split(/[\s,]+/)
    .filter(Boolean)
    .join(separator);
}

/** Also has the fields that only the service knows. */
export interface Token extends Omit<AuthFields, 'service' | 'scope' | 'state'> {
  scope?: string;
}

/**
 * Returns the token, or a string that says what is wrong. Numbers can be strings, with the unit s. Any other
 * `expires_in` is ignored.
 * @param now time of the request in epoch milliseconds: a slow response doesn’t extend the token’s life
 */
export function readToken(fields: Record<string, unknown>, now: number): Token | string {
  const { access_token, token_type, expires_in, scope, refresh_token, ...others } = fields;
  // Other characters aren’t valid in a header (RFC 6749 appendix A.12).
  if (typeof access_token !== 'string' || !/^[!-~]+$/.test(access_token)) return 'access_token is missing or invalid';
  // Tokens of unknown types must not be used (RFC 6749 section 7.1). Many services omit the type.
  const type = textOf(token_type, 'Bearer');
  if (!/^bearer$/i.test(type)) return `token_type is “${redact(type, [access_token, refresh_token], 30)}”, not Bearer`;
  const seconds = Number(/^\s*(-?[\d.]+)\s*(s\w*)?\s*$/.exec(String(expires_in))?.[1] ?? NaN);
  const refreshToken = textOf(refresh_token);
  for (const name of ['service', 'state', 'expires', 'refreshed', '__proto__']) delete others[name];
  return {
    ...others,
    access_token,
    token_type: type,
    ...(Number.isFinite(seconds) && { expires_in: seconds, expires: Math.floor(now / 1000 + seconds) }),
    ...(scope !== undefined && scope !== null && { scope: normalizeScope(scope) }),
    ...(refreshToken && { refresh_token: refreshToken }),
  };
}
