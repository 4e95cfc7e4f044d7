/** Encrypts tokens with AES-GCM, bound to their environment and base URL. */
import * as v from 'valibot';
import { newIv } from './passphrase.ts';
import { TokenRecord } from './records.ts';

export async function encryptToken(
  key: CryptoKey,
  token: string,
  environmentId: string,
  baseUrl: string,
): Promise<TokenRecord> {
  const iv = newIv();
  const sealed = await crypto.subtle.encrypt(
    parameters(iv, environmentId, baseUrl),
    key,
    new TextEncoder().encode(token),
  );
  return { environmentId, baseUrl, iv, sealed };
}

/** Rejects if the record was altered, moved to another environment or base URL, or encrypted with another key. */
export async function decryptToken(
  key: CryptoKey,
  { environmentId, baseUrl, iv, sealed }: TokenRecord,
): Promise<string> {
  return new TextDecoder().decode(await crypto.subtle.decrypt(parameters(iv, environmentId, baseUrl), key, sealed));
}

/** Encrypts a token with another key. Returns null if the token can’t be decrypted; its record then stays unchanged. */
export async function reencryptToken(
  from: CryptoKey | null,
  to: CryptoKey,
  stored: unknown,
): Promise<TokenRecord | null> {
  const record = v.safeParse(TokenRecord, stored);
  if (!record.success || !from) return null;
  const token = await decryptToken(from, record.output).catch(() => null);
  return token === null ? null : encryptToken(to, token, record.output.environmentId, record.output.baseUrl);
}

/** Shows the last four characters of a token that has at least twelve. */
export function maskToken(token: string): string {
  return `••••${token.length < 12 ? '' : token.slice(-4)}`;
}

function parameters(iv: Uint8Array<ArrayBuffer>, environmentId: string, baseUrl: string): AesGcmParams {
  return { name: 'AES-GCM', iv, additionalData: new TextEncoder().encode(JSON.stringify([environmentId, baseUrl])) };
}
