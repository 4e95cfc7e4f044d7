/** Owns the database of past runs and saved payloads: bounded, oldest out first. */
import { type DBSchema, type IDBPDatabase, openDB } from 'idb';
import type { AgentEvent } from '../inspector/contract.ts';
import type { HISTORY_LIMITS, RunRecord, RunStore, SavedPayload } from './run-store.ts';

const VERSION = 1;
/** Named payloads per action. */
export const SAVED_PAYLOADS = 50;

interface Schema extends DBSchema {
  runs: { key: string; value: RunRecord; indexes: { subject: string; startedAt: number } };
  /** As JSON text, which the browser stores many times quicker than objects; the first panels stored those. */
  events: { key: [string, number]; value: string | AgentEvent[] };
  payloads: { key: [string, string]; value: SavedPayload; indexes: { subject: string } };
}

/** Opens the database when it is first needed; lets go of it when another page of the extension erases or upgrades it. */
export function createRunDatabase(limits: typeof HISTORY_LIMITS, name: string): RunStore {
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

function open(name: string, onGone: () => void): Promise<IDBPDatabase<Schema>> {
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
