/** Owns the database of past runs and saved payloads: bounded, oldest out first; damaged records are quarantined. */
import type { IDBPTransaction } from 'idb';
import type { AgentEvent } from '../../../inspector/contract.ts';
import { parseEvents } from '../../../inspector/run/parse.ts';
import {
  createQuarantine,
  faultErrors,
  HISTORY_LIMITS,
  type Migration,
  openStore,
  quarantine,
  type QuarantineSchema,
  readOrQuarantine,
  RUN_DATABASE,
} from '../../../storage/index.ts';
import { parsePayload, parseRun } from './run-record.ts';
import type { RunRecord, RunStore, SavedPayload } from './run-store.ts';

export type HistoryLimits = typeof HISTORY_LIMITS;

/** Named payloads per action. */
export const SAVED_PAYLOADS = 50;

interface Schema extends QuarantineSchema {
  runs: { key: string; value: RunRecord; indexes: { subject: string; startedAt: number } };
  /** As JSON text, which the browser stores many times quicker than objects; the first panels stored those. */
  events: { key: [string, number]; value: string | AgentEvent[] };
  payloads: { key: [string, string]; value: SavedPayload; indexes: { subject: string } };
}

const MIGRATIONS: readonly Migration<Schema>[] = [
  (db) => {
    const runs = db.createObjectStore('runs', { keyPath: 'id' });
    runs.createIndex('subject', 'subject');
    runs.createIndex('startedAt', 'startedAt');
    db.createObjectStore('events');
    db.createObjectStore('payloads', { keyPath: ['subject', 'name'] }).createIndex('subject', 'subject');
  },
  createQuarantine,
];
const { name: DATABASE, stores: STORES } = RUN_DATABASE;

type Writing = IDBPTransaction<Schema, (typeof STORES)[number][], 'readwrite'>;

/** @param patience in milliseconds: how long another page may block the database from opening */
export function createRunStore(
  given: Partial<HistoryLimits> = {},
  name: string = DATABASE,
  patience?: number,
): RunStore {
  const limits = { ...HISTORY_LIMITS, ...given };
  const store = openStore<Schema>({
    name,
    migrations: MIGRATIONS,
    stores: STORES,
    errors: faultErrors('RUNS', 'past runs and payloads', 'New runs aren’t saved.'),
    patience,
    durability: 'relaxed',
  });
  let swept: Promise<void> | null = null;
  /** What cannot be found by an index, or counted, would otherwise stay for ever: so all is looked at once. */
  const sweep = (): Promise<void> =>
    (swept ??= store.transact(STORES, 'readwrite', quarantineDamaged).catch((error: unknown) => {
      swept = null;
      throw error;
    }));
  const write = async <T>(work: (transaction: Writing) => Promise<T>): Promise<T> => {
    await sweep();
    return store.transact(STORES, 'readwrite', work);
  };
  const readRuns = async (subject?: string): Promise<RunRecord[]> => {
    await sweep();
    return (
      await store.use((db) =>
        subject === undefined ? db.getAll('runs') : db.getAllFromIndex('runs', 'subject', subject),
      )
    ).flatMap((run) => parseRun(run) ?? []);
  };
  return {
    list: async (subject) => (await readRuns(subject)).sort((a, b) => b.startedAt - a.startedAt),
    get: async (id) => {
      await sweep();
      return parseRun(await store.use((db) => db.get('runs', id)));
    },
    put: (record) =>
      write(async (change) => {
        await change.objectStore('runs').put(record);
        for (const id of await tooMany(change, limits, record.id)) await removeRun(change, id);
      }),
    append: (id, events) =>
      write(async (change) => {
        const record = parseRun(await change.objectStore('runs').get(id));
        if (!record) return undefined;
        const first = events[0];
        const kept = events.flatMap((event) => textToKeep(record, event, limits.sizeOfRun));
        if (first && kept.length > 0) await change.objectStore('events').put(`[${kept.join()}]`, [id, first.n]);
        await change.objectStore('runs').put(record);
        return record;
      }),
    events: (id) => write((change) => readEvents(change, id)),
    clearEvents: (id) =>
      write(async (change) => {
        const record = parseRun(await change.objectStore('runs').get(id));
        if (record) await change.objectStore('runs').put({ ...record, size: 0, cut: false });
        await change.objectStore('events').delete(eventsOf(id));
      }),
    remove: (id) => write((change) => removeRun(change, id)),
    nextNumber: async (subject) => 1 + Math.max(0, ...(await readRuns(subject)).map((run) => run.number)),
    payloads: async (subject) => {
      await sweep();
      return (await store.use((db) => db.getAllFromIndex('payloads', 'subject', subject)))
        .flatMap((payload) => parsePayload(payload) ?? [])
        .sort((a, b) => a.name.localeCompare(b.name));
    },
    savePayload: (payload) =>
      write(async (change) => {
        const payloads = change.objectStore('payloads');
        await payloads.put(payload);
        const all = await payloads.index('subject').getAll(payload.subject);
        for (const old of newestFirst(all).slice(SAVED_PAYLOADS)) await payloads.delete([old.subject, old.name]);
        if ((await payloads.count()) > limits.payloads)
          for (const old of newestFirst(await payloads.getAll()).slice(limits.payloads))
            await payloads.delete([old.subject, old.name]);
      }),
    removePayload: (subject, name) => store.use((db) => db.delete('payloads', [subject, name])),
    countQuarantined: async () => {
      await sweep();
      return store.use((db) => db.count('aside'));
    },
  };
}

