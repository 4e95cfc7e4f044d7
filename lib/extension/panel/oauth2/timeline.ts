/** Collects a bounded number of timeline entries, and derives the rows that match the filters. */
import { batch, computed, signal } from '@preact/signals';
import { readStored, writeStored, type StringStorage } from '../../../shared/stored-value.ts';
import { RenderThrottle } from '../shared/render-throttle.ts';
import { FlowIds } from './flow-ids.ts';
import { type FlowFilter, flowsOf, matches, rowsOf } from './flow-rows.ts';
import type { Entry, EntryDetail } from './types.ts';

const MAX_ENTRIES = 10_000;
/** When there are too many entries, this many are removed at once, because each removal copies the list. */
const REMOVED_AT_ONCE = 1_000;
/** Minimum time between renders of a growing timeline, in milliseconds. A long timeline takes longer to render. */
const RENDER_INTERVAL = 150;
const LONG_RENDER_INTERVAL = 500;
const LONG = 2_000;
const PRESERVE_LOG_KEY = 'platform-devtools.oauth2-keep';
const NO_FILTER: FlowFilter = { text: '', service: '', kind: 'all' };

export class Timeline {
  readonly preserveLog;
  readonly filter = signal<FlowFilter>(NO_FILTER);
  /** The selected row's key. */
  readonly selected = signal<string | null>(null);
  readonly #collapsed = signal<ReadonlySet<number>>(new Set());
  readonly #throttle = new RenderThrottle();
  readonly #flowIds = new FlowIds();
  readonly #storage: StringStorage;
  readonly #now: () => number;
  /** Grows in place, so readers must depend on the throttle's version. */
  #entries: Entry[] = [];
  #dropped = 0;
  #count = 0;

  /** Number of events missing from the timeline, because there were too many. */
  readonly dropped = computed(() => (void this.#throttle.version.value, this.#dropped));
  readonly entries = computed(() => (void this.#throttle.version.value, this.#entries.slice()));
  readonly flows = computed(() => flowsOf(this.entries.value));
  readonly rows = computed(() => rowsOf(this.flows.value, this.filter.value, this.#collapsed.value));

  constructor(storage: StringStorage, now: () => number) {
    this.#storage = storage;
    this.#now = now;
    this.preserveLog = signal(readStored(storage, PRESERVE_LOG_KEY) !== 'false');
  }

  /** Call `render` after adding the last entry. */
  add(documentId: string, service: string, detail: EntryDetail, at = this.#now()): void {
    const flow = this.#flowIds.assign(documentId, service, detail);
    this.#entries.push({ id: ++this.#count, documentId, at, service, flow, detail });
    if (this.#entries.length <= MAX_ENTRIES) return;
    this.#entries = this.#entries.slice(REMOVED_AT_ONCE);
    this.#dropped += REMOVED_AT_ONCE;
  }

  addDropped(documentId: string, count: number): void {
    this.#dropped += count;
    this.add(documentId, '', { kind: 'dropped', count });
  }

  render(): void {
    this.#throttle.renderAfter(this.#entries.length > LONG ? LONG_RENDER_INTERVAL : RENDER_INTERVAL);
  }

  setPreserveLog(preserve: boolean): void {
    this.preserveLog.value = preserve;
    writeStored(this.#storage, PRESERVE_LOG_KEY, String(preserve));
  }

  setExpanded(flow: number, isExpanded: boolean): void {
    const collapsed = new Set(this.#collapsed.peek());
    if (isExpanded) collapsed.delete(flow);
    else collapsed.add(flow);
    this.#collapsed.value = collapsed;
  }

  /** Selects an entry even if it's hidden by a filter or a collapsed flow. Does nothing if the entry was dropped. */
  reveal(entryId: number): void {
    const flow = this.flows.peek().find(({ entries }) => entries.some((entry) => entry.id === entryId));
    if (!flow) return;
    if (!matches(flow, this.filter.peek())) this.clearFilter();
    this.setExpanded(flow.id, true);
    const rows = this.rows.peek();
    const row = rows.find(({ entry }) => entry?.id === entryId) ?? rows.find((each) => each.flow === flow);
    this.selected.value = row?.key ?? null;
  }

  readonly clearFilter = (): void => {
    this.filter.value = NO_FILTER;
  };

  readonly clear = (): void => {
    this.#entries = [];
    this.#dropped = 0;
    batch(() => {
      this.selected.value = null;
      this.#collapsed.value = new Set();
      this.#throttle.renderNow();
    });
  };

  dispose(): void {
    this.#throttle.dispose();
  }
}
