/** What the inspected tab shows: its app and action, with the names that the lists have for them. */
import type { Action } from '../../../platform-api/action.ts';
import type { App } from '../../../platform-api/app.ts';
import type { TemplateSubject } from '../run/payload/templates.ts';
import type { ActionToOpen } from './action-to-open.ts';
import type { Catalog } from './catalog.ts';
import { isElsewhere } from './page/page-environment.ts';
import type { PageStore } from './page/page.ts';

/** Names, or IDs if the names are unknown. */
export interface NamesInTab {
  app: string;
  action: string;
  mode: string | null;
}

type Lists = Pick<Catalog, 'apps' | 'actions' | 'environment' | 'environments'>;

/** Null if the page has no app and action. */
export function namesInTab(lists: Lists, page: PageStore): NamesInTab | null {
  const { env, url = '' } = page.state.value ?? {};
  const { appId, taskId, mode } = env ?? {};
  if (appId == null || taskId == null) return null;
  const isListed = isOfSelected(url, lists);
  const action = isListed ? actionOf(lists, appId, taskId) : null;
  return {
    app: (isListed && appOf(lists, appId)?.name) || `app ${appId}`,
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
  const { env, url = '' } = page.state.value ?? {};
  const { appId = null, taskId = null, organizationId = null } = env ?? {};
  return { action: isOfSelected(url, lists) ? actionOf(lists, appId, taskId) : null, appId, organizationId };
}

const appOf = ({ apps }: Lists, appId: number): App | undefined => apps.value.value?.find(({ id }) => id === appId);

/** Whether the lists, which are the selected environment's, can have what's at this URL. */
export function isOfSelected(url: string, { environment, environments }: Lists): boolean {
  const selected = environment.value;
  return selected !== null && !isElsewhere(url, selected, environments.value.value ?? []);
}

export const actionOf = (
  { actions }: Pick<Lists, 'actions'>,
  appId: number | null,
  taskId: number | null,
): Action | null => actions.value.value?.find((one) => one.id === taskId && one.appId === appId) ?? null;
