/**
 * Makes secrets that show who made them: each ends with a signature, whose key is in the user’s configuration folder. A
 * secret that came with a cloned repository or an archive has none.
 */
import { createHmac, randomBytes, randomUUID, timingSafeEqual } from 'node:crypto';
import { link, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolder } from './make-folder.ts';

/** A secret is valid for its purpose only. */
export type Purpose = 'token' | 'page-token-key';

const KEY_FILE = 'local-platform.key';
/** Of a key, a secret’s random part, and its signature, in bytes. */
const SIZE = 24;

const LENGTH = (SIZE * 4) / 3;

const random = (): string => randomBytes(SIZE).toString('base64url');

const signed = (key: string, purpose: Purpose, text: string): string =>
  text + createHmac('sha256', key).update(`${purpose} ${text}`).digest().subarray(0, SIZE).toString('base64url');

/** @param home the user’s configuration folder. If the key can’t be stored there, no one will recognize the secret. */
export async function makeSecret(home: string, purpose: Purpose): Promise<string> {
  const key = (await readKey(home)) ?? (await makeKey(home).catch(random));
  return signed(key, purpose, random());
}

/** Whether `makeSecret` made it, with the same folder and purpose. */
export async function isOwnSecret(home: string, purpose: Purpose, secret: string): Promise<boolean> {
  const key = await readKey(home);
  if (key === null) return false;
  const [given, own] = [secret, signed(key, purpose, secret.slice(0, LENGTH))].map((each) => Buffer.from(each));
  return given!.length === own!.length && timingSafeEqual(given!, own!);
}

const readKey = (home: string): Promise<string | null> =>
  readFile(join(home, KEY_FILE), 'utf8').then(
    (text) => text.trim() || null,
    () => null,
  );

/** Of several processes, the first one’s key stays. */
async function makeKey(home: string): Promise<string> {
  const draft = join(home, `${KEY_FILE}.${randomUUID()}.draft`);
  await makeFolder(home, 0o700);
  try {
    await writeFile(draft, `${random()}\n`, { flag: 'wx', mode: 0o600 });
    await link(draft, join(home, KEY_FILE)).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    });
  } finally {
    await rm(draft, { force: true });
  }
  return (await readKey(home)) ?? random();
}
