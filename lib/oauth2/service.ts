/** Owns one service: its session's life, from login over refreshes to logout, and its events. */
import { asRequest, readAnswer, readCall, resolve } from './api.ts';
import { OAuth2Error, fail } from './errors.ts';
import { type Flow, callEach, safeUrl } from './flow.ts';
import { Promise } from './globals.ts';
import { EARLY } from './limits.ts';
import { loginStarted, startLogin } from './login.ts';
import type { Answer, Send } from './requests.ts';
import type { Sessions } from './sessions.ts';
import { createRequestToken, formPost } from './token-requests.ts';
import type {
  AuthEventName,
  AuthEvents,
  AuthResponse,
  FlowDetail,
  OAuth2Service,
  ServiceConfiguration,
} from './types.ts';

export interface LiveService extends OAuth2Service {
  /** Another tab began a session, or ended it (null). */
  changed(session: AuthResponse | null): void;
}

type Reason = Extract<FlowDetail, { kind: 'token-requested' }>['reason'];

/** But for its name, all services of a page share what it is made of. */
export function createService(
  service: string,
  window: Window,
  tellAll: Flow['tell'],
  send: Send,
  sessions: Sessions,
  /** @throws OAuth2Error SERVICE_UNKNOWN */
  configurationOf: (service: string) => ServiceConfiguration,
  nextCall: () => number,
): LiveService {
  const handlers = new Map<string, Set<(detail: never) => void>>(
    ['auth.login', 'auth.fail', 'auth.logout'].map((name) => [name, new Set()]),
  );
  const requestToken = createRequestToken(send, tellAll);
  let popup: Window | null = null;
  let loggingIn: Promise<AuthResponse> | null = null;
  let refreshing: Promise<AuthResponse> | null = null;

  const tell = (detail: FlowDetail) => tellAll(service, detail);
  function fire<E extends AuthEventName>(name: E, detail: AuthEvents[E]): void {
    tell({ kind: 'event', name, code: (detail as Partial<OAuth2Error> | undefined)?.code ?? null });
    callEach(handlers.get(name)!, detail as never);
  }
  function failed(error: OAuth2Error): never {
    fire('auth.fail', error);
    throw error;
  }
  const handlersOf = (name: string) => handlers.get(name) ?? fail('ARGUMENT_INVALID', service, name);
  function current(): AuthResponse {
    return sessions.read(service) ?? fail('NOT_LOGGED_IN', service);
  }

  function login(): Promise<AuthResponse> {
    if (loggingIn) {
      tell(loginStarted(configurationOf(service), true));
      tell({ kind: 'popup', state: 'focused' });
      popup?.focus();
      return loggingIn;
    }
    const outcome = new Promise<AuthResponse>((resolve) => {
      popup = startLogin(service, configurationOf(service), window, tellAll, requestToken, resolve);
    })
      .finally(() => (loggingIn = null))
      .then((session) => {
        fire('auth.login', sessions.store(session));
        return session;
      }, failed);
    return (loggingIn = outcome);
  }

  /** The session that took the place of `used`, by a refresh in another tab or a login as somebody else. */
  function changedSince({ access_token }: AuthResponse): AuthResponse | null {
    const session = current();
    return session.access_token === access_token ? null : session;
  }

  /** One refresh for all that need it at the same time, in this tab and others. */
  const refresh = (used: AuthResponse, reason: Reason): Promise<AuthResponse> =>
    (refreshing ??= sessions
      .once(used, async () => changedSince(used) ?? renew(used, reason))
      .finally(() => (refreshing = null)));

  async function renew(used: AuthResponse, reason: Reason): Promise<AuthResponse> {
    try {
      const token = await requestToken(service, configurationOf(service), 'refresh_token', reason, {
        refresh_token: used.refresh_token,
      });
      // Who logged out meanwhile stays so. What the answer leaves out stays as it was, but for the time (RFC 6749, sections 5.1 and 6).
      return changedSince(used) ?? sessions.store({ ...used, expires_in: undefined, expires: undefined, ...token });
    } catch (thrown) {
      const { code, status, error, description } = thrown as OAuth2Error;
      // A refusal that asking again may change ends nothing (RFC 6749 section 5.2, RFC 6585 section 4).
      if (code !== 'TOKEN_REFUSED' || status! > 428 || /^(server_error|temporarily_unavailable)$/.test(error!))
        throw thrown;
      // Without locks another tab may have used the same refresh token first.
      const others = changedSince(used);
      if (others) return others;
      sessions.remove(service);
      return failed(
        new OAuth2Error('REFRESH_REFUSED', service, description || error || status, { status, error, description }),
      );
    }
  }

  async function api(argument: unknown): Promise<unknown> {
    const configuration = configurationOf(service);
    const call = readCall(service, configuration, argument);
    const number = nextCall();
    const start = Date.now();
    let answer: Answer | undefined;
    let code: OAuth2Error['code'] | null = null;
    tell({
      kind: 'api-started',
      call: number,
      method: call.method,
      url: safeUrl(call.address),
      proxy: !!configuration.useProxy,
    });
    try {
      const url = resolve(service, call);
      let session = current();
      const canRefresh = configuration.refresh && session.refresh_token;
      const left = (session.expires ?? Infinity) - Date.now() / 1000;
      if (canRefresh && left < EARLY) {
        try {
          session = await refresh(session, 'expired');
        } catch (error) {
          // While the token is still good, a service that can't refresh it right now is no obstacle.
          if (left <= 0 || !sessions.read(service)) throw error;
        }
      }
      answer = await send(service, configuration, url, asRequest(service, session, call));
      if (answer.status === 401 && canRefresh) {
        session = await refresh(session, 'unauthorized');
        answer = await send(service, configuration, url, asRequest(service, session, call));
      }
      return readAnswer(service, answer, session);
    } catch (error) {
      code = (error as OAuth2Error).code;
      throw error;
    } finally {
      tell({
        kind: 'api-ended',
        call: number,
        status: answer?.status ?? null,
        milliseconds: Date.now() - start,
        bytes: answer?.text.length ?? null,
        code,
      });
    }
  }

  async function logout(): Promise<void> {
    const session = sessions.read(service);
    sessions.remove(service);
    fire('auth.logout', undefined);
    try {
      const configuration = configurationOf(service);
      const { revokeUrl } = configuration;
      // RFC 7009 section 2.1: the refresh token takes the access tokens with it.
      if (session && revokeUrl)
        await send(
          service,
          configuration,
          revokeUrl,
          formPost(configuration, { token: session.refresh_token ?? session.access_token }),
        );
    } catch {
      // That the service can't be told changes nothing here.
    }
  }

  return {
    login,
    logout,
    async getAuthResponse() {
      configurationOf(service);
      return sessions.read(service);
    },
    api,
    on(name, fn) {
      handlersOf(name).add(fn);
      return null;
    },
    off(name, fn) {
      if (fn) handlersOf(name).delete(fn);
      else handlersOf(name).clear();
      return null;
    },
    async refresh() {
      const session = current();
      if (!session.refresh_token) fail('REFRESH_UNAVAILABLE', service);
      return refresh(session, 'asked');
    },
    changed: (session) => fire(session ? 'auth.login' : 'auth.logout', session ?? undefined),
  };
}
