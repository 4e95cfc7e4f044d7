/** The state of the whole panel: its parts, and commands that involve several of them. */
import { computed, effect, type ReadonlySignal, signal, untracked } from '@preact/signals';
import type { Action } from '../../../platform-api/action.ts';
import { toErrorValue } from '../../../platform-api/coded-error.ts';
import type { ErrorValue, Result } from '../../../platform-api/errors.ts';
import { DEFAULT_NAMESPACE } from '../../../platform-api/limits.ts';
import type { StringStorage } from '../../../shared/stored-value.ts';
import type { DebugOptions, RemoteValue } from '../../inspector/contract.ts';
import type { PageApi } from '../../inspector/api/page-api.ts';
import type { PageCode } from '../../inspector/migrate/page-code.ts';
import type { OAuth2Inspector } from '../../inspector/oauth2/inspector.ts';
import type { PagePosition } from '../../inspector/page-pause.ts';
import type { RunInspector } from '../../inspector/run/types.ts';
import type { OptionsForm } from '../../messaging/options-page.ts';
import type { Send } from '../../messaging/protocol.ts';
import type { RunRecord, RunStore } from '../run/history/run-store.ts';
import { createBackendOf } from '../actions/backend/choose.ts';
import type { BackendOf } from '../actions/backend/types.ts';
import { AllRuns } from '../run/history/all-runs.ts';
import type { StoredData } from '../../messaging/stored-changes.ts';
import { Payloads } from '../run/payload/payloads.ts';
import { MockDocuments } from '../run/mocks/mock-document.ts';
import { MockEditor } from '../run/mocks/mock-editor.ts';
import { Mocks } from '../run/mocks/mocks.ts';
import type { PipelineNode } from '../run/pipeline-tree.ts';
import type { Progress } from '../run/run-clock.ts';
import { RunDebug } from '../run/debug/run-debug.ts';
import { EngineChoice } from '../run/engine-choice.ts';
import type { TraceStep } from '../run/trace.ts';
import type { Recording } from '../../../debugging/recording/format.ts';
import { readImport } from '../run/recordings/import-file.ts';
import { Recordings } from '../run/recordings/recordings.ts';
import { RunRecordings } from '../run/why/run-recordings.ts';
import { RunWhy } from '../run/why/run-why.ts';
import { Runs, type ShownRun } from '../run/runs.ts';
import { maskedStore } from '../run/secrets/masked-store.ts';
import { RunMask } from '../run/secrets/run-mask.ts';
import { Selection } from '../run/selection.ts';
import { ProductionGuard } from '../shared/production-guard.ts';
import { actionToOpen } from './action-to-open.ts';
import { Catalog, STALE_FOR_FOCUS } from './catalog.ts';
import { namesInTab, templateSubject } from './in-tab.ts';
import { lateModule } from '../shared/late-module.ts';
import { Preference } from '../shared/preference.ts';
import { debugSubject, PageStore, subjectOf } from './page/page.ts';
import { actionInPage } from './page/page-action.ts';
import { PanelRegistry } from './registry.ts';
import { type PageRun, pageRunOf } from './page/page-run.ts';
import { PageOpener } from './page/page-opener.ts';
import { PageVersion } from './page/page-version.ts';
import { RunStarter, type RunStarterOptions } from './run-starter.ts';
import { createTabs, type TabId } from './tabs.ts';

/** The panel's dependencies on the browser. The entrypoint provides them. */
export interface PanelOptions {
  send: Send;
  inspector: RunInspector;
  /** Doesn't touch the page until the *OAuth2* tab is first opened. */
  oauth2Inspector: OAuth2Inspector;
  pageApi: Pick<PageApi, 'call'>;
  pageCode: PageCode;
  store: RunStore;
  /** ID of the inspected tab. */
  tabId: number;
  memory: StringStorage;
  openOptions: (form?: OptionsForm) => void;
  /** Resolves to false if the browser refused. */
  copyText: (text: string) => Promise<boolean>;
  saveFile: (name: string, text: string) => void;
}

const NO_NODES: readonly PipelineNode[] = [];

const isSamePipeline = (one: readonly PipelineNode[], other: readonly PipelineNode[]): boolean =>
  JSON.stringify(rootsOf(one)) === JSON.stringify(rootsOf(other));

