/** Finds the environment and page that a URL belongs to: an action’s debug page, or an app’s preview or live page. */
import { APP_PAGES, type AppPage } from '../../../platform-api/app-page-url.ts';
import { cleanUrl } from '../../../platform-api/runs/pasted-url.ts';
import { parseCompileUrl } from '../../../platform-api/runs/compile-url.ts';
import type { Environment } from '../../messaging/model/environment.ts';

export type DebugTarget = { environmentId: string; appId: number } & (
  | { taskId: number }
  | { page: AppPage; screen?: number }
);

/** Null if the URL doesn’t belong to any environment. */
export function debugTargetOf(url: string, environments: readonly Environment[]): DebugTarget | null {
  for (const { id, baseUrl } of environments) {
    try {
      const { appId, taskId } = parseCompileUrl(url, baseUrl);
      return { environmentId: id, appId, taskId };
    } catch {
      const page = appPageOf(url, baseUrl);
      if (page) return { environmentId: id, ...page };
    }
  }
  return null;
}

/**
 * The target of a pasted URL. The URL’s origin determines the environment, which might not be the selected one.
 * @throws CodedError from `parseCompileUrl`, for the selected environment, if the URL doesn’t belong to any environment
 */
export function pastedTarget(pasted: string, environments: readonly Environment[], chosen: Environment): DebugTarget {
  const url = cleanUrl(pasted);
  return debugTargetOf(url, environments) ?? { environmentId: chosen.id, ...parseCompileUrl(url, chosen.baseUrl) };
}

function appPageOf(text: string, baseUrl: string) {
  if (!URL.canParse(text)) return null;
  const url = new URL(text);
  const base = new URL(baseUrl);
  const prefix = `${base.pathname.replace(/\/$/, '')}/v1/apps/`;
  if (base.origin !== url.origin || !url.pathname.startsWith(prefix)) return null;
  const [app = '', name = '', ...rest] = url.pathname.slice(prefix.length).split('/');
  const page = APP_PAGES.find((known) => known === name);
  const appId = Number(app);
  if (!page || rest.length > 0 || !Number.isSafeInteger(appId) || appId <= 0) return null;
  const screen = Number(url.searchParams.get('page') ?? '');
  return { appId, page, ...(Number.isSafeInteger(screen) && screen > 0 && { screen }) };
}
