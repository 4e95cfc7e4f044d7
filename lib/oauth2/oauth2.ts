/** Owns `Platform.OAuth2`: the services of a page, by name. */
import { readConfiguration } from './configuration.ts';
import { type OAuth2Error, fail } from './errors.ts';
import { createFlow } from './flow.ts';
import { createSend } from './requests.ts';
import { type LiveService, createService } from './service.ts';
import { createSessions } from './sessions.ts';
import type { OAuth2, ServiceConfiguration } from './types.ts';

/** @param proxyUrl the platform's `/v1/proxy` */
export function createOAuth2(window: Window, proxyUrl: string): OAuth2 {
  // Maps, since a service may be named `__proto__`.
  const configurations = new Map<string, ServiceConfiguration>();
  const services = new Map<string, LiveService>();
  const flow = createFlow();
  const send = createSend(window, proxyUrl);
  let calls = 0;
  const sessions = createSessions(window, flow.tell, (service, session) => services.get(service)?.changed(session));
  const configurationOf = (service: string) => configurations.get(service) ?? fail('SERVICE_UNKNOWN', service);

  function read(service: string, given: unknown): ServiceConfiguration {
    try {
      return readConfiguration(service, given);
    } catch (thrown) {
      const { code, message, option = null } = thrown as OAuth2Error;
      flow.tell(service, { kind: 'refused', call: 'configure', code, message, option });
      throw thrown;
    }
  }
  function configure(...given: [service?: unknown, configuration?: unknown]): unknown {
    const [service, configuration] = given;
    if (given.length === 0) return structuredClone(Object.fromEntries(configurations));
    const named = typeof service === 'string';
    if (named && given.length === 1) return structuredClone(configurations.get(service) ?? null);
    if (!named && (typeof service !== 'object' || !service)) fail('ARGUMENT_INVALID', '', 'services');
    // All are read before one is taken.
    const all = (named ? [[service, configuration] as const] : Object.entries(service as object)).map(
      ([name, each]) => [name, read(name, each)] as const,
    );
    for (const [name, each] of all) {
      configurations.set(name, each);
      flow.tell(name, { kind: 'configured' });
    }
    return OAuth2;
  }

  function OAuth2(service: string) {
    let found = services.get(service);
    if (!found)
      services.set(
        service,
        (found = createService(service, window, flow.tell, send, sessions, configurationOf, () => ++calls)),
      );
    return found;
  }
  return Object.assign(OAuth2, {
    configure: configure as OAuth2['configure'],
    observe: flow.observe,
    features: ['observe', 'off', 'refresh'],
    version: '0.1',
  });
}
