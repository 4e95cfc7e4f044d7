/** Owns tab *OAuth2*: what is known of the page's logins, the timeline as it grows, and what a person does there. */
import { batch, computed, effect, signal, type ReadonlySignal, type Signal } from '@preact/signals';
import type { ErrorValue, Result } from '../../../platform-api/errors.ts';
import { DEFAULT_NAMESPACE } from '../../../platform-api/limits.ts';
import {
  type ActionRequest,
  type ApiResponse,
  createOAuth2Inspector,
  type OAuth2Inspector,
  type OAuth2InspectorEvent,
} from '../../inspector/oauth2/index.ts';
import type { Panel } from '../shell/panel.ts';
import { RenderThrottle } from '../shared/render-throttle.ts';
import { writeFlowFile } from './flow-file.ts';
import { createFlowNumbers } from './flows.ts';
import { type Flow, type FlowFilter, flowsOf, type Row, rowsOf } from './rows.ts';
import type { Entry, EntryDetail, OAuth2Page, OAuth2State, PageService, Probe } from './types.ts';

const MOST_ENTRIES = 10_000;
/** So many go at once when there are more: taking one by one would cost a copy each. */
const GO_AT_ONCE = 1_000;
/** Milliseconds between two drawings of a timeline that grows; of a long one, which takes longer to draw and nobody can follow. */
const DRAW_EVERY = 150;
const DRAW_LONG_EVERY = 500;
const LONG = 2_000;
const KEEP_KEY = 'platform-devtools.oauth2-keep';

/** What a person began and has not seen the end of. */
export interface Working {
  id: number;
  action: ActionRequest['action'];
  service: string;
  state: 'waiting' | 'started';
}

export interface OAuth2Store {
  readonly page: ReadonlySignal<OAuth2Page | null>;
  /** The page can't be asked. */
  readonly lost: ReadonlySignal<ErrorValue | null>;
  readonly error: ReadonlySignal<ErrorValue | null>;
  readonly flows: ReadonlySignal<readonly Flow[]>;
  readonly rows: ReadonlySignal<readonly Row[]>;
  readonly filter: Signal<FlowFilter>;
  /** Events that are not in the timeline, because there were too many. */
  readonly dropped: ReadonlySignal<number>;
  readonly keep: ReadonlySignal<boolean>;
  /** The service that is shown. */
  readonly service: ReadonlySignal<PageService | null>;
  /** Key of the chosen row. */
  readonly selected: Signal<string | null>;
  readonly working: ReadonlySignal<readonly Working[]>;
  readonly answer: ReadonlySignal<{ service: string; answer: ApiResponse } | null>;
  /** All that is known, as `diagnose` takes it. */
  readonly state: ReadonlySignal<OAuth2State>;
  readonly canReload: boolean;
  choose(service: string): void;
  setKeep(keep: boolean): void;
  fold(flow: number, isFolded: boolean): void;
  clear(): void;
  exportEntries(): void;
  act(request: ActionRequest): Promise<void>;
  cancel(id: number): Promise<void>;
  reveal(service: string, path: string[]): Promise<string | null>;
  probe: Probe;
  look(): Promise<void>;
  reloadWithAgent(): Promise<void>;
  dismiss(): void;
  dispose(): void;
}

/** For so many milliseconds no page may be there, between one and the next: that is no loss yet. */
const LOADING = 1_500;

const stores = new WeakMap<Panel, OAuth2Store>();

/** The panel's one store, made when the tab is first opened; from then on the page is looked at, whichever tab is open. */
export function oauth2Of(panel: Panel): OAuth2Store {
  let store = stores.get(panel);
  if (!store) {
    const { services, catalog } = panel;
    store = createOAuth2Store({
      inspector: createOAuth2Inspector(services.logins),
      namespace: () => catalog.environment.value?.namespace ?? DEFAULT_NAMESPACE,
      memory: services.memory,
      saveFile: services.saveFile,
      allowReload: () => catalog.allowReload(panel.page.state.peek()?.url ?? ''),
    });
    stores.set(panel, store);
    panel.onDispose(store.dispose);
  }
  return store;
}

export interface OAuth2StoreOptions {
  inspector: OAuth2Inspector;
  /** Read within an effect: another environment may name the platform otherwise. */
  namespace: () => string;
  memory: Pick<Storage, 'getItem' | 'setItem'>;
  saveFile: (name: string, text: string) => void;
  /** Whether the page may be loaded anew: one of an environment needs its token for that. What stands in the way is said above the tab. */
  allowReload: () => Promise<boolean>;
  now?: () => number;
}

