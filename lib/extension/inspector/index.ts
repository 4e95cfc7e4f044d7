/** The entry point of the inspector for the panel and for tests that drive a page. */
import { AgentConnection } from './agent-connection.ts';
import { createEvalTransport, type DevtoolsApi } from './eval-transport.ts';
import { PageApi } from './api/page-api.ts';
import { OAuth2InspectorClient } from './oauth2/inspector.ts';
import { RunInspectorClient } from './run/inspector.ts';

export type * from './contract.ts';
export type * from './run/types.ts';
export type { InspectorTransport } from './transport.ts';
export { createEvalTransport, Evaluator, type EvaluatorLimits } from './eval-transport.ts';
export { AgentConnection, OAuth2InspectorClient, PageApi, RunInspectorClient };

/**
 * Creates both inspectors and calls of the page's API over one connection to the page. @param loadAgent loads the source text of `page-agent.js`
 */
export function createInspectors(
  devtools: DevtoolsApi,
  loadAgent: () => Promise<string>,
): { inspector: RunInspectorClient; oauth2Inspector: OAuth2InspectorClient; pageApi: PageApi } {
  const agent = new AgentConnection(createEvalTransport(devtools), loadAgent);
  return {
    inspector: new RunInspectorClient(agent),
    oauth2Inspector: new OAuth2InspectorClient(agent),
    pageApi: new PageApi(agent),
  };
}
