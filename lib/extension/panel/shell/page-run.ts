/** Which environment a run in the tab belongs to, and what the production guard asks before it. */
import type { Action } from '../../../platform-api/action.ts';
import type { PageState } from '../../inspector/contract.ts';
import { hasPage } from '../../messaging/model/environment.ts';
import { type GuardQuestion, runQuestion } from '../shared/guard-questions.ts';
import type { ActionToOpen } from './action-to-open.ts';
import type { Catalog } from './catalog.ts';
import { debugTargetOf } from './debug-target.ts';
import { type PageStore, subjectOf } from './page.ts';

export interface PageRun {
  /** Null if the page belongs to no environment. */
  environmentId: string | null;
  /** Identifies the action within its environment; null if there's no page. */
  action: string | null;
  question: GuardQuestion;
}

export interface PageRunOptions {
  catalog: Catalog;
  page: PageStore;
  /** The action to open first; null for the action in the tab. */
  toOpen: ActionToOpen | null;
  /** The page's action as it will be, if the page is reloaded first and its pipeline changes. */
  reloaded?: Action | null;
}

export function pageRunOf({ catalog, page, toOpen, reloaded }: PageRunOptions): PageRun {
  if (toOpen)
    return {
      environmentId: catalog.target.value?.environmentId ?? null,
      action: keyOf(toOpen),
      question: runQuestion(toOpen.name, toOpen.action?.functions),
    };
  const { url = '', env } = page.state.value ?? {};
  const action = catalog.actions.value.value?.find(({ id, appId }) => id === env?.taskId && appId === env.appId);
  const pipeline =
    reloaded?.functions ?? page.nodes.value.filter(({ depth }) => depth === 0).map(({ source }) => source);
  return {
    environmentId: environmentAt(url, catalog),
    action: page.state.value && actionIn(page.state.value, catalog),
    question: runQuestion(action?.name ?? (env?.taskId == null ? null : `action ${env.taskId}`), pipeline),
  };
}

const keyOf = ({ appId, taskId }: { appId: number; taskId: number }): string => `${appId}/${taskId}`;

function actionIn(state: PageState, catalog: Catalog): string {
  const target = debugTargetOf(state.url, catalog.environments.value.value ?? []);
  if (target && 'taskId' in target) return keyOf(target);
  const { appId = null, taskId = null } = state.env ?? {};
  return appId !== null && taskId !== null ? keyOf({ appId, taskId }) : subjectOf(state);
}

/** Of several environments with this URL, prefers one that is production. */
function environmentAt(url: string, catalog: Catalog): string | null {
  const environments = (catalog.environments.value.value ?? []).toSorted(
    (a, b) => Number(b.production) - Number(a.production),
  );
  const target = debugTargetOf(url, environments);
  const own = target?.environmentId ?? environments.find((one) => hasPage(one, url))?.id;
  if (own !== undefined) return own;
  // A platform can serve the debug page at another URL.
  const origin = URL.canParse(url) ? new URL(url).origin : null;
  return environments.find(({ baseUrl }) => new URL(baseUrl).origin === origin)?.id ?? null;
}
