/** Whether the tab has a page of an app, which may get what the app’s runs have recorded. */
import type { OfApp } from '../../../messaging/protocol.ts';
import { isPageOf } from '../../actions/backend/choose.ts';
import type { Panel } from '../panel.ts';

/** @param url the browser’s. Reads signals. */
export function isPageOfApp(
  { page, catalog }: Pick<Panel, 'page' | 'catalog'>,
  { environmentId, appId }: OfApp,
  url: string,
): boolean {
  const environment = catalog.environments.value.value?.find(({ id }) => id === environmentId);
  const env = page.state.value?.env ?? null;
  return environment !== undefined && isPageOf({ url, env }, environment, appId);
}
