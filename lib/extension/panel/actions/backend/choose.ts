/** Chooses the way to an app's actions: the platform's endpoints, or the page in the tab. */
import type { PageState } from '../../../inspector/contract.ts';
import type { PageApi } from '../../../inspector/api/page-api.ts';
import { type Environment, hasPage } from '../../../messaging/model/environment.ts';
import type { OfApp, Send } from '../../../messaging/protocol.ts';
import { debugTargetOf } from '../../shell/debug-target.ts';
import { noPage } from './no-page.ts';
import { PageActions } from './page.ts';
import { RestActions } from './rest.ts';
import type { ActionsBackend, BackendOf } from './types.ts';

export interface WaysOptions {
  send: Send;
  pageApi: Pick<PageApi, 'call'>;
  environments: () => readonly Environment[];
  /** The page in the tab; null while it's unknown. */
  page: () => PageState | null;
}

/** Endpoints first, unless the platform is known to have only the specified ones. Reads signals. */
export function createBackendOf({ send, pageApi, environments, page }: WaysOptions): BackendOf {
  return (of: OfApp): ActionsBackend => {
    const environment = environments().find(({ id }) => id === of.environmentId);
    if (environment?.endpoints !== 'specified') return new RestActions(send, of);
    const state = page();
    if (!state || !isPageOf(state, environment, of.appId))
      return noPage(of, state?.hasActions && isAtOtherUrl(state, environment, of.appId) ? 'elsewhere' : 'absent');
    if (!state.hasActions) return noPage(of, 'no-api');
    const { documentId, url } = state;
    const { namespace } = environment;
    return new PageActions(pageApi, of, { documentId, origin: new URL(url).origin, appId: of.appId, namespace });
  };
}

/**
 * Whether the page belongs to the app. The browser's URL decides about the environment, and the app's ID in a URL of a
 * known form has to be that of the page's `ENV`.
 */
export function isPageOf(
  { url, env }: Pick<PageState, 'url' | 'env'>,
  environment: Environment,
  appId: number,
): boolean {
  if (env?.appId !== appId || !hasPage(environment, url)) return false;
  const target = debugTargetOf(url, [environment]);
  return target === null || target.appId === appId;
}

/** Whether the page says that it belongs to the app, but isn't at a URL of the environment. */
const isAtOtherUrl = ({ url, env }: PageState, environment: Environment, appId: number): boolean =>
  env?.appId === appId && !hasPage(environment, url);
