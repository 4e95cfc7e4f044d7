/** Owns putting the runtime's parts under the page's namespace, beside whatever is there already. */
import { createActions, type ActionsApi, type TaskFunctionsApi } from './actions.ts';
import { createAnalytics, type AnalyticsApi } from './analytics.ts';
import { readEnv } from './environment.ts';
import { createFunctions, type FunctionsApi } from './functions.ts';
import { createPipeline, type PipelineApi } from './pipeline.ts';
import { createPageRunner } from './page-runs.ts';
import type { RequestPlatform } from './request.ts';
import { createPage, type PageApi } from './screen.ts';

/** What an environment, such as a page or a runner, lends the runtime. */
export interface Host {
  /** The platform's address with a slash at its end; relative addresses of functions are resolved against it. */
  baseUrl: string;
  request: RequestPlatform;
  /** The query that holds the payload, read when a run starts. */
  query: () => string;
  /** The address of the script that runs now, where it can be told. */
  currentScript: () => string | null;
}

export interface Runtime {
  Functions: FunctionsApi;
  App: {
    Actions: ActionsApi & { Pipeline: PipelineApi };
    Tasks: { Functions: TaskFunctionsApi };
    Analytics: AnalyticsApi;
  };
  Page: PageApi;
  request: RequestPlatform;
  /** The page's `ENV`, or `{}`. */
  env: () => Record<string, unknown>;
  baseUrl: () => string;
}

/** Defines the runtime's members of `globalThis[namespace]`; other members, also of `App` and `Actions`, stay. */
export function installRuntime(namespace: string, host: Host): void {
  const { api, registry } = createFunctions(host.currentScript);
  const platform = member(globalThis, namespace);
  platform.Functions = api;
  platform.request = host.request;
  platform.env = () => readEnv() ?? {};
  platform.baseUrl = () => host.baseUrl;
  const page = createPage();
  const runner = createPageRunner(registry, page.handler, host.request);
  const { actions, taskFunctions } = createActions(host.request, runner);
  const app = member(platform, 'App');
  addTo(app, 'Actions', actions);
  addTo(member(app, 'Tasks'), 'Functions', taskFunctions);
  addTo(app, 'Analytics', createAnalytics(host.request, runner));
  addTo(platform, 'Page', page.api);
  member(app, 'Actions').Pipeline = createPipeline(registry, host.query);
}

/** Adds members to `owner[name]` beside those that are there; what is no object is somebody else's and stays. */
function addTo(owner: Record<string, unknown>, name: string, members: object): void {
  const there = owner[name];
  if (there !== undefined && there !== null && typeof there !== 'object' && typeof there !== 'function') return;
  const target = member(owner, name);
  for (const [key, value] of Object.entries(members)) target[key] ??= value;
}

/** The object under `name`, made when there is none. */
function member(owner: object, name: string): Record<string, unknown> {
  const found: unknown = Reflect.get(owner, name);
  if ((typeof found === 'object' && found !== null) || typeof found === 'function')
    return found as Record<string, unknown>;
  const made: Record<string, unknown> = {};
  Reflect.set(owner, name, made);
  return made;
}
