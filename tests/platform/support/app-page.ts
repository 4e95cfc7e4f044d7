/**
 * Runs the preview or live page of an app without a browser: its data and scripts, in a realm and document of their
 * own.
 */
import { createContext, runInContext } from 'node:vm';
import { Window } from 'happy-dom';
import type { Runtime } from '../../../lib/actions/runtime.ts';
import type { TestPlatform } from './platform.ts';

export interface AppPage {
  Platform: Runtime;
  ENV: Record<string, unknown>;
  document: Window['document'];
}

const WEB = {
  fetch,
  URL,
  URLSearchParams,
  Headers,
  AbortController,
  AbortSignal,
  MessageChannel,
  TextEncoder,
  setTimeout,
  clearTimeout,
  setImmediate,
  performance,
  structuredClone,
  queueMicrotask,
  console,
};

export async function openAppPage(platform: TestPlatform, path: string): Promise<AppPage> {
  const { status, text } = await platform.ask(path);
  if (status !== 200) throw new Error(`${path} answered ${status}: ${text}`);
  const window = new Window({
    url: platform.baseUrl + path,
    settings: { disableJavaScriptEvaluation: true, disableJavaScriptFileLoading: true, disableCSSFileLoading: true },
  });
  const { document } = window;
  document.write(text);
  const location = new URL(platform.baseUrl + path);
  let src: string | null = null;
  const seen = new Proxy(document, {
    get(target, name) {
      if (name === 'currentScript') return src === null ? null : { src };
      if (name === 'head') return { append: (script: HTMLScriptElement) => void load(script) };
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
  const page = createContext({ ...WEB, document: seen, location });
  /** Loads a script that the page adds, as a browser would. */
  const load = async (script: HTMLScriptElement): Promise<void> => {
    const { status: found, text: source } = await platform.ask(new URL(script.src).pathname, { token: null });
    if (found === 200) runInContext(source, page, { filename: script.src });
    script.dispatchEvent(new window.Event(found === 200 ? 'load' : 'error') as unknown as Event);
  };
  for (const [, address] of text.matchAll(/<script src="([^"]*)">/g)) {
    src = new URL(address!, location).href;
    const script = await platform.ask(address!, { token: null });
    if (script.status !== 200) throw new Error(`${address} answered ${script.status}`);
    runInContext(script.text, page, { filename: address! });
    src = null;
  }
  return { ...(page as unknown as Pick<AppPage, 'Platform' | 'ENV'>), document };
}
