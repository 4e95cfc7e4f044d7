/** Owns the door of the OAuth2 inspector for the panel. */
export * from './contract.ts';
export {
  createOAuth2Inspector,
  type OAuth2Inspector,
  type OAuth2InspectorEvent,
  type OAuth2InspectorOptions,
} from './inspector.ts';
