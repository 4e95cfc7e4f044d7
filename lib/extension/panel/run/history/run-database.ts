/**
 * The database of past runs and saved payloads. It's bounded: the oldest entries are removed first. Quarantines damaged
 * records.
 */
import type { IDBPTransaction } from 'idb';
import type { AgentEvent } from '../../../inspector/contract.ts';
import { parseEvents } from '../../../inspector/run/parse.ts';
import { HISTORY_LIMITS } from '../../../messaging/model/stored-data.ts';
import {
  createQuarantine,
  faultErrors,
  type Migration,
  openStore,
  quarantine,
  type QuarantineSchema,
  readOrQuarantine,
  RUN_DATABASE,
  type Store,
} from '../../../storage/index.ts';
import { parsePayload, parseRun } from './run-record.ts';
import type { RunRecord, RunStore, SavedPayload } from './run-store.ts';

type HistoryLimits = typeof HISTORY_LIMITS;

/** Maximum number of saved payloads per action. */
export const SAVED_PAYLOADS = 50;

interface Schema extends QuarantineSchema {
  runs: { key: string; value: RunRecord; indexes: { subject: string; startedAt: number } };
  /** JSON text, which browsers store much faster than objects. Early versions stored objects. */
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
const { stores: STORES } = RUN_DATABASE;

type Change = IDBPTransaction<Schema, (typeof STORES)[number][], 'readwrite'>;

/** @param patience how long to wait for another page that blocks opening the database, in milliseconds */
export function createRunStore(
  limits: Partial<HistoryLimits> = {},
  name: string = RUN_DATABASE.name,
  patience?: number,
): RunStore {
  const store = openStore<Schema>({
    name,
    migrations: MIGRATIONS,
    stores: STORES,
    errors: faultErrors('RUNS', 'past runs and payloads', 'New runs aren’t saved.'),
    patience,
    durability: 'relaxed',
  });
  return new RunDatabase(store, { ...HISTORY_LIMITS, ...limits });
}

class RunDatabase implements RunStore {
  readonly #store: Store<Schema>;
  readonly #limits: HistoryLimits;
  #quarantining: Promise<void> | null = null;

  constructor(store: Store<Schema>, limits: HistoryLimits) {
    this.#store = store;
    this.#limits = limits;
  }

  /**
   * Checks all records once. Some damaged records can't be found through an index, and would otherwise never be
   * removed.
   */
  #quarantine(): Promise<void> {
    this.#quarantining ??= this.#store.transact(STORES, 'readwrite', quarantineDamaged).catch((error: unknown) => {
      this.#quarantining = null;
      throw error;
    });
    return this.#quarantining;
  }

  async #change<T>(work: (change: Change) => Promise<T>): Promise<T> {
    await this.#quarantine();
    return this.#store.transact(STORES, 'readwrite', work);
  }

  async list(subject?: string): Promise<RunRecord[]> {
    await this.#quarantine();
    const stored = await this.#store.use((db) =>
      subject === undefined ? db.getAll('runs') : db.getAllFromIndex('runs', 'subject', subject),
    );
    return stored.flatMap((run) => parseRun(run) ?? []).sort((a, b) => b.startedAt - a.startedAt);
  }

  async get(id: string): Promise<RunRecord | undefined> {
    await this.#quarantine();
    return parseRun(await this.#store.use((db) => db.get('runs', id)));
  }

  put(record: RunRecord): Promise<void> {
    return this.#change(async (change) => {
      await change.objectStore('runs').put(record);
      for (const id of await runsBeyond(this.#limits, change, record.id)) await removeRun(change, id);
    });
  }

  append(id: string, events: AgentEvent[]): Promise<RunRecord | undefined> {
    return this.#change(async (change) => {
      const record = parseRun(await change.objectStore('runs').get(id));
      if (!record) return undefined;
      const first = events[0];
      const texts = events.flatMap((event) => textToStore(record, event, this.#limits.sizeOfRun));
      if (first && texts.length > 0) await change.objectStore('events').put(`[${texts.join()}]`, [id, first.n]);
      await change.objectStore('runs').put(record);
      return record;
    });
  }

  events(id: string): Promise<AgentEvent[]> {
    return this.#change((change) => readEvents(change, id));
  }

  clearEvents(id: string): Promise<void> {
    return this.#change(async (change) => {
      const record = parseRun(await change.objectStore('runs').get(id));
      if (record) await change.objectStore('runs').put({ ...record, size: 0, cut: false });
      await change.objectStore('events').delete(eventsOf(id));
    });
  }

  remove(id: string): Promise<void> {
    return this.#change((change) => removeRun(change, id));
  }

  async nextNumber(subject: string): Promise<number> {
    return 1 + Math.max(0, ...(await this.list(subject)).map((run) => run.number));
  }

  async payloads(subject: string): Promise<SavedPayload[]> {
    await this.#quarantine();
    const stored = await this.#store.use((db) => db.getAllFromIndex('payloads', 'subject', subject));
    return stored.flatMap((payload) => parsePayload(payload) ?? []).sort((a, b) => a.name.localeCompare(b.name));
  }

  savePayload(payload: SavedPayload): Promise<void> {
    return this.#change(async (change) => {
      const payloads = change.objectStore('payloads');
      await payloads.put(payload);
      const ofSubject = await payloads.index('subject').getAll(payload.subject);
      for (const { subject, name } of newestFirst(ofSubject).slice(SAVED_PAYLOADS))
        await payloads.delete([subject, name]);
      if ((await payloads.count()) <= this.#limits.payloads) return;
      for (const { subject, name } of newestFirst(await payloads.getAll()).slice(this.#limits.payloads))
        await payloads.delete([subject, name]);
    });
  }

  removePayload(subject: string, name: string): Promise<void> {
    return this.#store.use((db) => db.delete('payloads', [subject, name]));
  }

  async countQuarantined(): Promise<number> {
    await this.#quarantine();
    return this.#store.use((db) => db.count('aside'));
  }
}

