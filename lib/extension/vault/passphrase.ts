/** Derives a key from a passphrase, and wraps the vault’s data key with it. */
import * as v from 'valibot';
import type { Bytes } from './bytes.ts';

/** The number of PBKDF2-SHA-256 iterations that OWASP’s Password Storage Cheat Sheet recommends. */
export const ITERATIONS = 600_000;
const SALT_BYTES = 16;
const KEY_BYTES = 32;
const IV_BYTES = 12;
const CONTEXT = new TextEncoder().encode('platform-devtools-vault data key 1');

/**
 * The parameters that derived a key. They come from disk or a file, so the limits keep derivation to seconds instead of
 * hours.
 */
export const DERIVATION = {
  kdf: v.literal('PBKDF2'),
  hash: v.literal('SHA-256'),
  iterations: v.pipe(
    v.number(),
    v.integer(),
    v.minValue(1000, 'iterations must be at least 1,000.'),
    v.maxValue(10_000_000, 'iterations must be at most 10,000,000.'),
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

/**
 * Returns a non-extractable AES-GCM key. NFKC makes the passphrase independent of how the keyboard composes characters.
 */
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

/** A wrapped data key, as stored. */
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

/** The bytes of the data key, or null if the passphrase is wrong or the stored key was altered. */
export async function unwrapKey(wrapped: WrappedKey, passphrase: string): Promise<Bytes | null> {
  const key = await deriveKey(passphrase, wrapped);
  return crypto.subtle.decrypt(parameters(wrapped.iv), key, wrapped.wrapped).then(
    (raw) => new Uint8Array(raw),
    () => null,
  );
}

/** Imports a data key as non-extractable. */
export const importDataKey = (raw: Bytes): Promise<CryptoKey> =>
  crypto.subtle.importKey('raw', raw, 'AES-GCM', false, ['encrypt', 'decrypt']);

export const newDataKey = (): Bytes => random(KEY_BYTES);
export const newIv = (): Bytes => random(IV_BYTES);

const random = (length: number): Bytes => crypto.getRandomValues(new Uint8Array(length));
const parameters = (iv: Bytes): AesGcmParams => ({ name: 'AES-GCM', iv, additionalData: CONTEXT });
