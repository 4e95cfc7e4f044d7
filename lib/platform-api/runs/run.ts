/** Runs from the caller’s perspective: how a run can fail, and runs that a page executes (decisions, "Actions"). */
import type { Trigger, PipelineStep } from '../action.ts';
import type { ErrorValue, RunFailure } from '../errors.ts';
import { JSON_DEPTH } from '../limits.ts';

export type RunFailureCode = 'ACTION_FAILED' | 'TIMEOUT' | 'RESULT_TOO_LARGE';

/** A run for the page to execute. The page then reports the outcome. */
export interface PageRun {
  runId: string;
  actionId: number;
  name: string;
  trigger: Trigger['trigger'];
  functions: PipelineStep[];
  /** The path of the script with the code of a V3 action, which registers it under the run’s ID. */
  script?: string;
  pageId: number | null;
  payload: Record<string, unknown>;
  /** `time` in milliseconds, `result` in bytes of JSON. */
  limits: { time: number; result: number };
}

/** The error for callers that wait for the result of a run that failed. */
export function runFailed(name: string, code: RunFailureCode, failure: RunFailure): ErrorValue & { status: number } {
  const errors: Record<RunFailureCode, [status: number, message: string]> = {
    ACTION_FAILED: [424, `The action ${name} failed: ${failure.errorMessage}`],
    TIMEOUT: [504, `The action ${name} was stopped at the time limit: ${failure.errorMessage}`],
    RESULT_TOO_LARGE: [424, `The result of the action ${name} is too large: ${failure.errorMessage}`],
  };
  const [status, message] = errors[code];
  return { code, message, status };
}

/** Why a run failed whose result is nested too deeply. */
export const RESULT_TOO_DEEP: RunFailure = {
  errorType: 'RESULT_TOO_DEEP',
  errorMessage: `The result is limited to ${JSON_DEPTH.toLocaleString('en')} levels of nesting. This one has more.`,
  trace: [],
};

/** Why a run failed that reached the time limit, in milliseconds. */
export function timedOut(time: number): Omit<RunFailure, 'trace'> {
  const seconds = time / 1000;
  return {
    errorType: 'TIMEOUT',
    errorMessage: `The action ran longer than ${seconds} ${seconds === 1 ? 'second' : 'seconds'} and was stopped.`,
  };
}

/**
 * Why a run failed whose result exceeds the limit.
 * @param bytes the size of the result; null if its JSON exceeds the maximum length of a string
 */
export function resultTooLarge(limit: number, bytes: number | null): RunFailure {
  const size = bytes === null ? 'is longer than a string can be' : `has ${bytes.toLocaleString('en')}`;
  const errorMessage = `The result is limited to ${limit.toLocaleString('en')} bytes of JSON. This one ${size}.`;
  return { errorType: 'RESULT_TOO_LARGE', errorMessage, trace: [] };
}
