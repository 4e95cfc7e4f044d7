/** Owns how a token is sealed: AES-GCM under a key that cannot leave the browser, bound to its environment and base URL. */
import type { TokenRecord } from './records.ts';
import type { VaultDatabase } from './database.ts';
import { transact } from './database.ts';

/** The vault's key; made once, also when two callers ask at the same moment. */
export async function tokenKey(db: VaultDatabase): Promise<CryptoKey> {
  const stored = await db.get('keys', 'tokens');
  if (stored) return stored;
  const made = await crypto.subtle.generateKey({ name: 'AES-GCM', length: 256 }, false, ['encrypt', 'decrypt']);
  return transact(db, ['keys'], 'readwrite', async (transaction) => {
    const keys = transaction.objectStore('keys');
    const first = await keys.get('tokens');
    if (!first) await keys.put(made, 'tokens');
    return first ?? made;
  });
}

export async function sealToken(key: CryptoKey, token: string, environmentId: string, baseUrl: string): Promise<TokenRecord> {
  const iv = crypto.getRandomValues(new Uint8Array(12));
  const sealed = await crypto.subtle.encrypt(parameters(iv, environmentId, baseUrl), key, new TextEncoder().encode(token));
  return { environmentId, baseUrl, iv, sealed };
}

/** Rejects when the record was changed, moved to another environment or base URL, or sealed with another key. */
export async function openToken(key: CryptoKey, { environmentId, baseUrl, iv, sealed }: TokenRecord): Promise<string> {
  return new TextDecoder().decode(await crypto.subtle.decrypt(parameters(iv, environmentId, baseUrl), key, sealed));
}

/** The last four characters, and none of a token that is shorter than twelve. */
export function maskToken(token: string): string {
  return `••••${token.length < 12 ? '' : token.slice(-4)}`;
}

function parameters(iv: Uint8Array<ArrayBuffer>, environmentId: string, baseUrl: string): AesGcmParams {
  return { name: 'AES-GCM', iv, additionalData: new TextEncoder().encode(JSON.stringify([environmentId, baseUrl])) };
}
