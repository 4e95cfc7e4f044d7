/** Owns the demo service `demo-implicit`: oauth2orize on Express, with the implicit grant, and codes and refresh beside it. */
import { createHash, randomBytes } from 'node:crypto';
import express, {
  type ErrorRequestHandler,
  type NextFunction,
  type Request,
  type RequestHandler,
  type Response,
} from 'express';
import session from 'express-session';
import oauth2orize from 'oauth2orize';
import { send } from './answer.ts';
import { loginPage, pageAnswer, pageHeaders } from './pages.ts';
import {
  CLIENTS,
  isAppUrl,
  readLifetime,
  SCOPES,
  USER,
  type Client,
  type Engine,
  type EngineOptions,
} from './service.ts';
import { bounded, createTokens, type Grant } from './tokens.ts';

declare module 'express-session' {
  interface SessionData {
    user: string;
    /** By client: what the person allowed. */
    allowed: Record<string, string[]>;
  }
}

/** What a request for authorization asks for; kept in the session until the person decides. */
interface Asked extends oauth2orize.OAuth2Req {
  lifetime: number | null;
  challenge: string | null;
  /** `login`: ask again, whoever is remembered. */
  prompt: string;
  /** The scopes that the remembered person allowed this client before. */
  allowed: string[];
}
interface Code extends Grant {
  redirectUri: string;
  challenge: string | null;
  until: number;
}
type OAuthRequest = Omit<Request, 'user'> & oauth2orize.MiddlewareRequest<Client, Client | string>;

/** In milliseconds. */
const CODE_LIFETIME = 60_000;
const { AuthorizationError, TokenError, grant, exchange } = oauth2orize;
/** Commas are not in the specification, but apps of the platform write scopes with them. */
const SEPARATORS = { scopeSeparator: [' ', ','] } as unknown as oauth2orize.grant.Options;

