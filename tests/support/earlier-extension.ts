/**
 * An extension that stands for an earlier version: it has its ID and stores what the recorded data holds, and nothing else.
 * A real update then replaces it.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { RecordedData } from './recorded-data.ts';

/** It opens its options page, which stores the data and then has the title “Stored”. */
export async function writeEarlierExtension(
  folder: string,
  { version, data, manifest: extra }: { version: string; data: RecordedData; manifest: object },
): Promise<void> {
  await mkdir(folder, { recursive: true });
  const manifest = {
    manifest_version: 3,
    name: 'Platform DevTools',
    version,
    options_ui: { page: 'options.html', open_in_tab: true },
    ...extra,
  };
  const files = {
    'manifest.json': JSON.stringify(manifest),
    'background.js':
      'const { runtime } = globalThis.browser ?? chrome; runtime.onInstalled.addListener(() => runtime.openOptionsPage());',
    'options.html': '<!doctype html><title>Storing…</title><script src="options.js"></script>',
    'options.js': `(${storeRecorded.toString()})(${JSON.stringify(data)}).then(() => { document.title = 'Stored'; });`,
  };
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
}

/** Runs in a page of the extension, without anything of this module. */
async function storeRecorded({ databases, localStorage: values = {} }: RecordedData): Promise<void> {
  type Tagged = Record<string, unknown> & { algorithm: AesKeyAlgorithm; usages: KeyUsage[]; $cryptoKey: JsonWebKey };
  const bytes = (base64: unknown) => Uint8Array.from(atob(base64 as string), (character) => character.charCodeAt(0));
  const revive = async (value: unknown): Promise<unknown> => {
    if (Array.isArray(value)) return Promise.all(value.map(revive));
    if (typeof value !== 'object' || value === null) return value;
    const tagged = value as Tagged;
    if ('$undefined' in tagged) return undefined;
    if ('$arrayBuffer' in tagged) return bytes(tagged['$arrayBuffer']).buffer;
    if ('$uint8Array' in tagged) return bytes(tagged['$uint8Array']);
    if ('$cryptoKey' in tagged)
      return crypto.subtle.importKey('jwk', tagged.$cryptoKey, tagged.algorithm, false, tagged.usages);
    const entries = Object.entries(tagged).map(async ([name, one]) => [name, await revive(one)] as const);
    return Object.fromEntries(await Promise.all(entries));
  };
  for (const [name, { version, stores }] of Object.entries(databases)) {
    const opening = indexedDB.open(name, version);
    opening.addEventListener('upgradeneeded', () => {
      for (const [storeName, { keyPath, autoIncrement, indexes }] of Object.entries(stores)) {
        const store = opening.result.createObjectStore(storeName, { keyPath, autoIncrement });
        for (const index of indexes) store.createIndex(index.name, index.keyPath);
      }
    });
    await new Promise((resolve, reject) => {
      opening.addEventListener('success', resolve);
      opening.addEventListener('error', () => reject(opening.error));
    });
    const database = opening.result;
    for (const [storeName, { keyPath, records }] of Object.entries(stores))
      for (const { key, value } of records) {
        const record = await revive(value);
        const transaction = database.transaction(storeName, 'readwrite', { durability: 'strict' });
        transaction.objectStore(storeName).put(record, keyPath === null ? key : undefined);
        await new Promise((resolve, reject) => {
          transaction.addEventListener('complete', resolve);
          transaction.addEventListener('abort', () => reject(transaction.error));
        });
      }
    database.close();
  }
  for (const [key, value] of Object.entries(values)) localStorage.setItem(key, value);
}
