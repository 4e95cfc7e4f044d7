/** The entry point of the inspector for the panel and for tests that drive a page. */
import { AgentConnection } from './agent-connection.ts';
import { createEvalTransport, type DevtoolsApi } from './eval-transport.ts';
import type { PageCode } from './migrate/page-code.ts';
import { PageApi } from './api/page-api.ts';
import { OAuth2InspectorClient } from './oauth2/inspector.ts';
import { RunInspectorClient } from './run/inspector.ts';

export type * from './contract.ts';
export type * from './migrate/page-code.ts';
export type * from './run/types.ts';
export type { InspectorTransport } from './transport.ts';
export { createEvalTransport, Evaluator, type EvaluatorLimits } from './eval-transport.ts';
export { compact, mustLoadWith } from './run/loaded-payload.ts';
export { AgentConnection, OAuth2InspectorClient, PageApi, RunInspectorClient };

export interface Inspectors {
  inspector: RunInspectorClient;
  oauth2Inspector: OAuth2InspectorClient;
  pageApi: PageApi;
  /** For running V3 code beside recorded runs. */
  pageCode: PageCode;
}

/** Loads the source text of a script of the extension. */
export type LoadScript = (name: '/page-agent.js' | '/prover.js') => Promise<string>;

/** Creates all that looks into the page, over one connection to it. */
export function createInspectors(devtools: DevtoolsApi, loadScript: LoadScript): Inspectors {
  const transport = createEvalTransport(devtools);
  const agent = new AgentConnection(transport, () => loadScript('/page-agent.js'));
  return {
    inspector: new RunInspectorClient(agent),
    oauth2Inspector: new OAuth2InspectorClient(agent),
    pageApi: new PageApi(agent),
    pageCode: { transport, loadProver: () => loadScript('/prover.js') },
  };
}
