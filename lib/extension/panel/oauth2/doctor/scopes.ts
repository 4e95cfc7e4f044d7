/** Compares requested scopes with granted ones, allowing for the formats that services use. */

/** Services often omit these from responses, since they aren't permissions. */
const NOT_REPEATED = new Set(['openid', 'offline_access', 'offline']);

export function scopesOf(text: string | null): string[] {
  return (text ?? '').split(/[\s,]+/).filter(Boolean);
}

/**
 * Scopes that were requested but not granted. If the response has no scope, all were granted (RFC 6749 section 5.1).
 */
export function notGranted(requested: string | null, granted: string | null): string[] {
  const has = scopesOf(granted).map((scope) => scope.toLowerCase());
  if (has.length === 0) return [];
  return scopesOf(requested).filter((scope) => {
    const wanted = scope.toLowerCase();
    // Some services return a URL (`…/auth/userinfo.email` for `email`) or a wider scope (`user` for `user:email`).
    return (
      !NOT_REPEATED.has(wanted) &&
      !has.some(
        (each) =>
          each === wanted ||
          new RegExp(`[./:]${wanted.replace(/[^\w]/g, '\\$&')}$`).test(each) ||
          wanted.startsWith(`${each}:`),
      )
    );
  });
}
