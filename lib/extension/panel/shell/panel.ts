/** Owns the panel's whole state, put together from its parts. */
import { computed, effect, signal, untracked, type ReadonlySignal } from '@preact/signals';
import type { Result } from '../../../platform-api/errors.ts';
import { DEFAULT_NAMESPACE } from '../../../platform-api/limits.ts';
import type { RunInspector } from '../../inspector/run/types.ts';
import type { RemoteValue } from '../../inspector/contract.ts';
import type { OAuth2InspectorOptions } from '../../inspector/oauth2/inspector.ts';
import type { Send } from '../../messaging/protocol.ts';
import { createCatalog, type Catalog, type Memory } from './catalog.ts';
import { createPage, debugSubject, subjectOf, type PageStore } from './page.ts';
import { payloadText } from '../run/payload/payload.ts';
import { createPayloads, type Payloads } from '../run/payload/payloads.ts';
import type { RunStore } from '../run/history/run-store.ts';
import { createRuns, type Runs } from '../run/runs.ts';
import { createSelection, type Selection } from '../run/selection.ts';
import { PanelRegistry } from './registry.ts';
import { createTabs, type PanelTabs } from './tabs.ts';

/** What the panel needs of the browser; the entrypoint wires it. */
export interface PanelOptions {
  send: Send;
  inspector: RunInspector;
  /** What the inspector of logins is made with, when its tab is first opened. */
  logins: OAuth2InspectorOptions;
  store: RunStore;
  /** The inspected tab. */
  tabId: number;
  memory: Memory;
  openOptions: () => void;
  /** False when the browser did not let us. */
  copyText: (text: string) => Promise<boolean>;
  saveFile: (name: string, text: string) => void;
}

export interface Panel {
  readonly tabs: PanelTabs;
  /** What the state of tabs is made with that are loaded when they are first opened. */
  readonly services: Pick<PanelOptions, 'send' | 'store' | 'inspector' | 'logins' | 'tabId' | 'memory' | 'saveFile'>;
  readonly catalog: Catalog;
  readonly page: PageStore;
  readonly runs: Runs;
  readonly payloads: Payloads;
  readonly selection: Selection;
  /** Ids of app and action in the tab, by name where the lists tell it; null when the page names none. */
  readonly inTab: ReadonlySignal<{ app: string; action: string; mode: string | null } | null>;
  readonly cannotRun: ReadonlySignal<string | null>;
  readonly breaks: ReadonlySignal<ReadonlySet<string>>;
  readonly canReload: boolean;
  readonly canSource: boolean;
  run(): Promise<void>;
  runAgain(): Promise<void>;
  open(): Promise<void>;
  /** The subject of an action of the chosen app: what its payloads are kept under; null while none is chosen. */
  subjectOfAction(actionId: number): string | null;
  /** Goes to tab *Run* with this action of the chosen app; with a payload, also to its debug page, where that payload then stands in the editor. */
  openInRun(actionId: number, payload?: string): Promise<void>;
  source(name: string): Promise<void>;
  toggleBreak(name: string): Promise<void>;
  reload(): Promise<void>;
  /** Puts a text on the clipboard; asks the page first for the whole of what was cut, by its handle. */
  copy(text: string, handle?: number): Promise<boolean>;
  expand(handle: number, from: number, count: number): Promise<Result<RemoteValue>>;
  exportRuns(): Promise<void>;
  openOptions(): void;
  /** First look at environments and page. */
  start(): Promise<void>;
  /** Holds the state of the tabs. */
  readonly registry: PanelRegistry;
  /** Disposes of what a tab started, when the panel is disposed of. */
  onDispose(end: () => void): void;
  dispose(): void;
}