const rootsOf = (nodes: readonly PipelineNode[]): unknown[] =>
  nodes.filter(({ depth }) => depth === 0).map(({ source }) => source);

export class Panel {
  /** For tabs that create their state when first opened. */
  readonly services: PanelOptions;
  /** Holds those tabs' state. */
  readonly registry = new PanelRegistry();
  readonly tabs;
  readonly backendOf: BackendOf;
  readonly guard: ProductionGuard;
  readonly catalog: Catalog;
  readonly page: PageStore;
  readonly payloads: Payloads;
  readonly mockDocuments: MockDocuments;
  /** The mocks of the action that *Run* runs. */
  readonly mocks: Mocks;
  readonly mockEditor: MockEditor;
  /** Recordings of stored runs. */
  readonly recordingsOf: RunRecordings;
  /** Why the `if` steps of the displayed run took their branches. */
  readonly why: RunWhy;
  readonly engine: EngineChoice;
  readonly runs: Runs;
  readonly allRuns: AllRuns;
  readonly recordings: Recordings;
  readonly selection: Selection;
  readonly debug: RunDebug;
  /** Names of the tab's app and action, or their IDs if the names are unknown; null if the page has none. */
  readonly inTab = computed(() => namesInTab(this.catalog, this.page));
  /** Whether the toolbar selects the action in the tab. */
  readonly isSelectedInTab = computed(() => this.toOpen.value === null && this.catalog.target.value !== null);
  /** The selected action, if the tab has another page. */
  readonly toOpen = computed(() => actionToOpen(this.catalog, this.page.state.value));
  /** What payload templates are filled with. */
  readonly templateSubject = computed(() => templateSubject(this.catalog, this.page, this.toOpen.value));
  /**
   * Whether the open tab has nothing to show before there is an environment. OAuth2 needs none, and neither do debug
   * pages that were opened by hand.
   */
  readonly needsEnvironment = computed((): boolean => {
    const tab = this.tabs.current.value;
    if (tab === 'oauth2' || this.catalog.environments.value.value?.length !== 0) return false;
    if (tab !== 'run') return true;
    return this.page.state.value?.platform !== 'ready' && !this.runs.shown.value && !this.allRuns.isOpen.value;
  });
  /** Whether the tree shows the pipeline of the opened recording, because it isn’t the page’s. */
  readonly isTreeLocal = computed((): boolean => {
    const run = this.runs.shown.value;
    if (!run?.local) return false;
    return !this.runs.isOfPage(run.record) || !isSamePipeline(run.local.nodes, this.page.nodes.value);
  });
  /** The pipeline that the tree shows: the page’s, or that of the opened recording. */
  readonly treeNodes = computed((): readonly PipelineNode[] => {
    const local = this.isTreeLocal.value ? this.runs.shown.value?.local : undefined;
    return local?.nodes ?? this.page.nodes.value;
  });
  /** The catalog's error, on the tab where it happened. That there are no environments concerns all tabs. */
  readonly catalogError = computed((): ErrorValue | null => {
    const { error, environments } = this.catalog;
    const isHere = this.#errorTab.value === this.tabs.current.value || environments.value.state === 'failed';
    return isHere ? error.value : null;
  });
  /** The tab that was open when the catalog's error happened. */
  readonly #errorTab = signal<TabId | null>(null);
  /** Masks secrets in what is stored and exported of runs. */
  readonly runMask: RunMask;
  readonly version: PageVersion;
  readonly starter: RunStarter;
  /** Why *Run* is disabled; null if it's enabled. */
  readonly cannotRun;
  /** Names of functions with a breakpoint. */
  readonly breaks = signal<ReadonlySet<string>>(new Set());
  /** The action whose migration to V3 the *Actions* tab shows. */
  readonly migrating = signal<Action | null>(null);
  /** Incremented whenever the popup has published, or settled an outcome. */
  readonly publishes = signal(0);
  /** Cancels the import of a file; null if none is imported. */
  readonly importing = signal<AbortController | null>(null);
  /** Whether runs record the bodies of requests. */
  readonly recordBodies: Preference;
  readonly canReload: boolean;
  readonly openOptions: (form?: OptionsForm) => void;
  readonly #opener: PageOpener;
  readonly #disposers: (() => void)[];
  #isStarted = false;
  /** Identifies the payload of the URL in the URL field. */
  #pasted: string | null = null;
  /** ID of the document through which the actions were last loaded automatically. */
  #actionsPage: string | undefined;

