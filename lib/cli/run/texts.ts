/** Writes steps, values, and ends of runs as text for a terminal. */
import { inputSentence } from '../../debugging/replay/inputs/input-texts.ts';
import { LostValueError, readValue, type RecordedValue } from '../../debugging/recording/values.ts';
import { previewValue } from '../../debugging/why/preview.ts';
import { formatDuration } from '../../shared/format.ts';
import { oneLine, printableJson } from '../command/text.ts';
import { visible } from '../../shared/invisible.ts';
import type { ChangedEnd, IfOutcome } from '../operations/replay.ts';
import type { RunEnd, StepPlace } from '../operations/recordings.ts';
import type { RunStep } from './report.ts';

/** The last part of a package name. */
const shortName = (name: string): string =>
  /^[\w.-]+\.[\w-]+$/.test(name) ? name.slice(name.lastIndexOf('.') + 1) : name;

/** For people, iterations start at 1. */
export function placeText({ path, iteration }: StepPlace): string {
  if (path === '') return 'the start';
  return oneLine(
    iteration.length === 0 ? path : `${path}, iteration ${iteration.map((index) => index + 1).join(' › ')}`,
  );
}

export function branchText(branch: IfOutcome | undefined): string {
  if (branch === undefined) return 'didn’t run';
  if (branch === null) return 'no branch';
  if (branch === 'failed' || branch === 'unknown') return branch;
  return branch === 'else' ? 'else' : `branch ${branch + 1}`;
}

const MARKS: Record<RunStep['state'], string> = {
  completed: '✓',
  skipped: '–',
  failed: '!',
  stopped: '■',
  interrupted: '?',
};

export function stepText(step: RunStep): string {
  const { kind, name, path, iteration, state, milliseconds, branch, iterations, replaced, error } = step;
  const parts = [
    `${MARKS[state]} ${kind === 'function' ? shortName(name ?? 'function') : kind}`,
    path === undefined ? '' : placeText({ path, iteration }),
    formatDuration(milliseconds),
    kind === 'if' && state === 'completed' ? branchText(branch) : '',
    iterations === undefined ? '' : `${iterations} ${iterations === 1 ? 'iteration' : 'iterations'}`,
    replaced === undefined ? '' : replacedText(replaced, state),
    error ?? '',
  ];
  return oneLine(parts.filter(Boolean).join('  '));
}

/** What gave a step’s outcome, or its branch, instead of the step itself. */
export function replacedText(by: string, state: RunStep['state']): string {
  if (by === 'mock') return 'mocked';
  if (by === 'recording') return 'from recording';
  const how = state === 'skipped' ? 'skipped' : 'forced';
  return by === 'debugger' ? `${how} in the debugger` : `${how} by ${by}`;
}

/** The marks of recordings aren’t for people, so a value with one is shortened like a value in the console. */
export function valueText(value: RecordedValue, length = 200): string {
  try {
    return visible(previewValue(readValue(value), length));
  } catch (error) {
    if (error instanceof LostValueError) return error.message;
    throw error;
  }
}

/** A whole result. */
export function resultText(result: RecordedValue): string {
  if (typeof result === 'object' && result !== null && !Array.isArray(result) && result['$'] === 'undefined')
    return 'none';
  return printableJson(result, 2);
}

export const endText = (end: RunEnd | ChangedEnd): string => oneLine(endOf(end));

function endOf(end: RunEnd | ChangedEnd): string {
  switch (end.state) {
    case 'completed':
      return `completed: ${valueText(end.result)}`;
    case 'failed': {
      const { message, code, path, iteration = [] } = end.error;
      const where = path ? ` at ${placeText({ path, iteration })}` : '';
      return `failed${where}: ${message}${code === undefined ? '' : ` (${code})`}`;
    }
    case 'no-outcome':
      return `ended at ${placeText(end)}: the recorded run has no outcome for this call of ${shortName(end.package)}`;
    case 'other-input':
      return `unknown from ${placeText(end)} on: ${shortName(end.package)} would get other input. ${inputSentence(end.input)}`;
    case 'unknown':
      return `unknown from ${placeText(end)} on: ${end.reason}`;
    case 'misfit':
      return `ended at ${placeText(end)}: the context has no object for the recorded change of ${end.pointer}`;
    case 'interrupted':
      return 'unknown: the recording ends before the run did';
    default:
      return end.state;
  }
}
