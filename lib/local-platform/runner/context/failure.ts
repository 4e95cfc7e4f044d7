/** Describes a run’s failure: type, message, and the steps that it ended, the failing step first. */
import { describeThrown, isPipelineError } from '../../../pipeline/errors.ts';
import type { StepInfo } from '../../../pipeline/types.ts';

export interface Failure {
  errorType: string;
  errorMessage: string;
  trace: string[];
}

const MAX_LINES = 50;
const MAX_TEXT_LENGTH = 1_000;
const CAUSES = 5;

/** Formats a step as a line of a trace. Iterations count from 1. */
export function stepLine({ path, name, iteration }: Pick<StepInfo, 'path' | 'name' | 'iteration'>): string {
  const turns = iteration.length ? `, iteration ${iteration.map((each) => each + 1).join('.')}` : '';
  return `${path} ${name}${turns}`;
}

/** @param steps the steps that the failure ended, innermost first */
export function failureOf(thrown: unknown, steps: readonly string[]): Failure {
  if (!isPipelineError(thrown))
    return {
      errorType: nameOf(thrown),
      errorMessage: clip(describeThrown(thrown)),
      trace: bounded([...steps, ...frames(thrown), ...causes(thrown)]),
    };
  if (thrown.problems)
    return {
      errorType: thrown.code,
      errorMessage: clip(thrown.message),
      trace: bounded(thrown.problems.map(({ path, message }) => `${path}: ${message}`)),
    };
  const fromFunction = thrown.code === 'STEP_FAILED';
  return {
    errorType: fromFunction ? nameOf(thrown.cause) : thrown.code,
    errorMessage: clip(fromFunction ? describeThrown(thrown.cause) : thrown.message),
    trace: bounded([
      ...(steps.length === 0 && thrown.path !== undefined ? [thrown.path] : steps),
      ...frames(thrown.cause),
      ...causes(thrown.cause),
    ]),
  };
}

function nameOf(thrown: unknown): string {
  try {
    const name: unknown = thrown instanceof Error ? thrown.name : null;
    return typeof name === 'string' && name ? clip(name) : 'Error';
  } catch {
    return 'Error';
  }
}

/** The stack frames in the sources of functions and screens. */
function frames(thrown: unknown): string[] {
  try {
    const stack: unknown = thrown instanceof Error ? thrown.stack : null;
    if (typeof stack !== 'string') return [];
    return stack
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line.startsWith('at ') && /\/v1\/(functions|screens)\//.test(line));
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
      lines.push(`caused by ${nameOf(cause)}: ${describeThrown(cause)}`);
    }
  } catch {
    // Reading the cause threw an error.
  }
  return lines;
}

const bounded = (lines: string[]): string[] => lines.slice(0, MAX_LINES).map(clip);
const clip = (text: string): string => (text.length > MAX_TEXT_LENGTH ? `${text.slice(0, MAX_TEXT_LENGTH)}…` : text);
