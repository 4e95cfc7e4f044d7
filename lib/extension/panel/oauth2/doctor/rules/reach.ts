/** Finds out why a request got no readable response: policy, CORS, network, timeout, or the platform's proxy. */
import { formatDuration } from '../../../../../shared/format.ts';
import type { Entry, ProbeRequest } from '../../types.ts';
import { checkedAt, type Facts, type Found, optionEvidence, optionLine, unsentProbes, urlOf } from '../facts.ts';
import type { Evidence } from '../finding.ts';
import type { Of } from '../history.ts';

export interface Unreached {
  code: string;
  /** Without query values. */
  url: string;
  proxy: boolean;
  started: Entry;
  ended: Entry & { detail: { milliseconds: number } };
}

const UNREACHED_CODE = /^(NETWORK_FAILED|CORS_REFUSED|REQUEST_TIMEOUT|PROXY_FAILED)$/;
/** Browsers report policy violations within this many milliseconds of the request. */
const VIOLATION_WINDOW = 2_000;

/** Whether the error code means that the request got no response. */
export function isUnreached(code: string, status: number | null): boolean {
  return UNREACHED_CODE.test(code) || (status === null && /network|fetch|cors|timeout|typeerror/i.test(code));
}

export function reachFinding(facts: Facts, request: Unreached): Found {
  const { code, url, ended } = request;
  const host = urlOf(url)?.origin ?? url;
  const evidence: Evidence[] = [
    { text: `The request to ${url.replace(/[?#].*/s, '')} got no readable response.`, entry: ended.id },
  ];
  const violation = violationOf(facts, request, host);
  if (violation) return blockedByPolicy(violation, host, evidence);
  if (code === 'PROXY_FAILED')
    return {
      code: 'PROXY_FAILED',
      severity: 'error',
      title: 'The platform’s proxy didn’t forward the request',
      cause: 'The platform can’t reach the service, or the page’s platform token has expired.',
      evidence,
      fix: 'Reload the page and try again. If it fails again, check the error for the proxy’s code.',
    };
  if (code === 'REQUEST_TIMEOUT')
    return {
      code: 'REQUEST_TIMEOUT',
      severity: 'error',
      title: 'The service didn’t respond in time',
      cause: `No complete response arrived within ${formatDuration(ended.detail.milliseconds)}.`,
      evidence: [...evidence, ...optionEvidence(facts, 'timeout', false)],
      fix: 'Try again. If the service is always slow, set timeout to a larger value.',
    };
  return unreachable(facts, request, host, evidence);
}

function violationOf({ csp }: Facts, { started, ended }: Unreached, host: string): Of<'csp'> | undefined {
  return csp.find(
    ({ documentId, at, detail }) =>
      documentId === started.documentId &&
      /^(connect-src|default-src)/.test(detail.directive) &&
      urlOf(detail.blocked)?.origin === host &&
      at >= started.at - VIOLATION_WINDOW &&
      at <= ended.at + VIOLATION_WINDOW,
  );
}

function blockedByPolicy({ id, detail: { directive } }: Of<'csp'>, host: string, evidence: Evidence[]): Found {
  return {
    code: 'CSP_BLOCKED',
    severity: 'error',
    title: 'The page’s Content-Security-Policy blocks the request',
    cause: `${directive} doesn’t list ${host}, so the browser sent nothing.`,
    evidence: [{ text: `The browser reported a violation of ${directive}.`, entry: id }, ...evidence],
    fix: 'Add the host to the page’s policy.',
    snippet: `connect-src 'self' ${host}`,
  };
}

/** A page can't tell an unreachable host from a response hidden by CORS. Probes can. */
function unreachable(facts: Facts, request: Unreached, host: string, evidence: Evidence[]): Found {
  const { code, url, ended } = request;
  // Earlier results might be outdated.
  const since = ended.at;
  const reached = checkedAt(facts, { url, mode: 'no-cors' }, since)?.result;
  const readable = checkedAt(facts, { url, mode: 'cors' }, since)?.result;
  const requests: ProbeRequest[] = [
    { url, mode: 'no-cors' },
    { url, mode: 'cors' },
  ];
  const probes = urlOf(url) ? unsentProbes(facts, requests, since) : [];
  const found: Evidence[] = [
    ...(reached
      ? [{ text: `During the check, ${reached.answered ? `${host} responded` : `no response arrived from ${host}`}.` }]
      : []),
    ...(readable?.answered ? [{ text: `Without a token, the page can read the response${statusOf(readable)}.` }] : []),
  ];
  const isReachable =
    reached || readable ? reached?.answered === true || readable?.answered === true : code === 'CORS_REFUSED';
  if (isReachable)
    return corsRefused(facts, request, host, readable?.answered === true, [...evidence, ...found], probes);
  return {
    code: 'NETWORK_FAILED',
    severity: 'error',
    title: `No response from ${host}`,
    cause:
      'The host or port is wrong, a firewall or a browser extension blocks it, its certificate isn’t trusted, ' +
      'or the service is down.',
    evidence: [...evidence, ...found],
    fix: 'Open the URL in a new tab, and compare it with the service’s documentation.',
    probes,
  };
}

const statusOf = ({ status }: { status: number | null }): string => (status === null ? '' : ` (${status})`);

function corsRefused(
  facts: Facts,
  { proxy }: Unreached,
  host: string,
  isReadableWithoutToken: boolean,
  evidence: Evidence[],
  probes: ProbeRequest[],
): Found {
  const cause = isReadableWithoutToken
    ? 'The service might not accept this method, or Authorization isn’t in its Access-Control-Allow-Headers.'
    : 'The service doesn’t list this origin in Access-Control-Allow-Origin. Some services omit it only in error responses.';
  return {
    code: 'CORS_REFUSED',
    severity: 'error',
    title: `${host} rejects requests from this page (CORS)`,
    cause: proxy ? 'The platform’s proxy doesn’t allow this origin.' : cause,
    evidence: [...evidence, ...(facts.page ? [{ text: `The page’s origin is ${facts.page.origin}.` }] : [])],
    fix: proxy
      ? 'Start the platform with this origin in --app-origin.'
      : 'Allow this origin in the service’s settings, or set useProxy to true.',
    ...(!proxy && { snippet: optionLine('useProxy', true) }),
    probes,
  };
}
