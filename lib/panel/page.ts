/** Owns what is known of the inspected page: its state, its pipeline, and what to do when it is not a debug page. */
import { batch, computed, signal, type ReadonlySignal } from '@preact/signals';
import type { ErrorValue } from '../contract/errors.ts';
import type { Inspector, InspectorEvent } from '../inspector/client-contract.ts';
import type { PageState } from '../inspector/contract.ts';
import { pipelineNodes, type PipelineNode } from './pipeline-tree.ts';

/** What stands between the person and a run, in words; `offer` is the button that mends it. */
export interface PageHint {
  code: string;
  title: string;
  text: string;
  offer: 'reload' | null;
}

export interface PageStore {
  readonly state: ReadonlySignal<PageState | null>;
  /** The page can't be asked: busy, or not inspectable. */
  readonly lost: ReadonlySignal<ErrorValue | null>;
  readonly nodes: ReadonlySignal<readonly PipelineNode[]>;
  readonly pipelineError: ReadonlySignal<ErrorValue | null>;
  /** Why nothing can be run here; null when it can. */
  readonly hint: ReadonlySignal<PageHint | null>;
  /** Less detail than the panel could show, and what to do about it. */
  readonly tracingHint: ReadonlySignal<PageHint | null>;
  look(namespace?: string): Promise<void>;
  /** The tab is about to go elsewhere: what is known of its page is not shown for the next one's. */
  leave(): void;
  onEvent(event: InspectorEvent): void;
}

/** Milliseconds until a page that can't be looked into is looked at again. */
const LOOK_AGAIN = [100, 200, 400, 800];

export function createPage(inspector: Inspector, namespace: () => string): PageStore {
  const state = signal<PageState | null>(null);
  const lost = signal<ErrorValue | null>(null);
  const nodes = signal<readonly PipelineNode[]>([]);
  const pipelineError = signal<ErrorValue | null>(null);
  let shownPipeline = '';
  let doubting = false;

  async function show(next: PageState): Promise<void> {
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
    const answer = await inspector.pipeline();
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
    batch(() => {
      state.value = null;
      nodes.value = [];
      pipelineError.value = null;
    });
    shownPipeline = '';
  }

  return {
    state, lost, nodes, pipelineError,
    hint: computed(() => hintOf(state.value, namespace())),
    tracingHint: computed(() => tracingHintOf(state.value, inspector.capabilities.reload)),
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
  return state.env?.appId != null && state.env.taskId != null ? `${origin}/${state.env.appId}/${state.env.taskId}` : `${origin}${url?.pathname ?? state.url}`;
}

function hintOf(state: PageState | null, namespace: string): PageHint | null {
  if (!state) return null;
  const found = state.platformDetail ? ` Found: ${state.platformDetail}.` : '';
  const hint = (code: string, title: string, text: string, offer: PageHint['offer'] = null): PageHint => ({ code, title, text, offer });
  switch (state.platform) {
    case 'absent':
      return hint('PLATFORM_ABSENT', 'This page is not a debug page', `It has no ${namespace}. Choose an app and an action above and press Open, or open a compile URL in this tab. An installation that uses another name for ${namespace} has it set in its environment's options.`);
    case 'not-an-object':
      return hint('PLATFORM_NOT_AN_OBJECT', `${namespace} is not what it should be`, `The page defines ${namespace}, but not as an object.${found} A script of the page has overwritten it: look for an assignment to ${namespace}, then reload.`, 'reload');
    case 'throws':
      return hint('PLATFORM_THROWS', `Reading ${namespace} fails`, `The page throws when ${namespace} is read.${found} Look at the page's console, mend the script that defines it, then reload.`, 'reload');
    case 'no-pipeline':
      return hint('PLATFORM_NO_PIPELINE', 'There is no pipeline to run here', `${namespace} is there, but ${namespace}.App.Actions.Pipeline.run() is not.${found} This is a page of the platform, though not an action's debug page; or its scripts are still loading.`, 'reload');
    case 'ready':
      return null;
  }
}

function tracingHintOf(state: PageState | null, canReload: boolean): PageHint | null {
  if (state?.platform !== 'ready' || state.tracing === 'observed') return null;
  if (state.tracing === 'wrapped') {
    return { code: 'TRACING_WRAPPED', title: 'Less detail', text: 'This page’s runtime has no observer: calls of functions are shown, loops and conditions are not.', offer: null };
  }
  if (!state.reloadTells) return { code: 'TRACING_BARE', title: 'Start and end only', text: 'This page’s runtime has no observer, and no functions that could be watched.', offer: null };
  const next = canReload ? ' Reload with tracing to see their calls.' : '';
  return { code: 'TRACING_BARE', title: 'Start and end only', text: `This page’s runtime has no observer, and its functions were registered before the panel looked.${next}`, offer: canReload ? 'reload' : null };
}
