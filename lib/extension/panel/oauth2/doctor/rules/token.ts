/** Finds out why a token request failed during a login or refresh (RFC 6749 section 5.2). */
import { formatDuration } from '../../../../../shared/format.ts';
import { isTemporary } from '../../../../inspector/oauth2/index.ts';
import { discoveryOf } from '../discovery.ts';
import type { Evidence } from '../finding.ts';
import { type Facts, type Found, option, optionEvidence, optionLine } from '../facts.ts';
import type { Exchange } from '../history.ts';
import { isUnreached, reachFinding } from './reach.ts';
import { errorEvidence, redirectRefused, scopeUnknown } from './refused.ts';

/** In milliseconds. After this time, the code might have expired: services accept codes for one to ten minutes. */
const SLOW_EXCHANGE = 60_000;

/** Null if the request succeeded. */
export function exchangeFinding(facts: Facts, exchange: Exchange): Found | null {
  const { request, response } = exchange;
  const { code, status } = response.detail;
  if (code === null) return null;
  if (isUnreached(code, status)) {
    const { url = '', proxy = false } = request?.detail ?? {};
    return reachFinding(facts, { code, url, proxy, started: request ?? response, ended: response });
  }
  return refusal(facts, exchange);
}

/** Finds out why the last refresh failed. A later login supersedes it. */
export function refreshFindings(facts: Facts): (Found | null)[] {
  const { history, login } = facts;
  const refresh = history.exchanges.findLast(({ request }) => request?.detail.grant === 'refresh_token');
  const event = history.events.findLast(({ detail }) => detail.code === 'REFRESH_REFUSED');
  const isReplaced = (id: number): boolean => login !== null && login.started.id > id;
  if (refresh && !isReplaced(refresh.response.id)) return [exchangeFinding(facts, refresh)];
  if (refresh || !event || isReplaced(event.id)) return [];
  return [refreshRefused(facts, [{ text: 'auth.fail reported REFRESH_REFUSED.', entry: event.id }])];
}

type Rule = (facts: Facts, evidence: Evidence[], exchange: Exchange) => Found;

/** Error codes with known causes, including codes that only some services use. */
const BY_ERROR = new Map<string | null, Rule>([
  ['invalid_grant', codeRefused],
  ['invalid_code', codeRefused],
  ['bad_verification_code', codeRefused],
  ['code_used', codeRefused],
  ['code_already_used', codeRefused],
  ['invalid_scope', scopeUnknown],
  ['unauthorized_client', grantRefused],
  ['unsupported_grant_type', grantRefused],
]);

function refusal(facts: Facts, exchange: Exchange): Found {
  const { code, status, error } = exchange.response.detail;
  const evidence = [responseEvidence(exchange)];
  if (isTemporary(status, error)) return serviceFailed(facts, status, evidence);
  if (status === 401 || error === 'invalid_client') return clientRefused(facts, evidence);
  const isRefresh = exchange.request?.detail.grant === 'refresh_token';
  if (isRefresh && code !== 'TOKEN_INVALID' && isRefreshRefused(facts, exchange))
    return refreshRefused(facts, evidence);
  if (/redirect_?\s?ur[il]/i.test(errorText(exchange))) return redirectRefused(facts, evidence);
  const rule = BY_ERROR.get(error);
  if (rule && !isRefresh) return rule(facts, evidence, exchange);
  return isWithoutAnswer(exchange) ? noToken(facts, evidence) : requestRefused(isRefresh, evidence);
}

/** Whether the response has neither a token nor an error of a token endpoint. */
function isWithoutAnswer({ response }: Exchange): boolean {
  const { code, status, error } = response.detail;
  const isWithoutError = error === null && status !== null && status >= 400;
  return code === 'TOKEN_INVALID' || status === 404 || status === 405 || isWithoutError;
}

function requestRefused(isRefresh: boolean, evidence: Evidence[]): Found {
  return {
    code: 'TOKEN_REFUSED',
    severity: 'error',
    title: 'The service rejected the token request',
    cause: isRefresh
      ? 'The error doesn’t say that the refresh token is invalid, so the session continues.'
      : 'The service expects different parameters.',
    evidence,
    fix: isRefresh
      ? 'Look up the error in the service’s documentation, and check what this client may do there.'
      : 'Look up the error in the service’s documentation. Add missing parameters to grantData.',
  };
}

function responseEvidence({ response: { id, detail } }: Exchange): Evidence {
  return detail.error
    ? errorEvidence(`The token endpoint responded with ${detail.status ?? 'the error'}:`, detail, id)
    : { text: `The token endpoint responded with ${detail.status ?? 'nothing'}.`, entry: id };
}

const errorText = ({ response: { detail } }: Exchange): string => `${detail.error ?? ''} ${detail.description ?? ''}`;

