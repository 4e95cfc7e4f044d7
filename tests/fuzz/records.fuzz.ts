/** Fuzzes stored records: each method returns or refuses with a code, and no damaged record is lost. */
import 'fake-indexeddb/auto';
import { IDBFactory } from 'fake-indexeddb';
import * as fc from 'fast-check';
import { type IDBPDatabase, openDB } from 'idb';
import { createPublishStore, PUBLISHES_NAME } from '../../lib/extension/background/publish-store.ts';
import { formatDuration, formatTime } from '../../lib/shared/format.ts';
import { createRunStore } from '../../lib/extension/panel/run/history/run-database.ts';
import type { RunRecord } from '../../lib/extension/panel/run/history/run-store.ts';
import { Vault, VAULT_NAME } from '../../lib/extension/vault/index.ts';
import { check, settles } from './check.ts';
import { json, live, spoiled, word } from './inputs.ts';
import { EVENTS } from './samples.ts';
import { texts, viewRun } from './views.ts';

export const name = 'records';

/** Stores by name, each with its keys and values. */
type Content = Record<string, [key: IDBValidKey, value: unknown][]>;
interface Subject {
  db: IDBPDatabase;
  samples: Content[];
  /** Each is called in any order. */
  methods: Record<string, () => Promise<unknown>>;
}

const PASSPHRASE = 'correct horse battery';
const OTHER = 'another horse battery';
const ROUNDS = 1_000;
const DRAFT = {
  name: 'EU',
  preset: 'eu',
  baseUrl: 'https://api.example.com',
  namespace: 'Platform',
  production: true,
  token: 'eu-token-0123456789-abcd',
} as const;

async function vaultSubject(): Promise<Subject> {
  const vault = new Vault({ iterations: ROUNDS });
  const { id } = await vault.save(DRAFT);
  const db = await openDB(VAULT_NAME);
  const open = await contentOf(db);
  const file = await vault.exportText(PASSPHRASE);
  await vault.protect(PASSPHRASE, 15);
  return {
    db,
    samples: [open, await contentOf(db)],
    methods: {
      list: async () =>
        (await vault.list()).forEach((one) =>
          texts(one.id, one.name, one.namespace, new URL(one.baseUrl).href, one.problem?.message ?? ''),
        ),
      state: () => vault.state(),
      connection: () => vault.connection(id),
      save: () => vault.save(DRAFT),
      change: () => vault.save({ ...DRAFT, id }),
      rename: () => vault.save({ ...DRAFT, id, name: 'Other', token: undefined }),
      remove: () => vault.remove(id),
      unlock: () => vault.unlock(PASSPHRASE),
      wrong: () => vault.unlock(OTHER),
      lock: () => vault.lock(),
      active: () => vault.active(),
      protect: () => vault.protect(PASSPHRASE, 1),
      changePassphrase: () => vault.changePassphrase(PASSPHRASE, OTHER),
      setIdle: () => vault.setIdle(5),
      unprotect: () => vault.unprotect(PASSPHRASE),
      reset: () => vault.reset(),
      export: () => vault.exportText(),
      exportSealed: () => vault.exportText(PASSPHRASE),
      import: () => vault.importText(file, PASSPHRASE),
    },
  };
}

async function publishSubject(): Promise<Subject> {
  const store = createPublishStore();
  const record = {
    id: 'p',
    environmentId: 'e',
    baseUrl: 'https://api.example.com',
    appId: 7,
    appName: 'A',
    release: { type: 'silent' as const, changelog: 'x' },
    expected: { version: 1, updatedAt: '2026-11-20T12:00:00Z' },
    startedAt: 1_790_000_000_000,
    sentAt: 1_790_000_000_001,
    outcome: {
      state: 'published' as const,
      at: 1_790_000_000_002,
      app: { version: 2, updatedAt: '2026-11-20T12:00:01Z' },
      settled: false,
    },
    seen: false,
    told: false,
    discarded: false,
  };
  await store.begin(record, () => undefined);
  await store.begin({ ...record, id: 'q', outcome: null, sentAt: null } as never, () => undefined);
  const db = await openDB(PUBLISHES_NAME);
  return {
    db,
    samples: [await contentOf(db)],
    methods: {
      list: async () => {
        for (const { appName, release, sentAt, startedAt, outcome } of await store.list())
          texts(
            appName,
            release.changelog,
            new Date(sentAt ?? startedAt).toISOString(),
            formatTime(outcome?.at ?? startedAt),
          );
      },
      begin: () => store.begin({ ...record, id: 'new' }, (others) => others.find(({ outcome }) => outcome === null)),
      change: () => store.change('p', (old) => ({ ...old, seen: true })),
      forget: () => store.forget('e'),
    },
  };
}

