/** Owns who a request is from: the `Auth-token` header, of a user or of one debug page. */
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
  /** The one app that a debug page's token is good for; null: all of the user's. */
  appId: number | null;
}
export type Authorize = (c: Context, accepts: 'token' | 'page') => Promise<Access>;

const PAGE_TOKEN = /^page\.([\w-]{1,400})\.([\w-]{43})$/;

export const digestOf = (token: string): string => createHash('sha256').update(token).digest('hex');

/** @param key signs page tokens; `lifetime` in milliseconds */
export function createAuth(db: Database, answers: Answers, key: string, lifetime: number, now: () => number = Date.now) {
  async function userAccess(digest: string): Promise<Access> {
    const [row] = await db.select().from(authTokens).where(eq(authTokens.digest, digest));
    if (!row || !sameText(row.digest, digest)) {
      throw unauthorized('TOKEN_UNKNOWN', 'This token is not known here; check that it belongs to this environment and is whole.');
    }
    return usable(row);
  }

  async function pageAccess(claims: string, signature: string): Promise<Access> {
    if (!sameText(signature, sign(claims))) {
      throw unauthorized('TOKEN_UNKNOWN', 'This page token was not made here; reload the debug page from the extension.');
    }
    const { token, app, until } = JSON.parse(Buffer.from(claims, 'base64url').toString()) as { token: number; app: number; until: number };
    if (until <= now()) throw unauthorized('TOKEN_EXPIRED', 'The page has been open for too long and its token has expired; open it again from the extension.');
    const [row] = await db.select().from(authTokens).where(eq(authTokens.id, token));
    if (!row) throw unauthorized('TOKEN_UNKNOWN', 'The token that opened this page is gone; open the page again with another.');
    return { ...usable(row), appId: app };
  }

  const authorize: Authorize = async (c, accepts) => {
    const token = c.req.header('auth-token');
    if (!token) throw unauthorized('TOKEN_MISSING', 'Send your token in the Auth-token header.');
    const page = PAGE_TOKEN.exec(token);
    if (!page) {
      const digest = digestOf(token);
      return answers.get(`token ${digest}`, () => userAccess(digest));
    }
    if (accepts === 'token') throw unauthorized('TOKEN_UNKNOWN', 'The token of a debug page is good for the data of its app alone; use your own token here.');
    return pageAccess(page[1]!, page[2]!);
  };

  /** A token for one debug page: only its app's data, only for a while, and only as long as the user's token lives. */
  function pageToken(access: Access, appId: number): string {
    const claims = Buffer.from(JSON.stringify({ token: access.tokenId, app: appId, until: now() + lifetime })).toString('base64url');
    return `page.${claims}.${sign(claims)}`;
  }

  const sign = (claims: string): string => createHmac('sha256', key).update(claims).digest('base64url');

  return { authorize, pageToken };
}
export type Auth = ReturnType<typeof createAuth>;

function usable(row: typeof authTokens.$inferSelect): Access {
  if (row.revokedAt) throw unauthorized('TOKEN_REVOKED', 'This token was revoked; enter a new one.');
  return { tokenId: row.id, userId: row.userId, appId: null };
}

function sameText(a: string, b: string): boolean {
  return a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b));
}
