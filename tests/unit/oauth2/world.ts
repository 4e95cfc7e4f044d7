/** Fakes a browser where there is none: tabs that share storage, and popups. The OAuth2 service behind them is real. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { createOAuth2 } from '../../../lib/oauth2/index.ts';
import type { FlowEvent, OAuth2, ServiceConfiguration } from '../../../lib/oauth2/types.ts';

export const APP = 'https://app.example';
export const REDIRECT = `${APP}/callback`;
export const SECRET = 'client-secret-7f3a';

export interface RecordedRequest {
  method: string;
  path: string;
  headers: IncomingMessage['headers'];
  body: string;
}

export interface Reply {
  status?: number;
  headers?: Record<string, string>;
  body?: unknown;
  /** The connection breaks after the first half of the body. */
  isCutOff?: boolean;
}

/** A service on loopback: `reply` makes its responses, `requests` records what it received. */
export interface Service {
  url: string;
  requests: RecordedRequest[];
  reply: (requested: RecordedRequest) => Reply | Promise<Reply>;
  close(): Promise<void>;
}

export async function startService(): Promise<Service> {
  const requests: RecordedRequest[] = [];
  const server: Server = createServer((request, response) => {
    void (async () => {
      const received: RecordedRequest = {
        method: request.method!,
        path: request.url!,
        headers: request.headers,
        body: await text(request),
      };
      requests.push(received);
      const { status = 200, headers = {}, body = {}, isCutOff } = await service.reply(received);
      if (status === 0) return void response.destroy();
      response.writeHead(status, {
        'content-type': typeof body === 'string' ? 'text/plain' : 'application/json',
        ...headers,
      });
      const whole = typeof body === 'string' ? body : JSON.stringify(body);
      if (isCutOff) response.write(whole.slice(0, whole.length / 2), () => response.destroy());
      else response.end(whole);
    })();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const service: Service = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    reply: () => ({}),
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  return service;
}

/** What several tabs of one origin share: storage and locks. */
export class Origin {
  private readonly views = new Map<EventTarget, Map<string, string>>();
  private readonly prefix = `${crypto.randomUUID()} `;
  /** When set, every access by a tab throws. */
  broken: { read?: boolean; write?: boolean } = {};
  /** Milliseconds until a change reaches the other tabs, as with one process per tab. */
  lag = 0;

  add(tab: EventTarget): void {
    const [anyView] = this.views.values();
    this.views.set(tab, new Map(anyView));
  }

  /** Changes a key in all tabs at once. */
  put(key: string, value: string): void {
    for (const view of this.views.values()) view.set(key, value);
  }

  storageOf(tab: EventTarget): Storage {
    const tabView = this.views.get(tab)!;
    const announce = (key: string | null, newValue: string | null, apply: (view: Map<string, string>) => void) => {
      const oldValue = key === null ? null : (tabView.get(key) ?? null);
      apply(tabView);
      for (const [other, view] of this.views) {
        const arrive = () => {
          apply(view);
          other.dispatchEvent(Object.assign(new Event('storage'), { key, oldValue, newValue }));
        };
        if (other === tab) continue;
        if (this.lag) setTimeout(arrive, this.lag);
        else arrive();
      }
    };
    const change = (key: string, newValue: string | null) =>
      announce(key, newValue, (view) => void (newValue === null ? view.delete(key) : view.set(key, newValue)));
    return {
      getItem: (key: string) => tabView.get(key) ?? null,
      setItem: (key: string, value: string) => {
        if (this.broken.write) throw new DOMException('full', 'QuotaExceededError');
        change(key, value);
      },
      removeItem: (key: string) => change(key, null),
      clear: () => announce(null, null, (view) => view.clear()),
    } as Storage;
  }

  /** Node's locks, with a separate prefix for each origin. */
  readonly locks = {
    request: (name: string, work: () => Promise<unknown>) => navigator.locks.request(this.prefix + name, work),
    query: async () => ({
      held: ((await navigator.locks.query()).held ?? []).flatMap(({ name }) =>
        name!.startsWith(this.prefix) ? [{ name: name!.slice(this.prefix.length) }] : [],
      ),
    }),
  };
}

export interface Popup {
  /** Where it was sent. */
  url: URL | null;
  closed: boolean;
  focused: number;
}

export class Tab extends EventTarget {
  readonly oauth2: OAuth2;
  readonly events: FlowEvent[] = [];
  readonly popups: Popup[] = [];
  readonly location = { origin: APP };
  readonly navigator: { locks?: Origin['locks'] };
  isSecureContext = true;
  blocksPopups = false;
  private readonly origin: Origin;

  constructor(origin = new Origin(), proxyUrl = 'http://127.0.0.1:1/v1/proxy') {
    super();
    this.origin = origin;
    this.navigator = { locks: origin.locks };
    origin.add(this);
    this.oauth2 = createOAuth2(this as unknown as Window, { proxyUrl });
    this.oauth2.observe((event) => this.events.push(event));
  }

  get localStorage(): Storage {
    if (this.origin.broken.read) throw new DOMException('blocked', 'SecurityError');
    return this.origin.storageOf(this);
  }

  open(): unknown {
    if (this.blocksPopups) return null;
    const popup = {
      url: null as URL | null,
      closed: false,
      focused: 0,
      focus: () => void popup.focused++,
      close: () => void (popup.closed = true),
      location: { origin: 'null', replace: (url: URL) => void (popup.url = new URL(url)) },
      /** Like the location of a page on another origin. */
      get document(): unknown {
        throw new DOMException('Blocked a frame from accessing a cross-origin frame.', 'SecurityError');
      },
    };
    this.popups.push(popup);
    return popup;
  }

  /** The popup that was opened last, once it was sent to the service. */
  async popup(): Promise<Popup & { url: URL }> {
    for (;;) {
      const popup = this.popups.at(-1);
      if (popup?.url) return popup as Popup & { url: URL };
      await new Promise(setImmediate);
    }
  }

  /** What the redirect page in the popup posts; another sender and origin on request. */
  post(query: string, { fragment = '', source = this.popups.at(-1) as unknown, origin = APP } = {}): void {
    this.dispatchEvent(
      Object.assign(new Event('message'), {
        source,
        origin,
        data: { type: 'platform-oauth2:callback', query, fragment },
      }),
    );
  }

  /** Puts a session where the library finds it. */
  hasSession(session: object, service = 'demo'): void {
    this.origin.put(
      `platform-oauth2:${service}`,
      JSON.stringify({ service, access_token: 'token-1', token_type: 'Bearer', scope: 'a', state: 's', ...session }),
    );
  }
  session(service = 'demo'): Record<string, unknown> | null {
    return JSON.parse(this.origin.storageOf(this).getItem(`platform-oauth2:${service}`) ?? 'null') as Record<
      string,
      unknown
    > | null;
  }
}

/** The configuration of a service at `url`, both flows possible. */
export function configuration(url: string, more: Partial<ServiceConfiguration> = {}): ServiceConfiguration {
  return {
    clientId: 'client',
    clientSecret: SECRET,
    redirectUrl: REDIRECT,
    authUrl: `${url}/authorize`,
    grantUrl: `${url}/token`,
    baseUrl: `${url}/api`,
    scope: 'profile,items',
    ...more,
  };
}

/** The code with which a promise rejects. */
export const codeOf = (promise: Promise<unknown>) =>
  promise.then(
    (value) => `resolved with ${JSON.stringify(value)}`,
    (error: { code?: string }) => error.code ?? String(error),
  );
