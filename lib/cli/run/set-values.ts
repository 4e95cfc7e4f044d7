/** Changes values of a recorded payload, as `--set /user/age=18` does. */
import { readValue, type RecordedValue } from '../../debugging/recording/values.ts';
import type { Context } from '../../pipeline/index.ts';
import { isRecord } from '../../shared/objects.ts';
import { parsePointer, valueAt } from '../../shared/json-pointer.ts';
import { invalidArgument } from '../command/usage.ts';
import { parsedJson } from './files.ts';

/** A place in the payload, as a JSON Pointer, and its new value. */
export interface SetValue {
  pointer: string;
  value: unknown;
}

/** @param given such as `/user/age=18`. @throws CodedError `ARGUMENT_INVALID` */
export function parseSet(given: string): SetValue {
  const at = given.indexOf('=');
  const pointer = given.slice(0, Math.max(0, at));
  if (!pointer.startsWith('/'))
    throw invalidArgument(
      `--set must be a JSON Pointer and a JSON value, not “${given}”.`,
      'Use a form such as /user/age=18 or /user/name="Ann".',
    );
  return { pointer, value: parsedJson(given.slice(at + 1), `The value of --set ${pointer} isn’t JSON.`) };
}

/** The recorded payload with other values. Values that the recording doesn’t have stay lost. @throws CodedError `ARGUMENT_INVALID` */
export function withValues(recorded: RecordedValue, values: readonly SetValue[]): Context {
  const payload = readValue(recorded);
  if (!isRecord(payload))
    throw invalidArgument('The recorded payload isn’t an object, so --set has nothing to change.');
  for (const { pointer, value } of values) setAt(payload, pointer, value);
  return payload;
}

function setAt(payload: Context, pointer: string, value: unknown): void {
  const end = pointer.lastIndexOf('/');
  const holder = valueAt(payload, pointer.slice(0, end));
  const [name = ''] = parsePointer(pointer.slice(end));
  if (typeof holder !== 'object' || holder === null)
    throw invalidArgument(
      `The recorded payload has no object at ${pointer.slice(0, end)}.`,
      'Check the JSON Pointer, or set the object around it.',
    );
  const key = Array.isArray(holder) && name === '-' ? holder.length : name;
  Object.defineProperty(holder, key, { value, writable: true, enumerable: true, configurable: true });
}