function clientRefused(facts: Facts, evidence: Evidence[]): Found {
  const length = option(facts, 'clientSecret')?.masked?.length;
  return {
    code: 'CLIENT_REFUSED',
    severity: 'error',
    title: 'The service rejected the client',
    cause:
      length === 0
        ? 'clientSecret is empty. Either this client needs one, or clientId is unknown.'
        : 'clientId and clientSecret don’t match, or the secret was replaced.',
    evidence: [...evidence, ...optionEvidence(facts, 'clientId'), ...optionEvidence(facts, 'clientSecret')],
    fix: 'Copy clientId and clientSecret from the service. For a public client, set clientSecret to an empty string.',
  };
}

function grantRefused(facts: Facts, evidence: Evidence[]): Found {
  return {
    code: 'GRANT_TYPE_REFUSED',
    severity: 'error',
    title: 'The service doesn’t accept codes from this client',
    cause: 'The authorization code grant isn’t allowed for this clientId.',
    evidence: [...evidence, ...optionEvidence(facts, 'clientId')],
    fix: 'Allow the authorization code grant for this client in the service’s settings.',
  };
}

function codeRefused(facts: Facts, evidence: Evidence[], exchange: Exchange): Found {
  const text = errorText(exchange);
  const milliseconds = exchange.request ? exchange.response.at - exchange.request.at : 0;
  if (/verifier|challenge|pkce/i.test(text))
    return {
      code: 'PKCE_REFUSED',
      severity: 'error',
      title: 'The service rejected the code verifier',
      cause: 'The code wasn’t issued for this login’s PKCE challenge.',
      evidence,
      fix: 'Log in again. If the login fails again, set pkce to false.',
    };
  const hasOwnRedirect = option(facts, 'grantData')?.entries?.some(({ name }) => name === 'redirect_uri');
  if (hasOwnRedirect)
    return redirectRefused(
      facts,
      [...evidence, { text: 'grantData contains redirect_uri.' }],
      'The token request must repeat redirectUrl, but grantData overrides it (RFC 6749 section 4.1.3).',
    );
  const isUsed = /used|already|redeemed|replay/i.test(text);
  const isExpired = milliseconds > SLOW_EXCHANGE || (/expir/i.test(text) && !isUsed);
  const duration = { text: `The request took ${formatDuration(milliseconds)}.` };
  return {
    code: 'CODE_USED',
    severity: 'error',
    title: 'The service rejected the code',
    cause: isExpired
      ? 'The code expired or was already used. A code works only once, and only for a short time.'
      : 'The code was already used, for example by a script on the redirect page. A code works only once.',
    evidence: milliseconds > 0 ? [...evidence, duration] : evidence,
    fix: 'Set redirectUrl to a page that doesn’t use the code, and log in again.',
  };
}

function serviceFailed(facts: Facts, status: number | null, evidence: Evidence[]): Found {
  const isBroken = status !== null && status >= 500;
  return {
    code: 'SERVICE_FAILED',
    severity: 'error',
    title: isBroken ? 'The service failed' : 'The service can’t respond now',
    cause: `The token endpoint, or a server in front of it, ${isBroken ? 'isn’t working' : 'is busy, or limits requests'}.`,
    evidence: [...evidence, ...optionEvidence(facts, 'grantUrl')],
    fix: 'Try again later. If it fails again, contact the service provider.',
  };
}

function noToken(facts: Facts, evidence: Evidence[]): Found {
  const grantUrl = optionEvidence(facts, 'grantUrl');
  const { tokenEndpoint, probes } = discoveryOf(facts);
  const discovered = tokenEndpoint
    ? [{ text: `The discovery document lists ${tokenEndpoint} as the token endpoint.` }]
    : [];
  return {
    code: 'GRANT_URL_WRONG',
    severity: 'error',
    title: 'grantUrl responded without a token',
    cause: 'The response contains neither a token nor an error. grantUrl is probably not the token endpoint.',
    evidence: [...evidence, ...grantUrl, ...discovered],
    fix: 'Set grantUrl to token_endpoint from the service’s discovery document.',
    ...(tokenEndpoint && { snippet: optionLine('grantUrl', tokenEndpoint) }),
    probes,
  };
}

/** The library says by REFRESH_REFUSED whether a refusal is final. Other libraries might not. */
function isRefreshRefused({ page, history }: Facts, { response }: Exchange): boolean {
  const isReported = history.events.some(({ id, detail }) => id > response.id && detail.code === 'REFRESH_REFUSED');
  return isReported || page?.tracing !== 'observed';
}

function refreshRefused(facts: Facts, evidence: Evidence[]): Found {
  return {
    code: 'REFRESH_REFUSED',
    severity: 'error',
    title: 'The service refused to refresh the session',
    cause: 'The refresh token expired, was revoked, or was already used. Many services accept each token only once.',
    evidence: [...evidence, ...optionEvidence(facts, 'refresh')],
    fix: 'Log in again. If this happens often, check if several browsers share one session.',
  };
}
