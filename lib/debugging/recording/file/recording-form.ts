/** Says what each part of a recording must look like. */
import {
  count,
  date,
  type Form,
  listOf,
  number,
  objectOf,
  oneOf,
  pointer,
  text,
  time,
  tupleOf,
} from './check-fields.ts';
import { ValueChecker } from './check-value.ts';
import { MAX_DEPTH } from '../values.ts';

const STATES = ['completed', 'skipped', 'failed', 'stopped'];
const LEVELS = ['log', 'info', 'warn', 'error', 'debug', 'logpoint'];

const action = objectOf({}, { baseUrl: text, appId: number, actionId: number, name: text, revision: number });
const iteration = listOf(count, MAX_DEPTH);
const headers = listOf(tupleOf([text, text]));
const body = objectOf({ text }, { cut: oneOf(['length', 'total', 'time', 'stream', 'binary']) });
const request = objectOf(
  { at: time, method: text, url: text },
  {
    step: count,
    status: number,
    milliseconds: time,
    bytes: number,
    error: text,
    headers,
    body,
    responseHeaders: headers,
    responseBody: body,
  },
);

/** For one recording: some things can occur only so often in all of its values. */
export function recordingForm(): Form {
  const value = new ValueChecker().check;
  const error = objectOf({ name: text, message: text }, { code: text, path: text, iteration, thrown: value });
  return objectOf(
    {
      format: text,
      version: oneOf([1]),
      startedAt: date,
      milliseconds: time,
      engine: oneOf(['platform', 'ours', 'server']),
      pipeline: value,
      payload: value,
      steps: listOf(stepWith(value, error)),
      end: endWith(value, error),
      lost: count,
    },
    {
      action,
      console: listOf(line()),
      requests: listOf(request),
      leftOut: objectOf({ lines: count, requests: count }),
    },
  );
}

function stepWith(value: Form, error: Form): Form {
  const change = tupleOf([pointer, value], 1);
  return objectOf(
    { kind: oneOf(['function', 'loop', 'if']), path: pointer, at: time, milliseconds: time, state: oneOf(STATES) },
    {
      iteration,
      name: text,
      value,
      shared: listOf(tupleOf([pointer, pointer])),
      error,
      changes: listOf(change),
      edited: listOf(count),
      late: listOf(objectOf({ changes: listOf(change) }, { since: count, by: oneOf(['edit']), attempt: count })),
      attempts: listOf(error),
      iterations: count,
      branch: (given) => (given === null || given === 'else' ? null : count(given)),
      now: listOf(number),
      random: listOf(number),
      replaced: text,
    },
  );
}

function endWith(value: Form, error: Form): Form {
  const ends = new Map([
    ['completed', objectOf({ state: text, result: value })],
    ['failed', objectOf({ state: text, error })],
    ['stopped', objectOf({ state: text })],
    ['interrupted', objectOf({ state: text })],
  ]);
  const any = objectOf({ state: oneOf([...ends.keys()]) });
  return (given) => {
    const { state } = (given ?? {}) as { state?: unknown };
    return (ends.get(state as string) ?? any)(given);
  };
}

/** Its values are only shown, so they have a count of their own. */
function line(): Form {
  const shown = new ValueChecker().check;
  return objectOf({ at: time, level: oneOf(LEVELS), args: listOf(shown) }, { step: count });
}
