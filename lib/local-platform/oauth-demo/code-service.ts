/** Owns the demo service `demo-code`: oidc-provider with authorization codes, PKCE, refresh with rotation, and a login page of ours. */
import { generateKeyPairSync, randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Provider, type Configuration, type KoaContextWithOIDC } from 'oidc-provider';
import { send } from './answer.ts';
import { h, loginPage, pageAnswer, pageHeaders, pageText, raw } from './pages.ts';
import {
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
import { createStore } from './store.ts';
import { bounded } from './tokens.ts';

const DAY = 86_400;

export function createCodeService({ issuer, title, appOrigins, callback }: EngineOptions): Engine {
  const store = createStore();
  /** Of the access tokens of a grant, in seconds, where the login asked for another than the usual one. */
  const lifetimes = new Map<string, number>();
  const provider = new Provider(issuer, configuration());
  // Any page of an app may be sent back to, so that an app's own pages need no registration here.
  provider.Client.prototype.redirectUriAllowed = (address: string) => isAppUrl(address, appOrigins);
  provider.Client.prototype.postLogoutRedirectUriAllowed = (address: string) => isAppUrl(address, appOrigins);
  provider.use(async (ctx, next) => {
    await next();
    // An app that may read the answer may read the service's clock.
    if (ctx.response.get('access-control-allow-origin'))
      ctx.set('Access-Control-Expose-Headers', 'Date, WWW-Authenticate');
  });
  const main = provider.callback();

  function configuration(): Configuration {
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const port = new URL(issuer).port;
    const showPage = (ctx: KoaContextWithOIDC, heading: string, body: ReturnType<typeof h>): void => {
      ctx.set(pageHeaders([...appOrigins]));
      ctx.body = pageText(heading, h`<h1>${heading}</h1>\n${body}`);
    };
    return {
      adapter: store.adapter as unknown as NonNullable<Configuration['adapter']>,
      jwks: { keys: [privateKey.export({ format: 'jwk' })] } as NonNullable<Configuration['jwks']>,
      enabledJWA: { idTokenSigningAlgValues: ['ES256'] },
      clients: CLIENTS.map(({ id, name, secret }) => ({
        client_id: id,
        client_name: name,
        ...(secret === null
          ? { token_endpoint_auth_method: 'none' }
          : { client_secret: secret, token_endpoint_auth_method: 'client_secret_post' }),
        grant_types: ['authorization_code', 'refresh_token'],
        response_types: ['code'],
        redirect_uris: [callback],
        id_token_signed_response_alg: 'ES256',
      })),
      clientAuthMethods: ['client_secret_post', 'none'],
      clientBasedCORS: (_ctx, origin) => appOrigins.has(origin),
      routes: { authorization: '/authorize', token: '/token', revocation: '/revoke', end_session: '/logout' },
      scopes: ['openid', 'offline_access', ...SCOPES],
      claims: { openid: ['sub'], profile: ['name', 'email'] },
      findAccount: (_ctx, sub) => ({ accountId: sub, claims: () => ({ ...USER }) }),
      pkce: { required: (_ctx, client) => client.clientAuthMethod === 'none' },
      extraParams: ['lifetime'],
      interactions: { url: (_ctx, { uid }) => `/login/${uid}` },
      loadExistingGrant,
      issueRefreshToken: (_ctx, client) => client.grantTypeAllowed('refresh_token'),
      rotateRefreshToken: true,
      ttl: {
        AccessToken: (_ctx, { grantId }) => lifetimes.get(grantId ?? '') ?? LIFETIME,
        AuthorizationCode: 60,
        IdToken: LIFETIME,
        Interaction: 3_600,
        RefreshToken: 14 * DAY,
        Session: 14 * DAY,
        Grant: 14 * DAY,
      },
      // Cookies know no ports: without it in their names, two platforms on one machine would share them.
      cookies: {
        keys: [randomBytes(24).toString('base64url')],
        names: { session: `code_${port}`, interaction: `code_login_${port}`, resume: `code_resume_${port}` },
      },
      features: {
        devInteractions: { enabled: false },
        revocation: { enabled: true, allowedPolicy: () => true },
        rpInitiatedLogout: {
          enabled: true,
          logoutSource: (ctx, form) =>
            showPage(
              ctx,
              'Log out?',
              h`${raw(form)}<p><button id="allow" type="submit" form="op.logoutForm" name="logout" value="yes" autofocus>Log out of ${title}</button></p>`,
            ),
          postLogoutSuccessSource: (ctx) =>
            showPage(ctx, 'Logged out', h`<p>You are logged out of ${title}. You can close this window.</p>`),
        },
      },
      renderError: (ctx, { error, error_description: description }) =>
        showPage(ctx, String(error), h`<p>${description ?? 'The service gives no reason.'}</p>`),
    };
  }

  async function loadExistingGrant(ctx: KoaContextWithOIDC) {
    const { oidc } = ctx;
    const grantId = oidc.result?.consent?.grantId ?? (oidc.client && oidc.session?.grantIdFor(oidc.client.clientId));
    const grant = grantId === undefined ? undefined : await provider.Grant.find(grantId);
    const asked = readLifetime(oidc.params?.lifetime);
    if (grant && asked !== null) bounded(lifetimes).set(grant.jti, asked);
    return grant;
  }

  /** `GET /login/:uid` shows the page; `POST` takes the decision and goes back to the service. */
  async function login(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const { params, uid } = await provider.interactionDetails(req, res);
    const client = CLIENTS.find(({ id }) => id === params.client_id)!;
    const asked = String(params.scope ?? '')
      .split(' ')
      .filter(Boolean);
    if (req.method !== 'POST')
      return send(res, {
        status: 200,
        headers: pageHeaders([...appOrigins]),
        body: Buffer.from(loginPage({ service: title, client: client.name, scopes: asked, action: `/login/${uid}` })),
      });
    const form = await readForm(req);
    const back = (to: string): void => send(res, { status: 303, headers: { location: to }, body: Buffer.alloc(0) });
    if (form.get('decision') !== 'allow')
      return back(
        await provider.interactionResult(req, res, {
          error: 'access_denied',
          error_description: 'The person refused.',
        }),
      );
    const granted = form.getAll('scope').filter((scope) => asked.includes(scope));
    const grant = new provider.Grant({ accountId: USER.sub, clientId: client.id });
    grant.addOIDCScope(granted.join(' '));
    grant.rejectOIDCScope(asked.filter((scope) => !granted.includes(scope)).join(' '));
    return back(
      await provider.interactionResult(req, res, {
        login: { accountId: USER.sub },
        consent: { grantId: await grant.save() },
      }),
    );
  }

  return {
    handle(req, res) {
      if (!(req.url ?? '').startsWith('/login/')) return void main(req, res);
      login(req, res).catch((error: unknown) =>
        send(res, pageAnswer(400, 'This login is over', `${(error as Error).message}; start again from the app.`)),
      );
    },
    async check(token) {
      const found = await provider.AccessToken.find(token);
      return found?.isValid ? { sub: found.accountId, clientId: found.clientId!, scopes: [...found.scopes] } : null;
    },
    forget: (what) => store.forget(what),
  };
}
