/** The store of past runs and saved payloads. */
import type { AgentEvent } from '../../../inspector/contract.ts';
import type { RunRecord, SavedPayload } from './run-record.ts';

export type { RunRecord, SavedPayload };

/** Rejects with a `CodedError`: `RUNS_NEWER`, `RUNS_BLOCKED`, `RUNS_DAMAGED`, `RUNS_UNAVAILABLE`, `RUNS_FULL`. */
export interface RunStore {
  /** Newest first. Without a subject, the runs of all actions. */
  list(subject?: string): Promise<RunRecord[]>;
  get(id: string): Promise<RunRecord | undefined>;
  put(record: RunRecord): Promise<void>;
  /**
   * Adds events of a run, oldest first, up to the limit of one run, and always its end. Returns the record with its new
   * size. Stores nothing for an unknown run.
   */
  append(id: string, events: AgentEvent[]): Promise<RunRecord | undefined>;
  events(id: string): Promise<AgentEvent[]>;
  /** Removes the events of a run that is reported from its start again. */
  clearEvents(id: string): Promise<void>;
  remove(id: string): Promise<void>;
  nextNumber(subject: string): Promise<number>;
  payloads(subject: string): Promise<SavedPayload[]>;
  savePayload(payload: SavedPayload): Promise<void>;
  removePayload(subject: string, name: string): Promise<void>;
  /** How many damaged records are quarantined. */
  countQuarantined(): Promise<number>;
}