export function createOAuth2Store({
  inspector,
  namespace,
  memory,
  saveFile,
  allowReload,
  now = Date.now,
}: OAuth2StoreOptions): OAuth2Store {
  const page = signal<OAuth2Page | null>(null);
  const lost = signal<ErrorValue | null>(null);
  const error = signal<ErrorValue | null>(null);
  const drawing = new RenderThrottle();
  const dropped = signal(0);
  const keep = signal(recall(memory));
  const chosen = signal<string | null>(null);
  const selected = signal<string | null>(null);
  const folded = signal<ReadonlySet<number>>(new Set());
  const filter = signal<FlowFilter>({ text: '', service: '', kind: 'all' });
  const working = signal<readonly Working[]>([]);
  const answer = signal<{ service: string; answer: ApiResponse } | null>(null);
  const numbers = createFlowNumbers();
  /** Grows in place: read it after `version`. */
  let entries: Entry[] = [];
  let count = 0;

  const flows = computed(() => (void drawing.version.value, flowsOf(entries)));
  const rows = computed(() => rowsOf(flows.value, filter.value, folded.value));
  const service = computed(() => {
    const services = page.value?.services ?? [];
    return services.find((one) => one.name === chosen.value) ?? services[0] ?? null;
  });
  const state = computed<OAuth2State>(
    () => (
      void drawing.version.value,
      {
        page: page.value,
        services: page.value?.services ?? [],
        entries: entries.slice(),
        dropped: dropped.value,
        now: now(),
      }
    ),
  );

  const grown = (): void => drawing.renderAfter(entries.length > LONG ? DRAW_LONG_EVERY : DRAW_EVERY);

  function add(documentId: string, at: number, of: string, detail: EntryDetail): void {
    entries.push({ id: ++count, documentId, at, service: of, flow: numbers.of(documentId, of, detail), detail });
    if (entries.length <= MOST_ENTRIES) return;
    entries = entries.slice(GO_AT_ONCE);
    dropped.value += GO_AT_ONCE;
  }

  let losing: ReturnType<typeof setTimeout> | undefined;
  function lose(reason: ErrorValue): void {
    clearTimeout(losing);
    if (page.peek() && reason.code === 'PAGE_UNREACHABLE') losing = setTimeout(() => (lost.value = reason), LOADING);
    else lost.value = reason;
  }
  function regain(): void {
    clearTimeout(losing);
    lost.value = null;
  }

  function onEvent(event: OAuth2InspectorEvent): void {
    switch (event.kind) {
      case 'page':
        return onPage(event.page, event.newDocument);
      case 'events':
        for (const { n: _n, at, service: of, ...detail } of event.events) {
          add(event.documentId, at, of, detail as EntryDetail);
          if (detail.kind === 'action') onAction(of, detail);
        }
        return grown();
      case 'dropped':
        dropped.value += event.count;
        add(event.documentId, now(), '', { kind: 'dropped', count: event.count });
        return grown();
      case 'lost':
        return lose(event.error);
      case 'back':
        return regain();
    }
  }

  function onPage(next: OAuth2Page, isNew: boolean): void {
    const before = page.peek();
    batch(() => {
      page.value = next;
      regain();
      if (!isNew) return;
      // What went on in the document before ended with it.
      working.value = [];
      answer.value = null;
      if (!before) return;
      if (!keep.peek()) clear();
      add(next.documentId, now(), '', { kind: 'navigated', url: next.url, origin: next.origin });
      grown();
    });
  }

  function onAction(of: string, { id, state }: Extract<EntryDetail, { kind: 'action' }>): void {
    const mine = working.peek().find((one) => one.id === id && one.service === of);
    if (!mine) return;
    const isOver = state !== 'waiting' && state !== 'started';
    working.value = isOver
      ? working.peek().filter((one) => one !== mine)
      : working.peek().map((one) => (one === mine ? { ...one, state } : one));
    if (isOver && mine.action === 'api') void fetchAnswer(mine);
  }
  async function fetchAnswer({ id, service: of }: Working): Promise<void> {
    const got = settle(await inspector.apiResponse(id));
    if (got?.answer) answer.value = { service: of, answer: got.answer };
  }

  function settle<T>(result: Result<T>): T | null {
    if (result.ok) return result.value;
    error.value = result.error;
    return null;
  }

  function clear(): void {
    entries = [];
    batch(() => {
      dropped.value = 0;
      selected.value = null;
      folded.value = new Set();
      drawing.renderNow();
    });
  }

  const unsubscribe = inspector.subscribe(onEvent);
  const stopLooking = effect(() => void look(namespace()));
  async function look(name?: string): Promise<void> {
    const looked = await inspector.attach(name);
    if (!looked.ok) lost.value = looked.error;
  }

  return {
    page,
    lost,
    error,
    flows,
    rows,
    filter,
    dropped,
    keep,
    service,
    selected,
    working,
    answer,
    state,
    canReload: inspector.canReload,
    choose(name) {
      chosen.value = name;
    },
    setKeep(next) {
      keep.value = next;
      try {
        memory.setItem(KEEP_KEY, String(next));
      } catch {
        // A browser that stores nothing forgets the choice, no more.
      }
    },
    fold(flow, isFolded) {
      const next = new Set(folded.peek());
      if (isFolded) next.add(flow);
      else next.delete(flow);
      folded.value = next;
    },
    clear,
    exportEntries: () => saveFile('platform-oauth2.json', writeFlowFile(state.peek())),
    async act(request) {
      error.value = null;
      if (request.action === 'api') answer.value = null;
      const begun = settle(await inspector.startAction(request));
      if (begun)
        working.value = [
          ...working.peek(),
          { id: begun.id, action: request.action, service: request.service, state: 'started' },
        ];
    },
    async cancel(id) {
      // Not known to the page any more: then nothing goes on.
      if (settle(await inspector.cancel(id)) === false) working.value = working.peek().filter((one) => one.id !== id);
    },
    reveal: async (of, path) => settle(await inspector.reveal(of, path))?.text ?? null,
    probe: (request) => inspector.probe(request),
    look: () => look(),
    async reloadWithAgent() {
      if (await allowReload()) settle(await inspector.reloadWithAgent());
    },
    dismiss() {
      error.value = null;
    },
    dispose() {
      clearTimeout(losing);
      drawing.dispose();
      stopLooking();
      unsubscribe();
      inspector.dispose();
    },
  };
}

function recall(memory: Pick<Storage, 'getItem'>): boolean {
  try {
    return memory.getItem(KEEP_KEY) !== 'false';
  } catch {
    return true;
  }
}
