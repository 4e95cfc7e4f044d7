/** Starts the runtime in a page. The platform serves this script as `platform-core:2`. */
import { DEFAULT_NAMESPACE } from '../platform-api/limits.ts';
import { installEnv } from './environment.ts';
import { createRequest } from './request.ts';
import { installRuntime } from './runtime.ts';

const currentScript = (): string | null => (document.currentScript as HTMLScriptElement | null)?.src || null;

// The script’s URL is /v1/packages/platform-core:2.js below the platform’s base URL.
const apiUrl = new URL('..', currentScript() ?? location.href).href;

installEnv(document);
installRuntime(DEFAULT_NAMESPACE, {
  baseUrl: new URL('..', apiUrl).href,
  request: createRequest(apiUrl),
  query: () => location.search,
  currentScript,
});
