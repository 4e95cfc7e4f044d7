/** Owns the door of the inspector for the panel: the client, its DevTools adapter, and the contract with the page. */
export * from './client-contract.ts';
export * from './contract.ts';
export { checkPayload, createInspector } from './client.ts';
export { createEvaluate, createOpenResource, type InspectedWindow } from './devtools-eval.ts';