export function createImplicitService({ issuer, title, appOrigins }: EngineOptions): Engine {
  const tokens = createTokens(issuer);
  const codes = new Map<string, Code>();
  /** Grants by codes that were used, so that one used again revokes what it gave (RFC 6749, section 4.1.2). */
  const used = new Map<string, string>();
  const sessions = new session.MemoryStore();
  const server = oauth2orize.createServer<Client, string>();
  server.serializeClient((client, done) => done(null, client.id));
  server.deserializeClient((id, done) => done(null, clientOf(id) ?? false));

  const consent = (client: Client, allowed: { scope: string[] }, asked: Asked): Grant => ({
    id: randomBytes(9).toString('base64url'),
    sub: USER.sub,
    clientId: client.id,
    scopes: allowed.scope,
    lifetime: asked.lifetime,
  });
  server.grant(
    grant.token(SEPARATORS, (client: Client, _user: string, allowed: { scope: string[] }, asked: Asked, done) => {
      const { access_token: token, ...told } = tokens.issue(consent(client, allowed, asked), false);
      done(null, token, told);
    }),
  );
  server.grant(
    grant.code(
      SEPARATORS,
      (
        client: Client,
        redirectUri: string,
        _user: string,
        allowed: { scope: string[] },
        asked: oauth2orize.OAuth2Req,
        done,
      ) => {
        const { challenge } = asked as Asked;
        if (client.secret === null && challenge === null)
          return done(new AuthorizationError('A public client must send a code_challenge (S256).', 'invalid_request'));
        const code = randomBytes(24).toString('base64url');
        bounded(codes).set(code, {
          ...consent(client, allowed, asked as Asked),
          redirectUri,
          challenge,
          until: Date.now() + CODE_LIFETIME,
        });
        return done(null, code);
      },
    ),
  );
  // What is asked beyond OAuth 2.0's own parameters; `*` is oauth2orize's word for such an extension.
  server.grant('*', ((req: Request): Partial<Asked> => ({
    lifetime: readLifetime(req.query.lifetime),
    challenge: challengeOf(req),
    prompt: String(req.query.prompt ?? ''),
    allowed: (req.session.user && req.session.allowed?.[String(req.query.client_id)]) || [],
  })) as never);

  server.exchange(
    exchange.authorizationCode(
      (client: Client, code: string, redirectUri: string, body: Record<string, unknown>, done) => {
        const found = codes.get(code);
        codes.delete(code);
        if (!found) {
          tokens.revokeGrant(used.get(code) ?? '');
          return done(new TokenError('The code is unknown, or was used already.', 'invalid_grant', undefined, 400));
        }
        bounded(used).set(code, found.id);
        const verifier =
          typeof body.code_verifier === 'string'
            ? createHash('sha256').update(body.code_verifier).digest('base64url')
            : null;
        if (
          found.until < Date.now() ||
          found.clientId !== client.id ||
          found.redirectUri !== redirectUri ||
          found.challenge !== verifier
        ) {
          return done(
            new TokenError(
              'The code is expired, of another client, of another redirect_uri, or its code_verifier does not fit.',
              'invalid_grant',
              undefined,
              400,
            ),
          );
        }
        const { access_token: token, refresh_token: refresh, ...told } = tokens.issue(found, true);
        return done(null, token, refresh, told);
      },
    ),
  );
  server.exchange(
    exchange.refreshToken((client: Client, refreshToken: string, _scope: string[], done) => {
      const grant = tokens.useRefresh(refreshToken, client.id);
      if (!grant)
        return done(
          new TokenError(
            'The refresh token is unknown, was used already, or was revoked.',
            'invalid_grant',
            undefined,
            400,
          ),
        );
      const { access_token: token, refresh_token: refresh, ...told } = tokens.issue(grant, true);
      return done(null, token, refresh, told);
    }),
  );

  const app = express();
  app.disable('x-powered-by');
  // Cookies know no ports: without it in the name, two platforms on one machine would share them.
  app.use(
    session({
      name: `implicit_${new URL(issuer).port}`,
      store: sessions,
      secret: randomBytes(24).toString('base64url'),
      resave: false,
      saveUninitialized: false,
      cookie: { httpOnly: true, sameSite: 'lax' },
    }),
  );
  app.use(express.urlencoded({ extended: false, limit: '2mb' }));
  app.get(
    '/authorize',
    middleware(server.authorize(validate, immediate as never)),
    showLogin as unknown as RequestHandler,
    failure(server.errorHandler({ mode: 'indirect' })),
  );
  app.post('/login', middleware(server.decision(decide as never)), failure(server.errorHandler({ mode: 'indirect' })));
  app.options(['/token', '/revoke'], allowOrigin, (_req, res) => void res.status(204).end());
  app.post(
    '/token',
    allowOrigin,
    authenticate as unknown as RequestHandler,
    middleware(server.token()),
    failure(server.errorHandler()),
  );
  app.post('/revoke', allowOrigin, authenticate as unknown as RequestHandler, (req, res) => {
    tokens.revoke(String(req.body.token ?? ''));
    res.status(200).end();
  });
  app.get('/logout', (req, res) =>
    req.session.destroy(() =>
      send(res, pageAnswer(200, 'Logged out', `You are logged out of ${title}. You can close this window.`)),
    ),
  );
  app.get(
    '/.well-known/oauth-authorization-server',
    (_req, res) =>
      void res.set('Access-Control-Allow-Origin', '*').json({
        issuer,
        authorization_endpoint: `${issuer}/authorize`,
        token_endpoint: `${issuer}/token`,
        revocation_endpoint: `${issuer}/revoke`,
        response_types_supported: ['token', 'code'],
        grant_types_supported: ['implicit', 'authorization_code', 'refresh_token'],
        token_endpoint_auth_methods_supported: ['client_secret_post', 'none'],
        code_challenge_methods_supported: ['S256'],
        scopes_supported: SCOPES,
      }),
  );
  app.use((_req, res) =>
    send(res, pageAnswer(404, 'Nothing here', 'There is nothing at this address of the demo service.')),
  );
  app.use(showError);

  function validate(clientId: string, redirectUri: string, done: oauth2orize.ValidateDoneFunction<Client>): void {
    const client = clientOf(clientId);
    if (!client)
      return done(
        new AuthorizationError(
          `There is no client ${JSON.stringify(clientId.slice(0, 80))}.`,
          'unauthorized_client',
          undefined,
          400,
        ),
      );
    if (!isAppUrl(redirectUri ?? '', appOrigins))
      return done(
        new AuthorizationError(
          'This redirect_uri is not registered for the client.',
          'invalid_redirect_uri',
          undefined,
          400,
        ),
      );
    done(null, client, redirectUri);
  }

  /** Lets through who is remembered and allowed as much before. */
  function immediate(
    { req: asked }: { req: Asked },
    done: (error: null, allow: boolean, info: { scope: string[] }) => void,
  ): void {
    const scope = asked.scope ?? [];
    done(
      null,
      asked.prompt !== 'login' && asked.allowed.length > 0 && scope.every((each) => asked.allowed.includes(each)),
      { scope },
    );
  }

  function showLogin(req: OAuthRequest, res: Response): void {
    const { client, transactionID, req: asked } = req.oauth2!;
    const text = loginPage({
      service: title,
      client: client.name,
      scopes: asked.scope ?? [],
      action: '/login',
      hidden: { transaction_id: transactionID },
    });
    send(res, { status: 200, headers: pageHeaders([...appOrigins]), body: Buffer.from(text) });
  }

  function decide(req: OAuthRequest, done: (error: null, decision: { allow: boolean; scope: string[] }) => void): void {
    const allow = req.body.decision === 'allow';
    const { client, req: asked } = req.oauth2!;
    const scope = [req.body.scope ?? []].flat().filter((each: string) => (asked.scope ?? []).includes(each));
    if (allow) {
      req.session.user = USER.sub;
      req.session.allowed = { ...req.session.allowed, [client.id]: scope };
    }
    done(null, { allow, scope });
  }

  function allowOrigin(req: Request, res: Response, next: NextFunction): void {
    const { origin } = req.headers;
    res.set('Vary', 'Origin');
    if (origin !== undefined && appOrigins.has(origin))
      res.set({
        'Access-Control-Allow-Origin': origin,
        'Access-Control-Expose-Headers': 'Date',
        'Access-Control-Allow-Headers': 'Content-Type',
      });
    next();
  }

  function authenticate(req: OAuthRequest, res: Response, next: NextFunction): void {
    const client = clientOf(String(req.body?.client_id ?? ''));
    if (!client || client.secret !== (req.body.client_secret ?? null)) {
      return void res.status(401).json({
        error: 'invalid_client',
        error_description: 'The client is unknown, or its secret is not the right one.',
      });
    }
    req.user = client;
    next();
  }

  function showError(
    error: Error & { status?: number; code?: string },
    _req: Request,
    res: Response,
    _next: NextFunction,
  ): void {
    send(res, pageAnswer(error.status ?? 400, String(error.code ?? 'invalid_request'), error.message));
  }

  return {
    handle: (req, res) => void app(req, res),
    check: async (token) => tokens.check(token),
    forget(what) {
      tokens.forget(what);
      if (what === 'all') sessions.clear();
    },
  };
}

// The types of oauth2orize know plain Node, those of Express their own requests.
const middleware = (made: unknown): RequestHandler => made as RequestHandler;
const failure = (made: unknown): ErrorRequestHandler => made as ErrorRequestHandler;

const clientOf = (id: string): Client | undefined => CLIENTS.find((client) => client.id === id);

function challengeOf(req: Request): string | null {
  const { code_challenge: challenge, code_challenge_method: method } = req.query;
  return typeof challenge === 'string' && method === 'S256' ? challenge : null;
}
