/** Installs the agent as a non-enumerable global, once per document and protocol. */
import { AGENT_KEY, AGENT_PROTOCOL, type AgentParts, type AgentPort, type WatchingPart } from '../agent-protocol.ts';
import { ApiPart } from '../api/agent/api-part.ts';
import { OAuth2Part } from '../oauth2/agent/oauth2-part.ts';
import { RunPart } from '../run/agent/run-part.ts';
import { JsonText, write } from './json.ts';
import { setLookUp } from './namespace.ts';
import { pageStatus } from './page-status.ts';
import { notePanel } from './panel-signs.ts';
import { apply, defineProperty, freeze, getPrototypeOf, hasOwn, random, slice, wallClock } from './pristine.ts';
import { attempt } from './safe.ts';

type Method = (...args: unknown[]) => unknown;

/** Does nothing if the document already has an agent with the same protocol. */
export function installAgent(): void {
  const installed = (globalThis as unknown as Record<string, AgentPort | undefined>)[AGENT_KEY];
  if (installed?.protocol === AGENT_PROTOCOL) return;
  attempt(() => installed?.retire?.());
  defineProperty(globalThis, AGENT_KEY, {
    __proto__: null,
    value: createAgent(),
    writable: false,
    enumerable: false,
    configurable: true,
  } as PropertyDescriptor);
}

function createAgent(): AgentPort {
  const documentId = `${wallClock()}-${slice(`${random()}`, 2)}`;
  const run = new RunPart(documentId);
  const api = new ApiPart(documentId);
  let oauth2: OAuth2Part | null = null;
  // The OAuth2 part wraps page functions, so it isn't created until the panel's OAuth2 tab is opened.
  const watchingPart = (name: WatchingPart): RunPart | OAuth2Part =>
    name === 'run' ? run : (oauth2 ??= new OAuth2Part(documentId));
  return freeze({
    protocol: AGENT_PROTOCOL,
    call(name: keyof AgentParts, method: string, args: readonly unknown[]): string {
      notePanel();
      const part = name === 'api' ? api : watchingPart(name);
      // Inherited methods, such as `__defineGetter__`, would let the page modify the agent.
      if (!hasOwn(getPrototypeOf(part) as object, method)) return 'null';
      const response: unknown = apply((part as unknown as Record<string, Method>)[method]!, part, args);
      return response instanceof JsonText ? response.text : write(response);
    },
    status: pageStatus,
    setLookUp,
    registeredFunction: (namespace: string, name: string) => run.registeredFunction(namespace, name),
    watch: (name: WatchingPart, namespace: string) => watchingPart(name).watch(namespace),
    retire: () => run.retire(),
  });
}
