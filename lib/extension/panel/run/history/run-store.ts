/** Interface of the store for past runs and saved payloads. */
import type { Recording } from '../../../../debugging/recording/format.ts';
import type { AgentEvent } from '../../../inspector/contract.ts';
import type { Retained } from './retention.ts';
import type { RunRecord, SavedPayload } from './run-record.ts';

export type { RunRecord, SavedPayload };

/**
 * Methods reject with a `CodedError`: `RUNS_NEWER`, `RUNS_BLOCKED`, `RUNS_DAMAGED`, `RUNS_UNAVAILABLE`, `RUNS_FULL`.
 */
export interface RunStore {
  /** Newest first. Without a subject, lists the runs of all actions. */
  list(subject?: string): Promise<RunRecord[]>;
  get(id: string): Promise<RunRecord | undefined>;
  put(record: RunRecord): Promise<void>;
  /**
   * Adds a run's events, oldest first, up to the limit per run. Always stores the start and the end. Returns the record
   * with its new size and steps. Ignores unknown runs.
   */
  append(id: string, events: readonly AgentEvent[]): Promise<RunRecord | undefined>;
  events(id: string): Promise<AgentEvent[]>;
  /**
   * Stores a run's recording, and returns the run's record. Undefined for unknown runs, and if the recording exceeds the
   * limit per run.
   */
  putRecording(id: string, recording: Recording): Promise<RunRecord | undefined>;
  /** The recording as JSON text. */
  recording(id: string): Promise<string | undefined>;
  /** Removes a run's events, because the page is reporting it from the start again. */
  clearEvents(id: string): Promise<void>;
  remove(id: string): Promise<void>;
  /** Pinned runs are never thinned or removed automatically. Rejects with `RUNS_PINNED` if they would use all space. */
  pin(id: string, pinned: boolean): Promise<void>;
  /**
   * Thins and removes runs until all limits are met. Returns which ones.
   * @param current ID of the run that was just stored, which stays if possible
   */
  enforceLimits(current: string | null): Promise<Retained[]>;
  nextNumber(subject: string): Promise<number>;
  payloads(subject: string): Promise<SavedPayload[]>;
  savePayload(payload: SavedPayload): Promise<void>;
  removePayload(subject: string, name: string): Promise<void>;
  /** What an action is debugged with, such as its breakpoints, as text. */
  debugging(subject: string, name: string): Promise<string | undefined>;
  putDebugging(subject: string, name: string, text: string): Promise<void>;
  /** Counts quarantined records. */
  countQuarantined(): Promise<number>;
}
