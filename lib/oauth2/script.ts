/** The global script `platform-oauth2:0.1`: defines `Platform.OAuth2`. */
import { createOAuth2 } from './oauth2.ts';
import { proxyUrlFor } from './requests.ts';
import type { OAuth2 } from './types.ts';

const globals = globalThis as { Platform?: { OAuth2?: OAuth2 } };
const platform = (globals.Platform ??= {});
const scriptUrl = (document.currentScript as HTMLScriptElement | null)?.src;
const oauth2 = createOAuth2(window, { proxyUrl: proxyUrlFor(scriptUrl) });
// If a page includes the script twice, the page keeps its configurations.
if (platform.OAuth2?.version !== oauth2.version) platform.OAuth2 = oauth2;
