/** Owns the script `platform-oauth2:0.1`: puts `Platform.OAuth2` beside whatever is there, and hands over when it runs in a redirect page. */
import { DEFAULT_NAMESPACE } from '../platform-api/limits.ts';
import { createOAuth2 } from './oauth2.ts';
import { handOver } from './popup.ts';
import { proxyUrl } from './place.ts';
import type { OAuth2 } from './types.ts';

const globals = globalThis as unknown as Record<string, { OAuth2?: OAuth2 } | undefined>;
const platform = (globals[DEFAULT_NAMESPACE] ??= {});
const oauth2 = createOAuth2(window, proxyUrl((document.currentScript as HTMLScriptElement | null)?.src));
handOver(window);
// Included twice: what was configured stays.
if (platform.OAuth2?.version !== oauth2.version) platform.OAuth2 = oauth2;
