/** The entry point of the OAuth2 inspector for the panel. */
export { isTemporary } from '../../../oauth2/token-requests.ts';
export type * from './contract.ts';
export type { OAuth2Inspector, OAuth2InspectorEvent } from './inspector.ts';
