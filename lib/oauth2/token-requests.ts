/** Owns token requests (RFC 6749, sections 4.1.3 and 6) and what their answers mean. */
import { type OAuth2Error, fail, quote } from './errors.ts';
import { type Flow, safeUrl } from './flow.ts';
import type { Answer, Ask, Send } from './requests.ts';
import { type Token, readError, readFields, readToken } from './tokens.ts';
import type { FlowDetail, ServiceConfiguration } from './types.ts';

type Requested = Extract<FlowDetail, { kind: 'token-requested' }>;

export type RequestToken = (
  service: string,
  configuration: ServiceConfiguration,
  grant: Requested['grant'],
  reason: Requested['reason'],
  /** Of this request; the client's own are added. */
  parameters: Record<string, unknown>,
) => Promise<Token>;

/** Throws OAuth2Error TOKEN_REFUSED, TOKEN_INVALID, and what sending throws. */
export function createRequestToken(send: Send, tell: Flow['tell']): RequestToken {
  return async (service, configuration, grant, reason, parameters) => {
    const { grantUrl, useProxy } = configuration;
    // With the implicit flow it may be left out.
    if (!grantUrl) fail('OPTION_MISSING', service, 'grantUrl', { option: 'grantUrl' });
    const start = Date.now();
    let token: Token | undefined;
    let answer: Answer | undefined;
    let failure: Partial<OAuth2Error> = {};
    tell(service, { kind: 'token-requested', grant, url: safeUrl(grantUrl), proxy: !!useProxy, reason });
    try {
      answer = await send(
        service,
        configuration,
        grantUrl,
        formPost(configuration, { grant_type: grant, ...parameters }),
      );
      return (token = read(service, answer, start, [configuration.clientSecret, ...Object.values(parameters)]));
    } catch (thrown) {
      failure = thrown as OAuth2Error;
      throw thrown;
    } finally {
      const { code = null, status = answer?.status ?? null, error = null, description = null } = failure;
      // Most services of other origins hide the header.
      const ahead = Math.round((Date.now() - Date.parse(String(answer?.headers.get('date')))) / 1000);
      tell(service, {
        kind: 'token-answered',
        status,
        milliseconds: Date.now() - start,
        code,
        error,
        description,
        clockAhead: Number.isNaN(ahead) ? null : ahead,
        token: token
          ? {
              type: token.token_type,
              expiresIn: token.expires_in ?? null,
              scope: token.scope ?? null,
              refreshable: !!token.refresh_token,
            }
          : null,
      });
    }
  };
}

/** Services are known to put an error into a 200, where RFC 6749 section 5.2 wants 400. */
function read(service: string, { status, text }: Answer, start: number, secrets: readonly unknown[]): Token {
  const fields = readFields(text);
  const error = quote(readError(fields), secrets);
  if (error || status === 400 || status === 401) {
    const description = quote(fields.error_description, secrets);
    fail('TOKEN_REFUSED', service, description || error || status, { status, error, description });
  }
  // A browser tells of a redirect no more than the status 0.
  const token = status > 199 && status < 300 ? readToken(fields, start) : status ? `status ${status}` : 'redirect';
  if (typeof token === 'string') fail('TOKEN_INVALID', service, token, { status });
  return token;
}

/** A form-encoded request with the client's credentials in its body (RFC 6749 section 2.3.1), which no redirect may take elsewhere (RFC 9700 section 4.12). */
export function formPost({ clientId, clientSecret }: ServiceConfiguration, parameters: Record<string, unknown>): Ask {
  return {
    method: 'POST',
    redirect: 'manual',
    headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' },
    body: String(addAll(new URLSearchParams(), { client_id: clientId, client_secret: clientSecret, ...parameters })),
  };
}

/** Parameters without a value are as good as absent (RFC 6749 section 3.1). */
export function addAll(query: URLSearchParams, parameters: Record<string, unknown>): URLSearchParams {
  for (const [name, value] of Object.entries(parameters))
    if (value || value === 0 || value === false) query.set(name, String(value));
  return query;
}
