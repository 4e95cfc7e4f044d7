/** Tests a connection, and explains each way in which it can fail. */
import { CodedError, type ErrorValue } from '../../../platform-api/index.ts';
import type { TestedConnection } from '../../messaging/model/environment.ts';
import { isLoopback } from '../../../platform-api/loopback.ts';
import { unreadableOf } from '../../../platform-api/lists/unreadable.ts';
import { listApps, type Connection } from '../../../rest/index.ts';
import { withoutEnd } from '../../../shared/text-end.ts';

/** The apps that the token has access to. Requests only what the specification shows. */
export async function testConnection(connection: Connection): Promise<TestedConnection> {
  const started = performance.now();
  try {
    const apps = await listApps(connection);
    return {
      apps: apps.length,
      unreadable: unreadableOf(apps).length,
      milliseconds: Math.round(performance.now() - started),
    };
  } catch (error) {
    if (!(error instanceof CodedError)) throw error;
    throw new CodedError(await explain(error.value, new URL(connection.baseUrl)), { cause: error });
  }
}

/** The error with a message that names the base URL, and a hint for someone who enters it for the first time. */
async function explain(error: ErrorValue, url: URL): Promise<ErrorValue> {
  const base = withoutEnd(url.href, '/');
  const says = error.said ? ` The platform’s message: ${error.said.message}` : '';
  switch (error.code) {
    case 'TOKEN_REFUSED':
      return {
        ...error,
        message: `Couldn’t use the token: ${base} doesn’t accept it (status 401).${says}`,
        hint: isLoopback(url.hostname)
          ? 'Enter the token that npx platform-devtools platform prints as “Auth-token”.'
          : 'Check the region: EU, US, and CA have separate base URLs and tokens.',
      };
    case 'ACCESS_DENIED':
      return { ...error, message: `Couldn’t list the apps of ${base}: the request was refused (status 403).${says}` };
    case 'NOT_FOUND':
      return {
        ...error,
        code: 'BASE_URL_WRONG',
        message: `Couldn’t find the API: ${base}/v1/apps responded with status 404.`,
        hint: otherBaseUrl(url) ?? 'Check the base URL: enter the part of the API’s URL before /v1.',
      };
    case 'ANSWER_HTML':
      return {
        ...error,
        message: `Couldn’t find the API: ${base}/v1/apps responded with a web page.`,
        hint: otherBaseUrl(url) ?? 'Enter the base URL of the API, which often differs from the website’s.',
      };
    case 'ANSWER_REDIRECTED':
      return { ...error, hint: 'Open the base URL in a tab to see where it leads. Enter that URL if you trust it.' };
    case 'PLATFORM_FAILED':
      return { ...error, message: `${url.host} failed with a server error (status ${error.status}).${says}` };
    case 'PLATFORM_SLOW':
      return { ...error, hint: 'Check the host and the port, then try again. Some firewalls drop requests silently.' };
    case 'PLATFORM_UNREACHABLE':
      return { ...error, ...(await explainUnreachable(url)) };
    default:
      return error;
  }
}

/** A base URL to try when this one has a path. */
function otherBaseUrl(url: URL): string | null {
  const path = withoutEnd(url.pathname, '/');
  if (path === '') return null;
  const [before = ''] = path.split(/\/v1(?=\/|$)/);
  return before === path
    ? `Check the path of the base URL. Try ${url.origin}.`
    : `Remove /v1 from the base URL: enter ${url.origin}${before}.`;
}

/** Browsers don’t say why a connection failed. */
async function explainUnreachable(url: URL): Promise<ErrorValue> {
  const { host } = url;
  if (isLoopback(url.hostname)) {
    if (url.protocol === 'https:' && (await responds(`http://${host}/`)))
      return {
        code: 'HTTP_NEEDED',
        message: `Couldn’t connect to ${host} with https. A server responds to http on this port.`,
        hint: `Enter http://${host} if it’s the local platform. Otherwise, check its certificate.`,
      };
    return {
      code: 'PLATFORM_UNREACHABLE',
      message: `Couldn’t connect to ${host}: the browser got no response on this port.`,
      hint:
        'Start the local platform with npx platform-devtools platform in the project’s folder, or check the port and, ' +
        'with https, the certificate.',
    };
  }
  if (navigator.onLine === false)
    return {
      code: 'OFFLINE',
      message: `Couldn’t connect to ${host}: the browser reports no network.`,
      hint: 'Connect to a network, then test the connection again.',
    };
  return {
    code: 'PLATFORM_UNREACHABLE',
    message: `Couldn’t connect to ${host}: the browser doesn’t say why.`,
    hint: `Open ${withoutEnd(url.href, '/')} in a tab. The browser shows more there.`,
  };
}

/** Whether a server responds at this URL. Sends no token. */
async function responds(url: string): Promise<boolean> {
  const request = {
    mode: 'no-cors',
    credentials: 'omit',
    redirect: 'manual',
    signal: AbortSignal.timeout(3_000),
  } as const;
  return fetch(url, request).then(
    () => true,
    () => false,
  );
}
