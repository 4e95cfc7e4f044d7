/** Owns the faults of a login, up to the answer of the service: popup, redirect and state. */
import type { Evidence } from '../finding.ts';
import { type Facts, type Found, grantTypeOf, line, optionEvidence, quoted, textOption, urlOf } from '../facts.ts';
import type { Login } from '../history.ts';
import { redirectRefused, said, scopeUnknown } from './refused.ts';
import { exchangeFinding } from './token.ts';

/** The platform's generic page, which hands over to apps of other origins. */
const GENERIC_PAGE = /\/v1\/auth\/sso-callback$/;

/** One for a login that failed: the first step that went wrong. A later login that works ends it. */
export function loginFindings(facts: Facts): (Found | null)[] {
  const { login } = facts;
  if (login?.outcome !== 'failed') return [];
  return [
    popupBlocked(login) ??
      insecure(login) ??
      notBack(facts, login) ??
      badState(facts, login) ??
      refused(facts, login) ??
      badCallback(facts, login) ??
      (login.exchange && exchangeFinding(facts, login.exchange)) ??
      other(login),
  ];
}

function popupBlocked(login: Login): Found | null {
  const blocked = login.popup.find(({ detail }) => detail.state === 'blocked');
  if (!blocked) return null;
  return {
    code: 'POPUP_BLOCKED',
    severity: 'error',
    title: 'The browser blocked the login’s popup.',
    cause:
      'A browser opens popups in a person’s click alone: login() was called without one, or after something else was waited for, or popups are forbidden for this site.',
    evidence: [
      { text: 'The window did not open.', entry: blocked.id },
      { text: 'login() was called here.', entry: login.started.id },
    ],
    fix: 'Call login() in the handler of a click, before any await; or allow popups for this site in the address bar.',
    snippet: 'button.onclick = () => service.login();',
  };
}

function insecure(login: Login): Found | null {
  if (login.code !== 'PAGE_INSECURE') return null;
  return {
    code: 'PAGE_INSECURE',
    severity: 'error',
    title: 'PKCE needs a page with https.',
    cause: 'On http elsewhere than on this machine a browser has no crypto.subtle, which PKCE is made with.',
    evidence: [{ text: 'The login ended before its popup opened.', entry: login.last.id }],
    fix: 'Serve the page with https; only where that is impossible set pkce to false.',
  };
}

