/** Owns what is known of the inspected page: its state, its pipeline, and what to do when it is not a debug page. */
import { batch, computed, signal, type ReadonlySignal } from '@preact/signals';
import type { ErrorValue } from '../../../platform-api/errors.ts';
import type { RunInspector, InspectorEvent } from '../../inspector/run/types.ts';
import type { PageState } from '../../inspector/contract.ts';
import type * as pageHints from './page-hints.ts';
import type { PipelineNode } from '../run/pipeline-tree.ts';

export interface PageStore {
  readonly state: ReadonlySignal<PageState | null>;
  /** The page can't be asked: busy, or not inspectable. */
  readonly lost: ReadonlySignal<ErrorValue | null>;
  readonly nodes: ReadonlySignal<readonly PipelineNode[]>;
  readonly pipelineError: ReadonlySignal<ErrorValue | null>;
  /** Why nothing can be run here; null when it can. */
  readonly hint: ReadonlySignal<pageHints.PageHint | null>;
  /** Less detail than the panel could show, and what to do about it. */
  readonly tracingHint: ReadonlySignal<pageHints.PageHint | null>;
  look(namespace?: string): Promise<void>;
  /** The tab is about to go elsewhere: what is known of its page is not shown for the next one's. */
  leave(): void;
  onEvent(event: InspectorEvent): void;
}

/** Milliseconds until a page that can't be looked into is looked at again. */
const LOOK_AGAIN = [100, 200, 400, 800];

export function createPage(inspector: RunInspector, namespace: () => string): PageStore {
  const state = signal<PageState | null>(null);
  const lost = signal<ErrorValue | null>(null);
  const nodes = signal<readonly PipelineNode[]>([]);
  const pipelineError = signal<ErrorValue | null>(null);
  let shownPipeline = '';
  let doubting = false;
  /** The words for pages with which something is amiss: loaded with the first of them. */
  let words: typeof pageHints | null = null;
  let shows = 0;

  async function show(next: PageState): Promise<void> {
    const turn = ++shows;
    if (next.platform !== 'ready' || next.tracing !== 'observed') words ??= await import('./page-hints.ts');
    if (turn !== shows) return;
    state.value = next;
    lost.value = null;
    const { pipeline } = next;
    const key = `${next.documentId} ${pipeline.ok ? `${pipeline.handle} ${pipeline.bytes}` : pipeline.error.code}`;
    if (key === shownPipeline) return;
    shownPipeline = key;
    pipelineError.value = pipeline.ok ? null : pipeline.error;
    if (!pipeline.ok) {
      nodes.value = [];
      return;
    }
    const [answer, { pipelineNodes }] = await Promise.all([inspector.pipeline(), import('../run/pipeline-tree.ts')]);
    if (shownPipeline !== key) return;
    nodes.value = answer.ok ? pipelineNodes(answer.value) : [];
    pipelineError.value = answer.ok ? null : answer.error;
  }

  async function look(namespace?: string): Promise<void> {
    const answer = await inspector.attach(namespace);
    if (answer.ok) await show(answer.value);
    else lose(answer.error);
  }

  function lose(error: ErrorValue): void {
    // A page that is busy is still the same page; one that can't be looked into is another, or on its way.
    if (error.code !== 'PAGE_UNREACHABLE') lost.value = error;
    else if (!doubting) void doubt(error);
  }

  /** Between two documents a page can't be looked into for a moment: that is believed only when it lasts. */
  async function doubt(error: ErrorValue): Promise<void> {
    doubting = true;
    for (const wait of LOOK_AGAIN) {
      await new Promise((resolve) => setTimeout(resolve, wait));
      const answer = await inspector.attach();
      if (!answer.ok) continue;
      doubting = false;
      return show(answer.value);
    }
    doubting = false;
    leave();
    lost.value = error;
  }

  function leave(): void {
    shows++;
    batch(() => {
      state.value = null;
      nodes.value = [];
      pipelineError.value = null;
    });
    shownPipeline = '';
  }

  return {
    state,
    lost,
    nodes,
    pipelineError,
    hint: computed(() => state.value && (words?.hintOf(state.value, namespace()) ?? null)),
    tracingHint: computed(
      () => state.value && (words?.tracingHintOf(state.value, inspector.capabilities.reload) ?? null),
    ),
    look,
    leave,
    onEvent(event) {
      if (event.kind === 'page-changed') void show(event.state);
      else if (event.kind === 'page-lost') lose(event.error);
      else if (event.kind === 'page-back') {
        lost.value = null;
        if (state.value === null && !doubting) void look();
      }
    },
  };
}

/** The action that a page is for, across reloads: where it is, and the ids that its `ENV` names. */
export function subjectOf(state: PageState): string {
  const url = URL.canParse(state.url) ? new URL(state.url) : null;
  const origin = url?.origin ?? '';
  return state.env?.appId != null && state.env.taskId != null
    ? debugSubject(origin, state.env.appId, state.env.taskId)
    : `${origin}${url?.pathname ?? state.url}`;
}

/** The same of an action's debug page that is not open yet. */
export const debugSubject = (origin: string, appId: number, taskId: number): string => `${origin}/${appId}/${taskId}`;
