/** Finds problems with `api()` calls: where they were sent, and why they failed. */
import { isLoopback } from '../../../../../platform-api/loopback.ts';
import { formatTime, plural } from '../../../../../shared/format.ts';
import { BASE_URL_EXAMPLE, joinFault } from '../base-url.ts';
import { type Facts, type Found, isOn, optionEvidence, optionLine, quoted, textOption, urlOf } from '../facts.ts';
import type { Evidence } from '../finding.ts';
import type { Call } from '../history.ts';
import { isUnreached, reachFinding } from './reach.ts';
import { missingScopes } from './session.ts';

/** Codes of calls that failed before anything was sent. */
const UNSENT = /^(URL_INSECURE|PATH_RELATIVE|NOT_LOGGED_IN|ARGUMENT_INVALID|SERVICE_UNKNOWN|REFRESH_\w+)$/;
/** Options that contain the service's own hosts. */
const HOST_OPTIONS = ['baseUrl', 'authUrl', 'grantUrl', 'issuer', 'revokeUrl'];

type EndedCall = Call & { ended: NonNullable<Call['ended']> };

/** Returns one finding per problem, no matter how many calls have it. */
export function callFindings(facts: Facts): Found[] {
  const found = new Map<string, { finding: Found; calls: number }>();
  for (const call of facts.history.calls.toReversed()) {
    const finding = foreignHost(facts, call) ?? (isFailed(call) ? failure(facts, call) : null);
    if (!finding) continue;
    const key = `${finding.code} ${finding.title}`;
    const same = found.get(key);
    if (same) same.calls++;
    else found.set(key, { finding, calls: 1 });
  }
  return [...found.values()].map(({ finding, calls }) => {
    if (calls === 1) return finding;
    const text = `The same problem affects ${plural(calls, 'URL')}.`;
    return { ...finding, evidence: [...finding.evidence, { text }] };
  });
}

const isFailed = (call: Call): call is EndedCall => call.ended !== null && call.ended.detail.code !== null;

function foreignHost(facts: Facts, { started, ended }: Call): Found | null {
  const url = urlOf(started.detail.url);
  const known = HOST_OPTIONS.flatMap((name) => urlOf(textOption(facts, name)) ?? []);
  if (!url || known.length === 0 || known.some((each) => areRelated(each, url))) return null;
  if (ended && UNSENT.test(ended.detail.code ?? '')) return null;
  // Without a response, the browser may have refused to send the call, and its headers are never seen.
  const hasResponse = ended !== null && ended.detail.status !== null;
  return {
    code: 'TOKEN_TO_FOREIGN_HOST',
    severity: hasResponse ? 'error' : 'warning',
    title: `The token ${hasResponse ? 'was probably' : 'may have been'} sent to ${url.host}`,
    cause: `api() was called with a full URL of a host that the configuration doesn’t name. ${hasResponse ? 'The host responded.' : 'No response was seen.'}`,
    evidence: [
      { text: `${started.detail.method.toUpperCase()} ${url.origin}${url.pathname}`, entry: started.id },
      ...optionEvidence(facts, 'baseUrl'),
    ],
    fix: hasResponse
      ? 'Call other hosts with fetch(). If this host shouldn’t have the token, revoke it with the service.'
      : 'Call other hosts with fetch(). Look at the request’s headers on the Network tab: if they have the token, revoke it with the service.',
  };
}

function failure(facts: Facts, call: EndedCall): Found | null {
  const { started, ended } = call;
  const { status } = ended.detail;
  const { url, method } = started.detail;
  const response = status === null ? '' : ` responded with ${status}`;
  const evidence = [{ text: `${method.toUpperCase()} ${url.replace(/[?#].*/s, '')}${response}.`, entry: ended.id }];
  return wrongUrl(facts, call, evidence) ?? unsent(facts, call, evidence) ?? refused(facts, call, evidence);
}

function wrongUrl(facts: Facts, { started, ended }: EndedCall, evidence: Evidence[]): Found | null {
  const { code, status } = ended.detail;
  if (status !== 404 && status !== 405 && code !== 'CORS_REFUSED') return null;
  const fault = joinFault(textOption(facts, 'baseUrl'), started.detail.url, status !== null);
  if (!fault) return null;
  return {
    code: 'BASE_URL_JOIN',
    severity: 'error',
    title: 'baseUrl and the path don’t fit together',
    cause: fault.cause,
    evidence: [...evidence, ...optionEvidence(facts, 'baseUrl')],
    fix: fault.fix,
    ...(fault.path && { snippet: `service.api(${JSON.stringify(fault.path).replaceAll('<', '\\u003c')})` }),
  };
}