  constructor(given: PanelOptions) {
    this.runMask = new RunMask(given.send);
    const services = (this.services = { ...given, store: maskedStore(given.store, this.runMask) });
    const { inspector, store } = services;
    this.openOptions = services.openOptions;
    this.canReload = inspector.capabilities.reload;
    this.tabs = createTabs(services.memory);
    this.backendOf = createBackendOf({
      ...services,
      environments: () => this.catalog.environments.value.value ?? [],
      page: () => this.page.state.value,
    });
    this.catalog = new Catalog({ ...services, backendOf: this.backendOf });
    this.guard = new ProductionGuard({
      send: services.send,
      environments: () => this.catalog.environments.value.value,
    });
    this.engine = new EngineChoice(services.memory, this.catalog.environment);
    this.page = new PageStore(inspector, () => this.#namespace, this.engine.chosen);
    const subject = computed(() => (this.page.state.value ? subjectOf(this.page.state.value) : null));
    const loops = computed(() => new Map(this.page.nodes.value.map(({ path, loop }) => [path, loop])));
    // The payload and the mocks are those of the action that *Run* runs.
    const toRun = computed(() => this.toOpen.value?.subject ?? subject.value);
    this.payloads = new Payloads(store, toRun);
    this.recordingsOf = new RunRecordings(store);
    this.why = new RunWhy(this.recordingsOf);
    this.mockDocuments = new MockDocuments(store);
    this.mocks = this.#createMocks(toRun, subject);
    this.mockEditor = new MockEditor(this.mocks);
    this.recordBodies = new Preference(services.memory, 'platform-devtools.record-bodies');
    this.runs = new Runs({
      recordsBodies: () => this.recordBodies.isOn.peek(),
      inspector,
      store,
      subject,
      title: () => this.#title(),
      action: () => actionInPage(this.catalog, this.page),
      engine: () => this.engine.chosen.peek(),
      runInPage: () => this.page.state.peek()?.run?.id ?? null,
      hasPipeline: () => this.page.noPipeline.peek() === null,
      loopAt: (path) => loops.peek().get(path) ?? null,
      debugOptions: () => this.#debugOptions(),
      masked: (run) => this.runMask.run(run),
      recorded: (record) => this.recordings.recorded(record),
    });
    this.allRuns = new AllRuns(this.runs);
    this.selection = new Selection(this.runs);
    this.recordings = this.#createRecordings();
    const { catalog, page, runs } = this;
    this.version = new PageVersion({ backendOf: this.backendOf, catalog, page, runs });
    this.#opener = new PageOpener({ inspector, catalog, page, runs, namespace: () => this.#namespace });
    this.starter = this.#createStarter();
    this.cannotRun = this.starter.unavailable;
    this.debug = new RunDebug({ ...this, inspector, store, subject });
    const unsubscribe = inspector.subscribe((event) => {
      this.page.onEvent(event);
      this.runs.onEvent(event);
    });
    this.#disposers = [...this.#startEffects(), unsubscribe];
  }

  get #namespace(): string {
    return this.catalog.environment.value?.namespace ?? DEFAULT_NAMESPACE;
  }

