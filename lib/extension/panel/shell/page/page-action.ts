/** What the panel knows of the page's action, for recordings. */
import type { RecordedAction } from '../../../../debugging/recording/format.ts';
import type { Catalog } from '../catalog.ts';
import { actionOf, isOfSelected } from '../in-tab.ts';
import { environmentAt } from './page-environment.ts';
import type { PageStore } from './page.ts';

/** Undefined if the page has no action. */
export function actionInPage(catalog: Catalog, page: PageStore): RecordedAction | undefined {
  const { url = '', env } = page.state.peek() ?? {};
  const { appId, taskId } = env ?? {};
  if (appId == null || taskId == null) return undefined;
  const baseUrl = environmentAt(url, catalog.environments.peek().value ?? [])?.baseUrl ?? originOf(url);
  const action = isOfSelected(url, catalog) ? actionOf(catalog, appId, taskId) : null;
  return {
    ...(baseUrl !== undefined && { baseUrl }),
    appId,
    actionId: taskId,
    ...(action && { name: action.name }),
    ...(action?.revision !== undefined && { revision: action.revision }),
  };
}

const originOf = (url: string): string | undefined => (URL.canParse(url) ? new URL(url).origin : undefined);
