/** Stores runs while they happen, and lists, exports, and imports an action's past runs. */
import { signal } from '@preact/signals';
import type { Recording } from '../../../../debugging/recording/format.ts';
import { toErrorValue } from '../../../../platform-api/coded-error.ts';
import type { ErrorValue, Result } from '../../../../platform-api/errors.ts';
import { SerialQueue } from '../../../../shared/serial-queue.ts';
import type { RunInspector } from '../../../inspector/run/types.ts';
import type { AgentEvent } from '../../../inspector/contract.ts';
import { HISTORY_LIMITS } from '../../../messaging/model/stored-data.ts';
import { pinnedFull, type Retained } from './retention.ts';
import { readRunFile, RunFileWriter, type FileRun } from './run-file.ts';
import { isRunLocked } from './run-lock.ts';
import type { RunRecord, RunStore } from './run-store.ts';
import { countSteps, recoverRun } from './stored-run.ts';

export interface RunHistoryOptions {
  store: RunStore;
  inspector: Pick<RunInspector, 'call' | 'namespace'>;
  /** Identifies the action whose runs are listed. */
  subject: () => string | null;
  /** Whether the run with this ID is still in progress in the page or the panel. */
  isRunning: (id: string) => boolean;
  /** Masks secrets in a run that is exported: earlier versions have stored runs as they were. */
  masked?: ((run: FileRun) => Promise<FileRun>) | undefined;
  /** Reports a storage error. Runs themselves don't depend on the history. */
  onError: (error: ErrorValue) => void;
}

export class RunHistory {
  /** Newest first. */
  readonly records = signal<readonly RunRecord[]>([]);
  /** Runs that were thinned or removed to save space, since the user last dismissed the report. */
  readonly retained = signal<readonly Retained[]>([]);
  /** Incremented whenever stored runs, of any action, have changed. */
  readonly version = signal(0);
  /** Number of quarantined records, of all actions. */
  readonly quarantined = signal(0);
  readonly #options: RunHistoryOptions;
  /** Runs tasks one after another, so that a record is stored before its events. */
  readonly #queue = new SerialQueue();
  /** Events waiting for the queue, by run ID. */
  readonly #waiting = new Map<string, AgentEvent[]>();
  /**
   * IDs of runs with events that couldn't be stored. Their later events aren't stored either, because that would hide
   * the gap.
   */
  readonly #incomplete = new Set<string>();
  /**
   * IDs of runs whose events or end this panel is still storing. They must not be recovered from the page, which would
   * store their events twice.
   */
  readonly #storing = new Set<string>();

  constructor(options: RunHistoryOptions) {
    this.#options = options;
  }

