/**
 * Runs the page’s pipeline with our engine: the page’s own functions, our orchestration. Tracing, and whatever else
 * observes or replaces steps, is built on the engine’s observer.
 */
import {
  type ConditionSources,
  type FunctionRegistry,
  type Observer,
  type PipelineFunction,
  runPipeline,
  validatePipeline,
} from '../../../../pipeline/index.ts';
import { RESULT_LIMIT, RUN_TIME_LIMIT } from '../../../../platform-api/limits.ts';
import { resultTooLarge, timedOut } from '../../../../platform-api/runs/run.ts';
import { dataOf, textOf } from '../../agent/describe/describe-special.ts';
import { activeNow } from '../../agent/page-status.ts';
import { abort, cancelLater, ErrorOf, later } from '../../agent/pristine.ts';
import { includes } from '../../agent/safe.ts';

export interface EngineRun {
  /** Conditions can be functions. */
  steps: unknown[];
  /** Only the engine may have it: its nested objects become the context’s. */
  payload: object;
  functionOf: (name: string) => PipelineFunction | undefined;
  observer: Observer;
  sources?: ConditionSources | undefined;
  /** Aborting it ends the run before its next step. */
  controller: AbortController;
  /** In milliseconds, without pauses of the debugger. */
  timeLimit?: number;
}

/** The pipeline’s packages without a function, each once. */
export function missingPackages(steps: unknown[], functionOf: EngineRun['functionOf']): string[] {
  const missing: string[] = [];
  const has = (name: string): boolean => {
    if (functionOf(name) === undefined && !includes(missing, name)) missing[missing.length] = name;
    return true;
  };
  validatePipeline(steps, { packages: { has } });
  return missing;
}

/** Rejects with a `PipelineError`, or with `TIMEOUT` at the specification’s limit. */
export async function runWithEngine(run: EngineRun): Promise<unknown> {
  const { steps, payload, functionOf, observer, sources, controller, timeLimit = RUN_TIME_LIMIT } = run;
  let isOverdue = false;
  const cancel = afterActiveTime(timeLimit, () => {
    isOverdue = true;
    abort(controller);
  });
  try {
    return await runPipeline(steps, {
      payload: payload as Record<string, unknown>,
      functions: { get: functionOf } as FunctionRegistry,
      observer,
      sources,
      signal: controller.signal,
    });
  } catch (error) {
    throw isOverdue ? limitError(timedOut(timeLimit), error) : error;
  } finally {
    cancel();
  }
}

/**
 * @param measured the size of the result’s JSON; null if it has none, or is too long to write
 * @throws Error `RESULT_TOO_LARGE`
 */
export function checkResultSize({ bytes, isTooLong }: { bytes: number | null; isTooLong?: boolean }): void {
  if (isTooLong || (bytes ?? 0) > RESULT_LIMIT) throw limitError(resultTooLarge(RESULT_LIMIT, bytes), null);
}

/** @param cause has the path of the step that was running */
function limitError({ errorType, errorMessage }: ReturnType<typeof timedOut>, cause: unknown): Error {
  const error = new ErrorOf(errorMessage) as Error & Record<string, unknown>;
  error.name = errorType;
  error.code = errorType;
  if (typeof cause !== 'object' || cause === null) return error;
  error.path = textOf(cause, 'path') ?? undefined;
  error.iteration = dataOf(cause, 'iteration');
  return error;
}

/** Calls `then` after a time that excludes pauses of the debugger. Returns a function that cancels it. */
function afterActiveTime(milliseconds: number, then: () => void): () => void {
  const from = activeNow();
  const check = (): void => {
    const left = milliseconds - (activeNow() - from);
    if (left <= 0) then();
    else timer = later(check, left + 1);
  };
  let timer = later(check, milliseconds);
  return () => cancelLater(timer);
}
