/** The entry point of the inspector for the panel and for tests that drive a page. */
export { AgentConnection } from './agent-connection.ts';
export type * from './contract.ts';
export { createEvalTransport, Evaluator, type EvaluatorLimits } from './eval-transport.ts';
export { OAuth2InspectorClient } from './oauth2/inspector.ts';
export { RunInspectorClient } from './run/inspector.ts';
export type * from './run/types.ts';
export type { InspectorTransport } from './transport.ts';
