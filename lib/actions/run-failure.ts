/** Describes why a run failed, in the same words for runs in pages and on servers (decisions, "Actions"). */
import { describeThrown, isPipelineError } from '../pipeline/errors.ts';
import type { PipelineStep } from '../pipeline/index.ts';
import type { RunFailure } from '../platform-api/errors.ts';
import { RESULT_TOO_DEEP } from '../platform-api/runs/run.ts';

/** A step in one iteration. */
export interface StepPlace {
  /** JSON Pointer into the pipeline. */
  readonly path: string;
  /** The index in each enclosing loop, outermost first. */
  readonly iteration: readonly number[];
}

/** In V8, SpiderMonkey, and JavaScriptCore. */
const STACK_OVERFLOW = /^(Maximum call stack size exceeded|too much recursion)/;
const MAX_LINES = 50;
const MAX_LINE_LENGTH = 1_000;
const MAX_TYPE_LENGTH = 200;
const CAUSES = 5;
/** Saved before a run’s functions can replace it. */
const { stringify } = JSON;

/** Fails a run whose result is nested too deeply. */
export class ResultTooDeep extends Error {
  override name = RESULT_TOO_DEEP.errorType;
  constructor(options?: ErrorOptions) {
    super(RESULT_TOO_DEEP.errorMessage, options);
  }
}

/** The result as JSON. Empty if there is no result, null if the JSON would exceed the maximum length of a string. */
export function resultText(value: unknown): string | null {
  try {
    return (stringify(value) as string | undefined) ?? '';
  } catch (error) {
    if (error instanceof RangeError && error.message === 'Invalid string length') return null;
    if (error instanceof Error && STACK_OVERFLOW.test(error.message)) throw new ResultTooDeep();
    throw new TypeError(`Couldn’t convert the result to JSON: ${firstLine(error)}.`, { cause: error });
  }
}

const firstLine = (thrown: unknown): string =>
  thrown instanceof Error ? thrown.message.split('\n')[0]!.replace(/\.$/, '') : 'it throws';

/** Describes what a run rejected with: its type, its message, and the steps that it ended, the failing step first. */
export function describeFailure(thrown: unknown, pipeline: unknown): RunFailure {
  if (!isPipelineError(thrown))
    return {
      errorType: typeOf(thrown),
      errorMessage: clip(describeThrown(thrown)),
      trace: bounded([...frames(thrown), ...causes(thrown)]),
    };
  const { code, path, iteration = [], problems, cause } = thrown;
  if (problems)
    return {
      errorType: code,
      errorMessage: clip(thrown.message),
      trace: bounded(problems.map((problem) => `${problem.path}: ${problem.message}`)),
    };
  const fromFunction = code === 'STEP_FAILED';
  const steps = path === undefined ? [] : stepLines({ path, iteration }, pipeline);
  return {
    errorType: fromFunction ? typeOf(cause) : code,
    errorMessage: clip(fromFunction ? describeThrown(cause) : thrown.message),
    trace: bounded([...steps, ...frames(cause), ...causes(cause)]),
  };
}

/**
 * The trace of a run that was stopped: the running step, the steps that contain it, and the steps that ended just
 * before, most recent first.
 * @param started the last started steps, oldest first
 */
export function runningTrace(started: readonly StepPlace[], pipeline: unknown): string[] {
  const running = started.at(-1);
  if (!running) return [];
  const open = stepLines(running, pipeline);
  const ended = started
    .slice(0, -1)
    .flatMap((each) => stepLines(each, pipeline).slice(0, 1))
    .filter((line) => !open.includes(line))
    .map((line) => `after ${line}`);
  return bounded([...open, ...ended.toReversed()]);
}

/** One line for the step and for each step that contains it, innermost first. Iterations count from 1. */
function stepLines({ path, iteration }: StepPlace, pipeline: unknown): string[] {
  const lines: string[] = [];
  let place: unknown = pipeline;
  let walked = '';
  let loops = 0;
  for (const key of path.split('/').slice(1)) {
    const isList = Array.isArray(place);
    if (typeof place !== 'object' || place === null || !Object.hasOwn(place, key)) break;
    place = (place as Record<string, unknown>)[key];
    walked += `/${key}`;
    // A list contains steps, or the condition blocks of an `if`.
    const isStep = isList && typeof place === 'object' && place !== null && !/\/conditions\/\d+$/.test(walked);
    if (!isStep) continue;
    const { functionPackage, function: alias, type } = place as PipelineStep;
    const turns = iteration.slice(0, loops).map((each) => each + 1);
    const name = functionPackage ?? alias ?? type ?? 'step';
    lines.unshift(`${walked} ${name}${turns.length > 0 ? `, iteration ${turns.join('.')}` : ''}`);
    if (type === 'loop') loops += 1;
  }
  return lines.length > 0 ? lines : [path];
}

function typeOf(thrown: unknown): string {
  try {
    const name: unknown =
      thrown instanceof Error ? thrown.name : (thrown as { errorType?: unknown } | null | undefined)?.errorType;
    return typeof name === 'string' && name ? clip(name, MAX_TYPE_LENGTH) : 'Error';
  } catch {
    return 'Error';
  }
}

/** The stack frames in the sources of functions, screens, and V3 code. */
function frames(thrown: unknown): string[] {
  try {
    const stack: unknown = thrown instanceof Error ? thrown.stack : null;
    if (typeof stack !== 'string') return [];
    return stack
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line.startsWith('at ') && /\/v1\/(functions|screens)\/|\/v3\/apps\//.test(line));
  } catch {
    return [];
  }
}

function causes(thrown: unknown): string[] {
  const lines: string[] = [];
  try {
    for (
      let cause = thrown instanceof Error ? thrown.cause : undefined;
      cause !== undefined && lines.length < CAUSES;
      cause = cause instanceof Error ? cause.cause : undefined
    ) {
      lines.push(`caused by ${typeOf(cause)}: ${describeThrown(cause)}`);
    }
  } catch {
    // Reading the cause threw an error.
  }
  return lines;
}

const bounded = (lines: string[]): string[] => lines.slice(0, MAX_LINES).map((line) => clip(line));
/** Also replaces characters that a database can’t store. */
function clip(text: string, length = MAX_LINE_LENGTH): string {
  const start = text.length > length ? `${text.slice(0, length)}…` : text;
  return start.toWellFormed().replaceAll('\0', '\ufffd');
}
