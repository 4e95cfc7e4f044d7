/** Manages the platform’s secrets: the user’s token, and the key that signs page tokens. */
import { randomBytes } from 'node:crypto';
import { chmod, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { and, eq, isNull, ne } from './db/drizzle.ts';
import type { Database } from './db/database.ts';
import { TOKEN_FILE } from './db/open.ts';
import { authTokens, oneTimeTokens, secrets, users } from './db/schema.ts';
import { digestOf } from './db/token-digest.ts';
import { makeFolder } from './make-folder.ts';
import { isOwnSecret, makeSecret } from './own-secrets.ts';
import { StartProblem } from './problem.ts';

const SIGNING_KEY = 'page-token-key';

const random = (): string => randomBytes(24).toString('base64url');

export interface SecretsPlace {
  /** The data folder. Null: don’t use a file. */
  folder: string | null;
  /** The user’s configuration folder. */
  home: string;
  /** Called if tokens that weren’t made here were replaced or revoked. */
  onReplaced: () => void;
}

/**
 * Returns the token of user `userId`: `wanted`, the one in the file `auth-token` of the folder, or a new one. Only the
 * file’s owner can read it. The database stores the token’s digest.
 * @throws StartProblem
 */
export async function prepareToken(
  db: Database,
  { folder, ...place }: SecretsPlace,
  userId: number,
  wanted?: string,
): Promise<string> {
  const token = wanted ?? (folder === null ? random() : await storedToken(db, join(folder, TOKEN_FILE), place));
  if (!/^[\x21-\x7e]{8,4096}$/.test(token) || /^(page|once)\./.test(token))
    throw new StartProblem(
      'The token must be 8 to 4,096 characters without spaces, and must not start with “page.” or “once.”.',
      'Check PLATFORM_AUTH_TOKEN.',
    );
  const known = await findToken(db, token);
  if (known?.revokedAt)
    throw new StartProblem('The token was revoked in this database.', 'Set a different token in PLATFORM_AUTH_TOKEN.');
  if (known) return token;
  const [user] = await db.select({ id: users.id }).from(users).where(eq(users.id, userId));
  if (!user)
    throw new StartProblem(
      `The database has no user ${userId}, to whom the platform’s token belongs.`,
      'Restore the database from a backup, or choose a new folder with --data.',
    );
  // Another platform on this database may have stored it since then.
  await db
    .insert(authTokens)
    .values({ userId, digest: digestOf(token) })
    .onConflictDoNothing();
  return token;
}

const findToken = async (db: Database, token: string): Promise<typeof authTokens.$inferSelect | undefined> =>
  (
    await db
      .select()
      .from(authTokens)
      .where(eq(authTokens.digest, digestOf(token)))
  )[0];

async function storedToken(
  db: Database,
  file: string,
  { home, onReplaced }: Omit<SecretsPlace, 'folder'>,
): Promise<string> {
  const stored = (await readFile(file, 'utf8').catch(() => '')).trim();
  // A start with another configuration folder can have revoked it.
  if ((await isOwnSecret(home, 'token', stored)) && !(await findToken(db, stored))?.revokedAt) {
    // Copying or unpacking the folder might have made the file readable for others.
    await chmod(file, 0o600).catch(() => {});
    return stored;
  }
  const token = await makeSecret(home, 'token');
  try {
    await makeFolder(dirname(file), 0o700);
    // It could be a link, which would lead the token elsewhere.
    await rm(file, { force: true });
    await writeFile(file, `${token}\n`, { flag: 'wx', mode: 0o600 });
  } catch (error) {
    throw new StartProblem(
      `Couldn’t store the token in ${file}: ${(error as Error).message}.`,
      'Set a token in PLATFORM_AUTH_TOKEN, or choose another folder with --data.',
    );
  }
  if (stored) onReplaced();
  return token;
}

/**
 * Leaves no token valid in the database of a data folder that wasn’t made here, except `wanted`: its maker knows
 * them, and the key that signs page tokens.
 */
export async function revokeForeignTokens(
  db: Database,
  { home, onReplaced }: SecretsPlace,
  wanted?: string,
): Promise<void> {
  const key = await storedKey(db);
  if (key !== undefined && (await isOwnSecret(home, SIGNING_KEY, key))) return;
  const value = await makeSecret(home, SIGNING_KEY);
  const revoked = await db.transaction(async (tx) => {
    await tx.delete(oneTimeTokens);
    await tx
      .insert(secrets)
      .values({ name: SIGNING_KEY, value })
      .onConflictDoUpdate({ target: secrets.name, set: { value } });
    const isOther = wanted === undefined ? undefined : ne(authTokens.digest, digestOf(wanted));
    return tx
      .update(authTokens)
      .set({ revokedAt: new Date() })
      .where(and(isNull(authTokens.revokedAt), isOther))
      .returning({ id: authTokens.id });
  });
  if (revoked.length > 0) onReplaced();
}

export async function signingKey(db: Database): Promise<string> {
  await db
    .insert(secrets)
    .values({ name: SIGNING_KEY, value: randomBytes(32).toString('base64url') })
    .onConflictDoNothing();
  return (await storedKey(db))!;
}

const storedKey = async (db: Database): Promise<string | undefined> =>
  (await db.select().from(secrets).where(eq(secrets.name, SIGNING_KEY)))[0]?.value;
