/** Starts the runtime in a page. The platform serves this script as `platform-core:2`. */
import { DEFAULT_NAMESPACE } from '../platform-api/limits.ts';
import { installEnv } from './environment.ts';
import { createRequest } from './request.ts';
import { installRuntime } from './runtime.ts';

const currentScript = (): string | null => (document.currentScript as HTMLScriptElement | null)?.src || null;

// The script’s URL is /v1/packages/platform-core:2.js below the platform’s base URL.
const apiUrl = new URL('..', currentScript() ?? location.href).href;

// Where the platform moves what isn’t in the specification, V3 moves with it.
const apiUrlV3 = new URL(apiUrl.endsWith('/v1/') ? '../v3/' : 'v3/', apiUrl).href;

const loadScript = (path: string): Promise<void> =>
  new Promise((resolve, reject) => {
    const script = document.createElement('script');
    script.src = new URL(path, apiUrl).href;
    script.addEventListener('load', () => {
      script.remove();
      resolve();
    });
    script.addEventListener('error', () => reject(new Error('The page couldn’t load the action’s code.')));
    document.head.append(script);
  });

installEnv(document);
installRuntime(DEFAULT_NAMESPACE, {
  baseUrl: new URL('..', apiUrl).href,
  request: createRequest(apiUrl),
  requestV3: createRequest(apiUrlV3),
  loadScript,
  query: () => location.search,
  currentScript,
});
