/** Sends token requests (RFC 6749, sections 4.1.3 and 6) and reads the responses. */
import { type OAuth2Error, fail } from './errors.ts';
import { type RecordFlow, redactUrl } from './flow.ts';
import type { Send, ServiceRequest, ServiceResponse } from './requests.ts';
import { type Token, readError, readFields, readToken } from './tokens.ts';
import type { FlowDetail, ServiceConfiguration } from './types.ts';

type TokenRequested = Extract<FlowDetail, { kind: 'token-requested' }>;
type TokenAnswered = Extract<FlowDetail, { kind: 'token-answered' }>;

export type RequestToken = (
  service: string,
  configuration: ServiceConfiguration,
  grant: TokenRequested['grant'],
  reason: TokenRequested['reason'],
  /** This request’s parameters. The client’s credentials are added. */
  parameters: Record<string, unknown>,
) => Promise<Token>;

/** The returned function throws OAuth2Error TOKEN_REFUSED, TOKEN_INVALID, OPTION_MISSING, and any error from `send`. */
export function createRequestToken(send: Send, record: RecordFlow): RequestToken {
  return async (service, configuration, grant, reason, parameters) => {
    const { grantUrl, useProxy, clientSecret } = configuration;
    // Optional in the implicit flow.
    if (!grantUrl) fail('OPTION_MISSING', service, 'grantUrl', { option: 'grantUrl' });
    const requestedAt = Date.now();
    const start = performance.now();
    let token: Token | undefined;
    let response: ServiceResponse | undefined;
    let failure: Partial<OAuth2Error> = {};
    record(service, { kind: 'token-requested', grant, url: redactUrl(grantUrl), proxy: !!useProxy, reason });
    try {
      const request = formPost(configuration, { grant_type: grant, ...parameters });
      response = await send(service, configuration, grantUrl, request);
      token = readTokenResponse(service, response, requestedAt, [clientSecret, ...Object.values(parameters)]);
      return token;
    } catch (error) {
      failure = error as OAuth2Error;
      throw error;
    } finally {
      record(service, describeResponse(start, response, token, failure));
    }
  };
}

function describeResponse(
  start: number,
  response: ServiceResponse | undefined,
  token: Token | undefined,
  failure: Partial<OAuth2Error>,
): TokenAnswered {
  const { code = null, status = response?.status ?? null, error = null, description = null } = failure;
  // Most services on other origins hide this header.
  const clockAhead = Math.round(
    ((response?.arrived ?? Date.now()) - Date.parse(String(response?.headers.get('date')))) / 1000,
  );
  return {
    kind: 'token-answered',
    status,
    milliseconds: Math.round(performance.now() - start),
    code,
    error,
    description,
    clockAhead: Number.isNaN(clockAhead) ? null : clockAhead,
    token: token
      ? {
          type: token.token_type,
          expiresIn: token.expires_in ?? null,
          scope: token.scope ?? null,
          refreshable: !!token.refresh_token,
        }
      : null,
  };
}

/**
 * Statuses and error codes after which the same request can succeed (RFC 9110, RFC 6585, RFC 8470; RFC 6749 section
 * 4.1.2.1, RFC 8628 section 3.5), and codes of services’ own.
 */
const TEMPORARY =
  /^(408|409|42[359]|5\d\d) | (server_error|temporarily_unavailable|slow_down|rate_?limit\w*|too_many_requests)$/i;

/** Whether a token request with this response can succeed later, unchanged. */
export const isTemporary = (status: number | null, error: string | null): boolean =>
  TEMPORARY.test(`${status} ${error ?? ''}`);

/** Some services send errors with status 200, although RFC 6749 section 5.2 requires 400. */
function readTokenResponse(
  service: string,
  { status, text }: ServiceResponse,
  requestedAt: number,
  secrets: readonly unknown[],
): Token {
  const fields = readFields(text);
  const { error, description } = readError(fields, secrets);
  const later = isTemporary(status, error) && 'Try again later.';
  if (fields.error || (error && !fields.access_token) || status === 400 || status === 401) {
    const cause = description || error || `status ${status}`;
    fail('TOKEN_REFUSED', service, cause, { status, error, description }, later || '');
  }
  // If a redirect isn’t followed, browsers report status 0.
  const answer = status ? `status ${status}` : 'a redirect';
  const isSuccess = status >= 200 && status < 300;
  const token = isSuccess ? readToken(fields, requestedAt) : `grantUrl responded with ${answer}`;
  if (typeof token === 'string') fail('TOKEN_INVALID', service, token, { status }, later || 'Check grantUrl.');
  return token;
}

/**
 * The body contains the client’s credentials (RFC 6749 section 2.3.1), which must not be sent on to the target of a
 * redirect (RFC 9700 section 4.12).
 */
export function formPost(
  { clientId, clientSecret }: ServiceConfiguration,
  parameters: Record<string, unknown>,
): ServiceRequest {
  const form = setParameters(new URLSearchParams(), {
    client_id: clientId,
    client_secret: clientSecret,
    ...parameters,
  });
  return {
    method: 'POST',
    redirect: 'manual',
    headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' },
    body: String(form),
  };
}

/** Omits parameters without a value (RFC 6749 section 3.1). */
export function setParameters(target: URLSearchParams, parameters: Record<string, unknown>): URLSearchParams {
  for (const [name, value] of Object.entries(parameters))
    if (value || value === 0 || value === false) target.set(name, String(value));
  return target;
}
