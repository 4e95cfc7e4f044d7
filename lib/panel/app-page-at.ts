/** Owns telling an app's preview and live page by their address. */
import { APP_PAGES } from '../contract/app-page-url.ts';
import type { Environment } from '../contract/environment.ts';

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
