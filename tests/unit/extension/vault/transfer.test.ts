/**
 * Tests that environments are transferred to another browser completely or not at all, and tokens only under a
 * passphrase.
 */
import 'fake-indexeddb/auto';
import { IDBFactory, IDBObjectStore } from 'fake-indexeddb';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { Vault } from '../../../../lib/extension/vault/index.ts';
import {
  OTHER,
  PASSPHRASE,
  TOKEN,
  change,
  code,
  createSession,
  disk,
  draft,
  failure,
  startWorker,
  without,
} from './world.ts';

const FORMAT = 'platform-devtools-environments';
let vault: Vault;

/** Another browser, with nothing stored. */
function anotherBrowser(): void {
  globalThis.indexedDB = new IDBFactory();
  vault = startWorker(createSession());
}
beforeEach(anotherBrowser);
afterEach(() => vi.restoreAllMocks());

const us = {
  ...draft,
  name: 'US',
  preset: 'us' as const,
  baseUrl: 'https://us.example.com',
  token: 'us-token-0123456789-wxyz',
};
const bare = { ...without, name: 'No token', baseUrl: 'https://bare.example.com' };

async function sealedFile(): Promise<string> {
  for (const one of [draft, us, bare]) await vault.save(one);
  return vault.exportText(OTHER);
}
type File = {
  version: number;
  seal: Record<string, unknown>;
  environments: (Record<string, unknown> & { token: Record<string, unknown> })[];
};
/** The file with changed content. */
function edited(text: string, edit: (file: File) => unknown): string {
  const file = JSON.parse(text) as File;
  edit(file);
  return JSON.stringify(file);
}
const plainFile = (environments: unknown) => JSON.stringify({ format: FORMAT, version: 1, environments });

describe('a file without tokens', () => {
  it('contains names, base URLs, and namespaces in format version 1, which older extensions can read', async () => {
    await vault.save(draft);
    await vault.save(bare);
    expect(JSON.parse(await vault.exportText())).toEqual({ format: FORMAT, version: 1, environments: [without, bare] });
  });

  it('contains page URLs if there are any', async () => {
    const pageUrls = ['https://apps.example.com', 'http://localhost:3000/app'];
    await vault.save({ ...without, pageUrls: pageUrls.map((url) => `${url}/`) });
    await vault.save({ ...bare, pageUrls: [] });
    const text = await vault.exportText();
    expect(JSON.parse(text)).toMatchObject({ environments: [{ pageUrls }, bare] });
    anotherBrowser();
    await vault.importText(text);
    expect((await vault.list()).map((one) => one.pageUrls)).toEqual([pageUrls, undefined]);
  });

  it('can be imported and exported while the tokens are locked', async () => {
    await vault.save(draft);
    await vault.protect(PASSPHRASE, 15);
    await vault.lock();
    const text = await vault.exportText();
    expect(await vault.importText(plainFile([bare]))).toEqual({ added: 1, present: 0, tokens: 0 });
    expect(JSON.parse(text)).toMatchObject({ environments: [without] });
  });

  it('needs no passphrase, and ignores one', async () => {
    expect(await vault.importText(plainFile([without]), OTHER)).toEqual({ added: 1, present: 0, tokens: 0 });
  });

  it('imports no token, whatever it contains', async () => {
    expect(await vault.importText(plainFile([{ ...without, token: TOKEN, id: 'mine' }]))).toEqual({
      added: 1,
      present: 0,
      tokens: 0,
    });
    const [added] = await vault.list();
    expect(added).toMatchObject({ ...without, maskedToken: null });
    expect(added?.id).not.toBe('mine');
  });

  it('gets defaults for missing optional fields', async () => {
    await vault.importText(plainFile([{ name: ' Here ', preset: 'local', baseUrl: 'http://localhost:3000/' }]));
    expect(await vault.list()).toMatchObject([
      { name: 'Here', baseUrl: 'http://localhost:3000', namespace: 'Platform', production: false },
    ]);
  });
});

