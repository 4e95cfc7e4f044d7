/** Owns comparing the scopes that were asked for with those that were granted, as services are known to write them. */

/** They ask for something else than rights, and are often not repeated. */
const NOT_REPEATED = new Set(['openid', 'offline_access', 'offline']);

export function scopesOf(text: string | null): string[] {
  return (text ?? '').split(/[\s,]+/).filter(Boolean);
}

/** Asked for and not granted. None when the service says nothing: then all were granted (RFC 6749, section 5.1). */
export function notGranted(asked: string | null, granted: string | null): string[] {
  const has = scopesOf(granted).map((scope) => scope.toLowerCase());
  if (has.length === 0) return [];
  return scopesOf(asked).filter((scope) => {
    const wanted = scope.toLowerCase();
    // Written out as an address (`…/auth/userinfo.email` for `email`), or as the wider scope (`user` for `user:email`).
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
