/** Owns requests to services, from the page or through the platform's proxy, and telling why one got no answer. */
import { isSafe } from './configuration.ts';
import { fail, quote } from './errors.ts';
import { fetch, stringify } from './globals.ts';
import { PROBE_TIMEOUT, TIMEOUT } from './limits.ts';
import { base64 } from './pkce.ts';
import { readFields } from './tokens.ts';
import type { ServiceConfiguration } from './types.ts';

export interface Answer {
  status: number;
  headers: Headers;
  text: string;
}

export interface Ask {
  method: string;
  headers: Record<string, string>;
  body?: BodyInit | null;
  redirect?: 'manual';
}

export type Send = (
  service: string,
  configuration: ServiceConfiguration,
  url: URL | string,
  ask: Ask,
) => Promise<Answer>;

/**
 * @param proxyUrl the platform's `/v1/proxy`
 * @throws OAuth2Error NETWORK_FAILED, CORS_REFUSED, REQUEST_TIMEOUT, PROXY_FAILED
 */
export function createSend(window: Window, proxyUrl: string): Send {
  return async (service, { useProxy, timeout = TIMEOUT }, url, ask) => {
    const signal = AbortSignal.timeout(timeout);
    const target = new URL(useProxy ? proxyUrl : url);
    if (!isSafe(target)) fail('URL_INSECURE', service);
    let response: Response;
    let text: string;
    try {
      response = await fetch(target, { ...(useProxy ? await wrap(url, ask) : ask), signal });
      text = await response.text();
    } catch {
      fail(
        signal.aborted ? 'REQUEST_TIMEOUT' : (await isThere(window, target)) ? 'CORS_REFUSED' : 'NETWORK_FAILED',
        service,
        target.origin,
      );
    }
    const { status, headers } = response;
    if (useProxy && !headers.get('platform-proxy')) {
      const { error, message } = readFields(text);
      fail('PROXY_FAILED', service, quote(message) || status, { status, error: quote(error) });
    }
    return { status, headers, text };
  };
}

/** Whether a host of another origin answers at all. What the browser refused to show and what never came look the same to a page; this asks for nothing but a sign of life. */
async function isThere(window: Window, { origin }: URL): Promise<boolean> {
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

/** The request as the proxy takes it; bytes, such as a multipart form, go as base64. */
async function wrap(url: URL | string, { method, headers, body }: Ask): Promise<Ask> {
  let sent: unknown = body;
  if (body instanceof FormData) {
    const form = new Response(body);
    sent = { base64: base64(await form.arrayBuffer()) };
    headers = { ...headers, 'content-type': form.headers.get('content-type')! };
  }
  const token = (globalThis as { ENV?: { token?: string } }).ENV?.token;
  return {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(token && { 'auth-token': token }) },
    body: stringify({ url, method, headers, body: sent }),
  };
}
