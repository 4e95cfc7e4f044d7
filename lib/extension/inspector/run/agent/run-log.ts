/** The document's numbered, bounded log of run events. Steps are kept as data, and written in bulk when they're read. */
import { write, writtenLength } from '../../agent/json.ts';
import type { AgentEvent, StepState } from '../../contract.ts';
import {
  type CompactChange,
  type CompactEvent,
  type CompactStep,
  type Definition,
  ENDED,
  STARTED,
  STARTED_AND_ENDED,
  STEP_STATES,
  type StepRest,
} from '../event-format.ts';

/** More than a run of 100,000 steps reports. */
const MAX_EVENTS = 250_000;
/** The total size of the events, in characters, more or less. */
const MAX_CHARS = 24 * 1024 * 1024;

/** A step's definition. `batch` is the latest batch that contains it. */
export interface Site {
  definition: Definition;
  size: number;
  batch: number;
}
export interface StepEntry {
  type: typeof STARTED | typeof ENDED | typeof STARTED_AND_ENDED;
  /** The number of its event. The end of a step that has both has the next number. */
  n: number;
  /** ID of the run. */
  runId: string;
  size: number;
  step: number;
  at: number;
  parent: number;
  /** Null in an end. */
  site: Site | null;
  iteration: readonly number[];
  changes: CompactChange[];
  end: number;
  state: number;
  endChanges: CompactChange[];
  rest: StepRest | undefined;
}
type OtherEvent = Exclude<AgentEvent, { kind: 'step-started' | 'step-ended' }>;
interface OtherEntry {
  type: null;
  n: number;
  runId: string;
  size: number;
  event: OtherEvent;
}
type Entry = StepEntry | OtherEntry;

export class RunLog {
  /** Oldest first, from index `#head`. Null if the log has dropped the entry. */
  #entries: (Entry | null)[] = [];
  #head = 0;
  #lastSeq = 0;
  #chars = 0;
  /** The highest number that a reader has had, and the highest that one was given. */
  #readUpTo = 0;
  #sentUpTo = 0;
  #forgottenUpTo = 0;
  #batch = 0;
  /** How the latest run ended. */
  #end: OtherEvent | null = null;
  readonly #maxEvents: number;
  readonly #maxChars: number;

  constructor(maxEvents = MAX_EVENTS, maxChars = MAX_CHARS) {
    this.#maxEvents = maxEvents;
    this.#maxChars = maxChars;
  }

  lastSeq(): number {
    return this.#lastSeq;
  }

  /** Adds an entry, and sets its number. */
  add(entry: Entry): void {
    entry.n = ++this.#lastSeq;
    this.#entries[this.#entries.length] = entry;
    if (entry.type === null && entry.event.kind === 'run-ended') this.#end = entry.event;
    this.#grow(entry.size);
  }

