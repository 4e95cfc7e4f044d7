/** Owns past runs and saved payloads: the database `platform-devtools-runs`, bounded, oldest out first. */
import type { DBSchema, IDBPDatabase } from 'idb';
import type { AgentEvent, PageState } from '../inspector/contract.ts';
import type { RunState } from './trace.ts';

export const DATABASE = 'platform-devtools-runs';
const VERSION = 1;

/** What is kept: so many runs, so many characters of their events in all, and of one run at most. */
export const HISTORY_LIMITS = { runs: 200, size: 50_000_000, sizeOfRun: 10_000_000 };
/** Named payloads per action. */
export const SAVED_PAYLOADS = 50;

/** One run without its events. */
export interface RunRecord {
  id: string;
  /** The action it ran, see `subjectOf`. */
  subject: string;
  /** What a person calls the action. */
  title: string;
  /** Counts up per subject, from 1. */
  number: number;
  payload: string;
  startedAt: number;
  state: RunState;
  milliseconds: number;
  tracing: PageState['tracing'];
  /** Of the error, in one line. */
  error: string | null;
  /** Characters of the stored events. */
  size: number;
  /** Events beyond the limit of one run were not kept. */
  cut: boolean;
}

export interface SavedPayload { subject: string; name: string; text: string; savedAt: number }

interface Schema extends DBSchema {
  runs: { key: string; value: RunRecord; indexes: { subject: string; startedAt: number } };
  /** As JSON text, which the browser stores many times quicker than objects; the first panels stored those. */
  events: { key: [string, number]; value: string | AgentEvent[] };
  payloads: { key: [string, string]; value: SavedPayload; indexes: { subject: string } };
}

/** All methods reject only when the browser refuses to store. */
export interface RunStore {
  /** Newest first. */
  list(subject: string): Promise<RunRecord[]>;
  get(id: string): Promise<RunRecord | undefined>;
  put(record: RunRecord): Promise<void>;
  /** Adds events of a run, oldest first, as many as the limit of one run takes, and its end; answers the record with its new size. Unknown run: nothing is stored. */
  append(id: string, events: AgentEvent[]): Promise<RunRecord | undefined>;
  events(id: string): Promise<AgentEvent[]>;
  /** Forgets the events of a run that is told again from its start. */
  clearEvents(id: string): Promise<void>;
  remove(id: string): Promise<void>;
  nextNumber(subject: string): Promise<number>;
  payloads(subject: string): Promise<SavedPayload[]>;
  savePayload(payload: SavedPayload): Promise<void>;
  removePayload(subject: string, name: string): Promise<void>;
}

/** Opens the database when it is first needed; lets go of it when another page of the extension erases or upgrades it. */
export function createRunStore(limits = HISTORY_LIMITS, name = DATABASE): RunStore {
  let opened: Promise<IDBPDatabase<Schema>> | null = null;
  const db = (): Promise<IDBPDatabase<Schema>> => {
    opened ??= open(name, () => { opened = null; }).catch((error: unknown) => {
      opened = null;
      throw error;
    });
    return opened;
  };
  const eventsOf = (id: string): IDBKeyRange => IDBKeyRange.bound([id, -Infinity], [id, Infinity]);
  const remove = async (id: string): Promise<void> => {
    const change = (await db()).transaction(['runs', 'events'], 'readwrite');
    await Promise.all([change.objectStore('runs').delete(id), change.objectStore('events').delete(eventsOf(id)), change.done]);
  };
  return {
    list: async (subject) => (await (await db()).getAllFromIndex('runs', 'subject', subject)).sort((a, b) => b.startedAt - a.startedAt),
    get: async (id) => (await db()).get('runs', id),
    async put(record) {
      await (await db()).put('runs', record);
      for (const id of await tooMany(await db(), limits)) if (id !== record.id) await remove(id);
    },
    async append(id, events) {
      const change = (await db()).transaction(['runs', 'events'], 'readwrite');
      const record = await change.objectStore('runs').get(id);
      if (!record) return record;
      const first = events[0];
      const kept = events.flatMap((event) => textToKeep(record, event, limits.sizeOfRun));
      if (first && kept.length > 0) await change.objectStore('events').put(`[${kept.join()}]`, [id, first.n]);
      await change.objectStore('runs').put(record);
      await change.done;
      return record;
    },
    events: async (id) => (await (await db()).getAll('events', eventsOf(id))).flatMap((kept) => (typeof kept === 'string' ? (JSON.parse(kept) as AgentEvent[]) : kept)),
    async clearEvents(id) {
      const change = (await db()).transaction(['runs', 'events'], 'readwrite');
      const record = await change.objectStore('runs').get(id);
      if (record) await change.objectStore('runs').put({ ...record, size: 0, cut: false });
      await change.objectStore('events').delete(eventsOf(id));
      await change.done;
    },
    remove,
    nextNumber: async (subject) => 1 + Math.max(0, ...(await (await db()).getAllFromIndex('runs', 'subject', subject)).map((run) => run.number)),
    payloads: async (subject) => (await (await db()).getAllFromIndex('payloads', 'subject', subject)).sort((a, b) => a.name.localeCompare(b.name)),
    async savePayload(payload) {
      await (await db()).put('payloads', payload);
      const all = await (await db()).getAllFromIndex('payloads', 'subject', payload.subject);
      for (const old of all.sort((a, b) => b.savedAt - a.savedAt).slice(SAVED_PAYLOADS)) await (await db()).delete('payloads', [old.subject, old.name]);
    },
    removePayload: async (subject, name) => (await db()).delete('payloads', [subject, name]),
  };
}

async function open(name: string, onGone: () => void): Promise<IDBPDatabase<Schema>> {
  const { openDB } = await import('idb');
  return openDB<Schema>(name, VERSION, {
    upgrade(db, from) {
      if (from >= 1) return;
      const runs = db.createObjectStore('runs', { keyPath: 'id' });
      runs.createIndex('subject', 'subject');
      runs.createIndex('startedAt', 'startedAt');
      db.createObjectStore('events');
      db.createObjectStore('payloads', { keyPath: ['subject', 'name'] }).createIndex('subject', 'subject');
    },
    blocking(_current, _next, event) {
      (event.target as IDBDatabase).close();
      onGone();
    },
    terminated: onGone,
  });
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

/** Ids of the oldest runs, until the rest keeps the limits. */
async function tooMany(db: IDBPDatabase<Schema>, limits: typeof HISTORY_LIMITS): Promise<string[]> {
  const runs = await db.getAllFromIndex('runs', 'startedAt');
  let count = runs.length;
  let size = runs.reduce((sum, run) => sum + run.size, 0);
  const out: string[] = [];
  for (const run of runs) {
    if (count <= limits.runs && size <= limits.size) break;
    if (run.state === 'running') continue;
    out.push(run.id);
    count--;
    size -= run.size;
  }
  return out;
}
