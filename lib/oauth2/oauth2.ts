/** Creates `Platform.OAuth2`, which manages the page’s services by name. */
import { readConfiguration } from './configuration.ts';
import { type OAuth2Error, fail } from './errors.ts';
import { createFlowLog } from './flow.ts';
import { postCallback } from './login/popup.ts';
import { createSend } from './requests.ts';
import { Service } from './service.ts';
import { SessionStore } from './sessions.ts';
import { createRequestToken } from './token-requests.ts';
import type { OAuth2, OAuth2Options, OAuth2Service, ServiceConfiguration } from './types.ts';

/** If the page is a redirect page, also posts the callback to the window that opened it. */
export function createOAuth2(
  window: Window,
  { proxyUrl = `${window.location.origin}/v1/proxy` }: OAuth2Options = {},
): OAuth2 {
  // Uses maps, since a service could be named `__proto__`.
  const configurations = new Map<string, ServiceConfiguration>();
  const services = new Map<string, { service: Service; facade: OAuth2Service }>();
  const { record, observe } = createFlowLog();
  const send = createSend(window, proxyUrl);
  let calls = 0;
  const context = {
    window,
    record,
    send,
    requestToken: createRequestToken(send, record),
    sessions: new SessionStore(window, record, (name, session) => services.get(name)?.service.onSessionChange(session)),
    configurationOf: (name: string) => configurations.get(name) ?? fail('SERVICE_UNKNOWN', name),
    nextCallNumber: () => ++calls,
  };

  function read(name: string, input: unknown): ServiceConfiguration {
    try {
      return readConfiguration(name, input);
    } catch (error) {
      const { code, message, option = null } = error as OAuth2Error;
      record(name, { kind: 'refused', call: 'configure', code, message, option });
      throw error;
    }
  }

  function configure(...parameters: [services?: unknown, configuration?: unknown]): unknown {
    const [nameOrServices, configuration] = parameters;
    if (parameters.length === 0) return structuredClone(Object.fromEntries(configurations));
    const isName = typeof nameOrServices === 'string';
    if (isName && parameters.length === 1) return structuredClone(configurations.get(nameOrServices) ?? null);
    if (!isName && (typeof nameOrServices !== 'object' || !nameOrServices))
      fail('ARGUMENT_INVALID', '', 'services must be an object');
    const inputs = isName ? [[nameOrServices, configuration] as const] : Object.entries(nameOrServices as object);
    // Validates all configurations before it stores any, so that an error leaves nothing configured.
    const valid = inputs.map(([name, input]) => [name, read(name, input)] as const);
    for (const [name, each] of valid) {
      configurations.set(name, each);
      record(name, { kind: 'configured' });
    }
    return OAuth2;
  }

  function OAuth2(name: string): OAuth2Service {
    const known = services.get(name);
    if (known) return known.facade;
    const service = new Service(name, context);
    const facade = toFacade(service);
    services.set(name, { service, facade });
    return facade;
  }

  postCallback(window);
  return Object.assign(OAuth2, {
    configure: configure as OAuth2['configure'],
    observe,
    features: ['observe', 'off', 'refresh'],
    version: '0.1',
  });
}

/** The public API. Its methods also work when called without the object. */
function toFacade(service: Service): OAuth2Service {
  return {
    login: () => service.login(),
    logout: () => service.logout(),
    getAuthResponse: () => service.getAuthResponse(),
    api: (argument: unknown) => service.api(argument),
    on: (name, fn) => service.events.on(name, fn),
    off: (name, fn) => service.events.off(name, fn),
    refresh: () => service.refresh(),
  };
}
