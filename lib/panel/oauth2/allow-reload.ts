/** Owns letting the inspected page be loaded anew: a page of an environment needs its token for that. */
import { APP_PAGES } from '../../contract/app-page-url.ts';
import type { Environment } from '../../contract/environment.ts';
import type { Result } from '../../contract/errors.ts';
import type { Panel } from '../create-panel.ts';

export async function allowPageReload(panel: Panel): Promise<Result<unknown>> {
  const address = panel.page.state.peek()?.url ?? '';
  const at = appPageAt(address, panel.catalog.environments.peek().value ?? []);
  if (at) return panel.services.send('pages.allowReload', { ...at, tabId: panel.services.tabId });
  // What stands in the way of a debug page is said above the tab.
  return (await panel.catalog.allowReload(address)) ? { ok: true, value: null } : { ok: false, error: panel.catalog.error.peek() ?? { code: 'RELOAD_REFUSED', message: 'The page can’t be loaded anew.', next: 'Reload it by hand.' } };
}

/** Which app's page of which environment an address is; null when it is none. */
export function appPageAt(address: string, environments: readonly Environment[]) {
  if (!URL.canParse(address)) return null;
  const url = new URL(address);
  for (const { id, baseUrl } of environments) {
    const base = new URL(baseUrl);
    const path = base.pathname.replace(/\/$/, '');
    if (base.origin !== url.origin || !url.pathname.startsWith(`${path}/v1/apps/`)) continue;
    const [app = '', name = '', ...rest] = url.pathname.slice(path.length + '/v1/apps/'.length).split('/');
    const page = APP_PAGES.find((one) => one === name);
    const appId = Number(app);
    if (!page || rest.length > 0 || !Number.isSafeInteger(appId) || appId <= 0) continue;
    const screen = Number(url.searchParams.get('page') ?? '');
    return { environmentId: id, appId, page, ...(Number.isSafeInteger(screen) && screen > 0 && { screen }) };
  }
  return null;
}
