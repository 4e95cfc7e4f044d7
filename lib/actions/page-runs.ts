/** Owns runs that this page does itself: the same engine, limits and log record as on the server. */
import type { RunFailure } from '../platform-api/errors.ts';
import { describeFailure, runFailed, type PageRun, type RunFailureCode } from '../platform-api/run.ts';
import type { PageRunOutcome } from '../platform-api/run-outcome.ts';
import { runPipeline, type FunctionRegistry } from '../pipeline/index.ts';
import { appPath } from './arguments.ts';
import { readEnv } from './environment.ts';
import { RequestError, type RequestPlatform } from './request.ts';
import type { RemoteHandler } from './screen.ts';

export interface PageRunner {
  /** Runs to the end and logs it; rejects with `ACTION_FAILED`, `TIMEOUT` or `RESULT_TOO_LARGE`. Answers the result as JSON has it. */
  run(order: PageRun): Promise<unknown>;
}

class Ended extends Error {
  readonly code: RunFailureCode;
  constructor(code: RunFailureCode, message: string) {
    super(message);
    this.code = code;
  }
}

export function createPageRunner(
  functions: FunctionRegistry,
  handler: () => RemoteHandler | null,
  request: RequestPlatform,
): PageRunner {
  async function perform(order: PageRun, signal: AbortSignal): Promise<unknown> {
    const { payload, pageId } = order;
    if (pageId === null || order.functions.length > 0)
      return runPipeline(order.functions, { payload, functions, signal });
    const answer = readEnv()?.pageId === pageId ? handler() : null;
    if (!answer)
      throw new Error(`The screen ${pageId} is not open here, or gave no handler to Page.onRemoteExecution.`);
    return new Promise((resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
      void (async () => answer({ ...payload }))().then(resolve, reject);
    });
  }

  async function limited(order: PageRun): Promise<unknown> {
    const { time, result: largest } = order.limits;
    const controller = new AbortController();
    const timer = setTimeout(() => controller.abort(new Ended('TIMEOUT', `It ran for more than ${time} ms.`)), time);
    try {
      const result = await perform(order, controller.signal);
      const text = (JSON.stringify(result) as string | undefined) ?? 'null';
      const { length } = new TextEncoder().encode(text);
      if (length > largest)
        throw new Ended('RESULT_TOO_LARGE', `The result has ${length} bytes as JSON, and ${largest} are allowed.`);
      return JSON.parse(text);
    } catch (error) {
      throw controller.signal.aborted ? (controller.signal.reason as Error) : error;
    } finally {
      clearTimeout(timer);
    }
  }

  async function tell(runId: string, outcome: PageRunOutcome): Promise<void> {
    try {
      await request(`${appPath()}/runs/${runId}/outcome`, { method: 'POST', body: outcome });
    } catch (error) {
      // The run itself is over: only its record is missing, and the platform writes that at the time limit.
      console.warn(`The outcome of a run could not be logged: ${(error as Error).message}`);
    }
  }

  return {
    async run(order) {
      const begun = performance.now();
      const milliseconds = (): number => Math.round(performance.now() - begun);
      try {
        const result = await limited(order);
        await tell(order.runId, { state: 'completed', milliseconds: milliseconds() });
        return result;
      } catch (error) {
        const code = error instanceof Ended ? error.code : 'ACTION_FAILED';
        const failure: RunFailure = describeFailure(error, order.functions);
        await tell(order.runId, { state: 'failed', milliseconds: milliseconds(), code, failure });
        const { status, message } = runFailed(order.name, code, failure);
        throw new RequestError(code, status, message, { details: failure, cause: error });
      }
    },
  };
}
