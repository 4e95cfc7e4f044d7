/** Finds out why a login failed before the token request: popup, redirect, state, or a rejection. */
import type { Evidence } from '../finding.ts';
import { type Facts, type Found, grantTypeOf, optionEvidence, optionLine, quoted, textOption } from '../facts.ts';
import type { Login } from '../history.ts';
import { noCallback } from './no-callback.ts';
import { errorEvidence, redirectRefused, scopeUnknown } from './refused.ts';
import { exchangeFinding } from './token.ts';

/** Maximum number of callback parameters to list. */
const MAX_PARAMETERS = 8;

/** Reports only the first step that failed. */
export function loginFindings(facts: Facts): (Found | null)[] {
  const { login } = facts;
  if (login?.outcome !== 'failed') return [];
  return [
    popupBlocked(login) ??
      insecure(login) ??
      noCallback(facts, login) ??
      stateMismatch(facts, login) ??
      issuerMismatch(facts, login) ??
      refused(facts, login) ??
      callbackInvalid(login) ??
      (login.exchange && exchangeFinding(facts, login.exchange)) ??
      otherFailure(login),
  ];
}

function popupBlocked(login: Login): Found | null {
  const blocked = login.popup.find(({ detail }) => detail.state === 'blocked');
  if (!blocked) return null;
  return {
    code: 'POPUP_BLOCKED',
    severity: 'error',
    title: 'The browser blocked the login popup',
    cause: 'login() was called without a click or after an await, or popups are blocked for this site.',
    evidence: [
      { text: 'The popup didn’t open.', entry: blocked.id },
      { text: 'login() was called here.', entry: login.started.id },
    ],
    fix: 'Call login() in a click handler, before any await.',
    snippet: 'button.onclick = () => service.login();',
  };
}

function insecure(login: Login): Found | null {
  if (login.code !== 'PAGE_INSECURE') return null;
  return {
    code: 'PAGE_INSECURE',
    severity: 'error',
    title: 'PKCE needs an https page',
    cause: 'On http pages, browsers don’t provide crypto.subtle, which PKCE needs.',
    evidence: [{ text: 'The login ended before its popup opened.', entry: login.last.id }],
    fix: 'Serve the page over https. If that isn’t possible, set pkce to false.',
  };
}

function stateMismatch(facts: Facts, login: Login): Found | null {
  const { stateChecked, callback } = login;
  if (stateChecked?.detail.matches !== false && login.code !== 'STATE_MISMATCH') return null;
  const names = callback?.detail.parameters ?? [];
  return {
    code: 'STATE_MISMATCH',
    severity: 'error',
    title: 'The callback’s state doesn’t match the login',
    cause: `${whyStateDiffers(names)} The callback was ignored.`,
    evidence: [
      { text: parametersText(names), entry: callback?.id ?? login.last.id },
      ...(callback?.detail.error ? [errorEvidence('The service responded with', callback.detail, callback.id)] : []),
      ...optionEvidence(facts, 'state', false),
    ],
    fix:
      names.length === 0
        ? 'Set redirectUrl to the final URL, after all redirects.'
        : 'Close other login popups and log in again.',
  };
}

function whyStateDiffers(names: readonly string[]): string {
  const count = names.filter((name) => name === 'state').length;
  if (names.length === 0) return 'The callback has no parameters: a redirect along the way dropped them.';
  if (count === 0) return 'The service didn’t return the state (RFC 6749 section 4.1.2).';
  if (count > 1) return 'The callback has more than one state. An attacker may have added one.';
  return 'The callback belongs to another login: an earlier one, another tab’s, or an attacker’s.';
}

function parametersText(names: readonly string[]): string {
  const listed = names.slice(0, MAX_PARAMETERS).join(', ');
  return listed ? `The callback has ${listed}.` : 'The callback has no parameters.';
}