const newestFirst = (payloads: SavedPayload[]): SavedPayload[] => payloads.sort((a, b) => b.savedAt - a.savedAt);

const eventsOf = (id: string): IDBKeyRange => IDBKeyRange.bound([id, -Infinity], [id, Infinity]);

async function removeRun(change: Change, id: string): Promise<void> {
  await change.objectStore('runs').delete(id);
  await change.objectStore('events').delete(eventsOf(id));
}

/** Quarantines a damaged run's events along with it, so that they can be recovered. */
async function quarantineDamaged(change: Change): Promise<void> {
  await readOrQuarantine(change, 'payloads', parsePayload);
  const valid = new Set((await readOrQuarantine(change, 'runs', parseRun)).map(({ id }) => id));
  const events = change.objectStore('events');
  for (const key of await events.getAllKeys())
    if (!valid.has(key[0])) await quarantine(change, 'events', key, await events.get(key));
}

async function readEvents(change: Change, id: string): Promise<AgentEvent[]> {
  const events = change.objectStore('events');
  const valid: AgentEvent[] = [];
  const [keys, stored] = await Promise.all([events.getAllKeys(eventsOf(id)), events.getAll(eventsOf(id))]);
  for (const [index, key] of keys.entries()) {
    const parsed = parseStored(stored[index]);
    if (parsed) for (const event of parsed) valid.push(event);
    else await quarantine(change, 'events', key, stored[index]);
  }
  return valid;
}

/** Undefined if any event is damaged. */
function parseStored(stored: unknown): AgentEvent[] | undefined {
  try {
    const events: unknown = typeof stored === 'string' ? JSON.parse(stored) : stored;
    const parsed = parseEvents(events);
    return parsed?.invalid === 0 ? parsed.events : undefined;
  } catch {
    return undefined;
  }
}

/** Returns the event's text and adds its length to the run's size. Beyond the limit, keeps only the run's end. */
function textToStore(record: RunRecord, event: AgentEvent, limit: number): string[] {
  const isEnd = event.kind === 'run-ended';
  if (record.cut && !isEnd) return [];
  const text = JSON.stringify(event);
  record.cut ||= record.size + text.length > limit;
  if (record.cut && !isEnd) return [];
  record.size += text.length;
  return [text];
}

/** IDs of runs to remove: oldest first, running ones last, and never the run being stored. */
async function runsBeyond(limits: HistoryLimits, change: Change, current: string): Promise<string[]> {
  const runs = await change.objectStore('runs').index('startedAt').getAll();
  let count = runs.length;
  let size = runs.reduce((sum, run) => sum + sizeOf(run), 0);
  const [running, ended] = [true, false].map((isRunning) =>
    runs.filter(({ id, state }) => id !== current && (state === 'running') === isRunning),
  ) as [RunRecord[], RunRecord[]];
  const removed: string[] = [];
  for (const run of [...ended, ...running]) {
    if (count <= limits.runs && size <= limits.size) break;
    removed.push(run.id);
    count--;
    size -= sizeOf(run);
  }
  return removed;
}

const sizeOf = ({ size, payload }: RunRecord): number => size + payload.length;
