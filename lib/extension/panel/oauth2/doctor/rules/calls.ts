/** Owns the faults of `api()` calls: where they went, and why they were refused. */
import { plural } from '../../../../../shared/format.ts';
import { BASE_URL_EXAMPLE, joinFault } from '../base-url.ts';
import { type Facts, type Found, isOn, line, optionEvidence, quoted, textOption, urlOf } from '../facts.ts';
import type { Call } from '../history.ts';
import { areRelated } from '../hosts.ts';
import { isUnreached, reachFinding } from './reach.ts';
import { missingScopes } from './session.ts';

/** Codes of calls that ended before anything was sent. */
const UNSENT = /^(URL_INSECURE|PATH_RELATIVE|NOT_LOGGED_IN|ARGUMENT_INVALID|SERVICE_UNKNOWN|REFRESH_\w+)$/;

/** One for each fault, whichever calls have it; a call that works now has none. */
export function callFindings(facts: Facts): Found[] {
  const found = new Map<string, { finding: Found; calls: number }>();
  for (const call of facts.history.calls.toReversed()) {
    const finding = foreign(facts, call) ?? failed(facts, call);
    if (!finding) continue;
    const key = `${finding.code} ${finding.title}`;
    const same = found.get(key);
    if (same) same.calls++;
    else found.set(key, { finding, calls: 1 });
  }
  return [...found.values()].map(({ finding, calls }) =>
    calls === 1
      ? finding
      : {
          ...finding,
          evidence: [
            ...finding.evidence,
            { text: `${plural(calls, 'address has', 'addresses have')} the same fault.` },
          ],
        },
  );
}

function foreign(facts: Facts, { started, ended }: Call): Found | null {
  const url = urlOf(started.detail.url);
  const known = ['baseUrl', 'authUrl', 'grantUrl', 'issuer', 'revokeUrl'].flatMap(
    (name) => urlOf(textOption(facts, name)) ?? [],
  );
  if (
    !url ||
    known.length === 0 ||
    (ended && UNSENT.test(ended.detail.code ?? '')) ||
    known.some((each) => areRelated(each, url))
  )
    return null;
  return {
    code: 'TOKEN_TO_FOREIGN_HOST',
    severity: 'error',
    title: `The token was sent to ${url.host}.`,
    cause:
      'api() was given a full address, which stands as it is: the service’s token went to a host that its configuration does not name, and whoever runs it can use the token.',
    evidence: [
      { text: `${started.detail.method.toUpperCase()} ${url.origin}${url.pathname}`, entry: started.id },
      ...optionEvidence(facts, 'baseUrl'),
    ],
    fix: 'Give api() a path relative to baseUrl; ask other hosts with fetch, without the token. If this host was not meant to have it, log out at the service, so that the token ends.',
  };
}

