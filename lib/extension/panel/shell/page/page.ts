/** The inspected page: its state, its pipeline, and why its action can't be run. */
import { batch, computed, effect, type ReadonlySignal, signal } from '@preact/signals';
import type { ErrorValue } from '../../../../platform-api/errors.ts';
import type { Engine, PageState } from '../../../inspector/contract.ts';
import type { PagePause } from '../../../inspector/page-pause.ts';
import type { InspectorEvent, RunInspector } from '../../../inspector/run/types.ts';
import { pipelineNodes, type PipelineNode } from '../../run/pipeline-tree.ts';
import { hintOf, tracingHintOf } from './page-hints.ts';

type PageInspector = Pick<RunInspector, 'attach' | 'pipeline' | 'capabilities'>;

/** Delays between attempts while the page can't be inspected, in milliseconds. */
const RETRY_DELAYS = [100, 200, 400, 800];

/** Other errors only keep the pipeline from being shown. */
const NO_PIPELINE: ReadonlySet<string> = new Set(['PIPELINE_MISSING', 'PIPELINE_INVALID']);

export class PageStore {
  readonly state = signal<PageState | null>(null);
  /** Why the page can't be inspected: it's busy, or DevTools has no access. */
  readonly lost = signal<ErrorValue | null>(null);
  /** Where the debugger has paused the page; null if it hasn't. */
  readonly pause = signal<PagePause | null>(null);
  readonly nodes = signal<readonly PipelineNode[]>([]);
  /** The pipeline with which the document was loaded. A developer can replace `ENV.taskPipeline` later. */
  readonly loaded = signal<{ documentId: string; pipeline: unknown[] } | null>(null);
  readonly pipelineError = signal<ErrorValue | null>(null);
  /** Why a run would fail before its first step, although the page can start one; null if it wouldn't. */
  readonly noPipeline = computed(() => {
    const error = this.pipelineError.value;
    return error && NO_PIPELINE.has(error.code) ? error : null;
  });
  readonly #inspector: PageInspector;
  readonly #namespace: () => string;
  readonly #engine: ReadonlySignal<Engine>;
  /** Why the page can't run its action; null if it can. */
  readonly hint = computed(() => {
    const state = this.state.value;
    return state && hintOf(state, this.#namespace(), this.#withToken.value === state.documentId);
  });
  /** ID of the last document that was requested with the token. */
  readonly #withToken = signal<string | null>(null);
  /** Whether the next document is. */
  #expectsToken = false;
  /** What can't be traced in this page; null if everything can. */
  readonly tracingHint = computed(
    () => this.state.value && tracingHintOf(this.state.value, this.#engine.value, this.#inspector.capabilities.reload),
  );
  #documentId: string | null = null;
  /** Identifies the shown pipeline. */
  #pipelineKey = '';
  /** Settles once the shown pipeline is known. */
  #reading: Promise<void> | null = null;
  /** Settles once an unreachable page is reachable again, or reported. */
  #retrying: Promise<void> | null = null;

  constructor(inspector: PageInspector, namespace: () => string, engine: ReadonlySignal<Engine>) {
    this.#inspector = inspector;
    this.#namespace = namespace;
    this.#engine = engine;
  }

  async inspect(namespace?: string): Promise<void> {
    const state = await this.#inspector.attach(namespace);
    if (state.ok) await this.#show(state.value);
    else await this.#lose(state.error);
  }

  /** Whether the next document is requested with the token. */
  expectToken(expects: boolean): void {
    this.#expectsToken = expects;
  }

  /** Resolves once the tab has another document than this one, or to false after the limit, in milliseconds. */
  whenReplaced(documentId: string | undefined, limit: number): Promise<boolean> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => settle(false), limit);
      const stop = effect(() => {
        const state = this.state.value;
        if (state && state.documentId !== documentId) queueMicrotask(() => settle(true));
      });
      const settle = (isReplaced: boolean): void => {
        clearTimeout(timer);
        stop();
        resolve(isReplaced);
      };
    });
  }

  /** Forgets the page before the tab navigates, because the next page has a different state. */
  leave(): void {
    batch(() => {
      this.state.value = null;
      this.nodes.value = [];
      this.loaded.value = null;
      this.pipelineError.value = null;
    });
    this.#pipelineKey = '';
  }

  onEvent(event: InspectorEvent): void {
    if (event.kind === 'page-changed') void this.#show(event.state);
    else if (event.kind === 'page-lost') void this.#lose(event.error);
    else if (event.kind === 'debugger-paused') this.pause.value = event.pause;
    else if (event.kind === 'debugger-resumed') this.pause.value = null;
    else if (event.kind === 'page-recovered') {
      this.lost.value = null;
      if (this.state.peek() === null && !this.#retrying) void this.inspect();
    }
  }

  async #show(state: PageState): Promise<void> {
    // A busy page is left by way of about:blank.
    const isNew = state.documentId !== this.#documentId && state.url !== 'about:blank';
    this.#documentId = state.documentId;
    batch(() => {
      if (isNew) this.#withToken.value = this.#expectsToken ? state.documentId : null;
      if (isNew) this.#expectsToken = false;
      this.state.value = state;
      this.lost.value = null;
      if (this.loaded.peek()?.documentId !== state.documentId) this.loaded.value = null;
    });
    const { pipeline } = state;
    const key = `${state.documentId} ${pipeline.ok ? `${pipeline.handle} ${pipeline.bytes}` : pipeline.error.code}`;
    if (key !== this.#pipelineKey) {
      this.#pipelineKey = key;
      this.#reading = this.#read(state, key);
    }
    await this.#reading;
  }

  async #read({ documentId, pipeline }: PageState, key: string): Promise<void> {
    this.pipelineError.value = pipeline.ok ? null : pipeline.error;
    if (!pipeline.ok) {
      this.nodes.value = [];
      return;
    }
    const steps = await this.#inspector.pipeline();
    if (this.#pipelineKey !== key) return;
    this.nodes.value = steps.ok ? pipelineNodes(steps.value) : [];
    if (steps.ok) this.loaded.value ??= { documentId, pipeline: steps.value };
    this.pipelineError.value = steps.ok ? null : steps.error;
  }

  /** Resolves once it's known whether the page is lost. */
  async #lose(error: ErrorValue): Promise<void> {
    // A busy page is still the same page. A page that can't be inspected is either another page or still loading.
    if (error.code !== 'PAGE_UNREACHABLE') this.lost.value = error;
    else await (this.#retrying ??= this.#retry(error));
  }

  /** A page briefly can't be inspected while the tab navigates, so only a lasting failure is reported. */
  async #retry(error: ErrorValue): Promise<void> {
    try {
      for (const delay of RETRY_DELAYS) {
        await new Promise((resolve) => setTimeout(resolve, delay));
        const state = await this.#inspector.attach();
        if (state.ok) return void this.#show(state.value);
        if (state.error.code !== 'PAGE_UNREACHABLE') return void (this.lost.value = state.error);
      }
    } finally {
      this.#retrying = null;
    }
    this.leave();
    this.lost.value = error;
  }
}

/** Identifies the page's action across reloads, by its origin and the IDs in its `ENV`. */
export function subjectOf(state: PageState): string {
  const url = URL.canParse(state.url) ? new URL(state.url) : null;
  const origin = url?.origin ?? '';
  return state.env?.appId != null && state.env.taskId != null
    ? debugSubject(origin, state.env.appId, state.env.taskId)
    : `${origin}${url?.pathname ?? state.url}`;
}

/** The same identifier for an action whose debug page isn't open. */
export const debugSubject = (origin: string, appId: number, taskId: number): string => `${origin}/${appId}/${taskId}`;
