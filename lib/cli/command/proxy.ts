/** Sends the requests to platforms through the proxy that the environment names. */
import http from 'node:http';
import { invalidArgument } from './usage.ts';

/** In the order of npm. A platform on another machine always has https. */
const NAMES = ['https_proxy', 'HTTPS_PROXY', 'http_proxy', 'HTTP_PROXY'];
/** What runs here is never reached through a proxy, which would see its token. */
const HERE = ['localhost', '127.0.0.1'];

export interface ProxySetting {
  /** Such as `HTTPS_PROXY`. */
  name: string;
  url: string;
  /** Whether this Node uses it. Before 24.14, only with another variable, from its start. */
  isUsed: boolean;
}

/** Null if none is set. @throws CodedError `ARGUMENT_INVALID` */
export function proxyOf(env: NodeJS.ProcessEnv): ProxySetting | null {
  const name = NAMES.find((each) => env[each]);
  if (name === undefined) return null;
  const given = env[name]!;
  const url = /^[a-z][a-z\d+.-]*:\/\//i.test(given) ? given : `http://${given}`;
  if (!isProxyUrl(url))
    // It can have a password.
    throw invalidArgument(`${name} isn’t the URL of a proxy.`, 'Use a URL such as http://proxy.example.com:8080.');
  return { name, url, isUsed: typeof http.setGlobalProxyFromEnv === 'function' || env.NODE_USE_ENV_PROXY === '1' };
}

function isProxyUrl(text: string): boolean {
  const url = URL.parse(text);
  if (!url || !/^https?:$/.test(url.protocol)) return false;
  try {
    // Node does so, too.
    decodeURIComponent(`${url.username}:${url.password}`);
    return true;
  } catch {
    return false;
  }
}

export const proxyIgnored = ({ name }: ProxySetting): { message: string; hint: string } => ({
  message: `This Node doesn’t use ${name}.`,
  hint: 'Update Node to 24.14 or later, or set NODE_USE_ENV_PROXY=1.',
});

/** For all requests of this process, until the function is called that it returns. */
export function useProxy({ url }: ProxySetting, { no_proxy, NO_PROXY }: NodeJS.ProcessEnv): () => void {
  const others = (no_proxy || NO_PROXY || '').trim();
  const none = others === '*' ? others : [...HERE, others].filter(Boolean).join(',');
  return http.setGlobalProxyFromEnv?.({ https_proxy: url, no_proxy: none }) ?? (() => {});
}
