/** Implements `Platform.App.Analytics`: reports the page’s analytics events and runs the actions that they trigger. */
import type { PageRun } from '../platform-api/runs/run.ts';
import { appPath, plain } from './arguments.ts';
import { readEnv } from './environment.ts';
import type { PageRunner } from './page-runs.ts';
import type { RequestPlatform } from './request.ts';

/** An action that an event triggered, and the outcome of its run in this page. */
export interface FiredAction {
  actionId: number;
  name: string;
  state: 'completed' | 'failed';
}

/** Both methods resolve when all triggered actions have ended. `_pageId` defaults to the open screen. */
export interface AnalyticsApi {
  pageView(data?: Record<string, unknown>): Promise<FiredAction[]>;
  /** `category` and `action` are required. */
  event(data: { category: string; action: string } & Record<string, unknown>): Promise<FiredAction[]>;
}

export function createAnalytics(request: RequestPlatform, runner: PageRunner): AnalyticsApi {
  async function track(type: string, given: unknown): Promise<FiredAction[]> {
    const plainData = plain(given, '/data');
    const pageId = readEnv()?.pageId;
    const isObject = typeof plainData === 'object' && plainData !== null && !Array.isArray(plainData);
    const data = isObject && typeof pageId === 'number' ? { _pageId: pageId, ...plainData } : plainData;
    const { runs } = (await request(`${appPath()}/analytics/events`, { method: 'POST', body: { type, data } })) as {
      runs: PageRun[];
    };
    return Promise.all(
      runs.map(async (run) => {
        const state = await runner.run(run).then(
          () => 'completed' as const,
          () => 'failed' as const,
        );
        return { actionId: run.actionId, name: run.name, state };
      }),
    );
  }
  return {
    pageView: (data = {}) => track('analytics.pageView', data),
    event: (data) => track('analytics.event', data),
  };
}
