/** Builds the URLs of an app’s preview page and live page. */

export const APP_PAGES = ['preview', 'live'] as const;
/** The preview runs working copies of actions, the live page published ones. */
export type AppPage = (typeof APP_PAGES)[number];

/** @param baseUrl without a trailing slash
 * @param screen default: the app’s first screen */
export function appPageUrl(baseUrl: string, appId: number, page: AppPage, screen?: number): string {
  return `${baseUrl}/v1/apps/${appId}/${page}${screen === undefined ? '' : `?page=${screen}`}`;
}
