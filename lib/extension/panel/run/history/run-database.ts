/** The database of past runs and saved payloads, within limits. Quarantines damaged records. */
import type { IDBPObjectStore, IDBPTransaction } from 'idb';
import type { Recording } from '../../../../debugging/recording/format.ts';
import { CodedError } from '../../../../platform-api/coded-error.ts';
import { gunzip, gzip } from '../../../../shared/gzip.ts';
import type { AgentEvent } from '../../../inspector/contract.ts';
import { HISTORY_LIMITS } from '../../../messaging/model/stored-data.ts';
import {
  faultErrors,
  openStore,
  quarantine,
  readOrQuarantine,
  RUN_DATABASE,
  type Store,
} from '../../../storage/index.ts';
import { type EventChunk, packEvents, unpackEvents, withoutSteps } from './event-chunks.ts';
import { recordingText } from './recording-text.ts';
import { type HistoryLimits, pinnedFull, planRetention, type Retained, sizeOf } from './retention.ts';
import { parsePayload, parseRun } from './run-record.ts';
import { MIGRATIONS, type Schema } from './run-schema.ts';
import type { RunRecord, RunStore, SavedPayload } from './run-store.ts';

/** Maximum number of saved payloads per action. */
export const SAVED_PAYLOADS = 50;

const { stores: STORES } = RUN_DATABASE;

type Change = IDBPTransaction<Schema, (typeof STORES)[number][], 'readwrite'>;

/** @param timeout how long to wait for another page that blocks opening the database, in milliseconds */
export function createRunStore(
  limits: Partial<HistoryLimits> = {},
  name: string = RUN_DATABASE.name,
  timeout?: number,
): RunStore {
  const store = openStore<Schema>({
    name,
    migrations: MIGRATIONS,
    stores: STORES,
    errors: faultErrors('RUNS', 'runs and payloads', 'New runs aren’t saved.'),
    timeout,
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
    return this.#change(async (change) => void (await change.objectStore('runs').put(record)));
  }

  async append(id: string, events: readonly AgentEvent[]): Promise<RunRecord | undefined> {
    // A transaction ends while it waits for anything but the database.
    const chunks = await packEvents(events);
    return this.#change(async (change) => {
      const record = parseRun(await change.objectStore('runs').get(id));
      if (!record) return undefined;
      for (const chunk of chunks)
        if (admit(record, chunk, this.#limits)) await change.objectStore('events').put(chunk.data, [id, chunk.first]);
      await change.objectStore('runs').put(record);
      return record;
    });
  }

  async events(id: string): Promise<AgentEvent[]> {
    const chunks = await this.#chunks(id);
    const unpacked = await Promise.all(chunks.map(({ data }) => unpackEvents(id, data)));
    const damaged = chunks.filter((_chunk, index) => !unpacked[index]);
    if (damaged.length > 0)
      await this.#change(async (change) => {
        for (const { key, data } of damaged) await quarantine(change, 'events', key, data);
      });
    return unpacked.flatMap((events) => events ?? []);
  }

  async #chunks(id: string): Promise<{ key: [string, number]; data: unknown }[]> {
    await this.#quarantine();
    return this.#store.transact(['events'], 'readonly', async (read) => {
      const events = read.objectStore('events');
      const [keys, stored] = await Promise.all([events.getAllKeys(eventsOf(id)), events.getAll(eventsOf(id))]);
      return keys.map((key, index) => ({ key, data: stored[index] }));
    });
  }

  clearEvents(id: string): Promise<void> {
    return this.#change(async (change) => {
      const record = parseRun(await change.objectStore('runs').get(id));
      const steps = { total: 0, stored: 0 };
      if (record) await change.objectStore('runs').put({ ...record, size: 0, characters: 0, steps, cut: false });
      await change.objectStore('events').delete(eventsOf(id));
    });
  }

  async putRecording(id: string, recording: Recording): Promise<RunRecord | undefined> {
    const data = await gzip(await recordingText(recording));
    if (data.byteLength > this.#limits.sizeOfRun) return undefined;
    return this.#change(async (change) => {
      const record = parseRun(await change.objectStore('runs').get(id));
      if (!record) return undefined;
      await change.objectStore('recordings').put(data, id);
      record.recording = { size: data.byteLength, lost: recording.lost };
      await change.objectStore('runs').put(record);
      return record;
    });
  }

  async recording(id: string): Promise<string | undefined> {
    const data = await this.#store.use((db) => db.get('recordings', id));
    if (!data) return undefined;
    return gunzip(data).catch(async () => {
      await this.#change((change) => quarantine(change, 'recordings', id, data));
      return undefined;
    });
  }

  async enforceLimits(current: string | null): Promise<Retained[]> {
    const plan = planRetention(await this.list(), this.#limits, current);
    for (const { record, how } of plan) await (how === 'removed' ? this.remove(record.id) : this.#thin(record.id));
    return plan;
  }

  /** Removes a run's steps, and keeps its start and end. */
  async #thin(id: string): Promise<void> {
    const chunks = await this.#chunks(id);
    const edges = [chunks[0], ...(chunks.length > 1 ? chunks.slice(-1) : [])];
    const events = await Promise.all(edges.map((chunk) => unpackEvents(id, chunk?.data)));
    const kept = await packEvents(withoutSteps(events.flatMap((known) => known ?? [])));
    await this.#change(async (change) => {
      const record = parseRun(await change.objectStore('runs').get(id));
      if (!record || record.pinned) return;
      await change.objectStore('events').delete(eventsOf(id));
      await change.objectStore('recordings').delete(id);
      const { recording: _removed, ...rest } = record;
      const thinned: RunRecord = { ...rest, thinned: true, size: 0, characters: 0 };
      thinned.steps &&= { ...thinned.steps, stored: 0 };
      for (const chunk of kept)
        if (admit(thinned, chunk, this.#limits)) await change.objectStore('events').put(chunk.data, [id, chunk.first]);
      await change.objectStore('runs').put(thinned);
    });
  }

  pin(id: string, pinned: boolean): Promise<void> {
    return this.#change(async (change) => {
      const runs = change.objectStore('runs');
      const record = parseRun(await runs.get(id));
      if (!record) return;
      const all = (await runs.getAll()).flatMap((run) => parseRun(run) ?? []);
      const others = all.filter((run) => run.pinned && run.id !== id);
      const size = [record, ...others].reduce((sum, run) => sum + sizeOf(run), 0);
      if (pinned && size > this.#limits.size) throw new CodedError(pinnedFull('Couldn’t pin the run', this.#limits));
      await runs.put({ ...record, pinned });
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

  async debugging(subject: string, name: string): Promise<string | undefined> {
    return (await this.#store.use((db) => db.get('debugging', [subject, name])))?.text;
  }

  async putDebugging(subject: string, name: string, text: string): Promise<void> {
    await this.#store.transact(['debugging'], 'readwrite', async (change) => {
      const stored = change.objectStore('debugging').put({ text, savedAt: Date.now() }, [subject, name]);
      // Otherwise, closing the panel right after a change would abort it.
      change.commit();
      await stored;
    });
    await this.#store.transact(['debugging'], 'readwrite', async (change) => {
      const store = change.objectStore('debugging');
      const excess = (await store.count()) - this.#limits.payloads;
      if (excess > 0) await removeOldest(store, excess);
    });
  }

  async countQuarantined(): Promise<number> {
    await this.#quarantine();
    return this.#store.use((db) => db.count('aside'));
  }
}

