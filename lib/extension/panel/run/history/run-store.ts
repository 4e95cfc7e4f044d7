/** Owns what is kept of past runs and saved payloads, and how it is asked for. */
import type { AgentEvent, PageState } from '../../../inspector/contract.ts';
import type { RunState } from '../trace.ts';

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

export interface SavedPayload {
  subject: string;
  name: string;
  text: string;
  savedAt: number;
}

/** Every method rejects with a `CodedError`: `RUNS_NEWER`, `RUNS_BLOCKED`, `RUNS_DAMAGED`, `RUNS_UNAVAILABLE`, `RUNS_FULL`. */
export interface RunStore {
  /** Newest first; of all subjects when none is given. */
  list(subject?: string): Promise<RunRecord[]>;
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
  /** How many damaged records are quarantined. */
  countQuarantined(): Promise<number>;
}
