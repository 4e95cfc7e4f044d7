/**
 * Authenticates requests by the token in their `Auth-token` header. It belongs to a user, a page, or a run, or it’s a
 * one-time token, which opens one page.
 */
import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { eq } from '../db/drizzle.ts';
import type { Context } from 'hono';
import type { Database } from '../db/database.ts';
import { authTokens } from '../db/schema.ts';
import { digestOf } from '../db/token-digest.ts';
import type { ResponseCache } from './response-cache.ts';
import { unauthorized } from './errors.ts';
import { consumeOneTimeToken, ONE_TIME_TOKEN } from './one-time-tokens/tokens.ts';

export interface Access {
  tokenId: number;
  userId: number;
  /** The only app that a page’s or run’s token has access to. Null: all of the user’s apps. */
  appId: number | null;
  /** Which copy of an action a page runs. Null for a user’s token: each request chooses. */
  mode: Mode | null;
  /** True for the token of a server run, which belongs to no user. */
  isRun: boolean;
  /** The depth of runs that this caller’s log records fire. */
  depth: number;
}
export type Mode = 'preview' | 'live';
/** `token`: a user’s. `page`: a user’s or a page’s. `only-page`: a page’s. */
export type Accepts = 'token' | 'page' | 'only-page';
export type Authorize = (c: Context, accepts: Accepts) => Promise<Access>;

interface Claims {
  /** ID of the user’s token that this token was derived from. Null for a run’s token. */
  token: number | null;
  app: number;
  mode: Mode;
  depth: number;
  /** Milliseconds since the epoch. */
  until: number;
}

/** Hono bindings of a request from a run in this process. Such requests don’t use the network. */
export const IN_PROCESS = { inProcess: true } as const;

const PAGE_TOKEN = /^page\.([\w-]{1,400})\.([\w-]{43})$/;

const REOPEN = 'Open the page again from the extension.';
const OWN_TOKEN = 'Use your own token.';

/**
 * @param key signs page tokens
 * @param lifetime of page tokens, in milliseconds
 */
export function createAuth(
  db: Database,
  cache: ResponseCache,
  key: string,
  lifetime: number,
  now: () => number = Date.now,
) {
  async function pageAccess(
    c: Context<{ Bindings: Partial<typeof IN_PROCESS> }>,
    claims: string,
    signature: string,
  ): Promise<Access> {
    if (!sameText(signature, sign(claims)))
      throw unauthorized('TOKEN_UNKNOWN', 'This page token wasn’t issued by this platform.', REOPEN);
    const { token, app, until, mode, depth } = JSON.parse(Buffer.from(claims, 'base64url').toString()) as Claims;
    if (until <= now())
      throw unauthorized('TOKEN_EXPIRED', 'The page’s token has expired because the page was open for too long.');
    // Runs call the API in process, so a run’s token that arrives over the network has been leaked.
    if (token === null && c.env?.inProcess !== true)
      throw unauthorized('TOKEN_UNKNOWN', 'A run’s token is valid only within that run.', OWN_TOKEN);
    if (token === null) return { tokenId: 0, userId: 0, appId: app, mode, isRun: true, depth };
    const [row] = await db.select().from(authTokens).where(eq(authTokens.id, token));
    if (!row) throw unauthorized('TOKEN_UNKNOWN', 'The token that opened this page was removed.', REOPEN);
    return { ...usable(row), appId: app, mode };
  }

  const authorize: Authorize = async (c, accepts) => {
    const token = c.req.header('auth-token');
    if (!token) throw unauthorized('TOKEN_MISSING', 'The request has no Auth-token header.');
    const page = PAGE_TOKEN.exec(token);
    requireKind(accepts, page !== null);
    if (ONE_TIME_TOKEN.test(token)) {
      const { user, appId } = await consumeOneTimeToken(db, token, c, now());
      return { ...usable(user), appId };
    }
    if (!page) {
      const digest = digestOf(token);
      return cache.get(`token ${digest}`, () => userAccess(db, digest));
    }
    return pageAccess(c, page[1]!, page[2]!);
  };

  /** Creates a page’s token: limited to the page’s app, to `lifetime`, and to the validity of the user’s token. */
  const pageToken = (access: Access, appId: number, mode: Mode = 'preview'): string =>
    token({ token: access.tokenId, app: appId, mode, depth: 0, until: now() + lifetime });

  /**
   * Creates a server run’s token: limited to the run’s app, and valid for `milliseconds`. `depth` is the run’s own
   * depth; runs fired by its log records are one level deeper.
   */
  const runToken = (appId: number, copy: 'working' | 'published', depth: number, milliseconds: number): string =>
    token({
      token: null,
      app: appId,
      mode: copy === 'working' ? 'preview' : 'live',
      depth: depth + 1,
      until: now() + milliseconds,
    });

  function token(claims: Claims): string {
    const text = Buffer.from(JSON.stringify(claims)).toString('base64url');
    return `page.${text}.${sign(text)}`;
  }

  const sign = (claims: string): string => createHmac('sha256', key).update(claims).digest('base64url');

  /** Signs URLs that a page loads without a header, and verifies those signatures. */
  const signed = (text: string): string => sign(`address ${text}`);
  const isSigned = (text: string, signature: string): boolean => sameText(signature, signed(text));

  return { authorize, pageToken, runToken, signed, isSigned };
}
export type Auth = ReturnType<typeof createAuth>;

/** @throws HttpError 401 */
function requireKind(accepts: Accepts, isPage: boolean): void {
  if (isPage && accepts === 'token')
    throw unauthorized('TOKEN_UNKNOWN', 'A page’s token is valid only for that page’s app.', OWN_TOKEN);
  if (!isPage && accepts === 'only-page')
    throw unauthorized('TOKEN_UNKNOWN', 'Only a page’s token is valid here.', REOPEN);
}

async function userAccess(db: Database, digest: string): Promise<Access> {
  const [row] = await db.select().from(authTokens).where(eq(authTokens.digest, digest));
  if (!row || !sameText(row.digest, digest))
    throw unauthorized('TOKEN_UNKNOWN', 'This platform doesn’t recognize the token.');
  return usable(row);
}

function usable(row: typeof authTokens.$inferSelect): Access {
  if (row.revokedAt) throw unauthorized('TOKEN_REVOKED', 'This token was revoked.');
  return { tokenId: row.id, userId: row.userId, appId: null, mode: null, isRun: false, depth: 0 };
}

/** Compares in constant time: digests all have the same length. */
function sameText(a: string, b: string): boolean {
  const [one, other] = [a, b].map((text) => createHash('sha256').update(text).digest());
  return timingSafeEqual(one!, other!);
}