  /** Adds a step's end to its start, which must be the newest entry and unread. Returns false if it isn't. */
  addEnd(entry: StepEntry, end: number, state: number, changes: CompactChange[], rest: StepRest | undefined): boolean {
    if (entry.n !== this.#lastSeq || entry.n <= this.#sentUpTo) return false;
    this.#lastSeq++;
    entry.type = STARTED_AND_ENDED;
    entry.end = end;
    entry.state = state;
    entry.endChanges = changes;
    entry.rest = rest;
    const size = sizeOfEnd(changes, rest);
    entry.size += size;
    this.#grow(size);
    return true;
  }

  /**
   * `events`: JSON text of the list of events after a sequence number. About `maxChars` long, but with at least one
   * event. `runId`: the run of the first one.
   * `dropped`: the number of requested events that the log no longer has.
   * `ahead`: the end of the latest run, if that has completed and comes after these events.
   */
  read(
    after: number,
    maxChars: number,
  ): { events: string; runId: string; dropped: number; ahead: OtherEvent | undefined } {
    const { events, ...batch } = this.readData(after, maxChars);
    return { ...batch, events: write(events) };
  }

  /** The same, not written as text. */
  readData(
    after: number,
    maxChars: number,
  ): { events: CompactEvent[]; runId: string; dropped: number; ahead: OtherEvent | undefined } {
    if (after > this.#readUpTo && after <= this.#lastSeq) this.#readUpTo = after;
    this.#batch++;
    const events: CompactEvent[] = [];
    const first = this.#indexAfter(after);
    let chars = 0;
    let last = after;
    for (let i = first; i < this.#entries.length && (i === first || chars < maxChars); i++) {
      const entry = this.#entries[i]!;
      chars += entry.size;
      if (entry.type !== null && entry.site && entry.site.batch !== this.#batch) chars += entry.site.size;
      events[events.length] = entry.type === null ? entry.event : this.#compactStep(entry);
      last = lastOf(entry);
      if (last > this.#sentUpTo) this.#sentUpTo = last;
    }
    const known = after < this.#forgottenUpTo ? this.#forgottenUpTo : after;
    const oldest = this.#oldest();
    return {
      events,
      runId: events.length > 0 ? this.#entries[first]!.runId : '',
      dropped: known < oldest - 1 ? oldest - 1 - known : 0,
      ahead: this.#completedAfter(last),
    };
  }

  /** Deletes the events that have been read: those up to the highest `after` so far. They don't count as dropped. */
  forgetRead(): void {
    while (this.#head < this.#entries.length && lastOf(this.#entries[this.#head]!) <= this.#readUpTo)
      this.#dropOldest();
    if (this.#readUpTo > this.#forgottenUpTo) this.#forgottenUpTo = this.#readUpTo;
  }

  #completedAfter(last: number): OtherEvent | undefined {
    const end = this.#end;
    return end?.kind === 'run-ended' && end.state === 'completed' && end.n > last ? end : undefined;
  }

  #oldest(): number {
    return this.#head < this.#entries.length ? this.#entries[this.#head]!.n : this.#lastSeq + 1;
  }

  /** The index of the first entry with an event after this number. */
  #indexAfter(after: number): number {
    let from = this.#head;
    let to = this.#entries.length;
    while (from < to) {
      const middle = (from + to) >> 1;
      if (lastOf(this.#entries[middle]!) > after) to = middle;
      else from = middle + 1;
    }
    return from;
  }

  #grow(size: number): void {
    this.#chars += size;
    while (this.#isTooLarge() && this.#head < this.#entries.length - 1) this.#dropOldest();
  }

  #isTooLarge(): boolean {
    return this.#chars > this.#maxChars || this.#lastSeq - this.#oldest() >= this.#maxEvents;
  }

  #dropOldest(): void {
    this.#chars -= this.#entries[this.#head]!.size;
    this.#entries[this.#head++] = null;
    if (this.#head < 10_000 || this.#head < this.#entries.length / 2) return;
    const rest: (Entry | null)[] = [];
    for (let i = this.#head; i < this.#entries.length; i++) rest[rest.length] = this.#entries[i]!;
    this.#entries = rest;
    this.#head = 0;
  }

  #compactStep(entry: StepEntry): CompactStep {
    const { n, step, at, parent, iteration, changes, end, state, endChanges, rest } = entry;
    if (entry.type === ENDED)
      return rest ? [ENDED, n, step, end, state, endChanges, rest] : [ENDED, n, step, end, state, endChanges];
    const definition = this.#definitionOf(entry.site!);
    if (entry.type === STARTED) return [STARTED, n, step, at, parent, definition, iteration, changes];
    return rest
      ? [STARTED_AND_ENDED, n, step, at, parent, definition, iteration, changes, end, state, endChanges, rest]
      : [STARTED_AND_ENDED, n, step, at, parent, definition, iteration, changes, end, state, endChanges];
  }

  /** The definition, or its ID if it's in this batch already. */
  #definitionOf(site: Site): number | Definition {
    if (site.batch === this.#batch) return site.definition[0];
    if (site.definition[0] > 0) site.batch = this.#batch;
    return site.definition;
  }
}

function lastOf({ type, n }: Entry): number {
  return type === STARTED_AND_ENDED ? n + 1 : n;
}

/** The size of a step's end beyond that of a step. */
export function sizeOfEnd(changes: CompactChange[], rest: StepRest | undefined): number {
  return (changes.length ? writtenLength(changes) : 0) + (rest ? writtenLength(rest) : 0);
}

/** The index of a state in `STEP_STATES`. */
export function stateNumber(state: StepState): number {
  for (let i = 0; i < STEP_STATES.length; i++) if (STEP_STATES[i] === state) return i;
  return 0;
}
