/** Owns the door of the ES module `platform-oauth2:0.1`; a redirect page needs no more than to import it. */
import { createOAuth2 } from './oauth2.ts';
import { handOver } from './popup.ts';
import { proxyUrl } from './place.ts';
import type { OAuth2 as Library } from './types.ts';

export type * from './types.ts';
export { OAuth2Error } from './errors.ts';

handOver(window);
export const OAuth2: Library = createOAuth2(window, proxyUrl(import.meta.url));
