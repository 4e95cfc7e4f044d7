/**
 * Sends requests to services, directly or through the platform’s proxy, and finds out why a request got no response.
 */
import { isSecureUrl } from './configuration.ts';
import { fail } from './errors.ts';
import { fetch, stringify } from './intrinsics.ts';
import { base64 } from './pkce.ts';
import { readError, readFields } from './tokens.ts';
import type { ServiceConfiguration } from './types.ts';

/** Time limit for checking whether a host responds, in milliseconds. */
const PROBE_TIMEOUT = 5_000;
/** Default time limit for a token request or API call, in milliseconds. */
const REQUEST_TIMEOUT = 60_000;

declare const ENV: { token?: string } | undefined;

export interface ServiceRequest {
  method: string;
  headers: Record<string, string>;
  body?: BodyInit | null;
  redirect?: 'manual';
}

export interface ServiceResponse {
  status: number;
  headers: Headers;
  text: string;
  /** When its head arrived, in epoch milliseconds. */
  arrived: number;
}

export type Send = (
  service: string,
  configuration: ServiceConfiguration,
  url: URL | string,
  request: ServiceRequest,
) => Promise<ServiceResponse>;

/**
 * @param proxyUrl the platform’s `/v1/proxy`
 * @throws OAuth2Error URL_INSECURE, NETWORK_FAILED, CORS_REFUSED, REQUEST_TIMEOUT, ANSWER_INVALID, PROXY_FAILED
 */
export function createSend(window: Window, proxyUrl: string): Send {
  return async (service, { useProxy, timeout = REQUEST_TIMEOUT }, url, request) => {
    const target = new URL(useProxy ? proxyUrl : url);
    if (!isSecureUrl(target)) fail('URL_INSECURE', service);
    const signal = AbortSignal.timeout(timeout);
    // Logins and refreshes can be repeated.
    const isRepeatable = request.method === 'GET' || request.redirect === 'manual';
    const note = isRepeatable ? '' : 'Check what the call has done before you try again.';
    let response: Response | undefined;
    let arrived = 0;
    let text: string;
    try {
      response = await fetch(target, { ...(useProxy ? await toProxyRequest(url, request) : request), signal });
      arrived = Date.now();
      text = await response.text();
    } catch {
      const { origin } = target;
      const status = response?.status;
      if (signal.aborted)
        fail('REQUEST_TIMEOUT', service, useProxy ? `it, or the proxy at ${origin},` : origin, { status }, note);
      if (response) fail('ANSWER_INVALID', service, 'the connection broke before its end', { status }, note);
      fail((await isReachable(window, target)) ? 'CORS_REFUSED' : 'NETWORK_FAILED', service, origin, {}, note);
    }
    const { status, headers } = response;
    if (useProxy) checkProxied(service, response, text, note);
    return { status, headers, text, arrived };
  };
}

/** @throws OAuth2Error PROXY_FAILED if the response isn’t the service’s, as far as the proxy says */
function checkProxied(service: string, { status, headers }: Response, text: string, note: string): void {
  if (headers.get('platform-proxy')) return;
  const { error, description } = readError(readFields(text));
  const isUnknown = status < 400;
  const cause = isUnknown ? 'the response has no Platform-Proxy header' : description || `status ${status}`;
  fail('PROXY_FAILED', service, cause, { status, error }, isUnknown ? note : '');
}

/**
 * Whether a host on another origin responds at all. With `fetch`, a response blocked by CORS looks like no response.
 */
async function isReachable(window: Window, { origin }: URL): Promise<boolean> {
  try {
    if (origin === window.location.origin) return false;
    await fetch(origin, {
      method: 'HEAD',
      mode: 'no-cors',
      credentials: 'omit',
      signal: AbortSignal.timeout(PROBE_TIMEOUT),
    });
    return true;
  } catch {
    return false;
  }
}

/** Wraps a request for the proxy. What isn’t text is sent as base64. */
async function toProxyRequest(url: URL | string, { method, headers, body }: ServiceRequest): Promise<ServiceRequest> {
  let content: unknown = body;
  if (typeof body === 'object' && body) {
    const sent = new Response(body);
    content = { base64: base64(await sent.arrayBuffer()) };
    headers = { 'content-type': sent.headers.get('content-type')!, ...headers };
  }
  // A page can also declare it as a const.
  const token = typeof ENV === 'undefined' ? undefined : ENV?.token;
  return {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(token && { 'auth-token': token }) },
    body: stringify({ url, method, headers, body: content }),
  };
}

/** The `/v1/proxy` of the platform that a script was loaded from. Undefined if the script isn’t one of its packages. */
export function proxyUrlFor(scriptUrl = ''): string | undefined {
  return /\/packages\/[^/]*$/.test(scriptUrl) ? new URL('../proxy', scriptUrl).href : undefined;
}