  /** Runs a task after all earlier ones. If it fails, reports the error and resolves to undefined. */
  enqueue<T>(task: () => Promise<T>): Promise<T | undefined> {
    return this.#queue.run(task).catch((thrown: unknown) => {
      this.#options.onError(toErrorValue(thrown));
      return undefined;
    });
  }

  idle(): Promise<void> {
    return this.#queue.idle();
  }

  refresh(): Promise<void> {
    return this.enqueue(() => this.#list());
  }

  async #list(): Promise<void> {
    const { store, inspector, subject, isRunning } = this.#options;
    const listed = subject();
    const records = listed === null ? [] : await store.list(listed);
    for (const record of records) {
      if (record.state !== 'running' || isRunning(record.id) || this.#storing.has(record.id)) continue;
      if (await isRunLocked(record.id)) continue;
      // The panel was closed, or its tab crashed, before the run ended.
      const recovered = await recoverRun(record, store, inspector);
      Object.assign(record, recovered ?? { state: 'interrupted' });
      // If the disk is full, the next listing tries to store it again. The list itself is still valid.
      if (recovered) await store.put(record).catch(() => {});
    }
    if (subject() === listed) this.records.value = records;
    this.quarantined.value = await store.countQuarantined();
    this.version.value++;
  }

  /** Thins and removes runs until all limits are met, and reports which. */
  async #enforceLimits(current: string | null): Promise<void> {
    const retained = await this.#options.store.enforceLimits(current);
    if (retained.length === 0) return;
    this.retained.value = [...this.retained.peek(), ...retained];
    if (retained.some(({ why }) => why === 'pinned'))
      this.#options.onError(pinnedFull('Couldn’t store the run’s steps', HISTORY_LIMITS));
  }

  /**
   * Stores the record of a run that has started. If the page reports a run from the start again, replaces its events.
   */
  async begin(record: RunRecord): Promise<void> {
    const { store } = this.#options;
    this.#storing.add(record.id);
    await this.enqueue(async () => {
      const known = await store.get(record.id);
      if (known) await store.clearEvents(record.id);
      record.number = known?.number ?? (await store.nextNumber(record.subject));
      if (known) record.payload = known.payload;
      await store.put({ ...known, ...record, state: 'running', steps: { total: 0, stored: 0 } });
      await this.#enforceLimits(record.id);
      await this.#list();
    });
  }

  /** A run that counted as interrupted is in progress again. */
  resume(id: string): void {
    const { store } = this.#options;
    this.#storing.add(id);
    void this.enqueue(async () => {
      const stored = await store.get(id);
      if (stored) await store.put({ ...stored, state: 'running', error: null });
      await this.#list();
    });
  }

  /** Batches events that arrive while others are being stored. */
  append(id: string, events: readonly AgentEvent[]): void {
    const waiting = this.#waiting.get(id);
    if (waiting) {
      for (const event of events) waiting.push(event);
      return;
    }
    const batch = [...events];
    this.#waiting.set(id, batch);
    void this.enqueue(async () => {
      this.#waiting.delete(id);
      if (this.#incomplete.has(id)) return;
      await this.#options.store.append(id, batch).catch((thrown: unknown) => {
        this.#incomplete.add(id);
        throw thrown;
      });
    });
  }

  /** @param steps the number of steps that the run had; null if unknown */
  finish(record: RunRecord, steps: number | null): void {
    const { store } = this.#options;
    this.#storing.add(record.id);
    void this.enqueue(async () => {
      this.#storing.delete(record.id);
      const stored = await store.get(record.id);
      const cut = stored?.cut || this.#incomplete.has(record.id);
      this.#incomplete.delete(record.id);
      if (stored) await store.put({ ...stored, ...endOf(record), cut, steps: countSteps(stored, steps) });
      await this.#enforceLimits(record.id);
      await this.#list();
    });
  }

  /**
   * Stores a run's recording. Resolves to the run's record, which says whether it's stored; undefined if the run isn't.
   * @param recording null if it's too large
   */
  storeRecording(id: string, recording: Recording | null): Promise<RunRecord | undefined> {
    const { store } = this.#options;
    return this.enqueue(async () => {
      await this.#putRecording(id, recording);
      await this.#enforceLimits(id);
      await this.#list();
      return store.get(id);
    });
  }

  async #putRecording(id: string, recording: Recording | null): Promise<void> {
    const { store } = this.#options;
    const isStored = recording !== null && (await store.putRecording(id, recording));
    const record = isStored ? undefined : await store.get(id);
    if (record) await store.put({ ...record, recordingProblem: 'too-large' });
  }

  /** Stores a run that no page has run. Resolves to its record; undefined if it can't be stored. */
  add(record: RunRecord, events: readonly AgentEvent[], recording: Recording): Promise<RunRecord | undefined> {
    const { store } = this.#options;
    return this.enqueue(async () => {
      const number = await store.nextNumber(record.subject);
      await store.put({ ...record, number, steps: { total: 0, stored: 0 } });
      await store.append(record.id, events);
      await this.#putRecording(record.id, recording);
      await this.#enforceLimits(record.id);
      await this.#list();
      return store.get(record.id);
    });
  }

  record(id: string): Promise<RunRecord | undefined> {
    return this.enqueue(() => this.#options.store.get(id));
  }

  /** Removes the run's record, because the run couldn't start. */
  discard(id: string): void {
    void this.remove(id);
  }

  /**
   * A past run with its events; undefined if it has been removed or can't be read.
   * @param isWanted asked when it's this task's turn, because reading a large run takes a while
   */
  load(id: string, isWanted: () => boolean = () => true): Promise<FileRun | undefined> {
    const { store } = this.#options;
    return this.enqueue(async () => {
      if (!isWanted()) return undefined;
      const record = await store.get(id);
      return record && { record, events: await store.events(id) };
    });
  }

  async remove(id: string): Promise<void> {
    await this.enqueue(async () => {
      await this.#options.store.remove(id);
      await this.#list();
    });
  }

  async pin(id: string, pinned: boolean): Promise<void> {
    await this.enqueue(async () => {
      await this.#options.store.pin(id, pinned);
      await this.#enforceLimits(null);
      await this.#list();
    });
  }

  /** All runs of all actions, newest first. */
  listAll(): Promise<RunRecord[] | undefined> {
    return this.enqueue(() => this.#options.store.list());
  }

  /** These runs as text for a file. */
  async exportRuns(records: readonly RunRecord[]): Promise<string | null> {
    const { store, masked = (run: FileRun) => Promise.resolve(run) } = this.#options;
    const text = await this.enqueue(async () => {
      const file = new RunFileWriter();
      for (const record of records) file.add(await masked({ record, events: await store.events(record.id) }));
      return file.text();
    });
    return text ?? null;
  }

  /** Adds the runs in an exported file. The value is null if the file can't be stored. */
  async importRuns(text: string): Promise<Result<Imported | null>> {
    const file = readRunFile(text);
    if (!file.ok) return file;
    const imported = await this.enqueue(() => this.#addRuns(file.value));
    // Also lists runs that were stored before the disk was full.
    await this.refresh();
    return { ok: true, value: imported ?? null };
  }

  async #addRuns(runs: readonly FileRun[]): Promise<Imported> {
    const { store } = this.#options;
    const added: RunRecord[] = [];
    let known = 0;
    for (const { record, events } of runs) {
      if (await store.get(record.id)) known++;
      else added.push(await this.#add(record, events));
    }
    await this.#enforceLimits(null);
    return { added, known };
  }

  async #add(record: RunRecord, events: readonly AgentEvent[]): Promise<RunRecord> {
    const { store } = this.#options;
    // The file has no recordings.
    const empty = { size: 0, characters: 0, cut: false, steps: { total: 0, stored: 0 }, recording: undefined };
    await store.put({ ...record, ...empty, importedAt: Date.now(), pinned: false });
    try {
      const stored = await store.append(record.id, events);
      if (!stored) return record;
      const isUnknown = !record.steps && (record.cut || record.thinned);
      const steps = isUnknown ? undefined : countSteps(stored, record.steps?.total ?? 0);
      const added = { ...stored, cut: stored.cut || record.cut, steps };
      await store.put(added);
      return added;
    } catch (thrown) {
      await store.remove(record.id);
      throw thrown;
    }
  }
}

/** Runs that an import added, and how many were already stored. */
export interface Imported {
  added: readonly RunRecord[];
  known: number;
}

/** What changes in a record when its run ends. */
const endOf = ({
  state,
  milliseconds,
  error,
  result,
  dropped,
  tracing,
  startedAt,
  payload,
}: RunRecord): Partial<RunRecord> => ({
  result,
  dropped,
  state,
  milliseconds,
  error,
  tracing,
  startedAt,
  payload,
});