const newestFirst = (stored: unknown[]): SavedPayload[] =>
  stored.flatMap((payload) => parsePayload(payload) ?? []).sort((a, b) => b.savedAt - a.savedAt);

const eventsOf = (id: string): IDBKeyRange => IDBKeyRange.bound([id, -Infinity], [id, Infinity]);

async function removeRun(change: Change, id: string): Promise<void> {
  await change.objectStore('runs').delete(id);
  await change.objectStore('events').delete(eventsOf(id));
  await change.objectStore('recordings').delete(id);
}

/** A damaged record counts as the oldest. */
const timeOf = (stored: { savedAt: unknown } | undefined): number =>
  typeof stored?.savedAt === 'number' ? stored.savedAt : 0;

/** The name of a switch-over’s journal. */
export const SWITCH_OVER = 'switch-over';

async function removeOldest(
  store: IDBPObjectStore<Schema, 'debugging'[], 'debugging', 'readwrite'>,
  count: number,
): Promise<void> {
  const [keys, values] = await Promise.all([store.getAllKeys(), store.getAll()]);
  const all = keys.map((key, index) => ({ key, savedAt: timeOf(values[index]) }));
  // Without its journal, nobody knows how far a switch-over has come.
  const byAge = all.filter(({ key: [, name] }) => name !== SWITCH_OVER);
  for (const { key } of byAge.sort((a, b) => a.savedAt - b.savedAt).slice(0, count)) await store.delete(key);
}

/** Quarantines a damaged run's events along with it, so that they can be recovered. */
async function quarantineDamaged(change: Change): Promise<void> {
  await readOrQuarantine(change, 'payloads', parsePayload);
  const valid = new Set((await readOrQuarantine(change, 'runs', parseRun)).map(({ id }) => id));
  const events = change.objectStore('events');
  for (const key of await events.getAllKeys())
    if (!valid.has(key[0])) await quarantine(change, 'events', key, await events.get(key));
  const recordings = change.objectStore('recordings');
  for (const key of await recordings.getAllKeys())
    if (!valid.has(key)) await quarantine(change, 'recordings', key, await recordings.get(key));
}

/** Adds a chunk to the run's counts. False if it exceeds the run's limits. The run's start and end never do. */
function admit(record: RunRecord, { isEdge, steps, characters, data }: EventChunk, limits: HistoryLimits): boolean {
  const size = record.size + data.byteLength;
  const total = (record.characters ?? 0) + characters;
  if (record.steps) record.steps.total += steps;
  if (!isEdge) record.cut ||= size > limits.sizeOfRun || total > limits.charactersOfRun;
  if (record.cut && !isEdge) return false;
  if (record.steps) record.steps.stored += steps;
  Object.assign(record, { size, characters: total });
  return true;
}
