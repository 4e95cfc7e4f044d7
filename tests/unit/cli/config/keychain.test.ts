/** Tests what is stored where on a system with a keychain. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { storeToken } from '../../../../lib/cli/config/tokens.ts';

const keychain = vi.hoisted(() => new Map<string, string>());
vi.mock('@napi-rs/keyring', () => ({
  AsyncEntry: class {
    readonly #account: string;
    constructor(_service: string, account: string) {
      this.#account = account;
    }
    async getPassword() {
      return keychain.get(this.#account) ?? null;
    }
    async setPassword(secret: string) {
      keychain.set(this.#account, secret);
    }
    async deletePassword() {
      keychain.delete(this.#account);
    }
  },
}));

test('a token is stored in the keychain also beside a damaged file of tokens', async () => {
  const home = await mkdtemp(join(tmpdir(), 'platform-devtools-'));
  onTestFinished(() => rm(home, { recursive: true }));
  await writeFile(join(home, 'tokens.json'), '{', { mode: 0o600 });
  const url = 'https://a.example.com';
  expect(await storeToken(url, 'secret', { PLATFORM_DEVTOOLS_HOME: home })).toBe('keychain');
  expect(keychain.get(url)).toBe('secret');
});
