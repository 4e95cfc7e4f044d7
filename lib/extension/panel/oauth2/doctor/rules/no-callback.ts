/** Finds out why a popup ended without a callback. */
import type { Evidence } from '../finding.ts';
import { type Facts, type Found, optionLine, quoted, urlOf } from '../facts.ts';
import type { Login } from '../history.ts';
import { redirectRefused } from './refused.ts';

/** The platform page that posts callbacks to apps on other origins. */
const PLATFORM_CALLBACK = /\/v1\/auth\/sso-callback$/;

export function noCallback(facts: Facts, login: Login): Found | null {
  if (login.callback || login.exchange || !isEndedByPopup(facts, login)) return null;
  const { redirectUrl } = login.started.detail;
  const evidence = popupEvidence(login);
  const elsewhere = redirectElsewhere(facts, redirectUrl, evidence);
  if (elsewhere) return elsewhere;
  if (redirectUrl.includes('#'))
    return redirectRefused(
      facts,
      evidence,
      'The URL has a fragment (#), which services must reject (RFC 6749 section 3.1.2).',
    );
  const sawError = facts.knowledge.answers.get(login.last.id);
  if (sawError) return redirectRefused(facts, [...evidence, { text: 'The popup showed an error from the service.' }]);
  return redirectSuspected(facts, login, evidence) ?? popupClosed(facts, login, evidence);
}

/** Other libraries might receive the callback in ways that aren't recorded, so require a closed popup, too. */
function isEndedByPopup({ page }: Facts, { code, popup }: Login): boolean {
  if (page?.tracing === 'observed') return code === 'POPUP_CLOSED' || code === 'LOGIN_TIMEOUT';
  const isClosed = popup.some(({ detail }) => detail.state === 'closed');
  return isClosed && /clos|cancel|abort|timeout/i.test(code ?? '');
}

function popupEvidence({ popup, started, last, code }: Login): Evidence[] {
  const end = popup.find(({ detail }) => detail.state === 'closed') ?? last;
  const seconds = Math.max(0, Math.round((end.at - started.at) / 1000));
  const how = code === 'LOGIN_TIMEOUT' ? 'timed out' : 'was closed';
  return [
    { text: `The popup ${how} after ${seconds} seconds without a callback.`, entry: end.id },
    { text: `redirectUrl is ${quoted(started.detail.redirectUrl)}.`, entry: started.id },
  ];
}

function redirectElsewhere({ page }: Facts, redirectUrl: string, evidence: Evidence[]): Found | null {
  const url = urlOf(redirectUrl);
  if (!url || !page || url.origin === page.origin || PLATFORM_CALLBACK.test(url.pathname)) return null;
  return {
    code: 'REDIRECT_URL_ELSEWHERE',
    severity: 'error',
    title: 'redirectUrl isn’t a page of this app',
    cause: `The app is at ${page.origin}. A page on another origin can’t send it the callback.`,
    evidence,
    fix: 'Set redirectUrl to a page on the app’s origin, and register it with the service.',
    snippet: optionLine('redirectUrl', `${page.origin}${url.pathname}`),
  };
}

/** Then, the popup looks closed to the app while it’s open. */
const CUT_OFF = 'the service’s page cut its connection to the app (Cross-Origin-Opener-Policy)';

/** If no login with this redirectUrl has ever returned, the service probably rejects it. */
function redirectSuspected(facts: Facts, login: Login, evidence: Evidence[]): Found | null {
  const isAnswered = facts.knowledge.answers.has(login.last.id);
  if (isAnswered || hasReturned(facts, login)) return null;
  const { redirectUrl } = login.started.detail;
  const failures = facts.history.logins.filter(
    ({ outcome, callback, popup, started }) =>
      outcome === 'failed' && !callback && popup.length > 0 && started.detail.redirectUrl === redirectUrl,
  ).length;
  if (failures <= 1 && login.code !== 'LOGIN_TIMEOUT') return null;
  const text = `No recorded login has returned to this URL${failures > 1 ? `, and ${failures} ended without a callback` : ''}.`;
  return {
    ...redirectRefused(facts, [...evidence, { text }]),
    title: 'The service probably rejected redirectUrl',
    ...questionAbout(login),
  };
}

function popupClosed(facts: Facts, login: Login, evidence: Evidence[]): Found {
  const sawError = facts.knowledge.answers.get(login.last.id);
  const url = urlOf(login.started.detail.redirectUrl);
  const isOwnPage = !url || url.origin === facts.page?.origin;
  return {
    code: 'POPUP_CLOSED',
    severity: 'warning',
    title: 'The popup was closed before the login completed',
    cause:
      sawError === false || hasReturned(facts, login)
        ? `The popup was closed, or ${CUT_OFF}.`
        : `The popup was closed, possibly because it showed an error from the service, or ${CUT_OFF}.`,
    evidence,
    fix: isOwnPage
      ? 'Log in again, and wait until the popup closes.'
      : 'Log in again. If the popup stays on the platform’s page, add this app’s origin with --app-origin.',
    ...(sawError === undefined && questionAbout(login)),
  };
}

/** Whether an earlier login returned to the same redirectUrl. */
function hasReturned({ history, session }: Facts, { started }: Login): boolean {
  const { redirectUrl } = started.detail;
  return (
    session !== null || history.logins.some((each) => each.callback && each.started.detail.redirectUrl === redirectUrl)
  );
}

function questionAbout({ last }: Login): Pick<Found, 'question'> {
  const [yes, no] = ['An error from the service', 'A login form, or nothing yet'];
  return { question: { text: 'What did the popup show?', yes, no, about: last.id } };
}
