/** Implements `Platform.OAuth2(service)`: login, refresh, API calls, and logout. */
import { headerLines, readCall, readResponse, resolveUrl, toRequest } from './api/api.ts';
import { OAuth2Error, fail } from './errors.ts';
import { AuthEventEmitter } from './events.ts';
import { type RecordFlow, redactUrl } from './flow.ts';
import { Promise } from './intrinsics.ts';
import { describeLogin, startLogin } from './login/login.ts';
import type { Send, ServiceResponse } from './requests.ts';
import { type SessionStore, identityOf } from './sessions.ts';
import { type RequestToken, formPost } from './token-requests.ts';
import { readFields } from './tokens.ts';
import type { AuthResponse, FlowDetail, ServiceConfiguration } from './types.ts';

/** Tokens are refreshed this many seconds before they expire, or after half of a shorter life. */
const REFRESH_MARGIN = 30;

type RefreshReason = Extract<FlowDetail, { kind: 'token-requested' }>['reason'];

/** Shared by all services on a page. */
export interface ServiceContext {
  window: Window;
  record: RecordFlow;
  send: Send;
  requestToken: RequestToken;
  sessions: SessionStore;
  /** @throws OAuth2Error SERVICE_UNKNOWN */
  configurationOf(service: string): ServiceConfiguration;
  nextCallNumber(): number;
}

export class Service {
  readonly events: AuthEventEmitter;
  readonly #name: string;
  readonly #context: ServiceContext;
  #popup: Window | null = null;
  #login: Promise<AuthResponse> | null = null;
  #refresh: Promise<AuthResponse> | null = null;

  constructor(name: string, context: ServiceContext) {
    this.#name = name;
    this.#context = context;
    this.events = new AuthEventEmitter(name, context.record);
    // From now on, the store notices when another tab clears the storage.
    context.sessions.read(name);
  }