async function runsSubject(): Promise<Subject> {
  const store = createRunStore({}, 'runs');
  const record: RunRecord = {
    id: 'r',
    subject: 's',
    title: 'a',
    number: 1,
    payload: '{}',
    startedAt: 1_790_000_000_000,
    state: 'failed',
    milliseconds: 10,
    tracing: 'observed',
    error: null,
    size: 0,
    cut: false,
  };
  await store.put(record);
  await store.append('r', EVENTS.slice(0, 5));
  await store.append('r', EVENTS.slice(5));
  await store.savePayload({ subject: 's', name: 'n', text: '{}', savedAt: 1 });
  const db = await openDB('runs');
  return {
    db,
    samples: [await contentOf(db)],
    methods: {
      list: async () => {
        for (const { id, title, startedAt, milliseconds, payload, error } of await store.list('s'))
          texts(id, title, payload, error ?? '', formatTime(startedAt), formatDuration(milliseconds));
      },
      get: () => store.get('r'),
      put: () => store.put({ ...record, id: 'other' }),
      append: () => store.append('r', EVENTS),
      events: async () => viewRun('r', await store.events('r')),
      clearEvents: () => store.clearEvents('r'),
      remove: () => store.remove('r'),
      pin: () => store.pin('r', true),
      enforceLimits: async () => void (await store.enforceLimits('other')),
      nextNumber: async () => {
        const number = await store.nextNumber('s');
        if (!Number.isFinite(number)) throw new Error(`The next number is ${number}.`);
      },
      payloads: async () => {
        for (const { name, text } of await store.payloads('s')) texts(name, text);
      },
      savePayload: () => store.savePayload({ subject: 's', name: 'm', text: '{}', savedAt: 2 }),
      removePayload: () => store.removePayload('s', 'n'),
    },
  };
}

export async function fuzz(runs: number, seed: number): Promise<void> {
  globalThis.indexedDB = new IDBFactory();
  const subjects = [await vaultSubject(), await publishSubject(), await runsSubject()];
  const inputs = fc.oneof(
    ...subjects.map(({ samples, methods }, of) =>
      fc.record({
        of: fc.constant(of),
        content: spoiled(samples, fc.oneof(json, live, word)),
        calls: fc.array(fc.constantFrom(...Object.keys(methods)), { minLength: 1, maxLength: 5 }),
      }),
    ),
  );
  await check(runs, seed, inputs, async ({ of, content, calls }) => {
    const { db, methods } = subjects[of]!;
    await fill(db, content as Content);
    for (const name of calls) await settles(methods[name]!());
  });
}

async function contentOf(db: IDBPDatabase): Promise<Content> {
  const content: Content = {};
  for (const store of db.objectStoreNames) {
    const [keys, values] = await Promise.all([db.getAllKeys(store), db.getAll(store)]);
    content[store] = keys.map((key, index) => [key, values[index]]);
  }
  return content;
}

/** Replaces the stored content, and leaves out values that a database can’t store. */
async function fill(db: IDBPDatabase, content: Content): Promise<void> {
  for (const name of db.objectStoreNames) {
    await db.clear(name);
    const hasPath = db.transaction(name).store.keyPath !== null;
    for (const [key, value] of entriesOf(content, name)) {
      try {
        await db.put(name, value, hasPath ? undefined : (key as IDBValidKey));
      } catch {
        // A key that is none, or a value that cannot be stored.
      }
    }
  }
}

function entriesOf(content: unknown, store: string): unknown[][] {
  try {
    return Array.from((content as Content)[store] as unknown[])
      .slice(0, 50)
      .map((entry) => Array.from(entry as unknown[]).slice(0, 2));
  } catch {
    return [];
  }
}