  #startEffects(): (() => void)[] {
    return [
      effect(() => this.#loadActionsWhenNeeded()),
      effect(() => this.#endRunOfLostPage()),
      effect(() => this.#takePastedPayload()),
      effect(() => this.#noteErrorTab(this.catalog.error.value)),
    ];
  }

  /** What the next run is debugged with. */
  async #debugOptions(): Promise<DebugOptions> {
    const mocks = this.mocks.activeMocks();
    return { ...(await this.debug.options()), ...(mocks.length > 0 && { mocks }) };
  }

  #createMocks(subject: ReadonlySignal<string | null>, inTab: ReadonlySignal<string | null>): Mocks {
    const { saveFile } = this.services;
    const pipeline = computed(() => this.#pipelineToRun());
    return new Mocks({ documents: this.mockDocuments, subject, inTab, pipeline, saveFile });
  }

  #createStarter(): RunStarter {
    const { catalog, page, payloads, runs, toOpen, mocks, version, guard, engine } = this;
    const { open, reload } = this.#opener;
    const pageRun: RunStarterOptions['pageRun'] = (of) => this.#pageRun(of);
    const parts = { catalog, page, payloads, runs, toOpen, version, guard, engine, mocks };
    return new RunStarter({ ...parts, pageRun, open, reload });
  }

  #pageRun(of: Parameters<RunStarterOptions['pageRun']>[0]): PageRun {
    const { catalog, page, version, mocks } = this;
    const toOpen = of === 'selected' ? this.toOpen.value : null;
    const reloads = of === 'reloaded' || version.isSavedHere.value;
    const reloaded = reloads ? version.reloaded.value : null;
    return pageRunOf({ catalog, page, toOpen, reloaded, mocks: mocks.mocksOf(toOpen?.subject) });
  }

