/** Builds the URLs of an app’s preview and live pages. */

export const APP_PAGES = ['preview', 'live'] as const;
/** The preview page runs the working copies of actions, and the live page the published copies. */
export type AppPage = (typeof APP_PAGES)[number];

/**
 * @param baseUrl without a trailing slash
 * @param screen defaults to the app’s first screen
 */
export function appPageUrl(baseUrl: string, appId: number, page: AppPage, screen?: number): string {
  return `${baseUrl}/v1/apps/${appId}/${page}${screen === undefined ? '' : `?page=${screen}`}`;
}
