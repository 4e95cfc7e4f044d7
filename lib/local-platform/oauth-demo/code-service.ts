/** The demo service `demo-code`: oidc-provider with codes, PKCE, rotating refresh tokens, and our own login page. */
import { generateKeyPairSync, randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Provider, type Configuration, type KoaContextWithOIDC } from 'oidc-provider';
import { h, type Html, loginPage, pageHeaders, pageResponse, pageText, raw } from './pages.ts';
import { send } from './response.ts';
import {
  type Bearer,
  CLIENTS,
  isAppUrl,
  LIFETIME,
  readForm,
  readLifetime,
  SCOPES,
  USER,
  type Engine,
  type EngineOptions,
} from './service.ts';
import { Store } from './store.ts';
import { bounded } from './tokens.ts';

const DAY = 86_400;

export function createCodeService(options: EngineOptions): Engine {
  return new CodeService(options);
}

class CodeService implements Engine {
  readonly #options: EngineOptions;
  readonly #store = new Store();
  /** How many seconds a grant’s access tokens are valid, for logins with `?lifetime=`. */
  readonly #lifetimes = new Map<string, number>();
  readonly #provider: Provider;
  readonly #handleByProvider: ReturnType<Provider['callback']>;

  constructor(options: EngineOptions) {
    this.#options = options;
    const { issuer, appOrigins } = options;
    const provider = new Provider(issuer, this.#configuration());
    // Accepts every page of an app as a redirect URL, without registration.
    provider.Client.prototype.redirectUriAllowed = (url: string) => isAppUrl(url, appOrigins);
    provider.Client.prototype.postLogoutRedirectUriAllowed = (url: string) => isAppUrl(url, appOrigins);
    provider.use(async (ctx, next) => {
      await next();
      // oidc-provider sends an empty text from `/revoke`. Clients that expect JSON refuse its type.
      if (ctx.body === '') ctx.remove('Content-Type');
      // Apps that can read the response are also allowed to read the service’s clock from the Date header.
      if (ctx.response.get('access-control-allow-origin'))
        ctx.set('Access-Control-Expose-Headers', 'Date, WWW-Authenticate');
    });
    this.#provider = provider;
    this.#handleByProvider = provider.callback();
  }

  handle(req: IncomingMessage, res: ServerResponse): void {
    if (!(req.url ?? '').startsWith('/login/')) return void this.#handleByProvider(req, res);
    this.#login(req, res).catch((error: Error) =>
      send(res, pageResponse(400, 'This login has ended', `${error.message}. Start the login again in the app.`)),
    );
  }

  async check(token: string): Promise<Bearer | null> {
    const found = await this.#provider.AccessToken.find(token);
    return found?.isValid ? { sub: found.accountId, clientId: found.clientId!, scopes: [...found.scopes] } : null;
  }

  forget(what: Parameters<Engine['forget']>[0]): void {
    this.#store.forget(what);
  }

  /** `GET /login/:uid` shows the page. `POST` stores the user’s decision and returns to the provider. */
  async #login(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const { params, uid } = await this.#provider.interactionDetails(req, res);
    const client = CLIENTS.find(({ id }) => id === params.client_id)!;
    const requested = String(params.scope ?? '')
      .split(' ')
      .filter(Boolean);
    if (req.method !== 'POST') {
      const { title, appOrigins } = this.#options;
      const text = loginPage({ service: title, client: client.name, scopes: requested, action: `/login/${uid}` });
      return send(res, { status: 200, headers: pageHeaders([...appOrigins]), body: Buffer.from(text) });
    }
    const form = await readForm(req);
    const result =
      form.get('decision') === 'allow'
        ? {
            login: { accountId: USER.sub },
            consent: { grantId: await this.#grant(client.id, requested, form.getAll('scope')) },
          }
        : { error: 'access_denied', error_description: 'The user denied the request.' };
    const location = await this.#provider.interactionResult(req, res, result);
    send(res, { status: 303, headers: { location }, body: Buffer.alloc(0) });
  }

