/** Stores runs while they happen, and lists, exports, and imports an action's past runs. */
import { signal } from '@preact/signals';
import { toErrorValue } from '../../../../platform-api/coded-error.ts';
import type { ErrorValue, Result } from '../../../../platform-api/errors.ts';
import { SerialQueue } from '../../../../shared/serial-queue.ts';
import type { RunInspector } from '../../../inspector/run/types.ts';
import type { AgentEvent } from '../../../inspector/contract.ts';
import { readRunFile, writeRunFile, type FileRun } from './run-file.ts';
import type { RunRecord, RunStore } from './run-store.ts';
import { recoverRun } from './stored-run.ts';

export interface RunHistoryOptions {
  store: RunStore;
  inspector: Pick<RunInspector, 'call' | 'namespace'>;
  /** Identifies the action whose runs are listed. */
  subject: () => string | null;
  /** Whether the run with this ID is still in progress in the page or the panel. */
  isRunning: (id: string) => boolean;
  /** Reports a storage error. Runs themselves don't depend on the history. */
  onError: (error: ErrorValue) => void;
}

export class RunHistory {
  /** Newest first. */
  readonly records = signal<readonly RunRecord[]>([]);
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
      // The panel was closed, or its tab crashed, before the run ended.
      if (record.state !== 'running' || isRunning(record.id)) continue;
      const recovered = await recoverRun(record, store, inspector);
      Object.assign(record, recovered ?? { state: 'interrupted' });
      // If the disk is full, the next listing tries to store it again. The list itself is still valid.
      if (recovered) await store.put(record).catch(() => {});
    }
    if (subject() === listed) this.records.value = records;
    this.quarantined.value = await store.countQuarantined();
  }

  /**
   * Stores the record of a run that has started. If the page reports a run from the start again, replaces its events.
   */
  async begin(record: RunRecord): Promise<void> {
    const { store } = this.#options;
    await this.enqueue(async () => {
      const known = await store.get(record.id);
      if (known) await store.clearEvents(record.id);
      record.number = known?.number ?? (await store.nextNumber(record.subject));
      if (known) record.payload = known.payload;
      await store.put({ ...record, state: 'running' });
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

  finish(record: RunRecord): void {
    const { store } = this.#options;
    void this.enqueue(async () => {
      const stored = await store.get(record.id);
      const cut = stored?.cut || this.#incomplete.has(record.id);
      if (stored) await store.put({ ...record, size: stored.size, cut });
      this.#incomplete.delete(record.id);
      await this.#list();
    });
  }

  /** A past run with its events; undefined if it has been removed or can't be read. */
  load(id: string): Promise<FileRun | undefined> {
    const { store } = this.#options;
    return this.enqueue(async () => {
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

  /** The listed runs as text for a file. */
  async exportRuns(): Promise<string | null> {
    const { store } = this.#options;
    const text = await this.enqueue(async () => {
      const runs = this.records
        .peek()
        .map(async (record): Promise<FileRun> => ({ record, events: await store.events(record.id) }));
      return writeRunFile(await Promise.all(runs));
    });
    return text ?? null;
  }

  /**
   * Adds the runs in an exported file. Resolves to the number of new runs, or null if the file can't be read or stored.
   */
  async importRuns(text: string): Promise<Result<number | null>> {
    const file = readRunFile(text);
    if (!file.ok) return file;
    const added = await this.enqueue(() => this.#addRuns(file.value));
    // Also lists runs that were stored before the disk was full.
    await this.refresh();
    return { ok: true, value: added ?? null };
  }

  async #addRuns(runs: readonly FileRun[]): Promise<number> {
    const { store } = this.#options;
    let added = 0;
    for (const { record, events } of runs) {
      if (await store.get(record.id)) continue;
      await store.put({ ...record, size: 0 });
      await store.append(record.id, events).catch(async (thrown: unknown) => {
        await store.remove(record.id);
        throw thrown;
      });
      added++;
    }
    return added;
  }
}
