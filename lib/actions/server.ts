/** Owns the start of the runtime in a server's runner, where there is no document and each run has a world of its own. */
import { DEFAULT_NAMESPACE } from '../platform-api/limits.ts';
import type { Observer } from '../pipeline/index.ts';
import type { PipelineApi } from './pipeline.ts';
import { createRequest } from './request.ts';
import { installRuntime } from './runtime.ts';

export interface ServerPlace {
  /** The platform's address with a slash at its end. */
  baseUrl: string;
  /** Becomes the global `ENV`. */
  env: Record<string, unknown>;
  payload: Record<string, unknown>;
}
export type RemoteHandler = (payload: Record<string, unknown>) => unknown;
export interface ServerRuntime {
  /** Runs `ENV.taskPipeline` with the payload, as a page does. */
  run(observer: Observer): Promise<unknown>;
  /** What a screen gave to `Platform.Page.onRemoteExecution`. */
  handler(): RemoteHandler | null;
}

interface Installed {
  App: { Actions: { Pipeline: PipelineApi } };
  Page?: Record<string, unknown>;
}

export function installServerRuntime({ baseUrl, env, payload }: ServerPlace): ServerRuntime {
  let kept: RemoteHandler | null = null;
  Reflect.set(globalThis, 'ENV', env);
  installRuntime(DEFAULT_NAMESPACE, {
    baseUrl,
    request: createRequest(new URL('v1/', baseUrl).href),
    query: () => `?payload=${encodeURIComponent(JSON.stringify(payload))}`,
    currentScript: () => null,
  });
  const platform = Reflect.get(globalThis, DEFAULT_NAMESPACE) as Installed;
  const { Pipeline } = platform.App.Actions;
  platform.Page = {
    ...platform.Page,
    onRemoteExecution(handler: unknown) {
      if (typeof handler !== 'function')
        throw new TypeError('Page.onRemoteExecution: the argument must be a function of the payload.');
      kept = handler as RemoteHandler;
    },
  };
  return { run: (observer) => Pipeline.run({ observer }), handler: () => kept };
}
