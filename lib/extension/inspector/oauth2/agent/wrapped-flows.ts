/** Owns the logins, calls and requests under way in a library that tells nothing of itself, and which of them belong together. */
import { messageData, messageOrigin, messageSource, now } from '../../agent/pristine.ts';
import { attempt, isObject } from '../../agent/safe.ts';
import type { Report } from './flow-log.ts';
import { absolute, bare, isOf, joined, namesIn } from './urls.ts';
import { codeOf, memberOf, shortly } from './library.ts';
import type { Mask } from './mask.ts';
import type { Services } from './services.ts';

const MOST_OPEN = 50;

interface OpenLogin {
  service: string;
  popup: object | null;
}
/** `lost`: its request got no answer. */
interface OpenApi {
  service: string;
  call: number;
  url: string;
  status: number | null;
  bytes: number | null;
  lost: boolean;
}
interface OpenRequest {
  service: string;
  started: number;
  api: OpenApi | null;
}
/** What a call began: a login, a call of the API, or neither. */
export type Begun = OpenLogin | OpenApi | null;

export function createSeenFlows(services: Services, mask: Mask, tell: Report, stale: () => void) {
  const logins: OpenLogin[] = [];
  const calls: OpenApi[] = [];
  const requests: (OpenRequest | undefined)[] = [];
  let callNumber = 0;
  let requestNumber = 0;

  const optionOf = (service: string, name: string): string => {
    const value = memberOf(services.named(service)?.configuration, name);
    return typeof value === 'string' ? value : '';
  };

  function beginLogin(service: string): OpenLogin {
    const open: OpenLogin = { service, popup: null };
    let shared = false;
    for (let i = 0; i < logins.length; i++) shared ||= logins[i]!.service === service;
    if (logins.length >= MOST_OPEN) remove(logins, logins[0]!);
    logins[logins.length] = open;
    tell(service, {
      kind: 'login-started',
      grantType: optionOf(service, 'grantType') === 'code' ? 'code' : 'token',
      pkce: null,
      authUrl: mask.url(optionOf(service, 'authUrl')),
      redirectUrl: mask.url(optionOf(service, 'redirectUrl')),
      scope: mask.plain(optionOf(service, 'scope'), 500) || null,
      shared,
    });
    return open;
  }
  function beginApi(service: string, given: unknown): OpenApi {
    const path = typeof given === 'string' ? given : isObject(given) ? memberOf(given, 'path') : '';
    const method = isObject(given) ? memberOf(given, 'method') : 'get';
    const url = joined(optionOf(service, 'baseUrl'), typeof path === 'string' ? path : '');
    const open: OpenApi = { service, call: ++callNumber, url: bare(url), status: null, bytes: null, lost: false };
    if (calls.length >= MOST_OPEN) remove(calls, calls[0]!);
    calls[calls.length] = open;
    tell(service, {
      kind: 'api-started',
      call: open.call,
      method: typeof method === 'string' ? mask.word(method) : 'get',
      url: mask.url(url),
      proxy: memberOf(services.named(service)?.configuration, 'useProxy') === true,
    });
    return open;
  }
  function ended(
    method: string,
    service: string,
    begun: Begun,
    started: number,
    thrown: unknown,
    failed: boolean,
  ): void {
    const code = failed ? (codeOf(thrown, mask) ?? 'FAILED') : null;
    const milliseconds = now() - started;
    stale();
    if (begun && 'call' in begun) {
      remove(calls, begun);
      const status = memberOf(thrown, 'status');
      tell(service, {
        kind: 'api-ended',
        call: begun.call,
        status: typeof status === 'number' ? status : begun.status,
        milliseconds,
        bytes: begun.bytes,
        code: code === 'FAILED' && begun.lost ? 'NETWORK_FAILED' : code,
      });
      return;
    }
    if (begun) remove(logins, begun);
    tell(service, {
      kind: 'settled',
      call: method,
      code,
      message: failed ? shortly(thrown, mask) : null,
      milliseconds,
    });
  }

  function opened(popup: object | null, given: unknown): void {
    const url = bare(typeof given === 'string' ? given : '');
    let login: OpenLogin | undefined;
    for (let i = 0; i < logins.length; i++)
      if (!logins[i]!.popup && (!login || isOf(url, optionOf(logins[i]!.service, 'authUrl')))) login = logins[i]!;
    if (!login) return;
    login.popup = popup;
    tell(login.service, { kind: 'popup', state: popup ? 'opened' : 'blocked' });
  }
  function received(event: Event): void {
    const source = messageSource!(event);
    for (let i = 0; i < logins.length; i++) {
      if (!isObject(source) || logins[i]!.popup !== source) continue;
      tell(logins[i]!.service, {
        kind: 'callback',
        origin: mask.url(messageOrigin!(event)),
        description: null,
        ...namesIn(messageData!(event), mask),
      });
      return;
    }
  }

  function requested(given: string): number {
    const url = bare(absolute(given));
    const list = services.list();
    for (let i = 0; i < list.length; i++) {
      const service = list[i]!.name;
      if (!isOf(url, optionOf(service, 'grantUrl'))) continue;
      const forLogin = inLogin(service);
      tell(service, {
        kind: 'token-requested',
        grant: forLogin ? 'authorization_code' : 'refresh_token',
        url: mask.url(url),
        proxy: false,
        reason: forLogin ? 'login' : 'asked',
      });
      return add({ service, started: now(), api: null });
    }
    for (let i = 0; i < calls.length; i++)
      if (calls[i]!.status === null && isOf(url, calls[i]!.url))
        return add({ service: calls[i]!.service, started: now(), api: calls[i]! });
    return 0;
  }
  function add(request: OpenRequest): number {
    requests[++requestNumber % MOST_OPEN] = request;
    return requestNumber;
  }
  function answered(number: number, status: number | null, bytes: number | null, error?: string): void {
    const request = requests[number % MOST_OPEN];
    if (number === 0 || !request) return;
    requests[number % MOST_OPEN] = undefined;
    if (request.api) {
      request.api.status = status;
      request.api.bytes = bytes;
      request.api.lost = error !== undefined;
      return;
    }
    const code = error !== undefined ? 'NETWORK_FAILED' : status !== null && status >= 400 ? 'TOKEN_REFUSED' : null;
    tell(request.service, {
      kind: 'token-answered',
      status,
      milliseconds: now() - request.started,
      code,
      error: null,
      description: null,
      clockAhead: null,
      token: null,
    });
  }
  function inLogin(service: string): boolean {
    for (let i = 0; i < logins.length; i++) if (logins[i]!.service === service) return true;
    return false;
  }

  return {
    begin: (method: string, service: string, argument: unknown): Begun =>
      method === 'api' ? beginApi(service, argument) : method === 'login' ? beginLogin(service) : null,
    ended,
    opened,
    requested,
    answered,
    hasLogins: () => logins.length > 0,
    received,
    /** Tells of windows that were closed. */
    lookAtPopups(): void {
      for (let i = 0; i < logins.length; i++) {
        const { popup, service } = logins[i]!;
        if (!popup || attempt(() => (popup as { closed?: unknown }).closed) !== true) continue;
        logins[i]!.popup = null;
        tell(service, { kind: 'popup', state: 'closed' });
      }
    },
  };
}

function remove<T>(list: T[], item: T): void {
  let to = 0;
  for (let i = 0; i < list.length; i++) if (list[i] !== item) list[to++] = list[i]!;
  list.length = to;
}
