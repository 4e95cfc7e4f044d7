/** OAuth2 logins and API calls from a page. Importing this module has no side effects: call `createOAuth2(window)`. */
export type * from './types.ts';
export { OAuth2Error } from './errors.ts';
export { createOAuth2 } from './oauth2.ts';
