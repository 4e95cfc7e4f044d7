/** Describes a thrown value as a failure result (see the specification), with the step's path if it's known. */
import { AGENT_SOURCE } from '../../agent-protocol.ts';
import { describe } from '../../agent/describe/describe.ts';
import { cut } from '../../agent/describe/describe-cursor.ts';
import { dataOf, isErrorObject, stackOf, textOf } from '../../agent/describe/describe-special.ts';
import type { Handles } from '../../agent/handles.ts';
import { indexOf, isArray, isSafeInteger, split, toText, trim } from '../../agent/pristine.ts';
import { attempt, join } from '../../agent/safe.ts';
import type { RemoteError } from '../../contract.ts';

const MAX_LINES = 60;

type StepName = (path: string, iteration: number[]) => string | null;

const UNREADABLE = 'The page threw a value that can’t be read.';
const UNKNOWN_STEP = { code: null as string | null, path: null as string | null, iteration: [] as number[] };

/** @param stepName returns the failed step's name if the agent saw it start */
export function remoteError(thrown: unknown, handles: Handles, stepName: StepName): RemoteError {
  const { code, path, iteration, cause } = attempt(() => locate(thrown)) ?? { ...UNKNOWN_STEP, cause: thrown };
  // The value can be a revoked proxy, or throw whenever it's read.
  const summary = attempt(() => nameAndMessage(cause, handles)) ?? {
    errorType: 'unreadable',
    errorMessage: UNREADABLE,
    thrown: { t: 'unreadable', message: UNREADABLE },
  };
  const trace = path === null ? [] : [stepLine(path, iteration, stepName(path, iteration))];
  attempt(() => addFrames(trace, cause));
  if (trace.length === 0) trace[0] = `${summary.errorType}: ${summary.errorMessage}`;
  return { code, ...summary, trace, path, iteration };
}

/** The step that the engine's error names, and what its function threw, which is what matters to the user. */
function locate(thrown: unknown): typeof UNKNOWN_STEP & { cause: unknown } {
  if (typeof thrown !== 'object' || thrown === null) return { ...UNKNOWN_STEP, cause: thrown };
  const code = textOf(thrown, 'code');
  const cause = code === 'STEP_FAILED' && 'cause' in thrown ? dataOf(thrown, 'cause') : thrown;
  return { code, path: textOf(thrown, 'path'), iteration: integers(dataOf(thrown, 'iteration')), cause };
}

function nameAndMessage(thrown: unknown, handles: Handles): Pick<RemoteError, 'errorType' | 'errorMessage' | 'thrown'> {
  if (typeof thrown === 'object' && thrown !== null && isErrorObject(thrown))
    return { errorType: textOf(thrown, 'name') ?? 'Error', errorMessage: textOf(thrown, 'message') ?? '' };
  const value = describe(thrown, { nodes: 200, chars: 8_000, depth: 5 }, handles);
  if (typeof thrown === 'object' && thrown !== null)
    return {
      // The failure result of another run (specification, "Action log record") is thrown as it is.
      errorType: textOf(thrown, 'errorType') ?? textOf(thrown, 'name') ?? 'object',
      errorMessage: textOf(thrown, 'errorMessage') ?? textOf(thrown, 'message') ?? 'The thrown object isn’t an Error.',
      thrown: value,
    };
  const message =
    typeof thrown === 'string'
      ? cut(thrown, 1_000)
      : typeof thrown === 'function'
        ? 'A function was thrown.'
        : `${toText(thrown)} was thrown.`;
  return { errorType: typeof thrown, errorMessage: message, thrown: value };
}

function stepLine(path: string, iteration: readonly number[], name: string | null): string {
  const numbers: string[] = [];
  for (let i = 0; i < iteration.length; i++) numbers[i] = `${iteration[i]! + 1}`;
  const label = name === null ? '' : ` (${name})`;
  return `step ${path}${label}${numbers.length ? `, iteration ${join(numbers, ' › ')}` : ''}`;
}

/** Adds the stack's frames, except for the first line (the message) and the agent's own frames. */
function addFrames(trace: string[], cause: unknown): void {
  if (typeof cause !== 'object' || cause === null) return;
  const lines = split(stackOf(cause), '\n');
  for (let i = 0; i < lines.length && trace.length < MAX_LINES; i++) {
    const line = trim(lines[i]!);
    const isFrame = indexOf(line, 'at ') === 0 || indexOf(line, '@') >= 0;
    if (isFrame && indexOf(line, AGENT_SOURCE) < 0) trace[trace.length] = line;
  }
}

/** The value if it's an array of integers, otherwise an empty array. */
export function integers(value: unknown): number[] {
  const list: number[] = [];
  if (!isArray(value)) return list;
  const given = value as unknown[];
  for (let i = 0; i < given.length && i < 50; i++) {
    const number = given[i];
    if (typeof number !== 'number' || !isSafeInteger(number)) return [];
    list[list.length] = number;
  }
  return list;
}

/** Whether the value is an array of these integers. */
export function isSameList(value: unknown, list: readonly number[]): boolean {
  if (!isArray(value) || (value as unknown[]).length !== list.length) return false;
  for (let i = 0; i < list.length; i++) if ((value as unknown[])[i] !== list[i]) return false;
  return true;
}
