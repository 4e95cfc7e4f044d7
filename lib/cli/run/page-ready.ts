/** Waits until a debug page can run its pipeline, or says why it can’t. */
import { withNested, listSteps } from '../../debugging/pipelines/steps.ts';
import type { Engine, PageState, RunInspector } from '../../extension/inspector/index.ts';
import { CodedError, parseCompileUrl } from '../../platform-api/index.ts';
import type { ErrorValue } from '../../platform-api/errors.ts';

export interface ReadyLimits {
  /** Until the page has loaded. Then it’s used as it is. */
  load: number;
  /** After the page has loaded, until its runtime is there. */
  runtime: number;
  /** After that, until it has registered the functions of the pipeline, which only our engine must know. */
  functions: Record<Engine, number>;
}

const LIMITS: ReadyLimits = { load: 15_000, runtime: 5_000, functions: { platform: 1_000, ours: 3_000 } };
/** In milliseconds. */
const INTERVAL = 40;

/** The page to wait for. */
export interface WantedPage {
  baseUrl: string;
  appId: number;
  actionId: number;
  /** The name of its global namespace. */
  namespace: string;
}

export interface ReadyPage {
  state: PageState;
  pipeline: unknown[];
}

/**
 * @throws CodedError `PAGE_ELSEWHERE`, `PLATFORM_ABSENT`, `PLATFORM_NOT_AN_OBJECT`, `PLATFORM_THROWS`, `PLATFORM_NO_PIPELINE`,
 * the codes of pipelines that can’t be read, `ABORTED`, or those of the inspector
 */
export async function whenReady(
  inspector: RunInspector,
  wanted: WantedPage,
  engine: Engine,
  signal: AbortSignal,
  limits = LIMITS,
): Promise<ReadyPage> {
  const { namespace } = wanted;
  const isReady = ({ platform, pipeline }: PageState): boolean => platform === 'ready' && pipeline.ok;
  const poll = async (until: (state: PageState) => boolean, limit: number): Promise<PageState> => {
    const end = performance.now() + limit;
    for (;;) {
      // A page that goes to another one, or that is busy, can respond later.
      const state = await inspector.attach(namespace);
      if (state.ok && until(state.value)) return state.value;
      if (performance.now() >= end) return valueOf(state);
      await pause(INTERVAL, signal);
    }
  };
  await poll(({ ready }) => ready, limits.load);
  const state = await poll(isReady, limits.runtime);
  const problem = elsewhere(state, wanted) ?? problemOf(state, namespace);
  if (problem) throw new CodedError(problem);
  const pipeline = valueOf(await inspector.pipeline());
  // A runtime with an observer checks its functions itself.
  if (engine === 'platform' && state.tracing === 'observed') return { state, pipeline };
  const packages = packagesIn(pipeline);
  const hasAll = ({ functions }: PageState): boolean => {
    const known = new Set(functions.map(({ name }) => name));
    return packages.every((name) => known.has(name));
  };
  const last = await poll(hasAll, limits.functions[engine]);
  const left = elsewhere(last, wanted);
  if (left) throw new CodedError(left);
  return { state: last, pipeline };
}

/** A page can go to another one by itself, whose run would then count as this action’s. */
function elsewhere({ url }: PageState, { baseUrl, appId, actionId }: WantedPage): ErrorValue | null {
  const { origin } = new URL(url);
  if (origin !== new URL(baseUrl).origin) return wentTo(origin === 'null' ? 'another page' : origin);
  const found = debugPageAt(url, baseUrl);
  return !found || (found.appId === appId && found.taskId === actionId)
    ? null
    : wentTo(`action ${found.taskId} of app ${found.appId}`);
}

/** Null for other pages: a debug page can change its URL. */
function debugPageAt(url: string, baseUrl: string): { appId: number; taskId: number } | null {
  try {
    return parseCompileUrl(url, baseUrl);
  } catch {
    return null;
  }
}

const wentTo = (place: string): ErrorValue => ({
  code: 'PAGE_ELSEWHERE',
  message: `Couldn’t run the action: its page went to ${place}. Nothing was run.`,
  hint: 'Check the scripts of the page.',
});

function packagesIn(pipeline: unknown): string[] {
  return withNested(listSteps(pipeline)).flatMap(({ kind, name }) => (kind === 'function' ? [name] : []));
}

function problemOf({ platform, platformDetail, pipeline }: PageState, namespace: string): ErrorValue | null {
  const found = platformDetail ? ` Found: ${platformDetail}.` : '';
  switch (platform) {
    case 'absent':
      return {
        code: 'PLATFORM_ABSENT',
        message: `Couldn’t run the action: the page hasn’t defined ${namespace} in time.`,
        hint: 'Check the base URL, and whether the page asks for a login or is slow. Use --namespace if its runtime has another name.',
      };
    case 'not-an-object':
      return {
        code: 'PLATFORM_NOT_AN_OBJECT',
        message: `Couldn’t run the action: ${namespace} isn’t an object in the page.${found}`,
        hint: 'Remove the script that overwrites it.',
      };
    case 'throws':
      return {
        code: 'PLATFORM_THROWS',
        message: `Couldn’t run the action: reading ${namespace} throws an error.${found}`,
        hint: 'Fix the script that defines it.',
      };
    case 'no-pipeline':
      return {
        code: 'PLATFORM_NO_PIPELINE',
        message: `Couldn’t run the action: the page has no ${namespace}.App.Actions.Pipeline.run().${found}`,
        hint: 'Check whether this is the ID of an action, and whether all scripts of its debug page load.',
      };
    case 'ready':
      return pipeline.ok ? null : pipeline.error;
  }
}

function valueOf<T>(result: { ok: true; value: T } | { ok: false; error: ErrorValue }): T {
  if (result.ok) return result.value;
  throw new CodedError(result.error);
}

/** @throws CodedError `ABORTED` */
function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = (): void => {
      clearTimeout(timer);
      reject(canceled());
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', abort);
      resolve();
    }, milliseconds);
    if (signal.aborted) abort();
    else signal.addEventListener('abort', abort, { once: true });
  });
}

export const canceled = (message = 'The run was canceled. Nothing was run.'): CodedError =>
  new CodedError({ code: 'ABORTED', message });