function unsent(facts: Facts, { ended }: EndedCall, evidence: Evidence[]): Found | null {
  switch (ended.detail.code) {
    case 'PATH_RELATIVE':
      return {
        code: 'BASE_URL_MISSING',
        severity: 'error',
        title: 'api() was called with a relative path, but baseUrl isn’t set',
        cause: 'A relative path is appended to baseUrl. Nothing was sent.',
        evidence: [...evidence, ...optionEvidence(facts, 'baseUrl')],
        fix: 'Set baseUrl, or call api() with a full URL.',
        snippet: optionLine('baseUrl', BASE_URL_EXAMPLE),
      };
    case 'URL_INSECURE':
      return {
        code: 'URL_INSECURE',
        severity: 'error',
        title: 'The call wasn’t sent, since its URL isn’t https',
        cause: 'Over HTTP, others on the network can read the token (RFC 6750 section 5.3).',
        evidence,
        fix: 'Use the https URL of the API.',
      };
    case 'NOT_LOGGED_IN':
      if (facts.session) return null;
      return {
        code: 'NOT_LOGGED_IN',
        severity: 'warning',
        title: 'api() was called without a session',
        cause: 'The user isn’t logged in, or the session has ended.',
        evidence,
        fix: 'Call api() after login() resolves or auth.login fires.',
      };
    default:
      return null;
  }
}

function refused(facts: Facts, { started, ended }: EndedCall, evidence: Evidence[]): Found | null {
  const { status } = ended.detail;
  const code = ended.detail.code ?? '';
  const { url, proxy } = started.detail;
  // Another finding already covers the session or the refresh.
  if (code === 'NOT_LOGGED_IN' || code === 'SESSION_EXPIRED' || /^(REFRESH|TOKEN)_/.test(code)) return null;
  if (isOfExchange(facts, started.id, ended.id, code)) return null;
  if (isUnreached(code, status)) return reachFinding(facts, { code, url, proxy, started, ended });
  if (status === 401) return tokenRejected(facts, ended.at, evidence);
  // Another finding already covers scopes that weren't granted.
  if (status === 403) return missingScopes(facts).length > 0 ? null : forbidden(facts, evidence);
  if (code === 'ANSWER_INVALID')
    return {
      code: 'ANSWER_INVALID',
      severity: 'error',
      title: 'The API’s response isn’t valid JSON',
      cause: 'The response was cut off, or it came from a server in front of the API.',
      evidence,
      fix: 'Check the response in the Network panel.',
    };
  if (status !== null && status >= 500)
    return {
      code: 'SERVICE_FAILED',
      severity: 'error',
      title: 'The API failed',
      cause: 'The API, or a server in front of it, isn’t working.',
      evidence,
      fix: 'Try again later. If it fails again, contact the API provider.',
    };
  return null;
}

/** Whether the call failed because its refresh failed. */
function isOfExchange({ history }: Facts, from: number, to: number, code: string): boolean {
  return history.exchanges.some(
    ({ response }) => response.id > from && response.id < to && response.detail.code === code,
  );
}

function tokenRejected(facts: Facts, at: number, evidence: Evidence[]): Found | null {
  const { session, now } = facts;
  const end = session?.expires ? session.expires * 1000 : null;
  const isRefreshed = isOn(facts, 'refresh') && session?.refreshToken;
  // Another finding already covers an expired session.
  if (end !== null && end <= at && !isRefreshed) return null;
  return {
    code: 'TOKEN_REJECTED',
    severity: 'error',
    title: 'The API doesn’t accept the token',
    cause: 'The token was revoked or is for another API (audience), or this device’s clock differs from the service’s.',
    evidence: end === null ? evidence : [...evidence, { text: `The session expires at ${formatTime(end, { now })}.` }],
    fix: 'Log in again. If it fails again, compare the token’s aud claim with the API.',
  };
}

function forbidden(facts: Facts, evidence: Evidence[]): Found {
  const scope = facts.session?.scope ?? null;
  return {
    code: 'API_FORBIDDEN',
    severity: 'error',
    title: 'The API rejected the call with 403',
    cause: 'The token lacks a scope that the call needs, or the user isn’t allowed to make it.',
    evidence: [
      ...evidence,
      ...(scope === null ? [] : [{ text: `The service granted ${quoted(scope)}.` }]),
      ...optionEvidence(facts, 'scope'),
    ],
    fix: 'Add the scope that the API’s documentation requires, and log in again.',
  };
}

/**
 * A hostname's last two labels, or three for suffixes such as `co.uk`. For loopback and IP addresses, the host and
 * port.
 */
function siteOf({ hostname, host }: URL): string {
  if (isLoopback(hostname) || /^[\d.]+$|^\[/.test(hostname)) return host;
  const labels = hostname.split('.');
  const [second = '', top = ''] = labels.slice(-2);
  return labels.slice(top.length === 2 && second.length <= 3 ? -3 : -2).join('.');
}

/** Also true for hosts of the same brand, such as `googleapis.com` and `google.com`. */
function areRelated(one: URL, other: URL): boolean {
  const [a, b] = [siteOf(one), siteOf(other)];
  if (a === b) return true;
  const [short, long] = [a.split('.')[0]!, b.split('.')[0]!].sort((x, y) => x.length - y.length) as [string, string];
  return (
    !isLoopback(one.hostname) &&
    !isLoopback(other.hostname) &&
    /^[a-z][a-z-]{3,}$/.test(short) &&
    long.startsWith(short)
  );
}
