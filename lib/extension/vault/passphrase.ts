/** Owns how a passphrase becomes a key, and how the vault's data key is wrapped by it. */
import * as v from 'valibot';
import type { Bytes } from './bytes.ts';

/** Rounds of PBKDF2-SHA-256, as OWASP's password storage cheat sheet asks for. */
export const ITERATIONS = 600_000;
const SALT_BYTES = 16;
const KEY_BYTES = 32;
const IV_BYTES = 12;
const CONTEXT = new TextEncoder().encode('platform-devtools-vault data key 1');

/** How the key was derived. Bounded, since it is read from a disk or a file: the most takes seconds, and not hours. */
export const DERIVATION = {
  kdf: v.literal('PBKDF2'),
  hash: v.literal('SHA-256'),
  iterations: v.pipe(
    v.number(),
    v.integer(),
    v.minValue(1000, 'Fewer than 1,000 iterations protect nothing.'),
    v.maxValue(10_000_000, 'At most 10,000,000 iterations.'),
  ),
} as const;
export interface Derivation {
  kdf: 'PBKDF2';
  hash: 'SHA-256';
  iterations: number;
  salt: Bytes;
}

export const newDerivation = (iterations: number): Derivation => ({
  kdf: 'PBKDF2',
  hash: 'SHA-256',
  iterations,
  salt: random(SALT_BYTES),
});

/** An AES-GCM key that cannot be taken out. The same signs typed on another keyboard are the same passphrase (NFKC). */
export async function deriveKey(passphrase: string, { kdf, hash, iterations, salt }: Derivation): Promise<CryptoKey> {
  const typed = await crypto.subtle.importKey(
    'raw',
    new TextEncoder().encode(passphrase.normalize('NFKC')),
    kdf,
    false,
    ['deriveKey'],
  );
  return crypto.subtle.deriveKey(
    { name: kdf, hash, iterations, salt },
    typed,
    { name: 'AES-GCM', length: 256 },
    false,
    ['encrypt', 'decrypt'],
  );
}

/** A data key as it is stored. */
export interface WrappedKey extends Derivation {
  iv: Bytes;
  wrapped: ArrayBuffer;
}

export async function wrapKey(raw: Bytes, passphrase: string, iterations: number): Promise<WrappedKey> {
  const derivation = newDerivation(iterations);
  const iv = newIv();
  return {
    ...derivation,
    iv,
    wrapped: await crypto.subtle.encrypt(parameters(iv), await deriveKey(passphrase, derivation), raw),
  };
}

/** The data key's bytes; null when the passphrase is wrong, or the stored key was changed: the two cannot be told apart. */
export async function unwrapKey(wrapped: WrappedKey, passphrase: string): Promise<Bytes | null> {
  const key = await deriveKey(passphrase, wrapped);
  return crypto.subtle.decrypt(parameters(wrapped.iv), key, wrapped.wrapped).then(
    (raw) => new Uint8Array(raw),
    () => null,
  );
}

/** A data key's bytes as a key that cannot be taken out again. */
export const importDataKey = (raw: Bytes): Promise<CryptoKey> =>
  crypto.subtle.importKey('raw', raw, 'AES-GCM', false, ['encrypt', 'decrypt']);

export const newDataKey = (): Bytes => random(KEY_BYTES);
export const newIv = (): Bytes => random(IV_BYTES);

const random = (length: number): Bytes => crypto.getRandomValues(new Uint8Array(length));
const parameters = (iv: Bytes): AesGcmParams => ({ name: 'AES-GCM', iv, additionalData: CONTEXT });
