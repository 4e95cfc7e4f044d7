/** Owns what a call of `api()` asks for, and what its answer means (specification, "Options of `api(options)`"). */
import { checkNames, isSafe, parseUrl } from './configuration.ts';
import { fail, quote } from './errors.ts';
import { parse, stringify } from './globals.ts';
import type { Answer, Ask } from './requests.ts';
import type { AuthResponse, ServiceConfiguration } from './types.ts';

export interface Call {
  /** In capitals. */
  method: string;
  /** With baseUrl, where it was relative. */
  address: string;
  data: unknown;
}

/**
 * A full address stands; another path is joined to baseUrl with one slash.
 * @throws OAuth2Error ARGUMENT_INVALID, OPTION_UNKNOWN
 */
export function readCall(service: string, { baseUrl }: ServiceConfiguration, argument: unknown): Call {
  const options = typeof argument === 'string' ? { path: argument } : argument;
  checkNames(service, options, ['path', 'method', 'data']);
  const { path, method: given = 'GET', data = null } = (options ?? {}) as Record<string, unknown>;
  const method = String(given).toUpperCase();
  const wrong =
    typeof path !== 'string'
      ? 'path'
      : !/^(GET|POST|PUT|DELETE)$/.test(method)
        ? 'method'
        : data !== null && (typeof data !== 'object' || method === 'DELETE')
          ? 'data'
          : '';
  if (wrong) fail('ARGUMENT_INVALID', service, wrong);
  return {
    method,
    address: isFull(path as string) || !baseUrl ? (path as string) : `${baseUrl}\n${path}`.replace(/\/*\n+\/*/, '/'),
    data,
  };
}

/** A colon alone makes no address: `items:search` is a path. */
const isFull = (path: string) => /^[a-z][a-z\d+.-]*:\/\//i.test(path);

/** @throws OAuth2Error PATH_RELATIVE, ARGUMENT_INVALID, URL_INSECURE */
export function resolve(service: string, { method, address, data }: Call): URL {
  if (!isFull(address)) fail('PATH_RELATIVE', service);
  const url = parseUrl(address);
  if (!url || url.username || url.password) fail('ARGUMENT_INVALID', service, 'path');
  // RFC 6750 section 5.3.
  if (!isSafe(url)) fail('URL_INSECURE', service);
  if (method === 'GET') {
    for (const [name, value] of toForm(data) ?? Object.entries(data ?? {})) {
      // A list gives its name several times; what is null or undefined is left out.
      for (const each of [value].flat() as unknown[])
        if (each !== null && each !== undefined)
          url.searchParams.append(name, typeof each === 'object' ? stringify(each) : String(each));
    }
  }
  return url;
}

/**
 * The request with the token in its header (RFC 6750 section 2.1).
 * @throws OAuth2Error ARGUMENT_INVALID
 */
export function asRequest(service: string, { access_token }: AuthResponse, { method, data }: Call): Ask {
  const headers: Record<string, string> = { authorization: `Bearer ${access_token}` };
  if (method === 'GET' || data === null) return { method, headers };
  const form = toForm(data);
  if (form) return { method, headers, body: form };
  try {
    return { method, headers: { ...headers, 'content-type': 'application/json' }, body: stringify(data) };
  } catch {
    fail('ARGUMENT_INVALID', service, 'data');
  }
}

/**
 * JSON parsed, null for nothing, other answers as text.
 * @throws OAuth2Error API_REFUSED, SESSION_EXPIRED, ANSWER_INVALID
 */
export function readAnswer(
  service: string,
  { status, headers, text }: Answer,
  { access_token, expires = Infinity }: AuthResponse,
): unknown {
  const failed = status >= 400;
  const clean = (value: unknown) =>
    failed && typeof value === 'string' ? quote(value, [access_token], Infinity) : value;
  let body = clean(text);
  if (/[/+]json\b/i.test(headers.get('content-type')!) || !text) {
    try {
      // In JSON a token may be escaped.
      body = parse(text || 'null', (_, value) => clean(value));
    } catch {
      if (!failed) fail('ANSWER_INVALID', service, '', { status });
    }
  }
  if (failed)
    fail(status === 401 && expires * 1000 < Date.now() ? 'SESSION_EXPIRED' : 'API_REFUSED', service, status, {
      status,
      body,
    });
  return body;
}

/** FormData, a form's, or a file input's files under its name; null for another object. By what they call themselves, since they may come from a frame. */
function toForm(data: unknown): FormData | null {
  const kind = {}.toString.call(data).slice(8, -1);
  if (kind === 'FormData') return data as FormData;
  if (kind === 'HTMLFormElement') return new FormData(data as HTMLFormElement);
  if (kind !== 'HTMLInputElement') return null;
  const { name, files, value } = data as HTMLInputElement;
  const form = new FormData();
  for (const file of files ?? [value]) form.append(name || 'file', file);
  return form;
}