function failed(facts: Facts, { started, ended }: Call): Found | null {
  const { code = null, status = null } = ended?.detail ?? {};
  if (!ended || code === null) return null;
  const { url, proxy, method } = started.detail;
  const evidence = [
    {
      text: `${method.toUpperCase()} ${url.replace(/[?#].*/s, '')}${status === null ? '' : ` was answered with ${status}`}.`,
      entry: ended.id,
    },
  ];
  const join =
    status === 404 || status === 405 || code === 'CORS_REFUSED'
      ? joinFault(textOption(facts, 'baseUrl'), url, status !== null)
      : null;
  if (join) {
    return {
      code: 'BASE_URL_JOIN',
      severity: 'error',
      title: 'baseUrl and the path do not fit together.',
      cause: join.cause,
      evidence: [...evidence, ...optionEvidence(facts, 'baseUrl')],
      fix: join.fix,
      ...(join.path && { snippet: `service.api(${JSON.stringify(join.path).replaceAll('<', '\\u003c')})` }),
    };
  }
  if (code === 'PATH_RELATIVE')
    return {
      code: 'BASE_URL_MISSING',
      severity: 'error',
      title: 'api() was given a relative path, but there is no baseUrl.',
      cause: 'Without baseUrl nobody knows whose path it is; nothing was sent.',
      evidence: [...evidence, ...optionEvidence(facts, 'baseUrl')],
      fix: 'Set baseUrl, or give api() a full address.',
      snippet: line('baseUrl', BASE_URL_EXAMPLE),
    };
  if (code === 'URL_INSECURE')
    return {
      code: 'URL_INSECURE',
      severity: 'error',
      title: 'The call was not sent: its address is not https.',
      cause:
        'A token goes to https alone, and to http on this machine: on the way anybody could read it (RFC 6750, section 5.3).',
      evidence,
      fix: 'Use the https address of the API.',
    };
  if (code === 'NOT_LOGGED_IN')
    return facts.session
      ? null
      : {
          code: 'NOT_LOGGED_IN',
          severity: 'warning',
          title: 'api() was called without a session.',
          cause: 'Nobody is logged in, or the session has ended.',
          evidence,
          fix: 'Wait for login(), or for auth.login, before calling api().',
        };
  // Told by the session, or by the refresh.
  if (code === 'SESSION_EXPIRED' || /^REFRESH_|^TOKEN_/.test(code) || isOfExchange(facts, started.id, ended.id, code))
    return null;
  if (isUnreached(code, status)) return reachFinding(facts, { code, url, proxy, asked: started, answered: ended });
  if (status === 401) return rejected(facts, ended.at, evidence);
  // What was not granted says it already.
  if (status === 403) return missingScopes(facts).length > 0 ? null : forbidden(facts, evidence);
  if (code === 'ANSWER_INVALID')
    return {
      code: 'ANSWER_INVALID',
      severity: 'error',
      title: 'The API’s answer is broken.',
      cause:
        'It says that it is JSON, and is not: it was cut off on the way, or something that stands before the API wrote it.',
      evidence,
      fix: 'Ask again. If it stays so, look at the answer in the browser’s Network panel, and tell the API’s support.',
    };
  if (status !== null && status >= 500)
    return {
      code: 'SERVICE_FAILED',
      severity: 'error',
      title: 'The API failed.',
      cause: 'It, or what stands before it, is out of order: a status of 500 or more is never the caller’s fault.',
      evidence,
      fix: 'Ask again later. If it stays so, tell the API’s support; the body of the answer often says more.',
    };
  return null;
}

/** A call that failed by what its refresh failed by. */
function isOfExchange({ history }: Facts, from: number, to: number, code: string): boolean {
  return history.exchanges.some(
    ({ answered }) => answered.id > from && answered.id < to && answered.detail.code === code,
  );
}

function rejected(facts: Facts, at: number, evidence: Found['evidence']): Found | null {
  const { session } = facts;
  // With an expired session it is the session's fault.
  if (session?.expires && session.expires * 1000 <= at && !(isOn(facts, 'refresh') && session.refreshToken))
    return null;
  return {
    code: 'TOKEN_REJECTED',
    severity: 'error',
    title: 'The API does not take the token.',
    cause:
      'It is not expired by its own account: it was revoked, or it is for another API (audience), or the clocks differ.',
    evidence: [
      ...evidence,
      ...(session?.expires
        ? [{ text: `By the session it is good until ${new Date(session.expires * 1000).toLocaleTimeString()}.` }]
        : []),
    ],
    fix: 'Log in again. If it stays so, compare the token’s aud with the API, and look whether the service wants an audience or resource parameter in authUrl.',
  };
}

function forbidden(facts: Facts, evidence: Found['evidence']): Found {
  const scope = facts.session?.scope ?? null;
  return {
    code: 'API_FORBIDDEN',
    severity: 'error',
    title: 'The API refuses the call with 403.',
    cause:
      'The token is good, but not for this: a scope is missing that was never asked for or not granted, or the person has no right to it.',
    evidence: [
      ...evidence,
      ...(scope === null ? [] : [{ text: `Granted ${quoted(scope)}.` }]),
      ...optionEvidence(facts, 'scope'),
    ],
    fix: 'Look in the API’s documentation which scope the call needs, add it to scope, and log in again.',
  };
}
