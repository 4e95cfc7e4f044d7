/** Owns which page of which environment an address is: an action's debug page, or an app's preview or live page. */
import { APP_PAGES, type AppPage } from '../../../platform-api/app-page-url.ts';
import { parseCompileUrl } from '../../../platform-api/compile-url.ts';
import type { Environment } from '../../messaging/model/environment.ts';

export type Place = { environmentId: string; appId: number } & (
  | { taskId: number }
  | { page: AppPage; screen?: number }
);

/** Null when it is none. */
export function placeAt(address: string, environments: readonly Environment[]): Place | null {
  for (const { id, baseUrl } of environments) {
    try {
      const { appId, taskId } = parseCompileUrl(address, baseUrl);
      return { environmentId: id, appId, taskId };
    } catch {
      const page = appPageAt(address, baseUrl);
      if (page) return { environmentId: id, ...page };
    }
  }
  return null;
}

/**
 * The address says by its host which environment it belongs to; only when none has that host is it refused.
 * @throws CodedError of `parseCompileUrl`, as the chosen environment sees it
 */
export function pastedPlace(address: string, environments: readonly Environment[], chosen: Environment): Place {
  return placeAt(address, environments) ?? { environmentId: chosen.id, ...parseCompileUrl(address, chosen.baseUrl) };
}

function appPageAt(address: string, baseUrl: string) {
  if (!URL.canParse(address)) return null;
  const url = new URL(address);
  const base = new URL(baseUrl);
  const path = base.pathname.replace(/\/$/, '');
  if (base.origin !== url.origin || !url.pathname.startsWith(`${path}/v1/apps/`)) return null;
  const [app = '', name = '', ...rest] = url.pathname.slice(path.length + '/v1/apps/'.length).split('/');
  const page = APP_PAGES.find((one) => one === name);
  const appId = Number(app);
  if (!page || rest.length > 0 || !Number.isSafeInteger(appId) || appId <= 0) return null;
  const screen = Number(url.searchParams.get('page') ?? '');
  return { appId, page, ...(Number.isSafeInteger(screen) && screen > 0 && { screen }) };
}
