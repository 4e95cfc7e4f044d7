/** Runs actions in this page, with the same engine, limits, and log records as on the server. */
import type { RunFailure } from '../platform-api/errors.ts';
import { resultTooLarge, runFailed, timedOut, type PageRun, type RunFailureCode } from '../platform-api/runs/run.ts';
import { isDeeperThan } from '../platform-api/json-depth.ts';
import { JSON_DEPTH } from '../platform-api/limits.ts';
import type { PageRunOutcome } from '../platform-api/runs/outcome.ts';
import { runPipeline, type FunctionRegistry } from '../pipeline/index.ts';
import { appPath } from './arguments.ts';
import { readEnv } from './environment.ts';
import { RequestError, type RequestPlatform } from './request.ts';
import { describeFailure, resultText, ResultTooDeep, runningTrace, type StepPlace } from './run-failure.ts';
import type { RemoteHandler } from './screen.ts';
import type { Code } from './v3/code.ts';

export interface PageRunner {
  /**
   * Runs the action and logs the outcome. Resolves with the result as JSON data. Rejects with `ACTION_FAILED`,
   * `TIMEOUT`, or `RESULT_TOO_LARGE`.
   */
  run(run: PageRun): Promise<unknown>;
}

/** Steps that the trace of a stopped run can show, as on the server. */
const LAST_STEPS = 8;

class LimitError extends Error {
  readonly code: RunFailureCode;
  readonly failure: RunFailure;
  constructor(code: RunFailureCode, failure: RunFailure) {
    super(failure.errorMessage);
    this.code = code;
    this.failure = failure;
  }
}

export function createPageRunner(
  functions: FunctionRegistry,
  handler: () => RemoteHandler | null,
  request: RequestPlatform,
  v3: { code: Code; loadScript: (path: string) => Promise<void> },
): PageRunner {
  /** Adds each step that starts to `started`. */
  async function execute(run: PageRun, signal: AbortSignal, started: StepPlace[]): Promise<unknown> {
    const { payload, pageId } = run;
    if (run.script !== undefined) return unlessAborted(signal, () => executeCode(run.runId, run.script!, payload));
    const observer = {
      before({ path, iteration }: StepPlace): void {
        started.push({ path, iteration });
        if (started.length > LAST_STEPS) started.shift();
      },
    };
    if (pageId === null || run.functions.length > 0)
      return runPipeline(run.functions, { payload, functions, signal, observer });
    const handle = readEnv()?.pageId === pageId ? handler() : null;
    if (!handle) throw new Error(`Screen ${pageId} isn’t open here, or has no Page.onRemoteExecution handler.`);
    return unlessAborted(signal, async () => handle({ ...payload }));
  }

  async function executeCode(runId: string, script: string, payload: Record<string, unknown>): Promise<unknown> {
    await v3.loadScript(script);
    return v3.code.execute(payload, runId);
  }

  async function report(runId: string, outcome: PageRunOutcome): Promise<void> {
    try {
      await request(`${appPath()}/runs/${runId}/outcome`, { method: 'POST', body: outcome });
    } catch (error) {
      // The run itself isn’t affected. The platform adds the missing log record when the run’s time limit expires.
      console.warn(`Couldn’t log the outcome of a run: ${(error as Error).message}`);
    }
  }

  return {
    async run(run) {
      const start = performance.now();
      const milliseconds = (): number => Math.round(performance.now() - start);
      const started: StepPlace[] = [];
      const trace = (): string[] => runningTrace(started, run.functions);
      try {
        const result = await withLimits(run.limits, trace, (signal) => execute(run, signal, started));
        const logged = run.script === undefined ? {} : { result };
        await report(run.runId, { state: 'completed', milliseconds: milliseconds(), ...logged });
        return result;
      } catch (error) {
        const { code, failure } =
          error instanceof LimitError
            ? error
            : { code: 'ACTION_FAILED' as const, failure: describeFailure(error, run.functions) };
        await report(run.runId, { state: 'failed', milliseconds: milliseconds(), code, failure });
        const { status, message } = runFailed(run.name, code, failure);
        const shown = run.script !== undefined && code === 'ACTION_FAILED' ? 'EXECUTION_FAILED' : code;
        throw new RequestError(shown, status, message, { details: failure, cause: error });
      }
    },
  };
}

const unlessAborted = <T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
    void work().then(resolve, reject);
  });

/**
 * Resolves with the result as JSON data. Rejects with a `LimitError` if the run takes too long or the result is too
 * large.
 * @param trace describes which step is running
 */
async function withLimits(
  { time, result: maxSize }: PageRun['limits'],
  trace: () => string[],
  execute: (signal: AbortSignal) => Promise<unknown>,
): Promise<unknown> {
  const controller = new AbortController();
  const stop = (): void => controller.abort(new LimitError('TIMEOUT', { ...timedOut(time), trace: trace() }));
  const timer = setTimeout(stop, time);
  try {
    const text = resultText(await execute(controller.signal));
    const size = text === null ? null : new TextEncoder().encode(text).length;
    if (size === null || size > maxSize) throw new LimitError('RESULT_TOO_LARGE', resultTooLarge(maxSize, size));
    const result: unknown = JSON.parse(text || 'null');
    if (isDeeperThan(result, JSON_DEPTH)) throw new ResultTooDeep();
    return result;
  } catch (error) {
    throw controller.signal.aborted ? (controller.signal.reason as Error) : error;
  } finally {
    clearTimeout(timer);
  }
}
