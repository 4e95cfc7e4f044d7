/** Builds and parses URLs of debug pages (decisions, "REST"). */
import { CodedError } from '../coded-error.ts';
import { cleanUrl } from './pasted-url.ts';

/** Builds the URL of an action’s debug page. `baseUrl` has no trailing slash. */
export function compileUrl(baseUrl: string, appId: number, taskId: number): string {
  return `${baseUrl}/v1/apps/${appId}/tasks/${taskId}/compile?html`;
}

/**
 * Parses a pasted debug page URL, which must be below the given base URL. Adds `html` if it’s missing.
 * @throws CodedError `URL_INVALID`, `URL_OTHER_HOST`, `URL_NOT_COMPILE`
 */
export function parseCompileUrl(pasted: string, baseUrl: string): { appId: number; taskId: number; url: string } {
  let url: URL;
  try {
    url = new URL(cleanUrl(pasted));
    if (!/^https?:$/.test(url.protocol)) throw new TypeError(url.protocol);
  } catch {
    throw new CodedError({
      code: 'URL_INVALID',
      message: 'The text isn’t a full URL.',
      hint: 'Enter the whole URL, starting with https://.',
    });
  }
  const base = new URL(baseUrl);
  if (url.origin !== base.origin) {
    throw new CodedError({
      code: 'URL_OTHER_HOST',
      message: `The URL belongs to ${url.host}, but this environment uses ${base.host}.`,
      hint: 'Choose the environment for that host first. A token is sent only to its own environment.',
    });
  }
  const path = base.pathname.replace(/\/$/, '');
  const match = url.pathname.startsWith(path)
    ? /^\/v1\/apps\/(\d{1,15})\/tasks\/(\d{1,15})\/compile\/?$/.exec(url.pathname.slice(path.length))
    : null;
  if (!match) {
    throw new CodedError({
      code: 'URL_NOT_COMPILE',
      message: 'The URL points to neither a debug page nor an app page.',
      hint: 'Enter a URL such as https://<host>/v1/apps/<app>/tasks/<task>/compile?html or https://<host>/v1/apps/<app>/preview.',
    });
  }
  const appId = Number(match[1]);
  const taskId = Number(match[2]);
  return { appId, taskId, url: compileUrl(baseUrl, appId, taskId) };
}

/** The text of the `payload` parameter; null if the URL has none. */
export function payloadInUrl(pasted: string): string | null {
  const url = cleanUrl(pasted);
  return URL.canParse(url) ? new URL(url).searchParams.get('payload') || null : null;
}