describe('a file with tokens', () => {
  it('transfers every token to another browser with only the file’s passphrase', async () => {
    const text = await sealedFile();
    anotherBrowser();
    expect(await vault.importText(text, OTHER)).toEqual({ added: 3, present: 0, tokens: 2 });
    const all = await vault.list();
    expect(all.map(({ name, maskedToken }) => [name, maskedToken])).toEqual([
      ['EU', '••••abcd'],
      ['US', '••••wxyz'],
      ['No token', null],
    ]);
    expect(await vault.connection(all[0]!.id)).toMatchObject({ baseUrl: draft.baseUrl, token: TOKEN });
  });

  it('transfers the token of an environment with page URLs', async () => {
    await vault.save({ ...draft, pageUrls: ['https://apps.example.com'] });
    const text = await vault.exportText(OTHER);
    anotherBrowser();
    await vault.importText(text, OTHER);
    const [added] = await vault.list();
    expect(added).toMatchObject({ pageUrls: ['https://apps.example.com'] });
    expect((await vault.connection(added!.id)).token).toBe(TOKEN);
  });

  it('contains no readable token', async () => {
    const text = await sealedFile();
    for (const secret of [TOKEN, us.token, btoa(TOKEN), OTHER]) expect(text).not.toContain(secret);
    expect(JSON.parse(text)).toMatchObject({ version: 2, seal: { kdf: 'PBKDF2', hash: 'SHA-256', iterations: 1000 } });
  });

  it('is encrypted with 600,000 iterations, and differently each time', async () => {
    vault = new Vault();
    await vault.save(draft);
    const [one, two] = [await vault.exportText(OTHER), await vault.exportText(OTHER)].map(
      (text) => JSON.parse(text) as File,
    );
    expect(one?.seal['iterations']).toBe(600_000);
    expect(one?.seal['salt']).not.toBe(two?.seal['salt']);
    expect(one?.environments[0]?.token['iv']).not.toBe(two?.environments[0]?.token['iv']);
  });

  it('needs its passphrase, and reports a wrong one', async () => {
    const text = await sealedFile();
    anotherBrowser();
    expect(await code(vault.importText(text))).toBe('IMPORT_PASSPHRASE_NEEDED');
    expect(await failure(vault.importText(text, PASSPHRASE))).toMatchObject({
      code: 'IMPORT_PASSPHRASE_WRONG',
      message: expect.stringMatching(/passphrase.*or the file was changed/),
    });
    expect(await vault.list()).toEqual([]);
  });

  it('needs no passphrase when no environment in it has a token', async () => {
    await vault.save(bare);
    const text = await vault.exportText(OTHER);
    anotherBrowser();
    expect(await vault.importText(text)).toEqual({ added: 1, present: 0, tokens: 0 });
  });

  it('is exported and imported under a lock only while it is unlocked, with its own passphrase', async () => {
    const text = await sealedFile();
    await vault.protect(PASSPHRASE, 15);
    const again = await vault.exportText(OTHER);
    await vault.lock();
    expect(await code(vault.exportText(OTHER))).toBe('VAULT_LOCKED');
    for (const file of [text, again]) expect(await code(vault.importText(file, OTHER))).toBe('VAULT_LOCKED');
    // Reported before the file’s own passphrase is requested.
    expect(await code(vault.importText(text))).toBe('VAULT_LOCKED');
    anotherBrowser();
    await vault.protect(PASSPHRASE, 15);
    expect(await vault.importText(again, OTHER)).toMatchObject({ added: 3, tokens: 2 });
    await vault.lock();
    expect(await disk()).not.toContain(TOKEN);
    await vault.unlock(PASSPHRASE);
    expect((await vault.list())[1]).toMatchObject({ maskedToken: '••••wxyz' });
  });

  it('isn’t exported when a token can’t be read', async () => {
    await sealedFile();
    const { id } = (await vault.list())[1]!;
    await change(async (db) =>
      db.put('tokens', { ...((await db.get('tokens', id)) as object), sealed: new ArrayBuffer(40) }),
    );
    expect(await failure(vault.exportText(PASSPHRASE))).toMatchObject({
      code: 'TOKEN_UNREADABLE',
      message: expect.stringContaining('US'),
    });
    expect(JSON.parse(await vault.exportText())).toMatchObject({ environments: { length: 3 } });
  });

  it.each<[string, (file: File) => unknown]>([
    ['the address of another', (file) => (file.environments[0]!['baseUrl'] = 'https://evil.example')],
    ['another name', (file) => (file.environments[0]!['name'] = 'Test')],
    ['another mark of production', (file) => (file.environments[0]!['production'] = false)],
    ['another namespace', (file) => (file.environments[0]!['namespace'] = 'Other')],
    ['another preset', (file) => (file.environments[0]!['preset'] = 'custom')],
    [
      'the token of another',
      (file) =>
        ([file.environments[0]!.token, file.environments[1]!.token] = [
          file.environments[1]!.token,
          file.environments[0]!.token,
        ]),
    ],
    ['another initialization vector', (file) => (file.environments[0]!.token['iv'] = btoa('123456789012'))],
    ['another salt', (file) => (file.seal['salt'] = btoa('1234567890123456'))],
    ['other iterations', (file) => (file.seal['iterations'] = 1001)],
    ['one damaged token among good ones', (file) => (file.environments[1]!.token['sealed'] = btoa('x'.repeat(40)))],
  ])('with %s is rejected completely', async (_what, edit) => {
    const text = await sealedFile();
    anotherBrowser();
    expect(await code(vault.importText(edited(text, edit), OTHER))).toBe('IMPORT_PASSPHRASE_WRONG');
    expect(await vault.list()).toEqual([]);
  });

  it.each<[string, (file: File) => unknown]>([
    ['iterations that take hours', (file) => (file.seal['iterations'] = 10_000_001)],
    ['iterations that protect nothing', (file) => (file.seal['iterations'] = 999)],
    ['part of an iteration', (file) => (file.seal['iterations'] = 1000.5)],
    ['another derivation', (file) => (file.seal['kdf'] = 'none')],
    ['another hash', (file) => (file.seal['hash'] = 'MD5')],
    ['a short salt', (file) => (file.seal['salt'] = btoa('123456789012345'))],
    ['a salt that is too long', (file) => (file.seal['salt'] = btoa('x'.repeat(65)))],
    ['a salt that isn’t base64', (file) => (file.seal['salt'] = '*'.repeat(24))],
    ['a salt after a space', (file) => (file.seal['salt'] = ` ${btoa('1234567890123456')}`)],
    ['a salt of a megabyte', (file) => (file.seal['salt'] = 'A'.repeat(1_000_000))],
    ['a missing seal', (file) => delete (file as Partial<File>).seal],
    ['a short initialization vector', (file) => (file.environments[0]!.token['iv'] = btoa('12345678901'))],
    ['a long initialization vector', (file) => (file.environments[0]!.token['iv'] = btoa('1234567890123'))],
    ['an empty token', (file) => (file.environments[0]!.token['sealed'] = btoa('x'.repeat(16)))],
    ['a token that is too long', (file) => (file.environments[0]!.token['sealed'] = btoa('x'.repeat(4113)))],
    ['an unencrypted token', (file) => ((file.environments[0] as Record<string, unknown>)['token'] = TOKEN)],
    ['an invalid base URL', (file) => (file.environments[2]!['baseUrl'] = 'javascript:alert(1)')],
  ])('with %s is rejected with the reason', async (_what, edit) => {
    const text = await sealedFile();
    anotherBrowser();
    const derive = vi.spyOn(crypto.subtle, 'deriveKey');
    expect(await failure(vault.importText(edited(text, edit), OTHER))).toMatchObject({
      code: 'IMPORT_INVALID',
      details: [{ path: expect.stringMatching(/^\/(seal|environments)/) }],
    });
    expect(derive).not.toHaveBeenCalled();
    expect(await vault.list()).toEqual([]);
  });

  it('accepts the longest and the shortest allowed values', async () => {
    await vault.save({ ...draft, name: 'x'.repeat(80), token: 'y'.repeat(4096) });
    await vault.save({ ...draft, name: 'Short', token: 'z' });
    const text = await vault.exportText(OTHER);
    anotherBrowser();
    expect(await vault.importText(text, OTHER)).toMatchObject({ tokens: 2 });
    expect((await vault.connection((await vault.list())[0]!.id)).token).toBe('y'.repeat(4096));
  });

  it('imports no token that couldn’t have been entered', async () => {
    const encrypt = crypto.subtle.encrypt.bind(crypto.subtle);
    await vault.save(draft);
    vi.spyOn(crypto.subtle, 'encrypt').mockImplementation((algorithm, key) =>
      encrypt(algorithm, key, new TextEncoder().encode('two\r\nlines')),
    );
    const text = await vault.exportText(OTHER);
    vi.restoreAllMocks();
    anotherBrowser();
    expect(await failure(vault.importText(text, OTHER))).toMatchObject({
      code: 'IMPORT_INVALID',
      details: [{ path: '/token' }],
    });
  });
});