/** The service never sent anybody back to the app. */
function notBack(facts: Facts, login: Login): Found | null {
  const { callback, exchange, started, code } = login;
  const closed = login.popup.find(({ detail }) => detail.state === 'closed');
  // A library of others may hear of the answer in a way that is not seen.
  const isOver =
    facts.page?.tracing === 'observed'
      ? code === 'POPUP_CLOSED' || code === 'LOGIN_TIMEOUT'
      : closed !== undefined && /clos|cancel|abort|timeout/i.test(code ?? '');
  if (callback || exchange || !isOver) return null;
  const { redirectUrl } = started.detail;
  const open = Math.max(0, Math.round(((closed ?? login.last).at - started.at) / 1000));
  const evidence: Evidence[] = [
    {
      text: `The popup was open for ${open} seconds and ${code === 'LOGIN_TIMEOUT' ? 'ran out of time' : 'was closed'} without an answer of the service.`,
      entry: (closed ?? login.last).id,
    },
    { text: `redirectUrl is ${quoted(redirectUrl)}.`, entry: started.id },
  ];
  const url = urlOf(redirectUrl);
  if (url && facts.page && url.origin !== facts.page.origin && !GENERIC_PAGE.test(url.pathname)) {
    return {
      code: 'REDIRECT_URL_ELSEWHERE',
      severity: 'error',
      title: 'redirectUrl is no page of this app.',
      cause: `The app is at ${facts.page.origin}; a page of another origin can't hand the answer over to it.`,
      evidence,
      fix: 'Use a page of the app’s own origin, or the platform’s generic page (/v1/auth/sso-callback), and register it at the service.',
      snippet: line('redirectUrl', `${facts.page.origin}${url.pathname}`),
    };
  }
  const cameBack =
    facts.history.logins.some((each) => each.callback && each.started.detail.redirectUrl === redirectUrl) ||
    facts.session !== null;
  const inVain = facts.history.logins.filter(
    (each) =>
      each.outcome === 'failed' &&
      !each.callback &&
      each.popup.length > 0 &&
      each.started.detail.redirectUrl === redirectUrl,
  ).length;
  const saw = facts.knowledge.said.get(login.last.id);
  if (redirectUrl.includes('#'))
    return redirectRefused(
      facts,
      evidence,
      'It has a fragment (#…), which services must refuse (RFC 6749, section 3.1.2).',
    );
  if (saw) return redirectRefused(facts, [...evidence, { text: 'The popup showed an error of the service.' }]);
  const question = saw === undefined && {
    question: {
      text: 'What did the popup show?',
      yes: 'An error of the service',
      no: 'A login form, or nothing yet',
      about: login.last.id,
    },
  };
  if (question && !cameBack && (inVain > 1 || code === 'LOGIN_TIMEOUT')) {
    return {
      ...redirectRefused(facts, [
        ...evidence,
        { text: `No login came back to this address${inVain > 1 ? `, and ${inVain} ended so` : ''}.` },
      ]),
      title: 'The service most probably refused redirectUrl.',
      ...question,
    };
  }
  return {
    code: 'POPUP_CLOSED',
    severity: 'warning',
    title: 'The popup was closed before the login ended.',
    cause:
      saw === false || cameBack
        ? 'The person closed it.'
        : 'The person closed it, maybe because the service showed an error in it.',
    evidence,
    fix: `Log in again, and leave the popup open until it closes by itself.${url && url.origin !== facts.page?.origin ? ' If it stays open on the platform’s page, the platform does not know this app’s origin: name it there (--app-origin).' : ''}`,
    ...question,
  };
}

function badState(facts: Facts, login: Login): Found | null {
  const { stateChecked, callback } = login;
  if (stateChecked?.detail.matches !== false && login.code !== 'STATE_MISMATCH') return null;
  const names = callback?.detail.parameters ?? [];
  const count = names.filter((name) => name === 'state').length;
  const cause =
    names.length === 0
      ? 'The answer carried nothing at all: a redirect on the way (from http to https, or to another page) lost it.'
      : count === 0
        ? 'The service sent no state back; it has to, when it was sent one (RFC 6749, section 4.1.2).'
        : count > 1
          ? 'The answer carried more than one state; somebody may have added one.'
          : 'The answer belongs to another login: one from before, from another tab, or one that somebody else began (cross-site request forgery).';
  return {
    code: 'STATE_MISMATCH',
    severity: 'error',
    title: 'The state that came back is not the one that was sent.',
    cause: `${cause} It was not used.`,
    evidence: [
      {
        text: names.length > 0 ? `The answer had ${names.slice(0, 8).join(', ')}.` : 'The answer had no parameters.',
        entry: callback?.id ?? login.last.id,
      },
      ...(callback?.detail.error ? [said('The service', callback.detail, callback.id)] : []),
      ...optionEvidence(facts, 'state', false),
    ],
    fix:
      names.length === 0
        ? 'Set redirectUrl to the address where the answer ends, with nothing that redirects in between.'
        : 'Close other login windows and log in again. If it stays so, look at what the service and the redirect page do with state.',
  };
}

