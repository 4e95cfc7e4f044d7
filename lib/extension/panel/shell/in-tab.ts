/** What the inspected tab shows: its app and action, with the names that the lists have for them. */
import type { Action } from '../../../platform-api/action.ts';
import type { App } from '../../../platform-api/app.ts';
import type { TemplateSubject } from '../run/payload/templates.ts';
import type { ActionToOpen } from './action-to-open.ts';
import type { Catalog } from './catalog.ts';
import type { PageStore } from './page.ts';

/** Names, or IDs if the names are unknown. */
export interface NamesInTab {
  app: string;
  action: string;
  mode: string | null;
}

type Lists = Pick<Catalog, 'apps' | 'actions'>;

/** Null if the page has no app and action. */
export function namesInTab(lists: Lists, page: PageStore): NamesInTab | null {
  const { appId, taskId, mode } = page.state.value?.env ?? {};
  if (appId == null || taskId == null) return null;
  const action = actionOf(lists, appId, taskId);
  return {
    app: appOf(lists, appId)?.name ?? `app ${appId}`,
    action: action?.name ?? `action ${taskId}`,
    mode: mode ?? null,
  };
}

/** What payload templates are filled with: the action that *Run* runs. */
export function templateSubject(lists: Lists, page: PageStore, toOpen: ActionToOpen | null): TemplateSubject {
  if (toOpen) {
    const { action, appId } = toOpen;
    return { action, appId, organizationId: appOf(lists, appId)?.organizationId ?? null };
  }
  const { appId = null, taskId = null, organizationId = null } = page.state.value?.env ?? {};
  return { action: actionOf(lists, appId, taskId), appId, organizationId };
}

const appOf = ({ apps }: Lists, appId: number): App | undefined => apps.value.value?.find(({ id }) => id === appId);

const actionOf = ({ actions }: Lists, appId: number | null, taskId: number | null): Action | null =>
  actions.value.value?.find((one) => one.id === taskId && one.appId === appId) ?? null;