  get #configuration(): ServiceConfiguration {
    return this.#context.configurationOf(this.#name);
  }

  /** @throws OAuth2Error SERVICE_UNKNOWN, NOT_LOGGED_IN */
  get #session(): AuthResponse {
    this.#context.configurationOf(this.#name);
    return this.#context.sessions.read(this.#name) ?? fail('NOT_LOGGED_IN', this.#name);
  }

  login(): Promise<AuthResponse> {
    if (this.#login) {
      this.#record(describeLogin(this.#configuration, true));
      this.#record({ kind: 'popup', state: 'focused' });
      this.#popup?.focus();
      return this.#login;
    }
    const { window, record, requestToken, sessions } = this.#context;
    this.#login = new Promise<AuthResponse>((resolve) => {
      const context = { service: this.#name, configuration: this.#configuration, window, record, requestToken };
      this.#popup = startLogin(context, resolve);
    })
      .finally(() => (this.#login = null))
      .then(
        (session) => {
          this.events.fire('auth.login', sessions.store(session));
          return session;
        },
        (error: OAuth2Error) => this.#reject(error),
      );
    return this.#login;
  }

  async getAuthResponse(): Promise<AuthResponse | null> {
    this.#context.configurationOf(this.#name);
    return this.#context.sessions.read(this.#name);
  }

  async refresh(): Promise<AuthResponse> {
    const session = this.#session;
    if (!session.refresh_token) fail('REFRESH_UNAVAILABLE', this.#name);
    return this.#refreshShared(session, 'asked');
  }

  async api(argument: unknown): Promise<unknown> {
    const configuration = this.#configuration;
    const call = readCall(this.#name, configuration, argument);
    const number = this.#context.nextCallNumber();
    const start = performance.now();
    let response: ServiceResponse | undefined;
    let code: OAuth2Error['code'] | null = null;
    let used: AuthResponse | undefined;
    const { method, url } = call;
    this.#record({ kind: 'api-started', call: number, method, url: redactUrl(url), proxy: !!configuration.useProxy });
    try {
      const target = resolveUrl(this.#name, call);
      const send = (session: AuthResponse) => {
        used = session;
        return this.#context.send(this.#name, configuration, target, toRequest(this.#name, session, call));
      };
      let session = this.#session;
      const canRefresh = configuration.refresh && session.refresh_token;
      if (canRefresh) session = await this.#refreshExpired(session);
      response = await send(session);
      if (response.status === 401 && canRefresh) {
        session = await this.#refreshShared(session, 'unauthorized');
        response = await send(session);
      }
      return readResponse(this.#name, response, session);
    } catch (error) {
      code = (error as OAuth2Error).code;
      throw error;
    } finally {
      this.#record({
        kind: 'api-ended',
        call: number,
        status: response?.status ?? null,
        milliseconds: Math.round(performance.now() - start),
        bytes: response?.text.length ?? null,
        code,
        headers: response ? headerLines(response.headers, used?.access_token) : null,
      });
    }
  }

  async logout(): Promise<{ revoked: boolean | null }> {
    const { sessions, send } = this.#context;
    const configuration = this.#configuration;
    const session = sessions.read(this.#name);
    sessions.remove(this.#name);
    this.events.fire('auth.logout', undefined);
    try {
      if (!session || !configuration.revokeUrl) return { revoked: null };
      // RFC 7009 section 2.1: revoking the refresh token revokes the access tokens.
      const request = formPost(configuration, { token: session.refresh_token ?? session.access_token });
      const { status, text } = await send(this.#name, configuration, configuration.revokeUrl, request);
      // Some services send errors with status 200.
      const { error, error_code } = readFields(text);
      return { revoked: status >= 200 && status < 300 && !error && !error_code };
    } catch {
      // The session on this device has ended, even if the service couldn’t be reached.
      return { revoked: false };
    }
  }

  /** Called when another tab logged in, or ended the session (null). */
  onSessionChange(session: AuthResponse | null): void {
    if (session) this.events.fire('auth.login', session);
    else this.events.fire('auth.logout', undefined);
  }

  /** Refreshes the token if it has expired or is about to. */
  async #refreshExpired(session: AuthResponse): Promise<AuthResponse> {
    const secondsLeft = (session.expires ?? Infinity) - Date.now() / 1000;
    if (secondsLeft > Math.min(REFRESH_MARGIN, (session.expires_in ?? Infinity) / 2)) return session;
    try {
      return await this.#refreshShared(session, 'expired');
    } catch (error) {
      // While the token is still valid, a failed refresh doesn’t matter, unless it ended the session.
      if (secondsLeft <= 0 || !this.#context.sessions.read(this.#name)) throw error;
      return session;
    }
  }

  /** All calls that need a refresh at the same time share a single one, in this tab and others. */
  #refreshShared(used: AuthResponse, reason: RefreshReason): Promise<AuthResponse> {
    this.#refresh ??= this.#context.sessions
      .refreshOnce(used, async () => this.#replacementOf(used) ?? this.#requestRefresh(used, reason))
      .finally(() => (this.#refresh = null));
    return this.#refresh;
  }

  async #requestRefresh(used: AuthResponse, reason: RefreshReason): Promise<AuthResponse> {
    const { requestToken, sessions } = this.#context;
    try {
      const { refresh_token } = used;
      const token = await requestToken(this.#name, this.#configuration, 'refresh_token', reason, { refresh_token });
      // Fields missing from the response keep their values, except the expiry (RFC 6749, sections 5.1 and 6).
      const refreshed = { ...used, expires_in: undefined, expires: undefined, ...token };
      // If the user logged out during the request, `#replacementOf` throws.
      return this.#replacementOf(used) ?? sessions.store(refreshed, true);
    } catch (thrown) {
      const error = thrown as OAuth2Error;
      if (!isFinalRefusal(error)) throw error;
      // Without locks, another tab might have used the same refresh token first.
      const replacement = this.#replacementOf(used);
      if (replacement) return replacement;
      sessions.remove(this.#name);
      const { status, error: serviceCode, description } = error;
      const cause = description || serviceCode || `status ${status}`;
      const details = { status, error: serviceCode, description };
      return this.#reject(new OAuth2Error('REFRESH_REFUSED', this.#name, cause, details));
    }
  }

  /** The session that replaced this one, through a login or refresh in another tab. Null while this one is current. */
  #replacementOf(used: AuthResponse): AuthResponse | null {
    const session = this.#session;
    return identityOf(session) === identityOf(used) ? null : session;
  }

  #reject(error: OAuth2Error): never {
    this.events.fire('auth.fail', error);
    throw error;
  }

  #record(detail: FlowDetail): void {
    this.#context.record(this.#name, detail);
  }
}

/**
 * Whether the service refused the refresh token, so that only a login helps. `invalid_grant` says so (RFC 6749 section
 * 5.2), and many services say `invalid_request`, `invalid_token` (RFC 6750 section 3.1), or a code of their own that names
 * the refresh token. The section’s other codes refuse the client or the grant type: the session continues once the
 * configuration is corrected. Any other response might not be the service’s, or not its last word.
 */
function isFinalRefusal({ code, status = 0, error = '' }: OAuth2Error): boolean {
  return code === 'TOKEN_REFUSED' && status < 429 && /^invalid_(grant|request|token)$|refresh_?token/i.test(error);
}
