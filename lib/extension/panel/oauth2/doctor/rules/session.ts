/** Finds session problems: the session expired, lacks scopes, or wasn't stored. */
import { formatTime } from '../../../../../shared/format.ts';
import type { ServiceSession } from '../../types.ts';
import { type Facts, type Found, grantTypeOf, isOn, optionEvidence, optionLine, quoted, textOption } from '../facts.ts';

/** Maximum number of missing scopes to list. */
const MAX_SCOPES = 5;
/** Services often omit these scopes from responses, since they aren't permissions. */
const NOT_REPEATED = new Set(['openid', 'offline_access', 'offline']);

export function sessionFindings(facts: Facts): (Found | null)[] {
  return [expired(facts), scopeNotGranted(facts), storageBlocked(facts)];
}

function expired(facts: Facts): Found | null {
  const { session, history, now } = facts;
  if (!session || session.expires === null || session.expires * 1000 > now) return null;
  if (isOn(facts, 'refresh') && session.refreshToken) return null;
  const end = session.expires * 1000;
  const refused = history.calls.findLast(
    ({ ended }) => ended && ended.detail.code !== null && ended.detail.status === 401 && ended.at >= end,
  )?.ended;
  const isExpiredAtOnce = session.expiresIn !== null && session.expiresIn <= 0;
  return {
    code: 'SESSION_EXPIRED',
    severity: refused ? 'error' : 'warning',
    title: 'The session expired and wasn’t refreshed',
    evidence: [
      {
        text: isExpiredAtOnce
          ? `The service sent expires_in ${session.expiresIn}.`
          : `The session expired at ${formatTime(end, { now })}.`,
      },
      ...(refused ? [{ text: 'A later call failed with 401.', entry: refused.id }] : []),
      { text: refreshTokenText(facts, session) },
      ...optionEvidence(facts, 'refresh'),
    ],
    ...whyNotRefreshed(facts, session),
  };
}

/** Whether the service’s response to the login had a refresh token. Undefined if the response wasn’t recorded. */
const hasSentRefreshToken = ({ login }: Facts): boolean | undefined =>
  login?.exchange?.response.detail.token?.refreshable;

/** Libraries can keep the refresh token to themselves. */
function refreshTokenText(facts: Facts, { refreshToken }: ServiceSession): string {
  if (refreshToken) return 'The session has a refresh token.';
  const sent = hasSentRefreshToken(facts);
  if (sent === undefined) return 'The library reports no refresh token.';
  return sent
    ? 'The service sent a refresh token, which the library doesn’t report.'
    : 'The service sent no refresh token.';
}

function whyNotRefreshed(facts: Facts, { refreshToken }: ServiceSession): Pick<Found, 'cause' | 'fix' | 'snippet'> {
  const snippet = optionLine('refresh', true);
  const sent = hasSentRefreshToken(facts);
  if (refreshToken || (sent && !isOn(facts, 'refresh')))
    return {
      cause: 'The service sent a refresh token, but the refresh option isn’t true.',
      fix: 'Set refresh to true.',
      snippet,
    };
  if (grantTypeOf(facts) === 'token')
    return {
      cause: 'The implicit flow doesn’t issue refresh tokens (RFC 6749 section 4.2.2).',
      fix: 'Log in again. To refresh tokens, set grantType to “code”.',
    };
  if (sent)
    return {
      cause: 'The refresh option is true, and the service sent a refresh token. Why it wasn’t used is unknown.',
      fix: 'Log in again. If it happens again, check how the library refreshes tokens.',
    };
  const none = sent === false ? 'the service sent no refresh token' : 'the library reports no refresh token';
  if (isOn(facts, 'refresh'))
    return {
      cause: `The refresh option is true, but ${none}. Many services require the offline_access scope.`,
      fix: 'Add the scope that the service requires for refresh tokens, and log in again.',
    };
  return {
    cause: `The refresh option isn’t true, and ${none}.`,
    fix: 'Set refresh to true, add the scope offline_access, and log in again.',
    snippet,
  };
}

function scopeNotGranted(facts: Facts): Found | null {
  const { session, login, history } = facts;
  const missing = missingScopes(facts);
  if (!session || missing.length === 0) return null;
  const loggedIn = login?.outcome === 'succeeded' ? login : null;
  const forbidden = history.calls.findLast(({ ended }) => ended?.detail.status === 403)?.ended;
  const listed = missing.slice(0, MAX_SCOPES).map(quoted).join(', ');
  return {
    code: 'SCOPE_NOT_GRANTED',
    severity: forbidden ? 'error' : 'warning',
    title: `Scopes not granted: ${listed}${missing.length > MAX_SCOPES ? ' and more' : ''}`,
    cause: 'The user didn’t allow these scopes, or the service doesn’t offer them to this client or user.',
    evidence: [
      {
        text: `The login requested ${quoted(requestedScope(facts) ?? '')}.`,
        ...(loggedIn && { entry: loggedIn.started.id }),
      },
      {
        text: session.scope ? `The service granted ${quoted(session.scope)}.` : 'The service granted no scopes.',
        ...(loggedIn?.exchange && { entry: loggedIn.exchange.response.id }),
      },
      ...(forbidden ? [{ text: 'A call failed with 403.', entry: forbidden.id }] : []),
    ],
    fix:
      'Log in again and allow these scopes. ' +
      'If the service doesn’t offer them, enable them for this client in its settings.',
  };
}

/** Requested scopes that the session doesn't have. */
export function missingScopes(facts: Facts): string[] {
  return facts.session ? notGranted(requestedScope(facts), facts.session.scope) : [];
}

function requestedScope(facts: Facts): string | null {
  return facts.login?.outcome === 'succeeded' ? facts.login.started.detail.scope : textOption(facts, 'scope');
}

function storageBlocked({ history, page, session }: Facts): Found | null {
  const { stored } = history;
  if (!session || !stored || stored.documentId !== page?.documentId) return null;
  if (stored.detail.persistent || stored.detail.change !== 'stored') return null;
  const isBlocked = page.storage === 'blocked';
  return {
    code: 'STORAGE_BLOCKED',
    severity: 'warning',
    title: 'The session isn’t stored and is lost when this page closes or reloads',
    cause: isBlocked
      ? 'The browser blocks storage for this page because of a private window, third-party frame, or setting.'
      : 'The browser’s storage for this origin is full, or the library keeps sessions in memory only.',
    evidence: [{ text: 'The session is in memory only.', entry: stored.id }],
    fix: isBlocked
      ? 'Allow storage for this site, or open the app in its own tab.'
      : 'Remove items from this origin’s localStorage, or check the library’s settings.',
  };
}

function scopesOf(text: string | null): string[] {
  return (text ?? '').split(/[\s,]+/).filter(Boolean);
}

/**
 * Scopes that were requested but not granted. If the response has no scope (null), all were granted (RFC 6749
 * section 5.1).
 */
export function notGranted(requested: string | null, granted: string | null): string[] {
  if (granted === null) return [];
  const has = scopesOf(granted).map((scope) => scope.toLowerCase());
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