/** The service said no. */
function refused(facts: Facts, { callback, started }: Login): Found | null {
  const error = callback?.detail.error;
  if (!callback || !error) return null;
  const { description } = callback.detail;
  const evidence = [said('The service', callback.detail, callback.id)];
  if (/redirect_?ur[il]/i.test(`${error} ${description ?? ''}`))
    return redirectRefused(facts, [
      ...evidence,
      { text: `redirectUrl is ${quoted(started.detail.redirectUrl)}.`, entry: started.id },
    ]);
  if (/^(access_denied|consent_required|login_required|interaction_required|user_cancelled\w*)$/.test(error)) {
    return {
      code: 'LOGIN_DENIED',
      severity: 'warning',
      title: 'The login was refused.',
      cause: 'The person said no, or the service does not let this person use the app.',
      evidence,
      fix: 'Log in again and allow it; if nobody was asked, have the service’s administrator allow the app for this person.',
    };
  }
  if (/^unsupported_response_type$|^unauthorized_client$/.test(error)) {
    const grantType = grantTypeOf(facts);
    return {
      code: 'GRANT_TYPE_REFUSED',
      severity: 'error',
      title: `The service refuses grantType ${grantType}.`,
      cause:
        grantType === 'token'
          ? 'It does not offer the implicit flow, or not to this client; many services no longer do.'
          : 'It does not offer the explicit flow to this client.',
      evidence: [...evidence, ...optionEvidence(facts, 'grantType')],
      fix:
        grantType === 'token'
          ? 'Use grantType code, with grantUrl.'
          : 'Allow the authorization code flow for this client at the service.',
      ...(grantType === 'token' && { snippet: `${line('grantType', 'code')}\n${line('grantUrl', 'https://…/token')}` }),
    };
  }
  if (error === 'invalid_scope') return scopeUnknown(facts, evidence);
  if (/^(server_error|temporarily_unavailable)$/.test(error))
    return {
      code: 'SERVICE_FAILED',
      severity: 'error',
      title: 'The service failed.',
      cause: 'It says that something went wrong on its side.',
      evidence,
      fix: 'Log in again later; if it stays so, tell the service’s support what it said.',
    };
  return {
    code: 'LOGIN_REFUSED',
    severity: 'error',
    title: 'The service refused the login.',
    cause: 'It found something wrong with the request.',
    evidence,
    fix: 'Look up what it said in the service’s documentation; compare clientId, scope and grantType with what is registered there.',
  };
}

function badCallback(facts: Facts, login: Login): Found | null {
  const { callback, code, started } = login;
  if (!callback) return null;
  if (code === 'ISSUER_MISMATCH') {
    return {
      code: 'ISSUER_MISMATCH',
      severity: 'error',
      title: 'The answer comes from another issuer.',
      cause: `${textOption(facts, 'issuer') ? 'issuer is not what the service calls itself' : 'The service calls itself by another host than authUrl’s, and issuer is not set'}, or another service answered (RFC 9207). The answer was not used.`,
      evidence: [{ text: 'The answer’s iss differs.', entry: callback.id }, ...optionEvidence(facts, 'issuer')],
      fix: 'Set issuer to what the discovery document of the service says, letter for letter.',
    };
  }
  if (code !== 'CALLBACK_INVALID') return null;
  const names = callback.detail.parameters;
  const { grantType } = started.detail;
  const wanted = grantType === 'code' ? 'code' : 'access_token';
  const found = names.filter((name) => name === wanted).length;
  const isOther = names.includes(grantType === 'code' ? 'access_token' : 'code');
  return {
    code: 'CALLBACK_INVALID',
    severity: 'error',
    title: found > 1 ? `The answer has more than one ${wanted}.` : `The answer has no ${wanted}.`,
    cause:
      found > 1
        ? 'Nothing may come twice (RFC 6749, section 3.1): something on the way adds to the answer. It was not used.'
        : isOther
          ? 'The service answered for the other grantType.'
          : 'The service, or a page on the way, left it out.',
    evidence: [{ text: `The answer had ${names.slice(0, 8).join(', ') || 'no parameters'}.`, entry: callback.id }],
    fix:
      isOther && found === 0
        ? `Set grantType to what the service does, or its response_type to ${grantType}.`
        : 'Log in again; if it stays so, look at what stands between the service and redirectUrl.',
  };
}

function other(login: Login): Found | null {
  // What is told elsewhere: a service that is not configured, or was refused by `configure`.
  if (login.code === 'SERVICE_UNKNOWN') return null;
  return {
    code: 'LOGIN_REFUSED',
    severity: 'error',
    title: 'The login failed.',
    cause: 'The library gives no reason that is known here.',
    evidence: [{ text: `It ended with ${quoted(login.code ?? 'no code')}.`, entry: login.last.id }],
    fix: 'Look at the entries of the login, and at the console of the page.',
  };
}
