/** Manages the platform’s secrets: the user’s token, and the key that signs page tokens. */
import { randomBytes } from 'node:crypto';
import { chmod, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { eq } from './db/drizzle.ts';
import type { Database } from './db/database.ts';
import { TOKEN_FILE } from './db/open.ts';
import { authTokens, secrets, users } from './db/schema.ts';
import { digestOf } from './db/token-digest.ts';
import { makeFolder } from './make-folder.ts';
import { StartProblem } from './problem.ts';

const SIGNING_KEY = 'page-token-key';

const random = (): string => randomBytes(24).toString('base64url');

/**
 * Returns the token of user `userId`: `wanted`, the one in the file `auth-token` of `folder`, or a new one. Only the
 * file’s owner can read it. The database stores the token’s digest.
 * @param folder null: don’t use a file
 * @throws StartProblem
 */
export async function prepareToken(
  db: Database,
  folder: string | null,
  userId: number,
  wanted?: string,
): Promise<string> {
  const token = wanted ?? (folder === null ? random() : await storedToken(join(folder, TOKEN_FILE)));
  if (!/^[\x21-\x7e]{8,4096}$/.test(token) || /^(page|once)\./.test(token))
    throw new StartProblem(
      'The token must be 8 to 4,096 characters without spaces, and must not start with “page.” or “once.”.',
      'Check PLATFORM_AUTH_TOKEN or the auth-token file in the data folder.',
    );
  const digest = digestOf(token);
  const [known] = await db.select().from(authTokens).where(eq(authTokens.digest, digest));
  if (known?.revokedAt)
    throw new StartProblem(
      'The token was revoked in this database.',
      'Set a different token in PLATFORM_AUTH_TOKEN, or remove the auth-token file from the data folder.',
    );
  if (known) return token;
  const [user] = await db.select({ id: users.id }).from(users).where(eq(users.id, userId));
  if (!user)
    throw new StartProblem(
      `The database has no user ${userId}, to whom the platform’s token belongs.`,
      'Restore the database from a backup, or choose a new folder with --data.',
    );
  // Another platform on this database may have stored it since then.
  await db.insert(authTokens).values({ userId, digest }).onConflictDoNothing();
  return token;
}

async function storedToken(file: string): Promise<string> {
  const stored = (await readFile(file, 'utf8').catch(() => '')).trim();
  if (stored) {
    // Copying or unpacking the folder might have made the file readable for others.
    await chmod(file, 0o600).catch(() => {});
    return stored;
  }
  const token = random();
  try {
    await makeFolder(dirname(file), 0o700);
    await writeFile(file, `${token}\n`, { mode: 0o600 });
  } catch (error) {
    throw new StartProblem(
      `Couldn’t store the token in ${file}: ${(error as Error).message}.`,
      'Set a token in PLATFORM_AUTH_TOKEN, or choose another folder with --data.',
    );
  }
  return token;
}

export async function signingKey(db: Database): Promise<string> {
  await db
    .insert(secrets)
    .values({ name: SIGNING_KEY, value: randomBytes(32).toString('base64url') })
    .onConflictDoNothing();
  const [row] = await db.select().from(secrets).where(eq(secrets.name, SIGNING_KEY));
  return row!.value;
}
