/** Owns the faults of a token request, of a login or a refresh (RFC 6749, section 5.2). */
import { formatDuration } from '../../../../../shared/format.ts';
import { discoveryOf } from '../discovery.ts';
import type { Evidence } from '../finding.ts';
import { type Facts, type Found, line, option, optionEvidence } from '../facts.ts';
import type { Exchange } from '../history.ts';
import { isUnreached, reachFinding } from './reach.ts';
import { redirectRefused, said, scopeUnknown } from './refused.ts';

/** Above this many milliseconds a code may have expired before it was used; services keep them for one to ten minutes. */
const SLOW_EXCHANGE = 60_000;

/** Null when the request brought a token. */
export function exchangeFinding(facts: Facts, { requested, answered }: Exchange): Found | null {
  const { code, status, error, description } = answered.detail;
  if (code === null) return null;
  if (isUnreached(code, status))
    return reachFinding(facts, {
      code,
      url: requested?.detail.url ?? '',
      proxy: requested?.detail.proxy ?? false,
      asked: requested ?? answered,
      answered,
    });
  const evidence: Evidence[] = [
    error
      ? said(`The token endpoint answered ${status ?? ''} and`, answered.detail, answered.id)
      : { text: `The token endpoint answered ${status ?? 'nothing'}.`, entry: answered.id },
  ];
  const words = `${error ?? ''} ${description ?? ''}`;
  if (status === 401 || error === 'invalid_client') return clientRefused(facts, evidence);
  if (requested?.detail.grant === 'refresh_token' && code !== 'TOKEN_INVALID') return refreshRefused(facts, evidence);
  if (/redirect_?\s?ur[il]/i.test(words)) return redirectRefused(facts, evidence);
  if (error === 'invalid_grant' || /^(bad_verification_code|invalid_code|code_(already_)?used)$/.test(error ?? ''))
    return codeRefused(facts, words, evidence, requested ? answered.at - requested.at : 0);
  if (error === 'invalid_scope') return scopeUnknown(facts, evidence);
  if (error === 'unauthorized_client' || error === 'unsupported_grant_type') {
    return {
      code: 'GRANT_TYPE_REFUSED',
      severity: 'error',
      title: 'The service does not let this client use a code.',
      cause: 'The authorization code grant is not allowed for this clientId.',
      evidence: [...evidence, ...optionEvidence(facts, 'clientId')],
      fix: 'Allow it for this client at the service.',
    };
  }
  if (
    code === 'TOKEN_INVALID' ||
    status === 404 ||
    status === 405 ||
    (error === null && status !== null && status >= 400)
  )
    return noToken(facts, status, evidence);
  return {
    code: 'TOKEN_REFUSED',
    severity: 'error',
    title: 'The token request was refused.',
    cause: 'The service found something wrong with it.',
    evidence,
    fix: 'Look up what it said in the service’s documentation; what it wants beyond the standard belongs into grantData.',
  };
}

function clientRefused(facts: Facts, evidence: Evidence[]): Found {
  const length = option(facts, 'clientSecret')?.masked?.length;
  return {
    code: 'CLIENT_REFUSED',
    severity: 'error',
    title: 'The service refused the client.',
    cause:
      length === 0
        ? 'clientSecret is empty, but this client has one; or the clientId is unknown.'
        : 'clientId and clientSecret do not belong together, the secret was replaced, or the client has none.',
    evidence: [...evidence, ...optionEvidence(facts, 'clientId'), ...optionEvidence(facts, 'clientSecret')],
    fix: 'Copy both anew from where the service registers its clients, without spaces around; of a public client set clientSecret to an empty text.',
  };
}

function codeRefused(facts: Facts, words: string, evidence: Evidence[], milliseconds: number): Found {
  if (/verifier|challenge|pkce/i.test(words)) {
    return {
      code: 'PKCE_REFUSED',
      severity: 'error',
      title: 'The service refused the code verifier.',
      cause: 'The code does not belong to this login’s PKCE challenge.',
      evidence,
      fix: 'Log in again; only a service that has PKCE wrong needs pkce: false.',
    };
  }
  // `grantData` wins over what the library sends.
  const sent = option(facts, 'grantData')?.entries?.find(({ name }) => name === 'redirect_uri');
  if (sent)
    return redirectRefused(
      facts,
      [...evidence, { text: 'grantData has a redirect_uri of its own.' }],
      'The token request must repeat the redirectUrl of the login (RFC 6749, section 4.1.3), and grantData replaces it.',
    );
  const isLate = milliseconds > SLOW_EXCHANGE || (/expir/i.test(words) && !/used|already|redeemed|replay/i.test(words));
  return {
    code: 'CODE_USED',
    severity: 'error',
    title: 'The service refused the code.',
    cause: isLate
      ? 'It had expired, or had been used before: a code is good once, and for a short time.'
      : 'It was used before: a code is good once. Something else, such as a script of the redirect page or a server behind it, exchanged it first. (One for another client or redirect address is refused alike.)',
    evidence: [
      ...evidence,
      ...(milliseconds > 0 ? [{ text: `The exchange took ${formatDuration(milliseconds)}.` }] : []),
    ],
    fix: 'Let the library alone exchange the code: redirectUrl must be a page that does nothing with it. Then log in again.',
  };
}

function noToken(facts: Facts, status: number | null, evidence: Evidence[]): Found {
  const grantUrl = optionEvidence(facts, 'grantUrl');
  if (status !== null && status >= 500)
    return {
      code: 'SERVICE_FAILED',
      severity: 'error',
      title: 'The service failed.',
      cause: 'Its token endpoint, or what stands before it, is out of order.',
      evidence: [...evidence, ...grantUrl],
      fix: 'Log in again later; if it stays so, tell the service’s support.',
    };
  const { tokenEndpoint, ask } = discoveryOf(facts);
  return {
    code: 'GRANT_URL_WRONG',
    severity: 'error',
    title: 'grantUrl answered, but with no token.',
    cause:
      'Most probably it is not the token endpoint of the service, or its answer was cut off: what came back is neither a token nor an error in JSON or as a form.',
    evidence: [
      ...evidence,
      ...grantUrl,
      ...(tokenEndpoint ? [{ text: `The discovery document names ${tokenEndpoint}.` }] : []),
    ],
    fix: 'Set grantUrl to the service’s token endpoint (token_endpoint of its discovery document).',
    ...(tokenEndpoint && { snippet: line('grantUrl', tokenEndpoint) }),
    ask,
  };
}

export function refreshRefused(facts: Facts, evidence: Evidence[]): Found {
  return {
    code: 'REFRESH_REFUSED',
    severity: 'error',
    title: 'The service refused to refresh the session.',
    cause:
      'The refresh token was revoked, had expired, or had been used before by somebody else: many services take each one once.',
    evidence: [...evidence, ...optionEvidence(facts, 'refresh')],
    fix: 'Log in again. If it happens often, look whether two pages without a common storage use one session.',
  };
}