/** Explains an error response from the service. */
function refused(facts: Facts, { callback, started }: Login): Found | null {
  if (!callback?.detail.error) return null;
  const { error, description } = callback.detail;
  const evidence = [errorEvidence('The service responded with', callback.detail, callback.id)];
  if (/redirect_?ur[il]/i.test(`${error} ${description ?? ''}`)) {
    const redirectUrl = { text: `redirectUrl is ${quoted(started.detail.redirectUrl)}.`, entry: started.id };
    return redirectRefused(facts, [...evidence, redirectUrl]);
  }
  if (/^(access_denied|consent_required|login_required|interaction_required|user_cancelled\w*)$/.test(error))
    return {
      code: 'LOGIN_DENIED',
      severity: 'warning',
      title: 'The login was denied',
      cause: 'The user declined, or the service doesn’t allow this user to use the app.',
      evidence,
      fix: 'Log in again and allow access. If the service doesn’t ask for consent, allow the app for this user in the service’s settings.',
    };
  if (/^unsupported_response_type$|^unauthorized_client$/.test(error)) return grantTypeRefused(facts, evidence);
  if (error === 'invalid_scope') return scopeUnknown(facts, evidence);
  if (/^(server_error|temporarily_unavailable)$/.test(error))
    return {
      code: 'SERVICE_FAILED',
      severity: 'error',
      title: 'The service failed',
      cause: 'The service reported an internal error.',
      evidence,
      fix: 'Try again later. If it fails again, contact the service provider.',
    };
  return {
    code: 'LOGIN_REFUSED',
    severity: 'error',
    title: 'The service rejected the login',
    cause: 'The service doesn’t accept the request.',
    evidence,
    fix: 'Look up the error in the service’s documentation, and check clientId, scope, and grantType.',
  };
}

function grantTypeRefused(facts: Facts, evidence: Evidence[]): Found {
  const grantType = grantTypeOf(facts);
  const common = {
    code: 'GRANT_TYPE_REFUSED',
    severity: 'error',
    title: `The service rejects grantType “${grantType}”`,
    evidence: [...evidence, ...optionEvidence(facts, 'grantType')],
  } satisfies Partial<Found>;
  if (grantType === 'token')
    return {
      ...common,
      cause: 'The service doesn’t offer the implicit flow, at least not to this client.',
      fix: 'Set grantType to “code”, and grantUrl to the token endpoint.',
      snippet: `${optionLine('grantType', 'code')}\n${optionLine('grantUrl', 'https://…/token')}`,
    };
  return {
    ...common,
    cause: 'The service doesn’t offer the explicit flow to this client.',
    fix: 'Allow the authorization code flow for this client in the service’s settings.',
  };
}

function issuerMismatch(facts: Facts, { callback, code }: Login): Found | null {
  if (!callback || code !== 'ISSUER_MISMATCH') return null;
  const cause = textOption(facts, 'issuer')
    ? 'The issuer option doesn’t match the service’s issuer'
    : 'The issuer option isn’t set and the issuer’s host differs from authUrl’s';
  return {
    code: 'ISSUER_MISMATCH',
    severity: 'error',
    title: 'The callback comes from another issuer',
    cause: `${cause}, or another service responded (RFC 9207). The callback was ignored.`,
    evidence: [
      { text: 'The callback’s iss parameter is missing or names a different issuer.', entry: callback.id },
      ...(callback.detail.error ? [errorEvidence('The callback reports', callback.detail, callback.id)] : []),
      ...optionEvidence(facts, 'issuer'),
    ],
    fix: 'Set issuer to the issuer in the service’s discovery document.',
  };
}

/** Without a callback event, the popup was closed on a redirect page that had no response. */
function callbackInvalid({ callback, code, started, last }: Login): Found | null {
  if (code !== 'CALLBACK_INVALID') return null;
  const names = callback?.detail.parameters ?? [];
  const { grantType } = started.detail;
  const [expected, other] = grantType === 'code' ? ['code', 'access_token'] : ['access_token', 'code'];
  const count = names.filter((name) => name === expected).length;
  const isOther = count === 0 && names.includes(other);
  const common = {
    code: 'CALLBACK_INVALID',
    severity: 'error',
    evidence: [{ text: parametersText(names), entry: callback?.id ?? last.id }],
  } satisfies Partial<Found>;
  if (count > 1)
    return {
      ...common,
      title: `The callback has more than one ${expected}`,
      cause: 'A parameter must not appear more than once (RFC 6749 section 3.1). The callback was ignored.',
      fix: 'Log in again. If it fails again, check the redirects between the service and redirectUrl.',
    };
  return {
    ...common,
    title: `The callback has no ${expected}`,
    cause: isOther
      ? 'The service’s response is for the other grantType.'
      : 'The service, or a page along the way, left it out.',
    fix: isOther
      ? `Set grantType to “${grantType === 'code' ? 'token' : 'code'}”.`
      : 'Log in again. If it fails again, check the redirects between the service and redirectUrl.',
  };
}

function otherFailure(login: Login): Found | null {
  // A configuration finding already explains this.
  if (login.code === 'SERVICE_UNKNOWN') return null;
  return {
    code: 'LOGIN_REFUSED',
    severity: 'error',
    title: 'The login failed',
    cause: 'The library reported a reason that the doctor doesn’t recognize.',
    evidence: [{ text: `The login ended with ${quoted(login.code ?? 'no code')}.`, entry: login.last.id }],
    fix: 'Check the login’s timeline entries and the page’s console.',
  };
}
