/** Handles messages that open debug, preview, and live pages in a tab. */
import { type AppPage, appPageUrl, compileUrl } from '../../../platform-api/index.ts';
import type { HandlersOf } from '../../messaging/receive.ts';
import type { Connections } from './connections.ts';
import type { PageOpener, PlatformPage } from '../platform-page.ts';

export function pageHandlers(pages: PageOpener, connections: Connections): HandlersOf<'debugPage' | 'pages'> {
  return {
    'debugPage.open': async ({ environmentId, leaveFirst, ...task }, signal) => ({
      url: await pages.open(await connections.connect(environmentId), { ...debugPage(task), leaveFirst }, signal),
    }),
    'debugPage.allowReload': async ({ environmentId, ...task }) => ({
      url: await pages.allowReload(await connections.connect(environmentId), debugPage(task)),
    }),
    'pages.open': async ({ environmentId, ...page }, signal) => ({
      url: await pages.open(await connections.connect(environmentId), appPage(page), signal),
    }),
    'pages.allowReload': async ({ environmentId, ...page }) => ({
      url: await pages.allowReload(await connections.connect(environmentId), appPage(page)),
    }),
  };
}

interface AppPageOptions {
  tabId: number;
  appId: number;
  page: AppPage;
  screen?: number | undefined;
}
const appPage = ({ tabId, appId, page, screen }: AppPageOptions): PlatformPage => ({
  tabId,
  path: appPageUrl('', appId, page, screen),
  title: `${page} page`,
});

const debugPage = ({ tabId, appId, taskId }: { tabId: number; appId: number; taskId: number }): PlatformPage => ({
  tabId,
  path: compileUrl('', appId, taskId),
  title: 'debug page',
});
