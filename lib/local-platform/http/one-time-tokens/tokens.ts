/** Issues tokens that open one debug, preview, or live page once, so that a tab’s network log has no lasting token. */
import { randomBytes } from 'node:crypto';
import type { Context } from 'hono';
import type { Database } from '../../db/database.ts';
import { eq, lte } from '../../db/drizzle.ts';
import { authTokens, oneTimeTokens } from '../../db/schema.ts';
import { digestOf } from '../../db/token-digest.ts';
import { unauthorized } from '../errors.ts';

export const ONE_TIME_TOKEN = /^once\.[\w-]{43}$/;
/** In milliseconds. */
const LIFETIME = 60_000;
/** What the path of a page has after `/v1/apps/<id>/`. */
const PAGE = /^(?:tasks\/[1-9]\d{0,9}\/compile\?html|(?:preview|live)(?:\?page=[1-9]\d{0,8})?)$/;

export function isPageOf(appId: number, path: string): boolean {
  const folder = `/v1/apps/${appId}/`;
  return path.startsWith(folder) && PAGE.test(path.slice(folder.length));
}

/** Stores the token’s digest, and removes expired ones. */
export async function issueOneTimeToken(
  db: Database,
  page: { tokenId: number; appId: number; path: string },
  now: number,
): Promise<{ token: string; expiresAt: string }> {
  const token = `once.${randomBytes(32).toString('base64url')}`;
  const expiresAt = new Date(now + LIFETIME);
  await db.delete(oneTimeTokens).where(lte(oneTimeTokens.expiresAt, new Date(now)));
  await db.insert(oneTimeTokens).values({ digest: digestOf(token), ...page, expiresAt });
  return { token, expiresAt: expiresAt.toISOString() };
}

/**
 * Accepts the token for a GET of its page. Any use consumes it: of concurrent requests, one deletes the row.
 * @throws HttpError 401
 */
export async function consumeOneTimeToken(
  db: Database,
  token: string,
  c: Context,
  now: number,
): Promise<{ user: typeof authTokens.$inferSelect; appId: number }> {
  const [row] = await db
    .delete(oneTimeTokens)
    .where(eq(oneTimeTokens.digest, digestOf(token)))
    .returning();
  if (!row) throw refused('TOKEN_UNKNOWN', 'This one-time token is unknown, or was already used.');
  if (row.expiresAt.getTime() <= now) throw refused('TOKEN_EXPIRED', 'This one-time token has expired.');
  if (c.req.method !== 'GET' || !opens(row.path, new URL(c.req.url)))
    throw refused('TOKEN_UNKNOWN', 'A one-time token is valid only for its page.');
  const [user] = await db.select().from(authTokens).where(eq(authTokens.id, row.tokenId));
  if (!user) throw refused('TOKEN_UNKNOWN', 'The token that requested this one was removed.');
  return { user, appId: row.appId };
}

const refused = (code: `TOKEN_${string}`, message: string) =>
  unauthorized(code, message, 'Open the page again from the extension.');

/** Pages have more parameters after a run, such as the payload, which don’t choose the page. */
function opens(path: string, url: URL): boolean {
  const page = new URL(path, url);
  return (
    page.pathname === url.pathname &&
    ['html', 'page'].every((name) => page.searchParams.get(name) === url.searchParams.get(name))
  );
}
