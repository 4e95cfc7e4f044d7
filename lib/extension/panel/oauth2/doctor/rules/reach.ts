/** Owns why a request got no answer that the page may read: policy, cross-origin rules, network, time, or the platform's proxy. */
import { formatDuration } from '../../../../../shared/format.ts';
import type { Entry, ProbeRequest } from '../../types.ts';
import { checkedAt, type Facts, type Found, line, optionEvidence, unasked, urlOf } from '../facts.ts';
import type { Evidence } from '../finding.ts';

export interface Unreached {
  code: string;
  /** Without the values of its query. */
  url: string;
  proxy: boolean;
  asked: Entry;
  answered: Entry & { detail: { milliseconds: number } };
}

const OURS = /^(NETWORK_FAILED|CORS_REFUSED|REQUEST_TIMEOUT|PROXY_FAILED)$/;
/** A policy's violation is told about when the request is; in milliseconds. */
const NEARBY = 2_000;

/** Whether no answer came, as far as is known. */
export function isUnreached(code: string, status: number | null): boolean {
  return OURS.test(code) || (status === null && /network|fetch|cors|timeout|typeerror/i.test(code));
}

export function reachFinding(facts: Facts, request: Unreached): Found {
  const { code, url, proxy, asked, answered } = request;
  const host = urlOf(url)?.origin ?? url;
  const evidence: Evidence[] = [
    { text: `The request to ${url.replace(/[?#].*/s, '')} got no answer that the page may read.`, entry: answered.id },
  ];
  const blocked = facts.csp.find(
    (entry) =>
      entry.documentId === asked.documentId &&
      isAbout(entry.detail.directive) &&
      urlOf(entry.detail.blocked)?.origin === host &&
      entry.at >= asked.at - NEARBY &&
      entry.at <= answered.at + NEARBY,
  );
  if (blocked) {
    return {
      code: 'CSP_BLOCKED',
      severity: 'error',
      title: 'The page’s own Content-Security-Policy forbids the request.',
      cause: `${blocked.detail.directive} does not list ${host}, so the browser sent nothing.`,
      evidence: [
        { text: `The browser reported a violation of ${blocked.detail.directive}.`, entry: blocked.id },
        ...evidence,
      ],
      fix: 'Add the host to the policy of the page.',
      snippet: `connect-src 'self' ${host}`,
    };
  }
  if (code === 'PROXY_FAILED') {
    return {
      code: 'PROXY_FAILED',
      severity: 'error',
      title: 'The platform’s proxy did not pass the request on.',
      cause:
        'The service is out of reach for the platform, at a private address, too slow, or the page’s token of the platform has expired.',
      evidence,
      fix: 'Reload the page and try again; look at the message of the error, which names the proxy’s code.',
    };
  }
  if (code === 'REQUEST_TIMEOUT') {
    return {
      code: 'REQUEST_TIMEOUT',
      severity: 'error',
      title: 'The service did not answer in time.',
      cause: `No whole answer came within ${formatDuration(answered.detail.milliseconds)}.`,
      evidence: [...evidence, ...optionEvidence(facts, 'timeout', false)],
      fix: 'Try again; a service that is always that slow needs a larger timeout.',
    };
  }
  return unreachable(facts, request, host, proxy, evidence);
}

function isAbout(directive: string): boolean {
  return /^(connect-src|default-src)/.test(directive);
}

/** Both look the same to a page; a sign of life of the host tells them apart. */
function unreachable(
  facts: Facts,
  { code, url, answered }: Unreached,
  host: string,
  proxy: boolean,
  evidence: Evidence[],
): Found {
  const requests: ProbeRequest[] = urlOf(url)
    ? [
        { url, mode: 'no-cors' },
        { url, mode: 'cors' },
      ]
    : [];
  // What was found before it failed may have changed since.
  const alive = checkedAt(facts, { url, mode: 'no-cors' }, answered.at);
  const readable = checkedAt(facts, { url, mode: 'cors' }, answered.at);
  if (alive) evidence.push({ text: `Asked again, ${host} ${alive.answer.answered ? 'answered' : 'did not answer'}.` });
  if (readable?.answer.answered)
    evidence.push({
      text: `Asked without a token, it let the page read its answer${readable.answer.status === null ? '' : ` (${readable.answer.status})`}.`,
    });
  const isAlive =
    alive || readable ? alive?.answer.answered === true || readable?.answer.answered === true : code === 'CORS_REFUSED';
  const ask = unasked(facts, requests, answered.at);
  if (!isAlive) {
    return {
      code: 'NETWORK_FAILED',
      severity: 'error',
      title: `${host} is out of reach.`,
      cause:
        'Nobody answers there: the name or port is wrong, the network or a firewall stands between, the certificate is not trusted, or the service is down.',
      evidence,
      fix: 'Compare the address with the service’s documentation, and open it in a tab of its own.',
      ask,
    };
  }
  return {
    code: 'CORS_REFUSED',
    severity: 'error',
    title: `${host} answers, but not to this page (CORS).`,
    cause: proxy
      ? 'The platform’s proxy does not let this origin in.'
      : readable?.answer.answered
        ? 'It lets this page read, so either it refuses requests with a token (Access-Control-Allow-Headers must list Authorization) or with this method, or its answer broke off, which may pass.'
        : 'The service does not list this page’s origin in Access-Control-Allow-Origin. Some leave the header out of errors alone.',
    evidence: [...evidence, ...(facts.page ? [{ text: `The page’s origin is ${facts.page.origin}.` }] : [])],
    fix: proxy
      ? 'Start the platform with this origin among its apps’ (--app-origin).'
      : 'Have the service allow this origin for this client; where it can’t, set useProxy.',
    ...(!proxy && { snippet: line('useProxy', true) }),
    ask,
  };
}
