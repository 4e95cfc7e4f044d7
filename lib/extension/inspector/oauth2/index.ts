/** The entry point of the OAuth2 inspector for the panel. */
export type * from './contract.ts';
export type { OAuth2Inspector, OAuth2InspectorEvent } from './inspector.ts';
