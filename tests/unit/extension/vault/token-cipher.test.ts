/** Tests that a token is encrypted only for its environment and base URL, and reencrypted only when it can be read. */
import { expect, it } from 'vitest';
import { maskToken, decryptToken, reencryptToken, encryptToken } from '../../../../lib/extension/vault/token-cipher.ts';

const newKey = () =>
  crypto.subtle.generateKey({ name: 'AES-GCM', length: 256 }, false, ['encrypt', 'decrypt']) as Promise<CryptoKey>;
const BASE = 'https://api.example.com';

it('a token is decrypted only for its own environment and base URL', async () => {
  const [key, other] = [await newKey(), await newKey()];
  const sealed = await encryptToken(key, 'token-1234', 'e', BASE);
  expect(await decryptToken(key, sealed)).toBe('token-1234');
  for (const changed of [
    { environmentId: 'f' },
    { baseUrl: 'https://evil.example' },
    { iv: crypto.getRandomValues(new Uint8Array(12)) },
  ])
    await expect(decryptToken(key, { ...sealed, ...changed })).rejects.toThrow();
  await expect(decryptToken(other, sealed)).rejects.toThrow();
});

it('a token is reencrypted unchanged, and left as it is when it can’t be decrypted', async () => {
  const [from, to] = [await newKey(), await newKey()];
  const sealed = await encryptToken(from, 'token-1234', 'e', BASE);
  const again = await reencryptToken(from, to, sealed);
  expect(again).toMatchObject({ environmentId: 'e', baseUrl: BASE });
  expect(await decryptToken(to, again!)).toBe('token-1234');
  for (const [key, record] of [
    [null, sealed],
    [from, null],
    [from, { ...sealed, iv: 7 }],
    [null, null],
    [to, sealed],
    [from, { ...sealed, environmentId: 'f' }],
  ] as const)
    expect(await reencryptToken(key, to, record)).toBeNull();
});

it('a token is masked except for its last four characters, and entirely when it is short', () => {
  expect([maskToken('12345678901'), maskToken('123456789012'), maskToken('')]).toEqual(['••••', '••••9012', '••••']);
});
