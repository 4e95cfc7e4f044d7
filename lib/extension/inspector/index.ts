/** Owns the door of the inspector for the panel: the client, its DevTools adapter, and the contract with the page. */
export * from './run/types.ts';
export * from './contract.ts';
export { createInspector } from './run/inspector.ts';
export { createEvaluate, createOpenResource, type InspectedWindow } from './transport.ts';
