/** Loads the data that an earlier version of the extension wrote into the IndexedDB of a test. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { openDB } from 'idb';

interface RecordedStore {
  keyPath: string | string[] | null;
  autoIncrement: boolean;
  indexes: { name: string; keyPath: string | string[] }[];
  records: { key: IDBValidKey; value: unknown }[];
}

export interface RecordedData {
  token: string;
  passphrase?: string;
  localStorage?: Record<string, string>;
  databases: Record<string, { version: number; stores: Record<string, RecordedStore> }>;
}

export const recordedPath = (file: string): string =>
  fileURLToPath(new URL(`../fixtures/0.1.0/${file}`, import.meta.url));

export const readRecordedData = (file: string): RecordedData =>
  JSON.parse(readFileSync(recordedPath(file), 'utf8')) as RecordedData;

export async function loadDatabases({ databases }: RecordedData): Promise<void> {
  for (const [name, { version, stores }] of Object.entries(databases)) {
    const db = await openDB(name, version, {
      upgrade(created) {
        for (const [storeName, { keyPath, autoIncrement, indexes }] of Object.entries(stores)) {
          const store = created.createObjectStore(storeName, { keyPath, autoIncrement });
          for (const index of indexes) store.createIndex(index.name, index.keyPath);
        }
      },
    });
    for (const [storeName, { keyPath, records }] of Object.entries(stores)) {
      for (const { key, value } of records) {
        const record = await revive(value);
        await db.put(storeName, record, keyPath === null ? key : undefined);
      }
    }
    db.close();
  }
}

const bytesOf = (base64: string): Uint8Array<ArrayBuffer> => Uint8Array.from(Buffer.from(base64, 'base64'));

/** Replaces the tags of values that JSON doesn’t have. */
async function revive(value: unknown): Promise<unknown> {
  if (Array.isArray(value)) return Promise.all(value.map(revive));
  if (typeof value !== 'object' || value === null) return value;
  const tagged = value as Record<string, unknown>;
  if ('$undefined' in tagged) return undefined;
  if ('$arrayBuffer' in tagged) return bytesOf(tagged['$arrayBuffer'] as string).buffer;
  if ('$uint8Array' in tagged) return bytesOf(tagged['$uint8Array'] as string);
  if ('$cryptoKey' in tagged) {
    const { $cryptoKey, algorithm, usages } = tagged as unknown as RecordedKey;
    return crypto.subtle.importKey('jwk', $cryptoKey, algorithm, false, usages);
  }
  const entries = Object.entries(tagged).map(async ([name, one]) => [name, await revive(one)] as const);
  return Object.fromEntries(await Promise.all(entries));
}

interface RecordedKey {
  $cryptoKey: JsonWebKey;
  algorithm: AesKeyAlgorithm;
  usages: KeyUsage[];
}
