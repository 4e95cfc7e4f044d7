/** Tracks and correlates pending logins, calls, and requests of a library that doesn't report them. */
import { messageData, messageOrigin, messageSource, now } from '../../agent/pristine.ts';
import { attempt, isObject, readProperty } from '../../agent/safe.ts';
import type { Report } from './flow-log.ts';
import { errorCode, summarize } from './library.ts';
import type { Mask } from './mask.ts';
import type { Services } from './services.ts';
import { absoluteUrl, isSameUrl, joinUrl, parameterNames, withoutQuery } from './urls.ts';

const MAX_PENDING = 50;

interface PendingLogin {
  service: string;
  popup: object | null;
  /** Whether the popup’s end was reported. Its last message can arrive later. */
  isClosed: boolean;
}
interface PendingApiCall {
  service: string;
  call: number;
  url: string;
  status: number | null;
  bytes: number | null;
  /** Whether the request got no response. */
  isLost: boolean;
}
interface PendingRequest {
  service: string;
  startedAt: number;
  apiCall: PendingApiCall | null;
}
/** The operation that a method call started: a login, an API call, or neither. */
export type Started = PendingLogin | PendingApiCall | null;

/** The outcome of a method call. */
export interface CallEnd {
  method: string;
  service: string;
  started: Started;
  startedAt: number;
  thrown: unknown;
  hasFailed: boolean;
}

export class WrappedFlows {
  readonly #services: Services;
  readonly #mask: Mask;
  readonly #report: Report;
  readonly #onEnd: () => void;
  readonly #logins: PendingLogin[] = [];
  readonly #apiCalls: PendingApiCall[] = [];
  readonly #requests: (PendingRequest | undefined)[] = [];
  #callCount = 0;
  #requestCount = 0;

  /** @param onEnd called when sessions might have changed */
  constructor(services: Services, mask: Mask, report: Report, onEnd: () => void) {
    this.#services = services;
    this.#mask = mask;
    this.#report = report;
    this.#onEnd = onEnd;
  }

  hasLogins(): boolean {
    return this.#logins.length > 0;
  }

  start(method: string, service: string, argument: unknown): Started {
    if (method === 'api') return this.#startApiCall(service, argument);
    return method === 'login' ? this.#startLogin(service) : null;
  }