describe('importing', () => {
  it('appends environments in the order of the file', async () => {
    await vault.save({ ...without, name: 'First' });
    await vault.importText(
      plainFile([
        { ...without, name: 'b' },
        { ...without, name: 'a' },
      ]),
    );
    expect((await vault.list()).map(({ name }) => name)).toEqual(['First', 'b', 'a']);
  });

  it('leaves existing environments unchanged, with or without a token', async () => {
    const text = await sealedFile();
    anotherBrowser();
    const { id } = await vault.save({ ...draft, production: false, token: 'my-own-token-123456' });
    const { id: second } = await vault.save({ ...us, token: undefined });
    expect(await vault.importText(text, OTHER)).toEqual({ added: 1, present: 2, tokens: 0 });
    expect((await vault.connection(id)).token).toBe('my-own-token-123456');
    expect(await code(vault.connection(second))).toBe('TOKEN_MISSING');
    expect((await vault.list())[0]).toMatchObject({ production: false });
  });

  it('ignores duplicates, but keeps an equal name with another base URL', async () => {
    expect(
      await vault.importText(
        plainFile([
          without,
          without,
          { ...without, baseUrl: 'https://other.example.com' },
          { ...without, name: 'Other' },
        ]),
      ),
    ).toEqual({ added: 3, present: 1, tokens: 0 });
  });

  it('is all or nothing: a failure in the middle leaves nothing behind', async () => {
    const text = await sealedFile();
    anotherBrowser();
    await vault.list();
    const put = IDBObjectStore.prototype.put;
    let puts = 0;
    vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(function (
      this: IDBObjectStore,
      ...args: Parameters<typeof put>
    ) {
      if (this.name === 'environments' && ++puts === 3) throw new DOMException('full', 'QuotaExceededError');
      return put.apply(this, args);
    });
    expect(await code(vault.importText(text, OTHER))).toBe('VAULT_FULL');
    vi.restoreAllMocks();
    expect(await vault.list()).toEqual([]);
    expect(await change((db) => db.getAll('tokens'))).toEqual([]);
    expect(await vault.importText(text, OTHER)).toMatchObject({ added: 3, tokens: 2 });
  });

  it.each<[string, string]>([
    ['IMPORT_NOT_JSON', '{"format": "platform'],
    ['IMPORT_OTHER_FILE', 'null'],
    ['IMPORT_OTHER_FILE', '[]'],
    ['IMPORT_OTHER_FILE', '{"environments": []}'],
    ['IMPORT_OTHER_FILE', '{"format": "other", "version": 1}'],
    ['IMPORT_OTHER_FILE', `{"format": "${FORMAT}", "version": "1"}`],
    ['IMPORT_TOO_LARGE', ' '.repeat(1024 * 1024 + 1)],
    ['IMPORT_NOT_JSON', ' '.repeat(1024 * 1024)],
    ['IMPORT_NEWER', `{"format": "${FORMAT}", "version": 3, "environments": []}`],
    ['IMPORT_NEWER', `{"format": "${FORMAT}", "version": 1.5, "environments": []}`],
    ['IMPORT_INVALID', `{"format": "${FORMAT}", "version": 1}`],
    ['IMPORT_INVALID', plainFile([{ name: 'X', preset: 'eu', baseUrl: 'javascript:alert(1)' }])],
    ['IMPORT_INVALID', plainFile(Array.from({ length: 101 }, (_, i) => ({ ...without, name: `${i}` })))],
    ['IMPORT_INVALID', JSON.stringify({ format: FORMAT, version: 2, environments: [without] })],
  ])('rejects with %s: %.60s', async (expected, text) => {
    expect(await code(vault.importText(text, OTHER))).toBe(expected);
    expect(await vault.list()).toEqual([]);
  });

  it('accepts a hundred environments, and exports no more than that', async () => {
    const hundred = Array.from({ length: 100 }, (_, i) => ({ ...without, name: `${i}` }));
    expect(await vault.importText(plainFile(hundred))).toMatchObject({ added: 100 });
    expect(JSON.parse(await vault.exportText())).toMatchObject({ environments: { length: 100 } });
    await vault.save(without);
    expect(await code(vault.exportText())).toBe('EXPORT_TOO_LARGE');
    expect(await code(vault.exportText(OTHER))).toBe('EXPORT_TOO_LARGE');
  });

  it('names the environment and the field that it refuses', async () => {
    const invalid = [without, { ...without, name: 'E\u200bU', namespace: 'P'.repeat(500_000) }];
    expect(await failure(vault.importText(plainFile(invalid)))).toMatchObject({
      message: String.raw`Couldn’t import the file: the name of environment 2 (“E\u200bU”) is invalid. Nothing was imported.`,
      details: [
        { path: '/environments/1/name', message: expect.stringContaining('visible characters') },
        { path: '/environments/1/namespace', message: 'A namespace is limited to 80 characters.' },
      ],
    });
    expect(await failure(vault.importText(plainFile([{ ...without, name: 7 }])))).toMatchObject({
      message: 'Couldn’t import the file: the name of environment 1 is invalid. Nothing was imported.',
    });
  });

  it('shows what a file has before anything is imported, also if its tokens are encrypted', async () => {
    const text = await sealedFile();
    anotherBrowser();
    await vault.save({ ...without, name: us.name, baseUrl: us.baseUrl });
    const { hasTokens, environments } = await vault.readFile(text);
    expect(hasTokens).toBe(true);
    expect(environments).toEqual([
      { name: draft.name, baseUrl: draft.baseUrl, production: true, pageUrls: [], hasToken: true, isPresent: false },
      { name: us.name, baseUrl: us.baseUrl, production: true, pageUrls: [], hasToken: true, isPresent: true },
      { name: bare.name, baseUrl: bare.baseUrl, production: true, pageUrls: [], hasToken: false, isPresent: false },
    ]);
    expect(await vault.list()).toHaveLength(1);
  });

  it('lists environments that earlier versions took, and exports them once they are corrected', async () => {
    const { id } = await vault.save(draft);
    const path = 'a'.repeat(5000);
    await change(async (db) => {
      const stored = await db.get('environments', id);
      await db.put('environments', {
        ...stored,
        name: 'E\u202eU',
        namespace: 'P'.repeat(100),
        pageUrls: [`https://a.example/${path}`],
      });
    });
    expect(await vault.list()).toMatchObject([{ name: 'E\u202eU', maskedToken: expect.stringContaining('••••') }]);
    for (const passphrase of [undefined, OTHER])
      expect(await failure(vault.exportText(passphrase))).toMatchObject({
        code: 'EXPORT_INVALID',
        message: String.raw`Couldn’t export the environments: the name of environment 1 (“E\u202eU”) is invalid.`,
      });
    await vault.save({ ...without, id });
    expect(await vault.exportText()).toContain(draft.name);
  });

  it('exports no file that is too large to import', async () => {
    const pageUrls = Array.from({ length: 10 }, (_, i) => `https://${i}.example.com/${'x'.repeat(2000)}`);
    for (let i = 0; i < 60; i++) await vault.save({ ...without, name: `${i}`, pageUrls });
    expect(await code(vault.exportText())).toBe('EXPORT_TOO_LARGE');
  });

  it('accepts its own exports, even a hundred of the longest tokens', async () => {
    for (let i = 0; i < 100; i++) await vault.save({ ...draft, name: `${i}`, token: 'y'.repeat(4096) });
    const text = await vault.exportText(OTHER);
    anotherBrowser();
    expect(await vault.importText(text, OTHER)).toEqual({ added: 100, present: 0, tokens: 100 });
  });
});
