/** Calls the JavaScript API in an app’s real preview and live pages. */
import type { Browser, Page } from 'puppeteer-core';
import type { ActionsApi } from '../../../lib/actions/actions.ts';
import type { AnalyticsApi } from '../../../lib/actions/analytics.ts';
import type { FunctionDescriptor } from '../../../lib/platform-api/index.ts';
import type { Platform } from '../../../lib/local-platform/index.ts';
import { openWithToken } from '../network.ts';
import { APP, type PageDriver, Refused } from './rule.ts';

export async function pageDriver(browser: Browser, platform: Platform): Promise<PageDriver> {
  const [preview, live] = await Promise.all(
    (['preview', 'live'] as const).map((page) => openPage(browser, platform, `/v1/apps/${APP}/${page}?page=2002`)),
  );
  return {
    page: preview!,
    actions: operations<ActionsApi>(preview!, 'Actions'),
    live: operations<ActionsApi>(live!, 'Actions'),
    analytics: operations<AnalyticsApi>(preview!, 'Analytics'),
    functions: () => call(preview!, ['Tasks', 'Functions', 'get'], []) as Promise<FunctionDescriptor[]>,
    close: async () => void (await Promise.all([preview!.close(), live!.close()])),
  };
}

export async function openPage(browser: Browser, { baseUrl, authToken }: Platform, path: string): Promise<Page> {
  const page = await browser.newPage();
  await openWithToken(page, baseUrl + path, authToken);
  return page;
}

const operations = <T extends object>(page: Page, group: string): T =>
  new Proxy({} as T, {
    get:
      (_target, name) =>
      (...args: unknown[]) =>
        call(page, [group, String(name)], args),
  });

/** Calls `Platform.App.<path>(...args)`. Passed as text, since a browser driver would lose keys such as __proto__. */
async function call(page: Page, path: string[], args: unknown[]): Promise<unknown> {
  const response = await page.evaluate(
    async (path, args) => {
      let owner = (globalThis as unknown as { Platform: { App: Record<string, unknown> } }).Platform.App;
      for (const name of path.slice(0, -1)) owner = owner[name] as Record<string, unknown>;
      try {
        return JSON.stringify({
          value: await (owner[path.at(-1)!] as (...args: unknown[]) => unknown)(...(JSON.parse(args) as unknown[])),
        });
      } catch (error) {
        const { code, status, message, details } = error as Refused;
        return JSON.stringify({ refused: { code, status, message, details } });
      }
    },
    path,
    JSON.stringify(args),
  );
  const { value, refused } = JSON.parse(response) as {
    value?: unknown;
    refused?: ConstructorParameters<typeof Refused>[0];
  };
  if (refused) throw new Refused(refused);
  return value;
}
