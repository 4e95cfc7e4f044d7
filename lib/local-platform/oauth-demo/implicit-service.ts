/** The demo service `demo-implicit`: an Express app with a login page, token endpoint, revocation, and metadata. */
import { randomBytes } from 'node:crypto';
import express, {
  type ErrorRequestHandler,
  type Express,
  type NextFunction,
  type Request,
  type RequestHandler,
  type Response,
} from 'express';
import session from 'express-session';
import oauth2orize from 'oauth2orize';
import { type AuthorizationRequest, clientOf, createAuthorizationServer } from './implicit-grants.ts';
import { loginPage, pageHeaders, pageResponse } from './pages.ts';
import { send } from './response.ts';
import { isAppUrl, SCOPES, USER, type Client, type Engine, type EngineOptions } from './service.ts';
import { Tokens } from './tokens.ts';

declare module 'express-session' {
  interface SessionData {
    user: string;
    /** The scopes that the user has granted, by client. */
    allowed: Record<string, string[]>;
  }
}

type OAuthRequest = Omit<Request, 'user'> & oauth2orize.MiddlewareRequest<Client, Client | string>;
type AuthorizationServer = ReturnType<typeof createAuthorizationServer>;

const { AuthorizationError } = oauth2orize;

export function createImplicitService(options: EngineOptions): Engine {
  const { issuer } = options;
  const tokens = new Tokens(issuer);
  const sessions = new session.MemoryStore();
  const server = createAuthorizationServer(tokens);
  const app = express();
  app.disable('x-powered-by');
  app.use(sessionMiddleware(issuer, sessions));
  app.use(express.urlencoded({ extended: false, limit: '2mb' }));
  addLogin(app, server, options);
  addTokenEndpoints(app, server, tokens, options);
  addMetadata(app, issuer);
  app.use((_req, res) => send(res, pageResponse(404, 'Page not found', 'The demo service has no page at this URL.')));
  app.use(showError);
  return {
    handle: (req, res) => void app(req, res),
    check: async (token) => tokens.check(token),
    forget(what) {
      tokens.forget(what);
      if (what === 'all') sessions.clear();
    },
  };
}

function sessionMiddleware(issuer: string, store: session.Store): RequestHandler {
  return session({
    // Cookies ignore ports: without the port in the name, two platforms on one machine would share them.
    name: `implicit_${new URL(issuer).port}`,
    store,
    secret: randomBytes(24).toString('base64url'),
    resave: false,
    saveUninitialized: false,
    cookie: { httpOnly: true, sameSite: 'lax' },
  });
}

function addLogin(app: Express, server: AuthorizationServer, { title, appOrigins }: EngineOptions): void {
  const onError = asErrorHandler(server.errorHandler({ mode: 'indirect' }));

  function validate(clientId: string, redirectUri: string, done: oauth2orize.ValidateDoneFunction<Client>): void {
    const client = clientOf(clientId);
    if (!client) {
      const message = `The client ${JSON.stringify(clientId.slice(0, 80))} is unknown.`;
      return done(new AuthorizationError(message, 'unauthorized_client', undefined, 400));
    }
    if (!isAppUrl(redirectUri ?? '', appOrigins)) {
      const message = 'This redirect_uri isn’t registered for the client.';
      return done(new AuthorizationError(message, 'invalid_redirect_uri', undefined, 400));
    }
    done(null, client, redirectUri);
  }

  function showLogin(req: OAuthRequest, res: Response): void {
    const { client, transactionID, req: request } = req.oauth2!;
    const text = loginPage({
      service: title,
      client: client.name,
      scopes: request.scope ?? [],
      action: '/login',
      hidden: { transaction_id: transactionID },
    });
    send(res, { status: 200, headers: pageHeaders([...appOrigins]), body: Buffer.from(text) });
  }

  const authorize = asMiddleware(server.authorize(validate, isAlreadyAllowed as never));
  app.get('/authorize', authorize, asMiddleware(showLogin), onError);
  app.post('/login', asMiddleware(server.decision(decide as never)), onError);
  app.get('/logout', (req, res) =>
    req.session.destroy(() =>
      send(res, pageResponse(200, 'Logged out', `You are logged out of ${title}. You can close this window.`)),
    ),
  );
}

/** Skips the login page if the remembered user has already granted these scopes. */
function isAlreadyAllowed(
  { req: { scope = [], prompt, allowed } }: { req: AuthorizationRequest },
  done: (error: null, allow: boolean, info: { scope: string[] }) => void,
): void {
  const isAllowed = allowed.length > 0 && scope.every((each) => allowed.includes(each));
  done(null, isAllowed && prompt !== 'login', { scope });
}

function decide(req: OAuthRequest, done: (error: null, decision: { allow: boolean; scope: string[] }) => void): void {
  const { client, req: request } = req.oauth2!;
  const allow = req.body.decision === 'allow';
  const scope = [req.body.scope ?? []].flat().filter((each: string) => (request.scope ?? []).includes(each));
  if (allow) {
    req.session.user = USER.sub;
    req.session.allowed = { ...req.session.allowed, [client.id]: scope };
  }
  done(null, { allow, scope });
}

function addTokenEndpoints(
  app: Express,
  server: AuthorizationServer,
  tokens: Tokens,
  { appOrigins }: EngineOptions,
): void {
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

  const guards = [allowOrigin, asMiddleware(authenticate)];
  app.options(['/token', '/revoke'], allowOrigin, (_req, res) => void res.status(204).end());
  app.post('/token', ...guards, asMiddleware(server.token()), asErrorHandler(server.errorHandler()));
  app.post('/revoke', ...guards, (req, res) => {
    tokens.revoke(String(req.body.token ?? ''));
    res.status(200).end();
  });
}

function authenticate(req: OAuthRequest, res: Response, next: NextFunction): void {
  const client = clientOf(String(req.body?.client_id ?? ''));
  if (!client || client.secret !== (req.body.client_secret ?? null)) {
    const description = 'The client is unknown, or its secret is wrong.';
    return void res.status(401).json({ error: 'invalid_client', error_description: description });
  }
  req.user = client;
  next();
}

/** Metadata as defined in RFC 8414. */
function addMetadata(app: Express, issuer: string): void {
  app.get('/.well-known/oauth-authorization-server', (_req, res) => {
    res.set('Access-Control-Allow-Origin', '*').json({
      issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      revocation_endpoint: `${issuer}/revoke`,
      response_types_supported: ['token', 'code'],
      grant_types_supported: ['implicit', 'authorization_code', 'refresh_token'],
      token_endpoint_auth_methods_supported: ['client_secret_post', 'none'],
      code_challenge_methods_supported: ['S256'],
      scopes_supported: SCOPES,
    });
  });
}

function showError(
  error: Error & { status?: number; code?: string },
  _req: Request,
  res: Response,
  _next: NextFunction,
): void {
  send(res, pageResponse(error.status ?? 400, String(error.code ?? 'invalid_request'), error.message));
}

// oauth2orize’s types expect plain Node requests, not Express requests.
const asMiddleware = (handler: unknown): RequestHandler => handler as RequestHandler;
const asErrorHandler = (handler: unknown): ErrorRequestHandler => handler as ErrorRequestHandler;
