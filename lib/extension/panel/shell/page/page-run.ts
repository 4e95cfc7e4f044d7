/** Which environment a run in the tab belongs to, and what the production guard asks before it. */
import type { Mock } from '../../../../debugging/mocks/types.ts';
import type { Action } from '../../../../platform-api/action.ts';
import type { PageState } from '../../../inspector/contract.ts';
import { type GuardQuestion, runQuestion } from '../../shared/guard-questions.ts';
import type { ActionToOpen } from '../action-to-open.ts';
import type { Catalog } from '../catalog.ts';
import { debugTargetOf } from '../debug-target.ts';
import { actionOf, isOfSelected } from '../in-tab.ts';
import { environmentAt } from './page-environment.ts';
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
  /** What the run will get. */
  mocks?: readonly Mock[];
}

export function pageRunOf({ catalog, page, toOpen, reloaded, mocks }: PageRunOptions): PageRun {
  if (toOpen)
    return {
      environmentId: catalog.target.value?.environmentId ?? null,
      action: keyOf(toOpen),
      question: runQuestion(toOpen.name, toOpen.action?.functions, mocks),
    };
  const { url = '' } = page.state.value ?? {};
  const pipeline = page.nodes.value.filter(({ depth }) => depth === 0).map(({ source }) => source);
  return {
    environmentId: environmentAt(url, catalog.environments.value.value ?? [])?.id ?? null,
    action: page.state.value && actionIn(page.state.value, catalog),
    question: runQuestion(nameInTab(catalog, page), reloaded?.functions ?? pipeline, mocks),
  };
}

function nameInTab(catalog: Catalog, page: PageStore): string | null {
  const { url = '', env } = page.state.value ?? {};
  if (env?.taskId == null) return null;
  const action = isOfSelected(url, catalog) ? actionOf(catalog, env.appId, env.taskId) : null;
  return action?.name ?? `action ${env.taskId}`;
}

const keyOf = ({ appId, taskId }: { appId: number; taskId: number }): string => `${appId}/${taskId}`;

function actionIn(state: PageState, catalog: Catalog): string {
  const target = debugTargetOf(state.url, catalog.environments.value.value ?? []);
  if (target && 'taskId' in target) return keyOf(target);
  const { appId = null, taskId = null } = state.env ?? {};
  return appId !== null && taskId !== null ? keyOf({ appId, taskId }) : subjectOf(state);
}
