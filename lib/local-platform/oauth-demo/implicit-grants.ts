/** The authorization server of `demo-implicit`: implicit grant, codes with PKCE, and refresh, built on oauth2orize. */
import { createHash, randomBytes } from 'node:crypto';
import type { Request } from 'express';
import oauth2orize from 'oauth2orize';
import { CLIENTS, readLifetime, USER, type Client } from './service.ts';
import { bounded, type Grant, type Tokens } from './tokens.ts';

/** An authorization request, stored in the session until the user decides. */
export interface AuthorizationRequest extends oauth2orize.OAuth2Req {
  lifetime: number | null;
  challenge: string | null;
  /** `login`: show the page even to a remembered user. */
  prompt: string;
  /** The scopes that the remembered user has granted this client. */
  allowed: string[];
}

interface Code extends Grant {
  redirectUri: string;
  challenge: string | null;
  /** Epoch milliseconds. */
  until: number;
}

type AuthorizationServer = oauth2orize.OAuth2Server<Client, string>;
type Decision = { scope: string[] };

/** In milliseconds. */
const CODE_LIFETIME = 60_000;
const { AuthorizationError, TokenError, grant, exchange } = oauth2orize;
/** The platform’s apps separate scopes with commas, RFC 6749 with spaces. */
const SEPARATORS = { scopeSeparator: [' ', ','] } as unknown as oauth2orize.grant.Options;

export function createAuthorizationServer(tokens: Tokens): AuthorizationServer {
  const server = oauth2orize.createServer<Client, string>();
  server.serializeClient((client, done) => done(null, client.id));
  server.deserializeClient((id, done) => done(null, clientOf(id) ?? false));
  const codes = new Codes(tokens);
  addGrants(server, tokens, codes);
  addExchanges(server, tokens, codes);
  return server;
}

export function clientOf(id: string): Client | undefined {
  return CLIENTS.find((client) => client.id === id);
}

class Codes {
  readonly #tokens: Tokens;
  readonly #codes = new Map<string, Code>();
  /** The grants of used codes. Reusing a code revokes its tokens (RFC 6749 section 4.1.2). */
  readonly #usedGrants = new Map<string, string>();

  constructor(tokens: Tokens) {
    this.#tokens = tokens;
  }

  issue(consent: Grant, redirectUri: string, challenge: string | null): string {
    const code = randomBytes(24).toString('base64url');
    bounded(this.#codes).set(code, { ...consent, redirectUri, challenge, until: Date.now() + CODE_LIFETIME });
    return code;
  }

  /** @throws TokenError invalid_grant */
  redeem(code: string, clientId: string, redirectUri: string, verifier: unknown): Grant {
    const found = this.#codes.get(code);
    this.#codes.delete(code);
    if (!found) {
      this.#tokens.revokeGrant(this.#usedGrants.get(code) ?? '');
      throw invalidGrant('The code is unknown or was already used.');
    }
    bounded(this.#usedGrants).set(code, found.id);
    if (found.until < Date.now()) throw invalidGrant('The code has expired.');
    if (found.clientId !== clientId) throw invalidGrant('The code was issued to another client.');
    if (found.redirectUri !== redirectUri)
      throw invalidGrant('The redirect_uri doesn’t match the one in the authorization request.');
    const challenge = typeof verifier === 'string' ? createHash('sha256').update(verifier).digest('base64url') : null;
    if (found.challenge !== challenge) throw invalidGrant('The code_verifier doesn’t match the code_challenge.');
    return found;
  }
}

function invalidGrant(message: string): Error {
  return new TokenError(message, 'invalid_grant', undefined, 400);
}

function addGrants(server: AuthorizationServer, tokens: Tokens, codes: Codes): void {
  server.grant(
    grant.token(SEPARATORS, (client: Client, _user: string, decision: Decision, request, done) => {
      const consent = toConsent(client, decision, request as AuthorizationRequest);
      const { access_token: token, ...rest } = tokens.issue(consent, false);
      done(null, token, rest);
    }),
  );
  server.grant(
    grant.code(SEPARATORS, (client: Client, redirectUri, _user: string, decision: Decision, request, done) => {
      const authorization = request as AuthorizationRequest;
      if (client.secret === null && authorization.challenge === null)
        return done(new AuthorizationError('A public client must send a code_challenge (S256).', 'invalid_request'));
      const consent = toConsent(client, decision, authorization);
      return done(null, codes.issue(consent, redirectUri, authorization.challenge));
    }),
  );
  // In oauth2orize, `*` registers a request extension.
  server.grant('*', ((req: Request): Partial<AuthorizationRequest> => ({
    lifetime: readLifetime(req.query.lifetime),
    challenge: readChallenge(req),
    prompt: String(req.query.prompt ?? ''),
    allowed: (req.session.user && req.session.allowed?.[String(req.query.client_id)]) || [],
  })) as never);
}

function addExchanges(server: AuthorizationServer, tokens: Tokens, codes: Codes): void {
  server.exchange(
    exchange.authorizationCode((client: Client, code: string, redirectUri, body: Record<string, unknown>, done) => {
      try {
        const consent = codes.redeem(code, client.id, redirectUri, body.code_verifier);
        const { access_token: token, refresh_token: refresh, ...rest } = tokens.issue(consent, true);
        done(null, token, refresh, rest);
      } catch (error) {
        done(error as Error);
      }
    }),
  );
  server.exchange(
    exchange.refreshToken((client: Client, refreshToken: string, _scope: string[], done) => {
      const consent = tokens.useRefresh(refreshToken, client.id);
      if (!consent) return done(invalidGrant('The refresh token is unknown, revoked, or already used.'));
      const { access_token: token, refresh_token: refresh, ...rest } = tokens.issue(consent, true);
      return done(null, token, refresh, rest);
    }),
  );
}

function toConsent(client: Client, { scope }: Decision, { lifetime }: AuthorizationRequest): Grant {
  return { id: randomBytes(9).toString('base64url'), sub: USER.sub, clientId: client.id, scopes: scope, lifetime };
}

function readChallenge(req: Request): string | null {
  const { code_challenge: challenge, code_challenge_method: method } = req.query;
  return typeof challenge === 'string' && method === 'S256' ? challenge : null;
}
