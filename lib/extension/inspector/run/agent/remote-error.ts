/** Owns what a thrown value is told as: the specification's failure result, with the place where there is one. */
import { AGENT_SOURCE } from '../../agent-protocol.ts';
import type { RemoteError } from '../../contract.ts';
import { cut } from '../../agent/describe-cursor.ts';
import { describe } from '../../agent/describe.ts';
import { dataOf, isErrorObject, stackOf, textOf } from '../../agent/describe-special.ts';
import type { Handles } from '../../agent/handles.ts';
import { indexOf, isArray, isSafeInteger, join, split, toText, trim } from '../../agent/pristine.ts';

const MOST_LINES = 60;

/** @param stepName the failing step's package, when the agent saw it start */
export function remoteError(
  thrown: unknown,
  handles: Handles,
  stepName: (path: string, iteration: number[]) => string | null,
): RemoteError {
  try {
    return tell(thrown, handles, stepName);
  } catch {
    // A revoked proxy, or one that throws at every look.
    const message = 'The page threw a value that cannot be read.';
    return {
      code: null,
      errorType: 'unreadable',
      errorMessage: message,
      trace: [message],
      path: null,
      iteration: [],
      thrown: { t: 'unreadable', message },
    };
  }
}

function tell(
  thrown: unknown,
  handles: Handles,
  stepName: (path: string, iteration: number[]) => string | null,
): RemoteError {
  const object = typeof thrown === 'object' && thrown !== null ? thrown : null;
  const code = object && textOf(object, 'code');
  const path = object && textOf(object, 'path');
  const iteration = numbers(object && dataOf(object, 'iteration'));
  // The engine's error wraps what the function threw: that is what a person wants to read.
  const wraps = code === 'STEP_FAILED' && object !== null && hasCause(object);
  const cause = wraps ? dataOf(object, 'cause') : thrown;
  const what = nameAndMessage(cause, handles);
  const trace = path === null ? [] : [stepLine(path, iteration, stepName(path, iteration))];
  if (typeof cause === 'object' && cause !== null) addLines(trace, stackOf(cause));
  if (trace.length === 0) trace[0] = `${what.errorType}: ${what.errorMessage}`;
  return { code, ...what, trace, path, iteration };
}

function hasCause(object: object): boolean {
  return 'cause' in object;
}

function nameAndMessage(
  thrown: unknown,
  handles: Handles,
): { errorType: string; errorMessage: string; thrown?: RemoteError['thrown'] } {
  if (typeof thrown === 'object' && thrown !== null && isErrorObject(thrown)) {
    return { errorType: textOf(thrown, 'name') ?? 'Error', errorMessage: textOf(thrown, 'message') ?? '' };
  }
  const value = describe(thrown, { nodes: 200, chars: 8_000, depth: 5 }, handles);
  if (typeof thrown === 'object' && thrown !== null) {
    const message = textOf(thrown, 'message');
    return {
      errorType: textOf(thrown, 'name') ?? 'object',
      errorMessage: message ?? 'An object was thrown that is no Error.',
      thrown: value,
    };
  }
  const shown =
    typeof thrown === 'string'
      ? cut(thrown, 1_000)
      : typeof thrown === 'function'
        ? 'A function was thrown.'
        : `${toText(thrown)} was thrown.`;
  return { errorType: typeof thrown, errorMessage: shown, thrown: value };
}

function stepLine(path: string, iteration: readonly number[], name: string | null): string {
  const texts: string[] = [];
  for (let i = 0; i < iteration.length; i++) texts[i] = `${iteration[i]! + 1}`;
  return `step ${path}${name === null ? '' : ` (${name})`}${texts.length ? `, iteration ${join(texts, ' › ')}` : ''}`;
}

/** The stack's frames, without its first line (the message) and the agent's own, which are no news to a person. */
function addLines(trace: string[], stack: string): void {
  const lines = split(stack, '\n');
  for (let i = 0; i < lines.length && trace.length < MOST_LINES; i++) {
    const line = trim(lines[i]!);
    const frame = indexOf(line, 'at ') === 0 || indexOf(line, '@') >= 0;
    if (frame && indexOf(line, AGENT_SOURCE) < 0) trace[trace.length] = line;
  }
}

/** A list of whole numbers; empty when it is anything else. */
export function numbers(value: unknown): number[] {
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