  async #grant(clientId: string, requested: readonly string[], allowed: readonly string[]): Promise<string> {
    const grant = new this.#provider.Grant({ accountId: USER.sub, clientId });
    grant.addOIDCScope(requested.filter((scope) => allowed.includes(scope)).join(' '));
    grant.rejectOIDCScope(requested.filter((scope) => !allowed.includes(scope)).join(' '));
    return grant.save();
  }

  async #loadExistingGrant({ oidc }: KoaContextWithOIDC) {
    const grantId = oidc.result?.consent?.grantId ?? (oidc.client && oidc.session?.grantIdFor(oidc.client.clientId));
    const grant = grantId === undefined ? undefined : await this.#provider.Grant.find(grantId);
    const lifetime = readLifetime(oidc.params?.lifetime);
    if (grant && lifetime !== null) bounded(this.#lifetimes).set(grant.jti, lifetime);
    return grant;
  }

  #configuration(): Configuration {
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const { issuer, appOrigins } = this.#options;
    const port = new URL(issuer).port;
    return {
      ...this.#clientConfiguration(),
      adapter: this.#store.adapter as unknown as NonNullable<Configuration['adapter']>,
      jwks: { keys: [privateKey.export({ format: 'jwk' })] } as NonNullable<Configuration['jwks']>,
      enabledJWA: { idTokenSigningAlgValues: ['ES256'] },
      clientBasedCORS: (_ctx, origin) => appOrigins.has(origin),
      routes: { authorization: '/authorize', token: '/token', revocation: '/revoke', end_session: '/logout' },
      scopes: ['openid', 'offline_access', ...SCOPES],
      claims: { openid: ['sub'], profile: ['name', 'email'] },
      findAccount: (_ctx, sub) => ({ accountId: sub, claims: () => ({ ...USER }) }),
      extraParams: ['lifetime'],
      interactions: { url: (_ctx, { uid }) => `/login/${uid}` },
      loadExistingGrant: (ctx) => this.#loadExistingGrant(ctx),
      rotateRefreshToken: true,
      ttl: {
        AccessToken: (_ctx, { grantId }) => this.#lifetimes.get(grantId ?? '') ?? LIFETIME,
        AuthorizationCode: 60,
        IdToken: LIFETIME,
        Interaction: 3_600,
        RefreshToken: 14 * DAY,
        Session: 14 * DAY,
        Grant: 14 * DAY,
      },
      // Cookies ignore ports: without the port in their names, two platforms on one machine would share them.
      cookies: {
        keys: [randomBytes(24).toString('base64url')],
        names: { session: `code_${port}`, interaction: `code_login_${port}`, resume: `code_resume_${port}` },
      },
      features: {
        devInteractions: { enabled: false },
        revocation: { enabled: true, allowedPolicy: () => true },
        rpInitiatedLogout: this.#logoutPages(),
      },
      renderError: (ctx, { error, error_description: description }) =>
        this.#showPage(ctx, String(error), h`<p>${description ?? 'The service reports no reason.'}</p>`),
    };
  }

  #clientConfiguration(): Configuration {
    return {
      clients: CLIENTS.map(({ id, name, secret }) => ({
        client_id: id,
        client_name: name,
        ...(secret === null
          ? { token_endpoint_auth_method: 'none' }
          : { client_secret: secret, token_endpoint_auth_method: 'client_secret_post' }),
        grant_types: ['authorization_code', 'refresh_token'],
        response_types: ['code'],
        redirect_uris: [this.#options.callback],
        id_token_signed_response_alg: 'ES256',
      })),
      clientAuthMethods: ['client_secret_post', 'none'],
      pkce: { required: (_ctx, client) => client.clientAuthMethod === 'none' },
      issueRefreshToken: (_ctx, client) => client.grantTypeAllowed('refresh_token'),
    };
  }

  #logoutPages(): NonNullable<NonNullable<Configuration['features']>['rpInitiatedLogout']> {
    const { title } = this.#options;
    const button = h`<button id="allow" type="submit" form="op.logoutForm" name="logout" value="yes" autofocus>
Log out of ${title}</button>`;
    return {
      enabled: true,
      logoutSource: (ctx, form) => this.#showPage(ctx, 'Log out?', h`${raw(form)}<p>${button}</p>`),
      postLogoutSuccessSource: (ctx) =>
        this.#showPage(ctx, 'Logged out', h`<p>You are logged out of ${title}. You can close this window.</p>`),
    };
  }

  #showPage(ctx: KoaContextWithOIDC, title: string, body: Html): void {
    ctx.set(pageHeaders([...this.#options.appOrigins]));
    ctx.body = pageText(title, h`<h1>${title}</h1>\n${body}`);
  }
}
