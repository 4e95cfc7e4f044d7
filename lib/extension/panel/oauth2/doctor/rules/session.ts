/** Owns the faults of a session: expired for good, with fewer scopes than asked for, or kept in memory alone. */
import { formatTime } from '../../../../../shared/format.ts';
import { type Facts, type Found, grantTypeOf, isOn, line, optionEvidence, quoted, textOption } from '../facts.ts';
import { notGranted } from '../scopes.ts';

export function sessionFindings(facts: Facts): (Found | null)[] {
  return [expired(facts), scopeNotGranted(facts), storageBlocked(facts)];
}

function expired(facts: Facts): Found | null {
  const { session, history, now } = facts;
  if (!session || session.expires === null || session.expires * 1000 > now) return null;
  const canRefresh = isOn(facts, 'refresh');
  if (canRefresh && session.refreshToken) return null;
  const refused = history.calls.findLast(
    ({ ended }) =>
      ended && ended.detail.code !== null && ended.detail.status === 401 && ended.at >= session.expires! * 1000,
  );
  const isImplicit = grantTypeOf(facts) === 'token';
  const atOnce = session.expiresIn !== null && session.expiresIn <= 0;
  const evidence = [
    {
      text: atOnce
        ? `The service gave it ${session.expiresIn} seconds to live.`
        : `It expired at ${formatTime(session.expires * 1000, { now })}.`,
    },
    ...(refused?.ended
      ? [{ text: `A call was refused with ${refused.ended.detail.status} after that.`, entry: refused.ended.id }]
      : []),
    { text: session.refreshToken ? 'It has a refresh token.' : 'It has no refresh token.' },
    ...optionEvidence(facts, 'refresh'),
  ];
  const common = {
    code: 'SESSION_EXPIRED',
    severity: refused ? 'error' : 'warning',
    title: 'The session has expired, and nothing refreshes it.',
    evidence,
  } as const;
  if (session.refreshToken)
    return {
      ...common,
      cause: 'The service gave a refresh token, but refresh is not true.',
      fix: 'Set refresh.',
      snippet: line('refresh', true),
    };
  if (isImplicit)
    return {
      ...common,
      cause: 'The implicit flow has no refresh tokens (RFC 6749, section 4.2.2).',
      fix: 'Log in again; where the service offers it, use grantType code with refresh, so that nobody has to.',
    };
  if (canRefresh)
    return {
      ...common,
      cause:
        'refresh is true, but the service gave no refresh token: many want a scope for it (offline_access), or a parameter in authUrl (access_type=offline).',
      fix: 'Ask for what the service’s documentation names, then log in again.',
    };
  return {
    ...common,
    cause: 'refresh is not true, and the service gave no refresh token.',
    fix: 'Log in again; if the service has refresh tokens, set refresh and ask for what it wants for them (often the scope offline_access).',
    snippet: line('refresh', true),
  };
}

function scopeNotGranted(facts: Facts): Found | null {
  const { session, login, history } = facts;
  if (!session) return null;
  const loggedIn = login?.outcome === 'succeeded' ? login : null;
  const asked = askedScope(facts);
  const missing = missingScopes(facts);
  if (missing.length === 0) return null;
  const forbidden = history.calls.findLast(({ ended }) => ended?.detail.status === 403);
  return {
    code: 'SCOPE_NOT_GRANTED',
    severity: forbidden ? 'error' : 'warning',
    title: `Not granted: ${missing.slice(0, 5).map(quoted).join(', ')}${missing.length > 5 ? ' and more' : ''}.`,
    cause: 'The person left it out, or the service does not allow it to this client or person.',
    evidence: [
      { text: `Asked for ${quoted(asked ?? '')}.`, ...(loggedIn && { entry: loggedIn.started.id }) },
      {
        text: `Granted ${quoted(session.scope ?? '')}.`,
        ...(loggedIn?.exchange && { entry: loggedIn.exchange.answered.id }),
      },
      ...(forbidden?.ended ? [{ text: 'A call was refused with 403.', entry: forbidden.ended.id }] : []),
    ],
    fix: 'Log in again and allow it; if it is not offered, allow the scope for this client at the service. Code that can do without should look at the session’s scope.',
  };
}

/** Asked for, and not granted to the session. */
export function missingScopes(facts: Facts): string[] {
  return facts.session ? notGranted(askedScope(facts), facts.session.scope) : [];
}

function askedScope(facts: Facts): string | null {
  return facts.login?.outcome === 'succeeded' ? facts.login.started.detail.scope : textOption(facts, 'scope');
}

function storageBlocked({ history, page, session }: Facts): Found | null {
  const { stored } = history;
  if (
    !session ||
    !stored ||
    stored.detail.persistent ||
    stored.detail.change !== 'stored' ||
    stored.documentId !== page?.documentId
  )
    return null;
  return {
    code: 'STORAGE_BLOCKED',
    severity: 'warning',
    title: 'The session is kept in memory alone.',
    cause:
      page.storage === 'blocked'
        ? 'The browser blocks this page’s storage (private mode, third-party frame, or a setting).'
        : 'The browser’s storage for this origin is full.',
    evidence: [{ text: 'The session could not be stored.', entry: stored.id }],
    fix:
      page.storage === 'blocked'
        ? 'Allow storage for this site, or open the app in a tab of its own; until then a reload ends the session.'
        : 'Remove what fills localStorage; until then a reload ends the session.',
  };
}
