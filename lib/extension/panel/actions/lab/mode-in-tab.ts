/** Owns whether the inspected tab shows a page of an app, and which. */
import type { PageState } from '../../../inspector/contract.ts';

/** The mode of the page; null when it is no page of that app on that platform. A debug page is an action's, and tells no events. */
export function modeInTab(
  page: Pick<PageState, 'url' | 'env'> | null,
  baseUrl: string,
  appId: number,
): 'preview' | 'live' | null {
  if (!page?.env || page.env.appId !== appId || page.env.taskId !== null || !page.url.startsWith(`${baseUrl}/`))
    return null;
  return page.env.mode === 'preview' || page.env.mode === 'live' ? page.env.mode : null;
}
