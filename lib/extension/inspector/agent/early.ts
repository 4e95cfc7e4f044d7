/** Starts the agent before the page’s first script, in a page that *Open* has marked with its namespace. */
import { DEFAULT_NAMESPACE } from '../../../platform-api/limits.ts';
import { OPEN_MARKER } from '../../../shared/open-marker.ts';
import { AGENT_KEY, type AgentPort } from '../agent-protocol.ts';
import { installAgent } from './install.ts';

/** `DEFAULT_NAMESPACE`, as an identifier. */
declare const Platform: unknown;

const NAMESPACE = /^[A-Za-z_$][\w$]{0,199}$/;

/** Does nothing in any other page: the browser runs this in every tab that loads the same URL at that time. */
export function startEarlyAgent(): void {
  const namespace = markedNamespace();
  if (namespace === null) return;
  installAgent();
  const agent = (globalThis as unknown as Record<string, AgentPort | undefined>)[AGENT_KEY];
  // This file can't have another name in its text. The panel hands it over with its first evaluation.
  if (namespace === DEFAULT_NAMESPACE) agent?.setLookUp(namespace, () => Platform);
  agent?.watch('run', namespace);
}

function markedNamespace(): string | null {
  const [navigation] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
  const marker = navigation?.serverTiming?.find(({ name }) => name === OPEN_MARKER);
  return marker && NAMESPACE.test(marker.description) ? marker.description : null;
}
