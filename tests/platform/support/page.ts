/** Runs a debug page without a browser: the served data and scripts, in their own realm. */
import { createContext, runInContext } from 'node:vm';
import type { Pipeline } from '../../../lib/platform-api/index.ts';
import type { FunctionsApi } from '../../../lib/actions/functions.ts';
import type { PipelineRunOptions } from '../../../lib/actions/pipeline.ts';
import type { TestPlatform } from './platform.ts';

export interface Page {
  /** `Platform` as the page's scripts see it. */
  Platform: {
    Functions: FunctionsApi;
    App: { Actions: { Pipeline: { features: string[]; run(options?: PipelineRunOptions): Promise<unknown> } } };
    request(path: string, init?: object): Promise<unknown>;
  };
  /** Runs `pipeline` instead of the page’s own; returns the result and the context after the last step. */
  run(pipeline?: Pipeline, payload?: unknown): Promise<{ result: unknown; context: Record<string, unknown> }>;
}

const WEB = {
  fetch,
  URL,
  URLSearchParams,
  Headers,
  AbortController,
  AbortSignal,
  MessageChannel,
  setTimeout,
  clearTimeout,
  setImmediate,
  performance,
  console,
  structuredClone,
  queueMicrotask,
};

/** @param query more of the page’s query string, such as `&payload={}` */
export async function openPage(
  platform: TestPlatform,
  path = '/v1/apps/101/tasks/1004/compile',
  query = '',
): Promise<Page> {
  const { text } = await platform.ask(`${path}?html`);
  const env = /id="platform-env">([^<]*)</.exec(text)![1]!;
  const location = new URL(`${platform.baseUrl}${path}?html${query}`);
  const document = {
    getElementById: (id: string) => (id === 'platform-env' ? { textContent: env } : null),
    currentScript: null as null | { src: string },
  };
  const page = createContext({ ...WEB, document, location });
  for (const [, src] of text.matchAll(/<script src="([^"]*)">/g)) {
    document.currentScript = { src: new URL(src!, location).href };
    runInContext((await platform.ask(src!, { token: null })).text, page, { filename: src! });
    document.currentScript = null;
  }
  const { Platform, ENV } = page as unknown as { Platform: Page['Platform']; ENV: { taskPipeline: unknown } };
  return {
    Platform,
    async run(pipeline, payload) {
      if (pipeline) ENV.taskPipeline = pipeline;
      if (payload !== undefined) location.searchParams.set('payload', JSON.stringify(payload));
      let context: Record<string, unknown> = {};
      const observer = { after: (info: { context: Record<string, unknown> }) => void (context = info.context) };
      const result = await Platform.App.Actions.Pipeline.run({ observer });
      return { result, context: JSON.parse(JSON.stringify(context)) as Record<string, unknown> };
    },
  };
}

/** A step of one of the platform's own packages. */
export const step = (name: string, settings: Record<string, unknown>, functions?: Pipeline): Pipeline[number] => ({
  functionPackage: `com.platform.function.${name}`,
  settings,
  ...(functions && { functions }),
});
