/** Starts the runtime in a server’s runner, where each run has a separate global object and no document. */
import { DEFAULT_NAMESPACE } from '../platform-api/limits.ts';
import type { PipelineRunOptions } from './pipeline.ts';
import { createRequest } from './request.ts';
import { installRuntime } from './runtime.ts';
import type { RemoteHandler } from './screen.ts';

export type { RemoteHandler } from './screen.ts';

export interface ServerOptions {
  /** The platform’s base URL, with a trailing slash. */
  baseUrl: string;
  /** The value of the global `ENV`. */
  env: Record<string, unknown>;
  payload: Record<string, unknown>;
}

export interface ServerRuntime {
  /** Runs `ENV.taskPipeline` with the payload, as on a page. */
  run(options: PipelineRunOptions): Promise<unknown>;
  /** The handler that a screen passed to `Platform.Page.onRemoteExecution`. */
  handler(): RemoteHandler | null;
  /** Calls the `execute` function of a V3 action’s code, which a script has registered. */
  execute(payload: Record<string, unknown>): Promise<unknown>;
}

/** Runs’ requests use no connection, so that they’re never sent twice. */
const NO_KEYS = { hasKeys: false };

export function installServerRuntime({ baseUrl, env, payload }: ServerOptions): ServerRuntime {
  Reflect.set(globalThis, 'ENV', env);
  const { pipeline, handler, code } = installRuntime(DEFAULT_NAMESPACE, {
    baseUrl,
    request: createRequest(new URL('v1/', baseUrl).href, NO_KEYS),
    requestV3: createRequest(new URL('v3/', baseUrl).href, NO_KEYS),
    loadScript: () => Promise.reject(new Error('A run on the server can’t load scripts.')),
    query: () => `?payload=${encodeURIComponent(JSON.stringify(payload))}`,
    currentScript: () => null,
  });
  return { run: (options) => pipeline.run(options), handler, execute: (given) => code.execute(given) };
}
