/** Installs the runtime under the page’s namespace, keeping other members. */
import { createActions, type ActionsApi, type TaskFunctionsApi } from './actions.ts';
import { createAnalytics, type AnalyticsApi } from './analytics.ts';
import { readEnv } from './environment.ts';
import { createFunctions, type FunctionsApi } from './functions.ts';
import { createPipeline, type PipelineApi } from './pipeline.ts';
import { createPageRunner } from './page-runs.ts';
import type { RequestPlatform } from './request.ts';
import { createPage, type PageApi, type RemoteHandler } from './screen.ts';
import { createActionsV3, type ActionsV3Api } from './v3/actions.ts';
import { createCode, type Code, type CodeApi } from './v3/code.ts';
import { createFacades, type Facades } from './v3/facades.ts';

/** The environment that a page or a runner provides to the runtime. */
export interface Host {
  /** The platform’s base URL, with a trailing slash. Functions resolve relative URLs against it. */
  baseUrl: string;
  request: RequestPlatform;
  /** Sends requests to paths below the root of App Actions V3. */
  requestV3: RequestPlatform;
  /** Loads a script of the platform, given its path. */
  loadScript: (path: string) => Promise<void>;
  /** Returns the URL’s query string, which contains the payload. Called when a run starts. */
  query: () => string;
  /** Returns the URL of the running script, or null if unknown. */
  currentScript: () => string | null;
}

export interface Runtime extends Facades {
  Functions: FunctionsApi;
  App: {
    Actions: ActionsApi & { Pipeline: PipelineApi };
    Tasks: { Functions: TaskFunctionsApi };
    Analytics: AnalyticsApi;
    V3: { Actions: ActionsV3Api & { Code: CodeApi } };
  };
  Page: PageApi;
  request: RequestPlatform;
  /** The page’s `ENV`, or `{}`. */
  env: () => Record<string, unknown>;
  baseUrl: () => string;
}

/** The installed runtime, with access to the handler that the page has set. */
export interface Installed {
  pipeline: PipelineApi;
  /** The handler that the screen passed to `Page.onRemoteExecution`. */
  handler(): RemoteHandler | null;
  /** The code of a V3 action. */
  code: Code;
}

/**
 * Defines the runtime’s members of `globalThis[namespace]`. Other members are kept, including those of `App` and
 * `Actions`.
 */
export function installRuntime(namespace: string, host: Host): Installed {
  const { api, registry } = createFunctions(host.currentScript);
  const platform = member(globalThis, namespace);
  platform.Functions = api;
  platform.request = host.request;
  platform.env = () => readEnv() ?? {};
  platform.baseUrl = () => host.baseUrl;
  const page = createPage();
  const code = createCode(host.query);
  const runner = createPageRunner(registry, page.handler, host.request, { code, loadScript: host.loadScript });
  const { actions, taskFunctions } = createActions(host.request, runner);
  const app = member(platform, 'App');
  addTo(app, 'Actions', actions);
  addTo(member(app, 'Tasks'), 'Functions', taskFunctions);
  addTo(app, 'Analytics', createAnalytics(host.request, runner));
  const v3 = member(app, 'V3');
  addTo(v3, 'Actions', createActionsV3(host.requestV3, runner));
  member(v3, 'Actions').Code = code.api;
  for (const [name, members] of Object.entries(createFacades(host.request))) addTo(platform, name, members);
  addTo(platform, 'Page', page.api);
  const pipeline = createPipeline(registry, host.query);
  member(app, 'Actions').Pipeline = pipeline;
  return { pipeline, handler: page.handler, code };
}

/** Adds members to `owner[name]`. Existing members are kept, and so is a value that isn’t an object. */
function addTo(owner: Record<string, unknown>, name: string, members: object): void {
  const existing = owner[name];
  if (existing !== undefined && existing !== null && typeof existing !== 'object' && typeof existing !== 'function')
    return;
  const target = member(owner, name);
  for (const [key, value] of Object.entries(members)) target[key] ??= value;
}

/** The object under `name`, created if there is none. */
function member(owner: object, name: string): Record<string, unknown> {
  const existing: unknown = Reflect.get(owner, name);
  if ((typeof existing === 'object' && existing !== null) || typeof existing === 'function')
    return existing as Record<string, unknown>;
  const created: Record<string, unknown> = {};
  Reflect.set(owner, name, created);
  return created;
}
