/** Runs from the caller’s perspective: how a run can fail, and runs that a page executes (decisions, "Actions"). */
import type { Trigger, PipelineStep } from '../action.ts';
import type { ErrorValue, RunFailure } from '../errors.ts';

export type RunFailureCode = 'ACTION_FAILED' | 'TIMEOUT' | 'RESULT_TOO_LARGE';

/** A run for the page to execute. The page then reports the outcome. */
export interface PageRun {
  runId: string;
  actionId: number;
  name: string;
  trigger: Trigger['trigger'];
  functions: PipelineStep[];
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

/** Describes a thrown error as a `RunFailure`: its name, its message, and the steps that contain it. */
export function describeFailure(thrown: unknown, functions: readonly PipelineStep[]): RunFailure {
  const error = (typeof thrown === 'object' && thrown !== null ? thrown : {}) as {
    code?: unknown;
    message?: unknown;
    path?: unknown;
    iteration?: unknown;
    cause?: unknown;
    name?: unknown;
  };
  const cause = (typeof error.cause === 'object' && error.cause !== null ? error.cause : {}) as {
    name?: unknown;
    message?: unknown;
  };
  const inStep = error.code === 'STEP_FAILED';
  const type = inStep ? (cause.name ?? 'Error') : (error.code ?? error.name ?? 'Error');
  const message = error.message ?? thrown;
  return {
    errorType: text(type, 200),
    errorMessage: text(message, 10_000) || 'The run failed without an error message.',
    trace:
      typeof error.path === 'string'
        ? traceOf(error.path, Array.isArray(error.iteration) ? error.iteration : [], functions)
        : [],
  };
}

/** One line per step, starting with the failing step: its path, its package or type, and the loop iteration. */
function traceOf(path: string, iteration: readonly unknown[], functions: readonly PipelineStep[]): string[] {
  const lines: string[] = [];
  const keys = path.split('/').slice(1);
  let place: unknown = functions;
  let walked = '';
  let loops = 0;
  for (const key of keys) {
    if (typeof place !== 'object' || place === null || !Object.hasOwn(place, key)) break;
    const list = Array.isArray(place);
    place = (place as Record<string, unknown>)[key];
    walked += `/${key}`;
    const step = place as PipelineStep | null;
    if (!list || typeof step !== 'object' || step === null || 'condition' in step) continue;
    const name = step.functionPackage ?? step.function ?? step.type ?? 'step';
    const turn =
      step.type === 'loop' && loops < iteration.length ? `, iteration ${Number(iteration[loops++]) + 1}` : '';
    lines.unshift(`${walked} ${text(name, 200)}${turn}`);
  }
  return lines;
}

function text(value: unknown, longest: number): string {
  // An object’s own `toString` might throw or return nothing useful.
  const written = typeof value === 'object' || typeof value === 'function' ? '' : String(value);
  return written.length > longest ? `${written.slice(0, longest)}…` : written;
}
