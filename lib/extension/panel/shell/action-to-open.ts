/** The action that the toolbar selects, if its debug page isn’t the page in the tab. */
import type { Action } from '../../../platform-api/action.ts';
import type { PageState } from '../../inspector/contract.ts';
import type { Environment } from '../../messaging/model/environment.ts';
import type { Catalog } from './catalog.ts';
import { debugTargetOf } from './debug-target.ts';
import { actionOf } from './in-tab.ts';
import { isElsewhere } from './page/page-environment.ts';
import { debugSubject } from './page/page.ts';

export interface ActionToOpen {
  /** Its name, or `action 7` if the name is unknown. */
  name: string;
  appId: number;
  taskId: number;
  /** The key under which its payloads are stored. */
  subject: string;
  /** Null if the selected app’s list doesn’t contain it. */
  action: Action | null;
}

/** Null if the toolbar selects no action, or the one in the tab. */
export function actionToOpen(catalog: Catalog, page: PageState | null): ActionToOpen | null {
  const target = catalog.target.value;
  const environments = catalog.environments.value.value ?? [];
  const environment = environments.find(({ id }) => id === target?.environmentId);
  if (!target || !environment || !('taskId' in target)) return null;
  const { appId, taskId } = target;
  const isInTab = page && !isElsewhere(page.url, environment, environments) && isPageOf(page, environment, target);
  if (isInTab) return null;
  // A pasted URL can be of another environment.
  const isListed = environment.baseUrl === catalog.environment.value?.baseUrl;
  const action = isListed ? actionOf(catalog, appId, taskId) : null;
  return {
    name: action?.name ?? `action ${taskId}`,
    appId,
    taskId,
    subject: debugSubject(new URL(environment.baseUrl).origin, appId, taskId),
    action,
  };
}

/** A platform can serve the debug page at another URL. Its `ENV` identifies the action then. */
function isPageOf(page: PageState, environment: Environment, { appId, taskId }: { appId: number; taskId: number }) {
  const shown = debugTargetOf(page.url, [environment]) ?? page.env;
  return shown !== null && shown.appId === appId && 'taskId' in shown && shown.taskId === taskId;
}