export function createPanel(options: PanelOptions): Panel {
  const { inspector, store } = options;
  const registry = new PanelRegistry();
  const catalog = createCatalog(options);
  const tabs = createTabs(options.memory);
  const namespace = (): string => catalog.environment.value?.namespace ?? DEFAULT_NAMESPACE;
  const page = createPage(inspector, namespace);
  const subject = computed(() => (page.state.value ? subjectOf(page.state.value) : null));
  const inTab = computed(() => {
    const env = page.state.value?.env;
    if (env?.appId == null || env.taskId == null) return null;
    const app = catalog.apps.value.value?.find((one) => one.id === env.appId)?.name ?? `app ${env.appId}`;
    const action =
      catalog.actions.value.value?.find((one) => one.id === env.taskId && one.appId === env.appId)?.name ??
      `action ${env.taskId}`;
    return { app, action, mode: env.mode };
  });
  const payloads = createPayloads(store, subject);
  const loops = computed(() => new Map(page.nodes.value.map((node) => [node.path, node.loop])));
  const runs = createRuns({
    inspector,
    store,
    subject,
    title: () => (inTab.peek() ? `${inTab.peek()?.app} · ${inTab.peek()?.action}` : (page.state.peek()?.url ?? '')),
    runInPage: () => page.state.peek()?.run?.id ?? null,
    loopAt: (path) => loops.peek().get(path) ?? null,
  });
  const selection = createSelection(runs);
  const breaks = signal<ReadonlySet<string>>(new Set());
  const cannotRun = computed(() => {
    if (runs.live.value || runs.starting.value) return 'A run is going on: wait for its end, or stop it.';
    if (page.lost.value) return page.lost.value.message;
    if (!page.state.value) return 'The page is being looked at.';
    if (page.hint.value) return `${page.hint.value.title}.`;
    return payloads.check.value.problem?.message ?? null;
  });
  const isBusy = (): boolean => page.lost.peek()?.code === 'PAGE_BUSY';
  const settle = (answer: Result<unknown>): boolean => {
    if (!answer.ok) runs.report(answer.error);
    return answer.ok;
  };
  const unsubscribe = inspector.subscribe((event) => {
    page.onEvent(event);
    runs.onEvent(event);
  });

  const ends: (() => void)[] = [
    // The other tabs do well without an app's actions, and without what goes wrong when they are read.
    effect(() => {
      if (
        !['run', 'actions'].includes(tabs.current.value) ||
        catalog.appId.value === null ||
        catalog.actions.value.state !== 'idle'
      )
        return;
      untracked(() => void catalog.refreshActions());
    }),
  ];
  let stopLooking: (() => void) | null = null;
  let stopFollowing: (() => void) | null = null;

  async function run(): Promise<void> {
    if (cannotRun.peek() === null) await runs.start(payloadText(payloads.text.peek()));
  }

  async function open(): Promise<void> {
    if (catalog.cannotOpen.peek() !== null) return;
    const busy = isBusy();
    // Neither payload nor run may be meant for the page that is still there.
    page.leave();
    if (await catalog.open(busy)) runs.close();
    await page.look(namespace());
  }

  function subjectOfAction(actionId: number): string | null {
    const environment = catalog.environment.value;
    const appId = catalog.appId.value;
    return environment && appId !== null ? debugSubject(new URL(environment.baseUrl).origin, appId, actionId) : null;
  }

  return {
    services: options,
    registry,
    tabs,
    catalog,
    page,
    runs,
    payloads,
    selection,
    inTab,
    cannotRun,
    breaks,
    canReload: inspector.capabilities.reload,
    canSource: inspector.capabilities.source,
    run,
    async runAgain() {
      const again = runs.shown.peek()?.record.payload;
      if (again === undefined || runs.live.peek()) return;
      payloads.setText(again);
      await run();
    },
    open,
    subjectOfAction,
    async openInRun(actionId, payload) {
      const of = subjectOfAction(actionId);
      catalog.chooseAction(actionId);
      tabs.open('run');
      if (payload === undefined || of === null) return;
      payloads.setTextOf(of, payload);
      await open();
    },
    async source(name) {
      settle(await inspector.openSource(name));
    },
    async toggleBreak(name) {
      const on = !breaks.peek().has(name);
      if (!settle(await inspector.setBreakpoint(name, on))) return;
      const next = new Set(breaks.peek());
      if (on) next.add(name);
      else next.delete(name);
      breaks.value = next;
    },
    async reload() {
      // DevTools' own reload waits for the page to give way, which a page in an endless loop never does.
      if (isBusy() && (await catalog.reopen(page.state.peek()?.url ?? '')) !== null)
        return void (await page.look(namespace()));
      // The page of an environment needs its token for every load.
      if (await catalog.allowReload(page.state.peek()?.url ?? '')) settle(await inspector.reloadWithAgent());
    },
    async copy(text, handle) {
      if (handle === undefined) return options.copyText(text);
      const whole = await inspector.text(handle);
      // A part of the text would be taken for the whole.
      return settle(whole) && whole.ok ? options.copyText(whole.value) : false;
    },
    expand: (handle, from, count) => inspector.expand(handle, from, count),
    async exportRuns() {
      const file = await runs.exportRuns();
      if (file !== null) options.saveFile('platform-runs.json', file);
    },
    openOptions: options.openOptions,
    async start() {
      // Also again whenever the chosen environment names the platform otherwise.
      stopLooking ??= effect(() => void page.look(namespace()));
      stopFollowing ??= effect(() => {
        const address = page.state.value?.url;
        if (address && catalog.environments.value.state === 'ready') untracked(() => void catalog.follow(address));
      });
      await catalog.refresh();
    },
    onDispose(end) {
      ends.push(end);
    },
    dispose() {
      registry.dispose();
      for (const end of ends) end();
      stopLooking?.();
      stopFollowing?.();
      unsubscribe();
      payloads.dispose();
      runs.dispose();
      selection.dispose();
      inspector.dispose();
    },
  };
}