const newestFirst = (payloads: SavedPayload[]): SavedPayload[] => payloads.sort((a, b) => b.savedAt - a.savedAt);

const eventsOf = (id: string): IDBKeyRange => IDBKeyRange.bound([id, -Infinity], [id, Infinity]);

async function removeRun(change: Writing, id: string): Promise<void> {
  await change.objectStore('runs').delete(id);
  await change.objectStore('events').delete(eventsOf(id));
}

/** A damaged run goes with its events: they can be read by whoever mends it. */
async function quarantineDamaged(change: Writing): Promise<void> {
  await readOrQuarantine(change, 'payloads', parsePayload);
  const good = new Set((await readOrQuarantine(change, 'runs', parseRun)).map(({ id }) => id));
  for (const key of await change.objectStore('events').getAllKeys()) {
    if (!good.has(key[0])) await quarantine(change, 'events', key, await change.objectStore('events').get(key));
  }
}

async function readEvents(change: Writing, id: string): Promise<AgentEvent[]> {
  const events = change.objectStore('events');
  const good: AgentEvent[] = [];
  const [keys, all] = await Promise.all([events.getAllKeys(eventsOf(id)), events.getAll(eventsOf(id))]);
  for (const [index, key] of keys.entries()) {
    const kept = all[index];
    const parsed = parseStored(kept);
    if (parsed) for (const event of parsed) good.push(event);
    else await quarantine(change, 'events', key, kept);
  }
  return good;
}

/** Undefined when any of them is not as it should be. */
function parseStored(kept: unknown): AgentEvent[] | undefined {
  try {
    const events: unknown = typeof kept === 'string' ? JSON.parse(kept) : kept;
    const parsed = parseEvents(events);
    return parsed?.invalid === 0 ? parsed.events : undefined;
  } catch {
    return undefined;
  }
}

/** The text of an event that has room, counted to the run's size; after the first that has none only the end is kept, which holds the result. */
function textToKeep(record: RunRecord, event: AgentEvent, most: number): string[] {
  const isEnd = event.kind === 'run-ended';
  if (record.cut && !isEnd) return [];
  const text = JSON.stringify(event);
  record.cut ||= record.size + text.length > most;
  if (record.cut && !isEnd) return [];
  record.size += text.length;
  return [text];
}

/** Ids of the oldest runs, until the rest keeps the limits; those that go on last, and never the one that is written now. */
async function tooMany(change: Writing, limits: HistoryLimits, current: string): Promise<string[]> {
  const runs = await change.objectStore('runs').index('startedAt').getAll();
  let count = runs.length;
  let size = runs.reduce((sum, run) => sum + sizeOf(run), 0);
  const out: string[] = [];
  for (const run of [
    ...runs.filter(({ state }) => state !== 'running'),
    ...runs.filter(({ state }) => state === 'running'),
  ]) {
    if (count <= limits.runs && size <= limits.size) break;
    if (run.id === current) continue;
    out.push(run.id);
    count--;
    size -= sizeOf(run);
  }
  return out;
}

const sizeOf = ({ size, payload }: RunRecord): number => size + payload.length;
