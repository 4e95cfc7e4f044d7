/** Turns `api()` calls into requests, and reads the responses (specification, "Options of `api(options)`"). */
import { isSecureUrl, parseUrl, rejectUnknownOptions } from '../configuration.ts';
import { appendQuery, toBody } from './data.ts';
import { fail, redact } from '../errors.ts';
import { parse } from '../intrinsics.ts';
import type { ServiceRequest, ServiceResponse } from '../requests.ts';
import type { AuthResponse, ServiceConfiguration } from '../types.ts';

export interface ApiCall {
  /** In uppercase. */
  method: string;
  /** Relative paths are joined to `baseUrl`, if there is one. */
  url: string;
  data: unknown;
}

/**
 * Full URLs are used unchanged. Other paths are joined to `baseUrl` with a single slash, before its query.
 * @throws OAuth2Error ARGUMENT_INVALID, OPTION_UNKNOWN
 */
export function readCall(service: string, { baseUrl }: ServiceConfiguration, argument: unknown): ApiCall {
  const options = typeof argument === 'string' ? { path: argument } : argument;
  rejectUnknownOptions(service, options, ['path', 'method', 'data']);
  const { path, method: givenMethod = 'GET', data = null } = (options ?? {}) as Record<string, unknown>;
  const method = String(givenMethod).toUpperCase();
  if (typeof path !== 'string') fail('ARGUMENT_INVALID', service, 'path must be a string');
  if (!/^(GET|POST|PUT|DELETE)$/.test(method))
    fail('ARGUMENT_INVALID', service, 'method must be get, post, put, or delete');
  if (data !== null && (typeof data !== 'object' || method === 'DELETE'))
    fail('ARGUMENT_INVALID', service, 'data must be an object, and absent with delete');
  return { method, url: isFullUrl(path) || !baseUrl ? path : join(baseUrl, path), data };
}

function join(baseUrl: string, path: string): string {
  const [base = '', query] = baseUrl.split(/\?(.*)/s);
  // The path can be only a query.
  const url = /^[?#]/.test(path) ? base + path : `${base}\n${path}`.replace(/\/*\n+\/*/, '/');
  return query ? url.replace(/\?|(?=#)|$/, (mark) => `?${query}${mark && '&'}`) : url;
}

/** A colon alone doesn’t make a URL: `items:search` is a path. */
const isFullUrl = (path: string) => /^[a-z][a-z\d+.-]*:\/\//i.test(path);

/** @throws OAuth2Error PATH_RELATIVE, ARGUMENT_INVALID, URL_INSECURE */
export function resolveUrl(service: string, { method, url: text, data }: ApiCall): URL {
  if (!isFullUrl(text)) fail('PATH_RELATIVE', service);
  const url = parseUrl(text);
  if (!url || url.username || url.password)
    fail('ARGUMENT_INVALID', service, 'path must be a URL without user and password');
  // RFC 6750 section 5.3.
  if (!isSecureUrl(url)) fail('URL_INSECURE', service);
  if (method === 'GET' && data) appendQuery(service, url.searchParams, data);
  return url;
}

/**
 * Builds the request, with the token in a header (RFC 6750 section 2.1).
 * @throws OAuth2Error ARGUMENT_INVALID
 */
export function toRequest(service: string, { access_token }: AuthResponse, { method, data }: ApiCall): ServiceRequest {
  const headers: Record<string, string> = { authorization: `Bearer ${access_token}` };
  if (method === 'GET' || data === null) return { method, headers };
  const { body, type } = toBody(service, data as object);
  return { method, headers: { ...headers, ...(type && { 'content-type': type }) }, body };
}

/**
 * Returns parsed JSON, null for an empty body, and text for other bodies.
 * @throws OAuth2Error API_REFUSED, SESSION_EXPIRED, ANSWER_INVALID
 */
export function readResponse(
  service: string,
  { status, headers, text }: ServiceResponse,
  { access_token, expires = Infinity }: AuthResponse,
): unknown {
  const isRefused = status >= 400;
  // Redacts JSON value by value, since the token might be escaped in it.
  const redactToken = (value: unknown) =>
    isRefused && typeof value === 'string' ? redact(value, [access_token], Infinity) : value;
  let body = redactToken(text);
  if (/[/+]json\b/i.test(headers.get('content-type')!) || !text) {
    try {
      body = parse(text || 'null', (_, value) => redactToken(value));
    } catch {
      if (!isRefused) fail('ANSWER_INVALID', service, 'its body isn’t valid JSON', { status });
    }
  }
  if (!isRefused) return body;
  const code = status === 401 && expires * 1000 < Date.now() ? 'SESSION_EXPIRED' : 'API_REFUSED';
  fail(code, service, status, { status, body });
}

const HEADERS = 50;
const HEADER_LENGTH = 1_000;

/** Up to 50 headers for observers, without the token, which a service might send back. */
export function headerLines(headers: Headers, token: string | undefined): string[] {
  return [...headers].slice(0, HEADERS).map(([name, value]) => redact(`${name}: ${value}`, [token], HEADER_LENGTH));
}