  end({ method, service, started, startedAt, thrown, hasFailed }: CallEnd): void {
    const code = hasFailed ? (errorCode(thrown, this.#mask) ?? 'FAILED') : null;
    const milliseconds = now() - startedAt;
    this.#onEnd();
    if (started && 'call' in started) {
      remove(this.#apiCalls, started);
      const status = readProperty(thrown, 'status');
      this.#report(service, {
        kind: 'api-ended',
        call: started.call,
        status: typeof status === 'number' ? status : started.status,
        milliseconds,
        bytes: started.bytes,
        code: code === 'FAILED' && started.isLost ? 'NETWORK_FAILED' : code,
        headers: null,
      });
      return;
    }
    if (started) remove(this.#logins, started);
    const message = hasFailed ? summarize(thrown, this.#mask) : null;
    this.#report(service, { kind: 'settled', call: method, code, message, milliseconds });
  }

  windowOpened(popup: object | null, given: unknown): void {
    const url = withoutQuery(typeof given === 'string' ? given : '');
    let login: PendingLogin | undefined;
    for (let i = 0; i < this.#logins.length; i++) {
      const each = this.#logins[i]!;
      if ((!each.popup || each.isClosed) && (!login || isSameUrl(url, this.#optionOf(each.service, 'authUrl'))))
        login = each;
    }
    if (!login) return;
    login.popup = popup;
    login.isClosed = false;
    this.#report(login.service, { kind: 'popup', state: popup ? 'opened' : 'blocked' });
  }

  messageReceived(event: Event): void {
    const source = messageSource!(event);
    for (let i = 0; i < this.#logins.length; i++) {
      const { popup, service } = this.#logins[i]!;
      if (!isObject(source) || popup !== source) continue;
      this.#report(service, {
        kind: 'callback',
        origin: this.#mask.url(messageOrigin!(event)),
        description: null,
        ...parameterNames(messageData!(event), this.#mask),
      });
      return;
    }
  }

  /** Returns a number that identifies the request, or 0 if it doesn't belong to a flow. */
  requestStarted(given: string): number {
    const url = withoutQuery(absoluteUrl(given));
    const services = this.#services.list();
    for (let i = 0; i < services.length; i++) {
      const service = services[i]!.name;
      if (!isSameUrl(url, this.#optionOf(service, 'grantUrl'))) continue;
      const isLogin = this.#isLoggingIn(service);
      this.#report(service, {
        kind: 'token-requested',
        grant: isLogin ? 'authorization_code' : 'refresh_token',
        url: this.#mask.url(url),
        proxy: false,
        reason: isLogin ? 'login' : 'asked',
      });
      return this.#addRequest(service, null);
    }
    for (let i = 0; i < this.#apiCalls.length; i++) {
      const apiCall = this.#apiCalls[i]!;
      if (apiCall.status === null && isSameUrl(url, apiCall.url)) return this.#addRequest(apiCall.service, apiCall);
    }
    return 0;
  }

  requestEnded(number: number, status: number | null, bytes: number | null, error?: string): void {
    const request = this.#requests[number % MAX_PENDING];
    if (number === 0 || !request) return;
    this.#requests[number % MAX_PENDING] = undefined;
    if (request.apiCall) {
      request.apiCall.status = status;
      request.apiCall.bytes = bytes;
      request.apiCall.isLost = error !== undefined;
      return;
    }
    const code = error !== undefined ? 'NETWORK_FAILED' : status !== null && status >= 400 ? 'TOKEN_REFUSED' : null;
    this.#report(request.service, {
      kind: 'token-answered',
      status,
      milliseconds: now() - request.startedAt,
      code,
      error: null,
      description: null,
      clockAhead: null,
      token: null,
    });
  }

  /** Detects and reports closed windows. */
  pollWindows(): void {
    for (let i = 0; i < this.#logins.length; i++) {
      const login = this.#logins[i]!;
      const { popup, isClosed } = login;
      if (!popup || isClosed || attempt(() => (popup as { closed?: unknown }).closed) !== true) continue;
      login.isClosed = true;
      this.#report(login.service, { kind: 'popup', state: 'closed' });
    }
  }

  #startLogin(service: string): PendingLogin {
    const shared = this.#isLoggingIn(service);
    const login: PendingLogin = { service, popup: null, isClosed: false };
    if (this.#logins.length >= MAX_PENDING) remove(this.#logins, this.#logins[0]!);
    this.#logins[this.#logins.length] = login;
    this.#report(service, {
      kind: 'login-started',
      grantType: this.#optionOf(service, 'grantType') === 'code' ? 'code' : 'token',
      pkce: null,
      authUrl: this.#mask.url(this.#optionOf(service, 'authUrl')),
      redirectUrl: this.#mask.url(this.#optionOf(service, 'redirectUrl')),
      scope: this.#mask.plain(this.#optionOf(service, 'scope'), 500) || null,
      shared,
    });
    return login;
  }

  #startApiCall(service: string, given: unknown): PendingApiCall {
    const path = typeof given === 'string' ? given : readProperty(given, 'path');
    const method = readProperty(given, 'method');
    const url = joinUrl(this.#optionOf(service, 'baseUrl'), typeof path === 'string' ? path : '');
    const call = ++this.#callCount;
    const apiCall = { service, call, url: withoutQuery(url), status: null, bytes: null, isLost: false };
    if (this.#apiCalls.length >= MAX_PENDING) remove(this.#apiCalls, this.#apiCalls[0]!);
    this.#apiCalls[this.#apiCalls.length] = apiCall;
    this.#report(service, {
      kind: 'api-started',
      call,
      method: typeof method === 'string' ? this.#mask.word(method) : 'get',
      url: this.#mask.url(url),
      proxy: readProperty(this.#services.named(service)?.configuration, 'useProxy') === true,
    });
    return apiCall;
  }

  #addRequest(service: string, apiCall: PendingApiCall | null): number {
    this.#requests[++this.#requestCount % MAX_PENDING] = { service, startedAt: now(), apiCall };
    return this.#requestCount;
  }

  #isLoggingIn(service: string): boolean {
    for (let i = 0; i < this.#logins.length; i++) if (this.#logins[i]!.service === service) return true;
    return false;
  }

  #optionOf(service: string, name: string): string {
    const value = readProperty(this.#services.named(service)?.configuration, name);
    return typeof value === 'string' ? value : '';
  }
}

function remove<T>(list: T[], item: T): void {
  let to = 0;
  for (let i = 0; i < list.length; i++) if (list[i] !== item) list[to++] = list[i]!;
  list.length = to;
}
