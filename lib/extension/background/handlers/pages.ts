/** Handles messages that open debug, preview, and live pages in a tab. */
import { type AppPage, appPageUrl, compileUrl } from '../../../platform-api/index.ts';
import type { CallOptions, Connection } from '../../../rest/index.ts';
import type { OpenedPage } from '../../messaging/protocol.ts';
import type { HandlersOf } from '../../messaging/receive.ts';
import { oneTimeToken } from './one-time-tokens.ts';
import type { PageOpener, PlatformPage } from '../pages/platform-page.ts';
import type { Connections } from './connections.ts';

export function pageHandlers(pages: PageOpener, connections: Connections): HandlersOf<'debugPage' | 'pages'> {
  async function opened(
    { environmentId, appId }: { environmentId: string; appId: number },
    page: PlatformPage,
    open: (connection: Connection, page: PlatformPage) => Promise<string>,
  ): Promise<OpenedPage> {
    const connection = await connections.connect(environmentId);
    let tokenInLog = false;
    const token = async (options: CallOptions): Promise<string> => {
      const issued = await oneTimeToken(connection, { appId, path: page.path }, options);
      tokenInLog = issued === null;
      return issued ?? connection.token;
    };
    const url = await open(connection, { ...page, token, namespace: connection.namespace });
    return { url, tokenInLog };
  }
  const reload = (connection: Connection, page: PlatformPage): Promise<string> => pages.allowReload(connection, page);

  return {
    'debugPage.open': ({ leaveFirst, payload, ...task }, signal) =>
      opened(task, { ...debugPage(task), leaveFirst, payload }, (connection, page) =>
        pages.open(connection, page, signal),
      ),
    'debugPage.allowReload': (task) => opened(task, debugPage(task), reload),
    'pages.open': (task, signal) =>
      opened(task, appPage(task), (connection, page) => pages.open(connection, page, signal)),
    'pages.allowReload': (task) => opened(task, appPage(task), reload),
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
