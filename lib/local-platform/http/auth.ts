/** Owns who a request is from: the `Auth-token` header, of a user, of one page or of one run. */
import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { eq } from '../db/drizzle.ts';
import type { Context } from 'hono';
import type { Database } from '../db/database.ts';
import { authTokens } from '../db/schema.ts';
import type { Answers } from './answers.ts';
import { unauthorized } from './errors.ts';

export interface Access {
  tokenId: number;
  userId: number;
  /** The one app that the token of a page or a run is good for; null: all of the user's. */
  appId: number | null;
  /** Which copy of an action a page runs; null: a user's token, whose requests say so themselves. */
  mode: Mode | null;
  /** True for the token of a run on the server, which belongs to no user. */
  isRun: boolean;
  /** How many runs fired one another before those that this caller's log records fire. */
  depth: number;
}
export type Mode = 'preview' | 'live';
export type Authorize = (c: Context, accepts: 'token' | 'page') => Promise<Access>;

interface Claims {
  /** The user's token that it came from; null: a run's. */
  token: number | null;
  app: number;
  mode: Mode;
  depth: number;
  /** Milliseconds since the epoch. */
  until: number;
}

/** What a request is given when it comes from a run of this very process, not over the network. */
export const IN_PROCESS = { inProcess: true } as const;

const PAGE_TOKEN = /^page\.([\w-]{1,400})\.([\w-]{43})$/;

export const digestOf = (token: string): string => createHash('sha256').update(token).digest('hex');

/** @param key signs page tokens; `lifetime` in milliseconds */
export function createAuth(
  db: Database,
  answers: Answers,
  key: string,
  lifetime: number,
  now: () => number = Date.now,
) {
  async function userAccess(digest: string): Promise<Access> {
    const [row] = await db.select().from(authTokens).where(eq(authTokens.digest, digest));
    if (!row || !sameText(row.digest, digest)) {
      throw unauthorized(
        'TOKEN_UNKNOWN',
        'This token is not known here; check that it belongs to this environment and is whole.',
      );
    }
    return usable(row);
  }

  async function pageAccess(
    c: Context<{ Bindings: Partial<typeof IN_PROCESS> }>,
    claims: string,
    signature: string,
  ): Promise<Access> {
    if (!sameText(signature, sign(claims))) {
      throw unauthorized(
        'TOKEN_UNKNOWN',
        'This page token was not made here; reload the debug page from the extension.',
      );
    }
    const { token, app, until, mode, depth } = JSON.parse(Buffer.from(claims, 'base64url').toString()) as Claims;
    if (until <= now())
      throw unauthorized(
        'TOKEN_EXPIRED',
        'The page has been open for too long and its token has expired; open it again from the extension.',
      );
    // Runs ask without a network: over it comes a run's token that was sent elsewhere.
    if (token === null && c.env?.inProcess !== true)
      throw unauthorized('TOKEN_UNKNOWN', 'The token of a run is good within that run alone; use your own token here.');
    if (token === null) return { tokenId: 0, userId: 0, appId: app, mode, isRun: true, depth };
    const [row] = await db.select().from(authTokens).where(eq(authTokens.id, token));
    if (!row)
      throw unauthorized('TOKEN_UNKNOWN', 'The token that opened this page is gone; open the page again with another.');
    return { ...usable(row), appId: app, mode };
  }

  const authorize: Authorize = async (c, accepts) => {
    const token = c.req.header('auth-token');
    if (!token) throw unauthorized('TOKEN_MISSING', 'Send your token in the Auth-token header.');
    const page = PAGE_TOKEN.exec(token);
    if (!page) {
      const digest = digestOf(token);
      return answers.get(`token ${digest}`, () => userAccess(digest));
    }
    if (accepts === 'token')
      throw unauthorized(
        'TOKEN_UNKNOWN',
        'The token of a page is good for its own app alone; use your own token here.',
      );
    return pageAccess(c, page[1]!, page[2]!);
  };

  /** A token for one page: only its app, only for a while, and only as long as the user's token lives. */
  const pageToken = (access: Access, appId: number, mode: Mode = 'preview'): string =>
    token({ token: access.tokenId, app: appId, mode, depth: 0, until: now() + lifetime });

  /**
   * A token for one run on the server: only its app, for `milliseconds`. `depth` is the run's own: what its log records fire is one
   * deeper.
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

  /** A signature for an address that a page loads without a header, and whether one is ours. */
  const signed = (text: string): string => sign(`address ${text}`);
  const isSigned = (text: string, signature: string): boolean => sameText(signature, signed(text));

  return { authorize, pageToken, runToken, signed, isSigned };
}
export type Auth = ReturnType<typeof createAuth>;

function usable(row: typeof authTokens.$inferSelect): Access {
  if (row.revokedAt) throw unauthorized('TOKEN_REVOKED', 'This token was revoked; enter a new one.');
  return { tokenId: row.id, userId: row.userId, appId: null, mode: null, isRun: false, depth: 0 };
}

/** Takes the same time whatever differs; digests are of one length, whatever was sent. */
function sameText(a: string, b: string): boolean {
  const [one, other] = [a, b].map((text) => createHash('sha256').update(text).digest());
  return timingSafeEqual(one!, other!);
}