  /** The steps that *Run* runs; null if they're unknown. */
  #pipelineToRun(): unknown {
    const action = this.toOpen.value;
    if (action) return action.action?.functions ?? null;
    const { value: nodes } = this.page.nodes;
    return nodes.length === 0 ? null : rootsOf(nodes);
  }

  #title(): string {
    const inTab = this.inTab.peek();
    return inTab ? `${inTab.app} · ${inTab.action}` : (this.page.state.peek()?.url ?? '');
  }

  /** A page that can't be inspected, such as an error page, has replaced the one with the run. */
  #endRunOfLostPage(): void {
    if (this.page.lost.value?.code === 'PAGE_UNREACHABLE') untracked(() => this.runs.loseLive());
  }

  /** A pasted URL's payload goes to its action's editor, once for each URL. */
  #takePastedPayload(): void {
    const pasted = this.catalog.pastedPayload.value;
    const key = pasted && `${pasted.subject} ${pasted.text}`;
    if (pasted && key !== this.#pasted) this.payloads.setTextOf(pasted.subject, pasted.text);
    this.#pasted = key;
  }

  #noteErrorTab(error: ErrorValue | null): void {
    if (error) this.#errorTab.value = this.tabs.current.peek();
  }

  /** Other tabs don't need an app's actions, and shouldn't show errors from loading them. */
  #loadActionsWhenNeeded(): void {
    const { tabs, catalog } = this;
    const isNeeded = tabs.current.value === 'run' || tabs.current.value === 'actions';
    const way = catalog.backend.value?.way ?? 'none';
    const { state } = catalog.actions.value;
    if (!isNeeded || way === 'none') return;
    // A failure through one page says nothing about the next one.
    const documentId = way === 'page' ? this.page.state.value?.documentId : undefined;
    const isOtherPage = documentId !== undefined && documentId !== this.#actionsPage;
    if (state !== 'idle' && !(state === 'failed' && isOtherPage)) return;
    this.#actionsPage = documentId;
    untracked(() => void catalog.refreshActions());
  }

  /** Loads the environments, and inspects the page now and whenever the namespace changes. */
  async start(): Promise<void> {
    if (!this.#isStarted) {
      this.#isStarted = true;
      this.#disposers.push(
        effect(() => void this.page.inspect(this.#namespace)),
        effect(() => this.#followPage()),
      );
    }
    await Promise.all([this.catalog.refresh(), this.guard.refresh()]);
  }

  /** Called when the panel gets focus: what its tab lists can have changed elsewhere. */
  async handleFocus(): Promise<void> {
    const { catalog, tabs } = this;
    await catalog.refresh();
    const tab = tabs.current.peek();
    const old = { ifOlderThan: STALE_FOR_FOCUS };
    if (tab === 'apps' && catalog.apps.peek().state === 'ready') await catalog.refreshApps(old);
    // Listing through a page makes requests there, which must not happen unasked.
    const isListed = catalog.actions.peek().state === 'ready' && catalog.backend.peek()?.way === 'rest';
    if ((tab === 'run' || tab === 'actions') && isListed) await catalog.refreshActions(old);
  }

  #followPage(): void {
    const page = this.page.state.value;
    if (!page || this.catalog.opening.value || this.catalog.environments.value.state !== 'ready') return;
    untracked(() => {
      this.catalog.noteDebugPage(page.url);
      void this.catalog.follow(page);
    });
  }

  readonly run = (): Promise<void> => this.starter.run();

  /** Runs the page's action again with the displayed run's payload. */
  async runAgain(): Promise<void> {
    const payload = this.runs.shown.peek()?.record.payload;
    if (payload === undefined || this.runs.live.peek()) return;
    const state = this.page.state.peek();
    if (state) this.payloads.setTextOf(subjectOf(state), payload);
    await this.starter.runInPage(payload);
  }

  /** Runs the page’s action with another payload, in a dry run. */
  async dryRun(payload: string): Promise<void> {
    const state = this.page.state.peek();
    if (state) this.payloads.setTextOf(subjectOf(state), payload);
    await this.mocks.whenLoaded();
    await this.starter.runInPage(payload, { mocks: [...this.mocks.mocksOf(undefined, true)] });
  }

  /** Why the action of a run can’t be run in the page; null if it can. */
  whyNotInPage(record: RunRecord): string | null {
    return this.runs.isOfPage(record) ? this.starter.unavailableInPage.value : 'Open the action’s debug page first';
  }

  /** Opens the selected action's debug page or the pasted URL. Resolves to whether it's open. */
  open(): Promise<boolean> {
    return this.#opener.open();
  }

  /** Opens the page at a URL, or the debug page of an action of the selected app, given its ID. */
  openPage(urlOrId: string): Promise<boolean> {
    this.catalog.setUrl(urlOrId);
    return this.open();
  }

  /** Opens the page in the tab with the token, which the browser's own reload doesn't send. */
  openAgain(): Promise<boolean> {
    return this.openPage(this.catalog.debugPageUrl(this.page.state.peek()));
  }

  /**
   * The key under which an action's payloads are stored, for an action of the selected app; null if no app is selected.
   */
  subjectOfAction(actionId: number): string | null {
    const environment = this.catalog.environment.value;
    const appId = this.catalog.appId.value;
    return environment && appId !== null ? debugSubject(new URL(environment.baseUrl).origin, appId, actionId) : null;
  }

  /**
   * Opens the *Run* tab with an action of the selected app. With a payload, also opens its debug page, ready to run.
   */
  async openInRun(actionId: number, payload?: string): Promise<void> {
    const subject = this.subjectOfAction(actionId);
    this.catalog.chooseAction(actionId);
    this.tabs.open('run');
    if (payload === undefined || subject === null) return;
    this.payloads.setTextOf(subject, payload);
    await this.open();
  }

  /** The recording of a run, once it’s stored. Null if the run has none. */
  async recordingOf({ record, local }: Pick<ShownRun, 'record' | 'local'>): Promise<Recording | null> {
    if (local) return local.recording;
    // The result of a run is shown before its recording is stored.
    await this.runs.captured();
    return this.recordingsOf.of(record);
  }

  /** Mocks what a step of the displayed run did, in the next runs. */
  async mockOutcome(run: ShownRun, step: TraceStep, to: { id: string } | { name: string }): Promise<void> {
    try {
      const { mockOfStep } = await lateModule(import('../run/mocks/mock-of-step.ts'));
      const recording = await this.recordingOf(run);
      await this.mocks.addMock(mockOfStep(recording, run.trace, step, this.#pipelineToRun()), to);
    } catch (thrown) {
      this.runs.report(toErrorValue(thrown));
    }
  }

  /** Opens a function's source in the Sources panel. */
  async source(name: string): Promise<void> {
    this.#report(await this.services.inspector.openSource(name));
  }

  /** The pipeline of the run's recording, or the page's if the run is of its action. Another action has another one. */
  nodesOf({ record, local }: ShownRun): readonly PipelineNode[] {
    return local?.nodes ?? (this.runs.isOfPage(record) ? this.page.nodes.value : NO_NODES);
  }

  #createRecordings(): Recordings {
    return new Recordings({
      ...this,
      ...this.services,
      mocksOn: this.mocks.inTab,
      setPayload: this.payloads.setText,
      showRunTab: () => this.#showRunTab(),
    });
  }

  #showRunTab(): void {
    this.allRuns.isOpen.value = false;
    this.mockEditor.close();
    this.tabs.open('run');
  }

  /** Updates while the run is in progress. */
  progressOf(run: ShownRun): Progress {
    const isLive = run.record.id === this.runs.live.value;
    const isPaused = isLive && (this.page.pause.value !== null || this.runs.paused.value !== null);
    return { elapsed: this.runs.elapsed(run), isPaused };
  }

  /** Shows where the debugger has paused the page. */
  async showPause(): Promise<void> {
    const position = this.page.pause.peek()?.position;
    if (position) await this.showPosition(position);
  }

  /** Shows a line of a script in the Sources panel. */
  async showPosition(position: PagePosition): Promise<void> {
    this.#report(await this.services.inspector.openPosition(position));
  }

  async toggleBreak(name: string): Promise<void> {
    const on = !this.breaks.peek().has(name);
    if (!this.#report(await this.services.inspector.setBreakpoint(name, on))) return;
    const next = new Set(this.breaks.peek());
    if (on) next.add(name);
    else next.delete(name);
    this.breaks.value = next;
  }

  /** Shows an error on the *Run* tab. Returns true if there is none. */
  #report(result: Result<unknown>): boolean {
    if (!result.ok) this.runs.report(result.error);
    return result.ok;
  }

  /** Resolves to false on failure, which it reports. */
  reload(): Promise<boolean> {
    return this.#opener.reload();
  }

  /** Copies text to the clipboard. With a handle, first loads the full text from the page or the recording. */
  readonly copy = async (text: string, handle?: number): Promise<boolean> => {
    if (handle === undefined) return this.services.copyText(text);
    const whole = this.recordings.text(handle) ?? (await this.services.inspector.text(handle));
    // Never copy partial text as if it were complete.
    return this.#report(whole) && whole.ok ? this.services.copyText(whole.value) : false;
  };

  /** Loads more of a value's entries from the page or the recording. */
  readonly expand = async (handle: number, from: number, count: number): Promise<Result<RemoteValue>> =>
    this.recordings.expand(handle, from, count) ?? this.services.inspector.expand(handle, from, count);

  /** Opens a recording, or adds exported runs. Cancels the import of an earlier file. */
  async importFile(file: File): Promise<void> {
    this.cancelImport();
    const current = (this.importing.value = new AbortController());
    const { signal } = current;
    try {
      await this.#import(file, signal);
    } catch (thrown) {
      if (!signal.aborted) throw thrown;
    } finally {
      if (this.importing.peek() === current) this.importing.value = null;
    }
  }

  async #import(file: File, signal: AbortSignal): Promise<void> {
    const read = await readImport(file);
    signal.throwIfAborted();
    if (!this.#report(read) || !read.ok) return;
    const { kind, text } = read.value;
    if (kind === 'recording') await this.recordings.openText(text, signal);
    else await this.allRuns.importRuns(text);
  }

  /** What is already shown or stored stays. */
  readonly cancelImport = (): void => {
    this.importing.peek()?.abort();
    this.importing.value = null;
  };

  /** @param records the runs to export; by default, those of the action */
  get canSource(): boolean {
    return this.services.inspector.capabilities.source;
  }

  async exportRuns(records?: readonly RunRecord[]): Promise<void> {
    const text = await this.runs.exportRuns(records);
    if (text !== null) this.services.saveFile('platform-runs.json', text);
  }

  /** Called when another page of the extension has changed stored data. */
  handleStored(what: StoredData): void {
    if (what === 'environments') void this.catalog.refresh();
    // Saving an environment locks it.
    if (what === 'environments' || what === 'guard') void this.guard.refresh();
    if (what === 'publishes') this.publishes.value++;
  }

  dispose(): void {
    this.guard.dispose();
    this.registry.dispose();
    this.version.dispose();
    for (const dispose of this.#disposers) dispose();
    this.payloads.dispose();
    this.mocks.dispose();
    this.runs.dispose();
    this.allRuns.dispose();
    this.selection.dispose();
    this.debug.dispose();
    this.services.inspector.dispose();
  }
}
